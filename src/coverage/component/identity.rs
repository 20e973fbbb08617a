//! Object identity: what it demands is found for each body, and joins the table of literals when it is first met.

use std::sync::Arc;

use crate::base::FixedMap;
use crate::program::Literal;
use crate::program::object_identity::Distinctions;

use super::ComponentEngine;

/// What is added to the bodies of one engine.
#[derive(Debug)]
pub(super) struct Identity {
    distinctions: Arc<Distinctions>,
    /// How many literals the table has without additions.
    n_own: usize,
    /// The positions of the additions.
    positions: FixedMap<Literal, u16>,
}

impl Identity {
    pub(super) fn new(distinctions: Arc<Distinctions>, n_own: usize) -> Self {
        Self { distinctions, n_own, positions: FixedMap::default() }
    }

    /// The literals at these positions with what they demand, ascending.
    pub(super) fn body(&mut self, literals: &[u16], engine: &mut ComponentEngine<'_>) -> Vec<u16> {
        let added = self.distinctions.of(literals);
        if engine.literals.len() + added.len() > usize::from(u16::MAX) {
            engine.cut_table(self.n_own);
            self.positions.clear();
        }
        let mut body = literals.to_vec();
        for literal in added {
            let position = match self.positions.get(&literal) {
                Some(&known) => known,
                None => {
                    let new = engine.add_literal(literal.clone());
                    self.positions.insert(literal, new);
                    new
                }
            };
            body.push(position);
        }
        body.sort_unstable();
        body
    }
}
