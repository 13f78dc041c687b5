//! Fake machines of the three systems.

use sr_browsers::corpus::Layout;
use sr_browsers::shared_catalog;
use std::collections::BTreeMap;

/// Each system with a home directory.
pub(crate) const HOMES: [(&str, &str); 3] = [
    ("darwin", "/Users/ada"),
    ("linux", "/home/ada"),
    ("windows", r"C:\Users\ada"),
];

/// Runs `check` with the directories of a machine.
pub(crate) fn on<T>(
    os: &str,
    home: &str,
    env: &BTreeMap<String, String>,
    check: impl Fn(&Layout<'_>) -> T,
) -> T {
    let env = |name: &str| env.get(name).cloned();
    let catalog = shared_catalog();
    check(&Layout {
        os,
        home,
        env: &env,
        catalog,
    })
}
