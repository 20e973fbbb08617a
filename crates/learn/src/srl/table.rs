//! The covers of clauses on train and tune, as distinct rows.

use roaring::RoaringBitmap;

use crate::Covers;
use crate::learner::Fitting;
use crate::pooled_sets::{PooledExample, PooledSets};
use gleaner_base::{Budget, Counts, ExampleSet, FixedMap};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::{Features, Labels, Rows};

/// The distinct rows of train and tune over the clauses' distinct covers.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// For each clause, in order, the number of its cover.
    pub cover_of: Vec<usize>,
    /// The counts of each clause on train.
    pub on_train: Vec<Counts>,
    /// The counts of each clause on tune.
    pub on_tune: Vec<Counts>,
    /// The number of distinct covers.
    pub n_covers: usize,
    /// The covers, and the rows.
    pub rows: Rows,
    /// The examples of train and tune.
    pub sets: PooledSets,
    /// The row of each.
    pub row_of: Vec<usize>,
}

impl FeatureTable {
    /// The table of some clauses.
    ///
    /// **Cost**: the covers on train and tune, and the cost of [`Rows::of`].
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    ///
    /// # Panics
    ///
    /// Never: covers hold examples alone.
    pub fn of(clauses: &[&Clause], fitting: &Fitting<'_>) -> Result<Self, Interrupted> {
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let on_train = columns_of(clauses, fitting.train, 0, fitting.budget)?;
        let on_tune = columns_of(clauses, fitting.tune, train.len(), fitting.budget)?;
        let mut known: FixedMap<(u128, u128), usize> = FixedMap::default();
        let mut covers: Vec<RoaringBitmap> = Vec::new();
        let mut cover_of = Vec::with_capacity(clauses.len());
        for ((left, right), (left_fingerprint, right_fingerprint)) in on_train
            .columns
            .into_iter()
            .zip(on_tune.columns)
            .zip(on_train.fingerprints.into_iter().zip(on_tune.fingerprints))
        {
            let next = covers.len();
            let cover = *known.entry((left_fingerprint, right_fingerprint)).or_insert(next);
            if cover == next {
                covers.push(left | right);
            }
            cover_of.push(cover);
        }
        let n_covers = covers.len();
        let features = Features::new(labels(train, tune), covers).expect("covers hold examples alone");
        let rows = Rows::of(&features);
        let sets = PooledSets::of(train, tune);
        let row = |example: &PooledExample| {
            let first = if example.is_tune { train.len() } else { 0 };
            rows.row_of(first + example.position).expect("each example has a row").index()
        };
        let row_of = sets.examples.iter().map(row).collect();
        let [on_train, on_tune] = [on_train.counts, on_tune.counts];
        Ok(Self { cover_of, on_train, on_tune, n_covers, rows, sets, row_of })
    }
}

/// The covers of clauses on one set, and their fingerprints.
struct SetColumns {
    columns: Vec<RoaringBitmap>,
    fingerprints: Vec<u128>,
    counts: Vec<Counts>,
}

/// Positions of this set come after those of the set before it.
fn columns_of(
    clauses: &[&Clause],
    covers: &Covers<'_>,
    first_position: usize,
    budget: &Budget,
) -> Result<SetColumns, Interrupted> {
    let mut found = SetColumns { columns: Vec::new(), fingerprints: Vec::new(), counts: Vec::new() };
    let place = |position: usize| u32::try_from(first_position + position).expect("fewer than 2^32 examples");
    covers.visit(clauses, budget, |_, block| {
        for cover in block {
            let places = RoaringBitmap::from_sorted_iter(cover.iter().map(place));
            found.columns.push(places.expect("positions ascend"));
            found.fingerprints.push(cover.fingerprint());
            found.counts.push(covers.universe().counts(cover));
        }
    })?;
    Ok(found)
}

fn labels(train: &Universe, tune: &Universe) -> Labels {
    let of_class = |wanted: bool| {
        let on_train =
            train.iter().map(|(position, _)| position).filter(|&at| train.is_positive(at) == wanted);
        let on_tune = tune.iter().map(|(position, _)| position).filter(|&at| tune.is_positive(at) == wanted);
        let all = on_train.chain(on_tune.map(|position| train.len() + position));
        ExampleSet::from_positions(train.len() + tune.len(), all)
    };
    Labels::new(of_class(true), of_class(false)).expect("no example has two classes")
}
