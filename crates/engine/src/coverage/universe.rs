//! The examples that coverage sets range over.
//!
//! Many clauses over one universe: an engine for each head, not for each clause.
//!
//! An engine finds once, in a pass over all examples, those that its head matches. With an engine for each clause these
//! passes took four fifths of the time on 281,040 examples.

use std::sync::{Arc, Mutex};

use gleaner_base::{Budget, Classes, Counts, ExampleId, ExampleSet, FixedMap, NegativeWeight, Totals};
use gleaner_lang::program::{Atom, Clause, Examples, Literal};

use super::component::{Interrupted, normalise};
use super::groups::{Groups, Pairs, held};
use super::{ComponentEngine, CoverStore};

/// A choice of examples, each at a position: positives first, padded to a whole word, then negatives.
///
/// Positives and negatives never share a word. So true and false positives are counts over two ranges of words, and a
/// search may skip the second range.
///
/// **Shape**: `len` positions, and `n_positives + n_negatives` of them hold an example.
#[derive(Debug)]
pub struct Universe {
    examples: Arc<Examples>,
    positions: Vec<Option<ExampleId>>,
    classes: Classes,
    all: ExampleSet,
    groups: Mutex<FixedMap<u64, Arc<Groups>>>,
    pairs: Mutex<KnownPairs>,
}

/// Pairs by the arguments of the source, as bits, and by the target argument.
type KnownPairs = FixedMap<(u64, usize), Option<Arc<Pairs>>>;

impl Universe {
    /// The universe of these examples, in their canonical order within each class. Negatives have the weight of the
    /// problem's negatives.
    pub fn new(examples: Arc<Examples>, chosen: &[ExampleId]) -> Self {
        let (positives, negatives): (Vec<ExampleId>, Vec<ExampleId>) =
            chosen.iter().partition(|&&id| examples.is_positive(id));
        let negative_weight = examples.negative_weight();
        Self::of_classes(examples, &positives, &negatives, negative_weight)
    }

    fn of_classes(
        examples: Arc<Examples>,
        positives: &[ExampleId],
        negatives: &[ExampleId],
        negative_weight: NegativeWeight,
    ) -> Self {
        let n_positive_words = positives.len().div_ceil(64);
        let mut positions: Vec<Option<ExampleId>> = positives.iter().copied().map(Some).collect();
        positions.resize(n_positive_words * 64, None);
        positions.extend(negatives.iter().copied().map(Some));
        let held = positions.iter().enumerate().filter(|(_, example)| example.is_some());
        let all = ExampleSet::from_positions(positions.len(), held.map(|(position, _)| position));
        let totals = Totals { n_positives: positives.len(), n_negatives: negatives.len(), negative_weight };
        Self {
            examples,
            positions,
            classes: Classes { totals, n_positive_words },
            all,
            groups: Mutex::default(),
            pairs: Mutex::default(),
        }
    }

    /// The same examples with their classes exchanged, each class as heavy as the other. A search in this universe
    /// finds clauses for the original negatives. Their precision shows how well they avoid the original positives,
    /// however few these are.
    pub fn exchanged(&self) -> Self {
        let (positives, negatives): (Vec<ExampleId>, Vec<ExampleId>) =
            self.iter().map(|(_, example)| example).partition(|&id| self.examples.is_positive(id));
        let weight = NegativeWeight::new(self.n_negatives() as u64, self.n_positives() as u64);
        Self::of_classes(Arc::clone(&self.examples), &negatives, &positives, weight)
    }

    /// The same universe with another weight of negatives, where these were sampled for this universe alone.
    pub const fn with_negative_weight(mut self, negative_weight: NegativeWeight) -> Self {
        self.classes.totals.negative_weight = negative_weight;
        self
    }

    /// All examples of the problem; the universe holds some of them.
    pub const fn examples(&self) -> &Arc<Examples> {
        &self.examples
    }

    /// The number of positions, padding included.
    pub const fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no example.
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The classes of the positions.
    pub const fn classes(&self) -> Classes {
        self.classes
    }

    /// How many examples of each class there are.
    pub const fn totals(&self) -> Totals {
        self.classes.totals
    }

    /// By class, for `n_classes` classes: the positions of its examples.
    pub fn class_sets(&self, n_classes: usize) -> Vec<ExampleSet> {
        let mut positions: Vec<Vec<usize>> = vec![Vec::new(); n_classes];
        for (position, example) in self.iter() {
            positions[self.examples.class(example).index()].push(position);
        }
        positions.into_iter().map(|of_class| ExampleSet::from_positions(self.len(), of_class)).collect()
    }

    /// How many positives there are: `P`.
    pub const fn n_positives(&self) -> usize {
        self.classes.totals.n_positives
    }

    /// How many negatives there are: `N`.
    pub const fn n_negatives(&self) -> usize {
        self.classes.totals.n_negatives
    }

    /// How many negatives of the population each negative stands for.
    pub const fn negative_weight(&self) -> NegativeWeight {
        self.classes.totals.negative_weight
    }

    /// How many leading words hold the positives.
    pub const fn n_positive_words(&self) -> usize {
        self.classes.n_positive_words
    }

    /// Whether a position is in the range of the positives; padding has the class that it pads.
    pub const fn is_positive(&self, position: usize) -> bool {
        self.classes.is_positive(position)
    }

    /// The example at a position; `None` for padding.
    pub fn example(&self, position: usize) -> Option<ExampleId> {
        self.positions[position]
    }

