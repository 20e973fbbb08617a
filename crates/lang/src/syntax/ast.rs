//! The abstract syntax of Prolog-style programs, with spans.
//!
//! One term language serves facts, rules, modes and directives. Operators are compound terms, as in Prolog: `X < 3` is
//! `<`/2, `+person` is `+`/1, `\+ p` is `\+`/1. The rooms above give them their meaning. Texts borrow from the source
//! where they can.
//!
//! The actions of the grammar, which build the syntax tree bottom-up.
//!
//! Each node carries its depth, so these actions bound the nesting of all shapes exactly: brackets, chains of
//! operators, tails of lists. The LR parser keeps its stack on the heap. But dropping, comparing and printing a deep
//! term would recurse too deeply.

use std::borrow::Cow;

use lalrpop_util::ParseError;

use super::diagnostic::{MAX_DEPTH, SyntaxFault, SyntaxFaultKind};
use super::lexer::Token;

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

/// A term and the number of its levels.
#[derive(Clone, Debug)]
pub(crate) struct Node<'s> {
    term: Term<'s>,
    depth: usize,
}

type Built<'s, T> = Result<T, ParseError<usize, Token<'s>, SyntaxFault>>;

fn leaf(kind: TermKind<'_>, span: Span) -> Node<'_> {
    Node { term: Term { kind, span }, depth: 1 }
}

fn inner(kind: TermKind<'_>, below: usize, span: Span) -> Built<'_, Node<'_>> {
    if below >= MAX_DEPTH {
        // The message shows only the first character, as the whole term may fill pages.
        let first = Span::new(span.start, span.end.min(span.start + 1));
        let error = SyntaxFault::new(SyntaxFaultKind::TooDeep, first);
        return Err(ParseError::User { error });
    }
    Ok(Node { term: Term { kind, span }, depth: below + 1 })
}

fn terms(nodes: Vec<Node<'_>>) -> (Vec<Term<'_>>, usize) {
    let depth = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    (nodes.into_iter().map(|node| node.term).collect(), depth)
}

pub(crate) fn atom(name: Cow<'_, str>, span: Span) -> Node<'_> {
    leaf(TermKind::Atom(name), span)
}

pub(crate) fn variable(name: &str, span: Span) -> Node<'_> {
    leaf(TermKind::Variable(Cow::Borrowed(name)), span)
}

pub(crate) fn text(text: Cow<'_, str>, span: Span) -> Node<'_> {
    leaf(TermKind::Text(text), span)
}

pub(crate) fn integer<'s>(number: i64, span: Span) -> Node<'s> {
    leaf(TermKind::Integer(number), span)
}

/// A list of numbers, all at one place.
pub(crate) fn codes<'s>(numbers: Vec<i64>, span: Span) -> Built<'s, Node<'s>> {
    list(numbers.into_iter().map(|number| integer(number, span)).collect(), None, span)
}

pub(crate) fn float<'s>(number: f64, span: Span) -> Node<'s> {
    leaf(TermKind::Float(number), span)
}

pub(crate) fn compound<'s>(name: Cow<'s, str>, args: Vec<Node<'s>>, span: Span) -> Built<'s, Node<'s>> {
    let (args, depth) = terms(args);
    inner(TermKind::Compound(name, args), depth, span)
}

pub(crate) fn prefix<'s>(op: &'s str, arg: Node<'s>, span: Span) -> Built<'s, Node<'s>> {
    compound(Cow::Borrowed(op), vec![arg], span)
}

pub(crate) fn infix<'s>(op: &'s str, a: Node<'s>, b: Node<'s>, span: Span) -> Built<'s, Node<'s>> {
    compound(Cow::Borrowed(op), vec![a, b], span)
}

pub(crate) fn list<'s>(items: Vec<Node<'s>>, tail: Option<Node<'s>>, span: Span) -> Built<'s, Node<'s>> {
    let (mut items, depth) = terms(items);
    let below = depth.max(tail.as_ref().map_or(0, |tail| tail.depth));
    // `[a|[b]]` is `[a,b]`.
    let tail = match tail.map(|tail| tail.term) {
        Some(Term { kind: TermKind::List(rest, tail), .. }) => {
            items.extend(rest);
            tail
        }
        other => other.map(Box::new),
    };
    inner(TermKind::List(items, tail), below, span)
}

/// A whole term, without its depth.
pub(crate) fn term(node: Node<'_>) -> Term<'_> {
    node.term
}

/// Conjuncts as one term, nested to the right as in Prolog.
pub(crate) fn fold<'s>(mut goals: Vec<Node<'s>>) -> Built<'s, Node<'s>> {
    let mut folded = goals.pop().expect("the grammar gives at least one conjunct");
    while let Some(goal) = goals.pop() {
        let span = Span::new(goal.term.span.start, folded.term.span.end);
        folded = infix(",", goal, folded, span)?;
    }
    Ok(folded)
}

/// Conjuncts as a flat list; parenthesised conjunctions among them are opened.
pub(crate) fn conjuncts(goals: Vec<Node<'_>>) -> Vec<Term<'_>> {
    let mut flat = Vec::with_capacity(goals.len());
    let mut open = Vec::new();
    for goal in goals {
        open.push(goal.term);
        while let Some(Term { kind, span }) = open.pop() {
            match kind {
                TermKind::Compound(name, args) if name == "," && args.len() == 2 => {
                    open.extend(args.into_iter().rev());
                }
                kind => flat.push(Term { kind, span }),
            }
        }
    }
    flat
}

pub(crate) fn statement<'s>(
    head: Option<Vec<Node<'s>>>,
    body: Vec<Node<'s>>,
    span: Span,
) -> Built<'s, Statement<'s>> {
    let head = head.map(fold).transpose()?.map(|node| node.term);
    Ok(Statement { head, body: conjuncts(body), span })
}
