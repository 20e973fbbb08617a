//! Clauses that a user gives as features.

use std::collections::BTreeMap;

use gleaner_lang::program::Clause;

/// Clauses that a learner uses as features, in place of clauses that it would find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenClauses {
    /// The clauses of every run.
    pub of_all: Vec<Clause>,
    /// The clauses of single runs, by the name of the run's fold and its repetition, from 0.
    pub of_runs: BTreeMap<(String, usize), Vec<Clause>>,
}

impl GivenClauses {
    /// The clauses of a run, ascending, each once: results do not depend on the order in which they are written.
    pub fn of_run(&self, fold: &str, repeat: usize) -> Vec<Clause> {
        let own = self.of_runs.get(&(fold.to_owned(), repeat)).into_iter().flatten();
        let mut clauses: Vec<Clause> = self.of_all.iter().chain(own).cloned().collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }
}

#[cfg(test)]
mod tests {
    use super::GivenClauses;
    use gleaner_base::PredicateId;
    use gleaner_lang::program::{Atom, Clause};

    fn clause(n_variables: usize) -> Clause {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        Clause { head, body: Vec::new(), n_variables }
    }

    #[test]
    fn a_run_has_those_of_all_and_its_own() {
        let given = GivenClauses {
            of_all: vec![clause(3), clause(1)],
            of_runs: [(("fold1".to_owned(), 1), vec![clause(2), clause(3)])].into(),
        };
        assert_eq!(given.of_run("fold1", 1), [clause(1), clause(2), clause(3)]);
        assert_eq!(given.of_run("fold1", 0), [clause(1), clause(3)]);
        assert_eq!(given.of_run("fold2", 1), [clause(1), clause(3)]);
    }
}
