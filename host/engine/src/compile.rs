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
    let mut compiler = Command::new(own_program());
    compiler.arg(COMPILER_WORD);
    asked(compiler, component, BOUNDS)
}

/// What holds for the answer of a compiler.
#[derive(Clone, Copy)]
struct Bounds {
    time_ms: u64,
    code_bytes: u64,
}

const BOUNDS: Bounds = Bounds {
    time_ms: COMPILE_MS,
    code_bytes: COMPILED_BYTES,
};

fn asked(mut compiler: Command, component: &[u8], bounds: Bounds) -> Result<Vec<u8>, EngineError> {
    let mut child = compiler
        .env_clear()
        .env("RAYON_NUM_THREADS", COMPILE_THREADS.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(EngineError::CompilerProcess)?;
    let answer = talk(&mut child, component.to_vec(), bounds);
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

fn talk(child: &mut Child, component: Vec<u8>, bounds: Bounds) -> Result<Answer, EngineError> {
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
            let _ = sender.send(listen(from, says, bounds.code_bytes));
        })
        .map_err(EngineError::CompileThread)?;
    match receiver.recv_timeout(Duration::from_millis(bounds.time_ms)) {
        Ok(answer) => answer,
        Err(_) => Err(EngineError::CompileTooLong {
            limit_ms: bounds.time_ms,
        }),
    }
}

fn listen(from: impl Read, says: impl Read, code_bytes: u64) -> Result<Answer, EngineError> {
    let mut code = Vec::new();
    from.take(code_bytes + 1)
        .read_to_end(&mut code)
        .map_err(EngineError::CompilerProcess)?;
    if code.len() as u64 > code_bytes {
        return Err(EngineError::NotCompiled {
            reason: format!("more than {code_bytes} bytes of native code"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// A shell in the compiler's place: what it does is the script.
    fn ask(script: &str, component: &[u8], bounds: Bounds) -> Result<Vec<u8>, EngineError> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", script]);
        let start = Instant::now();
        let answer = asked(shell, component, bounds);
        assert!(start.elapsed() < Duration::from_secs(20), "{script}");
        answer
    }

    const SMALL: Bounds = Bounds {
        time_ms: 10_000,
        code_bytes: 1_000,
    };

    #[test]
    fn an_answer_up_to_the_bound_is_taken_and_one_byte_more_is_not() {
        for (bytes, taken) in [(0, true), (1_000, true), (1_001, false), (500_000, false)] {
            let script = format!("cat >/dev/null; head -c {bytes} /dev/zero");
            let answer = ask(&script, b"x", SMALL);
            match (answer, taken) {
                (Ok(code), true) => assert_eq!(code.len(), bytes),
                (Err(EngineError::NotCompiled { reason }), false) => {
                    assert_eq!(reason, "more than 1000 bytes of native code");
                }
                (answer, _) => panic!("{bytes}: {answer:?}"),
            }
        }
    }

    #[test]
    fn an_answer_without_end_is_cut_at_the_bound() {
        let answer = ask("while :; do echo more; done", b"x", SMALL);
        assert!(
            matches!(answer, Err(EngineError::NotCompiled { .. })),
            "{answer:?}"
        );
    }

    #[test]
    fn a_compiler_that_is_late_is_killed() {
        let bounds = Bounds {
            time_ms: 200,
            ..SMALL
        };
        let answer = ask("exec sleep 60", &[0; 1_000_000], bounds);
        assert!(
            matches!(answer, Err(EngineError::CompileTooLong { limit_ms: 200 })),
            "{answer:?}"
        );
    }

    #[test]
    fn a_compiler_that_fails_is_told_by_its_words_or_its_end() {
        let answer = ask("echo no good >&2; exit 1", b"x", SMALL);
        assert!(
            matches!(&answer, Err(EngineError::NotCompiled { reason }) if reason == "no good"),
            "{answer:?}"
        );
        let answer = ask("kill -ABRT $$", b"x", SMALL);
        assert!(
            matches!(answer, Err(EngineError::CompilePanicked)),
            "{answer:?}"
        );
    }
}
