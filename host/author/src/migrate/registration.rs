//! Registrations in a script: the literals of `cli({…})`, and which hooks it takes.

use super::found::{FoundCommand, Literal};
use super::script::{Part, Token};

/// Calls by which the ancestor knows a script of a plugin.
pub(super) const AUTH: &str = "registerSiteAuthCommands";
pub(super) const HOOKS: &[&str] = &["onStartup", "onBeforeExecute", "onAfterExecute"];
const COMMAND: &str = "cli";

/// Parts of one registration that are looked at: an object without an end would be read again
/// for each registration in it.
const MOST_PARTS: usize = 20_000;
/// Commands of one script that are told.
const MOST_COMMANDS: usize = 200;

/// What one script registers.
#[derive(Debug, Default)]
pub(super) struct Registered {
    pub(super) commands: Vec<FoundCommand>,
    /// Lines of registrations that are no object literal.
    pub(super) unreadable: Vec<usize>,
    pub(super) hooks: Vec<&'static str>,
    pub(super) auth: bool,
    /// It runs its own code in pages.
    pub(super) evaluates: bool,
}

/// Reads the registrations of a script.
pub(super) fn read(file: &str, tokens: &[Token]) -> Registered {
    let mut registered = Registered::default();
    for (index, token) in tokens.iter().enumerate() {
        let Part::Word(word) = &token.part else {
            continue;
        };
        let behind = tokens.get(index + 1..).unwrap_or_default();
        let called = behind.first().is_some_and(|next| next.is_sign('('));
        let declared = index
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| before.is_word("function"));
        if !called || declared {
            continue;
        }
        registered.auth |= word == AUTH;
        registered.evaluates |= word == "evaluate";
        for hook in HOOKS {
            if word == hook && !registered.hooks.contains(hook) {
                registered.hooks.push(hook);
            }
        }
        if word == COMMAND && registered.commands.len() < MOST_COMMANDS {
            match behind.get(1) {
                Some(brace) if brace.is_sign('{') => {
                    let end = behind.len().min(2 + MOST_PARTS);
                    let mut command = object(behind.get(2..end).unwrap_or_default());
                    command.file = file.to_owned();
                    command.line = token.line;
                    registered.commands.push(command);
                }
                _ => registered.unreadable.push(token.line),
            }
        }
    }
    registered
}

/// The literals of an object, from behind its brace.
fn object(mut rest: &[Token]) -> FoundCommand {
    let mut command = FoundCommand::default();
    while let Some(first) = rest.first() {
        if first.is_sign('}') {
            break;
        }
        let (entry, after) = entry(rest);
        keep(&mut command, entry);
        rest = after;
    }
    command
}

