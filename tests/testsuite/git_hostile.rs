//! Hostile repositories and servers, and settings of git that must not matter.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::git::left_nothing_of_the_fetch;
use crate::support::{
    Answer, Authority, GitHost, Package, Reply, Repository, Run, Sandbox, Server,
};

fn install(sandbox: &Sandbox, source: &str) -> Run {
    sandbox.run(&["plugin", "install", "--cacert", "ca.pem", source])
}

/// Refused, with nothing in the home that the fetch or the install made.
#[track_caller]
fn refused(host: &GitHost, source: &str, exit: u8, says: &str) {
    let sandbox = host.sandbox();
    install(&sandbox, source)
        .exit(exit)
        .stderr_contains(says)
        .lacks("\u{1b}");
    sandbox.wrote_nothing();
    left_nothing_of_the_fetch(&sandbox);
}

#[test]
fn attributes_hooks_and_line_ends_of_a_repository_have_no_power() {
    let package = Package::every_case();
    let repository = Repository::with(&package, "");
    let work = repository.work();
    let marker = work.join("../ran");
    let evil = format!("#!/bin/sh\ntouch {}\n", marker.display());
    for hook in [
        "post-checkout",
        "post-merge",
        "reference-transaction",
        "pre-auto-gc",
    ] {
        for folder in ["hooks", ".githooks"] {
            let path = work.join(folder).join(hook);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &evil).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    let text = "$Id$\none\r\ntwo\nthree\r";
    fs::write(work.join("notes.txt"), text).unwrap();
    let commit = repository.commit();
    // Committed last, or git would apply them on the way in.
    let attributes = "* text=auto eol=crlf ident filter=evil working-tree-encoding=UTF-16\n";
    let blob = repository.blob(attributes.as_bytes());
    let mut lines = repository.tree("");
    lines.push(format!("100644 blob {blob}\t.gitattributes"));
    let odd = repository.commit_tree(&lines);
    assert_ne!(odd, commit);
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    install(&sandbox, &host.source(&format!("#{odd}"))).exit(0);
    let place = sandbox.state().join("plugins").join(Package::NAME);
    assert_eq!(fs::read_to_string(place.join("notes.txt")).unwrap(), text);
    assert_eq!(
        fs::read_to_string(place.join(".gitattributes")).unwrap(),
        attributes
    );
    assert!(!marker.exists(), "something of the repository ran");
    let mode = fs::metadata(place.join("hooks/post-checkout"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "a copied file is never executable");
}

#[test]
fn links_submodules_and_pointers_are_refused_by_name() {
    let package = Package::every_case();
    type Change = fn(&Repository);
    let changes: [(&str, Change); 4] = [
        (
            "symbolic links; replace it by the file or remove it: notes.txt",
            |repository| {
                symlink("/etc/passwd", repository.work().join("notes.txt")).unwrap();
                repository.commit();
            },
        ),
        (
            "symbolic links; replace it by the file or remove it: sr-plugin.json",
            |repository| {
                let manifest = repository.work().join("sr-plugin.json");
                fs::rename(&manifest, repository.work().join("other.json")).unwrap();
                symlink("other.json", manifest).unwrap();
                repository.commit();
            },
        ),
        ("remove this submodule: lib", |repository| {
            let mut lines = repository.tree("");
            lines.push(format!("160000 commit {}\tlib", "1".repeat(40)));
            repository.commit_tree(&lines);
        }),
        ("Git LFS pointer: data.bin", |repository| {
            let pointer = format!(
                "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n",
                "1".repeat(64)
            );
            fs::write(repository.work().join("data.bin"), pointer).unwrap();
            repository.commit();
        }),
    ];
    for (says, change) in changes {
        let repository = Repository::with(&package, "");
        change(&repository);
        let host = GitHost::of(&repository);
        refused(&host, &host.source(""), 78, says);
    }
}

#[test]
fn what_lies_beside_the_package_does_not_matter() {
    let repository = Repository::with(&Package::every_case(), "dist/demo");
    symlink("/etc/passwd", repository.work().join("notes.txt")).unwrap();
    fs::write(repository.work().join("big"), vec![0; 17 * 1024 * 1024]).unwrap();
    repository.commit();
    let host = GitHost::of(&repository);
    install(&host.sandbox(), &host.source("")).exit(0);
}

#[test]
fn an_option_in_gitmodules_is_refused_with_what_git_says() {
    let repository = Repository::with(&Package::every_case(), "");
    let modules = "[submodule \"-u./evil\"]\n\tpath = lib\n\turl = --upload-pack=touch ran\n\tupdate = !touch ran\n";
    fs::write(repository.work().join(".gitmodules"), modules).unwrap();
    repository.commit();
    let host = GitHost::of(&repository);
    refused(&host, &host.source(""), 78, "gitmodules");
}

#[test]
fn names_that_no_disk_or_person_can_hold_are_refused() {
    let package = Package::every_case();
    for (name, says) in [
        ("..", "git refuses the content"),
        (".GIT", "git refuses the content"),
        ("new\nline", "rename: new\\nline"),
        ("\u{1b}]0;x\u{7}", "rename: \\u{1b}]0;x\\u{7}"),
        ("a\\b", "rename: a\\\\b"),
        ("SR-PLUGIN.JSON", "case of letters"),
    ] {
        let repository = Repository::with(&package, "");
        let blob = repository.blob(b"text");
        let mut lines = repository.tree("");
        lines.push(match name.starts_with('.') {
            // A folder, as what would lead out of the package or into git's own.
            true => format!("040000 tree {}\t{name}", repository.git(&["write-tree"])),
            false => format!("100644 blob {blob}\t{name}"),
        });
        repository.commit_tree(&lines);
        let host = GitHost::of(&repository);
        refused(&host, &host.source(""), 78, says);
    }
}

#[test]
fn the_settings_of_the_person_and_of_their_folders_have_no_effect() {
    let repository = Repository::with(&Package::every_case(), "");
    let host = GitHost::of(&repository);
    let sandbox = host
        .sandbox()
        .env("GIT_SSL_NO_VERIFY", "1")
        .env("GIT_DIR", "/nowhere")
        .env("GIT_TRACE", "1")
        .env("GIT_EXEC_PATH", "/nowhere")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "http.sslVerify")
        .env("GIT_CONFIG_VALUE_0", "false")
        .env("HTTPS_PROXY", "http://127.0.0.1:1")
        .env("https_proxy", "http://127.0.0.1:1");
    let home = sandbox.home();
    let settings = format!(
        "[url \"https://127.0.0.1:1/\"]\n\tinsteadOf = https://localhost\n\
         [http]\n\tsslVerify = false\n\tproxy = http://127.0.0.1:1\n\
         [credential]\n\thelper = \"!touch {ran}\"\n\
         [core]\n\tsshCommand = touch {ran}\n\tgitProxy = touch {ran}\n\taskPass = {ran}\n\thooksPath = {home}/hooks\n\tfsmonitor = touch {ran}\n",
        ran = home.join("ran").display(),
        home = home.display(),
    );
    fs::create_dir_all(home.join("hooks")).unwrap();
    let hook = home.join("hooks/reference-transaction");
    fs::write(
        &hook,
        format!("#!/bin/sh\ntouch {}\n", home.join("ran").display()),
    )
    .unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(home.join(".config/git")).unwrap();
    for place in [".gitconfig", ".config/git/config"] {
        fs::write(home.join(place), &settings).unwrap();
    }
    fs::write(
        home.join(".netrc"),
        "machine localhost login user password secret\n",
    )
    .unwrap();
    // Homes under version control exist; a repository above is not looked for.
    fs::create_dir_all(home.join(".git/objects")).unwrap();
    fs::create_dir_all(home.join(".git/refs")).unwrap();
    fs::write(home.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(home.join(".git/config"), &settings).unwrap();

    let source = host.source("");
    sandbox
        .run(&["plugin", "install", &source])
        .exit(69)
        .stderr_contains("certificate");
    install(&sandbox, &source).exit(0);
    assert!(
        !home.join("ran").exists(),
        "a setting of the person's ran something"
    );
    for request in host.requests() {
        assert!(!request.contains("\nauthorization:"), "{request}");
    }
}

#[test]
fn a_server_is_believed_by_its_certificate_alone() {
    let repository = Repository::with(&Package::every_case(), "");
    let host = GitHost::of(&repository);
    let sandbox = host.sandbox();
    let other = Authority::of("localhost");
    fs::write(sandbox.home().join("ca.pem"), &other.pem).unwrap();
    install(&sandbox, &host.source(""))
        .exit(69)
        .stderr_contains("certificate")
        .stderr_contains("--cacert FILE");
    // The right authority, another name.
    host.trust(&sandbox);
    let by_address = host.source("").replace("localhost", "127.0.0.1");
    install(&sandbox, &by_address).exit(69);
    sandbox.wrote_nothing();
    for (pem, says) in [
        ("no certificate", "no certificate in the file"),
        ("", "no certificate in the file"),
    ] {
        fs::write(sandbox.home().join("ca.pem"), pem).unwrap();
        install(&sandbox, &host.source(""))
            .exit(2)
            .stderr_contains(says);
    }
    fs::remove_file(sandbox.home().join("ca.pem")).unwrap();
    install(&sandbox, &host.source(""))
        .exit(2)
        .stderr_contains("ca.pem");
    assert_eq!(host.requests(), [""; 0]);
}

#[test]
fn a_server_that_wants_a_login_gets_none_and_nobody_is_asked() {
    let repository = Repository::new();
    let host = GitHost::answering(&repository, |_| {
        let ask = (
            "www-authenticate",
            "Basic realm=\"\u{1b}[2Jhello\", Negotiate",
        );
        Answer::Reply(Reply::with(401, ask, ""))
    });
    refused(&host, &host.source(""), 69, "asks for a login");
    for request in host.requests() {
        assert!(!request.contains("\nauthorization:"), "{request}");
    }
}

#[test]
fn no_redirect_is_followed() {
    let repository = Repository::with(&Package::every_case(), "");
    let elsewhere = Server::always(Reply::ok("never asked"));
    let secure = GitHost::of(&repository);
    let path = "/demo.git/info/refs?service=git-upload-pack";
    for to in [
        format!("http://localhost:{}{path}", elsewhere.port()),
        format!("{}{}", secure.url(), path.trim_start_matches("/demo.git")),
        "file:///etc/passwd".to_owned(),
        format!("/other{path}"),
    ] {
        let host = GitHost::answering(&repository, {
            let to = to.clone();
            move |_| Answer::Reply(Reply::redirect(&to))
        });
        refused(&host, &host.source(""), 69, "answers with a redirect");
        assert_eq!(host.requests().len(), 1, "{to}");
    }
    assert_eq!(elsewhere.requests(), [""; 0]);
    assert_eq!(secure.requests(), [""; 0]);
}

#[test]
fn words_that_are_no_https_repository_or_no_reference_ask_nobody() {
    let repository = Repository::with(&Package::every_case(), "");
    let host = GitHost::of(&repository);
    let port = host.url().rsplit(':').next().unwrap().to_owned();
    for source in [
        host.source("#-x"),
        host.source("#--upload-pack=touch%20ran"),
        host.source("#two words"),
        host.source("#two%20words"),
        host.source("#a..b"),
        host.source("#refs/pull/1/head"),
        host.source("?path=../x"),
        host.source("?token=hunter2"),
        host.source("").replace("https://", "https://user:hunter2@"),
        host.source("").replace("git+https", "git+http"),
        format!("git+ssh://git:hunter2@localhost:{port}"),
        format!("git+file://{}", repository.bare().display()),
        format!("ssh://git:hunter2@localhost:{port}"),
        "git@localhost:demo.git".to_owned(),
        "git+ext::sh -c touch% ran".to_owned(),
        host.url(),
    ] {
        let sandbox = host.sandbox();
        for format in ["table", "json"] {
            sandbox
                .run(&[
                    "-f", format, "plugin", "install", "--cacert", "ca.pem", &source,
                ])
                .exit(2)
                .stderr_contains("git+https://HOST/PATH")
                .lacks("hunter2");
        }
        assert!(!sandbox.state().exists(), "{source}");
    }
    // What starts with a hyphen is an option of this program, and there is none of that name.
    host.sandbox()
        .run(&["plugin", "install", "--upload-pack=x"])
        .exit(2);
    assert_eq!(host.requests(), [""; 0]);
}
