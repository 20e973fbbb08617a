//! Rows as columns of numbers. [GLEANERSRL §2.2]
//!
//! The covers of clauses on train and tune, as distinct rows.

use roaring::RoaringBitmap;

use crate::Covers;
use crate::learner::Fitting;
use crate::pooled_sets::{PooledExample, PooledSets};
use crate::shared_config::VoteSet;
use gleaner_base::{Budget, ClassWeights, Counts, ExampleSet, FixedMap, RowId, Totals};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::linear::{Design, DesignRow};
use gleaner_stats::ml::{Features, Labels, Rows};

use super::search::FeatureClause;
use super::{FeatureKind, Kernel};

/// Negatives that a clause is taken to cover beside those that it does: those of Gleaner's shared votes.
const SHRINKAGE: f64 = 3.0;

/// The factor of evidence against an example, beside evidence for it. Average precision on UW-CSE, given folds of train
/// and tune held out in turn, mean of five seeds: .512 with this, .501 with 0.5 |TPR - FPR|, .497 with precision alone.
const EVIDENCE_AGAINST: f64 = 0.3;

/// What columns are made of clauses.
#[derive(Clone, Copy, Debug)]
pub struct ColumnForm {
    /// The form of the columns.
    pub kind: FeatureKind,
    /// How alike two examples are that a clause covers.
    pub kernel: Kernel,
    /// The examples whose counts say how precise a clause of a bin is.
    pub vote_set: VoteSet,
}

/// A design of train and tune, and the part of each clause in its columns.
#[derive(Clone, Debug)]
pub struct Columns {
    /// A row for each class of a distinct row of the table that has examples. None weighs anything yet.
    pub design: Design,
    /// The number of that row, for the negatives and the positives of each of the table's rows.
    pub row_of: Vec<[usize; 2]>,
    /// For each clause, in order, the column that it adds to, and how much it adds. A clause with the cover of one
    /// before it adds nothing.
    pub parts: Vec<Option<(usize, f64)>>,
    /// For each column, whether it speaks for the positive class.
    pub is_for_positive: Vec<bool>,
    /// The kernel that columns are multiplied by, if any.
    pub kernel: Option<Kernel>,
}

impl Columns {
    /// The columns of a table.
    pub fn of(table: &FeatureTable, clauses: &[FeatureClause], form: ColumnForm) -> Self {
        Self::of_some(table, clauses, form, &|_| true, &[])
    }

    /// The same columns with values for some clauses alone; they keep their numbers. Some examples, by their numbers in the
    /// table, are left out of the counts that say how precise clauses are.
    pub fn of_some(
        table: &FeatureTable,
        clauses: &[FeatureClause],
        form: ColumnForm,
        is_used: &dyn Fn(&FeatureClause) -> bool,
        left_out: &[usize],
    ) -> Self {
        match form.kind {
            FeatureKind::Boolean => Self::boolean(table, clauses, form.kernel, is_used),
            FeatureKind::Binned | FeatureKind::Normalised => {
                Self::binned(table, clauses, form, is_used, left_out)
            }
        }
    }

    fn boolean(
        table: &FeatureTable,
        clauses: &[FeatureClause],
        kernel: Kernel,
        is_used: &dyn Fn(&FeatureClause) -> bool,
    ) -> Self {
        let mut is_for_positive = vec![None; table.n_covers];
        let mut parts = Vec::with_capacity(clauses.len());
        for (clause, &cover) in clauses.iter().zip(&table.cover_of) {
            if !is_used(clause) {
                parts.push(None);
                continue;
            }
            parts.push(is_for_positive[cover].is_none().then_some((cover, 1.0)));
            is_for_positive[cover].get_or_insert(clause.is_from_positive);
        }
        let values = |row: RowId| {
            let covers = table.rows.row(row).features();
            covers
                .filter(|cover| is_for_positive[cover.index()].is_some())
                .map(|cover| (u32::try_from(cover.index()).expect("fewer than 2^32 clauses"), 1.0))
        };
        Self {
            design: design(table, table.n_covers, values),
            row_of: places(table),
            parts,
            is_for_positive: is_for_positive.into_iter().map(|known| known.unwrap_or(true)).collect(),
            kernel: Some(kernel),
        }
    }

