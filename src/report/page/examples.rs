//! The examples of the highest scores, and the worst mistakes, each with what explains its score.

use std::collections::BTreeMap;

use crate::experiment::records::finished_run::{ExplanationRow, FinishedRun, NumberRow, Prediction};
use crate::experiment::records::record_kind;
use crate::experiment::scoring::reasons::{Kind, MOST_MISTAKES, lists};
use gleaner_learn::shown::signed;

use crate::report::metric;

use super::views::{CellView, ColumnView, Part, ReasonView, TableView, Why, shorten, shortened_to};

/// The most characters of a reason: with what else explains an example, the page stays small.
pub(super) const MOST_CHARACTERS: usize = 400;

/// The examples of a list for which everything is said.
const MOST_WHOLE: usize = 10;

/// The examples of a list for which anything is said: a page is usually below 300 kB.
const MOST_EXPLAINED: usize = 20;

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
    let ranked: Vec<(f64, Option<bool>)> = all
        .iter()
        .map(|(_, row)| (row.probability.unwrap_or(row.score), row.label.map(|label| label == 1)))
        .collect();
    let [highest, negatives, positives] = lists(&ranked);
    let errors = largest_errors(numbers, &explained);
    let tables = [
        listing.table("highest", "The examples of the highest probabilities", &highest),
        listing.table("false-positives", "Negatives of the highest probabilities", &negatives),
        listing.table("missed", "Positives of the lowest probabilities", &positives),
        errors,
    ];
    let below = record_kind::of(&run.record).explained_by();
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
    /// The examples of these positions.
    fn table(&self, id: &str, caption: &str, chosen: &[usize]) -> Option<TableView> {
        let chosen: Vec<&Example<'r>> = chosen.iter().map(|&at| &self.all[at]).collect();
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
            let rows = if at < MOST_EXPLAINED { self.rows_of(example) } else { &[] };
            why(rows, example.1.decision == 1, at < MOST_WHOLE)
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

/// The texts of a kind.
fn texts<'r>(rows: &'r [&'r ExplanationRow], kind: Kind) -> impl Iterator<Item = &'r str> {
    rows.iter().filter(move |row| row.kind == kind).map(|row| row.text.as_str())
}

/// The parts of the model that speak for an example, as many at most, and in a line how many there are beside them.
pub(super) fn reasons(rows: &[&ExplanationRow], most: usize) -> Why {
    let reason = |row: &&ExplanationRow| ReasonView {
        percent: row.share.map(|share| format!("{:.0}", 100.0 * share)),
        amount: row.amount.map(signed),
        text: shortened_to(&row.text, MOST_CHARACTERS),
    };
    let of_kind = rows.iter().filter(|row| row.kind == Kind::Reason);
    let reasons: Vec<ReasonView> = of_kind.take(most).map(reason).collect();
    let lines = match texts(rows, Kind::Reasons).next().and_then(|n| n.parse::<usize>().ok()) {
        Some(0) => vec!["No part of the model speaks for it.".to_owned()],
        Some(n) if n > reasons.len() => vec![format!("and {} more", n - reasons.len())],
        Some(_) | None => Vec::new(),
    };
    Why { reasons, lines }
}

/// What explains an example's score, of its rows: all of it, or the first reason and what would turn the decision.
fn why(rows: &[&ExplanationRow], is_called_positive: bool, is_whole: bool) -> Why {
    let mut why = reasons(rows, if is_whole { usize::MAX } else { 1 });
    why.lines.splice(0..0, texts(rows, Kind::Sentence).map(str::to_owned));
    let facts: Vec<&str> = texts(rows, Kind::NegativeWithout).collect();
    if !facts.is_empty() {
        why.lines.push(format!("Called negative without {}.", facts.join(" and ")));
    }
    if let (true, Some(alike)) = (is_whole, texts(rows, Kind::Alike).next()) {
        let otherwise = if is_called_positive { "negative" } else { "positive" };
        why.lines.push(format!("Most alike, but called {otherwise}: {alike}; {}.", differing(rows)));
        // What speaks for the one that is called positive.
        why.lines.extend(if is_called_positive { only_this(rows) } else { only_that(rows) });
    }
    if is_whole {
        why.lines.extend(sums(rows));
    }
    shorten(&mut why.lines, MOST_CHARACTERS);
    why
}

/// The columns or relations that a line names.
const MOST_SUMS: usize = 6;

/// What tests add over all trees, by what they ask about.
fn sums(rows: &[&ExplanationRow]) -> Option<String> {
    let sum = |row: &&ExplanationRow| Some(format!("{} {}", signed(row.amount?), row.text));
    let of_kind = rows.iter().filter(|row| row.kind == Kind::Sum && !row.text.is_empty());
    let all: Vec<String> = of_kind.filter_map(sum).collect();
    let shown = all[..all.len().min(MOST_SUMS)].join("; ");
    (!all.is_empty()).then(|| format!("Over all trees, tests add by what they ask about: {shown}."))
}

/// How many clauses tell an example from the one that is most alike.
fn differing(rows: &[&ExplanationRow]) -> String {
    match texts(rows, Kind::Differing).next() {
        Some("0") => "no clause tells them apart".to_owned(),
        Some("1") => "1 clause differs".to_owned(),
        n => format!("{} clauses differ", n.unwrap_or("some")),
    }
}

fn only_this(rows: &[&ExplanationRow]) -> Option<String> {
    texts(rows, Kind::OnlyThis).next().map(|clause| format!("Only this one satisfies {clause}."))
}

fn only_that(rows: &[&ExplanationRow]) -> Option<String> {
    texts(rows, Kind::OnlyAlike).next().map(|clause| format!("Only that one satisfies {clause}."))
}

/// A test example of a number with the name of its fold.
type Predicted<'r> = (&'r str, &'r NumberRow);

fn largest_errors(mut numbers: Vec<Predicted<'_>>, explained: &Explained<'_>) -> Option<TableView> {
    let error = |row: &NumberRow| row.number.map_or(0.0, |number| (row.predicted - number).abs());
    numbers.sort_by(|one, other| {
        error(other.1).total_cmp(&error(one.1)).then_with(|| one.1.example.cmp(&other.1.example))
    });
    let by_name: BTreeMap<(&str, &str), &NumberRow> =
        numbers.iter().map(|&(fold, row)| ((fold, row.example.as_str()), row)).collect();
    let of_alike = |fold: &str, alike: &str| {
        let row = by_name.get(&(fold, alike))?;
        Some(format!("{}, predicted {}", metric(row.number), metric(Some(row.predicted))))
    };
    numbers.truncate(MOST_MISTAKES);
    let cells = |(fold, row): &Predicted<'_>| {
        let numbers = [Some(row.predicted), row.number, row.number.map(|number| row.predicted - number)];
        let words = [CellView::word(&row.example), CellView::word(fold)];
        words.into_iter().chain(numbers.map(CellView::number)).collect()
    };
    let rows: Vec<Vec<CellView>> = numbers.iter().map(cells).collect();
    let why = |(fold, row): &Predicted<'_>| {
        let rows = explained.get(&(*fold, row.example.as_str())).map_or(&[][..], Vec::as_slice);
        let mut why = reasons(rows, usize::MAX);
        if let Some(alike) = texts(rows, Kind::Alike).next() {
            let is = of_alike(fold, alike).map(|is| format!(" (is {is})")).unwrap_or_default();
            why.lines
                .push(format!("Most alike of those predicted better: {alike}{is}; {}.", differing(rows)));
            why.lines.extend(only_this(rows).into_iter().chain(only_that(rows)));
        }
        why.lines.extend(sums(rows));
        shorten(&mut why.lines, MOST_CHARACTERS);
        why
    };
    let below = if explained.is_empty() { Vec::new() } else { numbers.iter().map(why).collect() };
    let columns = vec![
        ColumnView::code("example"),
        ColumnView::word("fold"),
        ColumnView::number("predicted", ""),
        ColumnView::number("is", ""),
        ColumnView::number("error", "predicted less what it is"),
    ];
    (!rows.is_empty()).then(|| TableView {
        is_folded: true,
        below,
        class: "examples",
        ..TableView::new("errors", "The largest errors", columns, rows)
    })
}
