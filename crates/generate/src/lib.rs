//! Synthetic relational problems of the shape of two well-known ones, with rules planted in them.
//!
//! A generator first creates a relational world, then decides from a few planted rules which
//! examples are positive, and last spoils the labels by a stated amount of noise. The result is
//! plain data ([`Generated`]): texts of files in the project's own layout and the planted clauses.
//! Nothing here reads a clause back: a generator decides what its rules cover by code of its own,
//! so that whoever evaluates the planted clauses checks two independent computations against each
//! other.
//!
//! Randomness comes from [`gleaner_base::random`] alone and nothing is kept in hash order, so a
//! configuration always gives the same bytes.

mod accounts;
mod error;
#[cfg(test)]
mod naive;
mod sentences;
mod text;
mod university;

pub use accounts::{AccountsConfig, accounts};
pub use error::GenerateError;
pub use sentences::{SentencesConfig, sentences};
pub use university::{UniversityConfig, university};

/// One file of a generated problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Where the file belongs, relative to the problem's folder and with `/` between folders, for
    /// instance `fold1/pos.pl`.
    pub path: String,
    /// The whole text, ASCII, each line ended by one newline.
    pub text: String,
}

/// A generated problem.
///
/// **Shape**: `background.pl` and `modes.pl` first, then for each fold `foldN/pos.pl` and
/// `foldN/neg.pl`, after `foldN/background.pl` where a fold has facts of its own. An example stands
/// in one file only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The files, in the order above.
    pub files: Vec<GeneratedFile>,
    /// The planted clauses as Prolog text, each ended by a full stop. The same lines stand as a
    /// comment at the end of `modes.pl`: a file of clauses would be loaded as background.
    pub planted: Vec<String>,
    /// Examples labelled positive, over all folds.
    pub n_positives: usize,
    /// Examples labelled negative, over all folds.
    pub n_negatives: usize,
    /// The classes, where they are many: examples stand among the positive ones then, each with its class as an argument.
    pub classes: Vec<String>,
    /// What was made, as pairs of a name and a value, in the order in which to show them.
    pub summary: Vec<(String, String)>,
}

/// The whole number nearest to a size computed in floating point; negative sizes become 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the only conversion of this room: the checks of the settings keep sizes far below 2^53"
)]
fn nearest(size: f64) -> usize {
    size.round().max(0.0) as usize
}
