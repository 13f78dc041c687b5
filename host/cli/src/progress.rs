//! One line at the foot of a terminal that says what is going on. Nothing is drawn anywhere else,
//! and everything that is printed takes the line away first.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sr_policy::observer::{Observer, Progress};

use crate::output::first_line;

/// Between two drawings; a person sees no more, and a terminal far away gets no flood.
const PERIOD: Duration = Duration::from_millis(100);
/// A step that is over sooner is not worth a line.
const QUICK: Duration = Duration::from_millis(300);
/// Columns of the bar between its brackets.
const BAR: u64 = 20;
/// Characters of a label that are kept.
const LABEL_CHARS: usize = 200;
const FRAMES: [char; 4] = ['|', '/', '-', '\\'];

/// Whether the line is on the screen. Held while anything is written.
static DRAWN: Mutex<bool> = Mutex::new(false);

/// Runs `work`, which prints, with the line taken away and nobody drawing it.
pub(crate) fn without_line<T>(work: impl FnOnce() -> T) -> T {
    let mut drawn = held(&DRAWN);
    erase(&mut drawn);
    work()
}

fn draw(line: &str) {
    let mut drawn = held(&DRAWN);
    *drawn = true;
    tell(&format!("\r\u{1b}[K{line}"));
}

fn erase(drawn: &mut bool) {
    if std::mem::take(drawn) {
        tell("\r\u{1b}[K");
    }
}

/// A terminal that cannot be written to loses a line of decoration.
fn tell(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that a long step is going on, until it is dropped.
pub(crate) struct Spin {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    label: String,
    counted: Option<(u64, Option<u64>)>,
    ended: bool,
}

impl Spin {
    /// A step of the program itself; drawn when it lasts. `width` is the terminal's.
    pub(crate) fn step(label: &str, width: usize) -> Self {
        let state = State {
            label: label.to_owned(),
            ..State::default()
        };
        Self::start(state, width, QUICK)
    }

    fn start(state: State, width: usize, first: Duration) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let seen = Arc::clone(&shared);
        // Without the thread there is no line, and the step goes on.
        let thread = std::thread::Builder::new()
            .name("progress".into())
            .spawn(move || seen.draw_until_the_end(width, first))
            .ok();
        Self { shared, thread }
    }
}

impl Drop for Spin {
    fn drop(&mut self) {
        held(&self.shared.state).ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        without_line(|| ());
    }
}

impl Shared {
    fn draw_until_the_end(&self, width: usize, first: Duration) {
        let mut pause = first;
        for frame in FRAMES.iter().cycle() {
            let state = held(&self.state);
            let (state, _) = self
                .changed
                .wait_timeout_while(state, pause, |state| !state.ended)
                .unwrap_or_else(PoisonError::into_inner);
            if state.ended {
                return;
            }
            let line = state.line(*frame);
            drop(state);
            // The last column stays free: some terminals go on to the next line there.
            draw(first_line(&line, width.saturating_sub(1)));
            pause = PERIOD;
        }
    }
}

impl State {
    fn line(&self, frame: char) -> String {
        match self.counted {
            None => format!("{frame} {}", self.label),
            Some((done, Some(total))) if total > 0 => {
                let part = u128::from(done.min(total)) * u128::from(BAR) / u128::from(total);
                let full = usize::try_from(part).unwrap_or_default();
                let (full, rest) = ("#".repeat(full), ".".repeat(BAR as usize - full));
                format!("{frame} [{full}{rest}] {done}/{total} {}", self.label)
            }
            Some((done, _)) => format!("{frame} {done} {}", self.label),
        }
    }
}

/// Draws what a component reports, from its first report to [`Bar::end`].
pub(crate) struct Bar {
    width: usize,
    spin: Mutex<Drawn>,
}

enum Drawn {
    NotYet,
    Now(Spin),
    NoMore,
}

impl Bar {
    /// Nothing reported yet. `width` is the terminal's.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            spin: Mutex::new(Drawn::NotYet),
        }
    }

    /// Takes the line away for good.
    pub(crate) fn end(&self) {
        let drawn = std::mem::replace(&mut *held(&self.spin), Drawn::NoMore);
        drop(drawn);
    }
}

impl Observer for Bar {
    fn progress(&self, progress: &Progress) {
        let label = progress.label.one_line(LABEL_CHARS);
        let counted = Some((progress.done, progress.total));
        let mut drawn = held(&self.spin);
        match &*drawn {
            Drawn::NoMore => {}
            Drawn::Now(spin) => {
                let mut state = held(&spin.shared.state);
                state.label = label;
                state.counted = counted;
            }
            Drawn::NotYet => {
                let state = State {
                    label,
                    counted,
                    ended: false,
                };
                *drawn = Drawn::Now(Spin::start(state, self.width, PERIOD));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_never_longer_than_full_whatever_a_component_counts() {
        let line = |done, total| {
            State {
                label: "x".to_owned(),
                counted: Some((done, total)),
                ended: false,
            }
            .line('|')
        };
        assert_eq!(line(5, Some(10)), "| [##########..........] 5/10 x");
        assert_eq!(
            line(u64::MAX, Some(u64::MAX)),
            format!("| [{}] {m}/{m} x", "#".repeat(20), m = u64::MAX)
        );
        assert_eq!(line(11, Some(10)), "| [####################] 11/10 x");
        assert_eq!(line(3, Some(0)), "| 3 x");
        assert_eq!(line(3, None), "| 3 x");
    }
}
