//! Object identity: finds the literals that it demands for each body, and adds each to the table when first met.

use std::sync::Arc;

use gleaner_base::FixedMap;
use gleaner_lang::program::Literal;
use gleaner_lang::program::object_identity::Distinctions;

/// The literals that object identity adds to the bodies of one engine.
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

    /// The literals that a body of the literals at these positions demands beside them.
    pub(super) fn demanded(&self, literals: &[u16]) -> Vec<Literal> {
        self.distinctions.of(literals)
    }

    /// The position of an addition; `add` makes one where there is none.
    pub(super) fn position(&mut self, addition: Literal, add: impl FnOnce(Literal) -> u16) -> u16 {
        *self.positions.entry(addition).or_insert_with_key(|addition| add(addition.clone()))
    }

    /// Forgets all additions; returns how many literals the table has without them.
    pub(super) fn forget(&mut self) -> usize {
        self.positions.clear();
        self.n_own
    }
}
