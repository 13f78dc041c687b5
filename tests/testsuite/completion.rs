//! Completion, asked by the real shells: from the lock file alone, and never more than words.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Package, Run, Sandbox, program, tool};

/// What the engine says for a line whose last word is at the cursor.
#[track_caller]
fn candidates(sandbox: &Sandbox, line: &[&str]) -> Vec<String> {
    let words = [&["__complete", "--"], line].concat();
    let run = sandbox.run(&words).exit(0);
    assert_eq!(run.stderr, "", "{line:?}");
    let words = run
        .stdout
        .lines()
        .map(|line| line.split('\t').next().unwrap());
    words.map(str::to_owned).collect()
}

/// A command of this machine that finds the program, in this home.
fn shell(sandbox: &Sandbox, path: &std::path::Path) -> Command {
    let folder = program().parent().unwrap().to_owned();
    let mut command = Command::new(path);
    command
        .env_clear()
        .env("HOME", sandbox.home())
        .env("TERM", "xterm")
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .current_dir(sandbox.home());
    command
}

/// The home after somebody wrote what no install accepts into the lock.
fn hostile() -> Sandbox {
    let sandbox = Sandbox::with(&Package::every_case());
    let attack = "$(touch PWNED) `touch PWNED` '; touch PWNED; \" \\ & | > PWNED \u{1b}[2J\ttab\nnewline\nlist\t:files";
    let one_line = attack.replace(['\n', '\u{1b}', '\t'], " ");
    let mut lock: Value = serde_json::from_slice(&fs::read(sandbox.lock()).unwrap()).unwrap();
    let entry = &mut lock["plugins"][Package::NAME];
    entry["description"] = json!(attack);
    let commands = entry["commands"].as_array_mut().unwrap();
    for command in commands {
        command["summary"] = json!(one_line);
        let arguments = command.get_mut("args").and_then(Value::as_array_mut);
        for argument in arguments.into_iter().flatten() {
            argument["help"] = json!(one_line);
            if argument["name"] == "colour" {
                argument["kind"] = json!({ "choice": ["red", "$(touch${IFS}PWNED)", "`touch`", "x;touch", "g'reen", "a&b"] });
            }
        }
    }
    fs::write(sandbox.lock(), lock.to_string()).unwrap();
    sandbox
}

#[track_caller]
fn nothing_ran(sandbox: &Sandbox) {
    assert!(
        !sandbox.home().join("PWNED").exists(),
        "a plugin's text was run by a shell"
    );
}

#[test]
fn everything_that_can_be_typed_is_completed() {
    let sandbox = Sandbox::with(&Package::every_case());
    let of = |line: &[&str]| candidates(&sandbox, line);
    assert_eq!(of(&["pl"]), ["plugin"]);
    assert_eq!(of(&["de"]), [Package::NAME]);
    assert_eq!(of(&["plugin", "u"]), ["update", "uninstall"]);
    for command in ["update", "verify", "uninstall", "inspect"] {
        assert_eq!(of(&["plugin", command, "d"]), [Package::NAME]);
    }
    assert_eq!(of(&["demo", "ec"]), ["echo"]);
    assert_eq!(of(&["demo", "sa"]), ["say"], "an alias");
    assert_eq!(
        of(&["demo", "echo", "--colour", ""]),
        ["red", "green", "blue"]
    );
    assert_eq!(of(&["demo", "say", "--colour=g"]), ["--colour=green"]);
    assert_eq!(of(&["demo", "echo", "--rep"]), ["--replay"]);
    assert_eq!(
        of(&["demo", "echo", "--int", "5", "--in"]),
        [""; 0],
        "given already"
    );
    assert_eq!(of(&["demo", "echo", "--many", "1", "--man"]), ["--many"]);
    assert_eq!(of(&["list", "-f", "j"]), ["json"]);
    assert_eq!(of(&["-f", "json", "help", "demo", "cel"]), ["cells"]);
    assert_eq!(of(&["completion", ""]), ["bash", "zsh", "fish"]);
    assert_eq!(of(&["demo", "cells", "--replay", ""]), [":files"]);
    assert_eq!(of(&["demo", "echo", "--content", ""]), [":files"]);
    assert_eq!(of(&["plugin", "install", ""]), [":folders"]);
    assert_eq!(of(&["plugin", "verify", "--", "-"]), [""; 0]);
    assert_eq!(of(&["nosuch", ""]), [""; 0]);
}

#[test]
fn completion_reads_the_lock_and_no_component() {
    let package = Package::every_case();
    let sandbox = Sandbox::with(&package);
    // Nothing that could be loaded is there any more.
    fs::write(package.component(), "no component").unwrap();
    fs::remove_dir_all(sandbox.state().join("store")).unwrap();
    fs::remove_file(sandbox.state().join("plugins").join(Package::NAME)).unwrap();
    assert_eq!(candidates(&sandbox, &["demo", "ec"]), ["echo"]);
    assert_eq!(
        candidates(&sandbox, &["demo", "echo", "--colour", "b"]),
        ["blue"]
    );
    assert!(!sandbox.state().join("store").exists());
    // Without a lock that can be read, the program's own commands are left.
    fs::write(sandbox.lock(), "{").unwrap();
    assert_eq!(candidates(&sandbox, &["demo", ""]), [""; 0]);
    assert_eq!(candidates(&sandbox, &["pl"]), ["plugin"]);
}

