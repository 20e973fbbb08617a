//! A file of a problem that was written in another layout.

/// The numbers of statements in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Facts.
    pub facts: usize,
    /// Rules.
    pub rules: usize,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// Modes, determinations and settings.
    pub declarations: usize,
}

/// One file of a converted problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedFile {
    /// The path of the file, relative to the problem's folder and with `/` between folders.
    pub path: String,
    /// The whole text, UTF-8, each line ended by one line feed.
    pub text: String,
    /// The numbers of its statements.
    pub counts: Counts,
}
