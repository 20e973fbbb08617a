//! The planted rules: which there may be, how many shoppers each would cover, and the choice of three.
//!
//! A rule should cover [`TARGET`] of the shoppers. Among candidates near it, the choice falls on the one whose parts alone
//! cover most: a learner that finds only a part of the rule has many false positives.

use std::cmp::Reverse;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use gleaner_base::random::{Purpose, stream};

use super::calendar::{DAY_SECONDS, Day};
use super::people_and_goods::People;
use super::schema::{CATEGORIES, CHANNELS, CHARGEBACK, COUNTRIES, Names, REASONS, Table};
use super::tables::shortest;
use super::trade::{Bought, History, LONG_WINDOW, Return, SHORT_WINDOW, pair};
use super::{DOMAIN, LABELS};
use crate::generated::{GenerateError, nearest};

/// The fraction of the shoppers that a rule should cover. No rule may cover more than 1 in [`MOST`], so that three together
/// cover at most 1.5 in 100.
const TARGET: f64 = 0.004;
const MOST: usize = 200;
/// The most returns that a rule may ask for.
const MOST_RETURNS: u8 = 8;

/// The number of planted rules.
pub(super) const N_RULES: usize = 3;

/// A planted rule. Categories, countries, reasons and channels are places in their lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Bought, within [`LONG_WINDOW`], a product of the category from a supplier of the country.
    Bought { category: usize, country: usize },
    /// Has at least so many returns for the reason.
    Returned { reason: usize, least: u8 },
    /// Has, within [`SHORT_WINDOW`], an order by the channel with a line of at least this price.
    Paid { channel: usize, price: u32 },
    /// Paid at least so much, within [`LONG_WINDOW`], for products of the category.
    Spent { category: usize, sum: u32 },
    /// Has at least so many orders, and so many in a hundred of them by the channel.
    Share { channel: usize, percent: u32, least: u32 },
    /// Has at least so many orders by the channel, and none for so many days.
    Quiet { channel: usize, days: u32, least: u16 },
}

impl Rule {
    pub(super) fn covers(self, history: &History) -> bool {
        match self {
            Self::Bought { category, country } => history.pairs & pair(category, country) != 0,
            Self::Returned { reason, least } => history.n_returns[reason] >= least,
            Self::Paid { channel, price } => history.dearest[channel] >= price,
            Self::Spent { category, sum } => history.spent[category] >= sum,
            Self::Share { channel, percent, least } => {
                let n_all: u32 = history.n_orders.iter().map(|&n| u32::from(n)).sum();
                n_all >= least && 100 * u32::from(history.n_orders[channel]) >= percent * n_all
            }
            Self::Quiet { channel, days, least } => {
                history.n_orders[channel] >= least && history.quiet[channel] >= days * DAY_SECONDS
            }
        }
    }

    /// The rule as a clause over relations `TABLE_COLUMN(Key, Value)`. `TABLE_COLUMN_age` has the days before the cut-off.
    pub(super) fn clause(self, names: &Names) -> String {
        let of = |table, column| names.relation(table, column);
        let head = format!("{}(A,B)", names.table(Table::Labels));
        let buyer = of(Table::Orders, "buyer");
        let age = format!("{}_age", of(Table::Orders, "placed_at"));
        let line = of(Table::Lines, "order_ref");
        match self {
            Self::Bought { category, country } => format!(
                "{head} :- {buyer}(C,A), {age}(C,D), D =< {LONG_WINDOW}, {line}(E,C), {}(E,F), {}(F,{}), {}(F,G), {}(G,{}).",
                of(Table::Lines, "item"),
                of(Table::Products, "category"),
                CATEGORIES[category].0,
                of(Table::Products, "vendor"),
                of(Table::Suppliers, "country"),
                COUNTRIES[country].0,
            ),
            Self::Returned { reason, least } => format!(
                "{head} :- aggregate_all(count, ({buyer}(C,A), {}(D,C), {}(D,{})), E), E >= {least}.",
                of(Table::Returns, "of_order"),
                of(Table::Returns, "reason"),
                REASONS[reason].0,
            ),
            Self::Paid { channel, price } => format!(
                "{head} :- {buyer}(C,A), {age}(C,D), D =< {SHORT_WINDOW}, {}(C,{}), {line}(E,C), {}(E,F), F >= {}.",
                of(Table::Orders, "channel"),
                CHANNELS[channel].0,
                of(Table::Lines, "unit_price"),
                shortest(price),
            ),
            Self::Spent { category, sum } => format!(
                "{head} :- aggregate_all(sum(P), ({buyer}(C,A), {age}(C,D), D =< {LONG_WINDOW}, {line}(E,C), {}(E,F), \
                 {}(F,{}), {}(E,P)), S), S >= {}.",
                of(Table::Lines, "item"),
                of(Table::Products, "category"),
                CATEGORIES[category].0,
                of(Table::Lines, "unit_price"),
                shortest(sum),
            ),
            Self::Share { channel, percent, least } => format!(
                "{head} :- aggregate_all(count, {buyer}(C,A), N), N >= {least}, \
                 aggregate_all(count, ({buyer}(D,A), {}(D,{})), M), 100 * M >= {percent} * N.",
                of(Table::Orders, "channel"),
                CHANNELS[channel].0,
            ),
            Self::Quiet { channel, days, least } => {
                let channel = format!("{}(C,{})", of(Table::Orders, "channel"), CHANNELS[channel].0);
                format!(
                    "{head} :- aggregate_all(count, ({buyer}(C,A), {channel}), N), N >= {least}, \
                     aggregate_all(min(D), ({buyer}(C,A), {channel}, {age}(C,D)), M), M >= {days}."
                )
            }
        }
    }
}

