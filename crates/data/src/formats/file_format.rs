//! The interface of layouts: how each describes itself.
//!
//! A layout is a folder (or a file) beside this one, with all its code. It says how to recognise the layout, which role
//! each file has, how to read the files and, for some layouts, how to write them. `formats` lists them.

use std::path::{Path, PathBuf};

use crate::gather::{Files, Habits, MakeReader, Program, make};
use crate::tables::LabelName;
use crate::writing::{ConvertedFile, Losses, Material};
use gleaner_lang::syntax::Diagnostic;

/// The clue by which a layout is recognised, surest first. Layouts with surer clues are tried first; among equals the
/// order of the list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Clue {
    /// Two files whose names no other layout has together.
    PairOfNames,
    /// The names of files.
    Names,
    /// The endings of file names.
    Endings,
    /// The cells of the first line.
    Cells,
    /// Statements that only this layout has.
    Statements,
    /// Predicates that only this layout writes in this way.
    Predicates,
    /// The names of graphs, which often only describe the data of another layout beside them.
    Graphs,
    /// Tables, beside which files of other layouts may lie.
    Tables,
}

/// The description of a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About {
    /// The layout's name on the command line.
    pub(crate) name: &'static str,
    /// The layout's files in a few words, for the message about data in no known layout.
    pub(crate) files_in_words: &'static str,
    /// The properties of the whole layout.
    pub(crate) habits: Habits,
    /// The clue that shows the layout.
    pub(crate) clue: Clue,
}

/// The request for a layout's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The file or folder, or the beginning of the files' names.
    pub(crate) path: &'a Path,
    /// Whether the problem is only inspected: examples may be missing.
    pub(crate) is_inspection: bool,
    /// Whether the layout's files must give the background, because none is given beside them.
    pub(crate) needs_background: bool,
    /// Whether the files must list negatives, because none are made.
    pub(crate) needs_negatives: bool,
    /// Whether the files must list examples. Data to score may list examples of one class, or none.
    pub(crate) needs_examples: bool,
    /// Whether the target is a number.
    pub(crate) has_numbers: bool,
    /// Whether the schema of a database is all that is asked for: then it needs no examples.
    pub(crate) needs_no_labels: bool,
    /// The table and the column of labels, if the user names them.
    pub(crate) label: Option<&'a LabelName>,
    /// The reader for a file that is a table in any notation.
    pub(crate) reader_of_tables: fn(&Path) -> Option<MakeReader>,
}

/// Writes a problem in a layout.
pub(crate) type Writer = fn(&Material<'_>, &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic>;

/// A layout.
pub(crate) trait FileFormat: Sync {
    /// The description of the layout.
    fn about(&self) -> About;

    /// Whether this file, folder, or beginning of file names is in the layout.
    fn is_recognised(&self, path: &Path) -> bool;

    /// Whether a folder belongs to another layout if tables lie beside this layout's files.
    fn yields_to_tables(&self, _path: &Path) -> bool {
        false
    }

    /// Whether a path that does not exist is the beginning of this layout's file names.
    fn is_prefix(&self, _path: &Path) -> bool {
        false
    }

    /// The problems that a folder holds, where it may hold several.
    fn problems(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The layout's files at the path; none if the path cannot be of this layout.
    ///
    /// # Errors
    ///
    /// Each file that is missing.
    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>>;

    /// The reader for programs that are given beside the layout's own files.
    fn program(&self) -> MakeReader {
        make::<Program>
    }

    /// The reader for a file of facts in this layout that is given beside data of any layout; none if the file is not
    /// in it.
    fn facts(&self, _path: &Path) -> Option<MakeReader> {
        None
    }

    /// The reader for modes that are given beside the layout's own files.
    fn modes(&self) -> MakeReader {
        self.program()
    }

    /// The writer of the layout; none if it is only read.
    fn writer(&self) -> Option<Writer> {
        None
    }
}
