//! Why an example has its score under a model: the parts of the model that speak for it, each with its share.

use std::sync::Arc;

use crate::base::{Budget, ConstantId, ExampleId, PredicateId, WorldId};
use crate::coverage::witness::witness;
use crate::coverage::{CoverStore, Universe};
use crate::datalog::Background;
use crate::learn::boost::{BoostModel, Share};
use crate::learn::covering::{Backing, CoveringModel};
use crate::learn::gleaner::{Ballot, GleanerModel};
use crate::learn::{Covers, Model};
use crate::problem::Problem;
use crate::program::examples::ExampleLabel;
use crate::program::rows::Rows;
use crate::program::settings::nearest;
use crate::program::{Clause, Examples};

/// Rows and tests after which the search for a binding gives up: some tens of milliseconds.
const MOST_STEPS: u64 = 200_000;
/// Examples among which a near one is looked for.
const MOST_NEAR: usize = 100_000;

/// An example that is asked about.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The examples that it is one of: the problem's, or itself alone.
    pub examples: Arc<Examples>,
    /// The example.
    pub id: ExampleId,
    /// Whether the problem lists it; if not, its label says nothing.
    pub is_listed: bool,
    /// How often it is listed: in several folds, or in both classes.
    pub n_listed: usize,
}

impl Asked {
    /// The target's arguments.
    #[must_use]
    pub fn arguments(&self) -> &[ConstantId] {
        self.examples.arguments(self.id)
    }

    /// Its class, where it is listed.
    #[must_use]
    pub fn label(&self) -> Option<bool> {
        self.is_listed.then(|| self.examples.is_positive(self.id))
    }
}

/// Why an example that is not listed cannot be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWorld {
    /// No world knows all its constants.
    Unknown,
    /// So many do, each of which would give it another score.
    Several(usize),
}

/// The example with these arguments, of those among `listed`; else, where `takes_others`, by itself in the one world
/// that knows its constants.
///
/// # Errors
///
/// That it is not listed, and why there is no one world for it.
pub fn find(
    problem: &Problem,
    listed: &[ExampleId],
    takes_others: bool,
    arguments: &[ConstantId],
) -> Result<Asked, NoWorld> {
    let mut found = listed.iter().copied().filter(|&id| problem.examples.arguments(id) == arguments);
    if let Some(id) = found.next() {
        let n_listed = 1 + found.count();
        return Ok(Asked { examples: Arc::clone(&problem.examples), id, is_listed: true, n_listed });
    }
    if !takes_others {
        return Err(NoWorld::Unknown);
    }
    let knows_all =
        |world: &usize| arguments.iter().all(|&constant| knows(problem, WorldId::new(*world), constant));
    let worlds: Vec<usize> = (0..problem.worlds.len()).filter(knows_all).collect();
    match worlds.as_slice() {
        [] => Err(NoWorld::Unknown),
        [world] => Ok(alone(problem, WorldId::new(*world), arguments)),
        _ => Err(NoWorld::Several(worlds.len())),
    }
}

/// Whether a fact or an example of a world has a constant.
fn knows(problem: &Problem, world: WorldId, constant: ConstantId) -> bool {
    let background: &Background = &problem.worlds[world.index()];
    let in_facts = (0..problem.symbols.predicates.len()).any(|predicate| {
        let relation = background.relation(PredicateId::new(predicate));
        (0..relation.arity()).any(|column| !relation.rows_with(column, constant).is_empty())
    });
    let examples = &problem.examples;
    in_facts
        || examples.ids().any(|id| examples.world(id) == world && examples.arguments(id).contains(&constant))
}

/// An example that is not listed; it has no class, and is taken for a negative where one is needed.
fn alone(problem: &Problem, world: WorldId, arguments: &[ConstantId]) -> Asked {
    let mut rows = Rows::new(arguments.len());
    rows.push(arguments);
    let label = ExampleLabel { world, fold: None, is_positive: false, is_labelled: false };
    let examples = Arc::new(Examples::new(problem.examples.target(), &rows, &[label]));
    Asked { examples, id: ExampleId::new(0), is_listed: false, n_listed: 0 }
}

