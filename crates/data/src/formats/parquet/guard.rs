//! A guard around the decoders of the crate, which panic at some damaged bytes: the panic becomes an error of the file.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::{ParquetError, Result};

thread_local! {
    /// Whether this thread is inside [`contained`], where a panic is not printed.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Reads a part of a file. Whoever calls must not read on after an error: a decoder may have stopped half-way.
///
/// # Errors
///
/// The file is broken; so is one at which a decoder panics.
pub(super) fn contained<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    // Without a hook the standard library prints each panic, caught or not. Other threads keep the hook of before.
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                before(panic);
            }
        }));
    });
    let outer = IS_CONTAINED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(read));
    IS_CONTAINED.set(outer);
    outcome.unwrap_or_else(|panic| {
        Err(ParquetError::General(format!("some of its bytes are damaged ({})", words(&*panic))))
    })
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the decoder gave up")
}

#[cfg(test)]
mod tests {
    use super::contained;
    use parquet::errors::{ParquetError, Result};

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        let text = |read: Result<()>| read.err().map_or_else(String::new, |error| error.to_string());
        assert!(text(contained(|| panic!("range {} of {}", 4, 3))).contains("range 4 of 3"));
        assert!(text(contained(|| panic!("odd"))).contains("bytes are damaged (odd)"));
        assert!(text(contained(|| Err(ParquetError::General("cut".to_owned())))).contains("cut"));
        assert!(contained(|| Ok(())).is_ok());
    }
}
