//! A problem of facts in memory, without files.

use std::collections::BTreeMap;

use gleaner_lang::program::NumberSource;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources};

use crate::build::{build, finished};
use crate::faults;
use crate::formats::Format;
use crate::gather::{Class, FileReading, Files, Gathering, Program, Role, read_text};
use crate::problem::Loaded;
use crate::request::LoadRequest;
use crate::rows::{CellValue, MemoryTable, RowParts, TableName, read_table, take_row};

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
    /// No value, as in an empty cell of a table.
    Missing,
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

impl<'v, V: Into<Self>> From<Option<V>> for Value<'v> {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl<'v> From<Value<'v>> for CellValue<'v> {
    fn from(value: Value<'v>) -> Self {
        match value {
            Value::Name(name) => Self::Name(name),
            Value::Text(text) => Self::Text(text),
            Value::Integer(value) => Self::Integer(value),
            Value::Float(value) => Self::Float(value),
            Value::Missing => Self::Missing,
        }
    }
}

/// A fact or example: a predicate's name and its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// The predicate's name; its arity is the number of arguments.
    pub predicate: &'r str,
    /// The arguments.
    pub arguments: &'r [Value<'r>],
    /// The fold; a row without a fold holds for all folds.
    pub fold: Option<&'r str>,
}

impl<'r> Row<'r> {
    /// A row without a fold.
    pub const fn new(predicate: &'r str, arguments: &'r [Value<'r>]) -> Self {
        Self { predicate, arguments, fold: None }
    }
}

/// A table without its rows.
#[derive(Clone, Copy, Debug)]
pub struct TableHead<'t> {
    /// The table's predicate; messages name the table by it.
    pub name: &'t str,
    /// The names of the columns.
    pub columns: &'t [&'t str],
    /// The fold of the rows that name none.
    pub fold: Option<&'t str>,
}

/// Gathers facts, examples, rules and modes; [`ProblemBuilder::build`] makes a problem of them.
///
/// **Invariant**: the problem equals that of files that say the same; the order of calls does not matter. Messages name
/// a fact or example by its predicate and number: `likes/2: row 3, column 2`.
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
/// assert_eq!((problem.examples().len(), problem.examples().n_positives()), (2, 1));
/// ```
#[derive(Debug, Default)]
pub struct ProblemBuilder {
    gathering: Gathering,
    /// The added texts and tables, for messages.
    sources: Sources,
    /// The table of facts and examples of each predicate, by name and arity, with its number of rows.
    rows: BTreeMap<(String, usize), (FileId, u64)>,
}

impl ProblemBuilder {
    /// Adds a fact. Cost: a look-up for each argument.
    pub fn fact(&mut self, row: Row<'_>) -> &mut Self {
        self.row(row, Class::NotSaid)
    }

    /// Adds an example of a class, or one whose class is not known, which can be scored only.
    pub fn example(&mut self, row: Row<'_>, label: Option<bool>) -> &mut Self {
        self.row(row, label.map_or(Class::Unknown, Class::Known))
    }

    fn row(&mut self, Row { predicate, arguments, fold }: Row<'_>, class: Class) -> &mut Self {
        let key = (predicate.to_owned(), arguments.len());
        let (file, n_rows) = self.rows.entry(key).or_insert_with(|| {
            (self.sources.add_table(format!("{predicate}/{}", arguments.len()), Vec::new()), 0)
        });
        *n_rows += 1;
        let place = |column| Place::Row(*file, *n_rows, column);
        let fold = fold.map_or(CellValue::Missing, |name| CellValue::String(name.into()));
        let row = RowParts { predicate, class, fold, place: place(None) };
        let mut reading = FileReading::new(&mut self.gathering, "".as_ref(), *file, Role::Mixed);
        let values = arguments.iter().map(|&value| value.into());
        if let Err((argument, refusal)) = take_row(&row, values, &mut reading) {
            let column = argument.and_then(|argument| u32::try_from(argument).ok());
            reading.tell(faults::unsupported(place(column), &refusal.what));
        }
        self
    }

