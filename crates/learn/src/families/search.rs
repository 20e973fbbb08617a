//! The greedy search for conditions of aggregates.
//!
//! Members are refined by one condition at a time. Of all ways to do so, the few whose best threshold gains most are refined
//! further. What one half of the examples proposes, the other half confirms.

use gleaner_lang::program::AggregateOperator;
use rayon::prelude::*;

use super::members::{FEWEST_ROWS, Family, Member, Searched, Test};
use super::shares::{Shares, SharesOf};
use super::split::{Gradients, Subset, Totals};

/// The most conditions of a member.
pub(super) const MOST_CONDITIONS: usize = 3;

/// So many sets of conditions are refined further.
const BEAM: usize = 8;

/// So many conditions are joined with others: those that gain most alone.
const MOST_JOINED: usize = 64;

/// The fewest of these.
const FEWEST_JOINED: usize = 12;

/// The fewest examples that proposals are made from.
const FEWEST_EXAMPLES: usize = 400;

/// The fewest conditions that are weighed at a turn.
const FEWEST_CONDITIONS: usize = 40;

/// So many families of a set of conditions are refined.
const MOST_FAMILIES: usize = 12;

/// How much more an aggregate has to gain than a count of rows. Of two that gain about the same, the plainer is proposed first. Few
/// examples gain little, and there a less plain one gains more by chance.
pub(super) const fn handicap(family: Family) -> f64 {
    match (family.operator, family.column) {
        (AggregateOperator::Count, None) => 0.0,
        (AggregateOperator::Count | AggregateOperator::Min | AggregateOperator::Max, _) => 0.5,
        (AggregateOperator::Sum, _) => 1.0,
        (AggregateOperator::Avg | AggregateOperator::Last | AggregateOperator::Share, _) => 1.5,
    }
}

/// A set of conditions with the rows that meet them.
struct Node {
    conditions: Vec<u16>,
    rows: Vec<u32>,
    /// The families that gain most, by number: these are refined.
    families: Vec<usize>,
}

/// A set of conditions with the gain of each family's best threshold.
#[derive(Clone, Debug)]
struct Weighed {
    conditions: Vec<u16>,
    n_rows: usize,
    gains: Vec<f64>,
}

impl Weighed {
    /// The greatest gain of any family.
    fn gain(&self) -> f64 {
        self.gains.iter().copied().fold(0.0, f64::max)
    }

    /// The families that gain most, ascending.
    fn best_families(&self) -> Vec<usize> {
        let mut families: Vec<usize> = (0..self.gains.len()).collect();
        families
            .sort_by(|&left, &right| self.gains[right].total_cmp(&self.gains[left]).then(left.cmp(&right)));
        families.truncate(MOST_FAMILIES);
        families.sort_unstable();
        families
    }
}

/// A search of one table by some examples, to a depth.
pub(super) struct TableSearch<'t> {
    searched: &'t Searched<'t>,
    /// The table's number.
    number: usize,
    gradients: Gradients,
    /// The sums over the examples that it looks at.
    all: Totals,
    /// The conditions that are joined with others.
    conditions: Vec<u16>,
    /// The rows of the examples that it looks at.
    rows: Vec<u32>,
    /// The sets of conditions that are refined next.
    level: Vec<Node>,
    found: Vec<Weighed>,
    shares: Shares,
}

