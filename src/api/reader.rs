//! How data are read into a data set.
//!
//! Where data come from.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use gleaner_data::{
    Aggregates, CutOffTime, Format, FrozenFold, Horizon, LabelName, LoadRequest, Negatives, SplitTimes,
    Table, TargetInBody, TimeSplit,
};
use gleaner_lang::program::settings::nearest;
use gleaner_lang::program::{NumberSource, OwnLinks, TargetName};
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::jobs::convert::Convert;
use crate::jobs::session::load_problem;

use super::error::bad_value;
use super::{Answer, Context, Dataset, Error};

/// How data are to be read into a [`Dataset`]. Each method but [`DatasetReader::schema`] is the flag of the same name.
#[derive(Clone, Debug)]
#[must_use]
pub struct DatasetReader {
    request: LoadRequest,
    horizon: Option<Horizon>,
    /// The first value that no method takes.
    refused: Option<Diagnostic>,
    context: Context,
}

impl DatasetReader {
    pub(super) fn of(request: LoadRequest) -> Self {
        Self { request, horizon: None, refused: None, context: Context::default() }
    }

    fn put<T>(mut self, value: Result<T, Diagnostic>, put: impl FnOnce(&mut Self, T)) -> Self {
        match value {
            Ok(value) => put(&mut self, value),
            Err(fault) => drop(self.refused.get_or_insert(fault)),
        }
        self
    }

    fn parse<T: FromStr<Err = String>>(self, call: &str, text: &str, put: impl FnOnce(&mut Self, T)) -> Self {
        self.put(text.parse().map_err(|takes: String| bad_value(call, text, takes)), put)
    }

    /// The reader that works so, as does the data set that it opens.
    pub fn within(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    /// The layout, if the content does not show it; one of those that `--format` takes.
    pub fn format(self, name: &str) -> Self {
        let format = Format::named(name).ok_or_else(|| unknown_layout(name));
        self.put(format, |reader, format| reader.request.format = Some(format))
    }

    /// The column to predict, as `customers.churned`: the data then are the tables of a database.
    pub fn label(self, column: &str) -> Self {
        self.parse::<LabelName>("label", column, |reader, label| reader.request.label = Some(label))
    }

    /// What the tables of a database mean, as the text of a `schema.toml`. Of a column it goes before what a table in memory or the
    /// file beside the tables says.
    pub fn schema(mut self, text: &str) -> Self {
        self.request.meanings = Some(text.to_owned());
        self
    }

    /// The time at which all examples of a database are looked at, as `2010-01-01`, where the labels have no column of it.
    pub fn cut_off(self, time: &str) -> Self {
        self.parse::<CutOffTime>("cut_off", time, |reader, time| reader.request.cut_off = Some(time))
    }

    /// The time from which on rows of a database do not exist for the examples of a fold, as `test=2010-01-01`; may be
    /// called several times. Data that are read for a model are frozen as the model's were, unless this says otherwise.
    pub fn frozen(self, fold: &str) -> Self {
        self.parse::<FrozenFold>("frozen", fold, |reader, fold| reader.request.frozen.push(fold))
    }

    /// The cut-off at which test begins in a database, or those of tune and of test, as `2005-01-01,2010-01-01`.
    pub fn split_time(self, times: &str) -> Self {
        self.parse::<SplitTimes>("split_time", times, |reader, times| {
            reader.request.split = Some(TimeSplit { times, horizon: None });
        })
    }

    /// With [`Self::split_time`], how many days after its cut-off a label is known. Rows are left out whose labels are known
    /// only after the next set begins.
    pub fn horizon(self, days: f64) -> Self {
        self.parse::<Horizon>("horizon", &days.to_string(), |reader, days| reader.horizon = Some(days))
    }

    /// Keeps rows of a database's table of labels with the same value of this column within one made fold.
    /// [`Learner::group`](crate::Learner::group) does so by an argument of the target.
    pub fn group(mut self, column: &str) -> Self {
        self.request.group = Some(column.to_owned());
        self
    }

    /// The target, as `advisedby/2`, or its name alone.
    pub fn target(self, target: &str) -> Self {
        self.parse::<TargetName>("target", target, |reader, target| reader.request.target = Some(target))
    }

    /// A file of modes instead of the layout's own; [`Source::modes`](crate::Source::modes) takes a text.
    pub fn modes(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.modes = Some(path.into());
        self
    }

    /// A further file of facts and rules; may be called several times. [`Source::program`](crate::Source::program) takes a text.
    pub fn background(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.background.push(path.into());
        self
    }

    /// Keeps the examples for which a conjunction over the target's arguments `A`, `B`, … holds, as
    /// `student(A), professor(B)`.
    pub fn restrict(mut self, conjunction: &str) -> Self {
        self.request.restriction = Some(conjunction.to_owned());
        self
    }

    /// The negatives to use: `all`, a number, a share of them as `25%`, or `ratio:K` for `K` of each positive.
    pub fn negatives(self, wanted: &str) -> Self {
        self.parse::<Negatives>("negatives", wanted, |reader, wanted| reader.request.negatives = Some(wanted))
    }

    /// The negatives of tune and test; all by default.
    pub fn negatives_of_test(self, wanted: &str) -> Self {
        self.parse("negatives_of_test", wanted, |reader, wanted| reader.request.negatives_test = wanted)
    }

    /// Lets clauses know other links of the target, `folds` or `leave-one-out`.
    pub fn target_in_body(self, way: &str) -> Self {
        let found = TargetInBody::ALL.into_iter().find(|known| known.name() == way);
        let takes = || format!("it takes {}", TargetInBody::ALL.map(TargetInBody::name).join(" or "));
        let found = found.ok_or_else(|| bad_value("target_in_body", way, takes()));
        self.put(found, |reader, way| reader.request.target_in_body = Some(way))
    }

    /// With [`DatasetReader::target_in_body`]: proves the link `r(a, b)` without the known link `r(b, a)`, too.
    pub const fn exclude_inverse(mut self) -> Self {
        self.request.own_links = OwnLinks::with_inverse(true);
        self
    }

    /// The most facts that the rules may derive; by default 50 for each given one, between 250,000 and 20,000,000.
    pub const fn max_derived_facts(mut self, most: usize) -> Self {
        self.request.max_derived_facts = Some(most);
        self
    }

    /// The argument of the target, from 1, that names the class of an example, for data of many classes.
    pub const fn class_argument(mut self, argument: usize) -> Self {
        self.request.classes.argument = argument.checked_sub(1);
        self
    }

    /// The target is a number: the argument that holds it, from 1.
    pub fn number_argument(mut self, argument: usize) -> Self {
        self.request.number = argument.checked_sub(1).map(NumberSource::Argument);
        self
    }

    /// The target is a number: the column or the field `label` holds it.
    pub const fn number_label(mut self) -> Self {
        self.request.number = Some(NumberSource::Label);
        self
    }

    /// A file of atoms, one a line, that stand in place of the data's examples; for a reader of a model.
    pub fn examples(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.examples = Some(path.into());
        self
    }

    /// The seed by which negatives are sampled; 1 by default.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.request.rng_seed = seed;
        self
    }

