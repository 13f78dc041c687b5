//! The signals that ask the program to end, for work that has to clean up first, or to say how it ended.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::runtime::block_on;

/// The interrupt of the person, the end of the terminal, and the polite kill.
#[derive(Debug)]
pub(crate) struct Ending {
    interrupt: Signal,
    hangup: Signal,
    terminate: Signal,
}

impl Ending {
    /// From now on these signals end nothing by themselves, until [`end_when_asked`].
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the first of them.
    pub(crate) async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.hangup.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// From now on they end the process with this code, as they would have before anything listened: a
/// handler stays for good and would swallow them. For what is done cleaning up, and for long
/// output to a slow reader.
pub fn end_when_asked(exit: u8) {
    let watch = move || {
        let asked = block_on(async {
            match Ending::listen() {
                Ok(mut ending) => {
                    ending.asked().await;
                    true
                }
                Err(_) => false,
            }
        });
        if asked.unwrap_or(false) {
            std::process::exit(i32::from(exit));
        }
    };
    // Without the thread the rest of the work only cannot be interrupted.
    let _ = std::thread::Builder::new()
        .name("ending".into())
        .spawn(watch);
}
