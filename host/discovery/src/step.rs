//! One step: everything that can be told from the facts so far, and what to ask next.

use serde::Serialize;
use sr_policy::protected::{ExtraOriginError, Protected};

use crate::ask::{Ask, Facts};
use crate::core::Core;
use crate::explain::Notes;
use crate::look::{Look, UnfitAnswer};
use crate::machine::Machine;
use crate::report::{Entry, Report, What};
use crate::{endpoint, find, installed};

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// These questions, in any order or all at once; then another step with all facts so far.
    Need(Vec<Ask>),
    /// Nothing: this is the result.
    Done(Report),
}

/// Why there is no step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// An answer that does not fit.
    #[error(transparent)]
    Unfit(#[from] UnfitAnswer),
    /// A further origin of the machine that is none.
    #[error(transparent)]
    Origin(#[from] ExtraOriginError),
}

impl Core {
    /// Looks at what is known. At most four rounds of questions lead to a report, whatever the
    /// answers are; the report does not depend on the order of answers.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn step(&self, machine: &Machine, facts: &Facts) -> Result<Step, StepError> {
        let protected = Protected::new(self.rules.clone(), &machine.origins)?;
        let mut look = Look::new(facts);
        let mut notes = Notes::default();
        let finds = find::all(self, machine, &mut look, &mut notes);
        let mut entries = endpoint::all(self, machine, &protected, &finds, &mut look, &mut notes);
        entries.extend(installed::all(self, machine, &mut look, &mut notes));
        if let Some(unfit) = look.unfit {
            return Err(unfit.into());
        }
        if !look.first.is_empty() {
            // What else can be answered without the network is asked in the same round.
            let mut asks = look.first;
            let is_local = |ask: &Ask| !matches!(ask, Ask::Version(_) | Ask::List(_));
            asks.extend(look.wanted.into_iter().filter(is_local));
            return Ok(Step::Need(asks.into_iter().collect()));
        }
        if !look.wanted.is_empty() {
            return Ok(Step::Need(look.wanted.into_iter().collect()));
        }
        entries.sort_by(|one, other| {
            one.tier
                .cmp(&other.tier)
                .then_with(|| within_tier(self, one, other))
        });
        Ok(Step::Done(Report {
            schema: 1,
            min_chromium: self.catalog.min_chromium_major,
            entries,
            notes: notes.0,
        }))
    }
}

fn within_tier(core: &Core, one: &Entry, other: &Entry) -> std::cmp::Ordering {
    match (&one.what, &other.what) {
        (What::Endpoint(_), What::Endpoint(_)) => place(&one.id).cmp(&place(&other.id)),
        (What::Installed(one), What::Installed(other)) => installed::order(core, one, other),
        // A catalog decides which tiers there are, so the two kinds can meet in one.
        (What::Endpoint(_), What::Installed(_)) => std::cmp::Ordering::Less,
        (What::Installed(_), What::Endpoint(_)) => std::cmp::Ordering::Greater,
    }
}

/// Host as text, then port as number.
fn place(id: &str) -> (&str, u32) {
    let (host, port) = id.rsplit_once(':').unwrap_or((id, ""));
    (host, port.parse().unwrap_or(u32::MAX))
}
