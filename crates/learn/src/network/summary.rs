//! A network over clauses for a person: its kind, and the clauses with their numbers.

use crate::explanation::Noun;
use crate::shown::{Column, Extent, Row, Table};
use gleaner_base::Counts;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::Network;

/// Clauses that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

impl Network {
    /// The network in words, in a line or two.
    #[must_use]
    pub fn words(&self) -> String {
        let clauses = Noun::CLAUSES.counted(self.n_clauses());
        let base = self.base();
        match self {
            Self::NaiveBayes(_) => {
                format!("naive Bayes over {clauses}; log-odds {base:+.4} where none covers\n")
            }
            Self::OneOfMany(bayes) => format!(
                "naive Bayes of {} classes over {clauses};\nlog-odds of the class {base:+.4} where none covers\n",
                bayes.bayes.base.len()
            ),
            Self::Tan(_) => {
                format!("tree-augmented naive Bayes over {clauses}; log-odds {base:+.4} of the classes\n")
            }
            Self::Svm(svm) if svm.products.is_empty() => {
                format!("a support vector machine over {clauses}; score {base:+.4} where none covers\n")
            }
            Self::Svm(_) => format!(
                "a support vector machine over {clauses} and pairs of them;\nscore {base:+.4} where none covers\n"
            ),
            Self::Similarity(similarity) => format!(
                "a support vector machine that compares examples with {} of train by {clauses};\nscore {base:+.4} where \
                 none covers\n",
                similarity.0.support.len()
            ),
        }
    }

    /// The first clauses, each with its numbers, and its counts on train.
    #[must_use]
    pub fn table(&self, clauses: &[(&Clause, Counts)], symbols: &Symbols, extent: Extent) -> Table {
        let shown = &clauses[..clauses.len().min(extent.of(N_SHOWN_CLAUSES))];
        let row = |(at, &(clause, train)): (usize, &(&Clause, Counts))| {
            let mut cells = numbers(self, at);
            cells.extend([train.true_positives, train.false_positives].map(|n| n.to_string()));
            Row { cells, last: format!("  {}", clause_text(clause, symbols)) }
        };
        let (lead, own): (&str, &[Column]) = match self {
            Self::NaiveBayes(_) => (
                "\nthe clauses, what each adds where it covers, and train TP, FP:\n",
                &[Column::new("log-odds", 9)],
            ),
            Self::OneOfMany(_) => (
                "\nthe clauses, what each adds alone where it covers, and train TP, FP:\n",
                &[Column::new("log-odds", 9)],
            ),
            Self::Tan(_) => (
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
            Self::Svm(_) => (
                "\nthe clauses, what each adds where it covers, and train TP, FP:\n",
                &[Column::new("weight", 9)],
            ),
            Self::Similarity(_) => ("\nthe clauses, and train TP, FP:\n", &[]),
        };
        Table {
            lead: lead.to_owned(),
            columns: [own, &[Column::new("TP", 6), Column::new("FP", 7)]].concat(),
            last_title: "  clause",
            rows: shown.iter().enumerate().map(row).collect(),
            n_more_clauses: clauses.len() - shown.len(),
        }
    }
}

/// The numbers of a clause of a network.
fn numbers(network: &Network, at: usize) -> Vec<String> {
    match network {
        Network::NaiveBayes(bayes) => vec![format!("{:+.4}", bayes.added[at])],
        Network::OneOfMany(bayes) => {
            let alone: Vec<bool> = (0..bayes.n_columns()).map(|column| column == at).collect();
            vec![format!("{:+.4}", bayes.parts_of(&alone)[at])]
        }
        Network::Svm(svm) => vec![format!("{:+.4}", svm.weights[at])],
        Network::Similarity(_) => Vec::new(),
        Network::Tan(tree) => {
            let branch = &tree.branches[at];
            let on = branch.parent.map_or_else(|| "-".to_owned(), |parent| (parent + 1).to_string());
            let [[neither, alone], [other, both]] = branch.odds;
            let odds = [both, alone, other, neither].map(|odds| format!("{odds:+.2}"));
            [vec![(at + 1).to_string(), on], odds.to_vec()].concat()
        }
    }
}
