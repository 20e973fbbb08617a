//! The job that explains why an example has its score under a model.
//!
//! The job that tells why a clause was not learnt, and which examples it covers.

use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::ExampleId;
use gleaner_data::Problem;
use gleaner_data::clauses::{Checker, Widening, usable_predicates};
use gleaner_lang::program::settings::DataSummary;
use gleaner_lang::syntax::codes;
use gleaner_learn::gleaner::GleanerConfig;

use crate::experiment::runs::row_example::example_of_key;
use crate::experiment::runs::split::{SetExamples, undivided, whole};
use crate::experiment::scoring::explain::{
    Asked, Explained, Listed, ReadWith, asked_example, explain, shown_forms,
};
use crate::experiment::scoring::model_file::BoundModel;
use crate::experiment::scoring::why::{Question, why};
use crate::experiment::scoring::why_answer::{Naming, WhyAnswer};
use crate::report::explain::Report;
use crate::store::ModelFile;

use super::failure::Failure;
use super::listener::Means;
use super::scoring::{Applied, bind, chosen_examples};
use super::session::{FoldChoice, Session, chosen_split};

/// An example whose score is to be explained.
pub(crate) struct Explain {
    /// The model; if it is of many classes, the example names the class.
    pub(crate) file: Arc<ModelFile>,
    /// The data, and the fold among whose test examples the example is looked for.
    pub(crate) applied: Applied,
    /// An atom of the target.
    pub(crate) example: String,
    /// Whether clauses are given in the shorter forms that a person reads, in place of those that vote.
    pub(crate) in_short: bool,
    /// The number of parts for which values of their variables are looked for.
    pub(crate) n_bindings: usize,
}

/// An explanation with all that it is about.
#[derive(Debug)]
pub(crate) struct ExplainedScore {
    problem: Problem,
    learner: String,
    asked: Asked,
    explained: Explained,
    schema: Option<String>,
}

impl Explain {
    /// Explains the score.
    pub(crate) fn run(self, means: Means<'_>) -> Result<ExplainedScore, Failure> {
        let Self { file, applied, example, in_short, n_bindings } = self;
        let forms = if in_short { file.header.shown.clone() } else { BTreeMap::new() };
        let telling = file.header.telling.iter().flat_map(|telling| &telling.clauses);
        let telling: Vec<String> = telling.map(|telling| telling.clause.clone()).collect();
        let further: Vec<String> = forms.values().chain(&telling).cloned().collect();
        let BoundModel { problem, model, clauses } = bind(&file, &applied, &further, means.listener)?;
        let (learnt, telling) = clauses.split_at(clauses.len().saturating_sub(telling.len()));
        let forms = shown_forms(&file.clause_texts(), &forms, learnt);
        let listed = chosen_examples(&file, &problem, applied.fold.as_ref(), means.listener)?.ids;
        let fold = applied.fold.as_ref().map(ToString::to_string);
        let listed = Listed { problem: &problem, listed, fold };
        let of_row = example_of_key(&problem, &example).map_err(Failure::fault)?;
        let asked = asked_example(&of_row.unwrap_or(example), &listed)?;
        if asked.n_listed > 1 {
            means.listener.warn(codes::REPEATED_EXAMPLES, &several(&problem, &asked));
        }
        let with = ReadWith { forms: &forms, telling, calibration: file.header.calibration.as_ref() };
        let explained = explain(&problem, &*model, &asked, &listed.listed, with, n_bindings);
        let (learner, schema) = (file.header.learner.clone(), file.header.schema.clone());
        Ok(ExplainedScore { learner, asked, explained, problem, schema })
    }
}

impl ExplainedScore {
    /// The report of the explanation, whole or in short.
    pub(crate) fn report(&self, shows_all: bool) -> Report<'_> {
        Report {
            problem: &self.problem,
            learner: self.learner.as_str(),
            asked: &self.asked,
            explained: &self.explained,
            schema: self.schema.as_deref(),
            shows_all,
        }
    }
}

/// The message that an example is listed more than once, and which one is explained.
fn several(problem: &Problem, asked: &Asked) -> String {
    let which = match asked.examples.fold(asked.id) {
        Some(fold) => format!("that of {} is", problem.fold_name(fold)),
        None => "the first is".to_owned(),
    };
    format!("the example is listed {} times; {which} explained, ⁅fold⁆ chooses another", asked.n_listed)
}

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
