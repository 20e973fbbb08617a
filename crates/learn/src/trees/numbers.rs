//! To fit the model of a number: as many rounds of trees as serve best, and intervals for its predictions.
//!
//! What makes a prediction of a score, where the target is a number.
//!
//! Trees of a number for a person and as a Prolog program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::Covers;
use crate::learner::{Fitting, Learnt};
use crate::pooled_sets::PooledSets;
use crate::prolog::Formula;
use crate::saved::OverClauses;
use crate::shown::{Noun, Part};
use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::NumberList;
use gleaner_stats::eval::numbers::{mean, quantile};
use gleaner_stats::eval::{ErrorInterval, NumberLoss, error_interval};

use super::TreeConfig;
use super::booster::{TreesFound, pooled_sets};
use super::loss::{GREATEST_LOG, LEAST_LOG, Loss, LossName};
use super::model::{TreeModel, model};
use super::objective::numbers_by_position;
use super::tree::{Leaf, Tree};

/// Fits the model of a number to the first rounds: those that lessen the goal's loss most on examples held out.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn fit(
    config: &TreeConfig,
    found: &TreesFound,
    n_rounds: usize,
    list: &NumberList,
    fitting: &Fitting<'_>,
) -> Result<Learnt, Interrupted> {
    let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
    let sets = pooled_sets(train, tune, true);
    let numbers = sets.by_number(&numbers_by_position(train, list), &numbers_by_position(tune, list));
    let loss = config.loss();
    let choosing =
        Choosing { found, sets: &sets, numbers: &numbers, loss, goal: config.goal.loss(config.quantile) };
    let held_out = choosing.best(n_rounds, fitting)?;
    let n_best = held_out.as_ref().map_or(n_rounds, |held_out| held_out.n_rounds);
    let mut whole = model(found, &found.of_model(), n_best, tune.totals());
    // A search that was stopped at once has no forest.
    if found.forests.is_empty() {
        whole.base = loss.constant(&numbers);
    }
    let mut held_out = held_out.map(|held_out| held_out.scores).unwrap_or_default();
    let shift = quantile_shift(loss, &numbers, &held_out);
    whole.base += shift;
    held_out.iter_mut().for_each(|(_, score)| *score += shift);
    let errors: Vec<f64> = held_out
        .iter()
        .map(|&(number, score)| {
            let prediction = loss.prediction(score);
            (numbers[number] - prediction) / loss.error_scale(prediction)
        })
        .collect();
    let mut ascending = numbers;
    ascending.sort_by(f64::total_cmp);
    whole.numbers = Some(NumberScale {
        loss,
        rounds: n_best,
        mean: mean(ascending.iter().copied()).unwrap_or(0.0),
        median: quantile(&ascending, 0.5).unwrap_or(0.0),
        n_held_out: errors.len(),
        intervals: LEVELS.iter().filter_map(|&level| error_interval(&errors, level)).collect(),
    });
    let held_out = (!held_out.is_empty()).then(|| sets.held_out(&held_out));
    Ok(Learnt { model: Arc::new(whole), before_tune: None, held_out })
}

/// Held-out numbers on the rarer side of a quantile that say where it lies.
const ENOUGH_BEYOND: f64 = 10.0;

/// What predicted quantiles lack, so that the quantile's share of the held-out numbers is at most the prediction. Boosted
/// trees fit quantiles of what they learn from, so theirs lie too near the median. 0 of other losses, and where too few
/// examples were held out.
fn quantile_shift(loss: Loss, numbers: &[f64], held_out: &[(usize, f64)]) -> f64 {
    if loss.name != LossName::Quantile {
        return 0.0;
    }
    let share = loss.quantile;
    let mut errors: Vec<f64> = held_out.iter().map(|&(number, score)| numbers[number] - score).collect();
    #[expect(clippy::cast_precision_loss, reason = "examples are far fewer than 2^52")]
    let n_beyond = errors.len() as f64 * share.min(1.0 - share);
    if n_beyond < ENOUGH_BEYOND {
        return 0.0;
    }
    errors.sort_by(f64::total_cmp);
    quantile(&errors, share).unwrap_or(0.0)
}

