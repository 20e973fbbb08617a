//! Facts, rules, modes and examples, loaded and checked.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::experiment::load;
use crate::jobs::Session;
use gleaner_base::ExampleId;
use gleaner_data::clauses::{Binding, usable_predicates};
use gleaner_data::{
    CutOffTime, Format, FrozenFold, GivenClauses, Horizon, LabelName, LoadRequest, Loaded, Negatives,
    Problem, SplitTimes, TargetInBody, TimeSplit,
};
use gleaner_lang::program::settings::{Settings, nearest};
use gleaner_lang::program::{Examples, canonical};
use gleaner_lang::program::{NumberSource, OwnLinks, TargetName};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};

use super::error::messages;
use super::{Context, Error, Label, Message, Source};

/// A relational data set: the background knowledge, the examples to learn from, and the language of the clauses.
///
/// A data set never changes. Learners are fitted to it, models score its examples, and clauses are evaluated on it.
///
/// # Example
///
/// ```
/// use gleaner::Dataset;
///
/// let data = Dataset::open("fixtures/university")?;
/// assert_eq!(data.target(), "advisedby/2");
/// assert_eq!((data.n_positives(), data.n_negatives()), (100, 1674));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dataset {
    problem: Arc<Problem>,
    warnings: Vec<Message>,
    /// The same, for the run folders of what is learnt.
    diagnostics: Arc<[Diagnostic]>,
    /// The texts that were read, and the request that named them.
    sources: Arc<Sources>,
    request: Arc<LoadRequest>,
    pub(super) context: Context,
}

/// One example of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The example as an atom, as `advisedby(ann,bob)`.
    pub text: String,
    /// The label of the example.
    pub label: Label,
    /// The name of the fold it was given in.
    pub fold: Option<String>,
}

impl Dataset {
    /// Loads a file or folder in any layout that gleaner knows, recognised by its content; or tables in memory, as a database.
    ///
    /// # Errors
    ///
    /// Every fault of the data.
    pub fn open(source: impl Into<Source>) -> Result<Self, Error> {
        Self::reader(source).open()
    }

    /// Prepares to open data, as [`Dataset::open`] does, with choices of how to read them.
    #[must_use]
    pub fn reader(source: impl Into<Source>) -> DatasetReader {
        DatasetReader::of(source.into().request())
    }

