//! Clauses from outside the problem: read as text, checked against the problem's symbols.
//!
//! A file of clauses may have any length, so it is read block by block (`stream`). A single clause of a
//! command line is checked alone (`check`). Faults keep the lines that they point into.
//!
//! Clauses as texts, bound to the names of one data set.
//!
//! A model holds texts. To score a data set, its clauses get the ids of that data set's names. Constants that the data
//! lack get later ids, so that no other id changes.

mod ascending;
mod check;
mod examples;
mod stream;

use std::sync::Arc;

use crate::Problem;
use crate::aggregates::add_aggregates;
use crate::provisional::number_text;
use crate::train_rules::add_facts;
use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_engine::datalog::{Background, NumberTable};
use gleaner_engine::relation::Relation;
use gleaner_lang::program::lower::{LateRelation, Names, Widened};
use gleaner_lang::program::symbols::Constants;
use gleaner_lang::program::{
    Clause, FactTable, Literal, Number, PredicateName, Rows, SharedSymbols, Symbols,
};
use gleaner_lang::syntax::{Code, Diagnostic, Sources, Span, SyntaxFault, codes};

use ascending::ascending_values;
use examples::find_rows_of_examples;
use stream::Block;

pub use check::{Checker, ReadClause, WrittenClause, usable_predicates};
pub use stream::{ClauseReader, Next};

/// A problem's symbols and facts, followed by what only clauses name.
#[derive(Clone, Debug)]
pub struct Widening {
    symbols: SharedSymbols,
    /// The rows of each aggregate that only clauses have, by world.
    late: Vec<Vec<Arc<Relation>>>,
}

impl Widening {
    /// What the names of some clauses add to a problem.
    pub fn new(problem: &Problem, names: &Widened<'_>) -> Self {
        if names.further().is_empty() && names.late().is_empty() {
            return Self { symbols: Arc::clone(problem.symbols()), late: Vec::new() };
        }
        let late = names.late().iter().map(|late| relations(&late.rows)).collect();
        Self::with_relations(problem, names, problem.symbols().constants.widened(names.further()), late)
    }

    /// The same, where searches look for thresholds of the aggregates' values: ids of these ascend with the numbers.
    fn for_searches(problem: &Problem, names: &Widened<'_>) -> Self {
        let mut constants = problem.symbols().constants.widened(names.further());
        let ascending = |late: &LateRelation| {
            let rows;
            (constants, rows) = ascending_values(std::mem::take(&mut constants), &late.rows);
            relations(&rows)
        };
        let late = names.late().iter().map(ascending).collect();
        Self::with_relations(problem, names, constants, late)
    }

    /// The symbols of the problem with these constants, and these relations in each world.
    fn with_relations(
        problem: &Problem,
        names: &Widened<'_>,
        constants: Constants,
        late: Vec<Vec<Arc<Relation>>>,
    ) -> Self {
        let known = problem.symbols();
        let n_known = known.predicates.len();
        let late_names = || names.late().iter().map(|late| late.name.clone());
        let predicates: Vec<PredicateName> = known.predicates.iter().cloned().chain(late_names()).collect();
        let aggregates: Vec<PredicateId> = known
            .aggregates
            .keys()
            .copied()
            .chain((n_known..predicates.len()).map(PredicateId::new))
            .collect();
        let symbols = Symbols {
            constants,
            n_late: known.n_late + names.late().len(),
            predicates,
            types: known.types.clone(),
            aggregates: FixedMap::default(),
            unordered: known.unordered.clone(),
        };
        Self { symbols: Arc::new(symbols.with_aggregates(aggregates)), late }
    }

    /// The symbols.
    pub const fn symbols(&self) -> &SharedSymbols {
        &self.symbols
    }

    /// The problem's worlds over these symbols.
    pub fn worlds(&self, problem: &Problem) -> Vec<Background> {
        let world = |(idx, world): (usize, &Background)| {
            let late = self.late.iter().map(|of_worlds| Arc::clone(&of_worlds[idx])).collect();
            world.widened(Arc::clone(&self.symbols), late)
        };
        problem.worlds().iter().enumerate().map(world).collect()
    }
}

/// The rows of one relation in each world, indexed.
fn relations(of_worlds: &[Rows]) -> Vec<Arc<Relation>> {
    of_worlds.iter().map(|rows| Arc::new(Relation::new(rows))).collect()
}

/// Clauses over the names of a problem, and its facts under those names.
#[derive(Debug)]
pub struct Binding {
    clauses: Vec<Clause>,
    symbols: SharedSymbols,
    worlds: Vec<Background>,
}

