//! The examples of the highest scores, and the worst mistakes, each with what explains its score.

use std::collections::BTreeMap;

use crate::experiment::finished_run::{ExplanationRow, FinishedRun, NumberRow, Prediction};
use crate::experiment::reasons::{Kind, MOST_HIGHEST, MOST_MISTAKES};

use super::views::{CellView, ColumnView, Part, ReasonView, TableView, Why, shortened_to};

/// The most characters of a reason: with what else explains an example, the page stays small.
const MOST_CHARACTERS: usize = 400;

/// The examples of a list for which everything is said.
const MOST_WHOLE: usize = 10;

/// The examples of the highest probabilities, and the worst mistakes; of numbers, the largest errors.
pub(super) fn examples(run: &FinishedRun) -> Part {
    let of_first = || run.folds.iter().zip(&run.record.runs).filter(|(_, record)| record.repeat == 0);
    let all: Vec<Example<'_>> = of_first()
        .flat_map(|(fold, _)| fold.predictions.iter().map(|row| (fold.name.as_str(), row)))
        .collect();
    let numbers: Vec<(&str, &NumberRow)> =
        of_first().flat_map(|(fold, _)| fold.numbers.iter().map(|row| (fold.name.as_str(), row))).collect();
    let explained = explained(run);
    let listing = Listing { all: &all, explained: &explained };
    let has_label = |label: u8| move |row: &Prediction| row.label == Some(label);
    let tables = [
        listing.table("highest", "The examples of the highest probabilities", &|_| true, 1.0, MOST_HIGHEST),
        listing.table(
            "false-positives",
            "Negatives of the highest probabilities",
            &has_label(0),
            1.0,
            MOST_MISTAKES,
        ),
        listing.table("missed", "Positives of the lowest probabilities", &has_label(1), -1.0, MOST_MISTAKES),
        largest_errors(numbers),
    ];
    let below = "Below an example stand the parts of the model that speak for it, each with its share of the score; facts \
                 without which it would be called negative; and the example that is most alike, but called otherwise.";
    let command = "The command explain says more: gleaner explain MODEL DATA 'EXAMPLE'.";
    let lines = if explained.is_empty() { vec![command] } else { vec![below, command] };
    Part {
        id: "examples",
        title: "Examples, and the worst mistakes",
        lines: lines.iter().map(|&line| line.to_owned()).collect(),
        tables: tables.into_iter().flatten().collect(),
        ..Part::default()
    }
}

/// A test example with the name of its fold.
type Example<'r> = (&'r str, &'r Prediction);

/// The rows that explain an example, by its fold and its text.
type Explained<'r> = BTreeMap<(&'r str, &'r str), Vec<&'r ExplanationRow>>;

fn explained(run: &FinishedRun) -> Explained<'_> {
    let mut explained = Explained::new();
    for fold in &run.folds {
        for row in &fold.explanations {
            explained.entry((fold.name.as_str(), row.example.as_str())).or_default().push(row);
        }
    }
    explained
}

struct Listing<'r> {
    all: &'r [Example<'r>],
    explained: &'r Explained<'r>,
}

impl<'r> Listing<'r> {
    /// Some examples, those of the greatest `sign` times probability first; of equal ones the first.
    fn table(
        &self,
        id: &str,
        caption: &str,
        is_listed: &dyn Fn(&Prediction) -> bool,
        sign: f64,
        most: usize,
    ) -> Option<TableView> {
        let value = |row: &Prediction| sign * row.probability.unwrap_or(row.score);
        let mut chosen: Vec<&Example<'r>> = self.all.iter().filter(|(_, row)| is_listed(row)).collect();
        chosen.sort_by(|one, other| value(other.1).total_cmp(&value(one.1)));
        chosen.truncate(most);
        let has_reasons = chosen.iter().any(|example| !self.rows_of(example).is_empty());
        let cells = |(fold, row): &&Example<'_>| {
            let word = |label: u8| if label == 1 { "positive" } else { "negative" };
            vec![
                CellView::word(&row.example),
                CellView::word(fold),
                CellView::number(Some(row.score)),
                CellView::number(row.probability),
                CellView::word(word(row.decision)),
                CellView::word(row.label.map_or("", word)),
            ]
        };
        let rows: Vec<Vec<CellView>> = chosen.iter().map(cells).collect();
        let below = chosen.iter().enumerate().map(|(at, example)| {
            let is_whole = at < MOST_WHOLE || most == MOST_MISTAKES;
            why(self.rows_of(example), example.1.decision == 1, is_whole)
        });
        let below = if has_reasons { below.collect() } else { Vec::new() };
        let columns = vec![
            ColumnView::code("example"),
            ColumnView::word("fold"),
            ColumnView::number("score", ""),
            ColumnView::number("probability", ""),
            ColumnView::word("called"),
            ColumnView::word("is"),
        ];
        (!rows.is_empty()).then(|| TableView {
            is_folded: true,
            below,
            class: "examples",
            ..TableView::new(id, caption, columns, rows)
        })
    }

    fn rows_of(&self, example: &Example<'r>) -> &'r [&'r ExplanationRow] {
        let (fold, row) = *example;
        self.explained.get(&(fold, row.example.as_str())).map_or(&[], Vec::as_slice)
    }
}

