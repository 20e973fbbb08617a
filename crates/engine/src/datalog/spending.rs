//! The limits of a run of the rules: facts, work and memory.

use std::cmp::Ordering;

use gleaner_base::ConstantId;

/// Combinations tried for each fact allowed. A join that tries more derives little or repeats itself.
const WORK_PER_FACT: u64 = 80;

/// Combinations that every run may try: about half a second.
const LEAST_WORK: u64 = 20_000_000;

/// Bytes of tuples held for each fact allowed: the fact and the tuples that lead to it, in several orders.
const BYTES_PER_FACT: usize = 64;

/// Bytes that every run may hold; sorting and merging take as much again.
const LEAST_BYTES: usize = 16 << 20;

/// The bytes in the tables of constants of a number that a rule makes: its text, twice, and its place.
const NUMBER_BYTES: usize = 128;

/// The facts, work and memory that a run has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spending {
    facts_left: usize,
    most_bytes: usize,
    work_left: u64,
    bytes_left: usize,
    number_bytes: usize,
    /// New constants get ascending ids.
    highest: Option<ConstantId>,
}

impl Spending {
    /// The limits of a run that may derive `max_derived_facts` facts.
    pub(super) fn new(max_derived_facts: usize) -> Self {
        let most_bytes = max_derived_facts.saturating_mul(BYTES_PER_FACT).max(LEAST_BYTES);
        let work = u64::try_from(max_derived_facts).unwrap_or(u64::MAX);
        Self {
            facts_left: max_derived_facts,
            most_bytes,
            work_left: work.saturating_mul(WORK_PER_FACT).max(LEAST_WORK),
            bytes_left: most_bytes,
            number_bytes: 0,
            highest: None,
        }
    }

    /// How many facts may still be derived.
    pub(super) const fn facts_left(&self) -> usize {
        self.facts_left
    }

    /// Notes facts that a stratum derived.
    pub(super) const fn derive(&mut self, n_facts: usize) {
        self.facts_left = self.facts_left.saturating_sub(n_facts);
    }

    /// Notes a combination that is tried.
    pub(super) const fn work(&mut self) {
        self.work_left = self.work_left.saturating_sub(1);
    }

    /// Whether no work or no memory is left.
    pub(super) const fn is_over(&self) -> bool {
        self.work_left == 0 || self.bytes_left == 0
    }

    /// Notes that tuples of `n_bytes` bytes are held.
    pub(super) const fn hold(&mut self, n_bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(n_bytes);
    }

    /// Replaces the bytes noted for tuples by `n_bytes`, the bytes of all tuples held now.
    pub(super) const fn hold_only(&mut self, n_bytes: usize) {
        self.bytes_left = self.most_bytes.saturating_sub(n_bytes.saturating_add(self.number_bytes));
    }

    /// Notes the constant of a number that a rule made; a new constant takes memory.
    pub(super) fn number(&mut self, constant: ConstantId) {
        let is_new = self.highest.is_none_or(|highest| highest.cmp(&constant) == Ordering::Less);
        if is_new {
            self.highest = Some(constant);
            self.number_bytes += NUMBER_BYTES;
            self.hold(NUMBER_BYTES);
        }
    }

    /// How many tuples of `n_bytes` bytes each there is room for.
    pub(super) const fn room(&self, n_bytes: usize) -> usize {
        self.bytes_left / if n_bytes == 0 { 1 } else { n_bytes }
    }
}
