//! JavaScript as words, texts and signs: enough to find literals, nothing is run.

/// One part of a script and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) part: Part,
    pub(super) line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A name, keyword or number.
    Word(String),
    /// A string without holes.
    Text(String),
    /// A string with holes, or a regular expression: nothing that is known before it runs.
    Computed,
    /// One character of everything else.
    Sign(char),
}

impl Token {
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.part, Part::Word(found) if found == word)
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.part == Part::Sign(sign)
    }
}

/// Splits a script. A text that is no JavaScript gives tokens too; nothing fails.
pub(super) fn tokens(script: &str) -> Vec<Token> {
    let mut reader = Reader {
        rest: script,
        line: 1,
    };
    let mut tokens: Vec<Token> = Vec::new();
    while let Some(part) = reader.part(tokens.last()) {
        tokens.push(part);
    }
    tokens
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn take(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next()?;
        self.rest = letters.as_str();
        if letter == '\n' {
            self.line += 1;
        }
        Some(letter)
    }

    /// Takes up to and with the end, or all that is left.
    fn skip_past(&mut self, end: &str) {
        while !self.rest.is_empty() && !self.rest.starts_with(end) {
            self.take();
        }
        for _ in end.chars() {
            self.take();
        }
    }

    fn part(&mut self, before: Option<&Token>) -> Option<Token> {
        loop {
            if self.rest.starts_with("//") {
                self.skip_past("\n");
            } else if self.rest.starts_with("/*") {
                self.skip_past("*/");
            } else if self.rest.starts_with(char::is_whitespace) {
                self.take();
            } else {
                break;
            }
        }
        let line = self.line;
        let first = self.rest.chars().next()?;
        let part = match first {
            '"' | '\'' => self.string(first),
            '`' => self.template(),
            '/' if starts_a_value(before) => self.regular_expression(),
            _ if is_word(first) => self.word(),
            sign => {
                self.take();
                Part::Sign(sign)
            }
        };
        Some(Token { part, line })
    }

    fn word(&mut self) -> Part {
        let mut word = String::new();
        while let Some(letter) = self.rest.chars().next().filter(|letter| is_word(*letter)) {
            word.push(letter);
            self.take();
        }
        Part::Word(word)
    }

    fn string(&mut self, quote: char) -> Part {
        self.take();
        let mut text = String::new();
        while let Some(letter) = self.take() {
            match letter {
                '\\' => text.extend(self.escape()),
                '\n' => break,
                letter if letter == quote => break,
                letter => text.push(letter),
            }
        }
        Part::Text(text)
    }

    /// What stands behind a backslash. An escape by number stays as it is written: names and
    /// hosts have none.
    fn escape(&mut self) -> Option<char> {
        match self.take()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '\n' => None,
            letter => Some(letter),
        }
    }

    fn template(&mut self) -> Part {
        self.take();
        let mut text = String::new();
        let mut holes = false;
        while let Some(letter) = self.take() {
            match letter {
                '\\' => text.extend(self.escape()),
                '`' => break,
                '$' if self.rest.starts_with('{') => {
                    holes = true;
                    self.hole();
                }
                letter => text.push(letter),
            }
        }
        match holes {
            true => Part::Computed,
            false => Part::Text(text),
        }
    }

    /// `{…}` in a template, with strings and templates inside of it.
    fn hole(&mut self) {
        let mut depth = 0_usize;
        while let Some(letter) = self.rest.chars().next() {
            match letter {
                '"' | '\'' => {
                    self.string(letter);
                    continue;
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            self.take();
            if depth == 0 {
                return;
            }
        }
    }

    fn regular_expression(&mut self) -> Part {
        self.take();
        let mut in_class = false;
        while let Some(letter) = self.rest.chars().next() {
            match letter {
                '\n' => break,
                '\\' => {
                    self.take();
                }
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    self.take();
                    break;
                }
                _ => {}
            }
            self.take();
        }
        Part::Computed
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#')
}

/// Whether a value can stand here, so that a slash starts a regular expression and divides nothing.
fn starts_a_value(before: Option<&Token>) -> bool {
    match before.map(|token| &token.part) {
        None => true,
        Some(Part::Sign(sign)) => !matches!(sign, ')' | ']' | '}'),
        Some(Part::Word(word)) => matches!(
            word.as_str(),
            "return" | "typeof" | "case" | "in" | "of" | "do" | "else" | "void" | "delete"
        ),
        Some(Part::Text(_) | Part::Computed) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(script: &str) -> Vec<Part> {
        tokens(script).into_iter().map(|token| token.part).collect()
    }

    fn word(word: &str) -> Part {
        Part::Word(word.to_owned())
    }

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    #[test]
    fn comments_texts_and_regular_expressions_hide_what_is_in_them() {
        let script = "// cli(\n/* cli( */ a = /cli(['\"/]/ ; b = 'cli(' / 2; `x${f('}')}cli(`";
        assert_eq!(
            parts(script),
            [
                word("a"),
                Part::Sign('='),
                Part::Computed,
                Part::Sign(';'),
                word("b"),
                Part::Sign('='),
                text("cli("),
                Part::Sign('/'),
                word("2"),
                Part::Sign(';'),
                Part::Computed,
            ]
        );
    }

    #[test]
    fn texts_are_read_in_every_quote() {
        assert_eq!(
            parts("'a\\'b' \"c\\\"d\" `e`"),
            [text("a'b"), text("c\"d"), text("e")]
        );
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let found = tokens("/*\n\n*/ a\n`\n` b");
        let lines: Vec<usize> = found.iter().map(|token| token.line).collect();
        assert_eq!(lines, [3, 4, 5]);
    }

    #[test]
    fn a_text_that_ends_early_ends_the_reading() {
        for script in ["'a", "`a${b", "/*", "//", "/[", "`${{{'", "\"\\", "${}}}"] {
            tokens(script);
        }
    }
}
