//! Everything CI does, runnable by hand: `cargo xtask <task>`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal of a developer"
)]

mod bench;
mod corpus;
mod demo;
mod dist;
mod docs;
mod guests;
mod man;
mod process;
mod repo;
mod sdk_lock;
mod share;
mod test;
mod tools;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  demo           build everything and run the main job offline, on recorded replies
  test           all that CI runs; the last line is \"N passed, N failed\"
  test --fresh   say what `test` would install on this machine, and stop
  guests         build plugins/ to dist/ and the test guests to target/guests/
  bench          what the program costs, each figure beside a floor or a peer
  dist           release build of the program and the plugins, its manual pages and completion
                 scripts, in dist/
  share          manual pages and completion scripts of the built program, in target/share/
  corpus         write corpus/corpus.json from its cases, and check all files of the corpus
  docs           write the generated parts of docs/
  sdk-lock       write the lock file that `plugin new` puts into a crate
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["demo"] => demo::run(),
        ["test"] => return test::run(),
        ["test", "--fresh"] => tools::say_what_is_missing(),
        ["guests"] => guests::build().map(drop),
        ["bench"] => bench::run(bench::DEFAULT_RUNS),
        ["bench", runs] => match runs.parse() {
            Ok(runs) => bench::run(runs),
            Err(_) => Err(format!("number of runs, not a number: {runs}")),
        },
        ["dist"] => dist::run(),
        ["share"] => share::check(),
        ["docs"] => docs::write(),
        ["corpus"] => corpus::write(),
        ["sdk-lock"] => sdk_lock::write(),
        [] | ["help" | "-h" | "--help"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("error: unknown task: {}\n\n{HELP}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
