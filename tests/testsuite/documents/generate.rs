//! Documents with generated parts: text between `<!-- generated: NAME -->` and `<!-- end -->`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{cases, limits};

const END: &str = "<!-- end -->";

/// A block of a document and the code that writes it.
struct Block {
    file: &'static str,
    name: &'static str,
    text: fn() -> String,
}

const BLOCKS: &[Block] = &[
    Block {
        file: "exit-codes.md",
        name: "exit-codes",
        text: sr_policy::exit::markdown_exit_codes,
    },
    Block {
        file: "exit-codes.md",
        name: "failures",
        text: sr_policy::exit::markdown_failures,
    },
    Block {
        file: "capabilities.md",
        name: "capabilities",
        text: sr_policy::capability::markdown_capabilities,
    },
    Block {
        file: "capabilities.md",
        name: "host-options",
        text: sr_policy::host_options::markdown_host_options,
    },
    Block {
        file: "cases.md",
        name: "cases",
        text: cases::markdown,
    },
    Block {
        file: "limits.md",
        name: "limits",
        text: limits::markdown,
    },
];

/// Why a document could not be written or compared.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A block's marker is not in its document.
    #[error("docs/{file}: no line `{marker}` followed by `{END}`")]
    NoBlock {
        /// The document.
        file: &'static str,
        /// The line that should be there.
        marker: String,
    },
}

/// Writes each generated block into its document below `root`; returns the documents that changed.
///
/// # Errors
/// A document that cannot be read or written, or lacks its markers.
pub fn write(root: &Path) -> Result<Vec<&'static str>, DocumentError> {
    let mut changed = Vec::new();
    for (file, old, new) in documents(root)? {
        if old != new {
            let path = root.join("docs").join(file);
            fs::write(&path, new).map_err(|source| DocumentError::File { path, source })?;
            changed.push(file);
        }
    }
    Ok(changed)
}

/// The documents below `root` whose generated blocks are not what the code says.
///
/// # Errors
/// As [`write`].
pub fn stale(root: &Path) -> Result<Vec<&'static str>, DocumentError> {
    let documents = documents(root)?.into_iter();
    Ok(documents
        .filter(|(_, old, new)| old != new)
        .map(|(file, ..)| file)
        .collect())
}

/// Each document with blocks: its name, its text now, its text as it should be.
fn documents(root: &Path) -> Result<Vec<(&'static str, String, String)>, DocumentError> {
    let mut documents: Vec<(&'static str, String, String)> = Vec::new();
    for block in BLOCKS {
        if documents
            .last()
            .is_none_or(|(file, ..)| *file != block.file)
        {
            let path = root.join("docs").join(block.file);
            let text =
                fs::read_to_string(&path).map_err(|source| DocumentError::File { path, source })?;
            documents.push((block.file, text.clone(), text));
        }
        if let Some((_, _, text)) = documents.last_mut() {
            *text = with_block(text, block)?;
        }
    }
    Ok(documents)
}

fn with_block(document: &str, block: &Block) -> Result<String, DocumentError> {
    let marker = format!("<!-- generated: {} -->", block.name);
    let parts = document.split_once(&marker).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err(DocumentError::NoBlock {
            file: block.file,
            marker,
        });
    };
    let text = (block.text)();
    Ok(format!(
        "{before}{marker}\n{}\n{END}{after}",
        text.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Block = Block {
        file: "demo.md",
        name: "demo",
        text: || "| new |\n".to_owned(),
    };

    #[test]
    fn only_the_text_between_the_markers_is_replaced() {
        let document = "# Demo\n<!-- generated: demo -->\nold\n<!-- end -->\nafter\n";
        let wanted = "# Demo\n<!-- generated: demo -->\n| new |\n<!-- end -->\nafter\n";
        assert_eq!(with_block(document, &BLOCK).unwrap(), wanted);
        assert_eq!(with_block(wanted, &BLOCK).unwrap(), wanted);
    }

    #[test]
    fn a_document_without_its_marker_is_named() {
        let error = with_block("# Demo\n", &BLOCK).unwrap_err().to_string();
        assert!(error.contains("docs/demo.md"), "{error}");
        assert!(error.contains("<!-- generated: demo -->"), "{error}");
    }
}
