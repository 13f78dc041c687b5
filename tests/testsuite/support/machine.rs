//! What a test needs of the machine: tools, and rights that not every account has.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Stdio};

/// Whether this process is root, at least in its namespace.
pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Whether the tool starts. A missing one fails the test where everything must run (`CI=true`)
/// and is said elsewhere.
pub(crate) fn has(tool: &str) -> bool {
    let mut version = Command::new(tool);
    version
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    seen(
        version.status().is_ok_and(|status| status.success()),
        &format!("the tool {tool} (`cargo xtask test --fresh` says how it is installed)"),
    )
}

/// Whether this test may act as another user: as root, or through a `sudo` that does not ask.
pub(crate) fn may_change_user() -> bool {
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    seen(
        is_root() || sudo.status().is_ok_and(|status| status.success()),
        "the right to act as another user",
    )
}

/// A command as root: as it is when we are, through `sudo` otherwise.
pub(crate) fn as_root(program: &str) -> Command {
    if is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("sudo");
    command.args(["-n", program]);
    command
}

fn seen(there: bool, what: &str) -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable belongs to the tests"
    )]
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(there || !in_ci, "CI=true, and not here: {what}");
    if !there {
        #[expect(clippy::print_stderr, reason = "shown with the test's output")]
        {
            eprintln!("not seen here: {what}");
        }
    }
    there
}
