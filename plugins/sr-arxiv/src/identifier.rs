//! arXiv identifiers (<https://info.arxiv.org/help/arxiv_identifier.html>).

use sr_guest::{Result, failure};

/// The bare identifier: prefix, address and `.pdf` taken off, version kept.
pub(crate) fn parse(text: &str) -> Result<String> {
    let bare = bare(text.trim());
    if is_identifier(bare) {
        return Ok(bare.to_owned());
    }
    Err(failure::invalid(
        "id",
        "not an arXiv identifier; write 1706.03762, 1706.03762v5 or hep-th/9901001",
    ))
}

fn bare(text: &str) -> &str {
    if let Some(rest) = strip_word(text, "arxiv:") {
        return rest.trim_start();
    }
    let Some(address) = strip_word(text, "https://").or_else(|| strip_word(text, "http://")) else {
        return text;
    };
    let address = ["www.", "export."]
        .iter()
        .find_map(|prefix| strip_word(address, prefix))
        .unwrap_or(address);
    let Some(path) = strip_word(address, "arxiv.org/") else {
        return text;
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let kinds = ["abs/", "pdf/", "html/"];
    let Some(id) = kinds.iter().find_map(|kind| path.strip_prefix(kind)) else {
        return text;
    };
    let id = id.strip_suffix('/').unwrap_or(id);
    id.strip_suffix(".pdf").unwrap_or(id)
}

/// The rest after a word in any case.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

fn is_identifier(text: &str) -> bool {
    let (id, version) = match text.split_once('v') {
        // The `v` of an archive such as `solv-int` is no version.
        Some((id, version)) if is_digits(version, 1, 3) => (id, Some(version)),
        _ => (text, None),
    };
    let numbered = version.is_none_or(|version| !version.starts_with('0'));
    numbered && (is_new(id) || is_old(id))
}

/// YYMM.NNNN or YYMM.NNNNN, since April 2007.
fn is_new(id: &str) -> bool {
    let Some((date, number)) = id.split_once('.') else {
        return false;
    };
    is_year_and_month(date) && is_digits(number, 4, 5)
}

/// archive/YYMMNNN or archive.SC/YYMMNNN, before.
fn is_old(id: &str) -> bool {
    let Some((archive, number)) = id.split_once('/') else {
        return false;
    };
    let (archive, subject) = match archive.split_once('.') {
        Some((archive, subject)) => (archive, Some(subject)),
        None => (archive, None),
    };
    let named = !archive.is_empty()
        && archive
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let classed = subject.is_none_or(|subject| {
        subject.len() == 2 && subject.bytes().all(|byte| byte.is_ascii_uppercase())
    });
    let dated = number.get(..4).is_some_and(is_year_and_month);
    named && classed && dated && is_digits(number, 7, 7)
}

fn is_year_and_month(text: &str) -> bool {
    let month = text.get(2..).and_then(|month| month.parse::<u8>().ok());
    is_digits(text, 4, 4) && month.is_some_and(|month| (1..=12).contains(&month))
}

fn is_digits(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn every_way_to_write_an_identifier_is_understood() {
        for (text, id) in [
            ("1706.03762", "1706.03762"),
            (" 1706.03762v5 ", "1706.03762v5"),
            ("0704.0001", "0704.0001"),
            ("arXiv:1706.03762", "1706.03762"),
            ("ARXIV: hep-th/9901001v2", "hep-th/9901001v2"),
            ("math.GT/0309136", "math.GT/0309136"),
            ("solv-int/9901001", "solv-int/9901001"),
            ("https://arxiv.org/abs/1706.03762v5", "1706.03762v5"),
            ("http://www.arxiv.org/pdf/1706.03762.pdf", "1706.03762"),
            (
                "https://export.arxiv.org/abs/hep-th/9901001?context=x#top",
                "hep-th/9901001",
            ),
            ("https://arxiv.org/html/1706.03762/", "1706.03762"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(id), "{text}");
        }
    }

    #[test]
    fn what_is_no_identifier_is_invalid() {
        for text in [
            "",
            "attention",
            "1706.037",
            "1713.03762",
            "1706.03762v",
            "1706.03762v0",
            "1706.037622",
            "1706,03762",
            "hep-th/99010012",
            "../1706.03762",
            "1706.03762&max_results=9",
            "https://evil.example/abs/1706.03762",
            "https://arxiv.org/list/cs",
            "１706.03762",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