    /// The positions that hold an example, ascending, each with its example.
    pub fn iter(&self) -> impl Iterator<Item = (usize, ExampleId)> + '_ {
        held(&self.positions)
    }

    /// The positives, ascending.
    pub fn positives(&self) -> impl Iterator<Item = ExampleId> + '_ {
        self.positions[..self.n_positives()].iter().copied().flatten()
    }

    /// The positions that hold an example.
    pub const fn all(&self) -> &ExampleSet {
        &self.all
    }

    /// Whether another universe has the same examples.
    pub fn has_examples_of(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }

    /// True and false positives of a set over this universe.
    pub fn counts(&self, set: &ExampleSet) -> Counts {
        self.classes.counts(set)
    }

    /// The examples grouped by world and by the values of the arguments in `argument_mask` (bit `i` is argument `i`).
    /// The first call makes the groups, at a cost of `O(n log n)`, and keeps them.
    ///
    /// # Panics
    ///
    /// When another thread panicked while it made groups.
    pub fn groups(&self, argument_mask: u64) -> Arc<Groups> {
        let mut groups = self.groups.lock().expect("no thread panics while it holds the lock");
        Arc::clone(
            groups
                .entry(argument_mask)
                .or_insert_with(|| Arc::new(Groups::new(&self.examples, &self.positions, argument_mask))),
        )
    }

    /// The examples as pairs: their group by the arguments in `source_mask`, and the argument `target`. `None` where
    /// there are too many targets. The first call makes the pairs, at a cost of `O(n log n)`, and keeps them.
    ///
    /// # Panics
    ///
    /// When another thread panicked while it made pairs.
    pub fn pairs(&self, source_mask: u64, target: usize) -> Option<Arc<Pairs>> {
        let mut pairs = self.pairs.lock().expect("no thread panics while it holds the lock");
        let make = || {
            let sources = self.groups(source_mask);
            Pairs::new(&self.examples, &self.positions, sources, target).map(Arc::new)
        };
        pairs.entry((source_mask, target)).or_insert_with(make).clone()
    }
}

/// The cover of a clause.
#[derive(Clone, Debug)]
pub struct Covered {
    /// Its counts.
    pub counts: Counts,
    /// The covered examples, where they were asked for.
    pub examples: Option<ExampleSet>,
}

/// The cover of each of these clauses, in their order, found one after the other. Literals that clauses share, and the
/// parts made of them, are looked up once; so neighbouring clauses should be alike.
///
/// **Cost**: a pass over the examples for each distinct head; for each clause that of
/// [`ComponentEngine::count`].
///
/// # Panics
///
/// When a body has 2^16 literals or more; readers of clauses refuse such.
pub fn cover_clauses(
    store: &Arc<CoverStore<'_>>,
    universe: &Universe,
    clauses: &[&Clause],
    lists_examples: bool,
    budget: &Budget,
) -> Vec<Result<Covered, Interrupted>> {
    let counts = Counts::NONE;
    let examples = lists_examples.then(|| ExampleSet::empty(universe.len()));
    let mut covered = vec![Ok(Covered { counts, examples }); clauses.len()];
    for batch in batches(clauses) {
        let mut engine = ComponentEngine::sharing(store, batch.head, batch.literals, budget.clone());
        for (position, body) in batch.bodies {
            covered[position] = cover_body(&mut engine, &body, lists_examples, budget);
        }
    }
    covered
}

fn cover_body(
    engine: &mut ComponentEngine<'_>,
    body: &[u16],
    lists_examples: bool,
    budget: &Budget,
) -> Result<Covered, Interrupted> {
    if let Some(reason) = budget.stop() {
        return Err(Interrupted(reason));
    }
    let counts = engine.count(body, 0)?.expect("no clause covers fewer than no positives");
    let examples = if lists_examples { Some(engine.cover(body)?) } else { None };
    Ok(Covered { counts, examples })
}

/// Clauses of one head, over one table of literals.
#[derive(Debug)]
struct Batch {
    head: Atom,
    literals: Vec<Literal>,
    numbers: FixedMap<Literal, u16>,
    /// The position of each clause, and its literals, ascending.
    bodies: Vec<(usize, Vec<u16>)>,
}

/// The clauses that can cover an example, by head. Normal clauses number their variables from the head on, so that
/// clauses of one head agree on its variables.
fn batches(clauses: &[&Clause]) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut newest: FixedMap<Atom, usize> = FixedMap::default();
    for (position, clause) in clauses.iter().enumerate() {
        let Some(Clause { head, body, .. }) = normalise(clause) else { continue };
        let has_room = |&batch: &usize| batches[batch].literals.len() + body.len() <= usize::from(u16::MAX);
        let batch = newest.get(&head).copied().filter(has_room).unwrap_or_else(|| {
            newest.insert(head.clone(), batches.len());
            batches.push(Batch {
                head,
                literals: Vec::new(),
                numbers: FixedMap::default(),
                bodies: Vec::new(),
            });
            batches.len() - 1
        });
        batches[batch].add(position, body);
    }
    batches
}

impl Batch {
    fn add(&mut self, position: usize, body: Vec<Literal>) {
        let mut numbers: Vec<u16> = body
            .into_iter()
            .map(|literal| {
                let next = u16::try_from(self.literals.len()).expect("readers refuse bodies this long");
                *self.numbers.entry(literal).or_insert_with_key(|literal| {
                    self.literals.push(literal.clone());
                    next
                })
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.bodies.push((position, numbers));
    }
}
