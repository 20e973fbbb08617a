//! Which file of a data set plays which part.

use std::path::PathBuf;

use crate::classes::ClassRequest;
use gleaner_lang::syntax::Diagnostic;

use super::gathered::{Division, Habits};
use super::reader::{MakeReader, Program, make};
use super::reading::Role;

/// One file and its part.
#[derive(Clone, Debug)]
pub(crate) struct DataFile {
    pub(crate) path: PathBuf,
    pub(crate) role: Role,
    /// The fold that its facts or examples belong to; `None` for global ones.
    pub(crate) fold: Option<usize>,
    /// What reads it.
    pub(crate) reader: MakeReader,
    /// Whether the user named it, and did not only name the folder.
    pub(crate) is_named: bool,
}

impl DataFile {
    /// A global program as it stands.
    pub(crate) fn new(path: PathBuf, role: Role) -> Self {
        Self { path, role, fold: None, reader: make::<Program>, is_named: false }
    }

    /// A global file whose parts mean what its reader makes of them.
    pub(crate) fn read_by(path: PathBuf, reader: MakeReader) -> Self {
        Self { reader, ..Self::new(path, Role::Mixed) }
    }

    /// The same, named by the user.
    pub(crate) fn named(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// The same, of a fold.
    pub(crate) fn in_fold(self, fold: Option<usize>) -> Self {
        Self { fold, ..self }
    }
}

/// All files of a data set, in the order read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub(crate) files: Vec<DataFile>,
    pub(crate) fold_names: Vec<String>,
    pub(crate) division: Division,
    /// What holds of their layout.
    pub(crate) habits: Habits,
    /// What is odd about them, before they are read.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Whether modes are given that replace those of all other files.
    pub(crate) has_given_modes: bool,
    /// Whether their examples are only scored, and need no class.
    pub(crate) is_scored: bool,
    /// What says the class of an example, where that is no label.
    pub(crate) classes_asked: ClassRequest,
}

impl Files {
    /// Files without folds.
    pub(crate) fn undivided(files: Vec<DataFile>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Files of folds; without names they have none.
    pub(crate) fn in_folds(files: Vec<DataFile>, fold_names: Vec<String>) -> Self {
        let division = if fold_names.is_empty() { Division::None } else { Division::Folds };
        Self { files, fold_names, division, ..Self::default() }
    }
}
