//! Compiling: in a process of its own, so that time and memory both have a bound.
//!
//! The compiler's memory cannot be told from the size of what it compiles: a function of 100 KB
//! can ask for gigabytes. So the program starts itself once more, as a compiler: that process
//! limits its own memory before it reads a byte of the component, and is killed when it is late.
//! What it answers is native code, and trusted because the same program wrote it into a pipe that
//! nobody else holds.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::EngineError;
use crate::limits::constants::{
    COMPILE_MEMORY_BYTES, COMPILE_MS, COMPILE_THREADS, COMPILED_BYTES, COMPONENT_BYTES,
};

/// The one word of a command line on which the program is a compiler, see
/// [`compile_standard_input`]. No plugin and no option can have this name.
pub const COMPILER_WORD: &str = "--compile-component";

/// Bytes of what a compiler says before it fails.
const WORDS_BYTES: u64 = 16 * 1024;

/// Who compiles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Compiler {
    /// A child process of the same program; only for a program that answers [`COMPILER_WORD`].
    OwnProgram,
    /// This process, where memory has no bound: for components that are one's own.
    #[default]
    ThisProcess,
}

/// The compiler's side: reads a component from standard input and writes its native code to
/// standard output.
///
/// # Errors
/// A limit that cannot be set, a stream that breaks, a component that does not compile.
pub fn compile_standard_input() -> Result<(), EngineError> {
    limit_this_process().map_err(EngineError::CompilerProcess)?;
    let mut bytes = Vec::new();
    io::stdin()
        .take(COMPONENT_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(EngineError::CompilerProcess)?;
    let engine = crate::engine()?;
    let code = engine
        .precompile_component(&bytes)
        .map_err(EngineError::Compile)?;
    let mut out = io::stdout().lock();
    out.write_all(&code)
        .and_then(|()| out.flush())
        .map_err(EngineError::CompilerProcess)
}

fn limit_this_process() -> io::Result<()> {
    // Ends with the one who asked, also when that one is killed.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    let limit = |bytes| Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    setrlimit(Resource::Core, limit(0))?;
    // Data, not address space: what threads and allocators only reserve does not count.
    setrlimit(Resource::Data, limit(COMPILE_MEMORY_BYTES))?;
    Ok(())
}

/// The asking side: native code of a component, made by a child process.
pub(crate) fn in_own_program(component: &[u8]) -> Result<Vec<u8>, EngineError> {
    let mut child = Command::new(own_program())
        .arg(COMPILER_WORD)
        .env_clear()
        .env("RAYON_NUM_THREADS", COMPILE_THREADS.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(EngineError::CompilerProcess)?;
    let answer = talk(&mut child, component.to_vec());
    if answer.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(EngineError::CompilerProcess)?;
    let Answer { code, words } = answer?;
    if status.success() {
        return Ok(code);
    }
    Err(match status.code() {
        None if words.contains("memory allocation") => EngineError::CompileMemory {
            limit: COMPILE_MEMORY_BYTES,
        },
        Some(1) => EngineError::NotCompiled { reason: words },
        _ => EngineError::CompilePanicked,
    })
}

/// The running program itself, also when its file was replaced meanwhile.
fn own_program() -> PathBuf {
    match cfg!(target_os = "linux") {
        true => PathBuf::from("/proc/self/exe"),
        false => std::env::current_exe().unwrap_or_default(),
    }
}

struct Answer {
    code: Vec<u8>,
    words: String,
}

fn talk(child: &mut Child, component: Vec<u8>) -> Result<Answer, EngineError> {
    let broken = || EngineError::CompilerProcess(io::ErrorKind::BrokenPipe.into());
    let mut to = child.stdin.take().ok_or_else(broken)?;
    let from = child.stdout.take().ok_or_else(broken)?;
    let says = child.stderr.take().ok_or_else(broken)?;
    let (sender, receiver) = mpsc::sync_channel(1);
    std::thread::Builder::new()
        .name("compile".into())
        .spawn(move || {
            // A compiler that stopped reading says why on its other stream.
            let _ = to.write_all(&component);
            drop(to);
            let _ = sender.send(listen(from, says));
        })
        .map_err(EngineError::CompileThread)?;
    match receiver.recv_timeout(Duration::from_millis(COMPILE_MS)) {
        Ok(answer) => answer,
        Err(_) => Err(EngineError::CompileTooLong {
            limit_ms: COMPILE_MS,
        }),
    }
}

fn listen(from: impl Read, says: impl Read) -> Result<Answer, EngineError> {
    let mut code = Vec::new();
    from.take(COMPILED_BYTES + 1)
        .read_to_end(&mut code)
        .map_err(EngineError::CompilerProcess)?;
    if code.len() as u64 > COMPILED_BYTES {
        return Err(EngineError::NotCompiled {
            reason: format!("more than {COMPILED_BYTES} bytes of native code"),
        });
    }
    let mut words = Vec::new();
    says.take(WORDS_BYTES)
        .read_to_end(&mut words)
        .map_err(EngineError::CompilerProcess)?;
    Ok(Answer {
        code,
        words: String::from_utf8_lossy(&words).trim().to_owned(),
    })
}
