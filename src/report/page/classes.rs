//! The page of many classes: which is predicted as which, and the metrics of all together.

use crate::experiment::classes::validation::ClassAnswer;
use crate::experiment::loading::inspect::DataProfile;
use crate::experiment::scoring::reasons::Kind;
use crate::report::reasons::MistakeTexts;
use crate::report::{Answer, figures};

use super::documents;
use super::documents::blocks;
use super::examples::{MOST_CHARACTERS, reasons};
use super::views::{CellView, ColumnView, FigureView, Part, TableView, shorten};

/// What was learned, in a sentence.
pub(super) fn lead(answer: &ClassAnswer) -> Vec<String> {
    let n_classes = answer.problem.classes.len();
    let examples: usize = answer.problem.classes.iter().map(|class| class.examples).sum();
    vec![format!(
        "{examples} examples of {n_classes} classes. Each class is learned against all others; its folder has a page of its own."
    )]
}

/// The parts of the page.
pub(super) fn of_classes(
    answer: &ClassAnswer,
    mistakes: &[MistakeTexts],
    profile: &DataProfile,
) -> Vec<Part> {
    let matrices = answer.variants.iter().filter_map(|variant| {
        let validation = &variant.validation;
        let figure = figures::matrix(&validation.names, validation.confusion.rows())?;
        let of = &variant.names.name;
        let caption = if of.is_empty() { figure.caption } else { format!("{of}: {}", figure.caption) };
        Some(FigureView::from(figures::Figure { caption, ..figure }))
    });
    let good = Part {
        id: "good",
        title: "How good it is",
        figures: matrices.collect(),
        blocks: blocks(&answer.document()),
        ..Part::default()
    };
    let tables: Vec<TableView> =
        answer.variants.iter().filter_map(|variant| worst(&variant.names.name, mistakes)).collect();
    let worst = (!tables.is_empty()).then(|| Part {
        id: "examples",
        title: "The worst mistakes",
        lines: vec![
            "Those whose wrong class has the highest probability. Below an example stand the parts of that class's model that \
             speak for it, each with its share of the score or with what it adds. Last comes the heaviest part of the model of \
             its own class."
                .to_owned(),
        ],
        tables,
        ..Part::default()
    });
    let data = Part {
        id: "data",
        title: "The data",
        tables: documents::profile(profile).collect(),
        ..Part::default()
    };
    let data = Some(data).filter(Part::is_filled);
    std::iter::once(good).chain(worst).chain(data).collect()
}

/// The parts of the own class's model that are shown: what is asked is why the other class was said.
const MOST_FOR_OWN: usize = 1;

/// The mistakes of a variant; none where there are none.
fn worst(variant: &str, mistakes: &[MistakeTexts]) -> Option<TableView> {
    let own: Vec<&MistakeTexts> = mistakes.iter().filter(|of| of.variant == variant).collect();
    let row = |of: &&MistakeTexts| {
        let words = [&of.example, &of.fold, &of.classes[0], &of.classes[1]].map(|word| CellView::word(word));
        words.into_iter().chain(of.probabilities.map(|p| CellView::number(Some(p)))).collect::<Vec<_>>()
    };
    let below = |of: &&MistakeTexts| {
        let [said, own] = of.reasons.each_ref().map(|rows| rows.iter().collect::<Vec<_>>());
        let mut why = reasons(&said, usize::MAX);
        let for_own = reasons(&own, MOST_FOR_OWN);
        let class = &of.classes[1];
        let first = for_own.reasons.into_iter().map(|reason| {
            let size = reason.amount.or_else(|| Some(format!("{} %", reason.percent?)));
            let size = size.map(|size| format!("{size} ")).unwrap_or_default();
            format!("In the model of {class}: {size}{}", reason.text)
        });
        why.lines.extend(first);
        if own.iter().all(|row| row.kind != Kind::Reason) {
            why.lines.push(format!("In the model of {class}: nothing."));
        }
        shorten(&mut why.lines, MOST_CHARACTERS);
        why
    };
    let columns = vec![
        ColumnView::code("example"),
        ColumnView::word("fold"),
        ColumnView::word("called"),
        ColumnView::word("is"),
        ColumnView::number("probability of the called", ""),
        ColumnView::number("of its own", ""),
    ];
    let caption = if variant.is_empty() {
        "Taken for another class".to_owned()
    } else {
        format!("{variant}: taken for another class")
    };
    (!own.is_empty()).then(|| TableView {
        is_folded: true,
        below: own.iter().map(below).collect(),
        class: "examples",
        ..TableView::new("mistakes", &caption, columns, own.iter().map(row).collect())
    })
}
