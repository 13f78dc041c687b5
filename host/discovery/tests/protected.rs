//! Our protected-origin vectors, judged by the rules of our catalog.

use sr_browsers::protected::{OPENER_PROTECTED, OPENER_UNKNOWN, vectors};
use sr_discovery::protected_rules;
use sr_policy::protected::{Opener, Protected, Target};

#[test]
fn every_vector_is_judged_as_written() {
    let vectors = vectors();
    let protected =
        Protected::new(protected_rules(&sr_browsers::catalog()), &vectors.origins).unwrap();
    let mut wrong = Vec::new();
    let mut hold = |row: String, wanted: bool, found: bool| {
        if wanted != found {
            wrong.push(row);
        }
    };
    for row in &vectors.urls {
        hold(
            format!("{row:?}"),
            row.protected,
            protected.url(&row.url).is_protected(),
        );
    }
    for row in &vectors.targets {
        let target = Target {
            url: row.url.clone(),
            kind: row.kind.clone(),
            previous: row.previous,
            opener: row.opener.as_deref().map(|opener| match opener {
                OPENER_PROTECTED => Opener::Protected,
                OPENER_UNKNOWN => Opener::Unknown,
                _ => Opener::Unprotected,
            }),
            document_url: row.document_url.clone(),
            unreachable_url: row.unreachable_url.clone(),
            navigating: row.navigating,
        };
        hold(
            format!("{row:?}"),
            row.protected,
            protected.target(&target).is_protected(),
        );
    }
    for row in &vectors.cookie_domains {
        hold(
            format!("{row:?}"),
            row.protected,
            protected.cookie_domain(&row.domain).is_protected(),
        );
    }
    for row in &vectors.storage_keys {
        hold(
            format!("{row:?}"),
            row.protected,
            protected.storage_key(&row.key).is_protected(),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(vectors.urls.len() >= 120, "{}", vectors.urls.len());
}

#[test]
fn every_refusal_has_its_words() {
    let protected =
        Protected::new(protected_rules(&sr_browsers::catalog()), [] as [&str; 0]).unwrap();
    let refusal = |url| {
        protected
            .refusal(protected.url(url))
            .unwrap_or_default()
            .to_owned()
    };
    assert!(refusal("https://seven.sliccy.ai/").contains("on seven's origin"));
    assert!(refusal("http://[::1").contains("can't parse"));
    assert_eq!(refusal("https://example.com/"), "");
}
