//! The page of runs over the same folds: their curves on the same axes, their means, and tests of each pair.

use crate::experiment::comparing::compare::CompareAnswer;
use crate::experiment::records::finished_run::FinishedRun;
use crate::report::{Answer, figures};

use super::documents::blocks;
use super::views::{FigureView, Part, shortened};

/// What is compared, in a sentence.
pub(super) fn lead(answer: &CompareAnswer) -> Vec<String> {
    let names: Vec<&str> = answer.variants.iter().map(|variant| variant.name.as_str()).collect();
    vec![format!(
        "{} runs over the same {} folds: {}.",
        names.len(),
        answer.n_folds,
        shortened(&names.join(", "))
    )]
}

/// The parts of the page.
pub(super) fn of_runs(runs: &[(&str, &FinishedRun)], answer: &CompareAnswer) -> Vec<Part> {
    let figures = [
        figures::labels(runs),
        figures::compared_pr(runs),
        figures::compared_learning(&answer.learning_curves),
        figures::wins(&answer.wins()),
    ];
    let curves = Part {
        id: "good",
        title: "The curves",
        figures: figures.into_iter().flatten().map(FigureView::from).collect(),
        ..Part::default()
    };
    let tests = Part {
        id: "tests",
        title: "Means, and tests of each pair",
        blocks: blocks(&answer.document()),
        ..Part::default()
    };
    vec![curves, tests]
}