/// The scores of examples by trees that did not learn from them, and the number of rounds.
struct HeldOutScores {
    n_rounds: usize,
    /// Examples by their numbers in the pooled sets, ascending.
    scores: Vec<(usize, f64)>,
}

/// The choice of the number of rounds.
struct Choosing<'a> {
    found: &'a TreesFound,
    sets: &'a PooledSets,
    /// The numbers by the examples' numbers in the pooled sets.
    numbers: &'a [f64],
    loss: Loss,
    goal: NumberLoss,
}

/// Forests, with the examples that they did not learn from, and what they say so far.
struct Held<'a> {
    forests: Vec<usize>,
    part: &'a [usize],
    of_train: Vec<f64>,
    of_tune: Vec<f64>,
}

impl Choosing<'_> {
    /// The rounds with the least loss on examples that were held out; the fewest of several. None where no example was.
    fn best(&self, n_rounds: usize, fitting: &Fitting<'_>) -> Result<Option<HeldOutScores>, Interrupted> {
        let of_tune: Vec<usize> =
            (0..self.sets.examples.len()).filter(|&at| self.sets.examples[at].is_tune).collect();
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let held = |forests: Vec<usize>, part| {
            let share = share_of(&forests);
            let base: f64 = forests.iter().map(|&forest| self.found.forests[forest].base * share).sum();
            Held { forests, part, of_train: vec![base; train.len()], of_tune: vec![base; tune.len()] }
        };
        let mut parts: Vec<Held<'_>> = match &self.found.parts[..] {
            [] => vec![held(self.found.of_model(), &of_tune)],
            parts => (0..).zip(parts).map(|(at, part)| held(self.found.without(at), part)).collect(),
        };
        parts.retain(|held| !held.part.is_empty() && !held.forests.is_empty());
        if parts.is_empty() {
            return Ok(None);
        }
        let mut best: Option<(f64, HeldOutScores)> = None;
        for n in 0..=n_rounds {
            if let Some(round) = n.checked_sub(1) {
                for held in &mut parts {
                    self.add_round(round, held, fitting)?;
                }
            }
            let scores = self.scores(&parts);
            let loss =
                |&(at, score): &(usize, f64)| self.goal.of(self.numbers[at], self.loss.prediction(score));
            let mean = mean(scores.iter().map(loss)).unwrap_or(f64::INFINITY);
            if best.as_ref().is_none_or(|(least, _)| mean < *least) {
                best = Some((mean, HeldOutScores { n_rounds: n, scores }));
            }
        }
        Ok(best.map(|(_, scores)| scores))
    }

    fn add_round(&self, round: usize, held: &mut Held<'_>, fitting: &Fitting<'_>) -> Result<(), Interrupted> {
        let share = share_of(&held.forests);
        let trees: Vec<Tree> =
            held.forests.iter().map(|&at| self.found.rounds[round][at].tree.scaled(share)).collect();
        add(&trees, &mut held.of_train, fitting.train, fitting.budget)?;
        if self.sets.n_tune() > 0 {
            add(&trees, &mut held.of_tune, fitting.tune, fitting.budget)?;
        }
        Ok(())
    }

    /// The scores of the parts by forests that left them out, by the examples' numbers, ascending.
    fn scores(&self, parts: &[Held<'_>]) -> Vec<(usize, f64)> {
        let score = |held: &Held<'_>, number: usize| {
            let of = &self.sets.examples[number];
            if of.is_tune { held.of_tune[of.position] } else { held.of_train[of.position] }
        };
        let of_part = |held| Held::part(held).iter().map(move |&number| (number, score(held, number)));
        let mut scores: Vec<(usize, f64)> = parts.iter().flat_map(of_part).collect();
        scores.sort_by_key(|&(number, _)| number);
        scores
    }
}

impl Held<'_> {
    const fn part(held: &Self) -> &[usize] {
        held.part
    }
}

fn share_of(forests: &[usize]) -> f64 {
    1.0 / f64::from(u32::try_from(forests.len().max(1)).expect("the setting's range"))
}