    /// Uses modes proposed from the data instead of those given.
    pub const fn propose_modes(mut self) -> Self {
        self.request.propose_modes = true;
        self
    }

    /// Where counts, sums and means of rows come from: `learn`, `propose` or `none`. By default they are learnt of databases.
    pub fn aggregates(self, way: &str) -> Self {
        let found = Aggregates::ALL.into_iter().find(|known| known.name() == way);
        let takes = || format!("it takes {}", Aggregates::ALL.map(Aggregates::name).join(", "));
        let found = found.ok_or_else(|| bad_value("aggregates", way, takes()));
        self.put(found, |reader, way| reader.request.aggregates = Some(way))
    }

    /// Loads the data. A context ends it between files, every few thousand rows of a table, and between the stages of loading.
    ///
    /// # Errors
    ///
    /// Every fault of the data; a value that the reader does not take; a context that ends the call.
    pub fn open(self) -> Result<Dataset, Error> {
        let context = self.context.clone();
        let mut request = self.request()?;
        let (loaded, sources) = context.run(|means| {
            request.budget = means.limits.loaded().clone();
            load_problem(&request, means.listener)
        })?;
        if let Some(group) = request.group.as_ref().filter(|_| loaded.problem.table_rows().is_none()) {
            let takes = "a column of the table of labels, and the data are no database";
            return Err(Error::bad_value("group", group, takes));
        }
        Ok(Dataset::of(loaded, sources, request, context))
    }

    /// Writes the data in another layout, one of those that `gleaner convert --to` takes, into a new folder.
    ///
    /// # Errors
    ///
    /// Every fault of the data; an unknown layout; a folder that cannot be written.
    pub fn convert(self, layout: &str, folder: impl AsRef<Path>) -> Result<Answer, Error> {
        let to = Format::named(layout).ok_or_else(|| Error::fault(unknown_layout(layout)))?;
        let context = self.context.clone();
        let request = LoadRequest { keeps_unlabelled: false, ..self.request()? };
        let job = Convert { request, to, folder: folder.as_ref().to_owned(), overwrite: false };
        let written = context.run_whole("the data were read", |means| job.run(means.listener))?;
        Ok(Answer::of(&written.answer()))
    }

    /// The request to load the data.
    fn request(self) -> Result<LoadRequest, Error> {
        let Self { mut request, horizon, refused, .. } = self;
        if let Some(split) = &mut request.split {
            split.horizon = horizon;
        }
        refused.map_or(Ok(request), |fault| Err(Error::fault(fault)))
    }
}

/// The fault that no layout has this name, with the nearest name as help.
fn unknown_layout(name: &str) -> Diagnostic {
    let names = || Format::ALL.iter().map(|format| format.name());
    let help = match nearest(name, names()) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => format!("layouts are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Diagnostic::error(codes::UNKNOWN_LAYOUT, format!("{name} is no layout")).with_help(help)
}

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
