//! Where data come from.

use std::path::{Path, PathBuf};

use gleaner_data::{Format, LoadRequest, Table};

/// Where data come from: a file or folder, or tables in memory.
///
/// Calls that take data take a path, a [`Table`] or several:
///
/// ```
/// use gleaner::{Dataset, Table};
///
/// let of_files = Dataset::reader("fixtures/kinds/won").label("labels.won").open()?;
/// assert_eq!(of_files.target(), "labels_won/3");
/// let persons = Table::new("persons").column("id", vec![1, 2, 3]).column("town", vec!["bern", "oslo", "bern"]);
/// let persons = persons.key(&["id"]);
/// let won = Table::new("won").column("person", vec![1, 2, 3]).column("won", vec![true, false, true]);
/// let won = won.foreign_key(&["person"], "persons");
/// let of_memory = Dataset::reader([persons, won]).label("won.won").open()?;
/// assert_eq!((of_memory.n_positives(), of_memory.n_negatives()), (2, 1));
/// # Ok::<(), gleaner::Error>(())
/// ```
///
/// Tables are those of a database: keys join them, and each column is a relation. [`Source::facts`] and [`Source::triples`] are
/// other ways to read them. A data set holds its tables as long as it lives; its clones share them.
#[derive(Clone, Debug)]
pub struct Source(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Path(PathBuf),
    Tables(Vec<Table>, Option<Format>),
}

impl Source {
    /// Tables of facts: each row is a fact of the predicate that its table names, or an example if a column is called `label`. A
    /// column `fold` names the fold of each row. The other columns are arguments, and their names are types.
    ///
    /// Texts are names here, whatever their letters: `"12"` is no number.
    #[must_use]
    pub fn facts(tables: impl IntoIterator<Item = Table>) -> Self {
        Self(Kind::Tables(tables.into_iter().collect(), Some(Format::Csv)))
    }

    /// The triples of a graph: a table of three columns, head, relation and tail. Each row is a fact `relation(head, tail)`, and
    /// those of the target are examples.
    ///
    /// ```
    /// use gleaner::{Dataset, Source, Table};
    ///
    /// let links = Table::new("links")
    ///     .column("head", vec!["ann", "bob", "ann", "cleo"])
    ///     .column("relation", vec!["knows", "knows", "likes", "likes"])
    ///     .column("tail", vec!["bob", "ann", "bob", "ann"]);
    /// let data = Dataset::reader(Source::triples(links)).target("likes/2").negatives("all").open()?;
    /// assert_eq!(data.n_positives(), 2);
    /// # Ok::<(), gleaner::Error>(())
    /// ```
    #[must_use]
    pub fn triples(table: Table) -> Self {
        Self(Kind::Tables(vec![table], Some(Format::Triples)))
    }

    pub(super) fn request(self) -> LoadRequest {
        let request = LoadRequest { rng_seed: 1, ..LoadRequest::default() };
        match self.0 {
            Kind::Path(path) => LoadRequest { path, ..request },
            Kind::Tables(tables, format) => {
                let tables = Some(tables.into_iter().map(Into::into).collect());
                LoadRequest { tables, format, ..request }
            }
        }
    }
}

macro_rules! paths {
    ($($of:ty),*) => {$(
        impl From<$of> for Source {
            fn from(path: $of) -> Self {
                Self(Kind::Path(path.into()))
            }
        }
    )*};
}

paths!(&str, String, &String, &Path, PathBuf, &PathBuf);

impl From<Table> for Source {
    fn from(table: Table) -> Self {
        vec![table].into()
    }
}

impl From<Vec<Table>> for Source {
    fn from(tables: Vec<Table>) -> Self {
        Self(Kind::Tables(tables, None))
    }
}

impl<const N: usize> From<[Table; N]> for Source {
    fn from(tables: [Table; N]) -> Self {
        Vec::from(tables).into()
    }
}

impl From<&[Table]> for Source {
    fn from(tables: &[Table]) -> Self {
        tables.to_vec().into()
    }
}
