//! Programs of the machine that a test runs the real one of.

use std::path::PathBuf;

/// Where this program is. A machine without it says so and the test sees nothing; under `CI=true`
/// that is a failure.
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the search path and CI are the machine's; who runs the tests must see what did not run"
)]
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(
            !in_ci,
            "{name} is not on this machine; `cargo xtask test` installs it"
        );
        eprintln!("not seen here: there is no {name}");
    }
    found
}