    fn binned(
        table: &FeatureTable,
        clauses: &[FeatureClause],
        form: ColumnForm,
        is_used: &dyn Fn(&FeatureClause) -> bool,
        left_out: &[usize],
    ) -> Self {
        let n_bins = clauses.iter().map(|clause| clause.bin + 1).max().unwrap_or(0);
        let mut is_for_positive = vec![true; n_bins];
        let precisions = precisions(table, clauses, form.vote_set, left_out);
        let mut of_cover: Vec<Vec<(usize, f64)>> = vec![Vec::new(); table.n_covers];
        for ((clause, &cover), &precision) in clauses.iter().zip(&table.cover_of).zip(&precisions) {
            is_for_positive[clause.bin] = clause.is_from_positive;
            if is_used(clause) {
                of_cover[cover].push((clause.bin, precision));
            }
        }
        let sums = |row: RowId| {
            let mut sums = vec![0.0; n_bins];
            let covers = table.rows.row(row).features();
            covers.flat_map(|cover| &of_cover[cover.index()]).for_each(|&(bin, value)| sums[bin] += value);
            sums
        };
        let mut greatest = vec![1.0_f64; n_bins];
        if form.kind == FeatureKind::Normalised {
            greatest.fill(0.0);
            let mut is_of_train = vec![false; table.rows.n_rows()];
            let examples = table.sets.examples.iter().zip(&table.row_of);
            examples.filter(|(example, _)| !example.is_tune).for_each(|(_, &row)| is_of_train[row] = true);
            for row in (0..table.rows.n_rows()).filter(|&row| is_of_train[row]) {
                let sums = sums(RowId::new(row));
                greatest.iter_mut().zip(sums).for_each(|(most, sum)| *most = most.max(sum));
            }
            greatest.iter_mut().filter(|most| **most <= 0.0).for_each(|most| *most = 1.0);
        }
        let values = |row: RowId| {
            let shares = sums(row).into_iter().zip(&greatest).map(|(sum, most)| sum / most);
            (0_u32..).zip(shares).filter(|&(_, share)| share != 0.0).collect::<Vec<_>>()
        };
        let part = |(clause, precision): (&FeatureClause, &f64)| {
            Some((clause.bin, precision / greatest[clause.bin]))
        };
        Self {
            design: design(table, n_bins, values),
            row_of: places(table),
            parts: clauses.iter().zip(&precisions).map(part).collect(),
            is_for_positive,
            kernel: None,
        }
    }

    /// The kernel's factor for each column, from the examples that weigh something in a design.
    pub fn scales(&self, design: &Design) -> Vec<f64> {
        let Some(kernel) = self.kernel.filter(|kernel| kernel.is_product()) else {
            return vec![1.0; design.n_columns()];
        };
        let class_weights = |rows: &mut dyn Iterator<Item = usize>| {
            let mut sums = ClassWeights::default();
            for row in rows {
                let weight = design.weights()[row];
                *(if design.classes()[row] > 0.0 { &mut sums.positives } else { &mut sums.negatives }) +=
                    weight;
            }
            sums
        };
        let all = class_weights(&mut (0..design.n_rows()));
        let scale = |(column, &is_for_positive): (usize, &bool)| {
            let covered = class_weights(&mut design.column(column).map(|(row, _)| row));
            match kernel {
                Kernel::Evidence => evidence(covered, all),
                Kernel::BothPositive => own_precision(covered, all, is_for_positive),
                Kernel::Precision => own_precision(covered, all, is_for_positive).sqrt(),
                Kernel::Recall => (1.0 - own_recall(covered, all, is_for_positive)).max(0.0).sqrt(),
                Kernel::DotProduct | Kernel::Info | Kernel::Hamming | Kernel::Gaussian => 1.0,
            }
        };
        self.is_for_positive.iter().enumerate().map(scale).collect()
    }
}

