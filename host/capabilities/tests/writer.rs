//! A write cannot be entered by the door of a read, and a read has nothing to commit.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

mod support;

use sr_capabilities::{Host, RunEnd};
use sr_engine::engine;
use sr_engine::wasmtime::component::Component;
use sr_policy::Failure;
use sr_policy::command::{Access, Command};
use sr_policy::value::{Cell, Named};

use support::{built, run};

async fn writer() -> (Host, Component, Vec<Command>) {
    let engine = engine().unwrap();
    let component = Component::from_binary(&engine, &built("writer")).unwrap();
    let host = Host::new(&engine).unwrap();
    let commands = host.metadata(&component).await.unwrap();
    (host, component, commands)
}

fn as_if(commands: &[Command], name: &str, access: Access) -> Command {
    let command = commands
        .iter()
        .find(|command| command.name == name)
        .unwrap();
    assert_ne!(command.access, access);
    Command {
        access,
        ..command.clone()
    }
}

fn item() -> Vec<Named> {
    vec![Named {
        name: "item".into(),
        value: Cell::Text("lamp".into()),
    }]
}

/// Enters a command by the door of the other access.
async fn wrong_door(name: &str, access: Access) {
    let (host, component, commands) = writer().await;
    let command = as_if(&commands, name, access);
    let report = run(&host, &component, &command, item()).await;
    assert!(
        matches!(report.end, RunEnd::Failed(Failure::Invalid { .. })),
        "{report:?}"
    );
    assert!(!report.committed);
}

#[tokio::test]
async fn run_on_a_write_is_invalid_and_commits_nothing() {
    wrong_door("send", Access::Read).await;
}

#[tokio::test]
async fn prepare_on_a_read_is_invalid_and_there_is_nothing_to_commit() {
    wrong_door("peek", Access::Write).await;
}

#[tokio::test]
async fn a_prepare_that_fails_leaves_nothing_to_commit() {
    let (host, component, commands) = writer().await;
    let command = commands
        .iter()
        .find(|command| command.name == "send")
        .unwrap();
    // No reply is recorded, so `prepare` fails at its first request.
    let report = run(&host, &component, command, item()).await;
    assert!(matches!(report.end, RunEnd::Failed(_)), "{report:?}");
    assert!(!report.committed);
}
