//! The rules by name: code, severity, what it means, what to do.

use std::fmt::Write as _;

use super::finding::Severity;

/// A rule of the linter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is described in its row of the table")]
pub enum Rule {
    Entry,
    ByteOrderMark,
    NotUtf8,
    NotJson,
    DuplicateKey,
    KeyUnknown,
    KeyMissing,
    Value,
    Name,
    World,
    CapabilityUnknown,
    PostsNotAsked,
    NoFile,
    Domain,
    Post,
    Component,
    ComponentLimit,
    WorldVersion,
    ImportNotOffered,
    CapabilityNotAsked,
    Metadata,
    Command,
    SitedataValue,
    Pattern,
    LiteralSleep,
    SurfaceOff,
    UrlOutside,
    Selector,
    Strategy,
    Fixture,
    NotBuilt,
    NoDomains,
    DomainCovered,
    DomainFromSitedata,
    CapabilityUnused,
    WorldDiffers,
    CommandExample,
    ArgumentHelp,
    CommandDomain,
    SitedataCommand,
    SitedataUnused,
    UrlElsewhere,
    WaitLong,
    NoReadme,
    TemplateText,
    FileNotNeeded,
    FileLarge,
    NameCollision,
}

/// One line of the table of rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleRow {
    /// The rule.
    pub rule: Rule,
    /// Its stable code.
    pub code: &'static str,
    /// Whether the plugin cannot be used, or only could be better.
    pub severity: Severity,
    /// When it is found.
    pub meaning: &'static str,
    /// What to do, when the finding says nothing closer.
    pub fix: &'static str,
}

impl Rule {
    /// Its row of the table.
    #[must_use]
    pub fn row(self) -> &'static RuleRow {
        const NONE: RuleRow = error(Rule::Value, "VALUE", "", "");
        RULES.iter().find(|row| row.rule == self).unwrap_or(&NONE)
    }
}

const fn error(
    rule: Rule,
    code: &'static str,
    meaning: &'static str,
    fix: &'static str,
) -> RuleRow {
    RuleRow {
        rule,
        code,
        severity: Severity::Error,
        meaning,
        fix,
    }
}

const fn warning(
    rule: Rule,
    code: &'static str,
    meaning: &'static str,
    fix: &'static str,
) -> RuleRow {
    RuleRow {
        rule,
        code,
        severity: Severity::Warning,
        meaning,
        fix,
    }
}

