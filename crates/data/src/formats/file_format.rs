//! The seam for layouts: what each says of itself.
//!
//! A layout is a folder (or a file) beside this one, with all that belongs to it: how it is recognised, which
//! files play which part, how they are read and, of some, how they are written. `formats` lists them.

use std::path::{Path, PathBuf};

use crate::gather::{Files, Habits, MakeReader, Program, make};
use crate::writing::{ConvertedFile, Losses, Material};
use gleaner_lang::syntax::Diagnostic;

/// By what a layout shows, surest first: what is looked at first decides, among equals the first in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Clue {
    /// Two files whose names no other layout has together.
    PairOfNames,
    /// The names of files.
    Names,
    /// How the names of files end.
    Endings,
    /// The cells of the first line.
    Cells,
    /// Statements that only it has.
    Statements,
    /// Predicates that only it writes so.
    Predicates,
    /// The names of graphs, which often only describe the data of another layout beside them.
    Graphs,
    /// Tables, beside which files of other layouts may lie.
    Tables,
}

/// What a layout says of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Its files in a few words, for the message of data in no known layout.
    pub(crate) files_in_words: &'static str,
    /// What holds of it as a whole.
    pub(crate) habits: Habits,
    /// By what it shows.
    pub(crate) clue: Clue,
}

/// What is asked of a layout's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The file or folder, or what the names of files begin with.
    pub(crate) path: &'a Path,
    /// The problem is only looked at: examples may lack.
    pub(crate) is_inspection: bool,
    /// Background is read from its files, and none is given beside them.
    pub(crate) needs_background: bool,
    /// Negatives are read, not made.
    pub(crate) needs_negatives: bool,
    /// There are to be examples; data to be scored may have those of one class, or none.
    pub(crate) needs_examples: bool,
    /// What reads a file that is a table in any notation.
    pub(crate) reader_of_tables: fn(&Path) -> Option<MakeReader>,
}

/// Writes a problem in a layout.
pub(crate) type Writer = fn(&Material<'_>, &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic>;

/// A layout.
pub(crate) trait FileFormat: Sync {
    /// What it says of itself.
    fn about(&self) -> About;

    /// Whether it shows in this file or folder, or in what the names of files begin with.
    fn is_recognised(&self, path: &Path) -> bool;

    /// Whether it is another layout's folder where tables lie beside its files.
    fn yields_to_tables(&self, _path: &Path) -> bool {
        false
    }

    /// Whether a path that is no file is what the names of its files begin with.
    fn is_prefix(&self, _path: &Path) -> bool {
        false
    }

    /// The problems that a folder holds, where it may hold several.
    fn problems(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Its files there; none where the path cannot be of this layout.
    ///
    /// # Errors
    ///
    /// Each file that is missing.
    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>>;

    /// What reads programs that are given beside its own files.
    fn program(&self) -> MakeReader {
        make::<Program>
    }

    /// What reads a file of this layout's facts that is given beside data of any layout; none where it is no such file.
    fn facts(&self, _path: &Path) -> Option<MakeReader> {
        None
    }

    /// What reads modes that are given beside its own files.
    fn modes(&self) -> MakeReader {
        self.program()
    }

    /// What writes it; none where it is only read.
    fn writer(&self) -> Option<Writer> {
        None
    }
}
