//! The clauses that become features.

use std::collections::BTreeMap;

use crate::gleaner::theory::Theory;
use crate::gleaner::{GatheredPart, Gathering};
use gleaner_base::Totals;
use gleaner_base::information::information_on_classes;
use gleaner_lang::program::Clause;

use super::found::{FeatureClause, Searches, SrlFound};

/// A part of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SrlPart {
    /// The seeds, and how long each was searched.
    pub gathered: GatheredPart,
    /// So many clauses at most, those that tell most of the class; `None` for all.
    pub most_clauses: Option<usize>,
}

/// The clauses of a part, bin by bin. Within a bin, clauses of one train coverage are there once, in canonical order;
/// given clauses are all there.
///
/// A clause that several searches found is one, in the bin of the first. Its cover on train is known of a search of
/// train alone.
pub fn feature_clauses(found: &SrlFound, part: GatheredPart, n_bins: usize) -> Vec<FeatureClause> {
    if let Some(given) = &found.given {
        return given.clone();
    }
    let mut clauses: Vec<FeatureClause> = Vec::new();
    let mut known: BTreeMap<(bool, Clause), usize> = BTreeMap::new();
    let mut add = |feature: FeatureClause| {
        let next = clauses.len();
        let at = *known.entry((feature.is_from_positive, feature.clause.clone())).or_insert(next);
        match clauses.get_mut(at) {
            Some(first) => first.found_by.0 |= feature.found_by.0,
            None => clauses.push(feature),
        }
    };
    let n_parts = found.n_parts.max(1);
    for without in 0..n_parts {
        let of = Gathered { n_parts, without, n_bins };
        of.features(&found.from_positives, part, true).for_each(&mut add);
    }
    if let Some((gathering, part)) = found.part_from_negatives(part) {
        for without in 0..n_parts {
            let of = Gathered { n_parts, without, n_bins };
            of.features(gathering, part, false).for_each(&mut add);
        }
    }
    clauses.sort_by_key(|feature| feature.bin);
    clauses
}

/// So many clauses at most, in their order: equally many of each search, those whose cover on train tells most of the
/// class.
pub fn most_telling(
    clauses: Vec<FeatureClause>,
    most: usize,
    n_parts: usize,
    totals: Totals,
) -> Vec<FeatureClause> {
    let all = totals.weighted();
    let told = |feature: &FeatureClause| {
        let held = feature.train.weighted(totals.negative_weight);
        information_on_classes(&[held.positives, held.negatives], &[all.positives, all.negatives])
    };
    let mut ranked: Vec<(f64, usize)> =
        clauses.iter().enumerate().map(|(at, feature)| (told(feature), at)).collect();
    ranked.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let n_parts = n_parts.max(1);
    let mut is_kept = vec![false; clauses.len()];
    for part in 0..n_parts {
        let of_part = ranked.iter().filter(|(_, at)| n_parts == 1 || clauses[*at].found_by.has(part));
        of_part.take(most.div_ceil(n_parts)).for_each(|&(_, at)| is_kept[at] = true);
    }
    clauses.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(feature, _)| feature).collect()
}

/// The seeds of a gathering that leave a part out.
#[derive(Clone, Copy)]
struct Gathered {
    n_parts: usize,
    without: usize,
    n_bins: usize,
}

impl Gathered {
    fn features(
        self,
        gathering: &Gathering,
        part: GatheredPart,
        is_from_positive: bool,
    ) -> impl Iterator<Item = FeatureClause> {
        let Self { n_parts, without, n_bins } = self;
        let first_bin = if is_from_positive { 0 } else { n_bins };
        (0..n_bins).flat_map(move |bin| {
            let seeds = gathering.seeds[..part.n_seeds].iter();
            let mut seeds = seeds.skip(without).step_by(n_parts);
            let theory = Theory::of_seeds(&mut seeds, part.checkpoint_idx, bin..bin + 1);
            theory.clauses.into_iter().map(move |member| FeatureClause {
                clause: member.clause,
                train: if is_from_positive { member.counts } else { member.counts.exchanged() },
                is_from_positive,
                bin: first_bin + bin,
                found_by: Searches::without(without),
            })
        })
    }
}
