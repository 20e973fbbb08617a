//! From syntax to clauses over provisional ids.

use crate::base::{ConstantId, FixedMap, VariableId};
use crate::program::{
    ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Number, Term,
};
use crate::syntax::ast;
use crate::syntax::{Span, TermKind, quote_atom};

use super::provisional::{Provisional, number_text};

/// A construct that clauses do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unsupported {
    pub(super) what: String,
    pub(super) span: Span,
}

impl Unsupported {
    fn new(what: impl Into<String>, span: Span) -> Self {
        Self { what: what.into(), span }
    }
}

/// The variables of one clause while it is lowered.
#[derive(Debug, Default)]
pub(super) struct Variables {
    ids: FixedMap<String, VariableId>,
    names: Vec<String>,
}

impl Variables {
    /// Fixes the ids of these names, in order.
    pub(super) fn with_names(names: impl IntoIterator<Item = String>) -> Self {
        let mut variables = Self::default();
        for name in names {
            variables.id(&name);
        }
        variables
    }

    fn id(&mut self, name: &str) -> VariableId {
        let next = VariableId::new(self.names.len());
        if name == "_" {
            self.names.push(name.to_owned());
            return next;
        }
        *self.ids.entry_ref(name).or_insert_with(|| {
            self.names.push(name.to_owned());
            next
        })
    }

    pub(super) fn name(&self, id: VariableId) -> &str {
        &self.names[id.index()]
    }

    pub(super) const fn len(&self) -> usize {
        self.names.len()
    }
}

/// The constant of a ground term; `None` when it holds a variable.
pub(super) fn ground_constant(term: &ast::Term<'_>, symbols: &mut Provisional) -> Option<ConstantId> {
    let number = match term.kind {
        TermKind::Integer(value) => Some(Number::Integer(value)),
        TermKind::Float(value) => Some(Number::Float(value)),
        _ => None,
    };
    if let Some(number) = number {
        return Some(symbols.constant(&number_text(number), Some(number)));
    }
    if let TermKind::Atom(name) = &term.kind {
        return Some(symbols.constant(&quote_atom(name), None));
    }
    is_ground(term).then(|| symbols.constant(&term.to_string(), None))
}

fn is_ground(term: &ast::Term<'_>) -> bool {
    match &term.kind {
        TermKind::Variable(_) => false,
        TermKind::Compound(_, arguments) => arguments.iter().all(is_ground),
        TermKind::List(items, tail) => items.iter().all(is_ground) && tail.as_deref().is_none_or(is_ground),
        _ => true,
    }
}

