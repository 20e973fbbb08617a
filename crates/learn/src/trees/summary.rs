//! Trees for a person.

use crate::shown::{Column, Extent, Row, Summary, Table, signed, threshold_line};
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::literal_text;

use super::model::TreeModel;
use super::tree::{Leaf, Node, Tree};

/// Trees that are shown; the model file has all.
const N_SHOWN_TREES: usize = 3;

/// Sizes, the threshold, and the first trees.
pub(super) fn summary(model: &TreeModel, symbols: &Symbols, extent: Extent) -> Summary {
    let n_leaves: usize = model.trees.iter().map(|tree| tree.nodes.len().div_ceil(2)).sum();
    let mut head = if let [_] = &model.trees[..] {
        format!("a tree of {n_leaves} leaves; a score is the log-odds of the example's leaf\n")
    } else {
        format!(
            "{} trees with {n_leaves} leaves; a score is log-odds: {:+.4} and the value of\nthe example's leaf in each tree\n",
            model.trees.len(),
            model.base
        )
    };
    head.push_str(&threshold_line(model.threshold, model.chosen_on));
    let tables = model.trees.iter().zip(1..).take(extent.of(N_SHOWN_TREES)).map(|(tree, number)| {
        let lead = if model.trees.len() == 1 {
            "\nthe tree, with the train examples of each leaf:\n".to_owned()
        } else {
            format!("\ntree {number} of {}:\n", model.trees.len())
        };
        tree_table(lead, tree, symbols)
    });
    Summary { head, tables: tables.collect() }
}

fn tree_table(lead: String, tree: &Tree, symbols: &Symbols) -> Table {
    let columns = [("TP", 6), ("FP", 8), ("value", 10)];
    let mut rows = Vec::new();
    add_rows(tree, 0, 0, "", symbols, &mut rows);
    Table {
        lead,
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        last_title: "  ",
        rows,
        n_more_clauses: 0,
    }
}

/// Adds the rows of a node and of those below it, two columns further in.
fn add_rows(tree: &Tree, at: usize, indent: usize, word: &str, symbols: &Symbols, rows: &mut Vec<Row>) {
    let row = |cells: [String; 3], text: &str| Row {
        cells: cells.to_vec(),
        last: format!("  {:indent$}{word}{text}", ""),
    };
    match &tree.nodes[at] {
        Node::Leaf(Leaf { value, train }) => rows.push(row(
            [train.true_positives.to_string(), train.false_positives.to_string(), signed(*value)],
            "",
        )),
        Node::Split(split) => {
            let texts: Vec<String> =
                split.test().iter().map(|literal| literal_text(literal, symbols)).collect();
            rows.push(row(Default::default(), &format!("{}?", texts.join(", "))));
            add_rows(tree, split.on_true, indent + 2, "yes: ", symbols, rows);
            add_rows(tree, split.on_false, indent + 2, "no: ", symbols, rows);
        }
    }
}
