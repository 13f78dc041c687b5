//! Compatibility is what runs: a component kept from each released version on today's host, and
//! a component built today on a host that only knows the released text.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use sr_capabilities::{Host, RunEnd};
use sr_engine::wasmtime::component::{Component, HasSelf, Linker, ResourceTable};
use sr_engine::wasmtime::{Engine, Store};
use sr_engine::wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use sr_engine::{CapturedOutput, engine, link_wasi};
use sr_policy::Failure;
use sr_policy::value::{Cell, CellKind, Named};

use support::{FIXED, built, run};

const WIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");

fn released() -> Vec<(String, PathBuf)> {
    let folders = fs::read_dir(Path::new(WIT).join("released")).unwrap();
    let versions: Vec<_> = folders
        .map(|folder| folder.unwrap().path())
        .map(|folder| {
            (
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                folder,
            )
        })
        .collect();
    assert!(!versions.is_empty());
    versions
}

#[tokio::test]
async fn a_component_of_each_released_version_runs_on_this_host() {
    let engine = engine().unwrap();
    let host = Host::new(&engine).unwrap();
    for (version, folder) in released() {
        let bytes = fs::read(folder.join("every-case.wasm")).unwrap();
        let shape = sr_engine::inspect(&bytes).unwrap();
        assert_eq!(shape.version.text, version);
        let component = Component::from_binary(&engine, &bytes).unwrap();
        let commands = host.metadata(&component).await.unwrap();
        let command = |name: &str| {
            commands
                .iter()
                .find(|command| command.name == name)
                .unwrap_or_else(|| panic!("{name}"))
        };

        let RunEnd::Finished(output) = run(&host, &component, command("cells"), vec![]).await.end
        else {
            panic!("{version}: cells did not finish");
        };
        let kinds: Vec<CellKind> = command("cells")
            .columns
            .iter()
            .map(|column| column.kind)
            .collect();
        for kind in [
            CellKind::Flag,
            CellKind::Int,
            CellKind::Float,
            CellKind::Text,
            CellKind::Time,
            CellKind::Url,
            CellKind::Json,
        ] {
            assert!(kinds.contains(&kind), "{version}: no {kind:?} column");
        }
        assert!(
            output.rows.iter().flatten().any(|cell| *cell == Cell::Null),
            "{version}"
        );

        for (word, is_case) in FAILURES {
            let case = vec![Named {
                name: "case".into(),
                value: Cell::Text((*word).into()),
            }];
            match run(&host, &component, command("fail"), case).await.end {
                RunEnd::Failed(failure) => {
                    assert!(is_case(&failure), "{version}: {word}: {failure:?}")
                }
                RunEnd::Cancelled => assert_eq!(*word, "cancelled"),
                other => panic!("{version}: {word}: {other:?}"),
            }
        }
    }
}

type IsCase = fn(&Failure) -> bool;

const FAILURES: &[(&str, IsCase)] = &[
    ("denied", |failure| matches!(failure, Failure::Denied(_))),
    ("login-wall", |failure| {
        matches!(failure, Failure::LoginWall { .. })
    }),
    ("empty", |failure| matches!(failure, Failure::Empty(_))),
    ("selector-miss", |failure| {
        matches!(failure, Failure::SelectorMiss { .. })
    }),
    ("timeout", |failure| {
        matches!(failure, Failure::Timeout { .. })
    }),
    ("stale", |failure| matches!(failure, Failure::Stale { .. })),
    ("busy", |failure| matches!(failure, Failure::Busy(_))),
    ("throttled", |failure| {
        matches!(failure, Failure::Throttled { .. })
    }),
    ("invalid", |failure| {
        matches!(failure, Failure::Invalid { .. })
    }),
    ("unavailable", |failure| {
        matches!(failure, Failure::Unavailable(_))
    }),
    ("cancelled", |_| false),
    ("other", |failure| matches!(failure, Failure::Other { .. })),
];

/// A host made from the released text alone; its functions are never called here.
mod oldest {
    sr_engine::wasmtime::component::bindgen!({
        path: "../../wit/released/0.1.0",
        world: "adapter",
        wasmtime_crate: sr_engine::wasmtime,
        exports: { default: async },
    });
}

struct OldState {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for OldState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

mod stubs {
    use super::OldState;
    use super::oldest::sr::runtime::{fetch, log, sitedata, task, types};

    impl types::Host for OldState {}

    impl log::Host for OldState {
        fn write(&mut self, _: log::Level, _: String) {}
        fn enabled(&mut self, _: log::Level) -> bool {
            false
        }
    }

    impl task::Host for OldState {
        fn progress(&mut self, _: u64, _: Option<u64>, _: String) -> bool {
            true
        }
        fn cancelled(&mut self) -> bool {
            false
        }
        fn time_left(&mut self) -> u64 {
            0
        }
        fn emit(&mut self, _: Vec<Vec<types::Cell>>) -> Result<(), types::Failure> {
            Ok(())
        }
        fn pause(&mut self, _: u32) -> Result<(), types::Failure> {
            Ok(())
        }
    }

    impl fetch::Host for OldState {
        fn send(&mut self, _: fetch::Request) -> Result<fetch::Response, types::Failure> {
            Err(types::Failure::Cancelled)
        }
        fn send_all(
            &mut self,
            _: Vec<fetch::Request>,
            _: u8,
        ) -> Result<Vec<Result<fetch::Response, types::Failure>>, types::Failure> {
            Err(types::Failure::Cancelled)
        }
        fn get_text(&mut self, _: String) -> Result<String, types::Failure> {
            Err(types::Failure::Cancelled)
        }
    }

    impl sitedata::Host for OldState {
        fn strategy(&mut self) -> Result<String, types::Failure> {
            Ok("s0".into())
        }
        fn version(&mut self) -> Result<(String, String), types::Failure> {
            Err(types::Failure::Cancelled)
        }
        fn get(&mut self, _: String) -> Result<Option<String>, types::Failure> {
            Ok(None)
        }
        fn selectors(&mut self, _: String) -> Result<Vec<(String, String)>, types::Failure> {
            Ok(vec![])
        }
        fn text(&mut self, _: String) -> Result<String, types::Failure> {
            Err(types::Failure::Cancelled)
        }
    }
}

fn old_linker(engine: &Engine) -> Linker<OldState> {
    let mut linker = Linker::new(engine);
    link_wasi(&mut linker).unwrap();
    oldest::Adapter::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state).unwrap();
    linker
}

#[tokio::test]
async fn a_component_built_today_runs_on_a_host_of_the_released_version() {
    let bytes = built("every-case");
    let engine = engine().unwrap();
    let component = Component::from_binary(&engine, &bytes).unwrap();
    let linker = old_linker(&engine);
    let state = OldState {
        wasi: FIXED.context(&CapturedOutput::default()),
        table: ResourceTable::new(),
    };
    let mut store = Store::new(&engine, state);
    store.set_epoch_deadline(u64::MAX / 2);
    let adapter = oldest::Adapter::instantiate_async(&mut store, &component, &linker)
        .await
        .unwrap();
    let commands = adapter
        .sr_runtime_plugin()
        .call_commands(&mut store)
        .await
        .unwrap();
    assert!(commands.iter().any(|command| command.name == "cells"));
}
