//! What a Prolog file says of its own reading: conditions (`:- if(...)`), its end (`end_of_file.`), and the meaning of
//! double quotes.

use std::borrow::Cow;

use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::ast::{Statement, Term};
use gleaner_lang::syntax::{Place, Span, TermKind};

use super::reading::FileReading;
use crate::faults;

/// The state of a file's reading.
#[derive(Debug, Default)]
pub(crate) struct FileControl {
    /// The conditions that the next statement stands in, from outside in.
    conditions: Vec<Condition>,
    /// Whether the rest of the file is not read.
    is_ended: bool,
    quotes: Quotes,
}

/// A condition, at one of its branches.
#[derive(Debug)]
struct Condition {
    branch: Branch,
    /// Whether a branch before this one was read.
    is_settled: bool,
    /// The condition of the branch as it is written.
    text: String,
    place: Place,
    /// Whether a message told that it is open.
    is_told: bool,
}

/// What becomes of the statements of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    Read,
    Skipped,
    /// The condition is of another system: only statements that say nothing of the data may stand there.
    Open,
}

/// The meaning of a text in double quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quotes {
    #[default]
    Text,
    Atom,
    Codes,
    Characters,
}

impl FileControl {
    /// Whether facts may be taken as they come.
    pub(super) fn is_plain(&self) -> bool {
        self.conditions.is_empty() && !self.is_ended && self.quotes == Quotes::Text
    }

    pub(super) const fn is_ended(&self) -> bool {
        self.is_ended
    }

    fn branch(&self) -> Branch {
        let has = |branch| self.conditions.iter().any(|condition| condition.branch == branch);
        if has(Branch::Skipped) {
            Branch::Skipped
        } else if has(Branch::Open) {
            Branch::Open
        } else {
            Branch::Read
        }
    }
}

impl FileReading<'_> {
    /// Whether a statement is not to be read: it controls the reading, or stands in a branch that is skipped, or after the
    /// end.
    pub(super) fn is_left_unread(&mut self, statement: &Statement<'_>) -> bool {
        if self.control.is_ended || self.controls(statement) {
            return true;
        }
        match self.control.branch() {
            Branch::Read => false,
            Branch::Skipped => true,
            Branch::Open => {
                if !says_nothing_of_data(statement) {
                    self.tell_open_condition();
                }
                true
            }
        }
    }

    /// Takes a statement that controls the reading; false for all others.
    fn controls(&mut self, statement: &Statement<'_>) -> bool {
        if let (Some(head), []) = (&statement.head, &*statement.body) {
            let is_end = matches!(atom_parts(head), Some(("end_of_file", [])))
                && self.control.branch() != Branch::Skipped;
            self.control.is_ended |= is_end;
            return is_end;
        }
        let (None, [goal]) = (&statement.head, &*statement.body) else { return false };
        match atom_parts(goal) {
            Some(("if", [condition])) => self.begin_condition(condition, goal.span),
            Some(("elif", [condition])) => {
                self.next_branch(decided(condition), condition.to_string(), goal.span)
            }
            Some(("else", [])) => self.next_branch(Some(true), "else".to_owned(), goal.span),
            Some(("endif", [])) => {
                if self.control.conditions.pop().is_none() {
                    self.tell(faults::unsupported(self.place(goal.span), "`:- endif` without `:- if`"));
                }
            }
            Some(("set_prolog_flag", [name, value])) if is_atom(name, "double_quotes") => {
                return self.set_quotes(value);
            }
            _ => return false,
        }
        true
    }

    fn begin_condition(&mut self, condition: &Term<'_>, span: Span) {
        let branch = match decided(condition) {
            Some(true) => Branch::Read,
            Some(false) => Branch::Skipped,
            None => Branch::Open,
        };
        let (text, place) = (condition.to_string(), self.place(span));
        let is_settled = branch == Branch::Read;
        self.control.conditions.push(Condition { branch, is_settled, text, place, is_told: false });
    }

    /// Begins the next branch of the innermost condition.
    fn next_branch(&mut self, holds: Option<bool>, text: String, span: Span) {
        let place = self.place(span);
        let Some(condition) = self.control.conditions.last_mut() else {
            return self.tell(faults::unsupported(place, &format!("`:- {text}` without `:- if`")));
        };
        let is_open = condition.branch == Branch::Open;
        condition.branch = match holds {
            _ if condition.is_settled => Branch::Skipped,
            Some(false) => Branch::Skipped,
            Some(true) if !is_open => Branch::Read,
            _ => Branch::Open,
        };
        condition.is_settled |= condition.branch == Branch::Read;
        // A branch after an open one depends on its condition.
        if !is_open {
            (condition.text, condition.place) = (text, place);
        }
    }

    /// Tells once of an open condition that a statement of the data depends on.
    fn tell_open_condition(&mut self) {
        let is_open = |condition: &&mut Condition| condition.branch == Branch::Open;
        let Some(condition) = self.control.conditions.iter_mut().find(is_open) else { return };
        if std::mem::replace(&mut condition.is_told, true) {
            return;
        }
        let what = format!("the condition `{}`, on which facts or rules depend,", condition.text);
        let fault = faults::unsupported(condition.place, &what);
        self.tell(fault.with_help("write `true` or `fail` as the condition"));
    }

    fn set_quotes(&mut self, value: &Term<'_>) -> bool {
        let known = [
            ("string", Quotes::Text),
            ("atom", Quotes::Atom),
            ("codes", Quotes::Codes),
            ("chars", Quotes::Characters),
        ];
        let quotes = known.into_iter().find(|(name, _)| is_atom(value, name));
        if let Some((_, quotes)) = quotes {
            self.control.quotes = quotes;
        }
        quotes.is_some()
    }

    /// Tells of a condition that the file does not end.
    pub(super) fn tell_unended(&mut self) {
        if let Some(Condition { place, .. }) = self.control.conditions.pop() {
            self.tell(faults::unsupported(place, "`:- if` without `:- endif`"));
        }
    }

    /// The statement with the meaning of double quotes that the file asks for, if that is another.
    pub(super) fn with_quotes<'s>(&self, statement: &Statement<'s>) -> Option<Statement<'s>> {
        let quotes = self.control.quotes;
        (quotes != Quotes::Text).then(|| Statement {
            head: statement.head.as_ref().map(|head| requoted(head, quotes)),
            body: statement.body.iter().map(|goal| requoted(goal, quotes)).collect(),
            ..statement.clone()
        })
    }
}

