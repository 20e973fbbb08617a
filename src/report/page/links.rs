//! The page of the links of a graph: how well they are ranked, by relation, and by which rules.

use gleaner_learn::links::rank::RankMetrics;

use crate::experiment::links::{LinkCvAnswer, LinkFold, RankedText, RelationRanks, ShownRule};
use crate::report::{Answer, figures};

use super::documents::blocks;
use super::views::{CellView, ColumnView, FigureView, Part, TableView, shortened};
use crate::experiment::reasons::MOST_HIGHEST;

/// The most relations that are listed.
const MOST_RELATIONS: usize = 400;

/// What was learned, in a sentence.
pub(super) fn lead(folds: &[LinkFold]) -> Vec<String> {
    let first = folds.first().map(|fold| &fold.learnt);
    let sizes = first.map(|learnt| {
        format!(
            "{} known links of {} relations between {} entities{}. ",
            learnt.links,
            learnt.relations,
            learnt.entities,
            if folds.len() > 1 { " in the first of the folds" } else { "" }
        )
    });
    let tested: usize = folds.iter().map(|fold| fold.ranks.links).sum();
    vec![format!("{}{tested} links that were kept back are ranked by rules.", sizes.unwrap_or_default())]
}

/// The parts of the page. `command` makes the run again.
pub(super) fn of_links(answer: &LinkCvAnswer, folds: &[LinkFold], command: &str) -> Vec<Part> {
    let good = Part {
        id: "good",
        title: "How good it is",
        figures: figures::hits(answer).into_iter().map(FigureView::from).collect(),
        blocks: blocks(&answer.document()),
        ..Part::default()
    };
    // Ten folds would make a page of megabytes.
    let first = folds.first();
    let of_first =
        |make: fn(&LinkFold) -> Option<TableView>| first.and_then(make).into_iter().collect::<Vec<_>>();
    let lines = match folds {
        [] | [_] => Vec::new(),
        _ => vec!["Tables are of the first fold. Each fold has its own as CSV files.".to_owned()],
    };
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
            code: Some(shortened(command)),
            ..Part::default()
        },
    ];
    parts.into_iter().filter(Part::is_filled).collect()
}

fn metric_cells(of: &RankMetrics) -> Vec<CellView> {
    let numbers = [of.mrr, of.hits_1, of.hits_3, of.hits_10, of.mean_rank].map(CellView::number);
    std::iter::once(CellView::count(of.questions)).chain(numbers).collect()
}

/// The relations of a fold, those of the most test links first.
fn relations(fold: &LinkFold) -> Option<TableView> {
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

fn rules(fold: &LinkFold) -> Option<TableView> {
    let row = |rule: &ShownRule| {
        let numbers = [rule.correct, rule.predicted].map(|n| CellView::count(n as usize));
        let cells = std::iter::once(CellView::word(&rule.rule)).chain(numbers);
        cells.chain([CellView::number(Some(rule.confidence))]).collect()
    };
    let columns = vec![
        ColumnView::code("rule"),
        ColumnView::number("correct", "its predictions that are known links"),
        ColumnView::number("predicted", "all its predictions"),
        ColumnView::number("confidence", "the share of correct ones, with some wrong ones added"),
    ];
    table("rules", fold, "Closed rules", (columns, fold.rules.iter().take(RULES_SHOWN).map(row).collect()))
}

fn worst(fold: &LinkFold) -> Option<TableView> {
    let better = |link: &RankedText| link.of_subject.min(link.of_object);
    let mut links: Vec<&RankedText> = fold.ranks.ranked.iter().collect();
    links.sort_by(|one, other| better(other).total_cmp(&better(one)));
    let row = |link: &&RankedText| {
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
fn table(id: &str, fold: &LinkFold, caption: &str, (columns, rows): Filled) -> Option<TableView> {
    let caption = if fold.name.is_empty() { caption.to_owned() } else { format!("{}: {caption}", fold.name) };
    (!rows.is_empty()).then(|| TableView {
        is_searched: true,
        class: if id == "rules" { "" } else { "examples" },
        ..TableView::new(id, &caption, columns, rows)
    })
}
