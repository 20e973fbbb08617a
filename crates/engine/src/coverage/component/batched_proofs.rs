//! Proofs of a part for many values of its interface, side by side.
//!
//! One proof waits for memory most of its time: for a key's place among the links, then for the values that the key
//! links to. Proofs side by side wait together, as the look-ups of one do not depend on those of another.

use gleaner_base::ConstantId;

use super::link::{Columns, Found, FoundWord};
use super::part::{Child, Join, Part, Step, WordJoin};
use super::prover::{Prover, World};

/// Values that are tried before an item may be found true by one of them.
const VALUES_PER_BATCH: usize = 2_048;

/// Whether a part is true in a world for each of `n` values of its interface, given by column. When the budget stops
/// the proofs, `prover.stopped` is set, and the answers mean nothing.
pub(super) fn are_true(
    part: &Part,
    columns: &Columns,
    n: usize,
    world: World<'_>,
    prover: &mut Prover,
) -> Vec<bool> {
    match &part.step {
        Step::Never => vec![false; n],
        Step::Check { link: Some((link, target)), .. } => {
            prover.tick_rows(narrow(n));
            let reaches = |item: usize| {
                link.reaches(columns[*target][item], world.idx, &|variable| columns[variable][item])
            };
            (0..n).map(reaches).collect()
        }
        Step::Join(Join { children, word_join: Some(word_join), .. }) => {
            JoinBatch { word_join, children, columns, world }.have_value(n, prover)
        }
        _ => one_by_one(part, columns, n, world, prover),
    }
}

fn one_by_one(part: &Part, columns: &Columns, n: usize, world: World<'_>, prover: &mut Prover) -> Vec<bool> {
    let frame = prover.push_frame(part.n_variables);
    let mut answers = Vec::with_capacity(n);
    for item in 0..n {
        for (variable, column) in columns.iter().enumerate() {
            prover.values[frame + variable] = column[item];
        }
        answers.push(prover.is_true(part, frame, world));
    }
    prover.pop_frame(frame);
    answers
}

/// As `are_true`, for a part that a join leaves.
fn child_are_true(child: &Child, columns: &Columns, world: World<'_>, prover: &mut Prover) -> Vec<bool> {
    let [column] = columns else {
        return are_true(&child.part, columns, columns.first().map_or(1, Vec::len), world, prover);
    };
    if let Some(sets) = prover.find_values(&child.part, world.worlds) {
        return column.iter().map(|&value| sets[world.idx].contains(value)).collect();
    }
    // The prover remembers the answer for one value.
    let [variable] = *child.variables else { return vec![false; column.len()] };
    let frame = prover.push_frame(variable + 1);
    let mut answers = Vec::with_capacity(column.len());
    for &value in column {
        prover.values[frame + variable] = value;
        answers.push(prover.child_is_true(child, frame, world));
    }
    prover.pop_frame(frame);
    answers
}

/// A join that gives one variable a value by links, for the items of some columns.
#[derive(Clone, Copy)]
pub(super) struct JoinBatch<'a> {
    pub(super) word_join: &'a WordJoin,
    pub(super) children: &'a [Child],
    pub(super) columns: &'a Columns,
    pub(super) world: World<'a>,
}

/// Values of a join's variable, with the number of the item of each.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) items: Vec<u32>,
    pub(super) values: Vec<ConstantId>,
}

impl Taken {
    fn clear(&mut self) {
        self.items.clear();
        self.values.clear();
    }

    fn take(&mut self, FoundWord { item, word, mut bits }: FoundWord) {
        while bits != 0 {
            self.items.push(item);
            self.values.push(ConstantId::new(word as usize * 64 + bits.trailing_zeros() as usize));
            bits &= bits - 1;
        }
    }

    fn keep(&mut self, are_kept: &[bool]) {
        let mut are_kept_items = are_kept.iter();
        self.items.retain(|_| are_kept_items.next().copied().unwrap_or(false));
        let mut are_kept_values = are_kept.iter();
        self.values.retain(|_| are_kept_values.next().copied().unwrap_or(false));
    }
}

impl JoinBatch<'_> {
    /// Whether each of `n` items has a value that makes all children true.
    fn have_value(self, n: usize, prover: &mut Prover) -> Vec<bool> {
        let mut answers = vec![false; n];
        let Some(words) = self.allowed(n, prover) else { return answers };
        if self.word_join.rest.is_empty() {
            words.iter().for_each(|word| answers[word.item as usize] = true);
            return answers;
        }
        let mut words = words.into_iter();
        let mut taken = Taken::default();
        while self.take(&mut words, &answers, &mut taken) && prover.stopped.is_none() {
            self.keep_true(&self.word_join.rest, &mut taken, prover);
            taken.items.iter().for_each(|&item| answers[item as usize] = true);
        }
        answers
    }

    /// Replaces the taken values by further ones, of items that are not done; returns whether there are any.
    pub(super) fn take(
        self,
        words: &mut impl Iterator<Item = FoundWord>,
        are_done: &[bool],
        taken: &mut Taken,
    ) -> bool {
        taken.clear();
        while taken.items.len() < VALUES_PER_BATCH
            && let Some(word) = words.next()
        {
            if !are_done[word.item as usize] {
                taken.take(word);
            }
        }
        !taken.items.is_empty()
    }

    /// The words of values that links and sets allow for each of `n` items; `None` when the budget ran out.
    pub(super) fn allowed(self, n: usize, prover: &mut Prover) -> Option<Found> {
        let (first, others) = self.word_join.links.split_first()?;
        let mut words: Found = Vec::with_capacity(n);
        first.add_words(self.columns, n, self.world.idx, &mut words);
        others.iter().for_each(|other| other.restrict_words(self.columns, self.world.idx, &mut words));
        for &set in &self.word_join.sets {
            let known = prover.values_in(&self.children[set].part, self.world)?;
            words.iter_mut().for_each(|word| word.bits &= known.word(word.word as usize));
            words.retain(|word| word.bits != 0);
        }
        prover.tick_rows(narrow(words.len())).then_some(words)
    }

    /// Keeps the values for which some children, by position, are true.
    pub(super) fn keep_true(self, children: &[usize], taken: &mut Taken, prover: &mut Prover) {
        for &child in children {
            if taken.items.is_empty() {
                return;
            }
            let child = &self.children[child];
            let answers = child_are_true(child, &self.columns_of(child, taken), self.world, prover);
            taken.keep(&answers);
        }
    }

    /// The values of a child's interface for the values taken.
    pub(super) fn columns_of(self, child: &Child, taken: &Taken) -> Vec<Vec<ConstantId>> {
        let column = |&variable: &usize| -> Vec<ConstantId> {
            if variable == self.word_join.variable {
                return taken.values.clone();
            }
            let column = &self.columns[variable];
            taken.items.iter().map(|&item| column[item as usize]).collect()
        };
        child.variables.iter().map(column).collect()
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("batches are small")
}
