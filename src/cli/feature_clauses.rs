//! `--feature-clauses`: clauses in place of a search.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::jobs::{FeatureClauses, Made};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(super) struct FeatureClauseFlags {
    /// Take these clauses as features, in place of a search.
    ///
    /// For --learner srl: a model file of `learn`, a file of clauses of the target, or the run folder of a `cv` over the same
    /// folds. From a run folder, each fold takes the clauses of its own model. May be given several times.
    #[arg(long = "feature-clauses", value_name = "MODEL|CLAUSES|RUN")]
    sources: Vec<PathBuf>,
}

impl FeatureClauseFlags {
    /// What they are read from.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().map(PathBuf::as_path)
    }

    /// What is given, beside the settings that are made.
    pub(super) fn given(&self, made: &[Made]) -> FeatureClauses {
        FeatureClauses { sources: self.sources.clone(), made: made.to_vec() }
    }
}
