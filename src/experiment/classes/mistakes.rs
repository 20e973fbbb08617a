//! Why examples of many classes are taken for another class: those that the models are surest about.

use std::collections::BTreeMap;

use gleaner_base::{Budget, ClassId, ExampleId};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;

use crate::experiment::classes::metrics::ClassScore;
use crate::experiment::classes::validation::ClassValidation;
use crate::experiment::runs::cross_validation::CrossValidation;
use crate::experiment::runs::facts::with_facts_of_run;
use crate::experiment::scoring::reasons::{Asked, MOST_MISTAKES, Reasons};

/// A test example that is taken for another class.
#[derive(Clone, Debug)]
pub struct ClassMistake {
    /// The name of its fold.
    pub fold: String,
    /// The example.
    pub example: ExampleId,
    /// The class that it is taken for, and its own.
    pub classes: [ClassId; 2],
    /// The probabilities of these two.
    pub probabilities: [f64; 2],
    /// The parts of the two classes' models that speak for each.
    pub reasons: [Reasons; 2],
}

/// A mistake before it is explained.
struct Found<'v> {
    run: usize,
    score: &'v ClassScore,
    truth: ClassId,
}

impl Found<'_> {
    const fn classes(&self) -> [ClassId; 2] {
        [self.score.said, self.truth]
    }
}

/// The mistakes whose wrong class has the highest probability, of the first repetition; of equal ones the first.
///
/// **Shape**: of `validations` one for each class, in their order, each of its class against the rest.
///
/// **Cost**: the covers of the models' clauses on these examples, and three proofs for each class of an example.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn class_mistakes(
    problem: &Problem,
    validations: &[&CrossValidation],
    joined: &ClassValidation,
    budget: &Budget,
) -> Result<Vec<ClassMistake>, Interrupted> {
    let found = worst(validations, joined);
    let mut wanted: BTreeMap<(usize, ClassId), Vec<ExampleId>> = BTreeMap::new();
    for of in &found {
        for class in of.classes() {
            wanted.entry((of.run, class)).or_default().push(of.score.example);
        }
    }
    let mut reasons: BTreeMap<(usize, ClassId, ExampleId), Reasons> = BTreeMap::new();
    for ((run, class), ids) in &wanted {
        let result = &validations[class.index()].runs[*run];
        let of_class = problem.of_class(*class);
        let knowing = with_facts_of_run(&of_class, &result.split);
        let asked = Asked { ids, otherwise: &|_| &[], finds_facts: false };
        let told = asked.reasons(knowing.as_ref().unwrap_or(&of_class), &*result.model, budget)?;
        reasons.extend(told.into_iter().map(|of| ((*run, *class, of.example), of)));
    }
    let mistake = |of: Found<'_>| ClassMistake {
        fold: joined.runs[of.run].name.clone(),
        example: of.score.example,
        classes: of.classes(),
        probabilities: of.classes().map(|class| of.score.probabilities[class.index()]),
        reasons: of.classes().map(|class| reasons[&(of.run, class, of.score.example)].clone()),
    };
    Ok(found.into_iter().map(mistake).collect())
}

fn worst<'v>(validations: &[&CrossValidation], joined: &'v ClassValidation) -> Vec<Found<'v>> {
    let is_first = |run: &usize| validations.iter().all(|of| of.runs[*run].repeat == 0);
    let of_run = |run: usize| {
        let wrong = joined.runs[run].scored.iter().filter_map(move |score| {
            let truth = score.truth.filter(|&truth| truth != score.said)?;
            Some(Found { run, score, truth })
        });
        wrong.collect::<Vec<_>>()
    };
    let mut found: Vec<Found<'_>> = (0..joined.runs.len()).filter(is_first).flat_map(of_run).collect();
    let surest = |of: &Found<'_>| of.score.probabilities[of.score.said.index()];
    found.sort_by(|one, other| surest(other).total_cmp(&surest(one)));
    found.truncate(MOST_MISTAKES);
    found
}
