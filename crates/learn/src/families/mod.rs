//! Aggregates that learn their own conditions: how much, of those rows that meet conditions.
//!
//! "The sum over orders *paid late*" tells more than the sum over all orders. The search starts at the aggregates of each path of
//! rows, and adds conditions greedily. What half of the examples proposes is kept where the other half confirms it. After each
//! search the members found so far are boosted, and the next search looks for what they leave unexplained. All of it is done again
//! for another division into halves, since few positives in a half leave much to chance.

mod confirm;
mod loss;
mod members;
mod pool;
mod rows;
mod search;
mod shares;
mod split;
mod text;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ConstantId, ExampleId, FixedMap, PredicateId};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Examples;
use gleaner_lang::program::mode::Modes;
use rand::seq::SliceRandom;

use confirm::{Confirmed, Confirming};
use loss::Loss;
use members::{Member, Searched};
use pool::Pool;
use rows::{MOST_ROWS, row_tables};
use search::{MOST_CONDITIONS, TableSearch};

/// So many divisions of the examples into halves are searched, each alone: what the halves of one miss by chance, those of another
/// find. Numbers have one: each example tells as much as a rare positive.
const N_DIVISIONS: u64 = 2;

/// How often members are searched for in a division.
const N_SEARCHES: usize = 15;

/// The search ends after so many in a row that add nothing.
const MOST_FRUITLESS: usize = 4;

/// In so many tables, those that promise most, conditions are joined.
const MOST_TABLES: usize = 4;

/// The most members that a search adds.
const MOST_OF_SEARCH: usize = 2;

/// About the most rows that a search visits: of more, a sample of the examples proposes.
const MOST_VISITS: usize = 12_000_000;

/// The most proposals of a half with the same number of conditions, and of shares as many more, that the other half is asked about.
const MOST_PROPOSED: usize = 8;

/// The least gain on the half that did not propose a member.
const LEAST_CONFIRMED: f64 = 4.0;

/// The same of shares: of so many more, more gain by chance.
const LEAST_CONFIRMED_OF_SHARES: f64 = 12.0;

/// The same where the examples on one side of a threshold are searched.
const LEAST_CONFIRMED_WITHIN: f64 = 8.0;

/// Rounds of boosting between two searches.
const N_ROUNDS: usize = 2;

/// The examples whose rows are aggregated, and what modes say of the facts.
#[derive(Clone, Copy, Debug)]
pub struct SearchedExamples<'a> {
    /// The worlds.
    pub worlds: &'a [Background],
    /// The modes.
    pub modes: &'a Modes,
    /// All examples.
    pub examples: &'a Examples,
    /// Those that are searched.
    pub ids: &'a [ExampleId],
    /// The predicates whose numbers are no amounts.
    pub measures: &'a FixedMap<PredicateId, Measure>,
}

/// What the numbers of a predicate measure, if they are no amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A time, or the days since one: sums of these mean nothing.
    Time,
    /// The place of a row among others: it makes conditions alone.
    Rank,
    /// What means something else in test than in train: nothing is made of it.
    Nothing,
}

/// The fewest examples that are searched, whatever their rows.
const FEWEST_EXAMPLES: usize = 1_000;

/// What aggregates are to tell of each example that is searched.
#[derive(Clone, Debug)]
pub enum Target {
    /// Whether it is positive.
    Class(Vec<bool>),
    /// Its number.
    Number(Vec<f64>),
}

/// An aggregate that tells of examples.
#[derive(Clone, Debug)]
pub struct FoundAggregate {
    /// The clause `target(..) :- aggregate_all(.., N), N >= 0.`
    pub clause: String,
    /// Its value for each example that was searched, in order; `NaN` where it has none. Of examples with very many rows some are.
    pub values: Vec<f64>,
}

/// Aggregates whose conditions half of the examples proposes and the other half confirms.
///
/// **Shape**: a weight for each example. What was found before the budget ends the search is given. An aggregate may be given more than
/// once.
///
/// **Cost**: for each division and search, all families times the conditions, times the rows.
pub fn found_aggregates(
    data: &SearchedExamples<'_>,
    target: &Target,
    weights: &[f64],
    budget: &Budget,
) -> Vec<FoundAggregate> {
    let mut found = row_tables(data);
    let mut known = (data.ids.to_vec(), target.clone(), weights.to_vec());
    // Examples of the rarer class are kept, and may have more rows than others.
    while found.n_refused > 0 {
        let n_kept = ids_for(known.0.len(), found.n_refused);
        if n_kept >= known.0.len() {
            break;
        }
        known = thinned(&known.0, &known.1, &known.2, n_kept);
        found = row_tables(&SearchedExamples { ids: &known.0, ..*data });
    }
    let (ids, target, weights) = known;
    let data = SearchedExamples { ids: &ids, ..*data };
    let Some(world) = data.worlds.first() else { return Vec::new() };
    let number = |constant: ConstantId| world.number(constant);
    let searched: Vec<Searched<'_>> =
        found.tables.iter().map(|table| Searched::new(table, &number, data.measures)).collect();
    let n_divisions = if matches!(target, Target::Class(_)) { N_DIVISIONS } else { 1 };
    let losses = (0..n_divisions).filter_map(|division| Loss::new(&target, &weights, division));
    losses.flat_map(|loss| found_in(&searched, &loss, &data, budget)).collect()
}

/// So many examples have about as many rows as a table may have, if so many have too many.
fn ids_for(n_examples: usize, n_rows: usize) -> usize {
    (n_examples * MOST_ROWS / n_rows * 9 / 10).max(FEWEST_EXAMPLES)
}

