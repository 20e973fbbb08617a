//! A model as a document: its own summary, with its tables.

use std::borrow::Cow;

use gleaner_lang::program::Symbols;
use gleaner_lang::syntax::read_clause;
use gleaner_learn::Model;
use gleaner_learn::shown::{
    Column, Extent, Noun, Reading, Row, Table, TellingClause, TellingClauses, TwoByTwo,
};

use super::document::{self as blocks, Document};
use super::fitted::Words;
use super::ways::TreeWords;

/// Clauses of a table that are shown below the few that tell most.
const N_BELOW_TELLING: usize = 5;

/// Rules that `cv` shows of a model.
const N_RULES: usize = 5;

/// The model in short, if it has a short form. Then its sizes, its decisions and its clauses, some in a shorter form.
/// The whole extent adds all clauses, and the decisions on the examples that the model was learnt from.
pub fn model(model: &dyn Model, symbols: &Symbols, reading: &Reading, extent: Extent) -> Document {
    let summary = model.summary(symbols, extent);
    let words = Words::of(reading.schema.as_deref());
    let mut document = reading.telling.as_ref().map_or_else(Document::new, |known| telling(known, &words));
    document.lines(&summary.head);
    let words = words.for_extent(extent);
    for known in &summary.tables {
        document.extend(table(&in_words(known, &words), reading, &words, extent));
    }
    if let (Extent::Whole, Some(agreement)) = (extent, &reading.agreement) {
        document.extend(two_by_two("train", &agreement.train));
        document.extend(two_by_two("tune", &agreement.tune));
    }
    document
}

/// The first few rules of a model with their counts on train. They are the rules that tell most, where there are such,
/// else the first clauses. Empty if the model has no single clauses, as one of trees.
pub fn rules(model: &dyn Model, symbols: &Symbols, reading: &Reading) -> blocks::Table {
    let words = Words::of(reading.schema.as_deref());
    if let Some(telling) = &reading.telling {
        let few = &telling.clauses[..telling.clauses.len().min(N_RULES)];
        return telling_table(few, &words);
    }
    let summary = model.summary(symbols, Extent::Short);
    let of_clauses = summary.tables.iter().find(|table| is_of_clauses(table));
    let Some(table) = of_clauses else { return counted_clauses() };
    let n_cells = table.columns.len();
    let rows = shown_rows(table, reading);
    let counted = |row: &Shown<'_>| {
        let counts = row.cells.get(n_cells.saturating_sub(2)..).unwrap_or_default();
        (counts.to_vec(), row.clause.to_owned())
    };
    clause_table(rows.iter().take(N_RULES).map(counted), &words)
}

/// Aleph's table: the true classes against the model's decisions; empty without examples.
fn two_by_two(name: &str, table: &TwoByTwo) -> Document {
    let mut document = Document::new();
    let (positive, negative) = (table.predicted_positive, table.predicted_negative);
    let all = [positive[0] + negative[0], positive[1] + negative[1]];
    if all == [0, 0] {
        return document;
    }
    let row = |(first, [of_positives, of_negatives]): (&str, [usize; 2])| {
        let counts = [of_positives, of_negatives, of_positives + of_negatives];
        [first.to_owned()].into_iter().chain(counts.map(|count| count.to_string())).collect::<Vec<_>>()
    };
    let numbers = ["actual +", "actual -", "all"].map(|title| blocks::Column::number(title, 10));
    let columns = [blocks::Column::text(format!("on {name}:"), 20)].into_iter().chain(numbers);
    let rows = [("predicted +", positive), ("predicted -", negative), ("all", all)];
    document.gap();
    document.table(blocks::Table::new(columns).with_rows(rows.into_iter().map(row)));
    document
}

/// A table of clauses, each after its counts on train.
fn counted_clauses() -> blocks::Table {
    blocks::Table::new(columns(&Column::COUNTS, "clause"))
}

/// Clauses that tell much, with their counts on train.
fn telling_table(clauses: &[TellingClause], words: &Words) -> blocks::Table {
    let counted =
        |TellingClause { clause, train }: &TellingClause| (Row::counted(*train, "").cells, clause.clone());
    clause_table(clauses.iter().map(counted), words)
}

