//! A plugin's component in a wasmtime program with nothing around it: no policy, no hash, no limits.
//! It is the floor that `cargo xtask bench` holds the real program against.
//!
//! `bare precompile COMPONENT OUT` makes the native code once; `bare run OUT REPLY COMMAND NAME VALUE`
//! loads it, answers every fetch with the bytes of REPLY and prints how many rows came back.

#![expect(
    clippy::print_stdout,
    reason = "a program: its result belongs on standard output"
)]

mod imports;

use std::error::Error;
use std::fs;

use imports::bindings::Adapter;
use imports::bindings::exports::sr::runtime::plugin::Call;
use imports::bindings::sr::runtime::types::{Cell, Named};
use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{Config, Engine, Store};

const USAGE: &str = "usage: bare precompile COMPONENT OUT | bare run OUT REPLY COMMAND NAME VALUE";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let engine = Engine::new(&Config::new())?;
    match words.as_slice() {
        ["precompile", component, out] => {
            let code = engine.precompile_component(&fs::read(component)?)?;
            Ok(fs::write(out, code)?)
        }
        ["run", code, reply, command, name, value] => {
            let component = load(&engine, &fs::read(code)?)?;
            let rows = run(
                &engine,
                &component,
                fs::read(reply)?,
                command,
                (name, value),
            )?;
            println!("{rows} rows");
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

#[expect(
    unsafe_code,
    clippy::disallowed_methods,
    reason = "the floor is wasmtime's own way to load native code, without our checks"
)]
fn load(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: a developer names the file, and `precompile` of this same program wrote it.
    unsafe { Component::deserialize(engine, code) }
}

fn run(
    engine: &Engine,
    component: &Component,
    reply: Vec<u8>,
    command: &str,
    (name, value): (&str, &str),
) -> Result<usize, Box<dyn Error>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    Adapter::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut imports::Host| host)?;
    let mut store = Store::new(engine, imports::Host::new(reply));
    let adapter = Adapter::instantiate(&mut store, component, &linker)?;
    let call = Call {
        command: command.to_owned(),
        args: vec![Named {
            name: name.to_owned(),
            value: Cell::Text(value.to_owned()),
        }],
        given: Vec::new(),
        notes: Vec::new(),
    };
    let plugin = adapter.sr_runtime_plugin();
    match plugin.call_run(&mut store, &call)? {
        Ok(output) => Ok(output.rows.len() + store.data().emitted),
        Err(failure) => Err(format!("the command failed: {failure:?}").into()),
    }
}
