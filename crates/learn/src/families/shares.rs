//! Shares of rows: how many of those that meet conditions meet one more.
//!
//! "Of the orders of the last 90 days, the share by phone" tells how people act, however much they do. The share of the last 30 days
//! among those of 90 is a trend.

use rayon::prelude::*;

use super::members::{FEWEST_ROWS, Family, Member, Searched, Test};
use super::search::handicap;
use super::split::{Gradients, Totals};

/// The shares of so many conditions are refined: those that gain most, each of another column.
const MOST_REFINED: usize = 4;

/// A share with the gain of its best threshold.
#[derive(Clone, Debug)]
pub(super) struct Share {
    gain: f64,
    /// The conditions of the rows.
    conditions: Vec<u16>,
    /// The condition that counts.
    counted: u16,
    column: usize,
}

/// The best shares so far, of each number of conditions and column that is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    best: Vec<Share>,
}

/// What shares are weighed by.
pub(super) struct SharesOf<'a, 't> {
    pub searched: &'a Searched<'t>,
    pub gradients: &'a Gradients,
    /// The sums over the examples that are looked at.
    pub all: Totals,
}

impl SharesOf<'_, '_> {
    /// The shares that some conditions count of some sets of rows, each with its conditions. None that says nothing.
    pub(super) fn weighed(&self, sets: &[(&[u16], &[u32])], counted: &[u16]) -> Vec<Share> {
        let asked: Vec<(usize, u16)> =
            (0..sets.len()).flat_map(|set| counted.iter().map(move |&condition| (set, condition))).collect();
        let weigh = |(set, at): (usize, u16)| {
            let (conditions, rows) = sets[set];
            let condition = self.searched.conditions[usize::from(at)];
            // All rows have the constant that a condition asks for.
            let is_decided = |&known: &u16| {
                let known = self.searched.conditions[usize::from(known)];
                known.column == condition.column && matches!(known.test, Test::Is(_))
            };
            let may_count = self.searched.may_count(condition) && !conditions.iter().any(is_decided);
            if rows.len() < FEWEST_ROWS || !may_count {
                return None;
            }
            let mut points = Vec::new();
            self.searched.visit_shares(condition, rows, &mut |example, share| points.push((share, example)));
            let gain =
                self.gradients.about_best_gain(&points, false, self.all) - handicap(Family::share(condition));
            let (conditions, column) = (conditions.to_vec(), condition.column);
            (gain > 0.0).then_some(Share { gain, conditions, counted: at, column })
        };
        asked.into_par_iter().filter_map(weigh).collect()
    }
}

impl Shares {
    /// Takes the best.
    pub(super) fn add(&mut self, weighed: Vec<Share>) {
        for share in weighed {
            let is_alike = |known: &&mut Share| {
                known.column == share.column && known.conditions.len() == share.conditions.len()
            };
            match self.best.iter_mut().find(is_alike) {
                Some(known) if known.gain >= share.gain => {}
                Some(known) => *known = share,
                None => self.best.push(share),
            }
        }
    }

    /// The conditions whose shares of all rows gain most.
    pub(super) fn best(&self) -> Vec<u16> {
        let mut of_all: Vec<&Share> = self.best.iter().filter(|share| share.conditions.is_empty()).collect();
        of_all.sort_by(|left, right| right.gain.total_cmp(&left.gain).then(left.counted.cmp(&right.counted)));
        of_all.iter().take(MOST_REFINED).map(|share| share.counted).collect()
    }

    /// The members of a table that are proposed, with their gains.
    pub(super) fn members(&self, searched: &Searched<'_>, table: usize) -> Vec<(f64, Member)> {
        let condition = |at: u16| searched.conditions[usize::from(at)];
        let member = |share: &Share| {
            let conditions = share.conditions.iter().map(|&at| condition(at)).collect();
            (share.gain, Member { table, family: Family::share(condition(share.counted)), conditions })
        };
        self.best.iter().map(member).collect()
    }
}