/// Some examples by chance; of classes, half of them are of the rarer one, if there are so many. The weights of those kept stand for
/// the others.
fn thinned(
    ids: &[ExampleId],
    target: &Target,
    weights: &[f64],
    n_kept: usize,
) -> (Vec<ExampleId>, Target, Vec<f64>) {
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.shuffle(&mut stream(0, Purpose::Resample, &[ids.len() as u64, n_kept as u64]));
    let rarer = match target {
        Target::Number(_) => None,
        Target::Class(truth) => Some((truth, truth.iter().filter(|it| **it).count() * 2 <= truth.len())),
    };
    let is_rare = |at: usize| rarer.is_some_and(|(truth, rarer)| truth[at] == rarer);
    let (mut rare, mut others): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&at| is_rare(at));
    let factors = [rare.len() as f64, others.len() as f64];
    rare.truncate(n_kept / 2);
    others.truncate(n_kept - rare.len());
    let factors = [factors[0] / rare.len().max(1) as f64, factors[1] / others.len().max(1) as f64];
    let rare_ones = rare.iter().map(|&at| (at, factors[0]));
    let mut kept: Vec<(usize, f64)> = rare_ones.chain(others.iter().map(|&at| (at, factors[1]))).collect();
    kept.sort_unstable_by_key(|(at, _)| *at);
    let target = match target {
        Target::Class(truth) => Target::Class(kept.iter().map(|&(at, _)| truth[at]).collect()),
        Target::Number(numbers) => Target::Number(kept.iter().map(|&(at, _)| numbers[at]).collect()),
    };
    let ids = kept.iter().map(|&(at, _)| ids[at]).collect();
    (ids, target, kept.iter().map(|&(at, factor)| weights[at] * factor).collect())
}

/// As [`found_aggregates`], of the rows of these tables, by the halves of one division.
fn found_in(
    searched: &[Searched<'_>],
    loss: &Loss<'_>,
    data: &SearchedExamples<'_>,
    budget: &Budget,
) -> Vec<FoundAggregate> {
    let mut pool = Pool { searched, loss, members: Vec::new(), n_searches: 0 };
    // By half, the scores that a model of the half alone gives to all examples.
    let mut scores = [0, 1].map(|_| vec![loss.first_score(); loss.n_examples()]);
    let unexplained = |scores: &[Vec<f64>; 2]| {
        let unseen = |(at, half): (usize, &u8)| scores[1 - usize::from(*half)][at];
        let unseen: Vec<f64> = loss.halves.iter().enumerate().map(unseen).collect();
        loss.gradients(&unseen)
    };
    let mut n_fruitless = 0;
    for nth in 0..N_SEARCHES {
        if budget.check().is_err() {
            break;
        }
        let n_added = pool.search(&unexplained(&scores), u8::from(nth % 2 == 1), LEAST_CONFIRMED);
        n_fruitless = if n_added == 0 { n_fruitless + 1 } else { 0 };
        if n_fruitless == MOST_FRUITLESS {
            break;
        }
        for (half, scores) in (0..).zip(&mut scores) {
            pool.boost(half, N_ROUNDS, 1, scores);
        }
    }
    let n_of_all = pool.members.len();
    // Of members that tell the same, boosting takes one.
    let mut used = pool.used(1);
    let gradients = unexplained(&scores);
    for region in pool.regions() {
        for half in [0, 1] {
            if budget.check().is_ok() {
                let within = gradients.within(&|example| region[example]);
                pool.search(&within, half, LEAST_CONFIRMED_WITHIN);
            }
        }
    }
    used.extend(pool.used(2).into_iter().filter(|at| *at >= n_of_all));
    let found = |(at, found): (usize, Confirmed)| {
        let clause = || text::clause(&found.member, &searched[found.member.table], data);
        used.contains(&at).then(|| FoundAggregate { clause: clause(), values: found.values })
    };
    pool.members.into_iter().enumerate().filter_map(found).collect()
}

/// The members that one half proposes and the other confirms, the greatest gain there first.
fn search(confirming: Confirming<'_, '_>, turn: usize) -> Vec<(f64, Member)> {
    let Confirming { searched, gradients, subset } = confirming;
    let effort = (MOST_VISITS / searched.len().max(1), turn);
    let begin = |(at, table)| TableSearch::new(table, at, gradients, subset[0], effort);
    let mut searches: Vec<TableSearch<'_>> = searched.iter().enumerate().map(begin).collect();
    searches.sort_by(|left, right| right.gain().total_cmp(&left.gain()));
    searches.iter_mut().take(MOST_TABLES).for_each(TableSearch::deepen);
    let mut found: Vec<(f64, Member)> = searches.iter().flat_map(TableSearch::members).collect();
    found.sort_by(|left, right| {
        let fewer = left.1.conditions.len().cmp(&right.1.conditions.len());
        right.0.total_cmp(&left.0).then(fewer).then(left.1.table.cmp(&right.1.table))
    });
    let mut n_proposed = [[0; 2]; MOST_CONDITIONS + 1];
    found.retain(|(_, member)| {
        let is_share = usize::from(member.family.counted.is_some());
        let n_proposed = &mut n_proposed[member.conditions.len()][is_share];
        *n_proposed += 1;
        *n_proposed <= MOST_PROPOSED
    });
    let mut found = confirming.confirmed(found.into_iter().map(|(_, member)| member).collect());
    found.retain(|(gain, member)| {
        let is_share = member.family.counted.is_some();
        *gain >= if is_share { LEAST_CONFIRMED_OF_SHARES } else { LEAST_CONFIRMED }
    });
    found.sort_by(|left, right| right.0.total_cmp(&left.0));
    found
}