    /// Adds a table as if it were read from the CSV file of its name. The columns `label` and `fold` have their
    /// meaning; any other is an argument of the type that it names. Cost: a look-up for each cell.
    pub fn table<'v>(
        &mut self,
        table: TableHead<'_>,
        rows: impl Iterator<Item = Vec<Value<'v>>>,
    ) -> &mut Self {
        let TableHead { name, columns, fold } = table;
        let file = self.sources.add_table(name, columns.iter().map(|&column| column.to_owned()).collect());
        let mut reading = FileReading::new(&mut self.gathering, name.as_ref(), file, Role::Mixed);
        reading.fold = fold.map(|name| reading.fold_named(name));
        let rows = rows.map(|row| row.into_iter().map(CellValue::from).collect());
        let name = TableName { predicate: name.to_owned(), arity: None, ending: String::new() };
        read_table(&name, MemoryTable::new(file, columns, rows), &mut reading);
        self
    }

    /// Takes the labels of the tables that follow as numbers, for a request whose target is a number.
    pub const fn take_numbers_as_labels(&mut self) -> &mut Self {
        self.gathering.notes.number_asked = Some(NumberSource::Label);
        self
    }

    /// Adds statements of a file of background or modes: rules, facts, modes, determinations and settings. Messages
    /// call the text `name`.
    pub fn program(&mut self, name: &str, text: &str) -> &mut Self {
        let id = self.sources.add(name, text);
        let mut reading = FileReading::new(&mut self.gathering, name.as_ref(), id, Role::Background);
        read_text(text, &mut Program, &mut reading);
        reading.tell_faults();
        self
    }

    /// Gives the problem with its warnings, or every fault with the warnings beside it; and the texts that messages
    /// refer to. It ignores the parts of the request that concern files: `path`, `format`, `modes` and `background`.
    pub fn build(self, request: &LoadRequest) -> (Result<Loaded, Vec<Diagnostic>>, Sources) {
        let mut gathered = finished(self.gathering);
        gathered.statements.declarations.query.clone_from(&request.target);
        (build(&request.of_build(), Format::Own, &Files::default(), gathered), self.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::{ProblemBuilder, Row, TableHead, Value};
    use crate::{LoadRequest, Problem, load};
    use gleaner_lang::syntax::{Diagnostic, Sources, codes};

    const MODES: &str = ":- modeh(1, nice(+person)).\n:- modeb(*, likes(+person, -person)).\n\
                         :- modeb(*, age(+person, -years)).\n";

    fn of_memory(add: impl FnOnce(&mut ProblemBuilder)) -> Problem {
        let mut builder = ProblemBuilder::default();
        add(&mut builder);
        builder.build(&LoadRequest::default()).0.expect("it loads").problem
    }

    fn shown(problem: &Problem) -> String {
        format!(
            "{:?} {:?} {:?} {:?}",
            problem.symbols(),
            problem.examples(),
            problem.worlds(),
            problem.modes()
        )
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
        assert_eq!((problem.examples().len(), problem.examples().are_labelled()), (2, false));
        assert_eq!(problem.fold_names(), ["a", "b"]);
    }

    #[test]
    fn a_table_in_memory_is_the_csv_file_of_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [
            ("age.csv", "person,years\nann,41\nbob,\n"),
            ("likes.csv", "person,person\nann,bob\nBob,ann\n"),
            ("nice.csv", "person,Label,fold\nann,yes,a\nbob,0,a\ncleo,no,\n"),
            ("modes.pl", MODES),
        ];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("the file is written");
        }
        let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        let of_files = load(&request, &mut Sources::new()).expect("it loads").problem;
        let of_memory = of_memory(|builder| {
            let table = |name, columns| TableHead { name, columns, fold: None };
            let age = [vec!["ann".into(), 41.into()], vec!["bob".into(), Value::Missing]];
            builder.table(table("age", &["person", "years"]), age.into_iter());
            let likes = [vec!["ann".into(), "bob".into()], vec!["Bob".into(), "ann".into()]];
            builder.table(table("likes", &["person", "person"]), likes.into_iter());
            let nice = [
                vec!["ann".into(), true.into(), "a".into()],
                vec!["bob".into(), 0.into(), "a".into()],
                vec!["cleo".into(), "no".into(), Value::Missing],
            ];
            builder
                .table(table("nice", &["person", "Label", "fold"]), nice.into_iter())
                .program("modes", MODES);
        });
        assert_eq!(shown(&of_memory), shown(&of_files));
        assert_eq!(of_memory.argument_names(), of_files.argument_names());
        assert_eq!(of_memory.fold_names(), ["a"]);
    }

    #[test]
    fn faults_say_row_and_column() {
        let mut builder = ProblemBuilder::default();
        builder.program("modes", MODES).fact(Row::new("age", &["ann".into(), 41.into()]));
        builder.fact(Row::new("age", &["bob".into(), f64::NAN.into()]));
        let rows = [
            vec!["ann".into(), Value::from(None::<i32>), true.into()],
            vec!["bob".into(), f64::INFINITY.into(), false.into()],
            vec!["cleo".into(), 3.into(), "perhaps".into()],
            vec!["dan".into(), 3.into()],
        ];
        builder.table(
            TableHead { name: "nice", columns: &["person", "years", "label"], fold: None },
            rows.into_iter(),
        );
        let (built, sources) = builder.build(&LoadRequest::default());
        let faults = built.expect_err("a number is not finite");
        let place = |fault: &Diagnostic| fault.labels().first().map(|label| sources.in_words(label.place()));
        let told: Vec<_> = faults.iter().map(|fault| (fault.code(), place(fault))).collect();
        for (code, place) in [
            (codes::UNSUPPORTED, "age/2: row 2, column 2"),
            (codes::MALFORMED_TABLE, "nice: row 2, column years"),
            (codes::MALFORMED_TABLE, "nice: row 4"),
            (codes::MISSING_CELLS, "nice: row 1, column years"),
            (codes::MALFORMED_TABLE, "nice: row 3, column label"),
        ] {
            assert!(told.contains(&(code, Some(place.to_owned()))), "{place} is not in {told:?}");
        }
    }
}
