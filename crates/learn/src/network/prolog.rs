//! Networks over clauses as Prolog programs.

use crate::log_odds_program::{base_and_values, sum, tree_augmented};
use crate::prolog::{Program, number};

use super::{Network, NetworkModel, Svm};

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

impl<'m> NetworkModel<'m> {
    /// The model as a program. `None` where there is none: likeness to examples would need the examples, and one of
    /// many classes exponentials.
    #[must_use]
    pub fn prolog(&self) -> Option<Program<'m>> {
        let mut program = Program::default();
        let numbers: Vec<usize> = self.clauses.iter().map(|&(clause, _)| program.clause(clause)).collect();
        match self.network {
            Network::NaiveBayes(bayes) => sum(&mut program, bayes.base, &numbers, &bayes.added),
            Network::Tan(tree) => tree_augmented(&mut program, tree, &numbers),
            Network::Svm(svm) if svm.products.is_empty() => {
                sum(&mut program, svm.intercept, &numbers, &svm.weights);
            }
            Network::Svm(svm) => pairs(&mut program, svm, &numbers),
            Network::OneOfMany(_) | Network::Similarity(_) => return None,
        }
        program.decide_by_score(self.least);
        Some(program)
    }
}

fn pairs(program: &mut Program<'_>, svm: &Svm, numbers: &[usize]) {
    base_and_values(program, svm.intercept, numbers, &svm.weights);
    program.table("gleaner_pair", 3);
    for product in &svm.products {
        let clauses = [product.first, product.second].map(|clause| numbers[clause].to_string());
        program.row("gleaner_pair", &[&clauses[..], &[number(product.weight)]].concat());
    }
    program.rules(PAIRS);
}
