//! Aggregates that learn their own conditions: how much, of those rows that meet conditions.
//!
//! "The sum over orders *paid late*" tells more than the sum over all orders. The search starts at the aggregates of each path of
//! rows, and adds conditions greedily. What half of the examples proposes is kept where the other half confirms it. After each
//! search the members found so far are boosted, and the next search looks for what they leave unexplained.

mod loss;
mod members;
mod rows;
mod search;
mod split;
mod text;

use std::collections::BTreeSet;

use gleaner_base::{Budget, ConstantId, ExampleId};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Examples;
use gleaner_lang::program::mode::Modes;
use rayon::prelude::*;

use loss::Loss;
use members::{Member, Searched};
use rows::row_tables;
use search::{Confirmed, confirmed, proposed, refined, split_on};
use split::{Judged, Slopes};

/// How often members are searched for.
const N_SEARCHES: usize = 30;

/// The search ends after so many in a row that add nothing.
const MOST_FRUITLESS: usize = 4;

/// The most members that a search adds.
const MOST_OF_SEARCH: usize = 2;

/// The most rows that a search visits for all conditions alone: of more, a sample of the examples proposes.
const MOST_VISITS: usize = 12_000_000;

/// The most proposals of a half that the other half is asked about.
const MOST_PROPOSED: usize = 20;

/// The least gain on the half that did not propose a member.
const LEAST_CONFIRMED: f64 = 4.0;

/// Rounds of boosting between two searches.
const N_ROUNDS: usize = 2;

/// Rounds of boosting that choose among all members.
const N_LAST_ROUNDS: usize = 40;

/// The share of a leaf's step that is taken.
const SHRINKAGE: f64 = 0.3;

/// The most members of the same conditions that are found.
const MOST_ALIKE: usize = 2;

/// The examples whose rows are aggregated, and what modes say of the facts.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The worlds.
    pub worlds: &'a [Background],
    /// The modes.
    pub modes: &'a Modes,
    /// All examples.
    pub examples: &'a Examples,
    /// Those that are searched.
    pub ids: &'a [ExampleId],
}

/// What aggregates are to tell of each example that is searched.
#[derive(Clone, Debug)]
pub enum Goal {
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
    /// Its value for each example, in order; `NaN` where it has none.
    pub values: Vec<f64>,
}

/// Aggregates whose conditions half of the examples proposes and the other half confirms.
///
/// **Shape**: a weight for each example. What was found before the budget ends the search is given.
///
/// **Cost**: for each search, all families times the conditions, times the rows.
pub fn found_aggregates(
    ground: &Ground<'_>,
    goal: &Goal,
    weights: &[f64],
    budget: &Budget,
) -> Vec<FoundAggregate> {
    let tables = row_tables(ground);
    let (Some(world), Some(loss)) = (ground.worlds.first(), Loss::new(goal, weights)) else {
        return Vec::new();
    };
    let number = |constant: ConstantId| world.number(constant);
    let searched: Vec<Searched<'_>> = tables.iter().map(|table| Searched::new(table, &number)).collect();
    // By half, the scores that a model of the half alone gives to all examples.
    let mut scores = [0, 1].map(|_| vec![loss.first_score(); loss.n_examples()]);
    let mut pool: Vec<Confirmed> = Vec::new();
    let mut n_fruitless = 0;
    for nth in 0..N_SEARCHES {
        if budget.check().is_err() {
            break;
        }
        let unseen = |(at, half): (usize, &u8)| scores[1 - usize::from(*half)][at];
        let unseen: Vec<f64> = loss.halves.iter().enumerate().map(unseen).collect();
        let slopes = loss.slopes(&unseen);
        let half = u8::from(nth % 2 == 1);
        let judged = [Judged::Half(half), Judged::Half(1 - half)];
        let mut n_added = 0;
        for found in search(&searched, &slopes, judged) {
            if n_added == MOST_OF_SEARCH {
                break;
            }
            if !is_new(&found.member, &pool) {
                continue;
            }
            let found = refined(&searched[found.member.table], &found, &slopes, judged);
            if is_new(&found.member, &pool) {
                pool.push(found);
                n_added += 1;
            }
        }
        n_fruitless = if n_added == 0 { n_fruitless + 1 } else { 0 };
        if n_fruitless == MOST_FRUITLESS {
            break;
        }
        for (half, scores) in (0..).zip(&mut scores) {
            boost(&pool, &loss, half, N_ROUNDS, scores);
        }
    }
    // Of members that tell the same, boosting takes one.
    let mut used = BTreeSet::new();
    for half in [0, 1] {
        let mut scores = vec![loss.first_score(); loss.n_examples()];
        used.extend(boost(&pool, &loss, half, N_LAST_ROUNDS, &mut scores));
    }
    let mut nth = 0..;
    pool.retain(|_| nth.next().is_some_and(|nth| used.contains(&nth)));
    let found = |found: Confirmed| FoundAggregate {
        clause: text::clause(&found.member, &searched[found.member.table], ground),
        values: found.values,
    };
    pool.into_iter().map(found).collect()
}

/// The members that one half proposes and the other confirms, the greatest gain there first.
fn search(searched: &[Searched<'_>], slopes: &Slopes, judged: [Judged; 2]) -> Vec<Confirmed> {
    let of_table = |(at, table): (usize, &Searched<'_>)| {
        proposed(table, at, slopes, judged[0], MOST_VISITS / searched.len())
    };
    let mut found: Vec<(f64, Member)> = searched.iter().enumerate().flat_map(of_table).collect();
    found.sort_by(|left, right| {
        let fewer = left.1.conditions.len().cmp(&right.1.conditions.len());
        right.0.total_cmp(&left.0).then(fewer).then(left.1.table.cmp(&right.1.table))
    });
    found.truncate(MOST_PROPOSED);
    let confirm = |(_, member): (f64, Member)| confirmed(&searched[member.table], member, slopes, judged);
    let mut found: Vec<Confirmed> = found.into_par_iter().map(confirm).collect();
    found.retain(|found| found.gain >= LEAST_CONFIRMED);
    found.sort_by(|left, right| right.gain.total_cmp(&left.gain));
    found
}

/// Whether a member is none of those known, nor one more of the same conditions.
fn is_new(member: &Member, pool: &[Confirmed]) -> bool {
    let alike = pool
        .iter()
        .map(|known| &known.member)
        .filter(|known| known.table == member.table && known.conditions == member.conditions);
    alike.clone().count() < MOST_ALIKE && alike.clone().all(|known| known != member)
}

/// Adds trees of one threshold over the members' values to the scores, by the examples of one half. Gives the members of the
/// trees.
fn boost(
    pool: &[Confirmed],
    loss: &Loss<'_>,
    half: u8,
    n_rounds: usize,
    scores: &mut [f64],
) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    for _ in 0..n_rounds {
        let slopes = loss.slopes(scores);
        let split = |found: &Confirmed| split_on(&found.values, &slopes, Judged::Half(half));
        let splits: Vec<split::Split> = pool.par_iter().map(split).collect();
        let best = splits
            .into_iter()
            .enumerate()
            .reduce(|best, next| if next.1.gain > best.1.gain { next } else { best });
        let Some((at, split)) = best.filter(|(_, split)| split.gain > 1.0) else { break };
        for (score, value) in scores.iter_mut().zip(&pool[at].values) {
            *score += SHRINKAGE * split.step(*value);
        }
        used.insert(at);
    }
    used
}
