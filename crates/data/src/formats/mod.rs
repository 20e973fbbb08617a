//! The layouts that are known, a folder or file each, and their list.
//!
//! A new layout needs a folder here, its `mod` and one entry of the list. Recognition, `--format`, `convert --to` and
//! the message about data in no known layout read the list.

mod alchemy;
mod aleph;
mod boostsrl;
mod corpus;
mod cplint;
mod csv;
mod database;
mod file_format;
mod json_lines;
mod own;
mod parquet;
mod popper;
mod progol;
mod rdf;
#[cfg(not(all(feature = "parquet", feature = "sqlite")))]
mod refused;
mod sqlite;
pub(super) mod tables;
pub(super) mod triples;

use std::path::{Path, PathBuf};

use crate::gather::{Habits, MakeReader};
use file_format::{FileFormat, Writer};

pub(super) use file_format::{Asked, COMPRESSED, Clue};
pub(super) use own::names;
pub(super) use tables::{has_wide_table, names_key};

/// Makes [`Format`] of the list: a name for each layout, and where it is at home.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident: $layout:expr,)*) => {
        /// The layouts that are known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $($(#[$doc])* $name,)*
        }

        impl Format {
            /// All layouts, in the order in which they are listed.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// What reads and writes it.
            pub(super) const fn layout(self) -> &'static dyn FileFormat {
                match self {
                    $(Self::$name => &$layout,)*
                }
            }
        }
    };
}

formats! {
    /// `background.pl`, `modes.pl`, `pos.pl`, `neg.pl`, and folders `foldN/` of the same.
    Own: own::Own,
    /// `NAME.csv`, a table for each predicate; `modes.pl` and `background.pl` beside them.
    Csv: csv::Csv,
    /// `*.jsonl`, a statement as an object in each line; `modes.pl` and `background.pl` beside them.
    JsonLines: json_lines::JsonLines,
    /// `NAME.parquet`, a table for each predicate.
    Parquet: parquet::Parquet,
    /// `db/NAME.csv`, the tables of a database, and `tasks/NAME/`, the examples of a task: `train.csv`, `val.csv`, `test.csv`.
    Relbench: database::Relbench,
    /// `schema.sql` and `load.sql` beside the tables of a database, as DuckDB exports them.
    Duckdb: database::Duckdb,
    /// `NAME.sqlite`, a database in one file.
    Sqlite: sqlite::Sqlite,
    /// `NAME.csv`, the tables of a database: keys and foreign keys say how they hang together.
    Tables: database::Tables,
    /// `NAME.b`, `NAME.f`, `NAME.n`; or one file with sections (`:- begin_in_pos.`).
    Aleph: aleph::Aleph,
    /// `bk.pl`, `exs.pl` with `pos(…)` and `neg(…)`, `bias.pl`; or `bk_train.pl`, `exs_train.pl`,
    /// `bk_test.pl`, `exs_test.pl`.
    Popper: popper::Popper,
    /// `background.txt` and `foldN/{train,test}/…_{facts,pos,neg}.txt`, or `{train,test}/` alone, or the
    /// files alone.
    Boostsrl: boostsrl::Boostsrl,
    /// Programs whose headless clauses (`:- active(d38).`) are negatives: one, or a folder of folds; Golem's.
    Progol: progol::Progol,
    /// cplint's input: `output(…)`, a bias, and models by a first argument or between `begin(model(…))` and
    /// `end(model(…))`.
    Interpretations: cplint::Cplint,
    /// Alchemy's evidence (`.db`) with or without declarations (`.mln`).
    Alchemy: alchemy::Alchemy,
    /// `head TAB relation TAB tail`: a table, or a folder with `train.txt`, `valid.txt` and `test.txt`.
    Triples: triples::Triples,
    /// A graph in N-Triples (`NAME.nt`) or Turtle (`NAME.ttl`): a fact for each triple.
    Rdf: rdf::Rdf,
    /// Sentences with entities and relations, in a format of annotated text.
    Corpus: corpus::Corpus,
}

impl Format {
    /// The layouts that can be written.
    pub fn written() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|format| format.writer().is_some())
    }

    /// The layout of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// The layout's name.
    pub fn name(self) -> &'static str {
        self.layout().about().name
    }

    /// The properties of the whole layout.
    pub(super) fn habits(self) -> Habits {
        self.layout().about().habits
    }

    /// The reader for a file of facts that is given beside data of any layout. The file's name or first line decides.
    pub(super) fn reader_of_facts(path: &Path) -> Option<MakeReader> {
        Self::ALL.iter().find_map(|format| format.layout().facts(path))
    }

    /// The notations of tables.
    fn of_tables() -> impl Iterator<Item = &'static dyn FileFormat> {
        Self::ALL.iter().map(|format| format.layout()).filter(|layout| layout.about().clue == Clue::Tables)
    }

    /// The reader for a table, in the notation that the file name tells.
    pub(super) fn reader_of_tables(path: &Path) -> Option<MakeReader> {
        Self::of_tables().find_map(|layout| layout.facts(path))
    }

    /// Whether this file or folder is in the layout.
    pub(super) fn shows_in(self, path: &Path) -> bool {
        let layout = self.layout();
        layout.is_recognised(path)
            && !(layout.yields_to_tables(path) && Self::of_tables().any(|tables| tables.is_recognised(path)))
    }

    /// The writer of the layout.
    pub(super) fn writer(self) -> Option<Writer> {
        self.layout().writer()
    }
}

/// The database of DuckDB itself that a path is, or that lies in the folder.
pub(super) fn native_duckdb(path: &Path) -> Option<PathBuf> {
    database::native(path)
}