    /// The data set with clauses that `srl` takes as features, in place of those that it would search.
    ///
    /// Clauses are texts, as for [`Dataset::evaluate`]; they replace those given before. If they were learnt from
    /// examples that a model is tested on, its figures are too good.
    ///
    /// # Example
    ///
    /// ```
    /// use gleaner::{Dataset, Learner};
    ///
    /// let data = Dataset::open("fixtures/university")?;
    /// let clauses = ["advisedby(A,B) :- publication(C,A), publication(C,B).", "advisedby(A,B) :- tempadvisedby(A,B)."];
    /// let model = Learner::named("srl")?.fit(&data.with_feature_clauses(clauses)?)?;
    /// assert_eq!(model.clauses().len(), 2);
    /// # Ok::<(), gleaner::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`].
    pub fn with_feature_clauses<I>(&self, clauses: I) -> Result<Self, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let binding = Binding::of(self.problem(), &usable_predicates(self.problem()), clauses)?;
        let of_all = binding.clauses().iter().map(canonical).collect();
        let given = GivenClauses { of_all, ..GivenClauses::default() };
        let problem = binding.bound(&self.problem).with_given_clauses(given);
        Ok(Self { problem: Arc::new(problem), ..self.clone() })
    }

    /// The data set whose calls work so.
    #[must_use]
    pub fn within(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    pub(super) fn of(loaded: Loaded, sources: &Sources, request: &LoadRequest) -> Self {
        let warnings = messages(&loaded.warnings, sources);
        Self {
            problem: Arc::new(loaded.problem),
            warnings,
            diagnostics: loaded.warnings.into(),
            sources: Arc::new(sources.clone()),
            request: Arc::new(request.clone()),
            context: Context::default(),
        }
    }

    /// The labelled examples with these settings, for a job whose chance flows from `rng_seed`. Made folds keep examples
    /// with the same value of the argument `group`, from 1, together.
    pub(super) fn session(&self, settings: Settings, rng_seed: u64, group: Option<usize>) -> Session {
        let problem = self.labelled_problem().into_owned();
        let request = LoadRequest { rng_seed, ..LoadRequest::clone(&self.request) };
        let session = Session::of(problem, Sources::clone(&self.sources), settings, request, group);
        Session { warnings: self.diagnostics.to_vec(), ..session }
    }

    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    pub(super) const fn shared_problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// The problem without the examples that have no label.
    pub(super) fn labelled_problem(&self) -> Cow<'_, Problem> {
        let examples = self.problem.examples();
        if examples.are_labelled() {
            return Cow::Borrowed(&self.problem);
        }
        Cow::Owned(self.problem.with_examples(examples.filtered(|id| examples.is_labelled(id))))
    }

    /// The target, as `advisedby/2`.
    #[must_use]
    pub fn target(&self) -> String {
        self.problem.target().to_string()
    }

    /// How many examples are positive.
    #[must_use]
    pub fn n_positives(&self) -> usize {
        self.problem.examples().n_positives()
    }

    /// How many examples are negative.
    #[must_use]
    pub fn n_negatives(&self) -> usize {
        self.problem.examples().len() - self.n_positives() - self.n_unlabelled()
    }

    /// How many examples have no label.
    #[must_use]
    pub fn n_unlabelled(&self) -> usize {
        let examples = self.problem.examples();
        examples.ids().filter(|&id| !examples.is_labelled(id)).count()
    }

    /// The examples, in an order that depends on their names alone: not that of files, nor of the rows of a table.
    pub fn examples(&self) -> impl Iterator<Item = Example> + '_ {
        self.problem.examples().ids().map(|id| Example {
            text: self.problem.example_text(id),
            label: label(self.problem.examples(), id),
            fold: self.problem.examples().fold(id).map(|fold| self.problem.fold_name(fold).to_owned()),
        })
    }

    /// The names of the folds that the data came with; empty where folds are to be made.
    #[must_use]
    pub fn folds(&self) -> &[String] {
        self.problem.fold_names()
    }

    /// Warnings about data that load but look wrong.
    #[must_use]
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }
}

/// The error that no layout has this name, with the nearest name as help.
pub(super) fn unknown_layout(name: &str) -> Error {
    let names = || Format::ALL.iter().map(|format| format.name());
    let help = match nearest(name, names()) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => format!("layouts are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Error::fault(Diagnostic::error(codes::UNKNOWN_LAYOUT, format!("{name} is no layout")).with_help(help))
}

/// The label of an example, as far as the data give one.
pub(super) fn label(examples: &Examples, example: ExampleId) -> Label {
    match (examples.is_labelled(example), examples.is_positive(example)) {
        (false, _) => Label::Unknown,
        (true, true) => Label::Positive,
        (true, false) => Label::Negative,
    }
}

impl fmt::Display for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} positives, {} negatives", self.target(), self.n_positives(), self.n_negatives())?;
        match self.n_unlabelled() {
            0 => Ok(()),
            n => write!(f, ", {n} unlabelled"),
        }
    }
}

/// How files or tables in memory are to be read into a [`Dataset`]. Each method but [`DatasetReader::schema`] is the flag of the same
/// name.
#[derive(Clone, Debug)]
pub struct DatasetReader {
    request: LoadRequest,
    /// The choice as the user wrote it, until the data are opened.
    negatives: Option<String>,
    negatives_of_test: Option<String>,
    target_in_body: Option<String>,
    format: Option<String>,
    target: Option<String>,
    label: Option<String>,
    cut_off: Option<String>,
    frozen: Vec<String>,
    split_time: Option<String>,
    horizon: Option<String>,
}

impl DatasetReader {
    pub(super) const fn of(request: LoadRequest) -> Self {
        Self {
            request,
            negatives: None,
            negatives_of_test: None,
            target_in_body: None,
            format: None,
            target: None,
            label: None,
            cut_off: None,
            frozen: Vec::new(),
            split_time: None,
            horizon: None,
        }
    }

    /// The layout, if the content does not show it; one of those that `--format` takes.
    #[must_use]
    pub fn format(mut self, name: &str) -> Self {
        self.format = Some(name.to_owned());
        self
    }

