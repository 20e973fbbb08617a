//! The job that makes a table of the examples that clauses cover.

use std::path::PathBuf;
use std::sync::Arc;

use crate::experiment::clauses::features::FeatureMatrix;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_learn::Covers;

use super::chosen_set::ChosenSet;
use super::failure::Failure;
use super::feature_clauses::{read_clauses, read_texts};
use super::listener::Means;
use super::session::Session;

/// Clauses whose covers are wanted as columns.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    /// Where the clauses are from.
    pub(crate) source: ClauseSource,
    /// The examples that are rows.
    pub(crate) set: ChosenSet,
}

/// Where clauses are from.
#[derive(Clone, Debug)]
pub(crate) enum ClauseSource {
    /// A model's file, or a text of clauses.
    File(PathBuf),
    /// These clauses, one in each text.
    Texts(Vec<String>),
}

impl Features {
    /// Evaluates the clauses on a problem.
    pub(crate) fn run(&self, session: Session, means: Means<'_>) -> Result<FeatureMatrix, Failure> {
        let session = session.of_two_classes("features")?;
        let chosen = self.set.examples(&session, means.listener)?;
        let most_bytes = means.limits.cover_bytes(1);
        let problem = &session.problem;
        let (clauses, widening) = match &self.source {
            ClauseSource::File(path) => read_clauses(problem, path)?,
            ClauseSource::Texts(texts) => read_texts(problem, texts)?,
        };
        let worlds = widening.worlds(problem);
        let universe = chosen.universe(problem.examples());
        let capacity = CoverStore::usual_capacity(&universe).min(most_bytes);
        let covers = Covers::sharing(&Arc::new(CoverStore::with_capacity(&worlds, &universe, capacity)));
        let plain: Vec<&Clause> = clauses.iter().map(|read| &read.clause).collect();
        let texts = clauses.iter().map(|read| read.text.clone()).collect();
        FeatureMatrix::of(problem, &covers, &plain, texts, means.limits.loaded())
            .map_err(|Interrupted(reason)| Failure::stopped(reason, "all clauses were counted"))
    }
}
