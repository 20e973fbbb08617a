//! The job that explains why an example has its score under a model.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::experiment::runs::row_example::example_of_key;
use crate::experiment::scoring::explain::{
    Asked, Explained, Listed, ReadWith, asked_example, explain, shown_forms,
};
use crate::experiment::scoring::model_file::BoundModel;
use crate::report::explain::Report;
use crate::store::ModelFile;
use gleaner_data::Problem;
use gleaner_lang::syntax::codes;

use super::failure::Failure;
use super::listener::Means;
use super::scoring::{Applied, bind, chosen_examples};

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
