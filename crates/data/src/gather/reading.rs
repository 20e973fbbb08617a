//! One file while it is read: what each of its parts means.

use std::path::Path;

use gleaner_base::{ClassId, ConstantId, PredicateId};
use gleaner_lang::program::{Number, NumberSource, PredicateName, TargetName};
use gleaner_lang::syntax::{
    Diagnostic, FileId, Place, PlainConstant, PlainFact, Span, SyntaxFault, not_utf8, plain_constant,
    with_probabilities,
};

use super::declarations::{ClassRequest, RawExample, RawExamples, SetDirective};
use super::file_control::FileControl;
use super::gathered::{Facts, Gathered, Statements, Waiting, fit};
use super::gathering::{Counted, Gathering, Notes};
use crate::cells::cell_constant;
use crate::messages::Messages;
use crate::tables::store::Content;

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
    /// The row is an example with this number; see [`RawExamples::number_label`].
    Number(ClassId),
    /// The row is an example without a known class.
    Unknown,
    /// None: the row is a fact, unless its predicate is to be scored.
    NotSaid,
}

/// One file while it is read.
pub(crate) struct FileReading<'r> {
    pub(crate) statements: &'r mut Statements,
    pub(super) facts: &'r mut Facts,
    pub(super) waiting: &'r mut Waiting,
    pub(crate) messages: &'r mut Messages,
    pub(crate) notes: &'r mut Notes,
    pub(crate) path: &'r Path,
    pub(crate) id: FileId,
    /// The role of the current statements; sections of a file may change it.
    pub(crate) role: Role,
    /// The fold of the statements.
    pub(crate) fold: Option<usize>,
    /// The table that the rows are of, if the file's name does not say it.
    pub(crate) table: Option<String>,
    /// What the file holds, if that stands in memory.
    pub(crate) content: Option<Content>,
    /// Whether a statement that looks like a fact is one.
    pub(crate) has_plain_facts: bool,
    /// Names of statements that look like facts but are none.
    pub(crate) keywords: &'static [&'static str],
    /// The line that is the place of everything in a statement whose text differs from the file's.
    pub(crate) line: Option<Span>,
    /// The positions of bytes in the text that the file does not have, ascending.
    pub(crate) insertions: Vec<usize>,
    /// The offset in the file of the text that spans refer to.
    start: usize,
    /// What the file says of its own reading.
    pub(super) control: FileControl,
    /// Statements with probabilities.
    pub(super) uncertain: Counted,
    /// Faults of unreadable statements; messages list them last.
    pub(super) faults: Messages,
    /// The predicate of the previous fact.
    last: Option<PredicateId>,
    /// The arguments of the current fact, or else of the previous one.
    row: Vec<ConstantId>,
    /// The order of each argument's constants; arguments far to the right share one.
    orders: [Order; N_ORDERS],
    /// Whether replacement characters stand for bytes that are not UTF-8.
    pub(crate) is_replaced: bool,
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
    /// Begins a file.
    pub(crate) fn new(gathering: &'r mut Gathering, path: &'r Path, id: FileId, role: Role) -> Self {
        let Gathering { gathered: Gathered { statements, facts, waiting, messages }, notes } = gathering;
        Self {
            statements,
            facts,
            waiting,
            messages,
            notes,
            path,
            id,
            role,
            fold: None,
            table: None,
            content: None,
            has_plain_facts: true,
            keywords: &[],
            line: None,
            insertions: Vec::new(),
            start: 0,
            control: FileControl::default(),
            uncertain: Counted::default(),
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
        self.tell_unended();
        self.uncertain.tell(with_probabilities, &mut self.faults);
        self.messages.append(std::mem::take(&mut self.faults));
        self.is_told_not_utf8
    }

    /// The fold of this name; adds it if it is new.
    pub(crate) fn fold_named(&mut self, name: &str) -> usize {
        self.statements.examples.fold_named(name, self.facts)
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

    /// The place of a span of the file.
    pub(crate) const fn place_in_file(&self, span: Span) -> Place {
        Place::new(self.id, span)
    }

    /// Adds a message.
    pub(crate) fn tell(&mut self, diagnostic: Diagnostic) {
        self.messages.push(diagnostic);
    }

    /// The constant of a cell.
    pub(crate) fn cell(&mut self, text: &str) -> ConstantId {
        cell_constant(text, &mut self.statements.symbols)
    }

    /// Sets the target, unless it is already set.
    pub(crate) fn name_target(&mut self, target: impl FnOnce() -> TargetName) {
        self.statements.declarations.query.get_or_insert_with(target);
    }

    /// Adds a setting of the file.
    pub(crate) fn set(&mut self, name: String, value: String, place: Place) {
        let is_foreign = self.statements.habits.is_foreign;
        self.statements.declarations.settings.push(SetDirective { name, value, place, is_foreign });
    }

    /// The argument of this predicate that holds the class or the number, from 0, if one does.
    pub(crate) fn class_argument(&self, predicate: &PredicateName) -> Option<usize> {
        let of_number = self.notes.number_asked.and_then(|source| match source {
            NumberSource::Argument(argument) => Some(argument),
            NumberSource::Label => None,
        });
        let argument = self.notes.classes_asked.argument.or(of_number);
        argument.filter(|_| self.statements.declarations.is_query(predicate))
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
        let needs_no_label = self.notes.is_scored && self.notes.classes_asked == ClassRequest::default();
        let is_scored =
            || needs_no_label && self.statements.declarations.is_query(&PredicateName::new(name, row.len()));
        match class {
            Class::Known(is_positive) => {
                self.statements.examples.has_labels = true;
                self.example_row(name, row, is_positive, fold, place);
            }
            Class::Number(number) => {
                self.statements.examples.has_labels = true;
                self.example_row(name, row, true, fold, place);
                let last = self.statements.examples.listed.last_mut();
                last.into_iter().for_each(|example| example.class = number);
            }
            Class::NotSaid if !is_scored() => self.fact_row(name, row, fold, place),
            Class::NotSaid | Class::Unknown => {
                self.example_row(name, row, false, fold, place);
                let last = self.statements.examples.listed.last_mut();
                last.into_iter().for_each(RawExample::forget_class);
            }
        }
    }

    /// Takes a row as a fact of this fold, or as an example if the layout makes examples of the target's facts.
    pub(crate) fn fact_row(&mut self, name: &str, row: &[ConstantId], fold: Option<usize>, place: Place) {
        let predicate = self.statements.symbols.predicate(name, row.len());
        if self.is_target(predicate) {
            self.examples_of(predicate).add(predicate, row, true, fold, place);
        } else {
            self.add_fact(predicate, row, true, fold, place);
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
        let predicate = self.statements.symbols.predicate(name, row.len());
        self.examples_of(predicate).add(predicate, row, is_positive, fold, place);
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
        let symbols = &mut self.statements.symbols;
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
        let symbols = &mut self.statements.symbols;
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
            Role::Positives => self.examples_of(predicate).add(predicate, row, true, fold, place),
            Role::Negatives => self.examples_of(predicate).add(predicate, row, false, fold, place),
            Role::Background | Role::Modes | Role::Mixed if self.is_target(predicate) => {
                self.examples_of(predicate).add(predicate, row, true, fold, place);
            }
            Role::Background | Role::Modes | Role::Mixed => {
                self.add_fact(predicate, row, is_perhaps_first, fold, place);
            }
        }
    }

    /// Adds a fact of a known predicate, to a fold or globally.
    #[inline]
    pub(super) fn add_fact(
        &mut self,
        predicate: PredicateId,
        row: &[ConstantId],
        is_perhaps_first: bool,
        fold: Option<usize>,
        place: Place,
    ) {
        let Statements { first_facts, symbols, .. } = &mut *self.statements;
        if is_perhaps_first {
            first_facts.entry(predicate).or_insert(place);
        }
        self.facts.add(predicate, row, fold, symbols);
    }

    /// The examples, with room for those of a predicate.
    pub(super) fn examples_of(&mut self, predicate: PredicateId) -> &mut RawExamples {
        let Statements { symbols, examples, .. } = &mut *self.statements;
        if examples.rows.n_predicates() <= predicate.index() {
            fit(&mut examples.rows, symbols);
        }
        examples
    }

    /// Whether the facts of this predicate are the positive examples.
    fn is_target(&self, predicate: PredicateId) -> bool {
        let Statements { symbols, declarations, habits, .. } = &*self.statements;
        habits.has_positives_among_facts && declarations.is_query(symbols.predicate_name(predicate))
    }
}
