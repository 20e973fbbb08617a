//! Scores of examples by words that were counted without them.

use gleaner_base::Counts;
use gleaner_engine::coverage::component::Interrupted;

use crate::alignment::Alignment;
use crate::calibration::HeldOut;
use crate::learner::Fitting;
use crate::network::NetworkModel;
use crate::pooled_sets::{HeldOutParts, PooledSets};
use crate::{Clause, Model};

use super::learner::CountedBags;
use super::model::{LogOdds, log_odds_of};

/// The words of each example of train, and how often each word is in each part of it.
struct WordsOfTrain {
    /// For each position, the numbers of its words. Words are numbered through all bags.
    of_example: Vec<Vec<usize>>,
    /// For each word, and each part, how many of its examples have the word.
    in_parts: Vec<Vec<Counts>>,
}

impl WordsOfTrain {
    /// `part_of` is the part of each position.
    fn of(found: &CountedBags, part_of: &[usize], fitting: &Fitting<'_>) -> Result<Self, Interrupted> {
        let universe = fitting.train.universe();
        let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
        let mut words = Self { of_example: vec![Vec::new(); universe.len()], in_parts: Vec::new() };
        let clauses: Vec<&Clause> =
            found.bags.iter().flat_map(|bag| &bag.words).map(|word| &word.clause).collect();
        fitting.train.visit(&clauses, fitting.budget, |first, block| {
            for (number, cover) in (first..).zip(block) {
                let mut counts = vec![Counts::NONE; n_parts];
                for position in cover.iter() {
                    words.of_example[position].push(number);
                    let of = &mut counts[part_of[position]];
                    *(if universe.is_positive(position) {
                        &mut of.true_positives
                    } else {
                        &mut of.false_positives
                    }) += 1;
                }
                words.in_parts.push(counts);
            }
        })?;
        Ok(words)
    }

    /// The scores of all positions.
    fn scores(&self, odds: &LogOdds) -> Vec<f64> {
        let score = |of: &Vec<usize>| odds.base + of.iter().map(|&word| odds.added[word]).sum::<f64>();
        self.of_example.iter().map(score).collect()
    }
}

/// The scores of train and tune as calibrators take them: of each part of train by the words of the others, on the scale of the
/// model, and of tune by the model. `None` where tune alone is enough to calibrate on.
///
/// Naive Bayes has a weight for each word that it saw, so on train itself it knows nearly every class.
///
/// **Cost**: the covers of all words on train, and a pass over the examples' words for each part.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn held_out(
    found: &CountedBags,
    model: &NetworkModel,
    m: f64,
    fitting: &Fitting<'_>,
) -> Result<Option<HeldOut>, Interrupted> {
    let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
    let sets = match fitting.labels.classes() {
        Some(list) => PooledSets::of_classes(train, tune, list.len()),
        None => PooledSets::of(train, tune),
    };
    let parts = sets.held_out_parts(HeldOutParts::TuneOrFolds, fitting.stream);
    if parts.len() < 2 {
        return Ok(None);
    }
    let mut part_of = vec![0; train.len()];
    for (at, part) in parts.iter().enumerate() {
        let of_train = part.iter().map(|&number| sets.examples[number]).filter(|of| !of.is_tune);
        of_train.for_each(|of| part_of[of.position] = at);
    }
    let words = WordsOfTrain::of(found, &part_of, fitting)?;
    let scores_without = |left_out: Option<usize>| {
        let rest = |counts: &[Counts]| {
            let kept = counts.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
            kept.fold(Counts::NONE, |sum, (_, of)| Counts {
                true_positives: sum.true_positives + of.true_positives,
                false_positives: sum.false_positives + of.false_positives,
            })
        };
        let mut counts = words.in_parts.iter().map(|counts| rest(counts));
        let of_bags: Vec<Vec<Counts>> =
            found.bags.iter().map(|bag| counts.by_ref().take(bag.words.len()).collect()).collect();
        let mut totals = train.totals();
        for of in sets.examples.iter().filter(|of| !of.is_tune && Some(part_of[of.position]) == left_out) {
            *(if of.is_positive { &mut totals.n_positives } else { &mut totals.n_negatives }) -= 1;
        }
        words.scores(&log_odds_of(&of_bags, totals, m))
    };
    let of_all = scores_without(None);
    let mut of_train = vec![0.0; train.len()];
    for at in 0..parts.len() {
        let without = scores_without(Some(at));
        let weight = |(position, _)| match train.is_positive(position) {
            _ if part_of[position] == at => 0.0,
            true => 1.0,
            false => train.negative_weight().ratio(),
        };
        let mut weights = vec![0.0; train.len()];
        train.iter().for_each(|of| weights[of.0] = weight(of));
        let alignment = Alignment::fit(&without, &of_all, &weights);
        for (position, _) in train.iter().filter(|of| part_of[of.0] == at) {
            of_train[position] = alignment.at(without[position]);
        }
    }
    let of_tune = model.score(fitting.tune, fitting.budget)?.scores;
    let scores: Vec<(usize, f64)> = sets.by_number(&of_train, &of_tune).into_iter().enumerate().collect();
    Ok(Some(sets.held_out(&scores)))
}
