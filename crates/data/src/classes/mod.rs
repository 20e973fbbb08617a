//! Many classes: examples that are not positive or negative, but each of one class of several.
//!
//! A class is the value of one argument of the target, or one of several targets. Such a problem is read as the binary
//! one of its first class against the rest. [`Problem::of_class`](super::Problem::of_class) makes the binary problem of
//! any class: all have the same examples in the same order.

mod request;
mod settle;

pub use request::ClassRequest;
pub(super) use settle::{check_folds, settle, with_class};
