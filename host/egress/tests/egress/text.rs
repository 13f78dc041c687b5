//! Bodies become text in the charset their answer declares.

use sr_egress::decode_text;

use crate::support::headers;

fn decoded(content_type: &str, body: &[u8]) -> String {
    decode_text(&headers(&[("content-type", content_type)]), body)
}

#[test]
fn the_declared_charset_decides() {
    assert_eq!(decoded("text/html; charset=iso-8859-1", b"caf\xe9"), "café");
    assert_eq!(
        decoded("text/html;Charset=\"windows-1251\"", b"\xef\xf0\xe8"),
        "при"
    );
    assert_eq!(
        decoded("text/html; x=y; charset=Shift_JIS", b"\x93\xfa"),
        "日"
    );
    assert_eq!(decoded("text/plain; charset=utf-8", "ü".as_bytes()), "ü");
}

#[test]
fn without_a_known_charset_it_is_utf_8_and_damage_is_visible() {
    assert_eq!(decode_text(&[], "ü".as_bytes()), "ü");
    assert_eq!(
        decoded("text/plain; charset=no-such", b"a\xffb"),
        "a\u{fffd}b"
    );
    assert_eq!(
        decoded("text/plain; charset=iso-2022-kr", "ü".as_bytes()),
        "ü"
    );
    assert_eq!(decoded("text/plain; charset=", b"a"), "a");
}

#[test]
fn a_byte_order_mark_wins_and_is_not_part_of_the_text() {
    assert_eq!(decode_text(&[], b"\xef\xbb\xbfhi"), "hi");
    assert_eq!(decode_text(&[], b"\xff\xfeh\0i\0"), "hi");
    assert_eq!(
        decoded("text/plain; charset=iso-8859-1", b"\xef\xbb\xbf\xc3\xbc"),
        "ü"
    );
}
