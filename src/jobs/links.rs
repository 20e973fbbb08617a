//! To learn and to cross-validate rules for the links of a graph.

use std::path::{Path, PathBuf};

use crate::experiment::links::{LinkCvAnswer, LinkPart, RankAnswer, RankRequest, divided};
use crate::experiment::split::SplitSettings;
use crate::experiment::{GivenSettings, resolve_settings};
use crate::report::text::stop_name;
use gleaner_data::graph::{LoadedGraph, load_graph};
use gleaner_lang::program::graph::GraphData;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::links::rank::Among;
use gleaner_learn::links::saved::LinkModelError;
use gleaner_learn::links::{Interrupted, LinkConfig, LinkModel};

use super::class_models::said_of;
use super::failure::Failure;
use super::listener::{Listener, Means};

/// A graph whose links are to be learnt.
#[derive(Clone, Debug)]
pub(crate) struct OfLinks {
    /// The folder of triples.
    pub(crate) data: PathBuf,
    /// The settings that are made.
    pub(crate) given: GivenSettings,
    /// The seed of everything random.
    pub(crate) rng_seed: u64,
}

/// A graph that was read, and how it is learnt from.
pub(crate) struct ReadyLinks<'m> {
    data: GraphData,
    settings: Settings,
    rng_seed: u64,
    means: Means<'m>,
}

impl OfLinks {
    /// Reads the graph.
    pub(crate) fn ready(self, means: Means<'_>) -> Result<ReadyLinks<'_>, Failure> {
        let settings = match resolve_settings(&[], &self.given) {
            Ok((settings, _)) => settings,
            Err(faults) => return Err(Failure::Data(faults, Sources::new())),
        };
        let data = read(&self.data, means.listener)?;
        means.limits.loaded();
        Ok(ReadyLinks { data, settings, rng_seed: self.rng_seed, means })
    }
}

impl ReadyLinks<'_> {
    /// Learns the rules of all relations.
    pub(crate) fn learn(self) -> LinkModel {
        let Self { data, settings, rng_seed, means } = self;
        means.limits.cover_bytes(1);
        let budget = means.limits.loaded();
        let config = LinkConfig::of(&settings, DataSummary::default());
        let model = LinkModel::learn(&data, config, rng_seed, budget);
        if let Some(reason) = budget.stop() {
            means.listener.say(&format!("stopped: {}; the model has the default weights", stop_name(reason)));
        }
        model
    }

    /// Ranks the links of the test part, or of each made fold, by the rules of the others.
    pub(crate) fn cross_validate(self) -> Result<LinkCvAnswer, Failure> {
        let Self { data, settings, rng_seed, means } = self;
        means.limits.cover_bytes(1);
        let budget = means.limits.loaded();
        let config = LinkConfig::of(&settings, DataSummary::default());
        let n_folds = SplitSettings::of(&settings, DataSummary::default()).n_folds;
        if data.test.is_empty() && data.train.len() < n_folds as usize {
            let message = format!("{} links cannot be divided into {n_folds} folds", data.train.len());
            return Err(Failure::fault(
                Diagnostic::error(codes::TOO_FEW_EXAMPLES, message).with_help("--folds K makes fewer folds"),
            ));
        }
        let ranked = |data: &GraphData| {
            let model = LinkModel::learn(data, config, rng_seed, budget);
            let request = RankRequest { model: &model, data, part: LinkPart::Test, among: Among::Entities };
            RankAnswer::of(&request, budget).map_err(stopped)
        };
        let folds: Result<Vec<RankAnswer>, Failure> =
            divided(data, n_folds, rng_seed).iter().map(ranked).collect();
        Ok(LinkCvAnswer::of(folds?))
    }
}

/// Reads a graph.
pub(crate) fn read(path: &Path, listener: &dyn Listener) -> Result<GraphData, Failure> {
    let mut sources = Sources::new();
    match load_graph(path, &mut sources) {
        Ok(LoadedGraph { graph, warnings }) => {
            listener.has_read(&sources)?;
            listener.warnings(&warnings, &sources);
            Ok(graph)
        }
        Err(faults) => Err(Failure::Data(faults, sources)),
    }
}

/// The budget ran out before there was a result.
pub(crate) fn stopped(Interrupted(reason): Interrupted) -> Failure {
    let message = format!("{} before all links were counted", stop_name(reason));
    Failure::OutOfTime(
        Diagnostic::error(codes::TIME_LIMIT, message)
            .with_help("nothing was written: counts of some links do not hold for all links"),
    )
}

/// The failure that a file is no model of links.
pub(crate) fn bad_links(path: &Path, error: &LinkModelError) -> Failure {
    let code =
        if matches!(error, LinkModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model of links is what `gleaner learn DATA --target all -o MODEL` writes"),
    )
}