/// The precision of each clause on the examples of a set that are not left out; 0 where it covers none. Where no positive
/// would remain, none is left out.
fn precisions(table: &FeatureTable, clauses: &[FeatureClause], set: VoteSet, left_out: &[usize]) -> Vec<f64> {
    let (is_tune, mut totals, counts): (bool, Totals, &[Counts]) = match set {
        VoteSet::Train => (false, table.sets.totals[0], &table.on_train),
        VoteSet::Tune => (true, table.sets.totals[1], &table.on_tune),
    };
    let is_left_out = |example: &&usize| table.sets.examples[**example].is_tune == is_tune;
    let mut left_out: Vec<usize> = left_out.iter().filter(is_left_out).copied().collect();
    let n_positives = left_out.iter().filter(|&&example| table.sets.examples[example].is_positive).count();
    if n_positives == totals.n_positives {
        left_out.clear();
    } else {
        totals.n_positives -= n_positives;
        totals.n_negatives -= left_out.len() - n_positives;
    }
    let mut of_left_out = vec![Counts::NONE; table.n_covers];
    for example in left_out {
        for cover in table.rows.row(RowId::new(table.row_of[example])).features() {
            let counts = &mut of_left_out[cover.index()];
            *(if table.sets.examples[example].is_positive {
                &mut counts.true_positives
            } else {
                &mut counts.false_positives
            }) += 1;
        }
    }
    let own = |(at, clause): (usize, &FeatureClause)| {
        let without = of_left_out[table.cover_of[at]];
        let counts = Counts {
            true_positives: counts[at].true_positives - without.true_positives,
            false_positives: counts[at].false_positives - without.false_positives,
        };
        own_precision(counts.weighted(totals.negative_weight), totals.weighted(), clause.is_from_positive)
    };
    clauses.iter().enumerate().map(own).collect()
}

/// See [`Kernel::Evidence`].
fn evidence(covered: ClassWeights, all: ClassWeights) -> f64 {
    let shrunken = covered.positives / (covered.sum() + SHRINKAGE);
    let [positives, negatives] = [own_recall(covered, all, true), own_recall(covered, all, false)];
    let against = if negatives > positives { (negatives - positives) / (negatives + positives) } else { 0.0 };
    shrunken.max(EVIDENCE_AGAINST * against)
}

/// The precision of a clause. If it speaks for the negatives, the share of negatives in its cover, were there as many
/// of each class.
fn own_precision(covered: ClassWeights, all: ClassWeights, is_for_positive: bool) -> f64 {
    if is_for_positive {
        return covered.precision().unwrap_or(0.0);
    }
    let [positives, negatives] = [own_recall(covered, all, true), own_recall(covered, all, false)];
    if negatives > 0.0 { negatives / (positives + negatives) } else { 0.0 }
}

fn own_recall(covered: ClassWeights, all: ClassWeights, is_for_positive: bool) -> f64 {
    let [covered, all] =
        if is_for_positive { [covered.positives, all.positives] } else { [covered.negatives, all.negatives] };
    if all > 0.0 { covered / all } else { 0.0 }
}

/// Which classes a row of the table has, negatives first.
fn classes(table: &FeatureTable, row: usize) -> [bool; 2] {
    let row = table.rows.row(RowId::new(row));
    [row.n_negatives > 0, row.n_positives > 0]
}

/// The places of the rows of the design: for each of the table's rows, the place of its negatives and that of its
/// positives. A class that the row does not have gets the number of the next row.
fn places(table: &FeatureTable) -> Vec<[usize; 2]> {
    let mut next = 0;
    let mut place = |is_there: bool| {
        let place = next;
        next += usize::from(is_there);
        place
    };
    (0..table.rows.n_rows()).map(|row| classes(table, row).map(&mut place)).collect()
}

/// The rows, which weigh nothing yet.
fn design<V: IntoIterator<Item = (u32, f64)>>(
    table: &FeatureTable,
    n_columns: usize,
    values: impl Fn(RowId) -> V,
) -> Design {
    let of_row = |row: usize| {
        let [has_negatives, has_positives] = classes(table, row);
        let one = |is_positive: bool| DesignRow { weight: 0.0, is_positive, values: values(RowId::new(row)) };
        has_negatives.then(|| one(false)).into_iter().chain(has_positives.then(|| one(true)))
    };
    Design::new(n_columns, (0..table.rows.n_rows()).flat_map(of_row))
}

/// The distinct rows of train and tune over the clauses' distinct covers.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// For each clause, in order, the number of its cover.
    cover_of: Vec<usize>,
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

