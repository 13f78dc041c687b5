//! The fixtures of a crate: `fixtures/NAME.json`.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use sr_policy::fixture::{BYTES, Fixture};

use crate::error::AuthorError;
use crate::project::Project;

/// Tells the crate's own tests which fixtures are asked for.
pub const FILTER_VARIABLE: &str = "SR_FIXTURES";

/// The fixtures with `filter` in their names, by name; an empty text is in all.
///
/// # Errors
/// There is none, none matches, or one cannot be used.
pub fn fixtures(project: &Project, filter: &str) -> Result<Vec<Fixture>, AuthorError> {
    let folder = project.fixtures();
    let mut names = Vec::new();
    if folder.is_dir() {
        let failed = || AuthorError::io("list the folder", &folder);
        for entry in fs::read_dir(&folder).map_err(failed())? {
            let name = entry.map_err(failed())?.file_name();
            let name = name.to_string_lossy();
            names.extend(name.strip_suffix(".json").map(str::to_owned));
        }
    }
    if names.is_empty() {
        return Err(AuthorError::NoFixtures { path: folder });
    }
    names.sort();
    let mut found = Vec::new();
    for name in names.iter().filter(|name| name.contains(filter)) {
        let file = format!("fixtures/{name}.json");
        let bytes = read(&folder.join(format!("{name}.json")))?;
        found.push(Fixture::parse(name, &file, &bytes)?);
    }
    match found.is_empty() {
        true => Err(AuthorError::NoMatch {
            filter: filter.to_owned(),
            names,
        }),
        false => Ok(found),
    }
}

/// One byte more than a fixture may have is enough to refuse it.
fn read(path: &Path) -> Result<Vec<u8>, AuthorError> {
    let failed = || AuthorError::io("read the file", path);
    let metadata = path.metadata().map_err(failed())?;
    if !metadata.is_file() {
        return Err(failed()(std::io::Error::other("not a regular file")));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(failed())?;
    Ok(bytes)
}