impl<'t> TableSearch<'t> {
    /// Weighs the families of all rows, and each condition alone. Of examples with very many rows a part of the conditions is weighed, and
    /// the next at the next turn.
    pub(super) fn new(
        searched: &'t Searched<'t>,
        number: usize,
        gradients: &Gradients,
        subset: Subset,
        (most_visits, turn): (usize, usize),
    ) -> Self {
        let examples = &searched.table.examples;
        let n_rows = searched.table.n_rows();
        let n_examples = gradients.of.len();
        // Of each condition alone half of the rows are visited; of a set of several, fewer.
        let n_sets = searched.conditions.len() + BEAM * MOST_JOINED;
        let n_kept = most_visits / n_sets * n_examples / (n_rows / 2).max(1);
        let thinned = (n_kept < n_examples).then(|| gradients.thinned(n_kept.max(FEWEST_EXAMPLES)));
        let is_kept = |example: usize| thinned.as_ref().is_none_or(|thinned| thinned.is_kept[example]);
        let is_row = |row: &u32| {
            let example = examples[*row as usize] as usize;
            gradients.is_in(example, subset) && is_kept(example)
        };
        let rows: Vec<u32> =
            (0..u32::try_from(n_rows).expect("fewer than 2^32 rows")).filter(is_row).collect();
        let gradients =
            thinned.as_ref().map_or_else(|| gradients.clone(), |thinned| thinned.gradients.clone());
        let n_wanted = most_visits / (rows.len() / 2).max(1);
        let conditions = taking_turns(searched.conditions.len(), n_wanted, turn);
        let (level, found, shares) = (Vec::new(), Vec::new(), Shares::default());
        let all = gradients.totals(subset);
        let mut searches =
            Self { searched, number, gradients, all, conditions, rows: rows.clone(), level, found, shares };
        let families: Vec<usize> = (0..searched.families.len()).collect();
        let first = searches.search().weigh(&rows, Vec::new(), &families);
        searches.level = vec![Node { conditions: Vec::new(), rows, families: first.best_families() }];
        searches.found.push(first);
        searches.weigh_shares(&searches.conditions.clone());
        let best = searches.refine();
        let n_joined = (n_wanted / BEAM).clamp(FEWEST_JOINED, MOST_JOINED);
        let joined = best.iter().take(n_joined).flat_map(|of| of.conditions.iter().copied());
        searches.conditions = joined.collect();
        searches.conditions.sort_unstable();
        searches.keep(best);
        searches
    }

    /// Weighs the shares that some conditions count of the rows of each set that is refined next.
    fn weigh_shares(&mut self, counted: &[u16]) {
        let of = SharesOf { searched: self.searched, gradients: &self.gradients, all: self.all };
        let sets: Vec<(&[u16], &[u32])> =
            self.level.iter().map(|node| (&node.conditions[..], &node.rows[..])).collect();
        self.shares.add(of.weighed(&sets, counted));
    }

    /// Joins conditions.
    pub(super) fn deepen(&mut self) {
        let mut counted = self.shares.best();
        self.weigh_shares_of_one_condition(&counted);
        counted.extend(&self.conditions);
        counted.sort_unstable();
        counted.dedup();
        for _ in 1..MOST_CONDITIONS {
            self.weigh_shares(&counted);
            let best = self.refine();
            self.keep(best);
        }
    }

    /// Weighs the shares that some conditions count of the rows that meet one condition.
    fn weigh_shares_of_one_condition(&mut self, counted: &[u16]) {
        let rows_of = |&condition: &u16| {
            self.searched.meeting(&self.rows, self.searched.conditions[usize::from(condition)])
        };
        let rows: Vec<Vec<u32>> = self.conditions.par_iter().map(rows_of).collect();
        let sets: Vec<(&[u16], &[u32])> =
            self.conditions.iter().map(std::slice::from_ref).zip(rows.iter().map(|rows| &rows[..])).collect();
        let of = SharesOf { searched: self.searched, gradients: &self.gradients, all: self.all };
        self.shares.add(of.weighed(&sets, counted));
    }

    fn search(&self) -> Search<'_, 't> {
        Search {
            searched: self.searched,
            families: &self.searched.families,
            gradients: &self.gradients,
            all: self.all,
            conditions: &self.conditions,
        }
    }

    fn refine(&self) -> Vec<Weighed> {
        self.search().refined(&self.level)
    }

    /// Goes on from the best.
    fn keep(&mut self, mut best: Vec<Weighed>) {
        best.truncate(BEAM);
        self.level = self.search().nodes(&self.level, &best);
        self.found.extend(best);
    }

    /// The greatest gain so far.
    pub(super) fn gain(&self) -> f64 {
        self.found.iter().map(Weighed::gain).fold(0.0, f64::max)
    }

    /// The members that are proposed, with their gains. Chance gains more the more conditions there are: those of each number
    /// compete with each other.
    pub(super) fn members(&self) -> Vec<(f64, Member)> {
        let of_family = |(at, &family): (usize, &Family)| {
            let of_length = |n: usize| {
                let all = self.found.iter().filter(move |of| of.conditions.len() == n && of.gains[at] > 0.0);
                all.reduce(|best, next| if next.gains[at] > best.gains[at] { next } else { best })
            };
            let member = |weighed: &Weighed| {
                let condition = |&condition: &u16| self.searched.conditions[usize::from(condition)];
                let conditions = weighed.conditions.iter().map(condition).collect();
                (weighed.gains[at], Member { table: self.number, family, conditions })
            };
            (0..=MOST_CONDITIONS).filter_map(of_length).map(member).collect::<Vec<_>>()
        };
        let of_rows = self.searched.families.iter().enumerate().flat_map(of_family);
        of_rows.chain(self.shares.members(self.searched, self.number)).collect()
    }
}

