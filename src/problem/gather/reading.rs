//! One file while it is read: what each part of it is taken for.

use super::{Gathered, fit};
use super::{csv_tables, json_lines};
use crate::base::{ConstantId, PredicateId};
use crate::problem::SetDirective;
use crate::problem::boostsrl;
use crate::problem::faults;
use crate::problem::layout::{Format, LayoutFile, Role};
use crate::problem::messages::Messages;
use crate::problem::popper;
use crate::problem::progol;
use crate::program::Number;
use crate::syntax::ast::Statement;
use crate::syntax::{
    FileId, Place, PlainConstant, PlainFact, ProgramSink, Span, SyntaxFault, not_utf8, plain_constant,
    read_program,
};

/// One file while it is read.
pub(super) struct Reading<'r> {
    pub(super) gathered: &'r mut Gathered,
    pub(super) format: Format,
    pub(super) file: &'r LayoutFile,
    /// The part that what is read plays; sections of a file may change it.
    pub(super) role: Role,
    /// The fold of what is read; rows of tables may name another than the file's.
    pub(super) fold: Option<usize>,
    pub(super) id: FileId,
    /// The line that stands for all places in a statement within it, whose text is not that of the file.
    pub(super) line: Option<Span>,
    /// Where the text that spans are relative to begins in the file.
    pub(super) start: usize,
    /// Statements that could not be read; they are told after all that was found in others.
    pub(super) faults: Messages,
    /// The predicate of the fact taken before.
    pub(super) last: Option<PredicateId>,
    /// The arguments of the fact that is looked at, else of the one before.
    pub(super) row: Vec<ConstantId>,
    /// By argument; those far to the right share.
    pub(super) orders: [Order; N_ORDERS],
    /// The model that what is read is of, where the file is made of blocks.
    pub(super) model: Option<String>,
    /// Whether replacement characters stand for bytes that are not UTF-8.
    pub(super) is_replaced: bool,
    /// Whether one of them was told to stand outside quotes.
    pub(super) is_told_not_utf8: bool,
}

/// Arguments whose order is told apart.
pub(super) const N_ORDERS: usize = 8;

/// Whether constants of late came in the order in which they were first named.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Order {
    /// How many more misses are borne.
    credit: u8,
    /// Constants until the next try without credit.
    pause: u8,
}

impl Order {
    const MOST_CREDIT: u8 = 32;
    const PAUSE: u8 = 32;

    pub(super) const fn is_likely(self) -> bool {
        self.credit > 0 || self.pause == 0
    }

    /// A miss costs about as much as a hit spares.
    pub(super) const fn learn(&mut self, is_near: bool) {
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

impl ProgramSink for Reading<'_> {
    fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
        // Without a keyword, what looks like a fact may be a mode there.
        let is_data = match self.role {
            Role::Background | Role::Positives | Role::Negatives | Role::Program => true,
            Role::Interpretations => self.model.is_none(),
            _ => false,
        };
        let is_taken = is_data && self.constants(fact);
        if is_taken {
            self.start = start;
            self.take(fact);
        } else {
            self.last = None;
        }
        is_taken
    }

    fn statement(&mut self, statement: &Statement<'_>, start: usize) {
        self.start = start;
        self.last = None;
        self.read_statement(statement);
    }

    fn fault(&mut self, fault: &SyntaxFault, start: usize) {
        if self.is_replaced && fault.is_replacement() {
            let span = fault.span();
            self.tell_not_utf8(Span::new(start + span.start, start + span.end));
        } else {
            self.faults.push(fault.to_diagnostic(self.id, start));
        }
    }

    fn replaced(&mut self) {
        self.is_replaced = true;
    }

    fn is_hopeless(&self) -> bool {
        self.faults.is_full()
    }
}

impl<'r> Reading<'r> {
    pub(super) fn new(gathered: &'r mut Gathered, format: Format, file: &'r LayoutFile, id: FileId) -> Self {
        let orders = [Order { credit: 0, pause: 0 }; N_ORDERS];
        Self {
            gathered,
            format,
            file,
            role: file.role,
            fold: file.fold,
            id,
            line: None,
            start: 0,
            faults: Messages::default(),
            last: None,
            row: Vec::new(),
            orders,
            model: None,
            is_replaced: false,
            is_told_not_utf8: false,
        }
    }

    /// Tells of a byte that is not UTF-8 outside quotes, once: a file of another encoding has many.
    pub(super) fn tell_not_utf8(&mut self, span: Span) {
        if !std::mem::replace(&mut self.is_told_not_utf8, true) {
            self.faults.push(not_utf8(self.id, span));
        }
    }

