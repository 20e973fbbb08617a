//! Shared parts of the writers: the problem in canonical order, statements as texts, and losses. A loss is content that
//! a layout cannot express.

mod losses;
mod material;
mod page;
mod texts;

pub(super) use losses::Losses;
pub(super) use material::{Fold, Material};
pub use page::{ConvertedFile, Counts};
pub(super) use page::{Page, declarations, example_texts, modes_and_determinations, settings};
pub(super) use page::{fold_folders, told_of_folds};
pub(super) use texts::{determination, mode_text};
