//! SLICC six's profile folders: which they are, and whether another folder is one of them.

use crate::core::Core;
use crate::look::{Known, Look};
use crate::places::{Places, folded};

/// Six's folders, as far as they are known.
pub(crate) struct SixDirs {
    /// The folders, in their order.
    pub(crate) dirs: Vec<String>,
    /// Those folders and what their links lead to, as they are compared.
    folded: Vec<String>,
    /// The root and what its link leads to, as it is compared.
    roots: Vec<String>,
}

impl SixDirs {
    /// Looks six's root through.
    pub(crate) fn find(core: &Core, places: &Places<'_>, look: &mut Look<'_>) -> Self {
        let mut found = Self {
            dirs: Vec::new(),
            folded: Vec::new(),
            roots: Vec::new(),
        };
        if let Some(root) = places.six_root() {
            found.roots.push(folded(&root));
            let names = match look.dirs(&root, true) {
                Known::Is(names) => names,
                _ => Vec::new(),
            };
            let six = names
                .into_iter()
                .filter(|name| core.six_profile.is_match(name));
            let dirs: Vec<String> = six.map(|name| places.join(&root, &[name])).collect();
            if !dirs.is_empty() {
                found.link(&root, look, true);
            }
            for dir in dirs {
                found.add(dir, look);
            }
        }
        if let Some(dir) = places.six_dir_of_env() {
            found.add(dir, look);
        }
        found
    }

    fn add(&mut self, dir: String, look: &mut Look<'_>) {
        self.folded.push(folded(&dir));
        self.link(&dir, look, false);
        if !self.dirs.contains(&dir) {
            self.dirs.push(dir);
        }
    }

    /// Takes what a link leads to for the same folder.
    fn link(&mut self, path: &str, look: &mut Look<'_>, is_root: bool) {
        if let Known::Is(real) = look.canonical(path, false) {
            let real = folded(real);
            let known = match is_root {
                true => &mut self.roots,
                false => &mut self.folded,
            };
            if !known.contains(&real) {
                known.push(real);
            }
        }
    }

    /// Whether a folder is one of six's by its name alone.
    pub(crate) fn has_name(&self, core: &Core, dir: &str) -> bool {
        let dir = folded(dir);
        if self.folded.contains(&dir) {
            return true;
        }
        // A profile that was made after its root was listed, or whose root cannot be listed.
        dir.rsplit_once('/').is_some_and(|(parent, name)| {
            core.six_profile.is_match(name) && self.roots.iter().any(|root| root == parent)
        })
    }

    /// Whether a folder is one of six's, links followed.
    pub(crate) fn has(&self, core: &Core, dir: &str, look: &mut Look<'_>) -> bool {
        if self.has_name(core, dir) {
            return true;
        }
        match look.canonical(dir, false) {
            Known::Is(real) => self.has_name(core, real),
            _ => false,
        }
    }
}
