//! The HTML of item texts as plain text: paragraphs, links, and the entities HTML needs.

/// Tags go, paragraphs become lines, character references become characters.
pub(crate) fn to_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((plain, marked)) = rest
        .find(['<', '&'])
        .and_then(|at| rest.split_at_checked(at))
    {
        text.push_str(plain);
        rest = match marked.strip_prefix('<') {
            Some(tag) => skip_tag(tag, &mut text),
            None => reference(marked, &mut text),
        };
    }
    text.push_str(rest);
    text.trim_ascii().to_owned()
}

/// The rest after a tag; a `<` without its `>` is text.
fn skip_tag<'a>(tag: &'a str, text: &mut String) -> &'a str {
    let Some((inside, rest)) = tag.split_once('>') else {
        text.push('<');
        return tag;
    };
    if matches!(inside.as_bytes(), b"p" | b"P") {
        text.push_str("\n\n");
    }
    rest
}

/// The rest after a character reference; one that is not known stays as it is.
fn reference<'a>(marked: &'a str, text: &mut String) -> &'a str {
    let known = marked
        .strip_prefix('&')
        .and_then(|name| name.split_once(';'))
        .and_then(|(name, rest)| Some((character(name)?, rest)));
    match known {
        Some((letter, rest)) => {
            text.push(letter);
            rest
        }
        None => {
            text.push('&');
            marked.strip_prefix('&').unwrap_or(marked)
        }
    }
}

fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return code.ok().and_then(char::from_u32);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::to_text;

    #[test]
    fn tags_go_and_references_become_characters() {
        for (html, text) in [
            ("plain", "plain"),
            ("one<p>two", "one\n\ntwo"),
            ("<i>a</i> &amp; &lt;b&gt; &#x27;c&#39;", "a & <b> 'c'"),
            (
                "<a href=\"https:&#x2F;&#x2F;x.example\" rel=\"nofollow\">x</a>",
                "x",
            ),
            ("1 < 2 & 3", "1 < 2 & 3"),
            ("&unknown; &#xD800; &", "&unknown; &#xD800; &"),
            ("é<p>ü", "é\n\nü"),
        ] {
            assert_eq!(to_text(html), text, "{html}");
        }
    }
}
