//! The table of an engine's literals, which grows: by the thresholds that searches fix, and by the literals that object identity demands.

use std::borrow::Cow;

use gleaner_lang::program::Literal;

use super::body::Identity;
use super::{ComponentEngine, unbound};

impl ComponentEngine<'_> {
    /// Whether some of these literals are fixed thresholds.
    pub(super) fn has_fixed(&self, literals: &[u16]) -> bool {
        self.thresholds.as_ref().is_some_and(|thresholds| thresholds.are_in(literals))
    }

    /// The positions of these literals in the engine's table, where fixed thresholds have their own.
    pub(super) fn in_table<'l>(&mut self, literals: &'l [u16]) -> Cow<'l, [u16]> {
        let Some(mut thresholds) = self.thresholds.take_if(|known| known.are_in(literals)) else {
            return Cow::Borrowed(literals);
        };
        if self.literals.len() + literals.len() > usize::from(u16::MAX) {
            thresholds.positions.clear();
            if let Some(identity) = &mut self.identity {
                identity.forget();
            }
            self.cut_table(thresholds.n_own);
        }
        let position = |position: &u16| {
            if let Some(&known) = thresholds.positions.get(position) {
                return known;
            }
            let Some(literal) = thresholds.fixed.literal(*position) else { return *position };
            let added = self.add_literal(literal);
            thresholds.positions.insert(*position, added);
            added
        };
        let body = literals.iter().map(position).collect();
        self.thresholds = Some(thresholds);
        Cow::Owned(body)
    }

    /// The positions of a body in the table, and of the literals that object identity demands beside these, ascending.
    pub(super) fn with_demanded(
        &mut self,
        literals: &[u16],
        mut body: Vec<u16>,
        identity: &mut Identity,
    ) -> Vec<u16> {
        let demanded = match &self.thresholds {
            None => identity.demanded(literals),
            Some(thresholds) => {
                let in_bottom = |&position: &u16| thresholds.fixed.in_bottom(position);
                identity.demanded(&literals.iter().map(in_bottom).collect::<Vec<u16>>())
            }
        };
        if self.literals.len() + demanded.len() > usize::from(u16::MAX) {
            self.cut_table(identity.forget());
            if let Some(thresholds) = &mut self.thresholds {
                thresholds.positions.clear();
            }
            body = self.in_table(literals).into_owned();
        }
        body.extend(
            demanded.into_iter().map(|literal| identity.position(literal, |new| self.add_literal(new))),
        );
        body.sort_unstable();
        body
    }

    /// Adds a literal to the table; returns its position.
    fn add_literal(&mut self, literal: Literal) -> u16 {
        let position = u16::try_from(self.literals.len()).expect("the table is cut before it is full");
        self.unbound.push(unbound(&self.head, &literal));
        self.single_parts.push(None);
        self.literals.push(literal);
        position
    }

    /// Cuts the table to its first literals, and forgets the parts made of others.
    fn cut_table(&mut self, n_literals: usize) {
        self.literals.truncate(n_literals);
        self.unbound.truncate(n_literals);
        self.single_parts.truncate(n_literals);
        self.known_parts.clear();
        self.single_parts.fill(None);
        self.parts.clear();
        self.numbers.clear();
        self.bases.clear();
    }
}