/// What explains an example's score, of its rows: all of it, or the first reason and what would turn the decision.
fn why(rows: &[&ExplanationRow], is_called_positive: bool, is_whole: bool) -> Why {
    let texts = |kind: Kind| rows.iter().filter(move |row| row.kind == kind).map(|row| row.text.as_str());
    let first = |kind: Kind| texts(kind).next();
    let reason = |row: &&&ExplanationRow| ReasonView {
        percent: row.share.map(|share| format!("{:.0}", 100.0 * share)),
        text: shortened_to(&row.text, MOST_CHARACTERS),
    };
    let reasons = rows.iter().filter(|row| row.kind == Kind::Reason).map(|row| reason(&row));
    let reasons: Vec<ReasonView> = reasons.take(if is_whole { usize::MAX } else { 1 }).collect();
    let mut lines = Vec::new();
    match first(Kind::Reasons).and_then(|n| n.parse::<usize>().ok()) {
        Some(0) => lines.push("No part of the model speaks for it.".to_owned()),
        Some(n) if n > reasons.len() => lines.push(format!("and {} more", n - reasons.len())),
        Some(_) | None => {}
    }
    let facts: Vec<&str> = texts(Kind::NegativeWithout).collect();
    if !facts.is_empty() {
        lines.push(format!("Called negative without {}.", facts.join(" and ")));
    }
    if let (true, Some(alike), Some(n)) = (is_whole, first(Kind::Alike), first(Kind::Differing)) {
        let otherwise = if is_called_positive { "negative" } else { "positive" };
        let clauses = if n == "1" { "clause differs" } else { "clauses differ" };
        lines.push(format!("Most alike, but called {otherwise}: {alike}; {n} {clauses}."));
        // What speaks for the one that is called positive.
        let (which, kind) = match is_called_positive {
            true => ("this", Kind::OnlyThis),
            false => ("that", Kind::OnlyAlike),
        };
        lines.extend(first(kind).map(|clause| format!("Only {which} one satisfies {clause}.")));
    }
    Why { reasons, lines: lines.iter().map(|line| shortened_to(line, MOST_CHARACTERS)).collect() }
}

fn largest_errors(mut numbers: Vec<(&str, &NumberRow)>) -> Option<TableView> {
    let error = |row: &NumberRow| row.number.map_or(0.0, |number| (row.predicted - number).abs());
    numbers.sort_by(|one, other| {
        error(other.1).total_cmp(&error(one.1)).then_with(|| one.1.example.cmp(&other.1.example))
    });
    let cells = numbers.into_iter().take(MOST_MISTAKES).map(|(fold, row)| {
        let numbers = [Some(row.predicted), row.number, row.number.map(|number| row.predicted - number)];
        let words = [CellView::word(&row.example), CellView::word(fold)];
        words.into_iter().chain(numbers.map(CellView::number)).collect()
    });
    let rows: Vec<Vec<CellView>> = cells.collect();
    let columns = vec![
        ColumnView::code("example"),
        ColumnView::word("fold"),
        ColumnView::number("predicted", ""),
        ColumnView::number("is", ""),
        ColumnView::number("error", "predicted less what it is"),
    ];
    (!rows.is_empty()).then(|| TableView {
        is_folded: true,
        ..TableView::new("errors", "The largest errors", columns, rows)
    })
}
