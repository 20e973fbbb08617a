//! What one half of the examples proposes, the other half confirms.

use gleaner_base::FixedMap;
use rayon::prelude::*;

use super::members::{Condition, Family, Member, Searched};
use super::search::handicap;
use super::split::{Gradients, Split, Subset};

/// A condition is kept where it adds so much to the gain on the other half.
const LEAST_OF_CONDITION: f64 = 2.0;

/// A member that the other half confirmed.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    pub member: Member,
    /// Its value for each example; `NaN` where it has none.
    pub values: Vec<f64>,
}

/// What members are held against.
#[derive(Clone, Copy)]
pub(super) struct Confirming<'a, 't> {
    pub searched: &'a [Searched<'t>],
    pub gradients: &'a Gradients,
    /// The examples that propose, and those that confirm.
    pub subset: [Subset; 2],
}

impl Confirming<'_, '_> {
    /// The members as the other half confirms them: conditions that add nothing there are dropped. With the gain of each there.
    pub(super) fn confirmed(&self, proposed: Vec<Member>) -> Vec<(f64, Member)> {
        // Many members become the same without a condition.
        let mut gains: FixedMap<Member, f64> = FixedMap::default();
        self.weigh(&mut gains, &proposed);
        let mut best = proposed;
        let mut open: Vec<usize> = (0..best.len()).collect();
        while !open.is_empty() {
            let all_shorter: Vec<Member> = open.iter().flat_map(|&at| shorter(&best[at])).collect();
            self.weigh(&mut gains, &all_shorter);
            open.retain(|&at| {
                let more =
                    |left: Member, right: Member| if gains[&right] > gains[&left] { right } else { left };
                let found = shorter(&best[at]).reduce(more);
                let found = found.filter(|found| gains[found] + LEAST_OF_CONDITION > gains[&best[at]]);
                found.map(|found| best[at] = found).is_some()
            });
        }
        best.into_iter().map(|member| (gains[&member], member)).collect()
    }

    /// Finds what some members gain, where it is not known. Of members with the same conditions the rows are found once.
    fn weigh(&self, gains: &mut FixedMap<Member, f64>, members: &[Member]) {
        let mut unknown: FixedMap<(usize, &[Condition]), Vec<Family>> = FixedMap::default();
        for member in members.iter().filter(|member| !gains.contains_key(*member)) {
            let families = unknown.entry((member.table, &member.conditions)).or_default();
            if !families.contains(&member.family) {
                families.push(member.family);
            }
        }
        let weigh = |(&(table, conditions), families): (&(usize, &[Condition]), &Vec<Family>)| {
            let searched = &self.searched[table];
            let rows = searched.rows(conditions);
            let gain = |&family: &Family| {
                let gain = self.gain(&searched.values_of(&rows, family), family);
                (Member { table, family, conditions: conditions.to_vec() }, gain)
            };
            families.iter().map(gain).collect::<Vec<(Member, f64)>>()
        };
        let unknown: Vec<_> = unknown.iter().collect();
        let weighed: Vec<Vec<(Member, f64)>> = unknown.into_par_iter().map(weigh).collect();
        gains.extend(weighed.into_iter().flatten());
    }

    /// What the best threshold for those that propose gains among those that confirm.
    fn gain(&self, values: &[f64], family: Family) -> f64 {
        let [proposing, confirming] = self.subset;
        let split = split_on(values, self.gradients, proposing);
        self.gradients.gain_of(&split, values, confirming) - handicap(family)
    }

    /// The member with the best bounds of its conditions on all examples: what both halves say is known best.
    pub(super) fn refined(&self, mut member: Member) -> Confirmed {
        let searched = &self.searched[member.table];
        let gain_of = |rows: &[u32], family| {
            split_on(&searched.values_of(rows, family), self.gradients, Subset::All).gain
        };
        let mut best = gain_of(&searched.rows(&member.conditions), member.family);
        for at in 0..member.conditions.len() {
            let rows = searched.rows(&without(&member.conditions, at));
            for condition in searched.finer(&rows, member.conditions[at]) {
                let of_finer = gain_of(&searched.meeting(&rows, condition), member.family);
                if of_finer > best {
                    best = of_finer;
                    member.conditions[at] = condition;
                }
            }
        }
        drop_vacuous(searched, &mut member.conditions);
        let rows = searched.rows(&member.conditions);
        if let Some(counted) = member.family.counted {
            for family in searched.finer(&rows, counted).into_iter().map(Family::share) {
                let of_finer = gain_of(&rows, family);
                if of_finer > best {
                    (best, member.family) = (of_finer, family);
                }
            }
        }
        Confirmed { values: searched.values_of(&rows, member.family), member }
    }
}

/// Drops conditions that all rows meet which meet the others, as the best bound may be.
fn drop_vacuous(searched: &Searched<'_>, conditions: &mut Vec<Condition>) {
    let mut at = 0;
    while at < conditions.len() {
        let others = without(conditions, at);
        if searched.rows(&others).len() == searched.rows(conditions).len() {
            *conditions = others;
        } else {
            at += 1;
        }
    }
}

/// A member without each of its conditions.
fn shorter(member: &Member) -> impl Iterator<Item = Member> {
    let without = |at: usize| Member { conditions: without(&member.conditions, at), ..member.clone() };
    (0..member.conditions.len()).map(without)
}

/// Conditions without one.
fn without(conditions: &[Condition], at: usize) -> Vec<Condition> {
    let mut others = conditions.to_vec();
    others.remove(at);
    others
}

/// The best threshold of values on some examples.
pub(super) fn split_on(values: &[f64], gradients: &Gradients, subset: Subset) -> Split {
    let known = values.iter().zip(0..).filter(|(value, _)| !value.is_nan());
    let on = known.filter(|(_, example): &(&f64, u32)| gradients.is_in(*example as usize, subset));
    let mut points: Vec<(f64, u32)> = on.map(|(value, example)| (*value, example)).collect();
    gradients.best_split(&mut points, false, gradients.totals(subset))
}
