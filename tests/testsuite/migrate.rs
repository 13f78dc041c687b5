//! `plugin migrate`: reads the ancestor's plugins and changes nothing.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Run, Sandbox};

/// What a file outside says; it must never be read.
const SECRET: &str = "cli({ site: 'secret', name: 'secret', access: 'read' })";

fn put(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn ancestor(sandbox: &Sandbox) -> PathBuf {
    let root = sandbox.home().join(".opencli");
    fs::create_dir_all(root.join("plugins")).unwrap();
    root
}

fn plugin<'a>(report: &'a Value, name: &str) -> &'a Value {
    let plugins = report["plugins"].as_array().unwrap();
    let found = plugins.iter().find(|plugin| plugin["name"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {report}"))
}

fn texts(value: &Value) -> String {
    let list = value.as_array().unwrap().iter();
    list.map(|text| text.as_str().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A home with a plugin of every kind of source.
fn full(sandbox: &Sandbox) -> PathBuf {
    let root = ancestor(sandbox);
    put(
        &root,
        "plugins/news/opencli-plugin.json",
        r#"{"name": "news", "version": "1.2.0", "description": "The news"}"#,
    );
    put(
        &root,
        "plugins/news/top.js",
        "import { cli, Strategy } from '@jackwener/opencli/registry';\ncli({\n  site: 'news', name: 'top', access: 'read', domain: 'news.example',\n  strategy: Strategy.PUBLIC, browser: false, args: [{ name: 'limit' }, { name: 'format' }],\n  async func(page, kwargs) { return fetch('https://news.example/'); },\n});\n",
    );
    put(
        &root,
        "plugins/news/post.js",
        "cli({ site: 'news', name: 'Post_It', access: 'write', domain: 'https://news.example', func: (page) => page.evaluate('x') });\nonStartup(() => {});\n",
    );
    put(&root, "plugins/news/helper.js", "export const cliff = 1;\n");
    put(
        &sandbox.home().join("own"),
        "go.js",
        "cli({ site, name: `a${b}`, strategy: 'ui', pipeline: [{ fetch: 'u' }] });\ncli(make());\n",
    );
    symlink(sandbox.home().join("own"), root.join("plugins/own")).unwrap();
    put(
        &root,
        "monorepos/many/packages/one/login.js",
        "registerSiteAuthCommands({ site: 'one' });\n",
    );
    symlink(
        root.join("monorepos/many/packages/one"),
        root.join("plugins/one"),
    )
    .unwrap();
    put(&root, "plugins/browser/a.ts", "cli({})");
    let lock = json!({
        "news": {"source": {"kind": "git", "url": "https://git.example/news.git"}, "commitHash": "0123456789abcdef", "installedAt": "x"},
        "own": {"source": {"kind": "local", "path": sandbox.home().join("own")}, "commitHash": "local"},
        "one": {"source": {"kind": "monorepo", "url": "https://git.example/many", "repoName": "many", "subPath": "packages/one"}, "commitHash": "abcdef0123456789"},
        "browser": {"source": "https://git.example/legacy"},
        "gone": {"source": {"kind": "git", "url": "https://git.example/gone"}},
    });
    put(&root, "plugins.lock.json", lock.to_string());
    root
}

#[test]
fn each_plugin_is_told_with_its_commands_and_what_it_would_need() {
    let sandbox = Sandbox::new();
    full(&sandbox);
    let report = sandbox
        .run(&["plugin", "migrate", "-f", "json"])
        .exit(0)
        .json();

    let news = plugin(&report, "news");
    assert_eq!(news["version"], "1.2.0");
    assert_eq!(
        news["source"],
        json!({"kind": "git", "url": "https://git.example/news.git"})
    );
    let commands = news["commands"].as_array().unwrap();
    assert_eq!(commands.len(), 2, "{news}");
    assert_eq!(commands[1]["name"], "top");
    assert_eq!(commands[1]["file"], "top.js");
    assert_eq!(commands[1]["line"], 2);
    assert_eq!(commands[1]["strategy"], "public");
    assert_eq!(commands[1]["browser"], false);
    assert_eq!(commands[0]["strategy"], "cookie");
    assert_eq!(
        news["capabilities"],
        json!(["fetch", "browser", "browser.eval", "browser.cookies"])
    );
    assert_eq!(
        news["missing"],
        json!(["browser", "browser.eval", "browser.cookies"])
    );
    let steps = texts(&news["steps"]);
    for step in [
        "sr-runtime plugin new news",
        "starting with a letter: Post_It",
        "prepare and commit, these commands write: Post_It",
        "options of the host: format",
        "do without hooks, nothing runs before or after a command here: onStartup",
        "a scheme is not part of a domain",
    ] {
        assert!(steps.contains(step), "{step}\n--\n{steps}");
    }

    let own = plugin(&report, "own");
    assert_eq!(own["source"]["kind"], "local");
    assert_eq!(own["version"], Value::Null);
    assert_eq!(own["commands"][0]["unreadable"], json!(["site", "name"]));
    assert!(texts(&own["steps"]).contains("access is never guessed: ?"));
    assert!(texts(&own["steps"]).contains("write the steps of a pipeline"));
    assert!(texts(&own["problems"]).contains("go.js:2: a registration that is not readable"));

    let one = plugin(&report, "one");
    assert_eq!(one["source"]["kind"], "monorepo");
    assert_eq!(one["version"], "abcdef0");
    assert_eq!(one["capabilities"], json!(["vault"]));

    let legacy = plugin(&report, "browser");
    assert_eq!(
        legacy["source"],
        json!({"kind": "text", "text": "https://git.example/legacy"})
    );
    assert!(texts(&legacy["steps"]).contains("choose another name (this plugin name is reserved"));
    assert!(texts(&legacy["problems"]).contains(".ts files"));
    assert!(texts(&report["problems"]).contains("folder is gone: gone"));

    let mut inside = sandbox.command(&["plugin", "migrate", ".", "-f", "json"]);
    let inside = Run::of(inside.current_dir(sandbox.home().join(".opencli/plugins"))).exit(0);
    assert_eq!(inside.json()["plugins"], report["plugins"]);
    sandbox
        .run(&["plugin", "migrate"])
        .exit(0)
        .stdout_contains("news 1.2.0\n")
        .stdout_contains("news/top (top.js:2): access read, strategy public, domain news.example")
        .stdout_contains("not readable/not readable (go.js:1)")
        .stdout_contains("plugins: 4, commands: 3, in ");
}

#[test]
fn nothing_is_changed_and_nothing_is_run() {
    let sandbox = Sandbox::new();
    let root = full(&sandbox);
    let mark = sandbox.home().join("was-run");
    put(
        &root,
        "plugins/news/package.json",
        json!({"scripts": {"install": format!("touch {}", mark.display())}}).to_string(),
    );
    let look = || {
        let mut found = Vec::new();
        crate::support::collect(sandbox.home(), &mut found);
        found.sort();
        let mut seen = Vec::new();
        for path in found {
            let time = path.symlink_metadata().unwrap().modified().unwrap();
            let text = path.is_file().then(|| fs::read(&path).unwrap());
            seen.push((path, time, text));
        }
        seen
    };
    let before = look();
    sandbox.run(&["plugin", "migrate"]).exit(0);
    assert_eq!(look(), before);
    assert!(!mark.exists() && !sandbox.state().exists());
}

#[test]
fn no_folder_is_an_answer_at_the_usual_place_and_a_usage_error_when_named() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["plugin", "migrate"])
        .exit(0)
        .stdout_contains("nothing to migrate");
    let report = sandbox.run(&["plugin", "migrate", "-f", "json"]).exit(0);
    assert_eq!(report.json()["found"], false);
    assert_eq!(report.json()["plugins"], json!([]));
    sandbox
        .run(&["plugin", "migrate", "none"])
        .exit(2)
        .stderr_contains("no such folder: none");
    put(sandbox.home(), "file", "x");
    sandbox
        .run(&["plugin", "migrate", "file"])
        .refused()
        .stderr_contains("cannot list the folder");
    ancestor(&sandbox);
    sandbox
        .run(&["plugin", "migrate", ".opencli/plugins"])
        .exit(0)
        .stdout_contains("plugins: 0, commands: 0");
}

#[test]
fn links_pipes_and_broken_files_are_named_and_not_followed() {
    let sandbox = Sandbox::new();
    let root = ancestor(&sandbox);
    let pipe = |name: &str| {
        let status = Command::new("mkfifo").arg(root.join(name)).status();
        assert!(status.unwrap().success());
    };
    let outside = sandbox.home().join("outside");
    put(&outside, "x.js", SECRET);
    symlink(&outside, root.join("plugins/link-out")).unwrap();
    symlink("nowhere", root.join("plugins/dangling")).unwrap();
    symlink("loop", root.join("plugins/loop")).unwrap();
    pipe("plugins/pipe");
    put(
        &root,
        "plugins/odd/good.js",
        "cli({ site: 'odd', name: 'good', access: 'read' });",
    );
    symlink(outside.join("x.js"), root.join("plugins/odd/link.js")).unwrap();
    pipe("plugins/odd/pipe.js");
    fs::create_dir(root.join("plugins/odd/folder.js")).unwrap();
    put(&root, "plugins/odd/large.js", "cli({".repeat(400_000));
    put(
        &root,
        "plugins/odd/opencli-plugin.json",
        "{\"name\": \"odd\", \"name\": 7,}",
    );
    pipe("plugins.lock.json");
    let started = Instant::now();
    let run = sandbox
        .run(&["plugin", "migrate", "-f", "json"])
        .exit(0)
        .lacks("secret");
    assert!(started.elapsed() < Duration::from_secs(20));
    let report = run.json();
    let problems = texts(&report["problems"]);
    for words in [
        "link-out: a link that the lock does not record is not followed",
        "dangling: its link leads nowhere",
        "loop: its link leads nowhere",
        "pipe: not a folder",
        "plugins.lock.json is not read: not a file",
    ] {
        assert!(problems.contains(words), "{words}\n--\n{problems}");
    }
    let odd = plugin(&report, "odd");
    assert_eq!(odd["commands"].as_array().unwrap().len(), 1);
    let problems = texts(&odd["problems"]);
    for words in [
        "link.js is not read: a link is not followed",
        "pipe.js is not read: not a file",
        "folder.js is not read: not a file",
        "large.js is not read: more than 1048576 bytes",
        "opencli-plugin.json: line 1, column 17: duplicate key: name",
    ] {
        assert!(problems.contains(words), "{words}\n--\n{problems}");
    }
}

#[test]
fn a_hostile_script_costs_a_bounded_time_and_cannot_write_to_the_terminal() {
    let sandbox = Sandbox::new();
    let root = ancestor(&sandbox);
    for number in 0..80 {
        put(
            &root,
            &format!("plugins/deep/{number}.js"),
            "cli({ a: [".repeat(100_000),
        );
    }
    put(
        &root,
        "plugins/esc\u{1b}[2J/a.js",
        "cli({ site: 'a\u{1b}]0;x\u{7}', name: 'b\u{9b}31m', access: 'read' });",
    );
    let started = Instant::now();
    sandbox
        .run(&["plugin", "migrate"])
        .exit(0)
        .stdout_contains("bytes of scripts")
        .lacks("\u{1b}")
        .lacks("\u{9b}");
    assert!(started.elapsed() < Duration::from_secs(60));
}