/// A rule that might be planted.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    rule: Rule,
    n_covered: usize,
    /// The shoppers that a part of the rule covers alone, of the part that covers fewer.
    n_tempting: usize,
}

/// Chooses the planted rules by what is in the data.
///
/// # Errors
///
/// A rule for which no candidate covers at least one shopper and at most 1 in [`MOST`].
pub(super) fn choose_rules(
    histories: &[History],
    conditions: bool,
) -> Result<[Rule; N_RULES], GenerateError> {
    let target = nearest(TARGET * histories.len() as f64).max(1);
    let most = histories.len() / MOST;
    let choose = |number: usize, candidates: Vec<Candidate>| {
        let fitting = candidates.into_iter().filter(|candidate| (1..=most).contains(&candidate.n_covered));
        // A fifth more or less is near enough.
        let distance = |n_covered: usize| target.abs_diff(n_covered).saturating_sub(target / 5);
        fitting
            .min_by_key(|candidate| (distance(candidate.n_covered), Reverse(candidate.n_tempting)))
            .map(|candidate| candidate.rule)
            .ok_or_else(|| GenerateError::cannot_tune(number, most))
    };
    if conditions {
        return Ok([
            choose(1, spent_rules(histories, target))?,
            choose(2, share_rules(histories))?,
            choose(3, quiet_rules(histories))?,
        ]);
    }
    Ok([
        choose(1, bought_rules(histories))?,
        choose(2, returned_rules(histories))?,
        choose(3, paid_rules(histories, target))?,
    ])
}

fn bought_rules(histories: &[History]) -> Vec<Candidate> {
    let count = |bits: u128| histories.iter().filter(|history| history.pairs & bits != 0).count();
    let of_category = |category| (0..COUNTRIES.len()).map(|country| pair(category, country)).sum();
    let of_country = |country| (0..CATEGORIES.len()).map(|category| pair(category, country)).sum();
    let by_category: Vec<usize> =
        (0..CATEGORIES.len()).map(|category| count(of_category(category))).collect();
    let by_country: Vec<usize> = (0..COUNTRIES.len()).map(|country| count(of_country(country))).collect();
    let mut candidates = Vec::new();
    for (category, &of_category) in by_category.iter().enumerate() {
        for (country, &of_country) in by_country.iter().enumerate() {
            candidates.push(Candidate {
                rule: Rule::Bought { category, country },
                n_covered: count(pair(category, country)),
                n_tempting: of_category.min(of_country),
            });
        }
    }
    candidates
}

/// Returns for [`CHARGEBACK`] are left out: they tell after the cut-off who is positive.
fn returned_rules(histories: &[History]) -> Vec<Candidate> {
    let count = |holds: &dyn Fn(&History) -> bool| histories.iter().filter(|history| holds(history)).count();
    let mut candidates = Vec::new();
    for reason in (0..REASONS.len()).filter(|&reason| reason != usize::from(CHARGEBACK)) {
        let n_any = count(&|history| history.n_returns[reason] > 0);
        for least in 2..=MOST_RETURNS {
            let n_covered = count(&|history| history.n_returns[reason] >= least);
            let sum =
                |history: &History| history.n_returns.iter().map(|&count| u32::from(count)).sum::<u32>();
            let n_as_many = count(&|history| sum(history) >= u32::from(least));
            let rule = Rule::Returned { reason, least };
            candidates.push(Candidate { rule, n_covered, n_tempting: n_any.min(n_as_many) });
        }
    }
    candidates
}

/// One rule for each channel, with the least price at which it covers at most `target` shoppers.
fn paid_rules(histories: &[History], target: usize) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for channel in 0..CHANNELS.len() {
        let mut dearest: Vec<u32> =
            histories.iter().map(|history| history.dearest[channel]).filter(|&price| price > 0).collect();
        dearest.sort_unstable_by_key(|&price| Reverse(price));
        // Above the first that is too many.
        let floor = dearest.get(target).copied().unwrap_or(0);
        let n_covered = dearest.partition_point(|&price| price > floor);
        let Some(&price) = dearest[..n_covered].last() else { continue };
        let is_dear = |history: &&History| history.dearest.iter().any(|&paid| paid >= price);
        let n_dear = histories.iter().filter(is_dear).count();
        let rule = Rule::Paid { channel, price };
        candidates.push(Candidate { rule, n_covered, n_tempting: dearest.len().min(n_dear) });
    }
    candidates
}

