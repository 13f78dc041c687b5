//! `DevToolsActivePort`: the file in which a browser says where it listens.

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PortFile<'f> {
    pub(crate) port: u16,
    /// The path of the browser's WebSocket; it starts with a slash.
    pub(crate) path: &'f str,
}

impl<'f> PortFile<'f> {
    /// Reads the two lines. Nothing else than a port of plain digits and a path is one.
    pub(crate) fn parse(text: &'f str) -> Option<Self> {
        let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
        let port = port(lines.next()?.trim())?;
        let path = lines.next()?.trim();
        path.starts_with('/').then_some(Self { port, path })
    }
}

/// A port of 1 to 65535, written in plain digits.
pub(crate) fn port(text: &str) -> Option<u16> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| plain && *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_are_needed() {
        let read = |text| PortFile::parse(text).map(|file| (file.port, file.path));
        assert_eq!(
            read("9301\n/devtools/browser/a\n"),
            Some((9301, "/devtools/browser/a"))
        );
        assert_eq!(read("9301\r\n/x\r\n"), Some((9301, "/x")));
        assert_eq!(read("9301\n/x"), Some((9301, "/x")));
        for bad in [
            "",
            "9301",
            "9301\n",
            "9301\n\n",
            "9301\nx",
            "0\n/x",
            "70000\n/x",
            "+9301\n/x",
            "-1\n/x",
            "93 01\n/x",
            "\u{feff}9301\n/x",
            "９３０１\n/x",
            "99999999999999999999\n/x",
            "\n9301\n/x",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }
}
