//! Lines for the person, shown with `-v`: `log::info!("{count} entries")`.
//!
//! A macro asks first whether anybody will see the line, and formats only then.

pub use crate::bindings::sr::runtime::log::Level;
pub use crate::{
    __log_debug as debug, __log_error as error, __log_info as info, __log_trace as trace,
    __log_warn as warn,
};

/// Whether a line of this level will be seen.
#[must_use]
pub fn enabled(level: Level) -> bool {
    crate::host::log_enabled(level)
}

/// Writes one line, at most 4 KiB. The macros call this.
pub fn write(level: Level, message: &str) {
    crate::host::log_write(level, message);
}

/// Writes when somebody will see it.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_at {
    ($level:ident, $($message:tt)+) => {
        if $crate::log::enabled($crate::log::Level::$level) {
            $crate::log::write($crate::log::Level::$level, &::std::format!($($message)+));
        }
    };
}

/// The finest level.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_trace { ($($message:tt)+) => { $crate::__log_at!(Trace, $($message)+) }; }

/// For the author.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_debug { ($($message:tt)+) => { $crate::__log_at!(Debug, $($message)+) }; }

/// For the curious.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_info { ($($message:tt)+) => { $crate::__log_at!(Info, $($message)+) }; }

/// Something odd that did not stop the command.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_warn { ($($message:tt)+) => { $crate::__log_at!(Warn, $($message)+) }; }

/// Something that went wrong.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_error { ($($message:tt)+) => { $crate::__log_at!(Error, $($message)+) }; }
