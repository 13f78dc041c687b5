//! What the program costs, each figure beside a floor or a peer of the same run. Informs, never gates.

mod calls;
mod home;
mod machine;
mod subject;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::home::Home;
use self::subject::Subject;
use crate::guests::Built;
use crate::{guests, process, repo};

/// Runs of each program when nothing else is said.
pub(crate) const DEFAULT_RUNS: usize = 300;
/// Below this the 95th percentile is noise.
const FEWEST_RUNS: usize = 200;
const RECORDING: &str = "plugins/sr-arxiv/recordings/paper.json";
/// What a fetch-only adapter should stay below.
const SMALL_BYTES: u64 = 100_000;

/// Builds what is measured, runs all of it, prints tables.
pub(crate) fn run(runs: usize) -> Result<(), String> {
    if runs < FEWEST_RUNS {
        return Err(format!("at least {FEWEST_RUNS} runs, not {runs}"));
    }
    let built = guests::build()?;
    let folder = |name: &str| {
        let found = built.iter().find(|plugin| plugin.name == name);
        found
            .map(|plugin| plugin.folder.as_path())
            .ok_or_else(|| format!("{name} was not built"))
    };
    let (arxiv, every_case) = (folder("sr-arxiv")?, folder("every-case")?);
    process::run(&mut process::cargo([
        "build",
        "--release",
        "--package",
        "sr-runtime",
        "--package",
        "bench",
    ]))?;
    let bench = Bench::prepare(arxiv, every_case)?;
    println!("\n{}", machine::described());
    println!("load before: {}", machine::load());
    subject::run(bench.subjects()?, runs)?;
    calls::run(&bench)?;
    installing(&bench, &built)?;
    println!("load after:  {}", machine::load());
    Ok(())
}

struct Bench {
    /// Everything that is made for the measurement.
    folder: PathBuf,
    home: Home,
    thousand: Home,
    code: PathBuf,
    calls_code: PathBuf,
    reply: PathBuf,
}

impl Bench {
    fn prepare(arxiv: &Path, every_case: &Path) -> Result<Self, String> {
        let folder = repo::target().join("bench");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        }
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        // A copy, as most people have it: a link is hashed through its folder in the same way.
        let home = Home::new(&folder.join("home"))?;
        home.install(arxiv)?;
        home.install(every_case)?;
        let thousand = Home::new(&folder.join("thousand"))?;
        thousand.install(arxiv)?;
        thousand.fill("sr-arxiv")?;
        let bench = Self {
            home,
            thousand,
            code: folder.join("sr-arxiv.cwasm"),
            calls_code: folder.join("every-case.cwasm"),
            reply: folder.join("reply"),
            folder,
        };
        fs::write(&bench.reply, first_reply()?).map_err(|error| failed(&bench.reply, &error))?;
        precompile(&arxiv.join("sr-arxiv.wasm"), &bench.code)?;
        precompile(&every_case.join("every-case.wasm"), &bench.calls_code)?;
        Ok(bench)
    }

    fn subjects(&self) -> Result<Vec<Subject>, String> {
        let mut bare = Command::new(release("bare"));
        bare.arg("run").args([&self.code, &self.reply]);
        bare.args(["paper", "id", "1706.03762"]);
        let paper = ["sr-arxiv", "paper", "1706.03762", "--replay", RECORDING];
        let trace = self.folder.join("trace.jsonl").display().to_string();
        let traced = [&paper[..], &["--trace", &trace]].concat();
        let table = ["list", "-f", "table"];
        Ok(vec![
            Subject::new("/bin/true", Command::new("/bin/true")),
            Subject::new("bare wasmtime", bare),
            Subject::new("sr-arxiv paper", self.home.program(&paper)),
            Subject::new("the same, --trace", self.home.program(&traced)),
            Subject::new("--version", self.home.program(&["--version"])),
            Subject::new("list, 2 plugins", self.home.program(&table)),
            Subject::new("list, 1000 commands", self.thousand.program(&table)),
            Subject::new(
                "the same, -f yaml",
                self.thousand.program(&["list", "-f", "yaml"]),
            ),
        ])
    }
}

/// What an install compiles, and how large what it compiles is.
fn installing(bench: &Bench, built: &[Built]) -> Result<(), String> {
    println!("\ncomponents, and the time of an install that compiles them (least of 5)");
    println!("{:<16}{:>10}{:>12}", "", "bytes", "install ms");
    for plugin in built.iter().filter(|plugin| !plugin.is_test) {
        let component = plugin.folder.join(format!("{}.wasm", plugin.name));
        let metadata = fs::metadata(&component).map_err(|error| failed(&component, &error))?;
        let mut least = f64::INFINITY;
        for _ in 0..5 {
            let home = Home::new(&bench.folder.join("install"))?;
            least = least.min(subject::timed(|| home.install(&plugin.folder))?);
        }
        let bytes = metadata.len();
        let small = match bytes <= SMALL_BYTES {
            true => String::new(),
            false => format!("  over {SMALL_BYTES}"),
        };
        println!("{:<16}{bytes:>10}{least:>12.0}{small}", plugin.name);
    }
    Ok(())
}

fn precompile(component: &Path, code: &Path) -> Result<(), String> {
    process::run(
        Command::new(release("bare"))
            .arg("precompile")
            .args([component, code]),
    )
}

fn first_reply() -> Result<String, String> {
    let path = repo::root().join(RECORDING);
    let broken = |what: String| format!("{RECORDING}: {what}");
    let text = fs::read(path).map_err(|error| broken(error.to_string()))?;
    let recording: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
    recording
        .pointer("/exchanges/0/response/body/text")
        .and_then(serde_json::Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| broken("no text in the first reply".to_owned()))
}

fn release(name: &str) -> PathBuf {
    repo::target().join("release").join(name)
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", repo::shown(path))
}
