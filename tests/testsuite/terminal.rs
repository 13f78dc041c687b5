//! What a person sees: the program on a real terminal.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Package, Run, Sandbox, program, tool};

/// `demo progress` for so many steps lasts long enough for a line to be drawn, on any machine.
const MANY_STEPS: &str = "3000000";
/// Takes the line away.
const ERASE: &str = "\r\u{1b}[K";

/// The line, typed into a shell on a terminal of this many columns. Both streams are the terminal.
fn on_terminal(script: &Path, sandbox: &Sandbox, columns: u16, line: &str) -> Command {
    let mut command = Command::new(script);
    let line = format!("stty cols {columns} rows 24; exec {line}");
    command
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .env_clear()
        .env("HOME", sandbox.home())
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm")
        .env("PATH", "/usr/bin:/bin")
        .current_dir(sandbox.home());
    command
}

fn line(words: &str) -> String {
    format!("'{}' {words}", program().display())
}

#[test]
fn a_terminal_gets_a_table_and_no_colour() {
    let Some(script) = tool("script") else { return };
    let sandbox = Sandbox::with(&Package::every_case());
    for columns in [40, 80, 120] {
        for words in [
            "list",
            "plugin list",
            "demo cells",
            "--help",
            "demo --help",
            "demo nosuch",
        ] {
            let run = Run::of(&mut on_terminal(&script, &sandbox, columns, &line(words)));
            assert!(!run.stdout.contains('\u{1b}'), "{words}: {run:?}");
            if !words.contains("--help") {
                let wide = run
                    .stdout
                    .lines()
                    .find(|line| line.chars().count() > columns.into());
                // An error line is the terminal's to wrap.
                assert!(
                    wide.is_none() || words == "demo nosuch",
                    "{columns}: {words}: {wide:?}"
                );
            }
        }
    }
    let run = Run::of(&mut on_terminal(&script, &sandbox, 80, &line("demo log 1"))).exit(0);
    assert_eq!(
        run.stdout,
        "name    value\r\n------  -----\r\nlogged  1\r\n"
    );
    // An asked format wins on a terminal too.
    let run = Run::of(&mut on_terminal(
        &script,
        &sandbox,
        80,
        &line("demo log 1 -f csv"),
    ))
    .exit(0);
    assert_eq!(run.stdout, "name,value\r\nlogged,1\r\n");
}

#[test]
fn progress_is_drawn_on_a_terminal_and_gone_before_the_rows() {
    let Some(script) = tool("script") else { return };
    let sandbox = Sandbox::with(&Package::every_case());
    let progress = line(&format!("demo progress {MANY_STEPS}"));
    let run = Run::of(&mut on_terminal(&script, &sandbox, 80, &progress)).exit(0);
    assert!(
        run.stdout.contains(&format!("/{MANY_STEPS} guest step")),
        "{run:?}"
    );
    // The last thing before the table erases the line; nothing is drawn behind it.
    let (drawn, rest) = run.stdout.rsplit_once(ERASE).unwrap();
    assert!(rest.starts_with("name "), "{run:?}");
    assert!(rest.contains(MANY_STEPS), "{run:?}");
    // Every drawing starts on the line it takes away and fits into it.
    for line in drawn.split(ERASE) {
        assert!(
            line.chars().count() < 80 && !line.contains('\n'),
            "{line:?}"
        );
    }
    let narrow = Run::of(&mut on_terminal(&script, &sandbox, 30, &progress)).exit(0);
    let (drawn, _) = narrow.stdout.rsplit_once(ERASE).unwrap();
    assert!(
        drawn.split(ERASE).all(|line| line.chars().count() < 30),
        "{narrow:?}"
    );
}

#[test]
fn progress_is_drawn_nowhere_else() {
    let Some(script) = tool("script") else { return };
    let sandbox = Sandbox::with(&Package::every_case());
    let words = format!("demo progress {MANY_STEPS}");
    let piped = sandbox.run(&["demo", "progress", MANY_STEPS]).exit(0);
    assert_eq!(piped.stderr, "");
    for words in [
        format!("{words} -f json"),
        format!("{words} -f yaml"),
        format!("{words} -v"),
        format!("{words} 2>/dev/null"),
    ] {
        let run = Run::of(&mut on_terminal(&script, &sandbox, 80, &line(&words))).exit(0);
        assert!(!run.stdout.contains('\u{1b}'), "{words}: {run:?}");
    }
    let mut dumb = on_terminal(&script, &sandbox, 80, &line(&words));
    let run = Run::of(dumb.env("TERM", "dumb")).exit(0);
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
}

#[test]
fn an_interrupt_takes_the_progress_line_away() {
    let Some(script) = tool("script") else { return };
    let sandbox = Sandbox::with(&Package::every_case());
    let mut command = on_terminal(&script, &sandbox, 80, &line("demo progress 4000000000"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut seen = vec![];
    let mut typed = false;
    loop {
        let mut piece = [0; 4096];
        let length = stdout.read(&mut piece).unwrap();
        if length == 0 {
            break;
        }
        seen.extend_from_slice(&piece[..length]);
        if !typed && String::from_utf8_lossy(&seen).contains("guest step") {
            // Ctrl-C, as the keyboard sends it.
            stdin.write_all(&[3]).unwrap();
            typed = true;
        }
    }
    // This guest stops when it is told to, and says what it has.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let seen = String::from_utf8_lossy(&seen);
    let (_, rest) = seen.rsplit_once(ERASE).unwrap();
    assert!(rest.contains("cancelled  true"), "{seen:?}");
    assert!(!rest.contains("guest step"), "{seen:?}");
}
