//! May this request leave: which rule says no first, and what each phase may send.

use sr_policy::failure::codes;
use sr_policy::{Allowlist, CheckedUrl, Phase, RequestPolicy};

fn url(text: &str) -> CheckedUrl {
    CheckedUrl::parse(text).unwrap()
}

fn policy(phase: Phase) -> RequestPolicy {
    let (allowlist, _) = Allowlist::from_entries(["example.com"]);
    RequestPolicy {
        fetch: true,
        allowlist,
        posts: vec![url("https://example.com/search")],
        phase,
    }
}

fn verdict(phase: Phase, method: &str, text: &str) -> Result<(), (String, String)> {
    policy(phase)
        .check(method, &url(text))
        .map_err(|denial| (denial.code, denial.rule))
}

fn no(code: &str, rule: &str) -> Result<(), (String, String)> {
    Err((code.to_owned(), rule.to_owned()))
}

#[test]
fn while_metadata_is_read_nothing_leaves() {
    let mut policy = policy(Phase::Metadata);
    policy.fetch = false;
    let denial = policy.check("GET", &url("https://evil.test/")).unwrap_err();
    assert_eq!(
        (denial.code.as_str(), denial.fix),
        (codes::NOT_DURING_METADATA, None)
    );
}

#[test]
fn without_the_capability_nothing_leaves() {
    let mut policy = policy(Phase::Read);
    policy.fetch = false;
    let denial = policy.check("GET", &url("https://evil.test/")).unwrap_err();
    assert_eq!(denial.code, codes::CAPABILITY_NOT_GRANTED);
    assert_eq!(denial.fix.as_deref(), Some("\"capabilities\": [\"fetch\"]"));
}

#[test]
fn the_host_is_judged_before_the_method() {
    assert_eq!(
        verdict(Phase::Read, "POST", "https://evil.test/"),
        no(codes::DOMAIN_NOT_ALLOWED, "allowlist")
    );
}

#[test]
fn a_read_sends_get_head_and_the_listed_posts() {
    for method in ["GET", "HEAD"] {
        assert_eq!(
            verdict(Phase::Read, method, "https://example.com/x"),
            Ok(())
        );
    }
    assert_eq!(
        verdict(Phase::Read, "POST", "https://example.com/search"),
        Ok(())
    );
    assert_eq!(
        verdict(Phase::Read, "POST", "https://example.com/search?q=a"),
        Ok(())
    );
    for text in [
        "http://example.com/search",
        "https://example.com/search/",
        "https://example.com/search2",
        "https://example.com/",
    ] {
        assert_eq!(
            verdict(Phase::Read, "POST", text),
            no(codes::METHOD_NOT_ALLOWED, "method"),
            "{text}"
        );
    }
    for method in ["PUT", "PATCH", "DELETE", "OPTIONS"] {
        assert_eq!(
            verdict(Phase::Read, method, "https://example.com/search"),
            no(codes::METHOD_NOT_ALLOWED, "method")
        );
    }
}

#[test]
fn a_refused_post_names_the_line_that_would_allow_it_and_no_query() {
    let denial = policy(Phase::Read)
        .check("POST", &url("https://example.com/find?token=secret"))
        .unwrap_err();
    assert_eq!(denial.subject, "POST https://example.com/find");
    assert_eq!(
        denial.fix.as_deref(),
        Some("\"posts\": [\"https://example.com/find\"], \"capabilities\": [\"fetch\", \"posts\"]")
    );
    let put = policy(Phase::Read)
        .check("PUT", &url("https://example.com/find"))
        .unwrap_err();
    assert_eq!(put.fix, None);
    let long = format!("https://example.com/{}", "a".repeat(600));
    let denial = policy(Phase::Read).check("POST", &url(&long)).unwrap_err();
    assert_eq!((denial.fix, denial.subject.len()), (None, 255));
}

#[test]
fn preparing_a_write_only_reads_even_where_a_read_may_post() {
    assert_eq!(
        verdict(Phase::Prepare, "GET", "https://example.com/"),
        Ok(())
    );
    for method in ["POST", "PUT", "DELETE"] {
        let refused = no(codes::NOT_DURING_PREPARE, "prepare-reads-only");
        assert_eq!(
            verdict(Phase::Prepare, method, "https://example.com/search"),
            refused
        );
    }
}

#[test]
fn a_commit_may_send_any_method_that_is_a_request_to_a_site() {
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        assert_eq!(
            verdict(Phase::Commit, method, "https://example.com/"),
            Ok(())
        );
    }
    for method in [
        "CONNECT",
        "TRACE",
        "get",
        "",
        "POST /x HTTP/1.1\r\n",
        "PROPFIND",
    ] {
        assert_eq!(
            verdict(Phase::Commit, method, "https://example.com/"),
            no(codes::METHOD_NOT_ALLOWED, "method-name"),
            "{method}"
        );
    }
}
