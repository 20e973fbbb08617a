//! The abstract syntax of Prolog-style programs, with spans.
//!
//! One term language serves facts, rules, modes and directives. Operators are compound terms, as in Prolog: `X < 3` is
//! `<`/2, `+person` is `+`/1, `\+ p` is `\+`/1. The rooms above give them their meaning. Texts borrow from the source
//! where they can.

use std::borrow::Cow;

/// Byte offsets `start..end` into one source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// A term with its place.
#[derive(Clone, Debug)]
pub struct Term<'source> {
    /// The kind of the term, with its parts.
    pub kind: TermKind<'source>,
    /// Where it stands.
    pub span: Span,
}

impl Term<'static> {
    /// A variable that no source has.
    pub fn variable(name: impl Into<Cow<'static, str>>) -> Self {
        Self::made(TermKind::Variable(name.into()))
    }

    /// An atom that no source has.
    pub fn atom(name: impl Into<Cow<'static, str>>) -> Self {
        Self::made(TermKind::Atom(name.into()))
    }

    /// A compound term that no source has. It has at least one argument.
    pub fn compound(name: impl Into<Cow<'static, str>>, arguments: Vec<Self>) -> Self {
        Self::made(TermKind::Compound(name.into(), arguments))
    }

    /// The conjunction of these terms; `None` without one.
    pub fn conjunction(terms: Vec<Self>) -> Option<Self> {
        terms.into_iter().rev().reduce(|rest, first| Self::compound(",", vec![first, rest]))
    }

    /// A term that no source has.
    pub const fn made(kind: TermKind<'static>) -> Self {
        Self { kind, span: Span { start: 0, end: 0 } }
    }
}

impl Term<'_> {
    /// Calls `visit` for each occurrence of a variable, in order; for `_` too.
    pub fn visit_variables(&self, visit: &mut impl FnMut(&str)) {
        match &self.kind {
            TermKind::Variable(name) => visit(name),
            TermKind::Compound(_, arguments) => {
                arguments.iter().for_each(|inner| inner.visit_variables(visit));
            }
            TermKind::List(items, tail) => {
                items.iter().chain(tail.as_deref()).for_each(|inner| inner.visit_variables(visit));
            }
            TermKind::Atom(_) | TermKind::Text(_) | TermKind::Integer(_) | TermKind::Float(_) => {}
        }
    }
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind<'source> {
    /// A variable by name; each `_` is a variable of its own.
    Variable(Cow<'source, str>),
    /// An atom: its value without quotes, escapes resolved.
    Atom(Cow<'source, str>),
    /// A double-quoted string: its value.
    Text(Cow<'source, str>),
    /// An integer.
    Integer(i64),
    /// A finite floating-point number.
    Float(f64),
    /// A functor with at least one argument.
    Compound(Cow<'source, str>, Vec<Term<'source>>),
    /// A list `[items | tail]`; no tail means `[]`. The empty list has no items and no tail.
    List(Vec<Term<'source>>, Option<Box<Term<'source>>>),
}

/// Terms are equal when they read the same; spans do not count.
impl PartialEq for Term<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// One clause of a source file, up to its full stop.
#[derive(Clone, Debug)]
pub struct Statement<'source> {
    /// The head; `None` for a directive or headless clause `:- goals.`
    pub head: Option<Term<'source>>,
    /// The conjuncts of the body, or the goals of the directive; empty for a fact.
    pub body: Vec<Term<'source>>,
    /// From the first token to the full stop.
    pub span: Span,
}

/// Statements are equal when they read the same; spans do not count.
impl PartialEq for Statement<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.head == other.head && self.body == other.body
    }
}
