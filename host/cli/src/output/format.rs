//! The output formats and their names.

use std::io::{self, IsTerminal};

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Aligned columns for people.
    Table,
    /// An array of objects.
    Json,
    /// The same as block YAML.
    Yaml,
    /// Comma-separated values with a header.
    Csv,
    /// A Markdown pipe table.
    Markdown,
    /// `key: value` lines.
    Plain,
}

/// The formats by name, for help and messages.
pub(crate) const FORMATS: [&str; 6] = ["table", "json", "yaml", "csv", "md", "plain"];

/// Other spellings that are understood.
pub(crate) const OTHER_SPELLINGS: [(&str, &str); 2] = [("yml", "yaml"), ("markdown", "md")];

impl Format {
    /// The format of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "table" => Some(Self::Table),
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            "csv" => Some(Self::Csv),
            "md" | "markdown" => Some(Self::Markdown),
            "plain" => Some(Self::Plain),
            _ => None,
        }
    }

    /// The format of rows and lists: the asked one; without it the preferred one, where a table
    /// becomes YAML when nobody looks at it.
    pub(crate) fn of_rows(asked: Option<Self>, preferred: Option<Self>) -> Self {
        match asked {
            Some(format) => format,
            None => unasked(preferred, io::stdout().is_terminal()),
        }
    }
}

fn unasked(preferred: Option<Format>, terminal: bool) -> Format {
    match preferred.unwrap_or(Format::Table) {
        Format::Table if !terminal => Format::Yaml,
        format => format,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_help_is_a_format_and_every_spelling_means_one() {
        for name in FORMATS {
            assert!(Format::named(name).is_some(), "{name}");
        }
        for (spelling, name) in OTHER_SPELLINGS {
            assert_eq!(Format::named(spelling), Format::named(name));
        }
        assert_eq!(Format::named("bogus"), None);
        assert_eq!(Format::named("JSON"), None);
        // What a plugin may prefer is what can be asked for.
        assert_eq!(sr_policy::command_rules::FORMATS, FORMATS);
    }

    #[test]
    fn a_pipe_gets_yaml_instead_of_a_table_and_keeps_another_preference() {
        assert_eq!(unasked(None, true), Format::Table);
        assert_eq!(unasked(None, false), Format::Yaml);
        assert_eq!(unasked(Some(Format::Table), false), Format::Yaml);
        assert_eq!(unasked(Some(Format::Csv), false), Format::Csv);
        assert_eq!(unasked(Some(Format::Plain), true), Format::Plain);
    }
}
