//! A plugin's component in a wasmtime program with nothing around it: no policy, no hash, no limits.
//! It is the floor that `cargo xtask bench` holds the real program against.
//!
//! `bare precompile COMPONENT OUT` makes the native code once; `bare run OUT REPLY COMMAND NAME VALUE`
//! loads it, answers every fetch with the bytes of REPLY and prints how many rows came back;
//! `bare repeat OUT WHAT COUNT` prints what the test guest's `repeat` measured.

#![expect(
    clippy::print_stdout,
    reason = "a program: its result belongs on standard output"
)]

mod imports;

use std::error::Error;
use std::fs;

use imports::bindings::Adapter;
use imports::bindings::exports::sr::runtime::plugin::Call;
use imports::bindings::sr::runtime::types::{Cell, Named, Row};
use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{Config, Engine, Store};

const USAGE: &str = "usage: bare precompile COMPONENT OUT | bare run OUT REPLY COMMAND NAME VALUE | bare repeat OUT WHAT COUNT";

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
            let value = (*name, Cell::Text((*value).to_owned()));
            let rows = run(&engine, &component, fs::read(reply)?, command, [value])?;
            println!("{} rows", rows.len());
            Ok(())
        }
        ["repeat", code, what, count] => {
            let component = load(&engine, &fs::read(code)?)?;
            let what = ("what", Cell::Text((*what).to_owned()));
            let count = ("count", Cell::Int(count.parse()?));
            let rows = run(&engine, &component, Vec::new(), "repeat", [what, count])?;
            match rows.first().map(Vec::as_slice) {
                Some([_, Cell::Text(nanos)]) => println!("{nanos}"),
                _ => return Err("the guest measured nothing".into()),
            }
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

fn run<const N: usize>(
    engine: &Engine,
    component: &Component,
    reply: Vec<u8>,
    command: &str,
    values: [(&str, Cell); N],
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    Adapter::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut imports::Host| host)?;
    let mut store = Store::new(engine, imports::Host::new(reply));
    let adapter = Adapter::instantiate(&mut store, component, &linker)?;
    let args = values.map(|(name, value)| Named {
        name: name.to_owned(),
        value,
    });
    let call = Call {
        command: command.to_owned(),
        args: args.into(),
        given: Vec::new(),
        notes: Vec::new(),
    };
    let plugin = adapter.sr_runtime_plugin();
    match plugin.call_run(&mut store, &call)? {
        Ok(output) => {
            let mut rows = std::mem::take(&mut store.data_mut().emitted);
            rows.extend(output.rows);
            Ok(rows)
        }
        Err(failure) => Err(format!("the command failed: {failure:?}").into()),
    }
}
