//! Where data come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gleaner_data::{Format, LoadRequest, Table};

/// Where data come from: a file or folder, or tables and texts in memory.
///
/// Calls that take data take a path, a [`Table`] or several. These are the tables of a database: keys join them, and each
/// column is a relation. [`Source::facts`], [`Source::triples`] and [`Source::corpus`] are other ways to read what is in memory.
/// A data set holds its tables as long as it lives; its clones share them. The target is a number here:
///
/// ```
/// use gleaner::{Dataset, Learner, Table};
///
/// let ids = Vec::from_iter(1..=80);
/// let spent = ids.iter().map(|id| if id % 4 == 0 { 90.0 } else { 20.0 } + f64::from(id % 5));
/// let labels = Table::new("labels").column("person", ids.clone()).column("spent", spent.collect::<Vec<_>>());
/// let towns = ids.iter().map(|id| if id % 4 == 0 { "oslo" } else { "bern" });
/// let persons = Table::new("persons").column("id", ids.clone()).column("town", towns.collect::<Vec<_>>());
/// let tables = [persons.key(&["id"]), labels.foreign_key(&["person"], "persons")];
/// let data = Dataset::reader(tables).label("labels.spent").number_label().open()?;
/// let model = Learner::named("rdn-boost")?.with("rounds", 20)?.fit(&data)?;
/// let predictions = model.predict(&data)?;
/// let (said, who) = (predictions.numbers("predicted").unwrap(), predictions.texts("person").unwrap());
/// let of = |id: &str| who.iter().position(|person| person.as_deref() == Some(id)).and_then(|row| said[row]);
/// assert!(of("4") > Some(60.0) && of("5") < Some(60.0));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Source(pub(super) LoadRequest);

impl Source {
    /// Tables of facts: each row is a fact of the predicate that its table names, or an example if a column is called `label`; an
    /// empty label is one that nobody knows. A column `fold` names the fold of each row. The other columns are arguments, and
    /// their names are types. Texts are names here, whatever their letters: `"12"` is no number.
    ///
    /// ```
    /// use gleaner::{Dataset, Source, Table};
    ///
    /// let likes = Table::new("likes").column("person", vec!["ann", "cleo"]).column("other", vec!["bob", "ann"]);
    /// let nice = Table::new("nice").column("person", vec!["ann", "bob", "cleo"]);
    /// let nice = nice.column("label", vec![Some(true), Some(false), None]);
    /// let modes = ":- modeh(1, nice(+person)). :- modeb(*, likes(+person, -person)).";
    /// let data = Dataset::open(Source::facts([likes, nice]).program(modes))?;
    /// assert_eq!((data.n_positives(), data.n_negatives(), data.n_unlabelled()), (1, 1, 1));
    /// # Ok::<(), gleaner::Error>(())
    /// ```
    pub fn facts(tables: impl IntoIterator<Item = Table>) -> Self {
        Self::tables(tables, Some(Format::Csv))
    }

    /// The triples of a graph: a table of three columns, head, relation and tail. Each row is a fact `relation(head, tail)`, and
    /// those of the target are examples.
    pub fn triples(table: Table) -> Self {
        Self::tables([table], Some(Format::Triples))
    }

    /// Sentences with entities and relations: documents, each a file's name and its text, in one of the formats of annotated
    /// text. The ending of the name tells the format, as in `d1.jsonl`, `d1.xml` or `d1.conllu`. In the format of brat,
    /// the annotations `d1.ann` belong to the text `d1.txt`.
    pub fn corpus<N: Into<PathBuf>, T: Into<Arc<str>>>(documents: impl IntoIterator<Item = (N, T)>) -> Self {
        let Self(request) = Self::tables([], Some(Format::Corpus));
        let texts = documents.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
        Self(LoadRequest { texts, ..request })
    }

    /// The same data with a text of facts, rules, modes and settings beside them, as a file of a program has; for each call one more.
    pub fn program(mut self, text: impl Into<Arc<str>>) -> Self {
        let name = format!("program{}", self.0.background.len() + 1);
        self.0.background.push(name.clone().into());
        self.with_text(&name, text.into())
    }

    /// The same data with a text of modes in place of its own.
    pub fn modes(mut self, text: impl Into<Arc<str>>) -> Self {
        self.0.modes = Some("modes".into());
        self.with_text("modes", text.into())
    }

    fn with_text(mut self, name: &str, text: Arc<str>) -> Self {
        let others = self.0.texts.iter().filter(|(other, _)| other.as_os_str() != name).cloned();
        self.0.texts = others.chain([(name.into(), text)]).collect();
        self
    }

    fn tables(tables: impl IntoIterator<Item = Table>, format: Option<Format>) -> Self {
        let tables = Some(tables.into_iter().map(Into::into).collect());
        Self(LoadRequest { tables, format, ..Self::from(PathBuf::new()).0 })
    }
}

macro_rules! paths {
    ($($of:ty),*) => {$(
        impl From<$of> for Source {
            fn from(path: $of) -> Self {
                let path = path.into();
                Self(LoadRequest { path, rng_seed: 1, keeps_unlabelled: true, ..LoadRequest::default() })
            }
        }
    )*};
}

paths!(&str, String, &String, &Path, PathBuf, &PathBuf);

impl From<Table> for Source {
    fn from(table: Table) -> Self {
        Self::tables([table], None)
    }
}

impl From<Vec<Table>> for Source {
    fn from(tables: Vec<Table>) -> Self {
        Self::tables(tables, None)
    }
}

impl<const N: usize> From<[Table; N]> for Source {
    fn from(tables: [Table; N]) -> Self {
        Self::tables(tables, None)
    }
}

impl From<&[Table]> for Source {
    fn from(tables: &[Table]) -> Self {
        Self::tables(tables.iter().cloned(), None)
    }
}
