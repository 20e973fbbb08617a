//! Trees of a number for a person and as a Prolog program.

use serde_json::{Value as Json, json};

use crate::explanation::{Noun, Part};
use gleaner_stats::eval::ErrorInterval;

use super::loss::LossName;
use super::model::TreeModel;
use super::number_scale::NumberScale;
use super::tree::Leaf;

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
