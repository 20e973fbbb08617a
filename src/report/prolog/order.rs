//! The order in which Prolog proves the literals of a body.

use gleaner_base::VariableId;
use gleaner_lang::program::literal::Role;
use gleaner_lang::program::{Atom, Clause, Literal, Symbols};

/// The literals of a body in the order of their proof. Tests come as soon as their variables have values; of the
/// others, those that share a variable with earlier ones come first. An aggregate comes once its groups have values.
/// `None` stands for tests that can never be made.
pub(in crate::report) fn ordered<'c>(
    clause: &'c Clause,
    symbols: Option<&Symbols>,
) -> Vec<Option<&'c Literal>> {
    let is_aggregate = |atom: &Atom| symbols.is_some_and(|known| known.is_aggregate(atom.predicate));
    let mut is_valued = vec![false; clause.n_variables];
    let value = |is_valued: &mut Vec<bool>, variable: VariableId| is_valued[variable.index()] = true;
    clause.head.arguments.iter().filter_map(|term| term.variable()).for_each(|it| value(&mut is_valued, it));
    let mut left: Vec<&Literal> = clause.body.iter().collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let has_valued =
            |literal: &Literal| literal.variables().iter().any(|variable| is_valued[variable.index()]);
        let is_ready = |literal: &&Literal| {
            let role = literal.role(&|variable| is_valued[variable.index()]);
            matches!(role, Role::Test | Role::Assign(..))
        };
        let is_grouped = |atom: &Atom| {
            let groups = atom.arguments.split_last().map_or(&[][..], |(_, groups)| groups);
            groups.iter().filter_map(|term| term.variable()).all(|variable| is_valued[variable.index()])
        };
        let is_atom = |literal: &&Literal| {
            literal.positive_atom().is_some_and(|atom| !is_aggregate(atom) || is_grouped(atom))
        };
        let next = left
            .iter()
            .position(is_ready)
            .or_else(|| left.iter().position(|literal| is_atom(literal) && has_valued(literal)))
            .or_else(|| left.iter().position(is_atom));
        let Some(next) = next else {
            ordered.push(None);
            break;
        };
        let literal = left.remove(next);
        literal.visit_variables(&mut |variable| value(&mut is_valued, variable));
        ordered.push(Some(literal));
    }
    ordered
}
