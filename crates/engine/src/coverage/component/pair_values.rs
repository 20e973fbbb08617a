//! The values of one head variable that make a part true, for given values of the others.
//!
//! A part on two head variables is a relation between their values, and a pair of values is one example or more. Proofs
//! pair by pair repeat the work on the first value for each second value. This module does that work once, and gets
//! the second values as words of constants.

use std::sync::Arc;

use crate::datalog::Background;
use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::{Atom, Clause, Literal, Term};

use super::batched_proofs::{JoinBatch, Taken};
use super::compile::Intern;
use super::link::{Columns, Found, FoundWord};
use super::part::{Child, Join, Part, Step};
use super::prover::{Prover, World};

/// A part compiled to give the values of a variable that is not of its interface.
#[derive(Debug)]
pub(super) struct PairValues {
    part: Part,
    /// The position of the child that gives the target, and its compiled search. `None` where this join gives it.
    inner: Option<(usize, Box<PairValues>)>,
    /// The other children that are neither links nor sets, by position.
    others: Box<[usize]>,
}

impl PairValues {
    /// Compiles the search for the values of `target` in some literals with an interface. `None` where a join on the
    /// way to the target is not made by links.
    pub(super) fn compile(
        interface: &[VariableId],
        literals: &[Literal],
        target: VariableId,
        worlds: &[Background],
        intern: &mut Intern<'_>,
    ) -> Option<Self> {
        let arguments = interface.iter().map(|&variable| Term::Variable(variable)).collect();
        let head = Atom { predicate: PredicateId::new(0), arguments };
        let (clause, names) = Clause::renumbered_from(&head, literals);
        let target = VariableId::new(names.iter().position(|&known| known == target)?);
        let mut inner = None;
        // No store ever sees this part, so its number is one that no store gives.
        let part = Part::compile(u32::MAX, &clause, worlds, &mut |interface, literals| {
            let part = intern(interface, literals);
            let has_target = literals.iter().any(|literal| literal.variables().contains(&target));
            if has_target && !interface.contains(&target) {
                let targets = Self::compile(interface, literals, target, worlds, intern);
                let variables: Box<[usize]> = interface.iter().map(|variable| variable.index()).collect();
                inner = Some((Arc::clone(&part), variables, targets));
            }
            part
        });
        let Step::Join(Join { children, word_join: Some(word_join), .. }) = &part.step else { return None };
        let inner = match inner {
            None => (word_join.variable == target.index()).then_some(None)?,
            Some((inner, variables, targets)) => {
                let is_inner =
                    |child: &Child| Arc::ptr_eq(&child.part, &inner) && child.variables == variables;
                Some((children.iter().position(is_inner)?, Box::new(targets?)))
            }
        };
        let is_inner = |child: usize| inner.as_ref().is_some_and(|(inner, _)| *inner == child);
        let others = word_join.rest.iter().copied().filter(|&child| !is_inner(child)).collect();
        Some(Self { part, inner, others })
    }

    /// Roughly how many look-ups it takes to find the values for a source.
    pub(super) fn n_lookups(&self) -> f64 {
        let Step::Join(Join { children, word_join: Some(word_join), .. }) = &self.part.step else {
            return f64::INFINITY;
        };
        let of_inner = self.inner.as_ref().map_or(0.0, |(_, inner)| word_join.fan_out() * inner.n_lookups());
        word_join.n_lookups(&self.others, children) + of_inner
    }

    /// Finds the values of the target for each item of the columns. They are incomplete when the budget ran out;
    /// `prover.stopped` is then set.
    pub(super) fn find(
        &self,
        columns: &Columns,
        items: &[u32],
        world: World<'_>,
        prover: &mut Prover,
        found: &mut Found,
    ) {
        let Step::Join(Join { children, word_join: Some(word_join), .. }) = &self.part.step else { return };
        let join = JoinBatch { word_join, children, columns, world };
        let Some(words) = join.allowed(items.len(), prover) else { return };
        if self.inner.is_none() && self.others.is_empty() {
            found.extend(words.iter().map(|word| FoundWord { item: items[word.item as usize], ..*word }));
            return;
        }
        let are_done = vec![false; items.len()];
        let mut words = words.into_iter();
        let mut taken = Taken::default();
        while join.take(&mut words, &are_done, &mut taken) && prover.stopped.is_none() {
            join.keep_true(&self.others, &mut taken, prover);
            let items: Vec<u32> = taken.items.iter().map(|&item| items[item as usize]).collect();
            if let Some((position, inner)) = &self.inner {
                inner.find(&join.columns_of(&children[*position], &taken), &items, world, prover, found);
            } else {
                let word = |(&item, value): (&u32, &ConstantId)| FoundWord {
                    item,
                    word: value.raw() / 64,
                    bits: 1 << (value.raw() % 64),
                };
                found.extend(items.iter().zip(&taken.values).map(word));
            }
        }
    }
}
