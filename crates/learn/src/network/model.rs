//! A model that is a network over clauses, and a threshold that decides.
//!
//! A network over clauses for a person and as a Prolog program: its kind, the clauses with their numbers, and the amount
//! that each adds to an example's score.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Covers;
use crate::decision::ChosenThreshold;
use crate::model::Ranker;
use crate::prolog::{Formula, Program, number};
use crate::saved::{Checked, Contradiction, CountedClause, OverClauses, check_counts, over_clauses};
use crate::shown::{Account, Column, Extent, Noun, Part, Row, Table, json_map, percent, signed};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::{Network, Svm, check_network};

/// A network over clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// How examples are scored; its numbers are in the order of the clauses.
    pub network: Network,
    /// The clauses, in the order kept.
    pub clauses: Vec<CountedClause<C>>,
}

over_clauses!(NetworkModel { in clauses; decision, network });

impl NetworkModel {
    /// The clauses with their counts on train.
    fn clauses_with_counts(&self) -> Vec<(&Clause, Counts)> {
        self.clauses.iter().map(|counted| (&counted.clause, counted.train)).collect()
    }
}

impl Ranker for NetworkModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    fn reaches_tune(&self) -> bool {
        self.clauses.iter().any(|counted| counted.tune != Counts::NONE)
    }

    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        self.network.scores_on(covers, &self.all_clauses(), budget)
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        self.network.account(&self.clauses_with_counts(), covering)
    }

    fn head(&self) -> String {
        self.network.words()
    }

    /// The clauses in the order kept.
    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        vec![self.network.table(&self.clauses_with_counts(), symbols, extent)]
    }

    fn program(&self) -> Option<Program<'_>> {
        self.network.program(self.all_clauses())
    }
}

impl Checked for NetworkModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.decision)?;
        check_counts(self.clauses.iter().map(|counted| counted.train))
    }
}

/// Clauses that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

const PAIRS: &str = "\
% The score is the sum of the values of the covering clauses and of the pairs that cover together, from this on.
gleaner_score_of(Example, Score) :-
    findall(Value, gleaner_adds(Example, Value), Values),
    gleaner_base(Base),
    gleaner_sum(Values, Base, Score).

gleaner_adds(Example, Value) :-
    gleaner_value(Clause, Value),
    gleaner_covers(Clause, Example).
gleaner_adds(Example, Value) :-
    gleaner_pair(First, Second, Value),
    gleaner_covers(First, Example),
    gleaner_covers(Second, Example).

";

/// The amount that one clause adds to an example's score.
#[derive(Clone, Copy, Debug)]
struct Addition<'m> {
    /// The clause's number, from 1.
    number: usize,
    clause: &'m Clause,
    train: Counts,
    /// Whether the clause covers the example.
    covers: bool,
    /// The amount that it adds.
    added: f64,
    /// Its size over that of all.
    share: f64,
}

