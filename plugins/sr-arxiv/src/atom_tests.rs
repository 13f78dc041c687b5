use sr_guest::prelude::*;

use super::parse;

fn feed(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:arxiv=\"http://arxiv.org/schemas/atom\">{inside}</feed>"
    )
}

fn entry(inside: &str) -> String {
    feed(&format!(
        "<entry><id>http://arxiv.org/abs/1706.03762v7</id>{inside}</entry>"
    ))
}

fn code(text: &str) -> (String, String) {
    match parse(text) {
        Err(Failure::Other(coded)) => (coded.code, coded.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn entities_cdata_and_wrapped_lines_become_plain_text() {
    let text = entry("<title>A &amp; B\n  &#x3C;C&gt; <![CDATA[<&D>]]>&#233;</title>");
    let feed = parse(&text).unwrap();
    assert_eq!(feed.entries[0].title, "A & B <C> <&D>é");
    assert_eq!(feed.entries[0].id, "1706.03762v7");
}

#[test]
fn namespaces_decide_not_prefixes() {
    let text = concat!(
        "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\" xmlns:x=\"http://arxiv.org/schemas/atom\">",
        "<a:entry><a:id>http://arxiv.org/abs/1706.03762v7</a:id><a:title>Right</a:title>",
        "<x:title>Wrong</x:title><title>Wrong</title>",
        "<x:primary_category term=\"cs.&#67;L\"/><x:doi>10.1/2</x:doi></a:entry></a:feed>",
    );
    let entry = &parse(text).unwrap().entries[0];
    assert_eq!(entry.title, "Right");
    assert_eq!(entry.category.as_deref(), Some("cs.CL"));
    assert_eq!(entry.doi.as_deref(), Some("10.1/2"));
}

#[test]
fn only_the_entrys_own_elements_count() {
    let text = entry(
        "<author><name>Ada</name></author><author><name>Bob</name></author>\
         <source><title>Other</title><author><name>Eve</name></author></source><title>Mine</title>",
    );
    let entry = &parse(&text).unwrap().entries[0];
    assert_eq!(entry.title, "Mine");
    assert_eq!(entry.authors, "Ada, Bob");
}

#[test]
fn an_error_entry_is_a_failure_with_arxivs_words() {
    let text = feed(
        "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id>\
         <title>Error</title><summary>incorrect id format for x</summary></entry>",
    );
    let (code, message) = code(&text);
    assert_eq!(code, "ARXIV_ERROR");
    assert_eq!(message, "arXiv answered: incorrect id format for x");
}

#[test]
fn an_empty_feed_has_no_entries() {
    assert!(parse(&feed("")).unwrap().entries.is_empty());
}

#[test]
fn what_is_no_feed_is_refused() {
    let deep = feed(&"<a>".repeat(100));
    for text in [
        "",
        "not xml",
        "<html/>",
        "<feed/>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"></feeds>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"/><feed xmlns=\"http://www.w3.org/2005/Atom\"/>",
        "<!DOCTYPE feed [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><feed xmlns=\"http://www.w3.org/2005/Atom\"/>",
        &entry("<title>&unknown;</title>"),
        &entry("<title>&#xD800;</title>"),
        &entry("<title>&#+65;</title>"),
        &entry("<title>&#0;</title>"),
        &entry("<arxiv:primary_category term=\"&unknown;\"/>"),
        &entry("<arxiv:primary_category term=\"a & b\"/>"),
        &feed("<entry><id>tag:x</id></entry>"),
        &deep,
    ] {
        assert_eq!(code(text).0, "UNEXPECTED_REPLY", "{text}");
    }
}
