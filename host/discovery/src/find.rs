//! Where a browser may listen: every place that names an address, and what it says of the browser.

use sr_browsers::Browser;

use crate::address;
use crate::ask::Address;
use crate::core::Core;
use crate::explain::{Notes, Outcome};
use crate::look::{Known, Look};
use crate::machine::{Machine, Source};
use crate::places::{DirKind, Places, has_segments, same_place};
use crate::port_file::PortFile;
use crate::process::{self, Debugged, Judged};
use crate::six::SixDirs;

/// A place that names an address.
#[derive(Debug, Clone)]
pub(crate) struct Find<'c> {
    pub(crate) source: Source,
    /// Where it was found: a file, a process, the person's words.
    pub(crate) place: String,
    pub(crate) address: Address,
    /// The WebSocket's path that the browser must confirm: that of a port file.
    pub(crate) path: Option<String>,
    /// The WebSocket that a person named.
    pub(crate) web_socket: Option<String>,
    /// The browser whose own folder it is.
    pub(crate) browser: Option<&'c Browser>,
    pub(crate) dir: Option<String>,
    /// The name of its profile among seven's.
    pub(crate) profile: Option<String>,
    pub(crate) six: bool,
    /// The answer came so late that both of its questions are asked at once.
    pub(crate) late: bool,
    /// What a person may want to know when nothing answers there.
    pub(crate) hint: Option<&'static str>,
}

impl Find<'_> {
    fn new(source: Source, place: String, address: Address) -> Self {
        Self {
            source,
            place,
            address,
            path: None,
            web_socket: None,
            browser: None,
            dir: None,
            profile: None,
            six: false,
            late: false,
            hint: None,
        }
    }
}

const IGNORED_SWITCH: &str = "Chrome 136 and later ignore the debugging switch on their default profile: start it with another --user-data-dir, or turn debugging on at chrome://inspect";
const SNAP: &str = "a snap keeps its profiles below ~/snap and can use no other folder";

/// Looks through every source, in the order in which ties are settled.
pub(crate) fn all<'c>(
    core: &'c Core,
    machine: &'c Machine,
    look: &mut Look<'_>,
    notes: &mut Notes,
) -> Vec<Find<'c>> {
    let places = Places::new(machine, &core.catalog);
    let mut search = Search {
        core,
        machine,
        six: SixDirs::find(core, &places, look),
        places,
        look,
        notes,
        finds: Vec::new(),
    };
    let options = &machine.options;
    if options.uses(Source::DevtoolsActivePort) {
        search.port_files();
    }
    if options.uses(Source::Flag) {
        search.flags();
    }
    if options.uses(Source::Process) {
        search.processes();
    }
    if options.uses(Source::Probe) {
        search.probes();
    }
    search.finds
}

struct Search<'s, 'f, 'c> {
    core: &'c Core,
    machine: &'c Machine,
    places: Places<'c>,
    six: SixDirs,
    look: &'s mut Look<'f>,
    notes: &'s mut Notes,
    finds: Vec<Find<'c>>,
}

impl<'c> Search<'_, '_, 'c> {
    fn port_files(&mut self) {
        for known in self.places.known_dirs() {
            if let Some(mut find) = self.port_file(&known.path) {
                find.browser = Some(known.browser);
                find.hint = (known.kind == DirKind::Snap).then_some(SNAP);
                self.add_file(find);
            }
        }
        for root in self.places.seven_roots() {
            let names = match self.look.dirs(&root, true) {
                Known::Pending => continue,
                Known::Absent => {
                    self.notes
                        .add(Source::DevtoolsActivePort, &root, Outcome::Absent);
                    continue;
                }
                Known::Denied => {
                    self.notes
                        .add(Source::DevtoolsActivePort, &root, Outcome::Denied);
                    continue;
                }
                Known::Is(names) => names,
            };
            for name in names {
                let dir = self.places.join(&root, &[name]);
                let of_six = self.core.six_profile.is_match(name);
                if of_six || !self.core.profile_name.is_match(name) {
                    let reason = "no name of a profile";
                    self.notes
                        .tell(Source::DevtoolsActivePort, &dir, Outcome::Skipped, reason);
                    continue;
                }
                if let Some(mut find) = self.port_file(&dir) {
                    find.profile = Some(name.to_owned());
                    self.add_file(find);
                }
            }
        }
        for dir in self.six.dirs.clone() {
            if let Some(mut find) = self.port_file(&dir) {
                find.six = true;
                self.finds.push(find);
            }
        }
    }

    fn add_file(&mut self, mut find: Find<'c>) {
        if let Some(dir) = &find.dir {
            find.six = self.six.has(self.core, dir, self.look);
        }
        if find.six {
            // A folder that is six's is nobody else's, whatever it is called.
            find.browser = None;
            find.profile = None;
        }
        self.finds.push(find);
    }

