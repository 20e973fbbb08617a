//! The predictions of paths: how many pairs of distinct entities they join.
//!
//! From an entity, the last step of a path leads to whole rows of the graph. One row alone is counted by its length. Of
//! several rows the union is counted: entity by entity where they are short, and by bits where they are long. So an
//! entity with many links is never paired with each of them.

use rayon::prelude::*;

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, StopReason};

use super::graph::{Directed, Graph, Steps};

/// A row has bits of its own if it holds more than this part of all entities.
const LONG: usize = 16;

/// Entities between looks at the budget.
const ENTITIES_BETWEEN_LOOKS: u32 = 16;

/// Entities that one task begins at, at least.
const LEAST_SOURCES: usize = 256;

/// The number of pairs of distinct entities that each body joins; 2^32 - 1 if there are more. Bodies ascend. For a body
/// that was not counted, the reason to stop stands in place of the number.
pub(super) fn reached(graph: &Graph, bodies: &[Steps], budget: &Budget) -> Vec<Result<u32, StopReason>> {
    let bits = RowBits::of(graph);
    let by_first: Vec<&[Steps]> = bodies.chunk_by(|left, right| left.0 == right.0).collect();
    let size = |first: Directed| {
        graph.sources(first).len().div_ceil(4 * rayon::current_num_threads()).max(LEAST_SOURCES)
    };
    let tasks: Vec<(usize, &[EntityId])> = by_first
        .iter()
        .enumerate()
        .flat_map(|(at, bodies)| {
            let first = bodies[0].0;
            graph.sources(first).chunks(size(first)).map(move |sources| (at, sources))
        })
        .collect();
    let of_task = |union: &mut Union<'_>, &(at, sources): &(usize, &[EntityId])| {
        union.predictions(by_first[at], sources, budget)
    };
    let of_tasks: Vec<Result<Vec<u64>, StopReason>> =
        tasks.par_iter().map_init(|| Union::new(graph, &bits), of_task).collect();
    let mut sums: Vec<Result<Vec<u64>, StopReason>> =
        by_first.iter().map(|bodies| Ok(vec![0; bodies.len()])).collect();
    for (&(at, _), of_task) in tasks.iter().zip(of_tasks) {
        match (&mut sums[at], of_task) {
            (Ok(sums), Ok(of_task)) => sums.iter_mut().zip(of_task).for_each(|(sum, more)| *sum += more),
            (sums, Err(reason)) => *sums = Err(reason),
            (Err(_), Ok(_)) => {}
        }
    }
    let of_first = |(sums, bodies): (Result<Vec<u64>, StopReason>, &&[Steps])| match sums {
        Ok(sums) => sums.into_iter().map(|sum| Ok(u32::try_from(sum).unwrap_or(u32::MAX))).collect(),
        Err(reason) => vec![Err(reason); bodies.len()],
    };
    sums.into_iter().zip(&by_first).flat_map(of_first).collect()
}

/// The entities of long rows, without the row's own, a bit for each.
struct RowBits {
    n_words: usize,
    /// For each row, one more than its number among the long rows; 0 for a short row.
    number: Vec<u32>,
    words: Vec<u64>,
}

impl RowBits {
    fn of(graph: &Graph) -> Self {
        let n_words = graph.n_entities().div_ceil(64);
        let mut bits = Self { n_words, number: vec![0; graph.n_rows()], words: Vec::new() };
        let mut n_long = 0;
        for entity in (0..graph.n_entities()).map(EntityId::new) {
            for row in graph.rows_of(entity) {
                let targets = graph.targets(row);
                if targets.len() * LONG <= graph.n_entities() {
                    continue;
                }
                n_long += 1;
                bits.number[row] = n_long;
                let begin = bits.words.len();
                bits.words.resize(begin + n_words, 0);
                let others = targets.iter().filter(|&&target| target != entity);
                others.for_each(|target| set(&mut bits.words[begin..], *target));
            }
        }
        bits
    }

    fn of_row(&self, row: usize) -> Option<&[u64]> {
        let at = (self.number[row] as usize).checked_sub(1)?;
        Some(&self.words[at * self.n_words..(at + 1) * self.n_words])
    }
}

fn set(words: &mut [u64], entity: EntityId) {
    words[entity.index() / 64] |= 1 << (entity.index() % 64);
}

/// A row that the last step of a path leads to, with the step and the entity of the row.
type LastRow = (Directed, EntityId, usize);

