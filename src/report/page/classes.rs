//! The page of many classes: which is predicted as which, and the metrics of all together.

use crate::experiment::class_validation::ClassAnswer;
use crate::report::{Answer, figures};

use super::documents::blocks;
use super::views::{FigureView, Part};

/// What was learned, in a sentence.
pub(super) fn lead(answer: &ClassAnswer) -> Vec<String> {
    let n_classes = answer.problem.classes.len();
    let examples: usize = answer.problem.classes.iter().map(|class| class.examples).sum();
    vec![format!(
        "{examples} examples of {n_classes} classes. Each class is learned against all others; its folder has a page of its own."
    )]
}

/// The parts of the page.
pub(super) fn of_classes(answer: &ClassAnswer) -> Vec<Part> {
    let matrices = answer.variants.iter().filter_map(|variant| {
        let validation = &variant.validation;
        let figure = figures::matrix(&validation.names, validation.confusion.rows())?;
        let of = &variant.names.name;
        let caption = if of.is_empty() { figure.caption } else { format!("{of}: {}", figure.caption) };
        Some(FigureView::from(figures::Figure { caption, ..figure }))
    });
    vec![Part {
        id: "good",
        title: "How good it is",
        figures: matrices.collect(),
        blocks: blocks(&answer.document()),
        ..Part::default()
    }]
}
