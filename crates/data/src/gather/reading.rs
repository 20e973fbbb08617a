//! One file while it is read: what each of its parts means.

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

/// The role of a file's statements.
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
    /// The file's reader decides; otherwise as for the background.
    Mixed,
}

/// The class that a row of a table states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The row is an example, positive or not.
    Known(bool),
    /// The row is an example without a known class.
    Unknown,
    /// None: the row is a fact, unless its predicate is to be scored.
    NotSaid,
}

/// One file while it is read.
pub(crate) struct FileReading<'r> {
    pub(super) gathered: &'r mut Gathered,
    path: &'r Path,
    id: FileId,
    /// The role of the current statements; sections of a file may change it.
    pub(super) role: Role,
    /// The fold of the statements.
    pub(super) fold: Option<usize>,
    /// Whether a statement that looks like a fact is one.
    has_plain_facts: bool,
    /// Names of statements that look like facts but are none.
    keywords: &'static [&'static str],
    /// The line that is the place of everything in a statement whose text differs from the file's.
    line: Option<Span>,
    /// The positions of bytes in the text that the file does not have, ascending.
    insertions: Vec<usize>,
    /// The offset in the file of the text that spans refer to.
    start: usize,
    /// Faults of unreadable statements; messages list them last.
    faults: Messages,
    /// The predicate of the previous fact.
    last: Option<PredicateId>,
    /// The arguments of the current fact, or else of the previous one.
    row: Vec<ConstantId>,
    /// The order of each argument's constants; arguments far to the right share one.
    orders: [Order; N_ORDERS],
    /// Whether replacement characters stand for bytes that are not UTF-8.
    is_replaced: bool,
    /// Whether a message told of such a byte outside quotes.
    is_told_not_utf8: bool,
}

/// The number of arguments whose orders are kept apart.
const N_ORDERS: usize = 8;

/// Whether recent constants came in the order of their first mention.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    /// The number of further misses to allow.
    credit: u8,
    /// Without credit, the number of constants until the next try.
    pause: u8,
}

impl Order {
    const MOST_CREDIT: u8 = 32;
    const PAUSE: u8 = 32;

    const fn is_likely(self) -> bool {
        self.credit > 0 || self.pause == 0
    }

    /// Learns from a hit or a miss. A miss costs about as much as a hit saves.
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
    /// Begins a file; its facts and examples belong to `fold`.
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

    /// Tells the faults of statements. Gives whether one was a byte that is not UTF-8.
    pub(crate) fn tell_faults(&mut self) -> bool {
        self.gathered.diagnostics.append(std::mem::take(&mut self.faults));
        self.is_told_not_utf8
    }