    /// Reads the file from memory; returns the files it imports.
    pub(super) fn whole(&mut self, text: &str) -> Vec<String> {
        match self.file.role {
            Role::Table => return csv_tables::read(text, self),
            Role::Lines => return json_lines::read(text, self),
            _ => {}
        }
        if self.file.role == Role::Bias {
            let translated = popper::translate(text);
            for span in translated.constraints {
                self.gathered.diagnostics.push(faults::ignored_constraint(Place::new(self.id, span)));
            }
            read_program(&translated.text, self);
            self.settings_of_bias();
            return Vec::new();
        }
        if self.table(text) {
            return Vec::new();
        }
        if self.format != Format::Boostsrl {
            match self.format {
                Format::Progol => read_program(&progol::translate(text), self),
                _ => read_program(text, self),
            }
            return Vec::new();
        }
        let translated = boostsrl::translate(text);
        for span in &translated.weighted {
            let fault = faults::unsupported(Place::new(self.id, *span), "a rule with a weight");
            self.gathered.diagnostics.push(fault.into_warning(faults::RULE_LEFT_OUT));
        }
        match translated.falsity.filter(|_| self.role == Role::Positives) {
            None => read_program(&translated.text, self),
            Some(falsity) => self.both_classes(&translated.text, falsity),
        }
        translated.imports
    }

    /// Reads positive examples up to the comment that says that the rest is false.
    pub(super) fn both_classes(&mut self, text: &str, falsity: Span) {
        let (positives, negatives) = text.split_at(falsity.end);
        read_program(positives, self);
        self.role = Role::Negatives;
        // What went before is blank, so that places stay true.
        let blank: String = positives.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        read_program(&(blank + negatives), self);
        let fault = faults::classes_by_comment(Place::new(self.id, falsity));
        self.gathered.diagnostics.push(fault);
    }

    /// Popper's settings are of another system, as Aleph's are.
    pub(super) fn settings_of_bias(&mut self) {
        let Gathered { bias, settings, .. } = self.gathered;
        settings.extend(bias.settings().map(|(name, value, Place { file, span })| {
            let name = if name == "max_body" { "max-literals" } else { name };
            SetDirective { name: name.to_owned(), value, file, span, is_foreign: true }
        }));
    }

    /// Puts the constants of a fact into `row`; false, and no new constant is known, where an argument
    /// is not plain.
    pub(super) fn constants(&mut self, fact: &PlainFact<'_>) -> bool {
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
    pub(super) fn take(&mut self, fact: &PlainFact<'_>) {
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
    pub(super) fn add(
        &mut self,
        predicate: PredicateId,
        row: &[ConstantId],
        is_perhaps_first: bool,
        place: Place,
    ) {
        match self.role {
            Role::Positives | Role::Negatives => {
                self.add_example(predicate, row, self.role == Role::Positives, place);
            }
            _ if self.is_target(predicate) => self.add_example(predicate, row, true, place),
            _ => {
                if is_perhaps_first {
                    self.gathered.first_facts.entry(predicate).or_insert(place);
                }
                self.add_fact(predicate, row);
            }
        }
    }

    /// Whether the facts of this predicate are the positive examples.
    pub(super) fn is_target(&self, predicate: PredicateId) -> bool {
        let Gathered { symbols, query, .. } = &self.gathered;
        self.format.has_positives_among_facts()
            && query.as_ref().is_some_and(|query| query.is(symbols.predicate_name(predicate)))
    }

    /// Takes a row of a table as the fact or example that `role` says, of this fold.
    pub(super) fn take_row(
        &mut self,
        name: &str,
        row: &[ConstantId],
        (role, fold): (Role, Option<usize>),
        span: Span,
    ) {
        (self.role, self.fold) = (role, fold);
        let predicate = self.gathered.symbols.predicate(name, row.len());
        self.add(predicate, row, true, Place::new(self.id, span));
    }

    /// Takes a global statement that a line holds.
    pub(super) fn take_statement(&mut self, statement: &Statement<'_>, line: Span) {
        (self.role, self.fold, self.line) = (Role::Background, None, Some(line));
        self.read_statement(statement);
    }

    pub(super) fn add_fact(&mut self, predicate: PredicateId, row: &[ConstantId]) {
        let table = match self.fold {
            Some(fold) => &mut self.gathered.folds[fold],
            None => &mut self.gathered.global,
        };
        if table.n_predicates() <= predicate.index() {
            fit(table, &self.gathered.symbols);
        }
        table.rows_mut(predicate).push(row);
    }

    pub(super) fn place(&self, span: Span) -> Place {
        let in_text = || Span::new(self.start + span.start, self.start + span.end);
        Place::new(self.id, self.line.unwrap_or_else(in_text))
    }
}