/// Clauses after their counts: each in words, if it has them.
fn clause_table(clauses: impl Iterator<Item = (Vec<String>, String)>, words: &Words) -> blocks::Table {
    let mut table = blocks::Table { remark_indent: COUNTS_COLUMNS, ..counted_clauses() };
    for (counts, clause) in clauses {
        let mut lines = words.clause(&clause, COLUMNS - COUNTS_COLUMNS).into_iter();
        let first = lines.next().unwrap_or(clause);
        table.remarked_row(counts.into_iter().chain([format!("  {first}")]), lines.collect());
    }
    table
}

/// Columns before the text of a clause that its counts stand before.
const COUNTS_COLUMNS: usize = 15;

/// Columns of a terminal of usual width.
const COLUMNS: usize = 80;

/// A few telling clauses, and how well they stand for the model.
fn telling(telling: &TellingClauses, words: &Words) -> Document {
    let mut document = Document::new();
    document.gap();
    document.line("the model in short (train TP, FP):");
    document.table(telling_table(&telling.clauses, words));
    let TellingClauses { f1, n_alike, n_examples, .. } = *telling;
    let alike =
        if n_alike == n_examples { format!("all {n_alike}") } else { format!("{n_alike} of {n_examples}") };
    document.line(format!(
        "F1 {f1:.4} on train and tune; the whole model, below, decides\n{alike} examples alike"
    ));
    document.gap();
    document
}

/// A row of a table in the form in which it is shown.
struct Shown<'t> {
    cells: &'t [String],
    /// The indent before the clause.
    indent: &'t str,
    /// The row's clause, or whatever else follows its cells.
    clause: &'t str,
}

/// Whether the rows of a table are clauses, each by itself.
fn is_of_clauses(table: &Table) -> bool {
    table.columns == Column::COUNTS || table.last_title.trim() == "clause"
}

/// The rows in the form in which they are shown. Neighbouring clauses with the same numbers have the shortest first,
/// and of those that look alike one is shown.
fn shown_rows<'t>(table: &'t Table, reading: &'t Reading) -> Vec<Shown<'t>> {
    let shown = |row: &'t Row| {
        let clause = row.last.trim();
        let indent = &row.last[..row.last.len() - row.last.trim_start().len()];
        let form = reading.forms.get(clause).map_or(clause, String::as_str);
        Shown { cells: &row.cells, indent, clause: form }
    };
    let mut rows: Vec<Shown<'_>> = table.rows.iter().map(shown).collect();
    if is_of_clauses(table) {
        for alike in rows.chunk_by_mut(|left, right| left.cells == right.cells) {
            alike.sort_by_cached_key(|row| (n_literals(row.clause), row.clause));
        }
        rows.dedup_by(|next, row| next.cells == row.cells && next.clause == row.clause);
    }
    rows
}

/// The literals of a body.
fn n_literals(clause: &str) -> usize {
    read_clause(clause).map_or(usize::MAX, |statement| statement.body.len())
}

/// A table whose tests are in words, where they have them.
fn in_words<'t>(table: &'t Table, words: &Words) -> Cow<'t, Table> {
    if words.are_none() {
        return Cow::Borrowed(table);
    }
    let mut tree = TreeWords::of(words);
    let row =
        |row: &Row| Row { last: tree.line(&row.last).unwrap_or_else(|| row.last.clone()), ..row.clone() };
    Cow::Owned(Table { rows: table.rows.iter().map(row).collect(), ..table.clone() })
}

/// A table of a model, after its lead. Its clauses are in words, where they have them.
pub(super) fn table(table: &Table, reading: &Reading, words: &Words, extent: Extent) -> Document {
    let mut document = Document::new();
    document.lines(&table.lead);
    let is_cut = reading.telling.is_some() && table.columns == Column::COUNTS;
    let rows = shown_rows(table, reading);
    let n_rows = if is_cut { extent.of(N_BELOW_TELLING) } else { rows.len() };
    if !table.columns.is_empty() {
        let n_before = table.columns.iter().map(|column| column.width).sum::<usize>() + CLAUSE_GAP;
        let columns = columns(&table.columns, table.last_title);
        let is_drawing = is_tree(&rows);
        let mut shown =
            blocks::Table { is_drawing, remark_indent: WORDS_INDENT, ..blocks::Table::new(columns) };
        for Shown { cells, indent, clause } in rows.iter().take(n_rows) {
            let mut said = words.clause(clause, COLUMNS - WORDS_INDENT);
            let last = match &said[..] {
                [] => (*clause).to_owned(),
                // One short line stands beside the cells.
                [only] if n_before + only.chars().count() <= COLUMNS => said.swap_remove(0),
                _ => String::new(),
            };
            shown.remarked_row(cells.iter().cloned().chain([format!("{indent}{last}")]), said);
        }
        document.table(shown);
    }
    let n_more = table.n_more_clauses + rows.len().saturating_sub(n_rows);
    if n_more > 0 {
        let noun = if n_more == 1 { Noun::CLAUSES.one } else { Noun::CLAUSES.many };
        document.line(format!("and {n_more} more {noun}: gleaner show MODEL ⁅all⁆"));
    }
    document
}

