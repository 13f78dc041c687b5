//! Directories and tokens on the three systems.

use crate::machines;
use sr_browsers::corpus::{Layout, normalize_host_port};

/// Runs `check` with the directories of a machine.
fn on<T>(os: &str, home: &str, env: &[(&str, &str)], check: impl Fn(&Layout<'_>) -> T) -> T {
    let env = env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    machines::on(os, home, &env.collect(), check)
}

#[test]
fn linux_takes_an_absolute_config_home_alone() {
    let config = |value| {
        on(
            "linux",
            "/home/ada",
            &[("XDG_CONFIG_HOME", value)],
            |layout| layout.config(),
        )
    };
    assert_eq!(config("/data/config"), "/data/config");
    assert_eq!(config("relative/config"), "/home/ada/.config");
    assert_eq!(config(""), "/home/ada/.config");
}

#[test]
fn the_root_of_six_takes_any_value_that_is_not_empty() {
    let root = |value| {
        on(
            "linux",
            "/home/ada",
            &[("XDG_STATE_HOME", value)],
            |layout| layout.six_profiles(),
        )
    };
    assert_eq!(root("/data/state"), "/data/state/slicc/profiles");
    assert_eq!(root("state/"), "state/slicc/profiles");
    assert_eq!(root(""), "/home/ada/.local/state/slicc/profiles");
}

#[test]
fn macos_ignores_the_variables_of_other_systems() {
    let env = [
        ("XDG_CONFIG_HOME", "/x"),
        ("XDG_STATE_HOME", "/y"),
        ("APPDATA", "/z"),
    ];
    on("darwin", "/Users/ada/", &env, |layout| {
        let library = "/Users/ada/Library/Application Support";
        assert_eq!(layout.config(), library);
        assert_eq!(
            layout.seven_profiles(),
            format!("{library}/slicc/seven-profiles")
        );
        assert_eq!(layout.six_profiles(), format!("{library}/Slicc/profiles"));
        assert_eq!(
            layout.user_data_dirs("dia"),
            [format!("{library}/Dia/User Data")]
        );
        assert!(layout.user_data_dirs("atlas").is_empty());
    });
}

#[test]
fn windows_uses_its_separator_and_its_variables() {
    let env = [
        ("LOCALAPPDATA", r"D:\Local"),
        ("PROGRAMFILES", r"D:\Programs"),
    ];
    on("windows", r"C:\Users\ada", &env, |layout| {
        assert_eq!(layout.config(), r"C:\Users\ada\AppData\Roaming");
        assert_eq!(layout.six_profiles(), r"D:\Local\Slicc\profiles");
        assert_eq!(layout.windows_root("PROGRAMFILES"), r"D:\Programs");
        assert_eq!(
            layout.windows_root("PROGRAMFILES(X86)"),
            r"C:\Program Files (x86)"
        );
        assert_eq!(layout.windows_root("ELSEWHERE"), "");
        let vivaldi = [r"D:\Local\Vivaldi\User Data"];
        assert_eq!(layout.user_data_dirs("vivaldi"), vivaldi);
        let opera = [r"C:\Users\ada\AppData\Roaming\Opera Software\Opera Stable"];
        assert_eq!(layout.user_data_dirs("opera"), opera);
        assert!(layout.user_data_dirs("vivaldi-snapshot").is_empty());
    });
}

#[test]
fn linux_has_the_directories_of_flatpak_and_snap() {
    on("linux", "/home/ada", &[], |layout| {
        let chromium = [
            "/home/ada/.config/chromium",
            "/home/ada/.var/app/org.chromium.Chromium/config/chromium",
            "/home/ada/snap/chromium/common/chromium",
        ];
        assert_eq!(layout.user_data_dirs("chromium"), chromium);
        let opera = [
            "/home/ada/.config/opera",
            "/home/ada/.var/app/com.opera.Opera/config/opera",
        ];
        assert_eq!(layout.user_data_dirs("opera"), opera);
        assert!(layout.user_data_dirs("edge-canary").is_empty());
        assert!(layout.user_data_dirs("netscape").is_empty());
    });
}

#[test]
fn a_variable_of_a_case_may_start_with_the_home_token() {
    let config = |os, home| {
        let env = [("XDG_CONFIG_HOME", "{home}/x/y"), ("APPDATA", "{home}/x/y")];
        on(os, home, &env, |layout| layout.config())
    };
    assert_eq!(config("linux", "/home/ada"), "/home/ada/x/y");
    assert_eq!(config("windows", r"C:\Users\ada"), r"C:\Users\ada\x\y");
}

#[test]
fn a_token_and_the_path_after_it_become_a_path() {
    on("windows", r"C:\Users\ada", &[], |layout| {
        assert_eq!(layout.expand("{home}"), r"C:\Users\ada");
        assert_eq!(
            layout.expand("--dir={home}/a/b --x=/c"),
            r"--dir=C:\Users\ada\a\b --x=/c"
        );
        assert_eq!(
            layout.expand("\"{home}/a/b\" {home}/c,d/e"),
            "\"C:\\Users\\ada\\a\\b\" C:\\Users\\ada\\c,d/e"
        );
        assert_eq!(layout.expand("{home}/a b/c"), r"C:\Users\ada\a b/c");
    });
    on("linux", "/home/ada", &[], |layout| {
        let chrome = layout.expand("{userData:chrome}/DevToolsActivePort");
        assert_eq!(chrome, "/home/ada/.config/google-chrome/DevToolsActivePort");
        let seven = layout.expand("{config}:{sevenProfiles}/work");
        assert_eq!(seven, "/home/ada/.config/:{sevenProfiles}/work");
    });
}

#[test]
fn what_is_no_token_stays() {
    on("linux", "/home/ada", &[], |layout| {
        for text in [
            "{",
            "{}",
            "{nothing}",
            "a {home",
            "{userData:}",
            "{userData:arc}/x",
            "{{port}",
        ] {
            assert_eq!(layout.expand(text), text);
        }
        assert_eq!(layout.expand("{{home}}"), "{/home/ada/}");
    });
}

#[test]
fn loopback_has_one_name() {
    for (given, normal) in [
        ("localhost:9301", "127.0.0.1:9301"),
        ("LocalHost:9301", "127.0.0.1:9301"),
        ("[::1]:9301", "127.0.0.1:9301"),
        ("::1", "127.0.0.1"),
        ("[::1]", "127.0.0.1"),
        ("Example.TEST:80", "example.test:80"),
        ("example.test", "example.test"),
        ("example.test:99999", "example.test:99999"),
    ] {
        assert_eq!(normalize_host_port(given), normal);
    }
}
