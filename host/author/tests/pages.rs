//! The pages say what the code does.

use std::collections::BTreeSet;
use std::path::Path;

use sr_author::lint::{RULES, markdown_rules};

#[test]
fn the_page_of_the_linter_holds_the_table_of_its_rules() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lint.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table = markdown_rules();
    assert!(
        page.contains(&table),
        "docs/lint.md holds another table than this one:\n\n{table}"
    );
}

#[test]
fn each_rule_has_one_row_and_a_code_of_its_own() {
    let codes: BTreeSet<&str> = RULES.iter().map(|row| row.code).collect();
    let rules: BTreeSet<_> = RULES.iter().map(|row| row.rule).collect();
    assert_eq!((codes.len(), rules.len()), (RULES.len(), RULES.len()));
    for row in RULES {
        assert_eq!(row.rule.row().code, row.code);
        assert!(!row.fix.is_empty() && !row.meaning.is_empty() && !row.fix.ends_with('.'));
    }
}
