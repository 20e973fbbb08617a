//! The job that tells why a clause was not learnt, and which examples it covers.

use crate::experiment::runs::split::{SetExamples, undivided, whole};
use crate::experiment::scoring::why::{Question, why};
use crate::experiment::scoring::why_answer::{Naming, WhyAnswer};
use gleaner_base::ExampleId;
use gleaner_data::clauses::{Checker, Widening, usable_predicates};
use gleaner_lang::program::settings::DataSummary;
use gleaner_learn::gleaner::GleanerConfig;

use super::failure::Failure;
use super::session::{FoldChoice, Session, chosen_split};

/// The name of the clause in messages.
const CLAUSE: &str = "clause";

/// A clause that is asked about.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    /// The clause, whose full stop may be left out.
    pub(crate) clause: String,
    /// Count on the sets of the run of this fold; else on all examples.
    pub(crate) fold: Option<FoldChoice>,
    /// Positives that are named for each literal that loses them.
    pub(crate) n_examples: usize,
}

impl Why {
    /// Asks it of a problem.
    pub(crate) fn run(&self, session: &Session) -> Result<WhyAnswer, Failure> {
        let problem = &session.problem;
        let usable = usable_predicates(problem);
        let mut checker = Checker::new(problem, &usable);
        let asked = checker.read_one(CLAUSE, &self.clause)?;
        let widening = Widening::new(problem, checker.names());
        let (symbols, worlds) = (widening.symbols(), widening.worlds(problem));
        let sets = sets(session, self.fold.as_ref())?;
        let searched = sets.first().map_or(&[][..], |(_, set)| &set.ids);
        let data = DataSummary {
            n_train_positives: n_train_positives(session, self.fold.is_some(), searched),
            callable_depth: problem.modes().callable_depth(),
            has_negated_modes: problem.modes().has_negated(),
            has_thresholds: problem.modes().has_thresholds(),
            is_database: problem.has_proposed_modes(),
        };
        let config = GleanerConfig::of(&session.settings, data);
        let question = Question {
            problem,
            symbols,
            worlds: &worlds,
            clause: &asked.read.clause,
            config: &config,
            sets: &sets,
        };
        let found = why(&question);
        let naming = Naming {
            problem,
            symbols,
            sources: &session.sources,
            config: &config,
            asked: &asked,
            found: &found,
            n_examples: self.n_examples,
        };
        Ok(naming.answer().worded(session.wording))
    }
}

/// The sets that are counted, the one that clauses are searched on first.
fn sets(session: &Session, fold: Option<&FoldChoice>) -> Result<Vec<(&'static str, SetExamples)>, Failure> {
    let Some(fold) = fold else {
        return Ok(vec![("all", undivided(&session.problem, session.rng_seed))]);
    };
    let splits = session.splits()?;
    let split = chosen_split(&splits, fold)?;
    Ok(["train", "tune", "test"].into_iter().zip(split.sets()).collect())
}

/// The positives that `learn` would search on, from which the `auto` bounds follow.
fn n_train_positives(session: &Session, has_fold: bool, searched: &[ExampleId]) -> usize {
    let problem = &session.problem;
    let count = |ids: &[ExampleId]| ids.iter().filter(|&&id| problem.examples().is_positive(id)).count();
    let train =
        if has_fold { None } else { whole(problem, &session.split_request).ok().map(|split| split.train) };
    count(train.as_deref().unwrap_or(searched))
}
