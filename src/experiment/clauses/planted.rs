//! A generated problem, read back, with the metrics of its planted theory.

use std::cmp::Reverse;
use std::sync::Arc;

use serde::Serialize;

use gleaner_base::{Budget, ClassId, Counts, ExampleId};
use gleaner_data::Problem;
use gleaner_data::clauses::{Binding, ClauseFaults, usable_predicates};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::cover_clause;
use gleaner_engine::coverage::votes::VoteCounter;
use gleaner_lang::program::{ClassList, Clause};
use gleaner_stats::eval::{ConfusionMatrix, Metrics, Ranking, metrics};

/// A generated problem with the metrics of its planted theory.
#[derive(Clone, Debug, Serialize)]
pub struct GenerateAnswer {
    /// Examples labelled positive.
    pub positives: usize,
    /// Examples labelled negative.
    pub negatives: usize,
    /// The planted clauses.
    pub planted: Vec<String>,
    /// The metrics of the planted clauses for two classes. An example's score is the number of clauses that cover it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Metrics>,
    /// The accuracy for many classes. The first clause that covers an example decides; without one, the most frequent
    /// class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// The examples that each planted clause covers; of many classes, those of its own class and of the others.
    #[serde(skip)]
    pub counts: Vec<Counts>,
    /// The parts of the generated problem, as pairs of a name and a value.
    #[serde(skip)]
    pub summary: Vec<(String, String)>,
}

/// The covers of a problem's clauses, and the metrics of their votes.
#[derive(Clone, Debug)]
pub struct PlantedTheory {
    /// The measures of the ranking by votes, of two classes.
    pub metrics: Option<Metrics>,
    /// The accuracy of the first clause that covers, of many.
    pub accuracy: Option<f64>,
    /// The examples that each clause covers.
    pub counts: Vec<Counts>,
}

/// Evaluates planted clauses on the generated problem.
///
/// # Errors
///
/// A clause that the problem cannot evaluate.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget.
pub fn planted_theory(problem: &Problem, clauses: &[String]) -> Result<PlantedTheory, ClauseFaults> {
    let binding = Binding::of(problem, &usable_predicates(problem), clauses)?;
    let clauses = binding.clauses();
    let problem = &binding.bound(problem);
    Ok(match problem.classes() {
        Some(list) => planted_classes(problem, list, clauses),
        None => planted_of_two(problem, clauses),
    })
}

/// The planted theory of positives and negatives.
fn planted_of_two(problem: &Problem, clauses: &[Clause]) -> PlantedTheory {
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &all);
    let budget = Budget::unlimited();
    let mut votes = VoteCounter::new(universe.len());
    let mut counts = Vec::new();
    for clause in clauses {
        let covered = cover_clause(problem.worlds(), clause, &universe, &budget)
            .expect("an unlimited budget never interrupts");
        counts.push(universe.counts(&covered));
        votes.add(&covered);
    }
    #[expect(clippy::cast_precision_loss, reason = "votes are few")]
    let pairs = universe
        .iter()
        .map(|(position, id)| (votes.votes(position) as f64, problem.examples().is_positive(id)));
    let ranking = Ranking::new(pairs).expect("votes are finite");
    PlantedTheory { metrics: Some(metrics(&ranking)), accuracy: None, counts }
}

/// The planted theory whose covers are known: of each example, which clauses cover it, and whether it is positive.
///
/// # Panics
///
/// Never: the number of clauses that cover an example is finite.
pub fn planted_votes<const N: usize>(examples: impl Iterator<Item = ([bool; N], bool)>) -> PlantedTheory {
    let mut counts = vec![Counts::default(); N];
    let mut pairs = Vec::new();
    for (covered_by, is_positive) in examples {
        for (count, _) in counts.iter_mut().zip(covered_by).filter(|(_, covers)| *covers) {
            let of_class = if is_positive { &mut count.true_positives } else { &mut count.false_positives };
            *of_class += 1;
        }
        let n_votes: u32 = covered_by.into_iter().map(u32::from).sum();
        pairs.push((f64::from(n_votes), is_positive));
    }
    let ranking = Ranking::new(pairs).expect("votes are finite");
    PlantedTheory { metrics: Some(metrics(&ranking)), accuracy: None, counts }
}

/// The planted theory where heads name one of many classes.
fn planted_classes(problem: &Problem, list: &ClassList, clauses: &[Clause]) -> PlantedTheory {
    let own: Vec<Problem> = list.ids().map(|class| problem.of_class(class)).collect();
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let mut said: Vec<Option<ClassId>> = vec![None; problem.examples().len()];
    let mut counts = Vec::new();
    for clause in clauses {
        let class = list.ids().find(|class| list.of_class(*class).with_own_head(clause) == *clause);
        let class = class.expect("a planted clause names a class");
        let universe = Universe::new(Arc::clone(own[class.index()].examples()), &all);
        let covered = cover_clause(problem.worlds(), clause, &universe, &Budget::unlimited())
            .expect("an unlimited budget never interrupts");
        counts.push(universe.counts(&covered));
        for id in covered.iter().filter_map(|position| universe.example(position)) {
            said[id.index()].get_or_insert(class);
        }
    }
    let examples = problem.examples();
    let size = |class: &ClassId| examples.ids().filter(|&id| examples.class(id) == *class).count();
    let usual = list.ids().max_by_key(|class| (size(class), Reverse(*class)));
    let mut confusion = ConfusionMatrix::new(list.len());
    for id in examples.ids() {
        confusion.add(examples.class(id), said[id.index()].or(usual).unwrap_or_default());
    }
    PlantedTheory { metrics: None, accuracy: confusion.accuracy(), counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand: scores 2, 1 of positives and 1, 0 of negatives. Of the four pairs three are in order and one is tied.
    #[test]
    fn votes_are_the_numbers_of_covering_clauses() {
        let examples =
            [([true, false], true), ([true, true], true), ([false, false], false), ([true, false], false)];
        let theory = planted_votes(examples.into_iter());
        let counts = |true_positives, false_positives| Counts { true_positives, false_positives };
        assert_eq!(theory.counts, [counts(2, 1), counts(1, 0)]);
        let metrics = theory.metrics.expect("there are two classes");
        assert_eq!(metrics.auc_roc, Some(3.5 / 4.0));
        // Half of the positives at precision 1, half at 2 / 3.
        assert_eq!(metrics.average_precision, Some(0.5 + 0.5 * 2.0 / 3.0));
    }
}