/// About so many of the conditions, at equal distances; another part at each turn.
fn taking_turns(n_conditions: usize, n_wanted: usize, turn: usize) -> Vec<u16> {
    let stride = n_conditions.div_ceil(n_wanted.max(FEWEST_CONDITIONS)).max(1);
    let of_turn = (turn % stride..n_conditions).step_by(stride);
    of_turn.map(|at| u16::try_from(at).expect("few conditions")).collect()
}

/// What a search is over.
struct Search<'a, 't> {
    searched: &'a Searched<'t>,
    families: &'a [Family],
    gradients: &'a Gradients,
    all: Totals,
    /// The conditions that are tried.
    conditions: &'a [u16],
}

impl Search<'_, '_> {
    /// About the gain of the best threshold of each of some families over these rows, and none of the others.
    fn weigh(&self, rows: &[u32], conditions: Vec<u16>, of: &[usize]) -> Weighed {
        let families: Vec<Family> = of.iter().map(|&family| self.families[family]).collect();
        let n_most = rows.len().min(self.gradients.of.len());
        let mut points: Vec<Vec<(f64, u32)>> = families.iter().map(|_| Vec::with_capacity(n_most)).collect();
        self.searched.visit(&families, rows, &mut |at, example, value| points[at].push((value, example)));
        let mut gains = vec![0.0; self.families.len()];
        for ((&at, family), points) in of.iter().zip(&families).zip(&points) {
            let operator = family.operator;
            // What all rows share is not summed up.
            let is_shared = |&condition: &u16| {
                let of = self.searched.conditions[usize::from(condition)];
                Some(of.column) == family.column && matches!(of.test, Test::Is(_))
            };
            if conditions.iter().any(is_shared) {
                continue;
            }
            gains[at] = self.gradients.about_best_gain(points, operator.is_zero_of_none(), self.all)
                - handicap(*family);
        }
        Weighed { conditions, n_rows: rows.len(), gains }
    }

    /// The refinements of some nodes by one condition, the best first.
    fn refined(&self, level: &[Node]) -> Vec<Weighed> {
        let mut asked: Vec<(Vec<u16>, usize, u16)> = Vec::new();
        for (at, node) in level.iter().enumerate() {
            for &condition in
                self.conditions.iter().filter(|it| self.searched.goes_with(&node.conditions, **it))
            {
                let mut conditions = node.conditions.clone();
                conditions.push(condition);
                conditions.sort_unstable();
                asked.push((conditions, at, condition));
            }
        }
        asked.sort();
        asked.dedup_by(|next, known| next.0 == known.0);
        let weigh = |(conditions, at, condition): (Vec<u16>, usize, u16)| {
            let condition = self.searched.conditions[usize::from(condition)];
            let rows = self.searched.meeting(&level[at].rows, condition);
            let is_refined = rows.len() >= FEWEST_ROWS && rows.len() < level[at].rows.len();
            is_refined.then(|| self.weigh(&rows, conditions, &level[at].families))
        };
        let mut weighed: Vec<Weighed> = asked.into_par_iter().filter_map(weigh).collect();
        weighed.sort_by(|left, right| {
            right.gain().total_cmp(&left.gain()).then_with(|| left.conditions.cmp(&right.conditions))
        });
        // Of conditions that keep the same rows, one is refined.
        weighed.dedup_by(|next, known| next.n_rows == known.n_rows && next.gains == known.gains);
        weighed
    }

    /// The rows of some refinements.
    fn nodes(&self, level: &[Node], weighed: &[Weighed]) -> Vec<Node> {
        let node = |of: &Weighed| {
            let is_parent = |node: &&Node| node.conditions.iter().all(|known| of.conditions.contains(known));
            let parent = level.iter().find(is_parent)?;
            let further = of.conditions.iter().filter(|condition| !parent.conditions.contains(condition));
            let meeting = |rows: Vec<u32>, &at: &u16| {
                self.searched.meeting(&rows, self.searched.conditions[usize::from(at)])
            };
            let rows = further.fold(parent.rows.clone(), meeting);
            Some(Node { conditions: of.conditions.clone(), rows, families: of.best_families() })
        };
        weighed.iter().filter_map(node).collect()
    }
}
