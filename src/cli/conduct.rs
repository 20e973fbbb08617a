//! Threads, time and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::base::Budget;

use super::arguments::ResourceFlags;
use super::failure::Failure;
use super::memory::MemoryCap;

/// A duration as `90`, `90s`, `10m` or `2h`.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3_600.0),
        _ => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds * unit).ok())
        .ok_or_else(|| "a time is a number with s, m or h, as 90s, 10m or 2h".to_owned())
}

/// The budget of the run: its time, its memory, and Ctrl-C. A second Ctrl-C ends the process at once.
pub(super) fn budget(time: Option<Duration>, memory: &MemoryCap) -> Budget {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Without a handler Ctrl-C ends the process at once, which is what a second one does anyway.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            abort();
        }
    });
    Budget::new(time, interrupted).within_memory(memory.is_short())
}

#[expect(clippy::exit, reason = "the user insists: this is the second Ctrl-C")]
fn abort() -> ! {
    std::process::exit(130)
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

#[cfg(test)]
mod tests {
    use super::parse_time;

    #[test]
    fn times_by_unit() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs());
        assert_eq!(seconds("90"), Ok(90));
        assert_eq!(seconds("1.5m"), Ok(90));
        assert_eq!(seconds("2h"), Ok(7_200));
        assert!(
            seconds("").is_err()
                && seconds("m").is_err()
                && seconds("-3s").is_err()
                && seconds("3d").is_err()
        );
    }
}