/// One entry up to its comma, and what stands behind the comma.
fn entry(tokens: &[Token]) -> (&[Token], &[Token]) {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.part {
            Part::Sign('(' | '[' | '{') => depth += 1,
            Part::Sign('}') if depth == 0 => return tokens.split_at(index),
            Part::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Part::Sign(',') if depth == 0 => {
                let (entry, after) = tokens.split_at(index);
                return (entry, after.get(1..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (tokens, &[])
}

fn keep(command: &mut FoundCommand, entry: &[Token]) {
    let (key, value) = match entry {
        [key, colon, value @ ..] if colon.is_sign(':') => (key, value),
        // A shorthand or a method.
        [key, ..] => (key, &[][..]),
        [] => return,
    };
    let key = match &key.part {
        Part::Word(key) | Part::Text(key) => key.as_str(),
        Part::Computed | Part::Sign(_) => return,
    };
    let slot = match key {
        "site" => &mut command.site,
        "name" => &mut command.name,
        "access" => &mut command.access,
        "domain" => &mut command.domain,
        "strategy" => &mut command.strategy,
        "browser" => &mut command.browser,
        "args" => {
            command.arguments = arguments(value);
            return;
        }
        "pipeline" => {
            command.pipeline = true;
            return;
        }
        _ => return,
    };
    *slot = literal(value);
}

/// A text, `true` or `false`, or a member of an enumeration such as `Strategy.COOKIE`.
fn literal(value: &[Token]) -> Literal {
    match value {
        [one] => match &one.part {
            Part::Text(text) => Literal::Text(text.clone()),
            Part::Word(word) if word == "true" || word == "false" => Literal::Text(word.clone()),
            _ => Literal::Unreadable,
        },
        [_, dot, member] if dot.is_sign('.') => match &member.part {
            Part::Word(word) if word.chars().all(|letter| letter.is_ascii_uppercase()) => {
                Literal::Text(word.to_ascii_lowercase())
            }
            _ => Literal::Unreadable,
        },
        _ => Literal::Unreadable,
    }
}

/// The literal names in a list of arguments: `name: '…'` one object deep.
fn arguments(value: &[Token]) -> Vec<String> {
    let mut depth = 0_usize;
    let mut names = Vec::new();
    for (index, token) in value.iter().enumerate() {
        match &token.part {
            Part::Sign('(' | '[' | '{') => depth += 1,
            Part::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Part::Word(word) if word == "name" && depth == 2 => {
                let behind = value.get(index + 1..index + 3).unwrap_or_default();
                if let [colon, name] = behind
                    && let (true, Part::Text(name)) = (colon.is_sign(':'), &name.part)
                {
                    names.push(name.clone());
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::script::tokens;
    use super::*;

    fn text(text: &str) -> Literal {
        Literal::Text(text.to_owned())
    }

    #[test]
    fn the_literals_of_a_registration_are_read() {
        let script = r#"
import { cli, Strategy } from '@jackwener/opencli/registry';
function cli(x) {}
cli({
  site: 'demo', "name": `list`, access: "read", // , name: 'no'
  domain: 'a.test', strategy: Strategy.COOKIE, browser: true,
  args: [{ name: 'query', choices: [{ name: 'inner' }] }, { type: 'int', name: "limit" }],
  async func(page, { name }) { return page.evaluate(() => ({ site: 'other' })); },
});
"#;
        let found = read("list.js", &tokens(script));
        assert_eq!(found.commands.len(), 1);
        assert!(found.evaluates && !found.auth);
        assert_eq!(
            found.commands[0],
            FoundCommand {
                file: "list.js".to_owned(),
                line: 4,
                site: text("demo"),
                name: text("list"),
                access: text("read"),
                domain: text("a.test"),
                strategy: text("cookie"),
                browser: text("true"),
                arguments: vec!["query".to_owned(), "limit".to_owned()],
                pipeline: false,
            }
        );
    }

    #[test]
    fn what_is_computed_is_not_guessed() {
        let script = "cli({site, name: `a${b}`, access: f(), domain: x.y, browser: !0, ...rest, pipeline: [{fetch: 'u'}]}); cli(make())";
        let found = read("x.js", &tokens(script));
        let command = &found.commands[0];
        assert_eq!(
            command.unreadable(),
            ["site", "name", "access", "domain", "browser"]
        );
        assert!(command.pipeline);
        assert_eq!(command.effective_strategy(), None);
        assert_eq!(found.unreadable, [1]);
    }

    #[test]
    fn hooks_and_logins_are_noticed() {
        let found = read(
            "x.js",
            &tokens("onStartup(() => {}); onStartup(f); registerSiteAuthCommands({site: 'a'})"),
        );
        assert_eq!(found.hooks, ["onStartup"]);
        assert!(found.auth && found.commands.is_empty());
    }

    #[test]
    fn a_registration_that_ends_early_is_read_as_far_as_it_goes() {
        for script in [
            "cli(",
            "cli({",
            "cli({name: 'a",
            "cli({name: 'a', f(",
            "cli({,,,",
        ] {
            read("x.js", &tokens(script));
        }
        assert_eq!(
            read("x.js", &tokens("cli({name: 'a'")).commands[0].name,
            text("a")
        );
    }
}
