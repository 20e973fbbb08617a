//! A data set made in memory.

use gleaner_data::{LoadRequest, ProblemBuilder, Row, TableHead, Value};
use gleaner_lang::program::{NumberSource, TargetName};

use super::{Dataset, Error};

/// Gathers facts, rules, modes and examples; [`DatasetBuilder::build`] makes a [`Dataset`] of them.
///
/// The data set equals that of files with the same content. The order of calls does not matter.
///
/// # Example
///
/// ```
/// use gleaner::Dataset;
///
/// let mut builder = Dataset::builder();
/// builder.mode("modeh(1, nice(+person))").mode("modeb(*, likes(+person, -person))");
/// builder.fact("likes", ["ann", "bob"]).fact("likes", ["cleo", "ann"]);
/// builder.positive("nice", ["ann"]).negative("nice", ["bob"]).unlabelled("nice", ["cleo"]);
/// let data = builder.build()?;
/// assert_eq!((data.n_positives(), data.n_negatives(), data.n_unlabelled()), (1, 1, 1));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct DatasetBuilder {
    builder: ProblemBuilder,
    fold: Option<String>,
    request: LoadRequest,
}

impl DatasetBuilder {
    /// Adds a fact. Arguments are names, numbers, or [`Value`]s.
    pub fn fact<'v, A>(&mut self, predicate: &str, arguments: A) -> &mut Self
    where
        A: IntoIterator,
        A::Item: Into<Value<'v>>,
    {
        let arguments: Vec<Value<'v>> = arguments.into_iter().map(Into::into).collect();
        let row = Row { fold: self.fold.as_deref(), ..Row::new(predicate, &arguments) };
        self.builder.fact(row);
        self
    }

    /// Adds a table, as a CSV file of this name would be read.
    ///
    /// A row is a fact of the predicate `name`, or an example if a column is called `label`. The other columns are
    /// arguments, with the types that the columns' names give. A column `fold` names the fold of each row. A cell
    /// without a value is [`Value::Missing`], or `None`. Messages name row and column.
    ///
    /// ```
    /// use gleaner::{Dataset, Value};
    ///
    /// let mut builder = Dataset::builder();
    /// builder.mode("modeh(1, nice(+person))").mode("modeb(*, age(+person, -years))");
    /// builder.table("age", &["person", "years"], [["ann".into(), Value::from(41)], ["bob".into(), 7.into()]]);
    /// builder.table("nice", &["person", "label"], [["ann".into(), Value::from(true)], ["bob".into(), "perhaps".into()]]);
    /// let error = builder.build().unwrap_err();
    /// assert!(error.to_string().contains("nice: row 2, column label"));
    /// ```
    pub fn table<'v, R>(&mut self, name: &str, columns: &[&str], rows: R) -> &mut Self
    where
        R: IntoIterator,
        R::Item: IntoIterator,
        <R::Item as IntoIterator>::Item: Into<Value<'v>>,
    {
        let rows = rows.into_iter().map(|row| row.into_iter().map(Into::into).collect());
        self.builder.table(TableHead { name, columns, fold: self.fold.as_deref() }, rows);
        self
    }

    /// Adds a positive example of the target.
    pub fn positive<'v, A>(&mut self, target: &str, arguments: A) -> &mut Self
    where
        A: IntoIterator,
        A::Item: Into<Value<'v>>,
    {
        self.example(target, arguments, Some(true))
    }

    /// Adds a negative example of the target.
    pub fn negative<'v, A>(&mut self, target: &str, arguments: A) -> &mut Self
    where
        A: IntoIterator,
        A::Item: Into<Value<'v>>,
    {
        self.example(target, arguments, Some(false))
    }

    /// Adds an example whose label is not known: learners leave it out, models score it.
    pub fn unlabelled<'v, A>(&mut self, target: &str, arguments: A) -> &mut Self
    where
        A: IntoIterator,
        A::Item: Into<Value<'v>>,
    {
        self.example(target, arguments, None)
    }

    fn example<'v, A>(&mut self, target: &str, arguments: A, label: Option<bool>) -> &mut Self
    where
        A: IntoIterator,
        A::Item: Into<Value<'v>>,
    {
        let arguments: Vec<Value<'v>> = arguments.into_iter().map(Into::into).collect();
        let row = Row { fold: self.fold.as_deref(), ..Row::new(target, &arguments) };
        self.builder.example(row, label);
        self
    }

    /// Adds a mode: `modeh(1, advisedby(+person, +person))` or `modeb(*, publication(-title, +person))`.
    pub fn mode(&mut self, mode: &str) -> &mut Self {
        self.builder.program("modes", &format!(":- {}.", without_stop(mode)));
        self
    }

    /// Adds a rule, as `coauthor(A,B) :- publication(T,A), publication(T,B)`.
    pub fn rule(&mut self, rule: &str) -> &mut Self {
        self.builder.program("rules", &format!("{}.", without_stop(rule)));
        self
    }

    /// Adds the text of a file: facts, rules, modes and settings.
    pub fn program(&mut self, text: &str) -> &mut Self {
        self.builder.program("program", text);
        self
    }

    /// Adds everything that follows to this fold. Only the examples of a fold know its facts.
    pub fn fold(&mut self, name: &str) -> &mut Self {
        self.fold = Some(name.to_owned());
        self
    }

    /// Adds everything that follows to no fold: its facts hold for all examples.
    pub fn no_fold(&mut self) -> &mut Self {
        self.fold = None;
        self
    }

    /// The target, where examples of several predicates are added.
    pub fn target(&mut self, name: &str, arity: usize) -> &mut Self {
        self.request.target = Some(TargetName { name: name.to_owned(), arity: Some(arity) });
        self
    }

    /// The target is a number: the argument that holds it, from 1. Examples are added as positives or as facts.
    pub fn number_argument(&mut self, argument: usize) -> &mut Self {
        self.request.number = argument.checked_sub(1).map(NumberSource::Argument);
        self
    }

    /// The target is a number: the column `label` of tables that are added from now on holds it.
    pub fn number_label(&mut self) -> &mut Self {
        self.request.number = Some(NumberSource::Label);
        self.builder.take_numbers_as_labels();
        self
    }

    /// Builds the data set from everything that was added, and empties the builder.
    ///
    /// # Errors
    ///
    /// Every fault of the added parts.
    pub fn build(&mut self) -> Result<Dataset, Error> {
        let Self { builder, request, .. } = std::mem::take(self);
        let request = LoadRequest { rng_seed: 1, ..request };
        let (built, sources) = builder.build(&request);
        match built {
            Ok(loaded) => Ok(Dataset::of(loaded, &sources, &request)),
            Err(diagnostics) => Err(Error::faults(diagnostics, sources)),
        }
    }
}

impl Dataset {
    /// A data set made in memory, statement by statement.
    #[must_use]
    pub fn builder() -> DatasetBuilder {
        DatasetBuilder::default()
    }
}

/// A statement without its full stop, if it has one.
fn without_stop(statement: &str) -> &str {
    let statement = statement.trim();
    statement.strip_suffix('.').unwrap_or(statement).trim_start_matches(":-").trim()
}