impl Binding {
    /// Binds clauses of the problem's target, in the order given. `is_usable` states for each predicate id whether they
    /// may use it. Aggregates have the values that these clauses ask for.
    ///
    /// # Errors
    ///
    /// Every clause that the problem cannot evaluate, with all its faults.
    pub fn of<I>(problem: &Problem, is_usable: &[bool], texts: I) -> Result<Self, ClauseFaults>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        Self::widened(problem, is_usable, texts, false, &Widening::new)
    }

    /// As [`Self::of`], for searches for other clauses with these aggregates: thresholds of their values may be swept. With `any_groups`
    /// they have the values of all groups. A value that a clause names, as in `aggregate_all(count, …, 3)`, is not found.
    ///
    /// # Errors
    ///
    /// Every clause that the problem cannot evaluate, with all its faults.
    pub fn for_searches<I>(
        problem: &Problem,
        is_usable: &[bool],
        texts: I,
        any_groups: bool,
    ) -> Result<Self, ClauseFaults>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        Self::widened(problem, is_usable, texts, any_groups, &Widening::for_searches)
    }

    fn widened<I>(
        problem: &Problem,
        is_usable: &[bool],
        texts: I,
        any_groups: bool,
        widening: &dyn Fn(&Problem, &Widened<'_>) -> Widening,
    ) -> Result<Self, ClauseFaults>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let texts: Vec<I::Item> = texts.into_iter().collect();
        let mut checker = Checker::of_many(problem, is_usable);
        let mut clauses = read_all(&mut checker, &texts)?;
        if !any_groups {
            find_rows_of_examples(problem, &clauses, checker.names());
        }
        if checker.find_rows().is_err() {
            // Found clause by clause, the fault has its place.
            checker = Checker::new(problem, is_usable);
            clauses = read_all(&mut checker, &texts)?;
        }
        let widening = widening(problem, checker.names());
        Ok(Self { clauses, worlds: widening.worlds(problem), symbols: Arc::clone(widening.symbols()) })
    }

    /// The clauses over the bound symbols.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The worlds over the bound symbols.
    pub fn worlds(&self) -> &[Background] {
        &self.worlds
    }

    /// The problem over the bound symbols; it must have the same target.
    pub fn bound(&self, problem: &Problem) -> Problem {
        problem.with_facts(Arc::clone(&self.symbols), self.worlds.clone())
    }
}

/// Reads clauses in order. Gives the faults of the first that has some.
fn read_all(checker: &mut Checker<'_>, texts: &[impl AsRef<str>]) -> Result<Vec<Clause>, ClauseFaults> {
    let (mut clauses, mut first_faults) = (Vec::with_capacity(texts.len()), None);
    for (at, text) in texts.iter().enumerate() {
        match checker.read_one(&format!("clause {}", at + 1), text.as_ref()) {
            Ok(written) => clauses.push(written.read.clause),
            Err(faults) => first_faults = first_faults.or(Some(faults)),
        }
    }
    first_faults.map_or(Ok(clauses), Err)
}

/// The most rows of a clause's aggregates, in all worlds together.
const MOST_ROWS: usize = 20_000_000;

/// Finds the rows of all late relations that have none yet.
///
/// **Cost**: a copy of all facts, and that of the aggregates' goals as rules.
///
/// # Errors
///
/// The name of an aggregate that has too many rows, or joins too much.
fn find_late_rows(problem: &Problem, names: &mut Widened<'_>) -> Result<(), String> {
    let is_new = |at: &usize| names.late()[*at].rows.is_empty();
    let places: Vec<usize> = (0..names.late().len()).filter(is_new).collect();
    let new: Vec<LateRelation> = places.iter().map(|&at| names.late()[at].clone()).collect();
    if new.is_empty() {
        return Ok(());
    }
    if let Some(late) = new.iter().find(|late| is_of_runs(problem, late)) {
        return Err(format!("{}: depends on train examples; let a rule aggregate", late.name.name));
    }
    let symbols = problem.symbols();
    let arities = || {
        let late = names.late().iter().map(|late| late.name.arity);
        symbols.predicates.iter().map(|name| name.arity).chain(late)
    };
    let mut tables: Vec<FactTable> = problem.worlds().iter().map(|world| facts(world, arities())).collect();
    let mut examples = FactTable::new(arities());
    let rows = examples.rows_mut(problem.examples().target());
    problem.examples().ids().for_each(|id| rows.push(problem.examples().arguments(id)));
    let definitions: Vec<Clause> = new.iter().map(|late| late.definition.clone()).collect();
    let n_constants = symbols.constants.len() + names.further().len();
    let mut numbers = Numbers { symbols, names };
    add_aggregates(&definitions, &mut tables, &examples, &mut numbers, (n_constants, MOST_ROWS)).map_err(
        |_| {
            let names: Vec<&str> = new.iter().map(|late| late.name.name.as_str()).collect();
            format!("{}: joins too many facts for a limit of {MOST_ROWS} derived facts", names.join("; "))
        },
    )?;
    for (at, definition) in places.into_iter().zip(&definitions) {
        let rows = tables.iter_mut().map(|table| table.take_rows(definition.head.predicate)).collect();
        names.set_late_rows(at, rows);
    }
    Ok(())
}

