//! The limits of a command: threads, memory and time, and Ctrl-C with the signals that mean the same.
//!
//! What asks a command to end: Ctrl-C, `kill`, and the terminal that is closed.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use gleaner_base::Budget;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};

use crate::jobs::memory::{MemoryCap, out_of_memory};
use crate::jobs::{Failure, Limits};

use super::flags::{ConductFlags, LimitFlags, ResourceFlags, TimeFlag};
use super::output::{Output, rendered};

/// The limits of a command.
#[derive(Debug)]
pub(super) struct Conduct {
    memory: MemoryCap,
    ending: Ending,
}

/// What happens when time is short.
#[derive(Debug)]
enum Ending {
    /// The search ends with what was found; Ctrl-C does the same.
    Search { deadline: Deadline, handler: Once },
    /// The process ends.
    Process(Budget),
}

impl Conduct {
    /// The limits of a command that searches; the time counts from here.
    pub(super) fn begin(flags: &ConductFlags, output: &Output) -> Result<Self, Failure> {
        let memory = MemoryCap::watch(flags.resources.memory, end_out_of_memory)?;
        let deadline = Deadline::begin(flags.time, &memory, output);
        Ok(Self { memory, ending: Ending::Search { deadline, handler: Once::new() } })
    }

    /// Ends the search after this time as Ctrl-C does: nothing in it knows of the limit before.
    pub(super) fn end_search_after(&self, time: Option<Duration>) {
        let (Some(time), Ending::Search { deadline, .. }) = (time, &self.ending) else { return };
        let flag = Arc::clone(deadline.interrupted());
        std::thread::spawn(move || {
            std::thread::sleep(time);
            flag.store(true, Ordering::Relaxed);
        });
    }

    /// Those of a command that has nothing to tell before its end.
    pub(super) fn of_whole(resources: &ResourceFlags) -> Result<Self, Failure> {
        Ok(Self {
            memory: MemoryCap::watch(resources.memory, end_out_of_memory)?,
            ending: Ending::Process(Budget::unlimited()),
        })
    }
}

impl Limits for Conduct {
    fn loaded(&self) -> &Budget {
        match &self.ending {
            Ending::Process(budget) => budget,
            Ending::Search { deadline, handler } => {
                deadline.lift();
                handler.call_once(|| end_search_on_ctrl_c(deadline.interrupted()));
                deadline.budget()
            }
        }
    }

    fn lift(&self) {
        match &self.ending {
            Ending::Process(_) => {}
            Ending::Search { deadline, .. } => deadline.lift(),
        }
    }

    fn cover_bytes(&self, n_searches: usize) -> usize {
        self.memory.loaded(n_searches)
    }
}

/// From now on the first Ctrl-C sets the flag; a second one ends the process at once;
/// `SIGTERM` and `SIGHUP` are as Ctrl-C.
fn end_search_on_ctrl_c(interrupted: &Arc<AtomicBool>) {
    let flag = Arc::clone(interrupted);
    // Without a handler Ctrl-C ends the process at once, which is what a second one does anyway.
    let _ = on_end_asked(move |signal| {
        if flag.swap(true, Ordering::Relaxed) {
            abort(signal);
        }
    });
}

#[expect(clippy::exit, reason = "the user insists: this is the second Ctrl-C")]
fn abort(signal: EndSignal) -> ! {
    std::process::exit(i32::from(signal.exit_code()))
}

/// Runs `work` on as many threads as asked for.
pub(super) fn on_threads<T: Send>(
    resources: &ResourceFlags,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let n_threads = resources.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(n_threads)).build();
    match pool {
        Ok(pool) => pool.install(work),
        Err(error) => Err(Failure::usage(
            codes::SETTING_VALUE,
            format!("{n_threads} threads cannot be started: {error}"),
        )),
    }
}

/// Loading may take so much longer than the limit before it is ended. A problem that loads in no time is then loaded
/// whatever the limit; the command then reports that the search was stopped.
const GRACE: Duration = Duration::from_secs(1);

/// What the command is doing, by number.
const LOADING: u8 = 0;
const WORKING: u8 = 1;
const ENDING: u8 = 2;

/// The time limit of a command.
#[derive(Debug)]
pub(super) struct Deadline {
    budget: Budget,
    interrupted: Arc<AtomicBool>,
    stage: Arc<AtomicU8>,
}

impl Deadline {
    /// Begins with the command. Loading cannot be cut short and used: where it takes longer than the limit, the
    /// process is ended with a message and exit code 3. Nothing is written before a problem is loaded.
    pub(super) fn begin(time: Option<Duration>, memory: &MemoryCap, output: &Output) -> Self {
        let (interrupted, stage) = (Arc::default(), Arc::new(AtomicU8::new(LOADING)));
        let budget = memory.holding(Budget::new(time, Arc::clone(&interrupted)));
        if let Some(limit) = time {
            let (stage, output) = (Arc::clone(&stage), *output);
            std::thread::spawn(move || {
                std::thread::sleep(limit.saturating_add(GRACE));
                if stage.compare_exchange(LOADING, ENDING, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                    end(limit, output);
                }
            });
        }
        Self { budget, interrupted, stage }
    }

    /// The budget of the search.
    pub(super) const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// What ends the search when it is set.
    pub(super) const fn interrupted(&self) -> &Arc<AtomicBool> {
        &self.interrupted
    }

    /// What follows is said whatever the time: it is about to be printed.
    pub(super) fn lift(&self) {
        if self.stage.swap(WORKING, Ordering::SeqCst) == ENDING {
            // The process is about to end.
            loop {
                std::thread::park();
            }
        }
    }
}

/// Ends a command that has no result before its end, where it takes longer than the limit: with a message and exit code 3. Files and
/// folders are written whole or not at all, so nothing is lost that was there.
pub(super) fn end_after(TimeFlag { time }: TimeFlag, output: &Output) {
    let (Some(limit), output) = (time, *output) else { return };
    std::thread::spawn(move || {
        std::thread::sleep(limit.saturating_add(GRACE));
        give_up("the command takes", limit, "give fewer facts, rules or clauses", output)
    });
}

/// As [`end_after`], and ends it where it takes more memory.
pub(super) fn limit(LimitFlags { memory, time }: LimitFlags, output: &Output) -> Result<(), Failure> {
    end_after(time, output);
    MemoryCap::end_above(memory, end_out_of_memory)
}

fn end(limit: Duration, output: Output) -> ! {
    give_up("loading the problem takes", limit, "give fewer facts or rules", output)
}

#[expect(clippy::exit, reason = "what is under way cannot be interrupted")]
fn give_up(what_takes: &str, limit: Duration, remedy: &str, output: Output) -> ! {
    let message = format!("{what_takes} longer than --time {}s", limit.as_secs_f64());
    let help =
        format!("raise --time, which is the limit of the whole command, or {remedy}; nothing was written");
    let diagnostic = Diagnostic::error(codes::TIME_LIMIT, message).with_help(help);
    std::process::exit(i32::from(output.report(&Failure::OutOfTime(diagnostic))))
}

/// Ends the process with a message.
#[expect(clippy::exit, reason = "nothing else frees memory that another thread takes")]
#[expect(clippy::print_stderr, reason = "the process ends here")]
pub(super) fn end_out_of_memory(cap: u64, held: u64, stage: &str) {
    eprint!("{}", rendered(&[out_of_memory(cap, held, stage)], &Sources::new(), false));
    std::process::exit(1)
}

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
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(|_| ())
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
