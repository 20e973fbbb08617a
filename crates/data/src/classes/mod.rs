//! Many classes: examples that are not positive or negative, but each of one class of several.
//!
//! A class is what an argument of the target holds, or which of several targets an example is of. Such a problem is
//! read as the binary one of its first class against the rest, and [`Problem::of_class`](super::Problem::of_class) makes that of any class: all
//! have the same examples in the same order.

mod request;
mod settle;

pub use request::ClassRequest;
pub(super) use settle::{check_folds, settle, with_class};