    /// The column to predict, as `customers.churned`: the data then are the tables of a database.
    #[must_use]
    pub fn label(mut self, column: &str) -> Self {
        self.label = Some(column.to_owned());
        self
    }

    /// What the tables of a database mean, as the text of a `schema.toml`. Of a column it goes before what a table in memory or the
    /// file beside the tables says.
    #[must_use]
    pub fn schema(mut self, text: &str) -> Self {
        self.request.meanings = Some(text.to_owned());
        self
    }

    /// The time at which all examples of a database are looked at, as `2010-01-01`, where the labels have no column of it.
    #[must_use]
    pub fn cut_off(mut self, time: &str) -> Self {
        self.cut_off = Some(time.to_owned());
        self
    }

    /// The time from which on rows of a database do not exist for the examples of a fold, as `test=2010-01-01`; may be
    /// called several times. Data that are read for a model are frozen as the model's were, unless this says otherwise.
    #[must_use]
    pub fn frozen(mut self, fold: &str) -> Self {
        self.frozen.push(fold.to_owned());
        self
    }

    /// The cut-off at which test begins in a database, or those of tune and of test, as `2005-01-01,2010-01-01`.
    #[must_use]
    pub fn split_time(mut self, times: &str) -> Self {
        self.split_time = Some(times.to_owned());
        self
    }

    /// With [`Self::split_time`], how many days after its cut-off a label is known. Rows are left out whose labels are known
    /// only after the next set begins.
    #[must_use]
    pub fn horizon(mut self, days: f64) -> Self {
        self.horizon = Some(days.to_string());
        self
    }

    /// Keeps rows of a database's table of labels with the same value of this column within one made fold.
    /// [`Learner::group`](crate::Learner::group) does so by an argument of the target.
    #[must_use]
    pub fn group(mut self, column: &str) -> Self {
        self.request.group = Some(column.to_owned());
        self
    }

    /// The target, as `advisedby/2`, or its name alone.
    #[must_use]
    pub fn target(mut self, target: &str) -> Self {
        self.target = Some(target.to_owned());
        self
    }

    /// A file of modes instead of the layout's own.
    #[must_use]
    pub fn modes(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.modes = Some(path.into());
        self
    }

    /// A further file of facts and rules; may be called several times.
    #[must_use]
    pub fn background(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.background.push(path.into());
        self
    }

    /// Keeps the examples for which a conjunction over the target's arguments `A`, `B`, … holds, as
    /// `student(A), professor(B)`.
    #[must_use]
    pub fn restrict(mut self, conjunction: &str) -> Self {
        self.request.restriction = Some(conjunction.to_owned());
        self
    }

    /// The negatives to use: `all`, a number, a share of them as `25%`, or `ratio:K` for `K` of each positive.
    #[must_use]
    pub fn negatives(mut self, wanted: &str) -> Self {
        self.negatives = Some(wanted.to_owned());
        self
    }

    /// The negatives of tune and test; all by default.
    #[must_use]
    pub fn negatives_of_test(mut self, wanted: &str) -> Self {
        self.negatives_of_test = Some(wanted.to_owned());
        self
    }

    /// Lets clauses know other links of the target, `folds` or `leave-one-out`.
    #[must_use]
    pub fn target_in_body(mut self, way: &str) -> Self {
        self.target_in_body = Some(way.to_owned());
        self
    }

    /// With [`DatasetReader::target_in_body`]: proves the link `r(a, b)` without the known link `r(b, a)`, too.
    #[must_use]
    pub const fn exclude_inverse(mut self) -> Self {
        self.request.own_links = OwnLinks::with_inverse(true);
        self
    }

    /// The most facts that the rules may derive; by default 50 for each given one, between 250,000 and 20,000,000.
    #[must_use]
    pub const fn max_derived_facts(mut self, most: usize) -> Self {
        self.request.max_derived_facts = Some(most);
        self
    }

    /// The argument of the target, from 1, that names the class of an example, for data of many classes.
    #[must_use]
    pub fn class_argument(mut self, argument: usize) -> Self {
        self.request.classes.argument = argument.checked_sub(1);
        self
    }

