//! A manual page (man(7)) of one level of help.

use serde_json::Value;

/// The page of this help document.
pub(crate) fn page(help: &Value, version: &str) -> String {
    let command = text(help, "command");
    let name = command.replace(' ', "-");
    let mut page = Page(String::new());
    page.line(&format!(
        ".TH \"{}\" 1 \"\" \"sr\\-runtime {}\" \"Commands\"",
        escaped(&name.to_uppercase()),
        escaped(version)
    ));
    page.section("NAME");
    page.line(&format!(
        "{} \\- {}",
        escaped(&name),
        escaped(text(help, "description"))
    ));
    page.section("SYNOPSIS");
    page.bold(text(help, "usage"));
    page.section("DESCRIPTION");
    page.text(text(help, "description"));
    if !text(help, "details").is_empty() {
        page.line(".PP");
        page.text(text(help, "details"));
    }
    page.list("COMMANDS", help, "commands", |command| {
        (
            text(command, "name").to_owned(),
            text(command, "description").to_owned(),
        )
    });
    page.list("ARGUMENTS", help, "arguments", argument);
    page.list("OPTIONS", help, "options", argument);
    page.list("COMMON OPTIONS", help, "runtime_options", argument);
    page.list("EXIT STATUS", help, "exit_codes", |code| {
        (
            code.get("code")
                .map(ToString::to_string)
                .unwrap_or_default(),
            text(code, "meaning").to_owned(),
        )
    });
    page.examples(help);
    page.see_also(help, command);
    page.0
}

struct Page(String);

impl Page {
    /// A line of requests, or of text that is escaped already.
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.line(&format!(".SH {title}"));
    }

    fn bold(&mut self, text: &str) {
        self.line(&format!("\\fB{}\\fR", escaped(text)));
    }

    fn text(&mut self, text: &str) {
        for line in text.lines() {
            match line.trim().is_empty() {
                true => self.line(".PP"),
                false => self.line(&escaped(line)),
            }
        }
    }

    /// A section with one paragraph for each item; none without items.
    fn list(
        &mut self,
        title: &str,
        help: &Value,
        key: &str,
        item: impl Fn(&Value) -> (String, String),
    ) {
        let items = list(help, key);
        if items.is_empty() {
            return;
        }
        self.section(title);
        for (term, says) in items.iter().map(item) {
            self.line(".TP");
            self.bold(&term);
            self.text(&says);
        }
    }

    fn examples(&mut self, help: &Value) {
        let examples = list(help, "examples");
        if examples.is_empty() {
            return;
        }
        self.section("EXAMPLES");
        for example in examples {
            self.line(".TP");
            self.bold(text(example, "line"));
            self.text(text(example, "says"));
        }
    }

    /// The pages above and below.
    fn see_also(&mut self, help: &Value, command: &str) {
        let above = command
            .rsplit_once(' ')
            .map(|(above, _)| above.replace(' ', "-"));
        let below = list(help, "commands")
            .iter()
            .map(|one| format!("{} {}", command, text(one, "name")).replace(' ', "-"));
        let pages: Vec<String> = above
            .into_iter()
            .chain(below)
            .map(|name| format!("\\fB{}\\fR(1)", escaped(&name)))
            .collect();
        if !pages.is_empty() {
            self.section("SEE ALSO");
            self.line(&pages.join(",\n"));
        }
    }
}

/// How an argument is written, and what it does.
fn argument(argument: &Value) -> (String, String) {
    let name = text(argument, "name");
    let positional = argument.get("positional").and_then(Value::as_bool) == Some(true);
    let mut term = match positional {
        true => text(argument, "value").to_owned(),
        false => match text(argument, "short") {
            "" => format!("--{name}"),
            short => format!("-{short}, --{name}"),
        },
    };
    if !positional && !text(argument, "value").is_empty() {
        term.push(' ');
        term.push_str(text(argument, "value"));
    }
    let mut says = text(argument, "help").to_owned();
    let choices: Vec<&str> = list(argument, "choices")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    if !choices.is_empty() {
        says.push_str(&format!(": {}", choices.join(", ")));
    }
    (term, says)
}

/// The text under a key; empty without one.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list under a key; empty without one.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let items = value.get(key).and_then(Value::as_array);
    items.map_or(&[], Vec::as_slice)
}

/// Text that the formatter prints as it is: no request at the start of a line, no escape.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    if text.starts_with(['.', '\'']) {
        made.push_str("\\&");
    }
    for letter in text.chars() {
        match letter {
            '\\' => made.push_str("\\e"),
            '-' => made.push_str("\\-"),
            '"' => made.push_str("\\(dq"),
            '\'' => made.push_str("\\(aq"),
            '`' => made.push_str("\\(ga"),
            '~' => made.push_str("\\(ti"),
            '^' => made.push_str("\\(ha"),
            '\n' => made.push(' '),
            _ => made.push(letter),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_never_a_request_or_an_escape() {
        assert_eq!(escaped(".TH x"), "\\&.TH x");
        assert_eq!(escaped("'br"), "\\&\\(aqbr");
        assert_eq!(escaped("a\\fB-b\n.c"), "a\\efB\\-b .c");
    }

    #[test]
    fn a_page_has_a_section_for_what_there_is_and_none_for_what_is_not() {
        let help = json!({
            "command": "sr-runtime plugin",
            "usage": "sr-runtime plugin [OPTIONS] <COMMAND>",
            "description": "Look after plugins",
            "details": "",
            "commands": [{ "name": "list", "description": "List them" }],
            "arguments": [],
            "options": [{
                "name": "sort", "short": "s", "value": "WORD", "positional": false,
                "help": "The order", "choices": ["up", "down"],
            }],
            "runtime_options": [],
            "examples": [{ "line": "sr-runtime plugin list", "says": "show them" }],
        });
        let page = page(&help, "1.2.3");
        for line in [
            ".TH \"SR\\-RUNTIME\\-PLUGIN\" 1 \"\" \"sr\\-runtime 1.2.3\" \"Commands\"",
            "sr\\-runtime\\-plugin \\- Look after plugins",
            "\\fBlist\\fR",
            "\\fB\\-s, \\-\\-sort WORD\\fR",
            "The order: up, down",
            "\\fBsr\\-runtime plugin list\\fR",
            "\\fBsr\\-runtime\\fR(1),",
            "\\fBsr\\-runtime\\-plugin\\-list\\fR(1)",
        ] {
            assert!(page.lines().any(|one| one == line), "no {line}\n{page}");
        }
        assert!(
            !page.contains("ARGUMENTS") && !page.contains("EXIT STATUS"),
            "{page}"
        );
    }
}
