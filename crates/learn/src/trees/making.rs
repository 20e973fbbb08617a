//! Tests, made of literals that facts propose.

use gleaner_base::{ConstantId, TypeId, VariableId};
use gleaner_engine::bias::Extension;
use gleaner_lang::program::{Term, Threshold};

use super::another_answer::NO_CALL;
use super::open_clause::OpenClause;
use super::test::Test;

/// The inputs for making tests.
pub(super) struct Making<'a> {
    /// The clause of the way to the node.
    pub(super) open: &'a OpenClause,
    /// The types of all variables, new ones too.
    pub(super) types: &'a [TypeId],
}

impl Making<'_> {
    /// The test of two literals, with further ones after them. The two have the order that comes first once new
    /// variables are numbered.
    pub(super) fn pair(&self, [first, second]: [&Extension; 2], further: &[Extension]) -> Test {
        let with_further = |pair: [&Extension; 2]| {
            let all: Vec<&Extension> = pair.into_iter().chain(further).collect();
            self.in_order(&all).0
        };
        let test = with_further([first, second]);
        if second.depth > 1 { test } else { test.min(with_further([second, first])) }
    }

    /// The test of literals in this order, and its new variables.
    pub(super) fn in_order(&self, literals: &[&Extension]) -> (Test, Vec<VariableId>) {
        let n_known = self.open.types.len();
        let mut new: Vec<VariableId> = Vec::new();
        let mut renamed = |term: Term| match term {
            Term::Variable(variable) if variable.index() >= n_known => {
                let at = new.iter().position(|&known| known == variable).unwrap_or_else(|| {
                    new.push(variable);
                    new.len() - 1
                });
                Term::Variable(VariableId::new(n_known + at))
            }
            other => other,
        };
        let mut literal = |extension: &&Extension| {
            let renamed = extension.literal.map_terms(&mut renamed);
            // Examples with other values propose the same threshold, if it is open.
            if extension.is_open { Threshold::moved(&renamed, ConstantId::default()) } else { renamed }
        };
        let renamed = literals.iter().map(&mut literal).collect();
        let test = Test {
            literals: renamed,
            constants: literals.iter().map(|extension| extension.constants.clone()).collect(),
            types: new.iter().map(|variable| self.types[variable.index()]).collect(),
            counts: literals.iter().any(|extension| extension.depth == NO_CALL),
            open: literals.iter().position(|extension| extension.is_open),
        };
        (test, new)
    }
}