/// Whether rows stand below others, as the nodes of a tree do.
fn is_tree(rows: &[Shown<'_>]) -> bool {
    rows.iter().any(|row| row.indent.len() > CLAUSE_GAP)
}

/// Columns before the words of a clause that stand below its cells.
const WORDS_INDENT: usize = 8;

/// Spaces that learners put before the text after the cells.
const CLAUSE_GAP: usize = 2;

/// A learner's columns, and that of the text after them.
pub(super) fn columns(columns: &[Column], last: &str) -> Vec<blocks::Column> {
    let is_of_counts = columns == Column::COUNTS;
    let numbers = columns.iter().map(|column| blocks::Column::number(column.title, column.width));
    let names = ["TP", "FP"].into_iter().filter(|_| is_of_counts).map(Some).chain(std::iter::repeat(None));
    let named = |(column, name): (blocks::Column, Option<&str>)| match name {
        Some(name) => column.named(name),
        None => column,
    };
    let last_column = match (is_of_counts, last.trim()) {
        (true, _) => blocks::Column::code("").named("clause"),
        (false, "") => blocks::Column::text(last, 0).named(""),
        (false, name) => blocks::Column::code(last).named(name),
    };
    numbers.zip(names).map(named).chain([last_column]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Column, Reading, Row, Table, shown_rows};

    const LONG: &str = "t(A) :- p(A,B), q(B), r(B).";
    const MIDDLE: &str = "t(A) :- p(A,B), r(B).";
    const SHORT: &str = "t(A) :- a_predicate_of_a_very_long_name(A).";

    fn table(columns: &[Column], rows: &[(&[&str], &str)]) -> Table {
        let row = |(cells, clause): &(&[&str], &str)| Row {
            cells: cells.iter().map(|&cell| cell.to_owned()).collect(),
            last: format!("  {clause}"),
        };
        Table { columns: columns.to_vec(), rows: rows.iter().map(row).collect(), ..Table::default() }
    }

    fn order(table: &Table, reading: &Reading) -> Vec<String> {
        shown_rows(table, reading).iter().map(|row| row.clause.to_owned()).collect()
    }

    /// Fewest literals first, whatever the names are; and by the text where these are as many. Counts keep their order.
    #[test]
    fn clauses_of_equal_counts_are_shown_shortest_first() {
        let (other, last) = ("t(A) :- p(A,B), q(B).", "t(A) :- s(A), p(A,A), q(A), r(A).");
        let rows: [(&[&str], &str); 6] = [
            (&["9", "1"], LONG),
            (&["9", "1"], MIDDLE),
            (&["9", "1"], other),
            (&["9", "1"], SHORT),
            // Others stand between: these are no neighbours.
            (&["9", "0"], last),
            (&["9", "1"], "t(A) :- s(A)."),
        ];
        let expected = [SHORT, other, MIDDLE, LONG, last, "t(A) :- s(A)."];
        assert_eq!(order(&table(&Column::COUNTS, &rows), &Reading::default()), expected);
    }

    /// The form that is shown counts, and of forms that look alike one is shown.
    #[test]
    fn clauses_are_as_long_as_they_are_shown() {
        let shown = BTreeMap::from([(LONG.to_owned(), SHORT.to_owned())]);
        let reading = Reading { forms: shown, ..Reading::default() };
        let rows: [(&[&str], &str); 3] = [(&["9", "1"], MIDDLE), (&["9", "1"], LONG), (&["9", "1"], SHORT)];
        assert_eq!(order(&table(&Column::COUNTS, &rows), &reading), [SHORT, MIDDLE]);
    }

    /// Rows that follow on each other, as the nodes of a tree, keep their order.
    #[test]
    fn rows_that_are_no_clauses_keep_their_order() {
        let rows: [(&[&str], &str); 2] = [(&["9"], LONG), (&["9"], SHORT)];
        assert_eq!(order(&table(&[Column::new("n", 6)], &rows), &Reading::default()), [LONG, SHORT]);
    }
}
