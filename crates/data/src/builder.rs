//! A problem of facts in memory, without files.

use gleaner_base::ConstantId;
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, Span, quote_atom, quote_text};

use super::build::build;
use super::faults;
use super::formats::Format;
use super::frozen::Loaded;
use super::gather::{FileReading, Files, Gathered, Program, Role, read_text};
use super::provisional::number_text;
use super::request::LoadRequest;

/// A constant of a fact or example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'v> {
    /// A name, whatever its letters: `Value::Name("12")` is no number.
    Name(&'v str),
    /// A text, which is another constant than the name of the same letters.
    Text(&'v str),
    /// An integer.
    Integer(i64),
    /// A finite floating-point number.
    Float(f64),
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(name: &'v str) -> Self {
        Self::Name(name)
    }
}

impl<'v> From<&'v String> for Value<'v> {
    fn from(name: &'v String) -> Self {
        Self::Name(name)
    }
}

/// `true` and `false` are names.
impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Name(if value { "true" } else { "false" })
    }
}

macro_rules! integers {
    ($($of:ty),*) => {$(
        impl From<$of> for Value<'_> {
            fn from(value: $of) -> Self {
                Self::Integer(i64::from(value))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32);

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

/// A fact or example: a predicate's name and its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// The predicate's name; its arity is the number of arguments.
    pub predicate: &'r str,
    /// The arguments.
    pub arguments: &'r [Value<'r>],
    /// The fold; of none it holds for all.
    pub fold: Option<&'r str>,
}

impl<'r> Row<'r> {
    /// Of no fold.
    #[must_use]
    pub const fn new(predicate: &'r str, arguments: &'r [Value<'r>]) -> Self {
        Self { predicate, arguments, fold: None }
    }
}

/// Gathers facts, examples, rules and modes, of which [`ProblemBuilder::build`] makes a problem.
///
/// **Invariant**: the problem is that of files that say the same; the order of calls does not matter.
/// Rows have no place of their own, so that messages about them point to a source called `memory`.
///
/// # Example
///
/// ```
/// use gleaner_data::{LoadRequest, ProblemBuilder, Row};
///
/// let mut builder = ProblemBuilder::default();
/// builder.program("modes", ":- modeh(1, nice(+person)). :- modeb(*, likes(+person, -person)).");
/// builder.fact(Row::new("likes", &["ann".into(), "bob".into()]));
/// builder.example(Row::new("nice", &["ann".into()]), Some(true));
/// builder.example(Row::new("nice", &["bob".into()]), Some(false));
/// let problem = builder.build(&LoadRequest::default()).0.expect("a problem").problem;
/// assert_eq!((problem.examples.len(), problem.examples.n_positives()), (2, 1));
/// ```
#[derive(Debug)]
pub struct ProblemBuilder {
    gathered: Gathered,
    /// The texts that were added, which messages refer to.
    sources: Sources,
    /// The source that rows are said to be in.
    memory: FileId,
}

impl Default for ProblemBuilder {
    /// Nothing yet.
    fn default() -> Self {
        let mut sources = Sources::new();
        let memory = sources.add("memory", "facts and examples that no file holds");
        Self { gathered: Gathered::default(), sources, memory }
    }
}

impl ProblemBuilder {
    /// Adds a fact. Cost: a look-up for each argument.
    pub fn fact(&mut self, row: Row<'_>) -> &mut Self {
        if let Some(arguments) = self.constants(row.arguments) {
            let fold = row.fold.map(|name| self.gathered.fold_named(name));
            let predicate = self.gathered.symbols.predicate(row.predicate, arguments.len());
            let place = self.place();
            self.gathered.first_facts.entry(predicate).or_insert(place);
            self.gathered.add_fact(predicate, &arguments, fold);
        }
        self
    }

    /// Adds an example of a class, or one whose class is not known, which can be scored only.
    pub fn example(&mut self, row: Row<'_>, label: Option<bool>) -> &mut Self {
        if let Some(arguments) = self.constants(row.arguments) {
            let fold = row.fold.map(|name| self.gathered.fold_named(name));
            let predicate = self.gathered.symbols.predicate(row.predicate, arguments.len());
            let place = self.place();
            self.gathered.add_example(predicate, &arguments, label == Some(true), fold, place);
            if label.is_none() {
                self.gathered.forget_last_class();
            }
        }
        self
    }

    /// Adds what a file of background or modes may hold: rules, facts, modes, determinations and settings.
    /// Messages call the text `name`.
    pub fn program(&mut self, name: &str, text: &str) -> &mut Self {
        let id = self.sources.add(name, text);
        let mut reading = FileReading::new(&mut self.gathered, name.as_ref(), id, Role::Background, None);
        read_text(text, &mut Program, &mut reading);
        reading.tell_faults();
        self
    }

    /// The problem, or every fault of what was added with the warnings beside them; and the texts that messages
    /// refer to. Of the request all counts but what is about files: `path`, `format`, `modes` and `background`.
    pub fn build(mut self, request: &LoadRequest) -> (Result<Loaded, Vec<Diagnostic>>, Sources) {
        self.gathered.query = request.target.clone();
        self.gathered.finish(0);
        (build(request, Format::Own, &Files::default(), self.gathered), self.sources)
    }

    const fn place(&self) -> Place {
        Place::new(self.memory, Span::new(0, 0))
    }

    /// The constants of these values; none, and a message, where a number is not finite.
    fn constants(&mut self, values: &[Value<'_>]) -> Option<Vec<ConstantId>> {
        let constants: Option<Vec<ConstantId>> = values.iter().map(|&value| self.constant(value)).collect();
        if constants.is_none() {
            let fault = faults::unsupported(self.place(), "a number that is not finite");
            self.gathered.diagnostics.push(fault);
        }
        constants
    }

    fn constant(&mut self, value: Value<'_>) -> Option<ConstantId> {
        let symbols = &mut self.gathered.symbols;
        let mut number = |number| symbols.constant(&number_text(number), Some(number));
        match value {
            Value::Integer(value) => Some(number(Number::Integer(value))),
            Value::Float(value) => value.is_finite().then(|| number(Number::Float(value))),
            Value::Name(name) => Some(symbols.constant(&quote_atom(name), None)),
            Value::Text(text) => Some(symbols.constant(&quote_text(text), None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ProblemBuilder, Row, Value};
    use crate::{LoadRequest, Problem, load};
    use gleaner_lang::syntax::{Sources, codes};

    const MODES: &str = ":- modeh(1, nice(+person)).\n:- modeb(*, likes(+person, -person)).\n\
                         :- modeb(*, age(+person, -years)).\n";

    fn of_memory(add: impl FnOnce(&mut ProblemBuilder)) -> Problem {
        let mut builder = ProblemBuilder::default();
        add(&mut builder);
        builder.build(&LoadRequest::default()).0.expect("it loads").problem
    }

    fn shown(problem: &Problem) -> String {
        format!("{:?} {:?} {:?} {:?}", problem.symbols, problem.examples, problem.worlds, problem.modes)
    }

    #[test]
    fn what_is_in_memory_is_what_files_say() {
        let folder = tempfile::tempdir().expect("a folder");
        let background = "likes(ann,bob).\nlikes('Bob',ann).\nage(ann,41).\nage(bob,2.5).\nage(bob,\"old\").\n\
                          liked(A) :- likes(_, A).\n";
        let files = [
            ("background.pl", background),
            ("modes.pl", MODES),
            ("pos.pl", "nice(ann)."),
            ("neg.pl", "nice(bob)."),
        ];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("the file is written");
        }
        let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        let of_files = load(&request, &mut Sources::new()).expect("it loads").problem;
        let of_memory = of_memory(|builder| {
            builder.example(Row::new("nice", &["bob".into()]), Some(false));
            builder.example(Row::new("nice", &["ann".into()]), Some(true));
            builder.program("rules", "liked(A) :- likes(_, A).").program("modes", MODES);
            builder.fact(Row::new("age", &["bob".into(), Value::Text("old")]));
            builder.fact(Row::new("age", &["bob".into(), 2.5.into()]));
            builder.fact(Row::new("age", &["ann".into(), 41.into()]));
            builder.fact(Row::new("likes", &["Bob".into(), "ann".into()]));
            builder.fact(Row::new("likes", &["ann".into(), "bob".into()]));
        });
        assert_eq!(shown(&of_memory), shown(&of_files));
    }

    #[test]
    fn classes_and_folds_need_not_be_known() {
        let problem = of_memory(|builder| {
            builder.program("modes", MODES).fact(Row::new("likes", &["ann".into(), "bob".into()]));
            builder.fact(Row::new("age", &["ann".into(), 3.into()]));
            builder.example(Row { fold: Some("b"), ..Row::new("nice", &["ann".into()]) }, None);
            builder.example(Row { fold: Some("a"), ..Row::new("nice", &["bob".into()]) }, None);
        });
        assert_eq!((problem.examples.len(), problem.examples.are_labelled()), (2, false));
        assert_eq!(problem.fold_names, ["a", "b"]);
    }

    #[test]
    fn numbers_that_are_none_are_told() {
        let mut builder = ProblemBuilder::default();
        builder.program("modes", MODES).fact(Row::new("age", &["ann".into(), f64::NAN.into()]));
        builder.fact(Row::new("likes", &["ann".into(), "bob".into()]));
        builder.example(Row::new("nice", &["ann".into()]), Some(true));
        builder.example(Row::new("nice", &["bob".into()]), Some(false));
        let faults = builder.build(&LoadRequest::default()).0.expect_err("a number is not finite");
        assert_eq!(faults[0].code(), codes::UNSUPPORTED);
    }
}