    /// Reads the port file of a profile folder.
    fn port_file(&mut self, dir: &str) -> Option<Find<'c>> {
        let (source, name) = (
            Source::DevtoolsActivePort,
            &self.core.catalog.discovery.active_port_file,
        );
        let place = self.places.join(dir, &[name]);
        let outcome = match self.look.text(&place, true) {
            Known::Pending => return None,
            Known::Absent => Outcome::Absent,
            Known::Denied => Outcome::Denied,
            Known::Is(text) => match PortFile::parse(text) {
                Some(file) => {
                    let mut find = Find::new(source, place, Address::local(file.port));
                    find.path = Some(file.path.to_owned());
                    find.dir = Some(dir.to_owned());
                    return Some(find);
                }
                None => Outcome::Malformed,
            },
        };
        self.notes.add(source, place, outcome);
        None
    }

    fn flags(&mut self) {
        for word in &self.machine.cdp {
            match address::parse(word) {
                Ok(read) => {
                    let mut find = Find::new(Source::Flag, word.clone(), read.address);
                    find.web_socket = read.web_socket;
                    self.finds.push(find);
                }
                Err(error) => {
                    self.notes
                        .tell(Source::Flag, word, Outcome::Malformed, error.to_string());
                }
            }
        }
    }

    fn processes(&mut self) {
        let list = match self.look.processes() {
            Known::Is(list) => list,
            Known::Denied => {
                self.notes
                    .add(Source::Process, "the list of processes", Outcome::Denied);
                return;
            }
            Known::Absent => {
                self.notes
                    .add(Source::Process, "the list of processes", Outcome::Absent);
                return;
            }
            Known::Pending => return,
        };
        let rules = &self.core.catalog.discovery.process;
        for judged in process::debugged(list, rules, self.machine.self_pid) {
            match judged {
                Judged::Debugged(process) => self.process(process),
                Judged::Skipped { pid, reason } => {
                    self.notes
                        .tell(Source::Process, shown(pid), Outcome::Skipped, reason);
                }
            }
        }
    }

    fn process(&mut self, process: Debugged) {
        let place = shown(process.pid);
        let Debugged { port, dir, .. } = process;
        if port != 0 {
            let mut find = Find::new(Source::Process, place, Address::local(port));
            if let Some(dir) = dir {
                find.six = self.six.has(self.core, &dir, self.look);
                find.hint = self.is_default_of_chrome(&dir).then_some(IGNORED_SWITCH);
                find.dir = Some(dir);
            } else {
                find.hint = Some(IGNORED_SWITCH);
            }
            self.finds.push(find);
            return;
        }
        let skip = |reason| (Outcome::Skipped, reason);
        let (outcome, reason) = match dir {
            None => {
                skip("it chose its own port, and names no profile folder that could tell which")
            }
            Some(dir) => {
                let by_name = self.six.has_name(self.core, &dir);
                let legacy = has_segments(&dir, &self.core.catalog.profiles.legacy_root);
                // Only a link can still make it six's.
                let six = by_name || self.six.has(self.core, &dir, self.look);
                if !legacy || six {
                    let late = legacy && !by_name;
                    self.port_of_process(place, &dir, six, late);
                    return;
                }
                skip("its profile is in the old root, which is not looked at")
            }
        };
        self.notes.tell(Source::Process, place, outcome, reason);
    }

    /// The port that a process chose stands in a file of its profile.
    fn port_of_process(&mut self, process: String, dir: &str, six: bool, late: bool) {
        let name = &self.core.catalog.discovery.active_port_file;
        let path = self.places.join(dir, &[name]);
        let outcome = match self.look.text(&path, !late) {
            Known::Pending => return,
            Known::Absent => Outcome::Absent,
            Known::Denied => Outcome::Denied,
            Known::Is(text) => match PortFile::parse(text) {
                Some(file) => {
                    let mut find = Find::new(Source::Process, process, Address::local(file.port));
                    find.path = Some(file.path.to_owned());
                    find.dir = Some(dir.to_owned());
                    find.six = six;
                    find.late = late;
                    self.finds.push(find);
                    return;
                }
                None => Outcome::Malformed,
            },
        };
        self.notes.tell(Source::Process, process, outcome, path);
    }

    fn probes(&mut self) {
        for port in &self.machine.probe_ports {
            let place = format!("port {port}");
            let address = Address::local(*port);
            self.finds.push(Find::new(Source::Probe, place, address));
        }
    }

    /// Whether a folder is the one that Chrome uses when none is named.
    fn is_default_of_chrome(&self, dir: &str) -> bool {
        let known = self.places.known_dirs();
        known
            .iter()
            .any(|known| known.browser.chromium_version && same_place(&known.path, dir))
    }
}

fn shown(pid: u32) -> String {
    format!("process {pid}")
}
