//! Which hosts are on the list, and which entries are entries at all.

use sr_policy::failure::codes;
use sr_policy::{Allowlist, CheckedUrl, Denial, DomainPattern, PatternError};

fn list(entries: &[&str]) -> Allowlist {
    let (list, errors) = Allowlist::from_entries(entries);
    assert_eq!(errors, [], "legal entries");
    list
}

fn check(text: &str) -> Result<(), Denial> {
    list(&["example.com", "*.shop.test"]).check(&CheckedUrl::parse(text).unwrap())
}

fn entry_error(entry: &str) -> PatternError {
    match entry.parse::<DomainPattern>() {
        Ok(_) => panic!("{entry:?} was accepted"),
        Err(error) => error,
    }
}

#[test]
fn listed_hosts_are_reached_in_any_spelling_of_the_url() {
    for text in [
        "https://example.com/",
        "http://example.com/",
        "https://EXAMPLE.COM/x",
        "https://example.com./",
        "https://example.com:443/",
        "http://example.com:80/",
        "https://ｅｘａｍｐｌｅ.com/",
        "https://example.com\\@evil.test/",
        "https://a.shop.test/",
        "https://a.b.shop.test/",
    ] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
}

#[test]
fn a_host_off_the_list_is_refused_with_the_line_that_would_allow_it() {
    for (text, host) in [
        ("https://evil.test/", "evil.test"),
        ("https://www.example.com/", "www.example.com"),
        ("https://example.com.evil.test/", "example.com.evil.test"),
        ("https://evilexample.com/", "evilexample.com"),
        ("https://shop.test/", "shop.test"),
        ("https://evilshop.test/", "evilshop.test"),
        ("https://shop.test.evil.test/", "shop.test.evil.test"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
    ] {
        let denial = check(text).unwrap_err();
        assert_eq!(
            (denial.code.as_str(), denial.rule.as_str()),
            (codes::DOMAIN_NOT_ALLOWED, "allowlist"),
            "{text}"
        );
        assert_eq!(denial.subject, host);
        assert_eq!(
            denial.fix.as_deref(),
            Some(format!("\"domains\": [\"{host}\"]").as_str())
        );
        assert_eq!(
            list(&[host]).check(&CheckedUrl::parse(text).unwrap()),
            Ok(()),
            "the fix works: {text}"
        );
    }
}

#[test]
fn another_port_than_the_schemes_own_is_refused() {
    for text in [
        "https://example.com:8443/",
        "https://example.com:22/",
        "https://example.com:80/",
        "http://a.shop.test:443/",
    ] {
        let denial = check(text).unwrap_err();
        assert_eq!(
            (denial.code.as_str(), denial.rule.as_str()),
            (codes::PORT_NOT_ALLOWED, "default-port"),
            "{text}"
        );
        assert_eq!(denial.fix, None);
    }
    let denial = check("https://evil.test:8443/").unwrap_err();
    assert_eq!(
        (denial.code.as_str(), denial.fix),
        (codes::DOMAIN_NOT_ALLOWED, None),
        "listing it would not help"
    );
}

#[test]
fn an_address_is_never_reached_by_its_number() {
    for text in [
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://017700000001/",
        "http://0/",
        "https://127。0。0。1/",
        "http://10.0.0.5/",
        "http://169.254.169.254/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
    ] {
        let denial = check(text).unwrap_err();
        assert_eq!(
            (denial.code.as_str(), denial.rule.as_str()),
            (codes::ADDRESS_NOT_ALLOWED, "address-class"),
            "{text}"
        );
        assert_eq!(denial.fix, None, "{text}");
    }
    assert!(
        check("http://127.1/")
            .unwrap_err()
            .subject
            .contains("loopback")
    );
    let denial = check("http://8.8.8.8/").unwrap_err();
    assert_eq!(
        (denial.code.as_str(), denial.fix),
        (codes::DOMAIN_NOT_ALLOWED, None)
    );
}

#[test]
fn loopback_and_local_names_are_refused_as_such() {
    for text in [
        "https://localhost/",
        "https://localhost./",
        "https://a.localhost/",
        "http://localhost.localdomain/",
    ] {
        let denial = check(text).unwrap_err();
        assert_eq!(
            (denial.code.as_str(), denial.rule.as_str()),
            (codes::ADDRESS_NOT_ALLOWED, "special-use-name"),
            "{text}"
        );
        assert!(denial.subject.contains("loopback"), "{denial:?}");
        assert_eq!(denial.fix, None);
    }
    for text in [
        "https://printer.local/",
        "http://metadata.google.internal/",
        "https://router.home.arpa/",
    ] {
        assert_eq!(
            check(text).unwrap_err().code,
            codes::ADDRESS_NOT_ALLOWED,
            "{text}"
        );
    }
    assert_eq!(
        check("https://notlocalhost.example/").unwrap_err().code,
        codes::DOMAIN_NOT_ALLOWED
    );
}

#[test]
fn an_empty_list_allows_nothing() {
    let empty = Allowlist::default();
    assert!(empty.is_empty());
    assert!(
        empty
            .check(&CheckedUrl::parse("https://example.com/").unwrap())
            .is_err()
    );
}

#[test]
fn legal_entries_are_full_names_and_one_leading_star() {
    for entry in [
        "example.com",
        "*.example.com",
        "a.b.c.example.com",
        "xn--bcher-kva.example",
        "1and1.com",
        "4chan.org",
        "co.uk",
    ] {
        assert_eq!(entry.parse::<DomainPattern>().unwrap().as_str(), entry);
    }
}

#[test]
fn an_illegal_entry_is_named_with_what_to_write_instead() {
    let vectors: &[(&str, &str, &str)] = &[
        (
            "https://demo.example.com",
            "scheme",
            "write demo.example.com",
        ),
        (
            "https://demo.example.com/path",
            "scheme",
            "write demo.example.com",
        ),
        ("demo.example.com:8443", "port", "write demo.example.com"),
        ("demo.example:443", "port", "write demo.example"),
        ("demo.example.com/path", "path", "write demo.example.com"),
        (
            "demo.example.com?x",
            "path or query",
            "write demo.example.com",
        ),
        ("demo.example.com\\x", "path", "write demo.example.com"),
        (
            "user@demo.example.com",
            "user name",
            "write demo.example.com",
        ),
        ("demo.example.com ", "white space", "write demo.example.com"),
        ("demo.\texample.com", "white space", "host name alone"),
        ("", "empty", "host name alone"),
        (" ", "white space", "host name alone"),
        ("*", "star alone", "host name alone"),
        ("*.", "star alone", "host name alone"),
        ("*foo", "one star", "host name alone"),
        ("www*.com", "one star", "host name alone"),
        ("a.*.b", "one star", "host name alone"),
        ("a.*.example.com", "one star", "write *.example.com"),
        ("*.*.example.com", "one star", "write *.example.com"),
        ("*.example.*", "one star", "host name alone"),
        ("a..b.com", "empty", "host name alone"),
        (".example.com", "empty", "host name alone"),
        ("-a.example.com", "hyphen", "host name alone"),
        ("a_b.example.com", "underscore", "host name alone"),
        ("ex%61mple.com", "character", "host name alone"),
        ("example.com.", "final dot", "write example.com"),
        ("Example.COM", "lower case", "write example.com"),
        ("*.Example.com", "lower case", "write *.example.com"),
        ("bücher.example", "ASCII", "write xn--bcher-kva.example"),
        ("*.bücher.example", "ASCII", "write *.xn--bcher-kva.example"),
        ("ｅｘａｍｐｌｅ.com", "ASCII", "write example.com"),
        ("xn--a.example", "IDNA", "host name alone"),
        ("com", "two labels", "host name alone"),
        ("*.com", "two labels", "host name alone"),
        ("example.123", "number", "host name alone"),
        ("203.0.113.7", "IP address", "--resolve"),
        ("10.0.0.5", "IP address", "--resolve"),
        ("127.0.0.1", "IP address", "--resolve"),
        ("127.1", "IP address", "--resolve"),
        ("2130706433", "IP address", "--resolve"),
        ("0x7f.0.0.1", "IP address", "--resolve"),
        ("0177.0.0.1", "IP address", "--resolve"),
        ("0.0.0.0", "IP address", "--resolve"),
        ("169.254.169.254", "IP address", "--resolve"),
        ("*.127.0.0.1", "IP address", "--resolve"),
        ("[2001:db8::1]", "IP address", "--resolve"),
        ("[::1]", "IP address", "--resolve"),
        ("[::ffff:127.0.0.1]", "IP address", "--resolve"),
        ("::1", "IP address", "--resolve"),
        ("localhost", "loopback", "--resolve"),
        ("*.localhost", "loopback", "--resolve"),
        ("a.localhost", "loopback", "--resolve"),
        ("printer.local", "local network", "--resolve"),
    ];
    for (entry, rule, advice) in vectors {
        let error = entry_error(entry);
        assert_eq!(&error.entry, entry);
        assert!(error.rule.contains(rule), "{entry}: {error}");
        assert!(error.advice.contains(advice), "{entry}: {error}");
        assert!(error.to_string().contains(&error.advice), "{error}");
        if let Some(better) = error
            .advice
            .strip_prefix("write ")
            .filter(|rest| !rest.contains(' '))
        {
            assert!(
                better.parse::<DomainPattern>().is_ok(),
                "the advice is legal: {error}"
            );
        }
    }
}

#[test]
fn a_message_about_an_entry_cannot_drive_the_terminal() {
    let text = entry_error("evil\u{1b}[2J\u{202e}.com\nok").to_string();
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
    assert!(entry_error(&"a b".repeat(1000)).to_string().len() < 400);
}

#[test]
fn the_legal_rest_stays_in_force_and_each_other_entry_is_reported() {
    let (list, errors) = Allowlist::from_entries([
        "example.com",
        "https://x.test",
        "*.shop.test",
        "127.0.0.1",
        "example.com",
    ]);
    assert_eq!(
        list.entries().collect::<Vec<_>>(),
        ["example.com", "*.shop.test"]
    );
    assert_eq!(
        errors
            .iter()
            .map(|error| error.entry.as_str())
            .collect::<Vec<_>>(),
        ["https://x.test", "127.0.0.1"]
    );
}

#[test]
fn union_allows_what_either_allows_and_intersection_what_both_do() {
    let asked = list(&[
        "a.example.com",
        "*.shop.test",
        "*.b.wide.test",
        "only.asked.test",
    ]);
    let held = list(&[
        "*.example.com",
        "x.shop.test",
        "*.wide.test",
        "only.held.test",
        "shop.test",
    ]);
    let both = asked.intersect(&held);
    assert_eq!(
        both.entries().collect::<Vec<_>>(),
        ["a.example.com", "*.b.wide.test", "x.shop.test"]
    );
    let either = asked.union(&held);
    for host in [
        "a.example.com",
        "y.shop.test",
        "only.asked.test",
        "only.held.test",
        "shop.test",
        "c.wide.test",
    ] {
        assert_eq!(
            either.check(&CheckedUrl::parse(&format!("https://{host}/")).unwrap()),
            Ok(()),
            "{host}"
        );
    }
}

#[test]
fn an_exact_name_covers_no_wildcard() {
    let exact: DomainPattern = "example.com".parse().unwrap();
    let wild: DomainPattern = "*.example.com".parse().unwrap();
    let below: DomainPattern = "*.a.example.com".parse().unwrap();
    assert!(!exact.covers(&wild) && !wild.covers(&exact) && !below.covers(&wild));
    assert!(exact.covers(&exact) && wild.covers(&wild) && wild.covers(&below));
}
