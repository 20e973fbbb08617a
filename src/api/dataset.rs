//! Facts, rules, modes and examples, loaded and checked.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::experiment::loading::inspect::{ModesAnswer, ProblemSummary};
use crate::jobs::Session;
use crate::jobs::inspect::{Inspect, Inspected};
use crate::report::text::problem_line;
use gleaner_base::Budget;
use gleaner_data::clauses::{Binding, usable_predicates};
use gleaner_data::{DatabaseSchema, GivenClauses, LoadRequest, Loaded, Problem};
use gleaner_lang::program::canonical;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Diagnostic, Sources};

use super::error::messages;
use super::{Answer, Context, DatasetReader, Error, Learner, Message, Source};

/// A relational data set: the background knowledge, the examples to learn from, and the language of the clauses.
///
/// A data set never changes. Learners are fitted to it, models score its examples, and clauses are evaluated on it.
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
    /// What was warned of, for messages and for the run folders of what is learnt.
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
    /// Whether it is positive; `None` if nobody knows. Of many classes, whether it is of the first; of numbers, of the upper half.
    pub label: Option<bool>,
    /// The name of the fold it was given in.
    pub fold: Option<String>,
}

/// An argument of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of its column; `row` of a row's number, and empty where the data give no name.
    pub name: String,
    /// What it is.
    pub role: ArgumentRole,
}

/// What an argument of the target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentRole {
    /// The key of the row that is the example.
    Key,
    /// The number of the row, as its table has no key.
    RowNumber,
    /// The key of a row of another table.
    ForeignKey,
    /// The class of the example, where there are many.
    Class,
    /// The time from which on the example sees nothing.
    CutOff,
    /// Another argument, of data that are no tables of a database.
    Other,
}

impl Dataset {
    /// Loads a file or folder in any layout that gleaner knows, recognised by its content; or what is in memory.
    ///
    /// # Errors
    ///
    /// Every fault of the data.
    pub fn open(source: impl Into<Source>) -> Result<Self, Error> {
        Self::reader(source).open()
    }

    /// Prepares to open data, as [`Dataset::open`] does, with choices of how to read them.
    pub fn reader(source: impl Into<Source>) -> DatasetReader {
        DatasetReader::of(source.into().0)
    }

    /// The data set with clauses that `srl` takes as features, in place of those that it would search.
    ///
    /// Clauses are texts, as for [`Dataset::evaluate`]; they replace those given before. If they were learnt from
    /// examples that a model is tested on, its figures are too good.
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`].
    pub fn with_feature_clauses(
        &self,
        clauses: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, Error> {
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

    /// Data that were read; learning reads nothing again but with the same request, without its limits.
    pub(super) fn of(loaded: Loaded, sources: Sources, request: LoadRequest, context: Context) -> Self {
        let request = LoadRequest { budget: Budget::default(), keeps_unlabelled: false, ..request };
        Self {
            problem: Arc::new(loaded.problem),
            diagnostics: loaded.warnings.into(),
            sources: Arc::new(sources),
            request: Arc::new(request),
            context,
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

    pub(super) const fn problem(&self) -> &Arc<Problem> {
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

    /// The target, as `advisedby/2`. Of a database its arguments depend on all tables: [`Dataset::arguments`] tells them.
    pub fn target(&self) -> String {
        self.problem.target().to_string()
    }

    /// The arguments of the target, in order, each with what it is.
    ///
    /// Of the tables of a database the first one is the key of the row, or else its number; then come the keys of the rows that it
    /// points to, the class if there are many, and the cut-off. So another table, or a column of times, may change the arity.
    ///
    /// ```
    /// use gleaner::{ArgumentRole, Dataset};
    ///
    /// let data = Dataset::reader("fixtures/kinds/won").label("labels.won").open()?;
    /// let roles: Vec<ArgumentRole> = data.arguments().iter().map(|argument| argument.role).collect();
    /// assert_eq!(roles, [ArgumentRole::RowNumber, ArgumentRole::ForeignKey, ArgumentRole::CutOff]);
    /// # Ok::<(), gleaner::Error>(())
    /// ```
    pub fn arguments(&self) -> Vec<Argument> {
        let problem = &self.problem;
        let argument = |name: &str, role| Argument { name: name.to_owned(), role };
        let schema = problem.schema().filter(|_| problem.table_rows().is_some());
        let Some(schema) = schema.and_then(DatabaseSchema::read) else {
            let role = |at| match Some(at) {
                at if at == problem.class_argument() => ArgumentRole::Class,
                at if at == problem.cut_off_argument() => ArgumentRole::CutOff,
                _ => ArgumentRole::Other,
            };
            let name = |at: usize| problem.argument_names().map_or("", |names| &names[at]);
            return (0..problem.examples().arity()).map(|at| argument(name(at), role(at))).collect();
        };
        let of = schema.examples();
        let named = |at, role| argument(schema.column_name(at), role);
        let own = schema.key(of.table).map(|key| named(key, ArgumentRole::Key));
        let own = own.unwrap_or_else(|| argument("row", ArgumentRole::RowNumber));
        let links = of.links.into_iter().map(|link| named(link, ArgumentRole::ForeignKey));
        let class = problem.class_argument().map(|_| argument(schema.label_name(), ArgumentRole::Class));
        let cut_off = of.cut_off.map(|at| named(at, ArgumentRole::CutOff));
        std::iter::once(own).chain(links).chain(class).chain(cut_off).collect()
    }

    /// How many examples are positive; of many classes, how many are of the first; of numbers, the upper half.
    pub fn n_positives(&self) -> usize {
        self.problem.examples().n_positives()
    }

    /// How many other examples have a label.
    pub fn n_negatives(&self) -> usize {
        self.problem.examples().len() - self.n_positives() - self.n_unlabelled()
    }

    /// How many examples have no label: learners leave them out, models predict them.
    pub fn n_unlabelled(&self) -> usize {
        let examples = self.problem.examples();
        examples.ids().filter(|&id| !examples.is_labelled(id)).count()
    }

    /// The examples, in an order that depends on their names alone: not that of files, nor of the rows of a table.
    pub fn examples(&self) -> impl Iterator<Item = Example> + '_ {
        let examples = self.problem.examples();
        examples.ids().map(|id| Example {
            text: self.problem.example_text(id),
            label: examples.is_labelled(id).then(|| examples.is_positive(id)),
            fold: examples.fold(id).map(|fold| self.problem.fold_name(fold).to_owned()),
        })
    }

    /// The names of the folds that the data came with; empty where folds are to be made.
    pub fn folds(&self) -> &[String] {
        self.problem.fold_names()
    }

    /// Warnings about data that load but look wrong.
    pub fn warnings(&self) -> Vec<Message> {
        messages(&self.diagnostics, &self.sources)
    }

    /// Lists the relations, the examples, the modes and the folds, as `gleaner inspect` does.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data; a context that ends the call.
    pub fn inspect(&self) -> Result<Answer, Error> {
        let session = Learner::default().session(self)?;
        let job = Inspect::default();
        let found = self.context.run_whole("the data were looked at", |means| job.run(&session, means))?;
        Ok(match found {
            Inspected::Data(answer) => Answer::of(&*answer),
            Inspected::Modes(modes) => Answer::of(&ModesAnswer { modes: &modes }),
        })
    }
}

impl fmt::Display for Dataset {
    /// The target and its examples, as `gleaner inspect` sums them up: by class, or the range of their numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&problem_line(&ProblemSummary::of(&self.labelled_problem())))?;
        match self.n_unlabelled() {
            0 => Ok(()),
            n => write!(f, "; {n} without a label"),
        }
    }
}