/// Every rule. The linter and its page read this table.
pub static RULES: &[RuleRow] = &[
    error(
        Rule::Entry,
        "ENTRY",
        "something in the folder cannot stand in a package: a link, a pipe, an odd name, too large",
        "remove it, or replace it by a plain file",
    ),
    error(
        Rule::ByteOrderMark,
        "BYTE_ORDER_MARK",
        "a JSON file starts with a byte order mark",
        "save it as UTF-8 without BOM",
    ),
    error(
        Rule::NotUtf8,
        "NOT_UTF8",
        "a JSON file is in another encoding",
        "save it as UTF-8",
    ),
    error(
        Rule::NotJson,
        "NOT_JSON",
        "a file is not strict JSON, is too large, or has a number that would change",
        "mend the JSON at this place",
    ),
    error(
        Rule::DuplicateKey,
        "DUPLICATE_KEY",
        "an object names a key twice, at any depth",
        "keep one of the two",
    ),
    error(
        Rule::KeyUnknown,
        "KEY_UNKNOWN",
        "the manifest has a key that no manifest has",
        "remove it",
    ),
    error(
        Rule::KeyMissing,
        "KEY_MISSING",
        "the manifest lacks a key that every manifest has",
        "add it; docs/packages.md lists the keys",
    ),
    error(
        Rule::Value,
        "VALUE",
        "a value of the manifest has the wrong type or form",
        "write what the message asks for",
    ),
    error(
        Rule::Name,
        "NAME",
        "the plugin's name is not plain, or reserved",
        "choose another name: a-z, 0-9 and -, starting with a letter",
    ),
    error(
        Rule::World,
        "WORLD",
        "the manifest names a world that is not served",
        "write \"world\": \"sr:runtime/adapter@0.1.0\" and build for it",
    ),
    error(
        Rule::CapabilityUnknown,
        "CAPABILITY_UNKNOWN",
        "the manifest asks for a capability that does not exist",
        "write one of the names in the message, or remove it",
    ),
    error(
        Rule::PostsNotAsked,
        "POSTS_NOT_ASKED",
        "the manifest lists posts and does not ask for the capability",
        "add \"posts\" to capabilities",
    ),
    error(
        Rule::NoFile,
        "NO_FILE",
        "the manifest names a file that the package does not hold",
        "add the file, or correct the path",
    ),
    error(
        Rule::Domain,
        "DOMAIN",
        "an entry of domains is not a host name, or too wide",
        "write the host name alone, such as example.com or *.example.com",
    ),
    error(
        Rule::Post,
        "POST",
        "an entry of posts is no whole https URL within the domains",
        "write a whole https URL within the domains",
    ),
    error(
        Rule::Component,
        "COMPONENT",
        "the component is no valid component of this world",
        "build it anew for wasm32-wasip2",
    ),
    error(
        Rule::ComponentLimit,
        "COMPONENT_LIMIT",
        "the component or one of its functions is too large",
        "split large functions and leave data out of the code",
    ),
    error(
        Rule::WorldVersion,
        "WORLD_VERSION",
        "the component was built for a version that is not served",
        "build it with the SDK of this runtime",
    ),
    error(
        Rule::ImportNotOffered,
        "IMPORT_NOT_OFFERED",
        "the component imports something the sandbox does not have",
        "do without it: there are no files, sockets, threads or environment",
    ),
    error(
        Rule::CapabilityNotAsked,
        "CAPABILITY_NOT_ASKED",
        "the component imports a function whose capability the manifest does not ask for",
        "add the capability, or do not call the function",
    ),
    error(
        Rule::Metadata,
        "METADATA",
        "the component cannot be asked for its commands in the sandbox",
        "its list of commands must be a constant: no calls, no panic, in 2 s",
    ),
    error(
        Rule::Command,
        "COMMAND",
        "a command breaks a rule: a name of the host, a name twice, no summary, bad arguments",
        "change the command's declaration",
    ),
    error(
        Rule::SitedataValue,
        "SITEDATA_VALUE",
        "a key of the sitedata has the wrong type or form",
        "write what the message asks for",
    ),
    error(
        Rule::Pattern,
        "PATTERN",
        "a pattern does not compile, is too large, or needs a search that goes back",
        "write it without look-around and back references, and shorter",
    ),
    error(
        Rule::LiteralSleep,
        "LITERAL_SLEEP",
        "the sitedata waits for a fixed time instead of for something",
        "wait for a condition: {\"for\": \"selector key\", \"limit_ms\": 10000}",
    ),
    error(
        Rule::SurfaceOff,
        "SURFACE_OFF",
        "an automation surface is off, so that its commands cannot be driven or checked",
        "switch it on, or remove the commands that need it",
    ),
    error(
        Rule::UrlOutside,
        "URL_OUTSIDE",
        "a URL the commands ask for is not within the domains",
        "add its host to domains, or correct it",
    ),
    error(
        Rule::Selector,
        "SELECTOR",
        "a selector is empty",
        "write a CSS selector, or remove the key",
    ),
    error(
        Rule::Strategy,
        "STRATEGY",
        "a strategy has other selector keys than its command, or an id that is taken",
        "give each strategy an id of its own and exactly the command's selector keys",
    ),
    error(
        Rule::Fixture,
        "FIXTURE",
        "a fixture names a command, argument or column that does not exist",
        "correct the name, or remove the fixture",
    ),
    warning(
        Rule::NotBuilt,
        "NOT_BUILT",
        "the crate has no built component, or one that is older than its source",
        "sr-runtime plugin build",
    ),
    warning(
        Rule::NoDomains,
        "NO_DOMAINS",
        "requests are asked for and no domain is named: every request is refused",
        "add \"domains\": [\"example.com\"]",
    ),
    warning(
        Rule::DomainCovered,
        "DOMAIN_COVERED",
        "another entry covers this one",
        "remove one of the two",
    ),
    warning(
        Rule::DomainFromSitedata,
        "DOMAIN_FROM_SITEDATA",
        "the sitedata names a domain that the manifest does not",
        "name it in the manifest too, where a person looks for it",
    ),
    warning(
        Rule::CapabilityUnused,
        "CAPABILITY_UNUSED",
        "a capability is asked for that nothing uses",
        "remove it from capabilities",
    ),
    warning(
        Rule::WorldDiffers,
        "WORLD_DIFFERS",
        "the manifest names another version than the component was built for",
        "write the component's version",
    ),
    warning(
        Rule::CommandExample,
        "COMMAND_EXAMPLE",
        "a command shows no example",
        "add one: help shows it",
    ),
    warning(
        Rule::ArgumentHelp,
        "ARGUMENT_HELP",
        "an argument says nothing of itself",
        "write a doc comment above it: help shows it",
    ),
    warning(
        Rule::CommandDomain,
        "COMMAND_DOMAIN",
        "a command names a domain that is not within the domains",
        "add it to domains, or correct the command",
    ),
    warning(
        Rule::SitedataCommand,
        "SITEDATA_COMMAND",
        "the sitedata speaks of a command that the component does not have",
        "correct the name, or remove it",
    ),
    warning(
        Rule::SitedataUnused,
        "SITEDATA_UNUSED",
        "there is sitedata and the capability is not asked for, or the other way round",
        "ask for sitedata and bundle it, or do neither",
    ),
    warning(
        Rule::UrlElsewhere,
        "URL_ELSEWHERE",
        "a text of the sitedata is a URL outside of the domains",
        "fine for a text that is shown; a request to it would be refused",
    ),
    warning(
        Rule::WaitLong,
        "WAIT_LONG",
        "a wait has no limit, or a limit longer than a command may take",
        "give it a limit_ms of at most 60000",
    ),
    warning(
        Rule::NoReadme,
        "NO_README",
        "the package has no README",
        "add README.md: what it does, and what it was granted for",
    ),
    warning(
        Rule::TemplateText,
        "TEMPLATE_TEXT",
        "a text of the template is left in a plugin for another site",
        "say what this plugin does",
    ),
    warning(
        Rule::FileNotNeeded,
        "FILE_NOT_NEEDED",
        "the package holds a file that the runtime does not use",
        "remove it: everything in the folder is hashed and installed",
    ),
    warning(
        Rule::FileLarge,
        "FILE_LARGE",
        "a file other than the component has more than 1 MiB",
        "remove it, or make it smaller",
    ),
    warning(
        Rule::NameCollision,
        "NAME_COLLISION",
        "two names differ only by case or Unicode form: some file systems hold one of them",
        "rename one of the two",
    ),
];

/// The table as markdown, for the docs.
#[must_use]
pub fn markdown_rules() -> String {
    let mut text = String::from("| code | severity | found when | fix |\n|---|---|---|---|\n");
    for row in RULES {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            row.code,
            row.severity.word(),
            row.meaning,
            row.fix
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_row_in_order() {
        for (index, row) in RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, index, "{}", row.code);
        }
        assert_eq!(RULES.len(), Rule::NameCollision as usize + 1);
    }
}
