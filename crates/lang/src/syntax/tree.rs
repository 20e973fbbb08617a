//! The actions of the grammar, which build the syntax tree bottom-up.
//!
//! Each node carries its depth, so these actions bound the nesting of all shapes exactly: brackets, chains of
//! operators, tails of lists. The LR parser keeps its stack on the heap. But dropping, comparing and printing a deep
//! term would recurse too deeply.

use std::borrow::Cow;

use lalrpop_util::ParseError;

use super::ast::{Span, Statement, Term, TermKind};
use super::fault::{MAX_DEPTH, SyntaxFault, SyntaxFaultKind};
use super::lexer::Token;

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
