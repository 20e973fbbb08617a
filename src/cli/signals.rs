//! What asks a command to end: Ctrl-C, `kill`, and the terminal that is closed.

use std::io;

/// Runs `ask` at each such signal, on a thread of its own.
///
/// A hangup that whoever started the command lets it ignore (`nohup`) stays ignored.
///
/// # Errors
///
/// When the system takes no handler.
#[cfg(unix)]
pub(super) fn on_end_asked(mut ask: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            ask();
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
pub(super) fn on_end_asked(ask: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(ask).map_err(io::Error::other)
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
    fn the_mask_is_read_from_its_line() {
        let status = "Name:\tgleaner\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\tgleaner\n"), None);
    }
}
