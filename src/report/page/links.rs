//! The page of the links of a graph: how well they are ranked, by relation, and by which rules.

use gleaner_learn::links::rank::RankMetrics;

use crate::experiment::links::ranks::{RankAnswer, RankedText, RelationRanks};
use crate::experiment::records::finished_run::{FinishedFold, FinishedRun, RankRow, RuleRow};
use crate::experiment::settings::asked::{RunCommand, files_beside};
use crate::report::figures;
use crate::report::links::variant_document;
use gleaner_lang::syntax::marks::Wording;

use super::documents::blocks;
use super::views::{CellView, ColumnView, FigureView, Part, TableView, shortened};
use crate::experiment::scoring::reasons::MOST_HIGHEST;

/// The most relations that are listed.
const MOST_RELATIONS: usize = 400;

/// What was learned, in a sentence.
pub(super) fn lead(run: &FinishedRun) -> Vec<String> {
    let runs = &run.record.runs;
    let first = runs.first().and_then(|first| Some((first.train[0], first.links.as_ref()?)));
    let mut text = first.map_or_else(String::new, |(known, links)| {
        format!(
            "{known} known links of {} relations between {} entities{}.",
            links.relations,
            links.ranks.entities,
            if runs.len() > 1 { " in the first of the folds" } else { "" }
        )
    });
    let tested: usize = runs.iter().filter_map(|run| Some(run.links.as_ref()?.ranks.links)).sum();
    if tested > 0 {
        text.push_str(&format!(" {tested} links that were kept back are ranked by rules."));
    }
    vec![text]
}

/// The parts of the page.
pub(super) fn of_run(run: &FinishedRun, say: Wording) -> Vec<Part> {
    let results = run.links();
    let (figures, blocks) = if results.folds.is_empty() {
        Default::default()
    } else {
        let figures = figures::hits(&results).into_iter().map(FigureView::from).collect();
        (figures, blocks(&variant_document(&results)))
    };
    let good = Part { id: "good", title: "How good it is", figures, blocks, ..Part::default() };
    // Ten folds would make a page of megabytes.
    let first = Fold::first(run);
    let of_first = |make: fn(&Fold<'_>) -> Option<TableView>| {
        first.as_ref().and_then(make).into_iter().collect::<Vec<_>>()
    };
    let lines = match run.folds.as_slice() {
        [] | [_] => Vec::new(),
        _ => vec!["Tables are of the first fold. Each fold has its own as CSV files.".to_owned()],
    };
    let command = RunCommand::of(&run.record, &files_beside(&run.record)).text("DATA", say);
    let parts = [
        good,
        Part {
            id: "relations",
            title: "The relations",
            lines,
            tables: of_first(relations),
            ..Part::default()
        },
        Part { id: "clauses", title: "The rules that tell most", tables: of_first(rules), ..Part::default() },
        Part {
            id: "examples",
            title: "The worst ranks",
            lines: vec!["Links of which the better of the two ends has the worst rank.".to_owned()],
            tables: of_first(worst),
            ..Part::default()
        },
        Part {
            id: "again",
            title: "The same again",
            lines: vec!["With DATA in the place of the data's path:".to_owned()],
            code: Some(shortened(&command)),
            ..Part::default()
        },
    ];
    parts.into_iter().filter(Part::is_filled).collect()
}

/// The fold whose tables a page shows.
struct Fold<'r> {
    /// Empty of a single run.
    name: &'r str,
    tables: &'r FinishedFold,
    ranks: &'r RankAnswer,
}

impl<'r> Fold<'r> {
    fn first(run: &'r FinishedRun) -> Option<Self> {
        let (tables, record) = (run.folds.first()?, run.record.runs.first()?);
        let name = if run.folds.len() > 1 { &*tables.name } else { "" };
        Some(Self { name, tables, ranks: &record.links.as_ref()?.ranks })
    }
}

fn metric_cells(of: &RankMetrics) -> Vec<CellView> {
    let numbers = [of.mrr, of.hits_1, of.hits_3, of.hits_10, of.mean_rank].map(CellView::number);
    std::iter::once(CellView::count(of.questions)).chain(numbers).collect()
}

/// The relations of a fold, those of the most test links first.
fn relations(fold: &Fold<'_>) -> Option<TableView> {
    let mut of_fold: Vec<_> = fold.ranks.relations.iter().collect();
    of_fold.sort_by_key(|of| std::cmp::Reverse(of.metrics.questions));
    let row = |of: &&RelationRanks| {
        std::iter::once(CellView::word(&of.relation)).chain(metric_cells(&of.metrics)).collect()
    };
    let rows: Vec<Vec<CellView>> = of_fold.iter().take(MOST_RELATIONS).map(row).collect();
    let numbers = ["questions", "MRR", "hits@1", "hits@3", "hits@10", "mean rank"];
    let columns = std::iter::once(ColumnView::head("relation"));
    let columns = columns.chain(numbers.map(|title| ColumnView::number(title, ""))).collect();
    table("relations", fold, "The ranks of each relation", (columns, rows))
}

/// Rules that a page shows; `rules.csv` has all.
const RULES_SHOWN: usize = 100;

fn rules(fold: &Fold<'_>) -> Option<TableView> {
    let row = |rule: &RuleRow| {
        let numbers = [rule.correct, rule.predicted].map(CellView::count);
        let cells = std::iter::once(CellView::word(&rule.rule)).chain(numbers);
        cells.chain([CellView::number(Some(rule.confidence))]).collect()
    };
    let columns = vec![
        ColumnView::code("rule"),
        ColumnView::number("correct", "its predictions that are known links"),
        ColumnView::number("predicted", "all its predictions"),
        ColumnView::number("confidence", "the share of correct ones, with some wrong ones added"),
    ];
    table(
        "rules",
        fold,
        "Closed rules",
        (columns, fold.tables.rules.iter().take(RULES_SHOWN).map(row).collect()),
    )
}

fn worst(fold: &Fold<'_>) -> Option<TableView> {
    let better = |link: &RankedText| link.of_subject.min(link.of_object);
    let mut links: Vec<RankedText> = fold.tables.ranked.iter().map(RankRow::text).collect();
    links.sort_by(|one, other| better(other).total_cmp(&better(one)));
    let row = |link: &RankedText| {
        let ranks = [link.of_subject, link.of_object].map(|rank| CellView::number(Some(rank)));
        link.link.iter().map(|name| CellView::word(name)).chain(ranks).collect()
    };
    let rows = links.iter().take(MOST_HIGHEST).map(row).collect();
    let columns = vec![
        ColumnView::code("subject"),
        ColumnView::word("relation"),
        ColumnView::code("object"),
        ColumnView::number("rank of the subject", ""),
        ColumnView::number("rank of the object", ""),
    ];
    table("worst", fold, "Links that rules rank worst", (columns, rows))
}

type Filled = (Vec<ColumnView>, Vec<Vec<CellView>>);

/// A table of a fold; `None` if it is empty.
fn table(id: &str, fold: &Fold<'_>, caption: &str, (columns, rows): Filled) -> Option<TableView> {
    let caption = if fold.name.is_empty() { caption.to_owned() } else { format!("{}: {caption}", fold.name) };
    (!rows.is_empty()).then(|| TableView {
        is_searched: true,
        class: if id == "rules" { "" } else { "examples" },
        ..TableView::new(id, &caption, columns, rows)
    })
}
