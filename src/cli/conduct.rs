//! What a command may take: threads, memory and time, and Ctrl-C with the signals that mean the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

use crate::jobs::memory::MemoryCap;
use crate::jobs::{Failure, Limits};
use gleaner_base::Budget;

use super::deadline::{Deadline, end_out_of_memory};
use super::flags::{ConductFlags, ResourceFlags};
use super::output::Output;
use super::signals::{EndSignal, on_end_asked};

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
        Err(error) => Err(Failure::Usage(format!("{n_threads} threads cannot be started: {error}"))),
    }
}