/// Counts the entities that several rows hold together; of one worker.
struct Union<'g> {
    graph: &'g Graph,
    bits: &'g RowBits,
    words: Vec<u64>,
    /// The count that met each entity last.
    met: Vec<u64>,
    n_counts: u64,
    /// For each directed relation, one more than the position of the body that ends with it.
    wanted: Vec<u32>,
    rows: Vec<LastRow>,
}

impl<'g> Union<'g> {
    fn new(graph: &'g Graph, bits: &'g RowBits) -> Self {
        Self {
            graph,
            bits,
            words: vec![0; bits.n_words],
            met: vec![0; graph.n_entities()],
            n_counts: 0,
            wanted: vec![0; graph.directed().count()],
            rows: Vec::new(),
        }
    }

    /// How many other entities bodies with one first step lead to, from some entities.
    fn predictions(
        &mut self,
        bodies: &[Steps],
        sources: &[EntityId],
        budget: &Budget,
    ) -> Result<Vec<u64>, StopReason> {
        let mut sums = vec![0; bodies.len()];
        let first = bodies[0].0;
        let is_alone = bodies[0].1.is_none();
        for (&(_, second), position) in bodies.iter().zip(1_u32..) {
            if let Some(second) = second {
                self.wanted[second.index()] = position;
            }
        }
        let counted = self.count(first, is_alone, sources, &mut sums, budget);
        for second in bodies.iter().filter_map(|body| body.1) {
            self.wanted[second.index()] = 0;
        }
        counted.map(|()| sums)
    }

    fn count(
        &mut self,
        first: Directed,
        is_alone: bool,
        sources: &[EntityId],
        sums: &mut [u64],
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let graph = self.graph;
        let mut poll = Poll::new(budget, ENTITIES_BETWEEN_LOOKS);
        let mut rows = std::mem::take(&mut self.rows);
        for &source in sources {
            let middles = graph.linked(source, first);
            if is_alone {
                sums[0] += (middles.len() - usize::from(holds(middles, source))) as u64;
            }
            rows.clear();
            for &middle in middles.iter().filter(|&&middle| middle != source) {
                poll.step()?;
                let of_middle = graph.rows_of(middle).map(|row| (graph.relation_of(row), middle, row));
                rows.extend(of_middle.filter(|(second, _, _)| self.wanted[second.index()] > 0));
            }
            rows.sort_unstable();
            for of_body in rows.chunk_by(|left, right| left.0 == right.0) {
                poll.step()?;
                let body = self.wanted[of_body[0].0.index()] as usize - 1;
                sums[body] += self.n_others(source, of_body);
            }
        }
        self.rows = rows;
        Ok(())
    }

    /// How many entities the rows hold, without the source, and without each row's own entity in that row.
    fn n_others(&mut self, source: EntityId, rows: &[LastRow]) -> u64 {
        let graph = self.graph;
        if let &[(_, middle, row)] = rows {
            let targets = graph.targets(row);
            let n_left_out = usize::from(holds(targets, source)) + usize::from(holds(targets, middle));
            return (targets.len() - n_left_out) as u64;
        }
        let total: usize = rows.iter().map(|&(_, _, row)| graph.targets(row).len()).sum();
        if total <= 2 * self.words.len() { self.one_by_one(source, rows) } else { self.by_bits(source, rows) }
    }

    fn one_by_one(&mut self, source: EntityId, rows: &[LastRow]) -> u64 {
        self.n_counts += 1;
        self.met[source.index()] = self.n_counts;
        let mut n_others = 0;
        for &(_, middle, row) in rows {
            for &target in self.graph.targets(row).iter().filter(|&&target| target != middle) {
                let met = &mut self.met[target.index()];
                n_others += u64::from(*met != self.n_counts);
                *met = self.n_counts;
            }
        }
        n_others
    }

    fn by_bits(&mut self, source: EntityId, rows: &[LastRow]) -> u64 {
        self.words.fill(0);
        for &(_, middle, row) in rows {
            match self.bits.of_row(row) {
                Some(of_row) => self.words.iter_mut().zip(of_row).for_each(|(word, more)| *word |= more),
                None => {
                    let targets = self.graph.targets(row).iter().filter(|&&target| target != middle);
                    targets.for_each(|&target| set(&mut self.words, target));
                }
            }
        }
        self.words[source.index() / 64] &= !(1 << (source.index() % 64));
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

fn holds(row: &[EntityId], entity: EntityId) -> bool {
    row.binary_search(&entity).is_ok()
}
