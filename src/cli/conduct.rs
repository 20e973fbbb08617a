//! Threads, and Ctrl-C with the signals that mean the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Failure;
use super::flags::ResourceFlags;
use super::signals::{EndSignal, on_end_asked};

/// From now on the first Ctrl-C sets the flag; a second one ends the process at once;
/// `SIGTERM` and `SIGHUP` are as Ctrl-C.
pub(super) fn end_search_on_ctrl_c(interrupted: &Arc<AtomicBool>) {
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