/// The name and arguments of an atom's syntax; `None` for what is no atom.
pub(super) fn atom_parts<'t, 's>(term: &'t ast::Term<'s>) -> Option<(&'t str, &'t [ast::Term<'s>])> {
    match &term.kind {
        TermKind::Atom(name) => Some((name, &[])),
        TermKind::Compound(name, arguments) => Some((name, arguments)),
        _ => None,
    }
}

fn lower_term(
    term: &ast::Term<'_>,
    symbols: &mut Provisional,
    variables: &mut Variables,
) -> Result<Term, Unsupported> {
    if let TermKind::Variable(name) = &term.kind {
        return Ok(Term::Variable(variables.id(name)));
    }
    ground_constant(term, symbols)
        .map(Term::Constant)
        .ok_or_else(|| Unsupported::new("a compound term or list with variables", term.span))
}

/// Names that control Prolog's execution and have no meaning as relations.
const CONTROL: [(&str, usize); 15] = [
    ("!", 0),
    (";", 2),
    ("->", 2),
    (",", 2),
    (":", 2),
    ("findall", 3),
    ("assert", 1),
    ("call", 1),
    ("=:=", 2),
    ("=\\=", 2),
    ("=..", 2),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
];

pub(super) fn lower_atom(
    term: &ast::Term<'_>,
    symbols: &mut Provisional,
    variables: &mut Variables,
) -> Result<Atom, Unsupported> {
    let (name, arguments) =
        atom_parts(term).ok_or_else(|| Unsupported::new(format!("`{term}` as a literal"), term.span))?;
    let is_operator = ComparisonOperator::from_symbol(name).is_some() && arguments.len() == 2;
    if is_operator || CONTROL.contains(&(name, arguments.len())) {
        return Err(Unsupported::new(format!("`{name}`/{} here", arguments.len()), term.span));
    }
    let arguments = arguments
        .iter()
        .map(|argument| lower_term(argument, symbols, variables))
        .collect::<Result<Vec<Term>, Unsupported>>()?;
    Ok(Atom { predicate: symbols.predicate(name, arguments.len()), arguments })
}

/// A literal of a body.
pub(super) fn lower_literal(
    term: &ast::Term<'_>,
    symbols: &mut Provisional,
    variables: &mut Variables,
) -> Result<Literal, Unsupported> {
    match &term.kind {
        TermKind::Compound(name, arguments) if matches!(&**name, "\\+" | "not") && arguments.len() == 1 => {
            lower_atom(&arguments[0], symbols, variables).map(Literal::Negative)
        }
        TermKind::Compound(name, arguments) if arguments.len() == 2 => {
            match ComparisonOperator::from_symbol(name) {
                Some(operator) => lower_comparison(operator, arguments, symbols, variables),
                None => lower_atom(term, symbols, variables).map(Literal::Positive),
            }
        }
        _ => lower_atom(term, symbols, variables).map(Literal::Positive),
    }
}

fn lower_comparison(
    operator: ComparisonOperator,
    sides: &[ast::Term<'_>],
    symbols: &mut Provisional,
    variables: &mut Variables,
) -> Result<Literal, Unsupported> {
    let is_arithmetic = operator.is_numeric();
    let mut side = |term: &ast::Term<'_>, arithmetic: bool| {
        if arithmetic {
            lower_expression(term, symbols, variables)
        } else {
            lower_term(term, symbols, variables).map(Expression::Term)
        }
    };
    let left = side(&sides[0], is_arithmetic)?;
    let right = side(&sides[1], is_arithmetic || operator == ComparisonOperator::Is)?;
    Ok(Literal::Comparison(Comparison { operator, left, right }))
}

fn lower_expression(
    term: &ast::Term<'_>,
    symbols: &mut Provisional,
    variables: &mut Variables,
) -> Result<Expression, Unsupported> {
    if let TermKind::Compound(name, arguments) = &term.kind {
        match (&**name, arguments.as_slice()) {
            ("-", [inner]) => {
                return Ok(Expression::Negate(Box::new(lower_expression(inner, symbols, variables)?)));
            }
            ("+", [inner]) => return lower_expression(inner, symbols, variables),
            (name, [left, right]) => {
                if let Some(operator) = ArithmeticOperator::from_symbol(name) {
                    let left = lower_expression(left, symbols, variables)?;
                    let right = lower_expression(right, symbols, variables)?;
                    return Ok(Expression::Binary(operator, Box::new(left), Box::new(right)));
                }
            }
            _ => {}
        }
        return Err(Unsupported::new(format!("`{name}`/{} in arithmetic", arguments.len()), term.span));
    }
    lower_term(term, symbols, variables).map(Expression::Term)
}

/// A clause; its variables are numbered as they come, those of `variables` first.
pub(super) fn lower_clause(
    head: &ast::Term<'_>,
    body: &[ast::Term<'_>],
    symbols: &mut Provisional,
    variables: &mut Variables,
) -> Result<Clause, Unsupported> {
    let head = lower_atom(head, symbols, variables)?;
    let body = body
        .iter()
        .map(|literal| lower_literal(literal, symbols, variables))
        .collect::<Result<Vec<Literal>, Unsupported>>()?;
    Ok(Clause { head, body, n_variables: variables.len() })
}
