use proptest::prelude::*;

use super::{Align, Block, Cell, Column, Document, Row, Table};

/// Whether a bar at this byte ends a cell: one after an odd number of backslashes does not.
fn ends_cell(line: &str, at: usize) -> bool {
    let before = &line[..at];
    (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2)
}

/// The cells of a row of Markdown.
fn n_cells(line: &str) -> usize {
    line.match_indices('|').filter(|&(at, _)| ends_cell(line, at)).count() - 1
}

fn document(blocks: Vec<Block>) -> Document {
    Document { blocks }
}

fn lines(lines: &[&str]) -> Document {
    document(vec![Block::Lines(lines.iter().map(|&line| line.to_owned()).collect())])
}

fn columns(n: usize, n_code: usize) -> Vec<Column> {
    let column = |at: usize| match at {
        at if at < n_code => Column::code("").named(format!("c{at}")),
        at if at % 2 == 0 => Column::number(format!("t{at}"), at),
        at => Column::text(format!("t{at}"), at).after(1),
    };
    (0..n).map(column).collect()
}

/// Rows of cells with arbitrary text, of spans that may reach beyond the table.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let cell = ("[a-z0-9|`\\\\*_ \n<&é]{0,12}", 1..4_usize);
    let cell = cell.prop_map(|(text, span)| Cell::spanning(text, span));
    let row = (prop::collection::vec(cell, 0..7), prop::collection::vec("[a-z|`\\\\]{0,6}", 0..3));
    prop::collection::vec(row.prop_map(|(cells, remarks)| Row { cells, remarks }), 0..6)
}

proptest! {
    /// Whatever the cells hold, a table has a line for each row, with a cell for each column.
    #[test]
    fn rows_have_as_many_cells_as_there_are_columns(rows in rows(), n in 1..5_usize, n_code in 0..5_usize) {
        let n_rows = rows.len();
        let table = Table { rows, ..Table::new(columns(n, n_code)) };
        let text = document(vec![Block::Table(table)]).markdown();
        let lines: Vec<&str> = text.lines().collect();
        prop_assert_eq!(lines.len(), n_rows + 2, "{}", text);
        for line in lines {
            prop_assert_eq!(n_cells(line), n, "{}", line);
        }
    }

    /// A terminal's line is no longer than its texts and the widths of its columns, and ends with a text.
    #[test]
    fn lines_end_with_their_last_text(rows in rows(), n in 1..5_usize) {
        let rows = rows.into_iter().map(|row| Row { remarks: Vec::new(), ..row });
        for row in rows.filter(|row| row.cells.iter().all(|cell| !cell.text.contains('\n'))) {
            let shown: String = row.cells.iter().map(|cell| cell.text.replace(' ', "")).collect();
            let table = Table { rows: vec![row], ..Table::new(columns(n, n)) };
            let text = document(vec![Block::Table(table)]).text();
            let line = text.strip_suffix('\n').expect("a whole line");
            prop_assert!(shown.starts_with(&line.replace(' ', "")), "{:?} {:?}", shown, line);
        }
    }
}

#[test]
fn columns_are_padded_to_their_width_and_no_further() {
    let columns = [Column::text("name", 6).below(6), Column::number("n", 4), Column::code("clause").after(2)];
    let mut table = Table { remark_indent: 3, ..Table::new(columns) };
    table.row(["short", "12", "p(A)."]);
    table.remarked_row(["too long a name", "12345", ""], vec!["a remark".to_owned()]);
    table.row([Cell::spanning("over two", 2), "q(A).".into()]);
    table.row([Cell { align: Some(Align::Right), ..Cell::spanning("right", 2) }]);
    let text =
        "name     n  clause\nshort   12  p(A).\ntoo … 12345\n   a remark\nover two    q(A).\n     right\n";
    assert_eq!(document(vec![Block::Table(table)]).text(), text);
}

#[test]
fn a_table_is_as_markdown_has_it() {
    let columns = [Column::text("fold", 5).below(5), Column::number("pos", 4).named("positives")];
    let mut table = Table::new(columns.into_iter().chain([Column::code("").named("clause")]));
    table.remarked_row(["a|b and more", "1", "p(A) :- q('|', A)."], vec!["it waits".to_owned()]);
    table.row([Cell::spanning("mean", 2)]);
    table.row(["0.5", "-1.5", "p('\\|')."]);
    let text = "| fold | positives | clause |\n| --- | ---: | --- |\n\
                | a\\|b and more | 1 | `p(A) :- q('\\|', A).`<br>it waits |\n| mean |  |  |\n| 0.5 | -1.5 | p('\\\\\\|'). |\n";
    assert_eq!(document(vec![Block::Table(table)]).markdown(), text);
}

/// Worked by the rules of CommonMark: beginnings of a list, a heading, emphasis or a link are escaped, code is not.
#[test]
fn prose_is_no_markup() {
    for (prose, markdown) in [
        ("auc_pr of *all*", "auc_pr of \\*all\\*\n"),
        ("_a and a_", "\\_a and a\\_\n"),
        ("1. first", "1\\. first\n"),
        ("  - a [b] <c> & d", "\\- a \\[b\\] \\<c> \\& d\n"),
        ("# 95% +- 0.1", "\\# 95% +- 0.1\n"),
        ("ask `gleaner why *`, or `", "ask `gleaner why *`, or \\`\n"),
        ("0.5 of 1.", "0.5 of 1.\n"),
        ("-0.5 <- it", "-0.5 <- it\n"),
        ("broken\n    here", "broken\nhere\n"),
    ] {
        assert_eq!(lines(&[prose]).markdown(), markdown, "{prose}");
    }
    assert_eq!(lines(&["one", "two"]).markdown(), "one\\\ntwo\n");
}

#[test]
fn fences_are_longer_than_what_they_hold() {
    let code = |line: &str| Block::Code { language: "prolog", indent: 2, lines: vec![line.to_owned()] };
    assert_eq!(document(vec![code("p(A).")]).text(), "  p(A).\n");
    assert_eq!(document(vec![code("p(A).")]).markdown(), "```prolog\np(A).\n```\n");
    assert_eq!(document(vec![code("p('```').")]).markdown(), "````prolog\np('```').\n````\n");
    let tree = Table { is_drawing: true, ..Table::new([Column::text("", 0)]).with_rows([["  yes: p"]]) };
    assert_eq!(document(vec![Block::Table(tree)]).markdown(), "```\n  yes: p\n```\n");
}

/// Between blocks there is one empty line, however many gaps a terminal has; gaps at the ends join documents.
#[test]
fn blocks_stand_apart() {
    let mut one = Document::new();
    one.gap();
    one.heading("class a");
    one.line("first");
    one.gap();
    one.gap();
    one.line("second");
    one.table(Table::new([Column::text("", 0).named("name")]));
    one.gap();
    assert_eq!(one.text(), "\n== class a\nfirst\n\n\nsecond\n\n");
    assert_eq!(one.markdown(), "\n## class a\n\nfirst\n\nsecond\n\n| name |\n| --- |\n\n");
}

#[test]
fn documents_stand_side_by_side() {
    let beside = Block::Beside { width: 5, documents: vec![lines(&["a", "b"]), lines(&["c"])] };
    assert_eq!(document(vec![beside.clone()]).text(), "a    c\nb\n");
    assert_eq!(document(vec![beside]).markdown(), "a\\\nb\n\nc\n");
}
