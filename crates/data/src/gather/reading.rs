//! One file while it is read: what each part of it is taken for.

use std::path::Path;

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::{Number, PredicateName};
use gleaner_lang::syntax::{
    Diagnostic, FileId, Place, PlainConstant, PlainFact, Span, SyntaxFault, not_utf8, plain_constant,
};

use super::gathered::{Gathered, SetDirective, VariableStyle};
use crate::cells::cell_constant;
use crate::classes::ClassRequest;
use crate::messages::Messages;
use crate::provisional::Provisional;
use gleaner_lang::program::TargetName;

/// What the statements of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Facts, rules and directives.
    Background,
    /// Directives, or modes without a keyword.
    Modes,
    /// Positive examples.
    Positives,
    /// Negative examples.
    Negatives,
    /// What the file's reader makes of them; else as of the background.
    Mixed,
}

/// What a row of a table says of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The row is of an example, positive or not.
    Known(bool),
    /// The row is of an example whose class is left open.
    Unknown,
    /// Nothing: the row is a fact, unless its predicate is what is scored.
    NotSaid,
}

/// One file while it is read.
pub(crate) struct FileReading<'r> {
    pub(super) gathered: &'r mut Gathered,
    path: &'r Path,
    id: FileId,
    /// The part that what is read plays; sections of a file may change it.
    pub(super) role: Role,
    /// The fold of what is read.
    pub(super) fold: Option<usize>,
    /// Whether what looks like a fact is one.
    has_plain_facts: bool,
    /// Names of what looks like a fact and is none.
    keywords: &'static [&'static str],
    /// The line that stands for all places in a statement within it, whose text is not that of the file.
    line: Option<Span>,
    /// Positions of bytes of the text that the file does not have, ascending.
    insertions: Vec<usize>,
    /// Where the text that spans are relative to begins in the file.
    start: usize,
    /// Statements that could not be read; they are told after all that was found in others.
    faults: Messages,
    /// The predicate of the fact taken before.
    last: Option<PredicateId>,
    /// The arguments of the fact that is looked at, else of the one before.
    row: Vec<ConstantId>,
    /// By argument; those far to the right share.
    orders: [Order; N_ORDERS],
    /// Whether replacement characters stand for bytes that are not UTF-8.
    is_replaced: bool,
    /// Whether one of them was told to stand outside quotes.
    is_told_not_utf8: bool,
}

/// Arguments whose order is told apart.
const N_ORDERS: usize = 8;

/// Whether constants of late came in the order in which they were first named.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    /// How many more misses are borne.
    credit: u8,
    /// Constants until the next try without credit.
    pause: u8,
}

impl Order {
    const MOST_CREDIT: u8 = 32;
    const PAUSE: u8 = 32;

    const fn is_likely(self) -> bool {
        self.credit > 0 || self.pause == 0
    }

    /// A miss costs about as much as a hit spares.
    const fn learn(&mut self, is_near: bool) {
        if is_near {
            let credit = self.credit + 2;
            self.credit = if credit > Self::MOST_CREDIT { Self::MOST_CREDIT } else { credit };
        } else if self.credit > 0 {
            self.credit -= 1;
        } else {
            self.pause = if self.pause == 0 { Self::PAUSE } else { self.pause - 1 };
        }
    }
}

impl<'r> FileReading<'r> {
    /// Begins the file of this path and id, whose facts and examples are of `fold`.
    pub(crate) fn new(
        gathered: &'r mut Gathered,
        path: &'r Path,
        id: FileId,
        role: Role,
        fold: Option<usize>,
    ) -> Self {
        Self {
            gathered,
            path,
            id,
            role,
            fold,
            has_plain_facts: true,
            keywords: &[],
            line: None,
            insertions: Vec::new(),
            start: 0,
            faults: Messages::default(),
            last: None,
            row: Vec::new(),
            orders: [Order { credit: 0, pause: 0 }; N_ORDERS],
            is_replaced: false,
            is_told_not_utf8: false,
        }
    }

    /// Tells the faults of statements; whether bytes that are not UTF-8 were among them.
    pub(crate) fn tell_faults(&mut self) -> bool {
        self.gathered.diagnostics.append(std::mem::take(&mut self.faults));
        self.is_told_not_utf8
    }

