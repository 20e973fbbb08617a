//! Which file of a data set plays which part.

use std::path::PathBuf;

use crate::problem::classes::ClassRequest;
use crate::syntax::Diagnostic;

use super::gathered::{Division, Habits};
use super::reader::{MakeReader, Program, make};
use super::reading::Role;

/// One file and its part.
#[derive(Clone, Debug)]
pub(in crate::problem) struct DataFile {
    pub(in crate::problem) path: PathBuf,
    pub(in crate::problem) role: Role,
    /// The fold that its facts or examples belong to; `None` for global ones.
    pub(in crate::problem) fold: Option<usize>,
    /// What reads it.
    pub(in crate::problem) reader: MakeReader,
    /// Whether the user named it, and did not only name the folder.
    pub(in crate::problem) is_named: bool,
}

impl DataFile {
    /// A global program as it stands.
    pub(in crate::problem) fn new(path: PathBuf, role: Role) -> Self {
        Self { path, role, fold: None, reader: make::<Program>, is_named: false }
    }

    /// A global file whose parts mean what its reader makes of them.
    pub(in crate::problem) fn read_by(path: PathBuf, reader: MakeReader) -> Self {
        Self { reader, ..Self::new(path, Role::Mixed) }
    }

    /// The same, named by the user.
    pub(in crate::problem) fn named(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// The same, of a fold.
    pub(in crate::problem) fn in_fold(self, fold: Option<usize>) -> Self {
        Self { fold, ..self }
    }
}

/// All files of a data set, in the order read.
#[derive(Clone, Debug, Default)]
pub(in crate::problem) struct Files {
    pub(in crate::problem) files: Vec<DataFile>,
    pub(in crate::problem) fold_names: Vec<String>,
    pub(in crate::problem) division: Division,
    /// What holds of their layout.
    pub(in crate::problem) habits: Habits,
    /// What is odd about them, before they are read.
    pub(in crate::problem) warnings: Vec<Diagnostic>,
    /// Whether modes are given that replace those of all other files.
    pub(in crate::problem) has_given_modes: bool,
    /// Whether their examples are only scored, and need no class.
    pub(in crate::problem) is_scored: bool,
    /// What says the class of an example, where that is no label.
    pub(in crate::problem) classes_asked: ClassRequest,
}

impl Files {
    /// Files without folds.
    pub(in crate::problem) fn undivided(files: Vec<DataFile>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Files of folds; without names they have none.
    pub(in crate::problem) fn in_folds(files: Vec<DataFile>, fold_names: Vec<String>) -> Self {
        let division = if fold_names.is_empty() { Division::None } else { Division::Folds };
        Self { files, fold_names, division, ..Self::default() }
    }
}
