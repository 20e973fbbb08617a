//! The interface between reading in general and one layout: how the layout reads the text of a file.
//!
//! The files of a data set and their roles.

use std::path::{Path, PathBuf};

use gleaner_base::Budget;
use gleaner_lang::program::{NumberSource, TargetName};
use gleaner_lang::syntax::ast::{Statement, Term};
use gleaner_lang::syntax::{Diagnostic, PlainFact, ProgramSink, Sources, Span, SyntaxFault, read_program};

use crate::gather::declarations::{ClassRequest, Division};
use crate::gather::gathered::Habits;
use crate::gather::reading::{FileReading, Role};
use crate::gather::statements::is_uncertain;
use crate::tables::DatabaseRequest;
use crate::tables::store::Content;

/// Reads one file of a layout. Each file gets its own reader, which may keep state.
///
/// The default methods read a program in the common grammar, block by block.
pub(crate) trait FileReader {
    /// Whether the file is a program in the common grammar. If not, [`FileReader::file`] reads all of it at once.
    fn is_program(&self) -> bool {
        true
    }

    /// Whether a statement that looks like a fact is one. If not, all statements go to [`FileReader::statement`].
    fn has_plain_facts(&self) -> bool {
        true
    }

    /// Names of statements that look like facts but are none: they go to [`FileReader::statement`].
    fn keywords(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reads a whole file; gives the files that it imports. The places of a binary file are rows.
    ///
    /// # Errors
    ///
    /// Why the file cannot be read.
    fn file(
        &mut self,
        path: &Path,
        sources: &mut Sources,
        reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        let id = sources.load_data(path)?;
        if sources.get(id).is_replaced() {
            reading.is_replaced = true;
        }
        Ok(self.text(sources.get(id).text(), reading))
    }

    /// Reads a whole text; gives the files that it imports.
    fn text(&mut self, text: &str, reading: &mut FileReading<'_>) -> Vec<String> {
        read_text(text, self, reading);
        Vec::new()
    }

    /// Takes a statement with a special meaning in this layout; false leaves it to the common meaning.
    fn statement(&mut self, _statement: &Statement<'_>, _reading: &mut FileReading<'_>) -> bool {
        false
    }

    /// Takes a goal of a directive with a special meaning in this layout; false leaves it to the common meaning.
    fn directive(&mut self, _goal: &Term<'_>, _reading: &mut FileReading<'_>) -> bool {
        false
    }

    /// Called at the end of the file.
    fn finish(&mut self, _reading: &mut FileReading<'_>) {}
}

/// Makes the reader of a file.
pub(crate) type MakeReader = fn() -> Box<dyn FileReader>;

/// Makes a reader of this kind.
pub(crate) fn make<R: FileReader + Default + 'static>() -> Box<dyn FileReader> {
    Box::new(R::default())
}

/// Makes the reader of a file that is no program and imports nothing: `read` gets all of its text.
pub(crate) fn whole(read: ReadWhole) -> Box<dyn FileReader> {
    Box::new(Whole(read))
}

/// Reads a whole text.
type ReadWhole = fn(&str, &mut FileReading<'_>);

struct Whole(ReadWhole);

impl FileReader for Whole {
    fn is_program(&self) -> bool {
        false
    }

    fn text(&mut self, text: &str, reading: &mut FileReading<'_>) -> Vec<String> {
        (self.0)(text, reading);
        Vec::new()
    }
}

/// A program in the common grammar, nothing else.
#[derive(Debug, Default)]
pub(crate) struct Program;

impl FileReader for Program {}

/// Reads a program from memory.
pub(crate) fn read_text<R: FileReader + ?Sized>(text: &str, reader: &mut R, reading: &mut FileReading<'_>) {
    read_program(text, &mut Sink { reader, reading });
}

/// Takes a statement by the reader's meaning, or else by the common one.
pub(crate) fn read_statement<R: FileReader + ?Sized>(
    statement: &Statement<'_>,
    reader: &mut R,
    reading: &mut FileReading<'_>,
) {
    if let Some(head) = statement.head.as_ref().filter(|head| is_uncertain(head)) {
        reading.uncertain.add(reading.place(head.span));
        return;
    }
    if reader.statement(statement, reading) {
        return;
    }
    let declared = reading.declared(statement);
    if declared.is_none()
        && (statement.head.is_some() || matches!(reading.role, Role::Positives | Role::Negatives))
    {
        return reading.statement(statement);
    }
    for goal in declared.into_iter().chain(&statement.body) {
        if !reader.directive(goal, reading) {
            reading.directive(goal);
        }
    }
}

/// Passes on the statements of a file: plain facts straight into the tables, all others to the reader.
pub(super) struct Sink<'s, 'r, R: ?Sized> {
    pub(super) reader: &'s mut R,
    pub(super) reading: &'s mut FileReading<'r>,
}

impl<R: FileReader + ?Sized> ProgramSink for Sink<'_, '_, R> {
    fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
        let is_plain = self.reading.control.is_plain() && fact.name != "end_of_file";
        is_plain && self.reading.plain_fact(fact, start)
    }

    fn statement(&mut self, statement: &Statement<'_>, start: usize) {
        self.reading.begin_statement(start);
        if self.reading.is_left_unread(statement) {
            return;
        }
        let requoted = self.reading.with_quotes(statement);
        read_statement(requoted.as_ref().unwrap_or(statement), self.reader, self.reading);
    }

    fn fault(&mut self, fault: &SyntaxFault, start: usize) {
        if self.reading.control.is_ended() {
            return;
        }
        let span = fault.span();
        if fault.is_probability() {
            self.reading.begin_statement(start);
            self.reading.uncertain.add(self.reading.place(span));
        } else if self.reading.is_replaced && fault.is_replacement() {
            self.reading.tell_not_utf8(Span::new(start + span.start, start + span.end));
        } else {
            self.reading.tell_fault(fault, start);
        }
    }

    fn replaced(&mut self) {
        self.reading.is_replaced = true;
    }

    fn is_hopeless(&self) -> bool {
        self.reading.faults.is_full()
    }
}

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
    /// What it holds, if that stands in memory and the path is only a name.
    pub(crate) content: Option<Content>,
}

impl DataFile {
    /// A global program in the common grammar.
    pub(crate) fn new(path: PathBuf, role: Role) -> Self {
        let reader = make::<Program>;
        Self {
            path,
            role,
            fold: None,
            reader,
            is_named: false,
            imported_by: None,
            table: None,
            content: None,
        }
    }

    /// A global file; its reader decides what its parts mean.
    pub(crate) fn read_by(path: PathBuf, reader: MakeReader) -> Self {
        Self { reader, ..Self::new(path, Role::Mixed) }
    }

    /// What stands in memory under a name, to be read by this reader.
    pub(crate) fn in_memory(name: &str, content: Content, reader: MakeReader) -> Self {
        Self { content: Some(content), ..Self::read_by(name.into(), reader) }
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
    /// Whether labels may be missing.
    pub(crate) keeps_unlabelled: bool,
    /// Ends reading.
    pub(crate) budget: Budget,
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
