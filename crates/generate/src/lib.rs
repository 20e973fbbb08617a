//! Synthetic relational problems of the shape of two well-known ones, with rules planted in them.
//!
//! A generator first creates a relational world. Then a few planted rules decide which examples are positive, and a
//! stated amount of noise changes labels. The result is plain data ([`Generated`]): texts of files in the project's
//! layout, and the planted clauses. No code here reads a clause back: each generator has separate code for the covers
//! of its rules. So an evaluation of the planted clauses compares two independent computations.
//!
//! Randomness comes only from [`gleaner_base::random`], and no result depends on hash order, so a configuration always
//! gives the same bytes.

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
    /// The classes, where there are more than two. All examples are then among the positive ones, each with its class
    /// as an argument.
    pub classes: Vec<String>,
    /// The properties of the generated problem, as pairs of a name and a value, in the order in which to show them.
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
