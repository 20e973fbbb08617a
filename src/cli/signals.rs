//! What asks a command to end: Ctrl-C, `kill`, and the terminal that is closed.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

/// The first signal that asked the command to end; 0 before. A process has one set of handlers, and this is what they saw.
static ASKED_BY: AtomicI32 = AtomicI32::new(0);

/// What the shell adds to the number of a signal that ended a command.
const ENDED_BY_SIGNAL: i32 = 128;

/// A signal that asked the command to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndSignal(i32);

impl EndSignal {
    /// The first that came, if one did.
    pub(super) fn first() -> Option<Self> {
        Some(ASKED_BY.load(Ordering::SeqCst)).filter(|&number| number != 0).map(Self)
    }

    /// The exit code that the shell gives a command that the signal ended: 130 for `SIGINT`, 143 for `SIGTERM`, 129 for `SIGHUP`.
    pub(super) fn exit_code(self) -> u8 {
        u8::try_from(ENDED_BY_SIGNAL + self.0).unwrap_or(u8::MAX)
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self.0 {
            1 => "SIGHUP",
            2 => "SIGINT (Ctrl-C)",
            15 => "SIGTERM",
            _ => "a signal",
        }
    }
}

fn note(number: i32) -> EndSignal {
    let _ = ASKED_BY.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
    EndSignal(number)
}

/// Runs `ask` at each such signal, on a thread of its own.
///
/// A hangup that whoever started the command lets it ignore (`nohup`) stays ignored.
///
/// # Errors
///
/// When the system takes no handler.
#[cfg(unix)]
pub(super) fn on_end_asked(mut ask: impl FnMut(EndSignal) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for number in signals.forever() {
            ask(note(number));
        }
    })?;
    Ok(())
}

/// Makes a file that grows beyond the limit of its size (`ulimit -f`) an error of writing, which has a message, and not a
/// signal that ends the process without a word.
///
/// # Errors
///
/// When the system takes no handler.
#[cfg(unix)]
pub(super) fn survive_full_files() -> io::Result<()> {
    use signal_hook::consts::signal::SIGXFSZ;
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default()).map(|_| ())
}

/// Other systems have no such limit.
///
/// # Errors
///
/// None.
#[cfg(not(unix))]
pub(super) fn survive_full_files() -> io::Result<()> {
    Ok(())
}

/// Runs `ask` at each Ctrl-C, on a thread of its own.
///
/// # Errors
///
/// When the system takes no handler.
#[cfg(not(unix))]
pub(super) fn on_end_asked(mut ask: impl FnMut(EndSignal) + Send + 'static) -> io::Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || ask(note(SIGINT))).map_err(io::Error::other)
}

/// Whether the process was started with this signal ignored, where the system says so.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    ignored(&status).is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// The mask of ignored signals in the text of `/proc/self/status`: the lowest bit is signal 1.
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_shell() {
        let codes = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP]
            .map(|number| (EndSignal(number).exit_code(), EndSignal(number).name()));
        assert_eq!(codes, [(130, "SIGINT (Ctrl-C)"), (143, "SIGTERM"), (129, "SIGHUP")]);
    }

    #[test]
    fn the_mask_is_read_from_its_line() {
        let status = "Name:\tgleaner\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\tgleaner\n"), None);
    }
}