    /// The file's path.
    pub(crate) const fn path(&self) -> &'r Path {
        self.path
    }

    /// The role of the current statements.
    pub(crate) const fn role(&self) -> Role {
        self.role
    }

    /// Changes the role of the following statements.
    pub(crate) const fn set_role(&mut self, role: Role) {
        self.role = role;
    }

    /// Sets whether a following statement that looks like a fact is one. If not, it is read like other statements.
    pub(crate) const fn set_has_plain_facts(&mut self, has_plain_facts: bool) {
        self.has_plain_facts = has_plain_facts;
    }

    /// Sets the names of statements that look like facts but are none.
    pub(super) const fn set_keywords(&mut self, keywords: &'static [&'static str]) {
        self.keywords = keywords;
    }

    /// The fold of the file.
    pub(crate) const fn fold(&self) -> Option<usize> {
        self.fold
    }

    /// The fold of this name; adds it if it is new.
    pub(crate) fn fold_named(&mut self, name: &str) -> usize {
        self.gathered.fold_named(name)
    }

    /// Puts the examples with this first argument into the fold of this name.
    pub(crate) fn divide_by_first_argument(&mut self, argument: ConstantId, fold: String) {
        self.gathered.divide_by_first_argument(argument, fold);
    }

    /// The place in the file of a span of the text that is read.
    pub(crate) fn place(&self, span: Span) -> Place {
        Place::new(self.id, self.line.unwrap_or_else(|| self.in_file(span, self.start)))
    }

    /// The span in the file of a span in the text that begins at `start`.
    fn in_file(&self, span: Span, start: usize) -> Span {
        let position = |at: usize| start + at - self.insertions.partition_point(|&inserted| inserted < at);
        Span::new(position(span.start), position(span.end))
    }

    /// Says that the following text has bytes at these positions, ascending, that the file does not have.
    pub(crate) fn set_insertions(&mut self, insertions: Vec<usize>) {
        self.insertions = insertions;
    }

    /// Sets how variables are written in the following text.
    pub(crate) const fn set_variable_style(&mut self, style: VariableStyle) {
        self.gathered.variable_style = style;
    }

    /// How variables are written.
    pub(crate) const fn variable_style(&self) -> VariableStyle {
        self.gathered.variable_style
    }

    /// The place of a span of the file.
    pub(crate) const fn place_in_file(&self, span: Span) -> Place {
        Place::new(self.id, span)
    }

    /// The file.
    pub(crate) const fn file(&self) -> FileId {
        self.id
    }

    /// Sets the line that is the place of everything in the following statements.
    pub(crate) const fn set_line(&mut self, line: Span) {
        self.line = Some(line);
    }

    /// Adds a message.
    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        self.gathered.diagnostics.push(diagnostic);
    }

    /// Adds several messages.
    pub(crate) fn tell_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.gathered.diagnostics.extend(diagnostics);
    }

    /// Whether there are so many messages that nobody reads more.
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

    /// Whether this predicate is the target, as far as the target is known.
    pub(crate) fn is_query(&self, predicate: &PredicateName) -> bool {
        self.gathered.is_query(predicate)
    }

    /// Sets the target, unless it is already set.
    pub(crate) fn name_target(&mut self, target: impl FnOnce() -> TargetName) {
        self.gathered.query.get_or_insert_with(target);
    }

    /// Declares the types of a predicate's arguments, without directions.
    pub(crate) fn declare_types(&mut self, predicate: PredicateName, types: Vec<String>, place: Place) {
        self.gathered.declared_types.push((predicate, types, place));
    }

    /// Leaves the directions of a body predicate's arguments to be found from the data.
    pub(crate) fn leave_directions_open(&mut self, predicate: PredicateName, place: Place) {
        self.gathered.undirected.push((predicate, place));
    }

    /// Sets a table's names for the arguments of its predicate.
    pub(crate) fn name_arguments(&mut self, predicate: PredicateName, names: Vec<String>) {
        self.gathered.argument_names.push((predicate, names));
    }

    /// Adds a setting of the file.
    pub(crate) fn set(&mut self, name: String, value: String, place: Place) {
        let is_foreign = self.gathered.habits.is_foreign;
        self.gathered.settings.push(SetDirective { name, value, place, is_foreign });
    }

    /// Counts a false atom of another predicate than the target.
    pub(crate) fn count_false_fact(&mut self, place: Place) {
        self.gathered.false_facts.add(place);
    }

    /// Counts a hidden fact, which tests another relation than the target.
    pub(crate) fn count_hidden_fact(&mut self, place: Place) {
        self.gathered.hidden_facts.add(place);
    }

    /// Whether examples need no class, for they are only scored.
    pub(crate) const fn is_scored(&self) -> bool {
        self.gathered.is_scored
    }

    /// The argument of this predicate that holds the class, from 0, if one does.
    pub(crate) fn class_argument(&self, predicate: &PredicateName) -> Option<usize> {
        self.gathered.classes_asked.argument.filter(|_| self.is_query(predicate))
    }

    /// Takes a row of a table. A row without a class is a fact, unless its predicate is to be scored. With many
    /// classes, a row without a label first is a fact, as in learning; its class is found among its arguments.
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

    /// Takes a row as a fact of this fold, or as an example if the layout makes examples of the target's facts.
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

    /// Tells of a byte outside quotes that is not UTF-8, but only once: a file of another encoding has many.
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

    /// Begins a statement that is no plain fact, in the text that begins at `start`.
    pub(super) const fn begin_statement(&mut self, start: usize) {
        self.start = start;
        self.last = None;
    }

    /// Takes a plain fact; false if it must be read as a statement.
    pub(super) fn plain_fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
        // In a file of modes, a statement that looks like a fact may be a mode without a keyword.
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

    /// Puts the constants of a fact into `row`. If an argument is not plain it gives false, and adds no new constant.
    fn constants(&mut self, fact: &PlainFact<'_>) -> bool {
        let symbols = &mut self.gathered.symbols;
        self.row.resize(fact.arity(), ConstantId::default());
        let mut n_known = 0;
        let mut beside = None;
        for (column, (constant, argument)) in self.row.iter_mut().zip(fact.arguments()).enumerate() {
            // Search near this argument of the previous fact, else near the argument beside it.
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

    /// Takes a ground atom as a fact or example, by the role of the statements.
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