#[test]
fn a_plugins_text_is_one_harmless_line_for_a_shell() {
    let sandbox = hostile();
    let run = sandbox.run(&["__complete", "--", ""]).exit(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("list\t"))
            .count(),
        1,
        "{lines:?}"
    );
    assert!(!lines.contains(&":files"), "{lines:?}");
    assert!(
        lines.iter().all(|line| line.matches('\t').count() == 1),
        "{lines:?}"
    );
    assert!(!run.stdout.contains('\u{1b}'));
    assert_eq!(
        candidates(&sandbox, &["demo", "echo", "--colour", ""]),
        ["red"]
    );
}

#[test]
fn bash_completes_and_runs_nothing_of_a_plugin() {
    let Some(bash) = tool("bash") else { return };
    let sandbox = hostile();
    fs::create_dir(sandbox.home().join("a folder")).unwrap();
    fs::write(sandbox.home().join("a-file"), "").unwrap();
    let script = r#"
        source <(sr-runtime completion bash) || exit 1
        asked() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sr_runtime; printf '[%s]' "${COMPREPLY[@]}"; echo; }
        asked sr-runtime pl
        asked sr-runtime de
        asked sr-runtime demo ec
        asked sr-runtime demo echo --colour ''
        asked sr-runtime demo echo --colour = r
        asked sr-runtime demo echo --colour =
        asked sr-runtime list --format = js
        asked sr-runtime plugin update d
        asked sr-runtime demo cells --replay a-
        asked sr-runtime plugin install a
        complete -p sr-runtime
    "#;
    let mut command = shell(&sandbox, &bash);
    command.args(["--norc", "--noprofile", "-c", script]);
    let run = Run::of(&mut command).exit(0);
    let wanted = "[plugin]\n[demo]\n[echo]\n[red]\n[red]\n[red]\n[json]\n[demo]\n[a-file]\n[a folder]\ncomplete -F _sr_runtime sr-runtime\n";
    assert_eq!(run.stdout, wanted, "{run:?}");
    nothing_ran(&sandbox);
}

#[test]
fn fish_completes_and_runs_nothing_of_a_plugin() {
    let Some(fish) = tool("fish") else { return };
    let sandbox = hostile();
    fs::write(sandbox.home().join("a-file"), "").unwrap();
    let script = r#"
        sr-runtime completion fish | source
        complete -C 'sr-runtime pl'
        complete -C 'sr-runtime demo ec'
        complete -C 'sr-runtime demo echo --colour '
        complete -C 'sr-runtime list --format=js'
        complete -C 'sr-runtime plugin update d'
        complete -C 'sr-runtime demo cells --replay a-'
    "#;
    let mut command = shell(&sandbox, &fish);
    command.args(["--no-config", "-c", script]);
    let run = Run::of(&mut command).exit(0);
    let words: Vec<&str> = run
        .stdout
        .lines()
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(
        words,
        ["plugin", "echo", "red", "--format=json", "demo", "a-file"],
        "{run:?}"
    );
    // A description is shown as it is.
    assert!(
        run.stdout.contains("demo\t$(touch PWNED) `touch PWNED`"),
        "{run:?}"
    );
    nothing_ran(&sandbox);
}

#[test]
fn zsh_completes_and_runs_nothing_of_a_plugin() {
    let Some(zsh) = tool("zsh") else { return };
    let sandbox = hostile();
    // A real line editor on a terminal of its own; `^X` tells the line as it is then.
    let script = r#"
        zmodload zsh/zpty || exit 1
        mkfifo told.{1..6}
        zpty z zsh -f -i
        zpty -w z $'PS1="READY>"; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source <(sr-runtime completion zsh); tell() { print -r -- "$BUFFER" >told.$((++asked)) }; zle -N tell; bindkey "^X" tell; print -r -- NOW"READY"'
        zpty -r z out $'*NOWREADY*READY>*'
        asked() {
            zpty -w -n z $'\x15'"$1"$'\t\x18'
            IFS= read -r line <told.$((++asked))
            print -r -- "$line"
        }
        asked 'sr-runtime plu'
        asked 'sr-runtime demo cel'
        asked 'sr-runtime demo echo --colour '
        asked 'sr-runtime list --format=js'
        asked 'sr-runtime plugin update d'
        asked 'sr-runtime demo '
        zpty -r z out $'*fetch-all*'
        print -r -- "$out"
        zpty -d z
    "#;
    let mut command = shell(&sandbox, &zsh);
    command.args(["-f", "-c", script]);
    let run = Run::of(&mut command).exit(0);
    let lines: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
    let wanted = [
        "sr-runtime plugin",
        "sr-runtime demo cells",
        "sr-runtime demo echo --colour red",
        "sr-runtime list --format=json",
        "sr-runtime plugin update demo",
    ];
    assert_eq!(lines[..wanted.len()], wanted, "{run:?}");
    // Several candidates are listed with what they do.
    assert!(run.stdout.contains("fetch-all"), "{run:?}");
    assert!(run.stdout.contains("$(touch PWNED)"), "{run:?}");
    nothing_ran(&sandbox);
}

#[test]
fn a_shell_that_is_not_known_is_a_usage_error() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["completion", "tcsh"])
        .exit(2)
        .stderr_contains("bash, zsh, fish");
    sandbox.run(&["completion"]).exit(2);
}
