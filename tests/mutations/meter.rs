//! What a load takes: time, and the bytes held at its peak.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// The system's allocator, which counts.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn took(n_bytes: usize) {
    let held = HELD.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
    PEAK.fetch_max(held, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait")]
// SAFETY: every call goes to the system's allocator as it came; counting does not touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may exist for a moment.
        took(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One measurement at a time: the allocator counts for the whole process.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

/// What came of a task, and what it took.
pub(crate) struct Measured<T> {
    pub(crate) outcome: T,
    pub(crate) time: Duration,
    /// Bytes held at the peak that were not held before.
    pub(crate) n_bytes: usize,
}

#[expect(clippy::disallowed_methods, reason = "what is measured is the time of the clock")]
fn now() -> Instant {
    Instant::now()
}

/// Runs a task on a thread with the stack that threads usually have.
///
/// # Errors
///
/// When it panics, or has not ended after `most`; it then runs on.
pub(crate) fn measure<T: Send + 'static>(
    most: Duration,
    task: impl FnOnce() -> T + Send + 'static,
) -> Result<Measured<T>, String> {
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let before = HELD.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        let start = now();
        let outcome = task();
        let (time, peak) = (start.elapsed(), PEAK.load(Ordering::Relaxed));
        let n_bytes = peak.saturating_sub(before);
        // Nobody waits for what came too late.
        let _ = sender.send(Measured { outcome, time, n_bytes });
    });
    match receiver.recv_timeout(most) {
        Ok(measured) => {
            worker.join().map_err(|_| "panicked at its end".to_owned())?;
            Ok(measured)
        }
        Err(mpsc::RecvTimeoutError::Timeout) => Err(format!("still running after {most:?}")),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let panic = worker.join().expect_err("the sender is gone without a message");
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
            Err(format!("panicked: {}", said.unwrap_or_default()))
        }
    }
}