fn requoted<'s>(term: &Term<'s>, quotes: Quotes) -> Term<'s> {
    let all = |terms: &[Term<'s>]| terms.iter().map(|term| requoted(term, quotes)).collect();
    let item = |kind| Term { kind, span: term.span };
    let kind = match &term.kind {
        TermKind::Text(text) => match quotes {
            Quotes::Text | Quotes::Atom => TermKind::Atom(text.clone()),
            Quotes::Codes => {
                let codes = text.chars().map(|c| item(TermKind::Integer(i64::from(u32::from(c)))));
                TermKind::List(codes.collect(), None)
            }
            Quotes::Characters => {
                let characters = text.chars().map(|c| item(TermKind::Atom(Cow::Owned(c.to_string()))));
                TermKind::List(characters.collect(), None)
            }
        },
        TermKind::Compound(name, arguments) => TermKind::Compound(name.clone(), all(arguments)),
        TermKind::List(items, tail) => {
            let tail = tail.as_ref().map(|tail| Box::new(requoted(tail, quotes)));
            TermKind::List(all(items), tail)
        }
        other => other.clone(),
    };
    item(kind)
}

fn is_atom(term: &Term<'_>, name: &str) -> bool {
    matches!(&term.kind, TermKind::Atom(atom) if atom == name)
}

/// Whether a condition holds, if it is made of `true`, `fail`, and questions whether this is SWI-Prolog, whose rules are read.
fn decided(condition: &Term<'_>) -> Option<bool> {
    match atom_parts(condition)? {
        ("true", []) => Some(true),
        ("fail" | "false", []) => Some(false),
        ("current_prolog_flag", [flag, value]) if is_atom(flag, "dialect") => Some(is_atom(value, "swi")),
        ("\\+" | "not", [inner]) => decided(inner).map(|holds| !holds),
        (",", [left, right]) => Some(decided(left)? && decided(right)?),
        (";", [left, right]) => Some(decided(left)? || decided(right)?),
        _ => None,
    }
}

/// Whether a statement only loads libraries of other systems, or sets how they print.
fn says_nothing_of_data(statement: &Statement<'_>) -> bool {
    const LOADING: [&str; 8] = [
        "use_module",
        "use_rendering",
        "ensure_loaded",
        "style_check",
        "discontiguous",
        "multifile",
        "set_prolog_flag",
        "initialization",
    ];
    let loads = |goal: &Term<'_>| atom_parts(goal).is_some_and(|(name, _)| LOADING.contains(&name));
    statement.head.is_none() && statement.body.iter().all(loads)
}