/// Adds the values of trees to scores.
fn add(trees: &[Tree], scores: &mut [f64], covers: &Covers<'_>, budget: &Budget) -> Result<(), Interrupted> {
    let clauses: Vec<_> = trees.iter().flat_map(OverClauses::all_clauses).collect();
    let found: Vec<ExampleSet> = covers.all(&clauses, budget)?;
    let mut rest = &found[..];
    for tree in trees {
        let (own, others) = rest.split_at(tree.splits().count());
        tree.add_to(scores, covers.universe().all(), own);
        rest = others;
    }
    Ok(())
}

/// The levels of the intervals that predictions have.
pub const LEVELS: [f64; 2] = [0.8, 0.9];

/// What makes a prediction of a score, where the target is a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberScale {
    /// The loss of the trees, which says what scores stand for.
    pub loss: Loss,
    /// Rounds of trees; 0 where the constant serves best.
    pub rounds: usize,
    /// The mean of the numbers that were learnt from.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// Held-out examples that the intervals come from.
    n_held_out: usize,
    /// Intervals by their level, ascending; none where no example was held out, or too few.
    pub intervals: Vec<ErrorInterval>,
}

impl NumberScale {
    /// The prediction that a score stands for.
    pub fn prediction(&self, score: f64) -> f64 {
        self.loss.prediction(score)
    }

    /// The same as a formula of the score.
    pub fn prediction_formula(&self, score: Formula) -> Formula {
        match self.loss.name {
            LossName::Squared | LossName::Quantile => score,
            LossName::Poisson => {
                let value = Box::new(score);
                let clamped = Formula::Clamped { value, low: LEAST_LOG, high: GREATEST_LOG };
                Formula::Exponential(Box::new(clamped))
            }
        }
    }

    /// The ends of an interval about a prediction. Counts are never below 0.
    pub fn ends(&self, interval: &ErrorInterval, prediction: f64) -> [f64; 2] {
        let scale = self.loss.error_scale(prediction);
        let [low, high] = [interval.low, interval.high].map(|error| prediction + scale * error);
        if self.loss.is_of_counts() { [low.max(0.0), high.max(0.0)] } else { [low, high] }
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    pub(super) fn is_sound(&self) -> bool {
        let is_interval = |of: &ErrorInterval| {
            of.level > 0.0 && of.level < 1.0 && of.low <= of.high && of.low.is_finite() && of.high.is_finite()
        };
        self.loss.is_sound()
            && [self.mean, self.median].iter().all(|number| number.is_finite())
            && self.intervals.iter().all(is_interval)
    }
}

/// The columns of a leaf's train examples: how many, the mean of their numbers, and their standard deviation.
pub(super) const COLUMNS: [(&str, usize); 3] = [("n", 6), ("mean", 11), ("sd", 10)];

const TREES: Noun = Noun { one: "tree", many: "trees" };

/// The cells of these columns.
pub(super) fn cells(leaf: Leaf) -> Vec<String> {
    let n = leaf.train.true_positives + leaf.train.false_positives;
    let numbers = leaf.numbers.map(|of| [of.mean, of.deviation]);
    let numbers = [0, 1].map(|at| numbers.map_or_else(String::new, |of| format!("{:.4}", of[at])));
    [n.to_string()].into_iter().chain(numbers).collect()
}

/// A part of an explanation with the cells and fields of its leaf.
pub(super) fn with_numbers(mut part: Part, leaf: Leaf) -> Part {
    part.cells.extend(cells(leaf));
    let n = leaf.train.true_positives + leaf.train.false_positives;
    part.fields.insert("n".to_owned(), n.into());
    if let Some(numbers) = leaf.numbers {
        part.fields.insert("mean".to_owned(), numbers.mean.into());
        part.fields.insert("deviation".to_owned(), numbers.deviation.into());
    }
    part
}

/// What a prediction is, in words.
const fn meaning(of: &NumberScale) -> &'static str {
    match of.loss.name {
        LossName::Squared => "the mean",
        LossName::Poisson => "the mean of a count",
        LossName::Quantile => "a quantile",
    }
}

/// What scores stand for, in words.
const fn score_words(of: &NumberScale) -> &'static str {
    match of.loss.name {
        LossName::Squared | LossName::Quantile => "a prediction is",
        LossName::Poisson => "the logarithm of a prediction is",
    }
}

