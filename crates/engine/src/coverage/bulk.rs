//! Many clauses over one universe: an engine for each head, not for each clause.
//!
//! An engine finds once, in a pass over all examples, those that its head matches. With an engine for each clause these
//! passes took four fifths of the time on 281,040 examples.

use std::sync::Arc;

use gleaner_base::{Budget, Counts, ExampleSet, FixedMap};
use gleaner_lang::program::{Atom, Clause, Literal};

use super::component::{Interrupted, normalise};
use super::{ComponentEngine, CoverStore, Universe};

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
#[must_use]
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
