//! Text somebody else wrote cannot drive the terminal.

use std::borrow::Cow;

use sr_policy::{UntrustedText, width};

fn shown(text: &str) -> String {
    UntrustedText::from(text).shown().into_owned()
}

#[test]
fn escape_sequences_go_with_all_they_carry() {
    let vectors = [
        ("a\u{1b}[31mb\u{1b}[0mc", "abc"),
        ("a\u{1b}[2Jb", "ab"),
        ("a\u{1b}[?1049hb", "ab"),
        ("a\u{1b}]52;c;ZXZpbA==\u{7}b", "ab"),
        ("a\u{1b}]52;c;ZXZpbA==\u{1b}\\b", "ab"),
        (
            "a\u{1b}]8;;https://evil.test\u{1b}\\link\u{1b}]8;;\u{1b}\\b",
            "alinkb",
        ),
        ("a\u{1b}cb", "ab"),
        ("a\u{1b}(0b", "ab"),
        ("a\u{1b}#8b", "ab"),
        ("a\u{1b}Pq#0\u{1b}\\b", "ab"),
        ("a\u{1b}_x\u{1b}\\b", "ab"),
        ("a\u{9b}31mb", "ab"),
        ("a\u{9d}0;title\u{9c}b", "ab"),
        ("a\u{90}x\u{9c}b", "ab"),
        ("a\u{85}b", "a b"),
        ("a\u{1b}", "a"),
        ("a\u{1b}[", "a"),
        ("a\u{1b}[31", "a"),
        ("a\u{1b}\u{1b}[31mb", "ab"),
        ("a\u{1b}[3\u{1b}[31mb", "ab"),
    ];
    for (text, plain) in vectors {
        assert_eq!(shown(text), plain, "{text:?}");
    }
}

#[test]
fn a_string_without_an_end_hides_nothing_on_later_lines() {
    assert_eq!(shown("a\u{1b}]0;x\nerror: refused"), "a\nerror: refused");
    assert_eq!(shown("a\u{9d}x\nb"), "a\nb");
}

#[test]
fn control_characters_go_and_line_feeds_and_tabs_stay() {
    assert_eq!(
        shown("ok\rFAIL\u{7}\u{8}\0\u{b}\u{c}\u{7f}\r\nb\tc"),
        "okFAIL\nb\tc"
    );
}

#[test]
fn direction_controls_and_invisible_spaces_go() {
    for letter in "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200e}\u{200f}\u{61c}\u{200b}\u{2060}\u{feff}\u{e0041}".chars() {
        assert_eq!(shown(&format!("a{letter}b")), "ab", "{letter:?}");
    }
    assert_eq!(shown("a\u{2028}b"), "a b");
}

#[test]
fn real_text_stays_as_it_is() {
    for text in [
        "größe 價格 سلام",
        "👩‍👩‍👧 👍🏽 ❤️ 🇩🇪",
        "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!",
        "نمی\u{200c}خواهم",
        "e\u{301}",
        "",
    ] {
        assert_eq!(shown(text), text);
    }
    assert!(matches!(
        UntrustedText::from("plain é\n").shown(),
        Cow::Borrowed(_)
    ));
}

#[test]
fn nothing_filtered_is_left_and_filtering_again_changes_nothing() {
    let every: String = (0..0x2100)
        .chain(0xe0000..0xe0080)
        .filter_map(char::from_u32)
        .flat_map(|letter| [letter, '[', 'm', '\n'])
        .collect();
    let once = shown(&every);
    assert_eq!(shown(&once), once);
    assert!(
        once.chars()
            .all(|letter| !letter.is_control() || letter == '\n' || letter == '\t')
    );
}

#[test]
fn one_line_is_one_line_of_bounded_length() {
    let text = UntrustedText::from("a\nb\tc\u{1b}[31md");
    assert_eq!(text.one_line(20), "a b cd");
    assert_eq!(text.one_line(6), "a b cd");
    assert_eq!(text.one_line(5), "a b …");
    assert_eq!(text.one_line(1), "…");
    assert_eq!(text.one_line(0), "");
    let forged = UntrustedText::from("x\n[sr] granted").one_line(80);
    assert!(!forged.contains('\n'));
}

#[test]
fn json_values_and_raw_get_the_text_as_it_came() {
    let text = UntrustedText::from("a\u{1b}[31m");
    assert_eq!(text.raw(), "a\u{1b}[31m");
    assert_eq!(serde_json::to_string(&text).unwrap(), "\"a\\u001b[31m\"");
    assert_eq!(format!("{text} {text:?}"), "a UntrustedText(\"a\")");
}

#[test]
fn width_counts_terminal_columns() {
    assert_eq!(width::columns("價格ab"), 6);
    assert_eq!(width::cut("價格ab", 6), "價格ab");
    assert_eq!(width::cut("價格ab", 5), "價格…");
    assert_eq!(width::cut("價格ab", 4), "價…");
    assert_eq!(width::cut("ab", 0), "");
}