/// The sizes of a model, and the intervals of its predictions.
pub(super) fn head(model: &TreeModel, of: &NumberScale, n_leaves: usize) -> String {
    let quantile = match of.loss.name {
        LossName::Quantile => format!(" ({})", of.loss.quantile),
        LossName::Squared | LossName::Poisson => String::new(),
    };
    let meaning = meaning(of);
    let predict = if model.trees.len() == 1 { "predicts" } else { "predict" };
    let mut text = if model.trees.is_empty() {
        format!(
            "the constant {:.4} predicts {meaning}{quantile}: no tree was better on examples held out\n",
            of.prediction(model.base)
        )
    } else {
        format!(
            "{} with {n_leaves} leaves {predict} {meaning}{quantile};\n{} {:+.4} and the amounts of the example's leaves\n",
            TREES.counted(model.trees.len()),
            score_words(of),
            model.base
        )
    };
    let scale = if of.loss.is_of_counts() { " times the root of the prediction" } else { "" };
    for ErrorInterval { level, low, high } in &of.intervals {
        text.push_str(&format!(
            "interval of {:.0} %: from {low:+.4} to {high:+.4}{scale} about it\n",
            100.0 * level
        ));
    }
    if !of.intervals.is_empty() {
        text.push_str(&format!("  by the errors of {} examples, each held out\n", of.n_held_out));
    }
    text
}

/// How the leaves make a prediction, with its intervals.
pub(super) fn words(model: &TreeModel, of: &NumberScale, score: f64) -> String {
    let prediction = of.prediction(score);
    let mut text = format!("\nthe prediction is {prediction:.4}");
    for interval in &of.intervals {
        let [low, high] = of.ends(interval, prediction);
        text.push_str(&format!("\n{:.0} % interval: {low:.4} to {high:.4}", 100.0 * interval.level));
    }
    text.push_str(&format!(
        "\n\n{} {:+.4}, and the amount that the example's leaf adds\nin each of {}; tests passed (+) and failed (-) on the way, \
         and the\nnumbers of the leaf's train examples:\n",
        score_words(of),
        model.base,
        TREES.counted(model.trees.len())
    ));
    text
}

/// The numbers of the whole, by name.
pub(super) fn further(model: &TreeModel, of: &NumberScale, score: f64) -> Json {
    let prediction = of.prediction(score);
    let interval = |interval: &ErrorInterval| {
        let [low, high] = of.ends(interval, prediction);
        json!({ "level": interval.level, "low": low, "high": high })
    };
    json!({
        "base": model.base,
        "trees": model.trees.len(),
        "predicted": prediction,
        "intervals": of.intervals.iter().map(interval).collect::<Vec<_>>(),
    })
}

/// The rule of a program that predicts by scores.
pub(super) const fn prediction_rule(of: &NumberScale) -> &'static str {
    match of.loss.name {
        LossName::Squared | LossName::Quantile => {
            "% The prediction of the number.\n\
             gleaner_prediction_of(Example, Prediction) :-\n    gleaner_score_of(Example, Prediction).\n\n"
        }
        LossName::Poisson => {
            "% The prediction of the number: scores are logarithms.\n\
             gleaner_prediction_of(Example, Prediction) :-\n    gleaner_score_of(Example, Score),\n    \
             Prediction is exp(Score).\n\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Loss, LossName, quantile_shift};

    /// By hand: the errors are 1 to 20, of which half are at most 10. The median of an even count is the mean of the two in
    /// the middle.
    #[test]
    fn quantiles_shift_by_that_of_the_held_out_errors() {
        let numbers: Vec<f64> = (1..=20).map(|number| 7.0 + f64::from(number)).collect();
        let held_out: Vec<(usize, f64)> = (0..20).map(|at| (at, 7.0)).collect();
        let shift = |name, quantile| quantile_shift(Loss { name, quantile }, &numbers, &held_out);
        assert_eq!(shift(LossName::Quantile, 0.5).to_string(), "10.5");
        // A tenth of twenty is two: too few to tell where the quantile lies.
        assert_eq!(shift(LossName::Quantile, 0.9).to_string(), "0");
        assert_eq!(shift(LossName::Squared, 0.5).to_string(), "0");
    }
}