#[cfg(test)]
mod tests {
    use crate::pooled_sets::{PooledExample, PooledSets};
    use crate::shared_config::VoteSet;
    use crate::srl::search::{FeatureClause, Searches};
    use crate::srl::{FeatureKind, Kernel};
    use gleaner_base::{ClassId, ClassWeights, Counts, ExampleSet, NegativeWeight, PredicateId, Totals};
    use gleaner_lang::program::{Atom, Clause};
    use gleaner_stats::ml::{Features, Labels, Rows};

    use super::{ColumnForm, Columns, FeatureTable, own_precision, precisions};

    fn clause(covered: [usize; 2], bin: usize, is_from_positive: bool) -> FeatureClause {
        let [true_positives, false_positives] = covered;
        FeatureClause {
            clause: Clause {
                head: Atom { predicate: PredicateId::new(0), arguments: Vec::new() },
                body: Vec::new(),
                n_variables: 0,
            },
            train: Counts { true_positives, false_positives },
            is_from_positive,
            bin,
            found_by: Searches::ALL,
        }
    }

    /// Positives 0 and 1, negatives 2, 3 and 4; clause A covers 0, 1 and 2, clause B 0 and 1, clause C 3 and 4. All are of train.
    /// Rows: 0 and 1 (A B), 2 (A), 3 and 4 (C).
    fn table() -> (FeatureTable, Vec<FeatureClause>) {
        let set = |positions: &[usize]| ExampleSet::from_positions(5, positions.iter().copied());
        let labels = Labels::new(set(&[0, 1]), set(&[2, 3, 4])).expect("no example has two classes");
        let columns = vec![[0, 1, 2].into(), [0, 1].into(), [3, 4].into()];
        let rows = Rows::of(&Features::new(labels, columns).expect("columns hold examples"));
        let row_of = (0..5).map(|position| rows.row_of(position).expect("a row").index()).collect();
        let example = |position: usize| PooledExample {
            class: ClassId::default(),
            position,
            is_positive: position < 2,
            is_tune: false,
            fold: None,
        };
        let examples = (0..5).map(example).collect();
        let totals = Totals { n_positives: 2, n_negatives: 3, negative_weight: NegativeWeight::ONE };
        let nothing = Totals { n_positives: 0, n_negatives: 0, ..totals };
        let clauses = vec![clause([2, 1], 0, true), clause([2, 0], 0, true), clause([0, 2], 1, false)];
        let table = FeatureTable {
            on_train: clauses.iter().map(|clause| clause.train).collect(),
            on_tune: vec![Counts::NONE; clauses.len()],
            cover_of: vec![0, 1, 2],
            n_covers: 3,
            rows,
            sets: PooledSets { examples, totals: [totals, nothing], fewest_of_tune: 0 },
            row_of,
        };
        (table, clauses)
    }

    const fn form(kind: FeatureKind, kernel: Kernel) -> ColumnForm {
        ColumnForm { kind, kernel, vote_set: VoteSet::Train }
    }

    fn close(found: &[f64], expected: &[f64]) {
        let is_close = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
        assert!(is_close, "{found:?}, not {expected:?}");
    }

    /// Precisions are 2/3, 1 and 0; recalls 1, 1 and 0; false positive rates 1/3, 0 and 2/3. C speaks for the negatives: of
    /// their 2/3 and no positives its own precision is 1, its own recall 2/3.
    #[test]
    fn scales_by_hand() {
        let (table, clauses) = table();
        let third = 1.0_f64 / 3.0;
        for (kernel, expected) in [
            // 2/(3 + 3), 2/(2 + 3), and 0.3 (2/3 - 0) / (2/3 + 0).
            (Kernel::Evidence, [third, 0.4, 0.3]),
            (Kernel::BothPositive, [2.0 * third, 1.0, 1.0]),
            (Kernel::Precision, [(2.0 * third).sqrt(), 1.0, 1.0]),
            (Kernel::Recall, [0.0, 0.0, third.sqrt()]),
            (Kernel::DotProduct, [1.0, 1.0, 1.0]),
        ] {
            let columns = Columns::of(&table, &clauses, form(FeatureKind::Boolean, kernel));
            let mut weights = vec![0.0; columns.design.n_rows()];
            for (example, &row) in table.sets.examples.iter().zip(&table.row_of) {
                weights[columns.row_of[row][usize::from(example.is_positive)]] += 1.0;
            }
            close(&weights, &[2.0, 1.0, 2.0]);
            close(&columns.scales(&columns.design.reweighted(weights)), &expected);
        }
    }