impl Network {
    /// The network in words, in a line or two.
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
    pub fn table(&self, clauses: &[(&Clause, Counts)], symbols: &Symbols, extent: Extent) -> Table {
        let shown = &clauses[..clauses.len().min(extent.of(N_SHOWN_CLAUSES))];
        let row = |(at, &(clause, train)): (usize, &(&Clause, Counts))| {
            Row::of_clause(numbers(self, at), train, clause, symbols)
        };
        let (lead, own): (&str, &[(&'static str, usize)]) = match self {
            Self::NaiveBayes(_) => (
                "\nthe clauses, the amount that each adds where it covers, and train TP, FP:\n",
                &[("log-odds", 9)],
            ),
            Self::OneOfMany(_) => (
                "\nthe clauses, the amount that each adds if it alone covers, and train TP, FP:\n",
                &[("log-odds", 9)],
            ),
            Self::Tan(_) => (
                "\nthe clauses, each with its parent (on), the log-odds that it adds where it and\n\
                 its parent cover (+) or not (-), and train TP, FP:\n",
                &[("no.", 4), ("on", 4), ("+ +", 7), ("+ -", 7), ("- +", 7), ("- -", 7)],
            ),
            Self::Svm(_) => (
                "\nthe clauses, the amount that each adds where it covers, and train TP, FP:\n",
                &[("weight", 9)],
            ),
            Self::Similarity(_) => ("\nthe clauses, and train TP, FP:\n", &[]),
        };
        Table {
            lead: lead.to_owned(),
            columns: Column::several(&[own, &[("TP", 6), ("FP", 7)]].concat()),
            last_title: "  clause",
            rows: shown.iter().enumerate().map(row).collect(),
            n_more_clauses: clauses.len() - shown.len(),
        }
    }

    /// The amount that each clause adds, the greatest size first; clauses that add nothing are left out. With the base
    /// the amounts sum to the score, but for rounding and where examples are compared.
    pub fn account(&self, clauses: &[(&Clause, Counts)], covering: &BTreeSet<&Clause>) -> Account {
        let row: Vec<bool> = clauses.iter().map(|(clause, _)| covering.contains(clause)).collect();
        let n_covering = row.iter().filter(|covers| **covers).count();
        let parts = self.parts_of(&row);
        let sum: f64 = parts.iter().map(|part| part.abs()).sum();
        let mut additions = Vec::new();
        for (at, (&(clause, train), &added)) in clauses.iter().zip(&parts).enumerate() {
            if added != 0.0 {
                let share = added.abs() / sum;
                additions.push(Addition { number: at + 1, clause, train, covers: row[at], added, share });
            }
        }
        additions.sort_by(|left, right| right.added.abs().total_cmp(&left.added.abs()));
        Account {
            words: self.account_words(n_covering),
            columns: Column::several(&[("number", 7), ("adds", 10), ("share", 8), ("TP", 6), ("FP", 7)]),
            parts: additions.iter().map(Addition::part).collect(),
            further: json!({
                "base": self.base(),
                "clauses": clauses.len(),
                "covering_clauses": n_covering,
            }),
            ..Account::default()
        }
    }

    /// Says how many clauses cover the example, and how their amounts make the score.
    fn account_words(&self, n_covering: usize) -> String {
        let base = self.base();
        let mut text = format!("\n{n_covering} of {} clauses cover it; the score is ", self.n_clauses());
        let _ = match self {
            Self::NaiveBayes(_) => {
                writeln!(
                    text,
                    "log-odds:\n{base:+.4} where no clause covers, and the amounts that the covering \
                     clauses add:"
                )
            }
            Self::OneOfMany(_) => writeln!(
                text,
                "the log-odds of the class\nagainst all others: {base:+.4} where no clause covers; each clause\n\
                 adds the amount that the score would lose without it:"
            ),
            Self::Tan(_) => writeln!(
                text,
                "log-odds:\n{base:+.4} for the classes, and the amount that each clause adds, covering or not:"
            ),
            Self::Svm(svm) if svm.products.is_empty() => {
                writeln!(
                    text,
                    "a sum:\n{base:+.4} where no clause covers, and the amounts that the covering \
                     clauses add:"
                )
            }
            Self::Svm(_) => writeln!(
                text,
                "a margin:\n{base:+.4} where no clause covers, and the amounts that the covering\n\
                 clauses add, each with half of its pairs' amounts:"
            ),
            Self::Similarity(_) => writeln!(
                text,
                "a margin:\n{base:+.4} where no clause covers; each clause\n\
                 adds the amount that the score would lose without it:"
            ),
        };
        text
    }

    /// The network over its clauses as a program. `None` for likeness to examples, which would need the examples, and for
    /// many classes, which would need exponentials.
    pub fn program<'m>(&self, clauses: Vec<&'m Clause>) -> Option<Program<'m>> {
        let mut program = Program::default();
        let numbers = program.numbers(clauses);
        match (self, self.sum()) {
            (_, Some((base, weights))) => program.sum(base, &numbers, weights),
            (Self::Tan(tree), None) => program.tree_augmented(tree, &numbers),
            (Self::Svm(svm), None) => pairs(&mut program, svm, &numbers),
            (Self::NaiveBayes(_) | Self::OneOfMany(_) | Self::Similarity(_), None) => return None,
        }
        Some(program)
    }
}

impl Addition<'_> {
    fn part(&self) -> Part {
        let Self { number, clause, train, covers, added, share } = *self;
        let part = Part {
            cells: vec![number.to_string(), signed(added), percent(share)],
            clause: clause.clone(),
            covers,
            // `share` is a share of all that is added and taken away, not of the score.
            share: None,
            amount: Some(added),
            fields: json_map(json!({
                "number": number,
                "covers": covers,
                "adds": added,
                "share_of_sizes": share,
            })),
            way: Vec::new(),
        };
        part.with_counts(train)
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

fn pairs(program: &mut Program<'_>, svm: &Svm, numbers: &[usize]) {
    program.base(svm.intercept);
    program.values(numbers, &svm.weights);
    program.table("gleaner_pair", 3);
    for product in &svm.products {
        let clauses = [product.first, product.second].map(|clause| numbers[clause].to_string());
        program.row("gleaner_pair", &[&clauses[..], &[number(product.weight)]].concat());
    }
    program.rules(PAIRS);
    let mut parts = vec![Formula::Number(svm.intercept)];
    parts
        .extend(numbers.iter().zip(&svm.weights).map(|(&clause, &weight)| Formula::value_of(clause, weight)));
    parts.extend(svm.products.iter().map(|product| {
        let both = Formula::value_of(numbers[product.second], product.weight);
        Formula::choice(numbers[product.first], both, Formula::Number(0.0))
    }));
    program.scoring.score = Some(Formula::Sum(parts));
}
