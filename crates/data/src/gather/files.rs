//! The files of a data set and their roles.

use std::path::PathBuf;

use super::examples::ClassRequest;
use crate::tables::request::DatabaseRequest;
use gleaner_lang::program::{NumberSource, TargetName};
use gleaner_lang::syntax::Diagnostic;

use super::examples::Division;
use super::gathered::Habits;
use super::reader::{MakeReader, Program, make};
use super::reading::Role;

/// One file and its role.
#[derive(Clone, Debug)]
pub(crate) struct DataFile {
    pub(crate) path: PathBuf,
    pub(crate) role: Role,
    /// The fold that its facts or examples belong to; `None` for global ones.
    pub(crate) fold: Option<usize>,
    /// Makes the reader of the file.
    pub(crate) reader: MakeReader,
    /// Whether the user named the file itself, not only its folder.
    pub(crate) is_named: bool,
    /// The file that imports it, if one does.
    pub(crate) imported_by: Option<PathBuf>,
    /// The table that its rows are of, if the file's name does not say it.
    pub(crate) table: Option<String>,
}

impl DataFile {
    /// A global program in the common grammar.
    pub(crate) fn new(path: PathBuf, role: Role) -> Self {
        let reader = make::<Program>;
        Self { path, role, fold: None, reader, is_named: false, imported_by: None, table: None }
    }

    /// A global file; its reader decides what its parts mean.
    pub(crate) fn read_by(path: PathBuf, reader: MakeReader) -> Self {
        Self { reader, ..Self::new(path, Role::Mixed) }
    }

    /// The same file, marked as named by the user.
    pub(crate) fn named(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// The same file, as rows of this table.
    pub(crate) fn of_table(self, table: impl Into<String>) -> Self {
        Self { table: Some(table.into()), ..self }
    }

    /// The same file, as part of a fold.
    pub(crate) fn in_fold(self, fold: Option<usize>) -> Self {
        Self { fold, ..self }
    }
}

/// All files of a data set, in the order read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// The path of the data: what the user did not name is read only from its folder.
    pub(crate) root: PathBuf,
    pub(crate) files: Vec<DataFile>,
    pub(crate) fold_names: Vec<String>,
    pub(crate) division: Division,
    /// The properties of the layout.
    pub(crate) habits: Habits,
    /// Warnings about the files, before they are read.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Whether the user gives modes that replace those of all other files.
    pub(crate) has_given_modes: bool,
    /// What is asked of a database, if the tables are one.
    pub(crate) database: Option<DatabaseRequest>,
    /// The requested target.
    pub(crate) target: Option<TargetName>,
    /// Whether the examples are only scored, and need no class.
    pub(crate) is_scored: bool,
    /// The source of an example's class, if it is no label.
    pub(crate) classes_asked: ClassRequest,
    /// The source of an example's number, if the target is a number.
    pub(crate) number_asked: Option<NumberSource>,
}

impl Files {
    /// Files without folds.
    pub(crate) fn undivided(files: Vec<DataFile>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Files of folds; without fold names there are no folds.
    pub(crate) fn in_folds(files: Vec<DataFile>, fold_names: Vec<String>) -> Self {
        let division = if fold_names.is_empty() { Division::None } else { Division::Folds };
        Self { files, fold_names, division, ..Self::default() }
    }
}