    /// Bin 1 sums A and B: 2/3 + 1 for the positives, 2/3 for example 2; bin 2 is C, whose own precision is 1.
    #[test]
    fn bins_by_hand() {
        let (table, clauses) = table();
        let two_thirds = 2.0 / 3.0;
        let row = |columns: &Columns, row: usize| -> Vec<(usize, f64)> { columns.design.row(row).collect() };
        let columns = Columns::of(&table, &clauses, form(FeatureKind::Binned, Kernel::DotProduct));
        let sums: Vec<f64> = (0..3).flat_map(|at| row(&columns, at)).map(|(_, value)| value).collect();
        close(&sums, &[1.0 + two_thirds, two_thirds, 1.0]);
        let normalised = Columns::of(&table, &clauses, form(FeatureKind::Normalised, Kernel::DotProduct));
        let shares: Vec<f64> = (0..3).flat_map(|at| row(&normalised, at)).map(|(_, value)| value).collect();
        close(&shares, &[1.0, 0.4, 1.0]);
        // The amounts that the clauses add make up the column.
        let parts: Vec<(usize, f64)> = normalised.parts.iter().flatten().copied().collect();
        close(&parts.iter().map(|part| part.1).collect::<Vec<_>>(), &[0.4, 0.6, 1.0]);
        assert_eq!(parts.iter().map(|part| part.0).collect::<Vec<_>>(), [0, 0, 1]);
    }

    /// Of 4 positives and 6 negatives of tune, A covers 1 and 3, B nothing, C 1 and 3: A's precision is 1/4; C's own is
    /// 3/6 over 1/4 + 3/6.
    #[test]
    fn precisions_of_tune_by_hand() {
        let (mut table, clauses) = table();
        let counts = |true_positives, false_positives| Counts { true_positives, false_positives };
        table.on_tune = vec![counts(1, 3), counts(0, 0), counts(1, 3)];
        table.sets.totals[1] = Totals { n_positives: 4, n_negatives: 6, ..table.sets.totals[0] };
        close(&precisions(&table, &clauses, VoteSet::Tune, &[]), &[0.25, 0.0, 2.0 / 3.0]);
        close(&precisions(&table, &clauses, VoteSet::Train, &[]), &[2.0 / 3.0, 1.0, 1.0]);
    }

    /// Without 1 and 3, A covers a positive and a negative. Without 3 and 4, C covers nothing. Without 0 and 1 no positive
    /// would remain, so they count.
    #[test]
    fn examples_that_are_left_out_say_nothing_of_precision() {
        let (table, clauses) = table();
        let without = |left_out: &[usize]| precisions(&table, &clauses, VoteSet::Train, left_out);
        close(&without(&[1, 3]), &[0.5, 1.0, 1.0]);
        close(&without(&[3, 4]), &[2.0 / 3.0, 1.0, 0.0]);
        close(&without(&[0, 1]), &[2.0 / 3.0, 1.0, 1.0]);
        close(&precisions(&table, &clauses, VoteSet::Tune, &[1, 3]), &[0.0, 0.0, 0.0]);
    }

    /// A clause of a cover known before adds nothing; the cover has one column.
    #[test]
    fn a_cover_is_one_column() {
        let (mut table, mut clauses) = table();
        table.cover_of.push(1);
        clauses.push(clause([2, 0], 0, true));
        let columns = Columns::of(&table, &clauses, form(FeatureKind::Boolean, Kernel::DotProduct));
        assert_eq!(columns.parts, [Some((0, 1.0)), Some((1, 1.0)), Some((2, 1.0)), None]);
        assert_eq!(columns.design.n_columns(), 3);
    }

    /// One of 2 positives and 20 of 40 negatives: 1/2 of both, so half of what it covers were the classes as large; of one
    /// that covers nothing, nothing.
    #[test]
    fn precision_for_negatives_knows_no_skew() {
        let weights = |positives, negatives| ClassWeights { positives, negatives };
        let found = [
            own_precision(weights(1.0, 20.0), weights(2.0, 40.0), false),
            own_precision(weights(0.0, 0.0), weights(2.0, 40.0), false),
            own_precision(weights(1.0, 20.0), weights(2.0, 40.0), true),
        ];
        close(&found, &[0.5, 0.0, 1.0 / 21.0]);
    }
}
