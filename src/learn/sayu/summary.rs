//! A network over clauses for a person: what it is, the threshold, and the clauses with their numbers.

use crate::learn::explanation::Noun;
use crate::learn::shown::{Column, Row, Summary, Table, threshold_line};
use crate::program::Symbols;
use crate::program::display::clause_text;

use super::model::SayuModel;
use super::network::Network;

/// Clauses that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

/// Sizes, the threshold, and the clauses in the order kept.
pub(super) fn summary(model: &SayuModel, symbols: &Symbols) -> Summary {
    let clauses = Noun::CLAUSES.counted(model.features.len());
    let base = model.network.base();
    let mut head = match &model.network {
        Network::NaiveBayes(_) => {
            format!("naive Bayes over {clauses}; log-odds {base:+.4} where none covers\n")
        }
        Network::Tan(_) => {
            format!("tree-augmented naive Bayes over {clauses}; log-odds {base:+.4} of the classes\n")
        }
        Network::Svm(svm) if svm.products.is_empty() => {
            format!("a support vector machine over {clauses}; score {base:+.4} where none covers\n")
        }
        Network::Svm(_) => format!(
            "a support vector machine over {clauses} and pairs of them;\nscore {base:+.4} where none covers\n"
        ),
    };
    head.push_str(&threshold_line(model.threshold, model.tune));
    let shown = &model.features[..model.features.len().min(N_SHOWN_CLAUSES)];
    let row = |(at, feature): (usize, &super::model::Feature)| {
        let mut cells = numbers(&model.network, at);
        cells.extend([feature.train.true_positives, feature.train.false_positives].map(|n| n.to_string()));
        Row { cells, last: format!("  {}", clause_text(&feature.clause, symbols)) }
    };
    let (lead, own): (&str, &[Column]) = match &model.network {
        Network::NaiveBayes(_) => (
            "\nthe clauses, what each adds where it covers, and train TP, FP:\n",
            &[Column::new("log-odds", 9)],
        ),
        Network::Tan(_) => (
            "\nthe clauses, each with the one that it depends on, what it adds where it covers\nand where not, the \
             other covering or not, and train TP, FP:\n",
            &[
                Column::new("no.", 4),
                Column::new("on", 4),
                Column::new("+ +", 7),
                Column::new("+ -", 7),
                Column::new("- +", 7),
                Column::new("- -", 7),
            ],
        ),
        Network::Svm(_) => (
            "\nthe clauses, what each adds where it covers, and train TP, FP:\n",
            &[Column::new("weight", 9)],
        ),
    };
    let table = Table {
        lead: lead.to_owned(),
        columns: [own, &[Column::new("TP", 6), Column::new("FP", 7)]].concat(),
        last_title: "  clause",
        rows: shown.iter().enumerate().map(row).collect(),
        n_more_clauses: model.features.len() - shown.len(),
    };
    Summary { head, tables: vec![table] }
}

/// The numbers of a clause of a network.
fn numbers(network: &Network, at: usize) -> Vec<String> {
    match network {
        Network::NaiveBayes(bayes) => vec![format!("{:+.4}", bayes.added[at])],
        Network::Svm(svm) => vec![format!("{:+.4}", svm.weights[at])],
        Network::Tan(tree) => {
            let branch = &tree.branches[at];
            let on = branch.parent.map_or_else(|| "-".to_owned(), |parent| (parent + 1).to_string());
            let [[neither, alone], [other, both]] = branch.odds;
            let odds = [both, alone, other, neither].map(|odds| format!("{odds:+.2}"));
            [vec![(at + 1).to_string(), on], odds.to_vec()].concat()
        }
    }
}