/// The listed example whose text is nearest to a text; none where there are too many to look at.
#[must_use]
pub fn nearest_listed(problem: &Problem, listed: &[ExampleId], text: &str) -> Option<String> {
    if listed.len() > MOST_NEAR {
        return None;
    }
    let texts: Vec<String> = listed.iter().map(|&id| problem.example_text(id)).collect();
    nearest(text, texts.iter().map(String::as_str)).map(str::to_owned)
}

/// What speaks for an example, by the kind of its model.
#[derive(Clone, Debug)]
pub enum Parts<'m> {
    /// The rounds that add to its score, by share descending.
    Rounds(&'m BoostModel, Vec<Share<'m>>),
    /// The votes of a theory, the voters by votes descending; none where the model has no decision.
    Votes(&'m GleanerModel, Option<Ballot<'m>>),
    /// The clauses that cover it, by value and theories descending.
    Clauses(&'m CoveringModel, Backing<'m>),
}

/// Why an example has its score.
#[derive(Clone, Debug)]
pub struct Explanation<'m> {
    /// The score, as `predict` has it.
    pub score: f64,
    /// The highest score that an example can have; `None` where that is not plain.
    pub greatest: Option<f64>,
    /// The least score that is called positive, where scores decide.
    pub least: Option<f64>,
    /// Whether it is called positive.
    pub decision: bool,
    /// As of `predict`.
    pub confidence: f64,
    /// What speaks for it.
    pub parts: Parts<'m>,
}

/// Explains the score of an example.
///
/// **Cost**: the covers of the model's clauses on one example.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget, and a universe of one example has a position.
#[must_use]
pub fn explain<'m>(problem: &Problem, model: &'m Model, asked: &Asked) -> Explanation<'m> {
    let budget = Budget::unlimited();
    let universe = Universe::new(Arc::clone(&asked.examples), &[asked.id]);
    let covers = Covers::new(&problem.worlds, &universe, CoverStore::usual_capacity(&universe));
    let (position, _) = universe.iter().next().expect("the universe has the example");
    let whole = "an unlimited budget never interrupts";
    let scoring = model.score(&covers, &budget).expect(whole);
    let (greatest, least, parts) = match model {
        Model::Boost(model) => {
            let mut shares = model.shares(&covers, position, &budget).expect(whole);
            shares.sort_by(|left, right| right.product.total_cmp(&left.product));
            let least = model.threshold.map(|(least, _)| least);
            (Some(model.greatest_score()), least, Parts::Rounds(model, shares))
        }
        Model::Gleaner(model) => {
            let mut ballot = model.ballot(&covers, position, &budget).expect(whole);
            if let Some(ballot) = &mut ballot {
                ballot.voters.sort_by(|left, right| right.votes.total_cmp(&left.votes));
            }
            (Some(model.greatest_score()), None, Parts::Votes(model, ballot))
        }
        Model::Covering(model) => {
            let mut backing = model.backing(&covers, position, &budget).expect(whole);
            let key = |value: Option<f64>| value.unwrap_or(0.0);
            backing.backers.sort_by(|left, right| {
                let by_value = key(right.value).total_cmp(&key(left.value));
                by_value.then(right.n_theories.cmp(&left.n_theories))
            });
            let least = model.threshold.map(|(least, _)| least);
            (model.scorer.greatest_score(), least, Parts::Clauses(model, backing))
        }
    };
    Explanation {
        score: scoring.scores[position],
        greatest,
        least,
        decision: scoring.decided.contains(position),
        confidence: scoring.confidences[position],
        parts,
    }
}

/// Values of a clause's variables that make it cover the example, by variable; `None` where they are not found
/// within some tens of milliseconds.
#[must_use]
pub fn binding(problem: &Problem, asked: &Asked, clause: &Clause) -> Option<Vec<Option<ConstantId>>> {
    let world = &problem.worlds[asked.examples.world(asked.id).index()];
    witness(world, clause, asked.arguments(), MOST_STEPS)
}