    /// The target is a number: the argument that holds it, from 1.
    #[must_use]
    pub fn number_argument(mut self, argument: usize) -> Self {
        self.request.number = argument.checked_sub(1).map(NumberSource::Argument);
        self
    }

    /// The target is a number: the column or the field `label` holds it.
    #[must_use]
    pub const fn number_label(mut self) -> Self {
        self.request.number = Some(NumberSource::Label);
        self
    }

    /// A file of atoms, one a line, that stand in place of the data's examples; for a reader of a model.
    #[must_use]
    pub fn examples(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.examples = Some(path.into());
        self
    }

    /// The seed by which negatives are sampled; 1 by default.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.request.rng_seed = seed;
        self
    }

    /// Uses modes proposed from the data instead of those given.
    #[must_use]
    pub const fn propose_modes(mut self) -> Self {
        self.request.propose_modes = true;
        self
    }

    /// Adds modes of counts, sums and means of rows, proposed from the data.
    #[must_use]
    pub const fn propose_aggregates(mut self) -> Self {
        self.request.propose_aggregates = true;
        self
    }

    /// Loads the data.
    ///
    /// # Errors
    ///
    /// Every fault of the data, or a value that the reader does not take.
    pub fn open(self) -> Result<Dataset, Error> {
        let request = self.request()?;
        let mut sources = Sources::new();
        match load(&request, &mut sources) {
            Ok(loaded) => match &request.group {
                Some(group) if loaded.problem.table_rows().is_none() => {
                    let takes = "a column of the table of labels, and the data are no database".to_owned();
                    Err(Error::bad_value("group", group, takes))
                }
                _ => Ok(Dataset::of(loaded, &sources, &request)),
            },
            Err(diagnostics) => Err(Error::faults(diagnostics, sources)),
        }
    }

    /// The request to load the data, with the texts of all settings parsed.
    pub(super) fn request(mut self) -> Result<LoadRequest, Error> {
        if let Some(name) = &self.format {
            self.request.format = Some(Format::named(name).ok_or_else(|| unknown_layout(name))?);
        }
        if let Some(target) = &self.target {
            let parsed = target.parse::<TargetName>();
            self.request.target = Some(parsed.map_err(|takes| Error::bad_value("target", target, takes))?);
        }
        if let Some(label) = &self.label {
            let parsed = label.parse::<LabelName>();
            self.request.label = Some(parsed.map_err(|takes| Error::bad_value("label", label, takes))?);
        }
        if let Some(time) = &self.cut_off {
            let parsed = time.parse::<CutOffTime>();
            self.request.cut_off = Some(parsed.map_err(|takes| Error::bad_value("cut_off", time, takes))?);
        }
        for fold in &self.frozen {
            let parsed = fold.parse::<FrozenFold>();
            self.request.frozen.push(parsed.map_err(|takes| Error::bad_value("frozen", fold, takes))?);
        }
        if let Some(times) = &self.split_time {
            let parsed = times.parse::<SplitTimes>();
            let times = parsed.map_err(|takes| Error::bad_value("split_time", times, takes))?;
            let horizon = self.horizon.as_ref().map(|days| {
                days.parse::<Horizon>().map_err(|takes| Error::bad_value("horizon", days, takes))
            });
            self.request.split = Some(TimeSplit { times, horizon: horizon.transpose()? });
        }
        let negatives = |call: &str, wanted: &str| {
            wanted.parse::<Negatives>().map_err(|takes| Error::bad_value(call, wanted, takes))
        };
        if let Some(wanted) = &self.negatives {
            self.request.negatives = Some(negatives("negatives", wanted)?);
        }
        if let Some(wanted) = &self.negatives_of_test {
            self.request.negatives_test = negatives("negatives_of_test", wanted)?;
        }
        if let Some(wanted) = &self.target_in_body {
            let way = TargetInBody::ALL.into_iter().find(|way| way.name() == wanted);
            let names = TargetInBody::ALL.map(TargetInBody::name).join(" or ");
            let way =
                way.ok_or_else(|| Error::bad_value("target_in_body", wanted, format!("it takes {names}")))?;
            self.request.target_in_body = Some(way);
        }
        Ok(self.request)
    }
}
