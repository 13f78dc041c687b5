//! The hostile cases: what each is, the test that proves it, and what that test asserts.
//!
//! A whole-program test asks [`case`] for the exit code and text it must see, so this table cannot
//! say something else than the tests do. What no command line can bring about (an answer of the name
//! system, a swap between two instructions) is proved by a library test, named by its file.

use sr_policy::exit;

mod attacks;
mod components;
mod machine;
mod packages;

/// One hostile case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// Stable id.
    pub id: &'static str,
    /// What is tried.
    pub tried: &'static str,
    /// `module::function` of the testsuite, or `path/of/a/test.rs::function`.
    pub test: &'static str,
    /// The exit code that must be seen; none when a library test proves the case.
    pub exit: Option<u8>,
    /// Text that must be shown: a stable code, or words of the message.
    pub text: &'static str,
}

const GROUPS: [&[Case]; 4] = [
    attacks::CASES,
    packages::CASES,
    components::CASES,
    machine::CASES,
];

/// All cases.
pub fn all() -> impl Iterator<Item = &'static Case> {
    GROUPS.into_iter().flatten()
}

const fn program(
    id: &'static str,
    tried: &'static str,
    test: &'static str,
    exit: u8,
    text: &'static str,
) -> Case {
    Case {
        id,
        tried,
        test,
        exit: Some(exit),
        text,
    }
}

const fn library(
    id: &'static str,
    tried: &'static str,
    test: &'static str,
    text: &'static str,
) -> Case {
    Case {
        id,
        tried,
        test,
        exit: None,
        text,
    }
}

const OK: u8 = exit::OK;
const FAILED: u8 = exit::GENERIC;
const USAGE: u8 = exit::USAGE;
const BAD_PACKAGE: u8 = exit::CONFIG;
const REFUSED: u8 = exit::DOMAIN_REFUSED;
const TRAPPED: u8 = exit::TRAPPED;
const TRY_LATER: u8 = exit::TEMPORARY;
const INTEGRITY: u8 = exit::INTEGRITY;
const NOT_GRANTED: u8 = exit::AUTH;
const INTERRUPTED: u8 = exit::INTERRUPTED;

/// The case with this id. Tests ask for it; an id that is not in the table fails them.
#[must_use]
pub fn case(id: &str) -> Option<&'static Case> {
    all().find(|case| case.id == id)
}

/// The table as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut text =
        String::from("| id | what is tried | test | exit | text |\n|---|---|---|---|---|\n");
    for case in all() {
        let exit = case.exit.map_or("-".to_owned(), |code| code.to_string());
        let cells = [case.id, case.tried, case.test, &exit, case.text];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        let [id, tried, test, exit, shown] = cells;
        text.push_str(&format!(
            "| {id} | {tried} | `{test}` | {exit} | `{shown}` |\n"
        ));
    }
    text
}