    /// The file's path.
    pub(crate) const fn path(&self) -> &'r Path {
        self.path
    }

    /// The part that statements play now.
    pub(crate) const fn role(&self) -> Role {
        self.role
    }

    /// Statements play another part from here on.
    pub(crate) const fn set_role(&mut self, role: Role) {
        self.role = role;
    }

    /// Whether what looks like a fact is one from here on; if not it is read as other statements are.
    pub(crate) const fn set_has_plain_facts(&mut self, has_plain_facts: bool) {
        self.has_plain_facts = has_plain_facts;
    }

    /// What looks like a fact of these names is none.
    pub(super) const fn set_keywords(&mut self, keywords: &'static [&'static str]) {
        self.keywords = keywords;
    }

    /// The fold of the file.
    pub(crate) const fn fold(&self) -> Option<usize> {
        self.fold
    }

    /// The fold of this name, known from now on.
    pub(crate) fn fold_named(&mut self, name: &str) -> usize {
        self.gathered.fold_named(name)
    }

    /// Puts the examples with this first argument into the fold of this name.
    pub(crate) fn divide_by_first_argument(&mut self, argument: ConstantId, fold: String) {
        self.gathered.divide_by_first_argument(argument, fold);
    }

    /// A place in the file, of bytes of the text that is read.
    pub(crate) fn place(&self, span: Span) -> Place {
        Place::new(self.id, self.line.unwrap_or_else(|| self.in_file(span, self.start)))
    }

    /// The span in the file of one in the text that begins at `start`.
    fn in_file(&self, span: Span, start: usize) -> Span {
        let position = |at: usize| start + at - self.insertions.partition_point(|&inserted| inserted < at);
        Span::new(position(span.start), position(span.end))
    }

    /// The text that comes has bytes at these positions, ascending, that the file does not have.
    pub(crate) fn set_insertions(&mut self, insertions: Vec<usize>) {
        self.insertions = insertions;
    }

    /// Variables are written so in what comes.
    pub(crate) const fn set_variable_style(&mut self, style: VariableStyle) {
        self.gathered.variable_style = style;
    }

    /// How variables are written.
    pub(crate) const fn variable_style(&self) -> VariableStyle {
        self.gathered.variable_style
    }

    /// A place in the file, of bytes of the file.
    pub(crate) const fn place_in_file(&self, span: Span) -> Place {
        Place::new(self.id, span)
    }

    /// The file.
    pub(crate) const fn file(&self) -> FileId {
        self.id
    }

    /// The line that stands for all places in the statements that come.
    pub(crate) const fn set_line(&mut self, line: Span) {
        self.line = Some(line);
    }

    /// Tells what is odd or wrong.
    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        self.gathered.diagnostics.push(diagnostic);
    }

    /// Tells several things.
    pub(crate) fn tell_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.gathered.diagnostics.extend(diagnostics);
    }

    /// Whether so much was told that nobody reads more.
    pub(crate) const fn is_told_enough(&self) -> bool {
        self.gathered.diagnostics.is_full()
    }

    /// The names of constants and predicates.
    pub(crate) const fn symbols(&mut self) -> &mut Provisional {
        &mut self.gathered.symbols
    }

    /// The constant of a cell.
    pub(crate) fn cell(&mut self, text: &str) -> ConstantId {
        cell_constant(text, &mut self.gathered.symbols)
    }

    /// The constants of cells.
    pub(crate) fn cells(&mut self, cells: &[&str]) -> Vec<ConstantId> {
        cells.iter().map(|cell| self.cell(cell)).collect()
    }

    /// Whether the target is this predicate, as far as it is known.
    pub(crate) fn is_query(&self, predicate: &PredicateName) -> bool {
        self.gathered.is_query(predicate)
    }

    /// Names the target, unless something else did before.
    pub(crate) fn name_target(&mut self, target: impl FnOnce() -> TargetName) {
        self.gathered.query.get_or_insert_with(target);
    }

    /// Types of a predicate's arguments without directions.
    pub(crate) fn declare_types(&mut self, predicate: PredicateName, types: Vec<String>, place: Place) {
        self.gathered.declared_types.push((predicate, types, place));
    }

    /// Leaves the directions of a body predicate's arguments to what the data show.
    pub(crate) fn leave_directions_open(&mut self, predicate: PredicateName, place: Place) {
        self.gathered.undirected.push((predicate, place));
    }

    /// What a table calls the columns of a predicate's arguments.
    pub(crate) fn name_arguments(&mut self, predicate: PredicateName, names: Vec<String>) {
        self.gathered.argument_names.push((predicate, names));
    }

    /// A setting that the file makes.
    pub(crate) fn set(&mut self, name: String, value: String, place: Place) {
        let is_foreign = self.gathered.habits.is_foreign;
        self.gathered.settings.push(SetDirective { name, value, place, is_foreign });
    }

    /// Something that is said to be false of another predicate than the target.
    pub(crate) fn count_false_fact(&mut self, place: Place) {
        self.gathered.false_facts.add(place);
    }

    /// Something that is kept back for tests, of another relation than the target.
    pub(crate) fn count_hidden_fact(&mut self, place: Place) {
        self.gathered.hidden_facts.add(place);
    }

    /// Whether examples need no class, for they are only scored.
    pub(crate) const fn is_scored(&self) -> bool {
        self.gathered.is_scored
    }

    /// The argument of this predicate that says the class, from 0, if one does.
    pub(crate) fn class_argument(&self, predicate: &PredicateName) -> Option<usize> {
        self.gathered.classes_asked.argument.filter(|_| self.is_query(predicate))
    }

    /// Takes a row of a table that may say its class: a fact, where it says none and is not of what is scored. Where there are
    /// many classes a row without a label is a fact first, as in learning, and its class is found among its arguments.
    pub(crate) fn table_row(
        &mut self,
        name: &str,
        row: &[ConstantId],
        class: Class,
        fold: Option<usize>,
        place: Place,
    ) {
        let needs_no_label = self.is_scored() && self.gathered.classes_asked == ClassRequest::default();
        let is_scored = || needs_no_label && self.is_query(&PredicateName::new(name, row.len()));
        match class {
            Class::Known(is_positive) => {
                self.gathered.has_labels = true;
                self.example_row(name, row, is_positive, fold, place);
            }
            Class::NotSaid if !is_scored() => self.fact_row(name, row, fold, place),
            Class::NotSaid | Class::Unknown => {
                self.example_row(name, row, false, fold, place);
                self.gathered.forget_last_class();
            }
        }
    }

    /// Takes a row as a fact of this fold, which is an example where the layout has the target's facts so.
    pub(crate) fn fact_row(&mut self, name: &str, row: &[ConstantId], fold: Option<usize>, place: Place) {
        let predicate = self.gathered.symbols.predicate(name, row.len());
        if self.is_target(predicate) {
            self.gathered.add_example(predicate, row, true, fold, place);
        } else {
            self.gathered.first_facts.entry(predicate).or_insert(place);
            self.gathered.add_fact(predicate, row, fold);
        }
    }

    /// Takes a row as an example of this fold.
    pub(crate) fn example_row(
        &mut self,
        name: &str,
        row: &[ConstantId],
        is_positive: bool,
        fold: Option<usize>,
        place: Place,
    ) {
        let predicate = self.gathered.symbols.predicate(name, row.len());
        self.gathered.add_example(predicate, row, is_positive, fold, place);
    }

    /// Whether replacement characters stand for bytes that are not UTF-8.
    pub(crate) const fn is_replaced(&self) -> bool {
        self.is_replaced
    }

    pub(super) const fn set_replaced(&mut self) {
        self.is_replaced = true;
    }

    /// Tells of a byte that is not UTF-8 outside quotes, once: a file of another encoding has many.
    pub(crate) fn tell_not_utf8(&mut self, span: Span) {
        if !std::mem::replace(&mut self.is_told_not_utf8, true) {
            self.faults.push(not_utf8(self.id, span));
        }
    }

    pub(super) fn tell_fault(&mut self, fault: &SyntaxFault, start: usize) {
        let span = self.in_file(fault.span(), start);
        self.faults.push(fault.at(Place::new(self.id, span)));
    }

    pub(super) const fn has_too_many_faults(&self) -> bool {
        self.faults.is_full()
    }

    /// A statement that is no plain fact begins in the text that begins at `start`.
    pub(super) const fn begin_statement(&mut self, start: usize) {
        self.start = start;
        self.last = None;
    }

    /// Takes a plain fact; false leaves it to be read as a statement.
    pub(super) fn plain_fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
        // Without a keyword, what looks like a fact may be a mode there.
        let is_data = self.has_plain_facts && self.role != Role::Modes && !self.keywords.contains(&fact.name);
        let is_taken = is_data && self.constants(fact);
        if is_taken {
            self.start = start;
            self.take(fact);
        } else {
            self.last = None;
        }
        is_taken
    }

    /// Puts the constants of a fact into `row`; false, and no new constant is known, where an argument
    /// is not plain.
    fn constants(&mut self, fact: &PlainFact<'_>) -> bool {
        let symbols = &mut self.gathered.symbols;
        self.row.resize(fact.arity(), ConstantId::default());
        let mut n_known = 0;
        let mut beside = None;
        for (column, (constant, argument)) in self.row.iter_mut().zip(fact.arguments()).enumerate() {
            // Begin where this argument of the fact before was, else where the one beside it is.
            let order = &mut self.orders[column % N_ORDERS];
            let near = if order.is_likely() {
                symbols.find_constant_near(argument, *constant, beside)
            } else {
                None
            };
            order.learn(near.is_some());
            let Some(found) = near.or_else(|| symbols.find_constant(argument)) else { break };
            *constant = found;
            beside = Some(found);
            n_known += 1;
        }
        if n_known == fact.arity() {
            return true;
        }
        self.row.truncate(n_known);
        let unknown = || fact.arguments().skip(n_known);
        let is_plain =
            |argument| symbols.find_constant(argument).is_some() || plain_constant(argument).is_some();
        if !unknown().all(is_plain) {
            return false;
        }
        self.row.extend(unknown().map(|argument| {
            let number = match plain_constant(argument) {
                Some(PlainConstant::Integer(value)) => Some(Number::Integer(value)),
                Some(PlainConstant::Float(value)) => Some(Number::Float(value)),
                _ => None,
            };
            symbols.constant(argument, number)
        }));
        true
    }

    /// Takes the fact whose arguments are in `row`.
    fn take(&mut self, fact: &PlainFact<'_>) {
        let symbols = &mut self.gathered.symbols;
        let same =
            self.last.filter(|&last| fact.is_same_name && symbols.predicate_name(last).arity == fact.arity());
        let predicate = same.unwrap_or_else(|| symbols.predicate(fact.name, fact.arity()));
        self.last = Some(predicate);
        let place = self.place(fact.span);
        let row = std::mem::take(&mut self.row);
        self.add(predicate, &row, same.is_none(), place);
        self.row = row;
    }

    /// Takes a ground atom as the fact or example that the file's part makes it.
    fn add(&mut self, predicate: PredicateId, row: &[ConstantId], is_perhaps_first: bool, place: Place) {
        let fold = self.fold;
        match self.role {
            Role::Positives => self.gathered.add_example(predicate, row, true, fold, place),
            Role::Negatives => self.gathered.add_example(predicate, row, false, fold, place),
            Role::Background | Role::Modes | Role::Mixed if self.is_target(predicate) => {
                self.gathered.add_example(predicate, row, true, fold, place);
            }
            Role::Background | Role::Modes | Role::Mixed => {
                if is_perhaps_first {
                    self.gathered.first_facts.entry(predicate).or_insert(place);
                }
                self.gathered.add_fact(predicate, row, fold);
            }
        }
    }

    /// Whether the facts of this predicate are the positive examples.
    fn is_target(&self, predicate: PredicateId) -> bool {
        let Gathered { symbols, query, habits, .. } = &*self.gathered;
        habits.has_positives_among_facts
            && query.as_ref().is_some_and(|query| query.is(symbols.predicate_name(predicate)))
    }
}