/// Whether an aggregate is of what follows from train examples.
fn is_of_runs(problem: &Problem, late: &LateRelation) -> bool {
    let mut atoms = late.definition.body.iter().flat_map(Literal::atoms);
    let rules = problem.train_rules();
    rules.is_some_and(|rules| atoms.any(|atom| rules.predicates().contains(&atom.predicate)))
}

/// The facts of a world as a table.
fn facts(world: &Background, arities: impl Iterator<Item = usize>) -> FactTable {
    let mut table = FactTable::new(arities);
    add_facts(&mut table, world, (0..world.n_predicates()).map(PredicateId::new));
    table
}

/// The numbers among a problem's constants and those of clauses.
struct Numbers<'p, 'n, 's> {
    symbols: &'p Symbols,
    names: &'n mut Widened<'s>,
}

impl NumberTable for Numbers<'_, '_, '_> {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        match constant.index().checked_sub(self.symbols.constants.len()) {
            None => self.symbols.constants.number(constant),
            Some(further) => self.names.further()[further].1,
        }
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        self.names.constant(&number_text(number), Some(number))
    }
}

/// The most faults to look for: a text with more is probably no text of clauses.
const MOST_FAULTS: usize = 100;

/// A fault at a place of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseFault {
    code: Code,
    message: String,
    span: Span,
    label: String,
    help: Vec<String>,
}

impl ClauseFault {
    /// A fault of this code at a place.
    pub fn new(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self { code, message: message.into(), span, label: String::new(), help: Vec::new() }
    }

    /// The same fault with a label below its place.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same fault with one more help text.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The fault of a text that breaks the grammar.
    pub fn syntax(fault: &SyntaxFault) -> Self {
        let file = Sources::new().add("", "");
        let said = fault.to_diagnostic(file, 0);
        let plain = Self::new(said.code(), said.message(), fault.span());
        Self { help: said.help().to_vec(), ..plain }
    }

    /// The byte that is not UTF-8.
    fn bad_byte(byte: u8, at: usize) -> Self {
        let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
        Self::new(codes::NOT_UTF8, format!("byte 0x{byte:02X} is not UTF-8"), span)
            .with_label("first such byte")
            .with_help("save the clauses as UTF-8; what comes after was not read")
    }

    /// The offset of the fault in its block.
    pub const fn start(&self) -> usize {
        self.span.start
    }

    /// The same fault with its span moved by `by` bytes towards the end.
    pub fn moved(mut self, by: usize) -> Self {
        self.span = Span::new(self.span.start + by, self.span.end + by);
        self
    }
}

/// The faults of a text of clauses, with their sources.
#[derive(Debug)]
pub struct ClauseFaults {
    /// The messages.
    pub diagnostics: Vec<Diagnostic>,
    /// The lines that the messages point into.
    pub sources: Sources,
}

impl ClauseFaults {
    /// One fault without a place.
    pub fn one(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], sources: Sources::new() }
    }

    /// The faults of a text that was read as a whole, under this name.
    pub fn of_text(name: &str, text: String, faults: Vec<ClauseFault>) -> Self {
        let mut log = FaultLog::new(name.to_owned());
        log.add(&Block::whole(text), faults);
        log.into_faults()
    }
}

/// The faults found so far.
///
/// **Memory**: the blocks with faults, and a byte for each line before the last of them, so that lines
/// have their numbers.
#[derive(Debug)]
struct FaultLog {
    name: String,
    text: String,
    n_lines: usize,
    /// The end of the last added block, as an offset in the whole text.
    end: usize,
    faults: Vec<ClauseFault>,
}

impl FaultLog {
    /// An empty log for the text with this name.
    fn new(name: String) -> Self {
        Self { name, text: String::new(), n_lines: 0, end: 0, faults: Vec::new() }
    }

    const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    const fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Adds the faults of a block. Blocks come in the order of the text; the first lines of one may repeat the last
    /// lines of the one before.
    fn add(&mut self, block: &Block, faults: Vec<ClauseFault>) {
        if faults.is_empty() {
            return;
        }
        let n_known = if self.text.is_empty() { 0 } else { self.end.saturating_sub(block.start) };
        for _ in self.n_lines + 1..block.first_line {
            self.text.push('\n');
            self.n_lines += 1;
        }
        let base = self.text.len() - n_known.min(self.text.len());
        let fresh = block.text.get(n_known..).unwrap_or_default();
        self.text.push_str(fresh);
        self.n_lines += fresh.matches('\n').count();
        self.end = block.start + block.text.len();
        self.faults.extend(faults.into_iter().map(|fault| fault.moved(base)));
    }

    /// All faults with the lines that they point into.
    fn into_faults(self) -> ClauseFaults {
        let mut sources = Sources::new();
        let file = sources.add(self.name, self.text);
        let to_diagnostic = |fault: ClauseFault| {
            let diagnostic =
                Diagnostic::error(fault.code, fault.message).with_label(file, fault.span, fault.label);
            fault.help.into_iter().fold(diagnostic, Diagnostic::with_help)
        };
        let diagnostics = self.faults.into_iter().map(to_diagnostic).collect();
        ClauseFaults { diagnostics, sources }
    }
}
