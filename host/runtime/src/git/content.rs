//! What git says about trees and blobs, read without trust.

use sr_plugin::{FileList, Listed, ListedFile, MANIFEST_FILE, ObjectId};

use super::fault::GitFault;

/// The first line of a Git LFS pointer, whose specification keeps the whole file under 1024 bytes.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
const POINTER_BYTES: usize = 1_024;

/// One line of `git ls-tree -z`, with or without `--long`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry<'l> {
    pub(crate) what: Listed,
    pub(crate) id: ObjectId,
    pub(crate) path: &'l [u8],
}

/// The entries of a list.
pub(crate) fn entries(list: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, GitFault>> {
    list.split(|byte| *byte == 0)
        .filter(|line| !line.is_empty())
        .map(|line| entry(line).ok_or_else(|| odd("ls-tree", "a line is not an entry of a tree")))
}

/// `MODE TYPE ID[ SIZE]<TAB>PATH`
fn entry(line: &[u8]) -> Option<Entry<'_>> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (facts, path) = line.split_at_checked(tab)?;
    let mut facts = str::from_utf8(facts).ok()?.split_ascii_whitespace();
    let (mode, kind, id) = (facts.next()?, facts.next()?, facts.next()?);
    let what = match (mode, kind) {
        ("120000", "blob") => Listed::Link,
        ("160000", "commit") => Listed::Submodule,
        ("040000", "tree") => Listed::Folder,
        (mode, "blob") if mode.starts_with("100") => Listed::File {
            // Without --long no size is told, and none is used.
            bytes: facts.next().map_or(Some(0), |bytes| bytes.parse().ok())?,
        },
        _ => return None,
    };
    Some(Entry {
        what,
        id: id.parse().ok()?,
        path: path.strip_prefix(b"\t")?,
    })
}

