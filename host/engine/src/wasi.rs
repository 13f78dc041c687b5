//! The WASI a component sees: clocks, random, an empty environment, captured output, and a file
//! system without preopens (Rust's standard library imports it). No sockets, no HTTP.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWrite;
use wasmtime::component::{HasData, Linker, ResourceTable};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream, WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView as _};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult, bindings};
use wasmtime_wasi::random::{Deterministic, WasiRandom};
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxBuilder, WasiView};

use crate::limits::constants::{OUTPUT_BYTES, RANDOM_BYTES};

/// The WASI packages a component may import, with the interfaces of each.
pub(crate) const OFFERED: &[(&str, &[&str])] = &[
    (
        "wasi:cli",
        &[
            "environment",
            "exit",
            "stdin",
            "stdout",
            "stderr",
            "terminal-input",
            "terminal-output",
            "terminal-stdin",
            "terminal-stdout",
            "terminal-stderr",
        ],
    ),
    ("wasi:io", &["error", "poll", "streams"]),
    ("wasi:clocks", &["wall-clock", "monotonic-clock"]),
    ("wasi:random", &["random", "insecure", "insecure-seed"]),
    ("wasi:filesystem", &["types", "preopens"]),
];

struct HasTable;

impl HasData for HasTable {
    type Data<'a> = &'a mut ResourceTable;
}

/// Adds exactly the offered WASI interfaces.
///
/// # Errors
/// When one is defined twice, which is a fault of the host.
pub fn link_wasi<T: WasiView + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    use bindings::{cli, clocks, filesystem, random};
    let l = linker;
    wasmtime_wasi_io::bindings::wasi::io::error::add_to_linker::<T, HasTable>(l, |t| {
        t.ctx().table
    })?;
    wasmtime_wasi_io::bindings::wasi::io::poll::add_to_linker::<T, HasTable>(l, |t| t.ctx().table)?;
    wasmtime_wasi_io::bindings::wasi::io::streams::add_to_linker::<T, HasTable>(l, |t| {
        t.ctx().table
    })?;
    clocks::wall_clock::add_to_linker::<T, WasiClocks>(l, T::clocks)?;
    clocks::monotonic_clock::add_to_linker::<T, WasiClocks>(l, T::clocks)?;
    filesystem::preopens::add_to_linker::<T, WasiFilesystem>(l, T::filesystem)?;
    filesystem::types::add_to_linker::<T, WasiFilesystem>(l, T::filesystem)?;
    random::random::add_to_linker::<T, WasiRandom>(l, |t| t.ctx().ctx.random())?;
    random::insecure::add_to_linker::<T, WasiRandom>(l, |t| t.ctx().ctx.random())?;
    random::insecure_seed::add_to_linker::<T, WasiRandom>(l, |t| t.ctx().ctx.random())?;
    cli::environment::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::exit::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::stdin::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::stdout::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::stderr::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_input::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_output::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_stdin::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_stdout::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_stderr::add_to_linker::<T, WasiCli>(l, T::cli)?;
    Ok(())
}

/// Where clocks and random come from.
#[derive(Debug, Clone, Copy)]
pub enum WasiSettings {
    /// The machine's clocks and random.
    Live,
    /// A fixed clock (milliseconds since 1970 UTC) and random drawn from a seed: the metadata
    /// call and replays give the same answers on every machine.
    Fixed {
        /// What the wall clock says.
        clock_ms: i64,
        /// Where random starts.
        seed: u64,
    },
}

impl WasiSettings {
    /// A context with these settings, output captured, everything else off.
    #[must_use]
    pub fn context(self, output: &CapturedOutput) -> WasiCtx {
        let mut builder = WasiCtxBuilder::new();
        builder
            .max_random_size(RANDOM_BYTES)
            .allow_blocking_current_thread(false)
            .stdout(output.stdout.clone())
            .stderr(output.stderr.clone());
        if let Self::Fixed { clock_ms, seed } = self {
            let bytes = seeded_bytes(seed);
            let mut low = [0; 16];
            low.iter_mut()
                .zip(&bytes)
                .for_each(|(to, from)| *to = *from);
            builder
                .secure_random(Deterministic::new(bytes.clone()))
                .insecure_random(Deterministic::new(bytes))
                .insecure_random_seed(u128::from_le_bytes(low))
                .wall_clock(FixedClock(clock_ms))
                .monotonic_clock(FixedClock(clock_ms));
        }
        builder.build()
    }
}

/// A kilobyte of bytes from a seed, repeated by the reader when it needs more.
fn seeded_bytes(seed: u64) -> Vec<u8> {
    (0u64..32)
        .flat_map(|block| {
            let mut hasher = Sha256::new();
            hasher.update(b"sr-runtime seeded random");
            hasher.update(seed.to_le_bytes());
            hasher.update(block.to_le_bytes());
            hasher.finalize()
        })
        .collect()
}

struct FixedClock(i64);

impl HostWallClock for FixedClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.0).unwrap_or(0))
    }
}

impl HostMonotonicClock for FixedClock {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        0
    }
}

/// A guest's stdout and stderr: the first [`OUTPUT_BYTES`] of each are kept, the rest counted.
#[derive(Debug, Clone, Default)]
pub struct CapturedOutput {
    stdout: Capture,
    stderr: Capture,
}

impl CapturedOutput {
    /// What was written to stdout, lossily as text, unfiltered.
    #[must_use]
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// What was written to stderr, lossily as text, unfiltered. A panic's message is here.
    #[must_use]
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    dropped: usize,
}

#[derive(Debug, Clone, Default)]
struct Capture(Arc<Mutex<Kept>>);

impl Capture {
    fn keep(&self, bytes: &[u8]) {
        let mut kept = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let room = OUTPUT_BYTES
            .saturating_sub(kept.bytes.len())
            .min(bytes.len());
        kept.bytes.extend(bytes.iter().take(room));
        kept.dropped = kept.dropped.saturating_add(bytes.len() - room);
    }

    fn text(&self) -> String {
        let kept = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut text = String::from_utf8_lossy(&kept.bytes).into_owned();
        if kept.dropped > 0 {
            text.push_str(&format!("\n({} more bytes not kept)", kept.dropped));
        }
        text
    }
}

impl IsTerminal for Capture {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Capture {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for Capture {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.keep(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> Result<usize, StreamError> {
        Ok(OUTPUT_BYTES)
    }
}

// Written out because the trait's `ready` is an `async_trait` method.
impl Pollable for Capture {
    fn ready<'a, 'b>(&'a mut self) -> Pin<Box<dyn Future<Output = ()> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(std::future::ready(()))
    }
}

impl AsyncWrite for Capture {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.keep(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