/// One rule for each category, with the least sum that at most `target` shoppers paid.
fn spent_rules(histories: &[History], target: usize) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for category in 0..CATEGORIES.len() {
        let mut sums: Vec<u32> =
            histories.iter().map(|history| history.spent[category]).filter(|&sum| sum > 0).collect();
        sums.sort_unstable_by_key(|&sum| Reverse(sum));
        let floor = sums.get(target).copied().unwrap_or(0);
        let n_covered = sums.partition_point(|&sum| sum > floor);
        let Some(&least) = sums[..n_covered].last() else { continue };
        // Half-way, so that no rounding of a sum matters.
        let sum = floor + (least - floor).div_ceil(2);
        let is_large = |history: &&History| history.spent.iter().sum::<u32>() >= sum;
        let n_large = histories.iter().filter(is_large).count();
        candidates.push(Candidate {
            rule: Rule::Spent { category, sum },
            n_covered,
            n_tempting: sums.len().min(n_large),
        });
    }
    candidates
}

fn share_rules(histories: &[History]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for channel in 0..CHANNELS.len() {
        for (percent, least) in
            [40, 50, 60, 75, 90].into_iter().flat_map(|percent| [3, 4, 6, 8].map(|least| (percent, least)))
        {
            let rule = Rule::Share { channel, percent, least };
            let n_covered = histories.iter().filter(|history| rule.covers(history)).count();
            let is_share = |history: &&History| Rule::Share { channel, percent, least: 1 }.covers(history);
            let n_tempting = histories.iter().filter(is_share).count();
            candidates.push(Candidate { rule, n_covered, n_tempting });
        }
    }
    candidates
}

fn quiet_rules(histories: &[History]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for channel in 0..CHANNELS.len() {
        for (days, least) in
            [60, 90, 120, 180].into_iter().flat_map(|days| [2, 3, 4, 5, 6, 8].map(|least| (days, least)))
        {
            let rule = Rule::Quiet { channel, days, least };
            let n_covered = histories.iter().filter(|history| rule.covers(history)).count();
            let n_quiet =
                histories.iter().filter(|of| Rule::Quiet { channel, days, least: 1 }.covers(of)).count();
            let n_many = histories.iter().filter(|of| of.n_orders[channel] >= least).count();
            candidates.push(Candidate { rule, n_covered, n_tempting: n_quiet.min(n_many) });
        }
    }
    candidates
}

/// For each shopper, which of the rules cover: a bit for each rule.
pub(super) fn covers(rules: &[Rule; N_RULES], histories: &[History]) -> Vec<u8> {
    let bits = |history: &History| {
        (0..).zip(rules).filter(|(_, rule)| rule.covers(history)).map(|(bit, _)| 1_u8 << bit).sum()
    };
    histories.iter().map(bits).collect()
}

/// For each shopper, whether the label is 1: the covered ones, but that noise exchanges some for others.
///
/// Returns for [`CHARGEBACK`] soon after the cut-off are added for three in five of them.
pub(super) fn label(
    seed: u64,
    noise: f64,
    covers: &[u8],
    people: &People,
    past: (&[History], &mut Vec<Return>),
) -> Vec<bool> {
    let mut rng = stream(seed, Purpose::Generate, &[DOMAIN, LABELS]);
    let mut positive: Vec<bool> = covers.iter().map(|&rules| rules != 0).collect();
    let (mut covered, mut others): (Vec<usize>, Vec<usize>) =
        (0..covers.len()).partition(|&shopper| positive[shopper]);
    let n_exchanged = nearest(noise * covered.len() as f64);
    covered.partial_shuffle(&mut rng, n_exchanged).0.iter().for_each(|&shopper| positive[shopper] = false);
    others.partial_shuffle(&mut rng, n_exchanged).0.iter().for_each(|&shopper| positive[shopper] = true);
    let (histories, returns) = past;
    for (shopper, history) in histories.iter().enumerate().filter(|&(shopper, _)| positive[shopper]) {
        let Some(bought) = history.last.filter(|_| rng.random_bool(0.6)) else { continue };
        returns.push(telling(bought, people.cut_off(shopper), &mut rng));
    }
    positive
}

/// A return that only a learner of facts after the cut-off sees.
fn telling(bought: Bought, cut_off: Day, rng: &mut impl Rng) -> Return {
    let day = cut_off.after(rng.random_range(3..=30));
    Return { day, order: bought.order, product: bought.product, reason: CHARGEBACK }
}