/// What stands under this name in the list of one folder.
pub(crate) fn named<'l>(list: &'l [u8], name: &str) -> Result<Option<Entry<'l>>, GitFault> {
    for entry in entries(list) {
        let entry = entry?;
        if entry.path == name.as_bytes() {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Whether the folder of this list is a package. A manifest that is a link is one as well, and refused later by name.
pub(crate) fn has_manifest(list: &[u8]) -> Result<bool, GitFault> {
    Ok(named(list, MANIFEST_FILE)?.is_some_and(|found| found.what != Listed::Folder))
}

/// The files of a package and their blobs, judged by the rules of a package folder.
pub(crate) fn judged(list: &[u8]) -> Result<Vec<(ListedFile, ObjectId)>, GitFault> {
    let mut judge = FileList::default();
    let mut files = Vec::new();
    for entry in entries(list) {
        let entry = entry?;
        if let Some(file) = judge.admit(entry.path, entry.what)? {
            files.push((file, entry.id));
        }
    }
    Ok(files)
}

/// The questions for `git cat-file --batch`, and the bytes its whole answer has.
pub(crate) fn batch(files: &[(ListedFile, ObjectId)]) -> (String, usize) {
    let mut questions = String::new();
    let mut bytes = 0;
    for (file, id) in files {
        questions.push_str(id.as_str());
        questions.push('\n');
        let content = usize::try_from(file.bytes()).unwrap_or(usize::MAX);
        bytes = content.saturating_add(bytes + heading(file, id).len() + 1);
    }
    (questions, bytes)
}

fn heading(file: &ListedFile, id: &ObjectId) -> String {
    format!("{id} blob {}\n", file.bytes())
}

/// The contents in the answer of `git cat-file --batch`.
pub(crate) fn contents(
    files: Vec<(ListedFile, ObjectId)>,
    mut answer: &[u8],
) -> Result<Vec<(ListedFile, Vec<u8>)>, GitFault> {
    let mut read = Vec::with_capacity(files.len());
    for (file, id) in files {
        let missing = || odd("cat-file", &format!("{id} is not the blob of the list"));
        let length = usize::try_from(file.bytes()).map_err(|_| missing())?;
        let rest = answer
            .strip_prefix(heading(&file, &id).as_bytes())
            .ok_or_else(missing)?;
        let (content, rest) = rest.split_at_checked(length).ok_or_else(missing)?;
        answer = rest.strip_prefix(b"\n").ok_or_else(missing)?;
        if content.len() < POINTER_BYTES && content.starts_with(POINTER) {
            return Err(GitFault::LargeFilePointer {
                path: file.path().to_owned(),
            });
        }
        read.push((file, content.to_vec()));
    }
    match answer.is_empty() {
        true => Ok(read),
        false => Err(odd("cat-file", "there is more than was asked for")),
    }
}

fn odd(command: &'static str, reason: &str) -> GitFault {
    GitFault::Answer {
        command,
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "1111111111111111111111111111111111111111";

    fn refusal(lines: &[String]) -> String {
        let list = lines.join("\0");
        judged(list.as_bytes()).unwrap_err().to_string()
    }

    fn file(path: &str) -> String {
        format!("100644 blob {ID}       3\t{path}")
    }

    #[test]
    fn a_path_that_leaves_the_package_is_refused() {
        for path in ["../x", "a/../../x", "/etc/x", "a//x", "./x", ".."] {
            let said = refusal(&[file(path)]);
            assert!(said.contains("stays inside"), "{path}: {said}");
        }
    }

    #[test]
    fn names_that_a_person_cannot_read_are_refused_and_shown_escaped() {
        for (path, shown) in [
            ("a\nb", "a\\nb"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\\b", "a\\\\b"),
            ("x\u{202e}y", "x\\u{202e}y"),
        ] {
            let said = refusal(&[file(path)]);
            assert!(said.ends_with(shown), "{said}");
        }
    }

    #[test]
    fn what_is_no_file_is_refused_by_name() {
        let link = format!("120000 blob {ID}      11\tnotes.txt");
        assert!(refusal(&[link]).contains("symbolic links"));
        let module = format!("160000 commit {ID}       -\tlib");
        assert!(refusal(&[module]).contains("submodule: lib"));
    }

    #[test]
    fn two_names_of_one_file_are_refused() {
        for other in ["README.md", "Readme.md", "readme.MD"] {
            let said = refusal(&[file("README.md"), file(other)]);
            assert!(said.contains("case of letters"), "{said}");
        }
    }

    #[test]
    fn what_is_left_out_of_packages_is_left_out_here() {
        let list = [
            file("sr-plugin.json"),
            format!("040000 tree {ID}       -\tnode_modules"),
            format!("120000 blob {ID}      11\tnode_modules/x"),
            file("debug.log"),
        ];
        let files = judged(list.join("\0").as_bytes()).unwrap();
        assert_eq!(files.len(), 1, "{files:?}");
    }

    #[test]
    fn a_list_that_is_none_is_refused() {
        for line in [
            "",
            "100644 blob 12\tx",
            "100644 tree",
            "777777 blob 1\tx",
            "100644 blob",
        ] {
            let list = format!("{}\0{line} ", file("a"));
            assert!(judged(list.as_bytes()).is_err(), "{line}");
        }
    }

    #[test]
    fn an_answer_of_another_length_or_object_is_refused() {
        let files = || judged(file("a").as_bytes()).unwrap();
        let good = format!("{ID} blob 3\nabc\n");
        let (questions, bytes) = batch(&files());
        assert_eq!((questions, bytes), (format!("{ID}\n"), good.len()));
        assert_eq!(contents(files(), good.as_bytes()).unwrap()[0].1, b"abc");
        for bad in [
            format!("{ID} missing\n"),
            format!("{ID} blob 4\nabcd\n"),
            format!("{ID} blob 3\nab"),
            format!("{ID} blob 3\nabcd"),
            format!("{good}more"),
            String::new(),
        ] {
            assert!(contents(files(), bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
