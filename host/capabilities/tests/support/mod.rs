//! Running a built component without a network.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use sr_capabilities::{Cancel, Host, RunReport, RunRequest, SitedataView};
use sr_egress::Replay;
use sr_engine::WasiSettings;
use sr_engine::wasmtime::component::Component;
use sr_policy::Allowlist;
use sr_policy::command::{Call, Command};
use sr_policy::recording::Recording;
use sr_policy::request::{Phase, RequestPolicy};
use sr_policy::value::Named;

const BUILT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/guests");

/// A clock and random that are the same every time.
pub(crate) const FIXED: WasiSettings = WasiSettings::Fixed {
    clock_ms: 0,
    seed: 0,
};

/// The component of a test guest.
pub(crate) fn built(guest: &str) -> Vec<u8> {
    let path = Path::new(BUILT).join(guest).join(format!("{guest}.wasm"));
    fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask guests`", path.display()))
}

/// Runs a command as its metadata is given, whatever the component thinks of it.
pub(crate) async fn run(
    host: &Host,
    component: &Component,
    command: &Command,
    args: Vec<Named>,
) -> RunReport {
    let (allowlist, illegal) = Allowlist::from_entries(["example.com"]);
    assert!(illegal.is_empty());
    let given = args.iter().map(|arg| arg.name.clone()).collect();
    let request = RunRequest {
        command: command.clone(),
        call: Call {
            command: command.name.clone(),
            args,
            given,
        },
        policy: RequestPolicy {
            fetch: true,
            allowlist,
            posts: vec![],
            phase: Phase::Read,
        },
        transport: Arc::new(Replay::new(Recording::new(0, 0))),
        sitedata: Some(SitedataView {
            sitedata: None,
            origin: "bundled",
            strategy: "s0".into(),
        }),
        observer: None,
        wasi: FIXED,
        cancel: Cancel::new(),
        dry_run: false,
    };
    host.run(component, request).await.unwrap()
}
