//! To learn and to cross-validate rules for the links of a graph.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::experiment::command_words::{RunCommand, setting_text};
use crate::experiment::links::{LinkCvAnswer, LinkFold, LinkPart, NotAll, RankAnswer, RankRequest, divided};
use crate::experiment::split::SplitSettings;
use crate::experiment::{GivenSettings, resolve_settings};
use crate::report::links::{ranks_csv, relations_csv, rules_csv};
use crate::report::page;
use crate::report::text::stop_name;
use gleaner_base::Budget;
use gleaner_data::graph::{LoadedGraph, load_graph};
use gleaner_lang::program::graph::GraphData;
use gleaner_lang::program::settings::{DataSummary, SettingGroup, Settings};
use gleaner_lang::syntax::marks::Wording;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::links::longer::LONGEST;
use gleaner_learn::links::rank::Among;
use gleaner_learn::links::saved::LinkModelError;
use gleaner_learn::links::{Better, Interrupted, Learning, LinkConfig, LinkModel};

use super::class_models::said_of;
use super::failure::Failure;
use super::files::{LINK_RUN, RECORD, REPORT};
use super::folder_output::Sink;
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
        let told = |better| tell(better, means.listener);
        let learning = Learning { config, rng_seed, with_likelihood: true, budget, told: &told };
        let model = LinkModel::learn(&data, learning);
        tell_untried(&model, budget, means.listener);
        if let Some(reason) = budget.stop() {
            let lacks = match (&model.chosen_on.mrr, &model.likelihood) {
                (None, _) => "the default weights, and no probabilities",
                (Some(_), None) => "no probabilities",
                (Some(_), Some(_)) => "the rules that were counted",
            };
            means.listener.say(&format!("stopped: {}; the model has {lacks}", stop_name(reason)));
        }
        model
    }

    /// Ranks the links of the test part, or of each made fold, by the rules of the others. Keeps what a run folder has, if
    /// one is asked for.
    pub(crate) fn cross_validate(self, is_written: bool) -> Result<LinksValidated, Failure> {
        let Self { data, settings, rng_seed, means } = self;
        let wording = means.listener.wording();
        means.limits.cover_bytes(1);
        let budget = means.limits.loaded();
        let config = LinkConfig::of(&settings, DataSummary::default());
        let n_folds = SplitSettings::of(&settings, DataSummary::default()).n_folds;
        if data.test.is_empty() && data.train.len() < n_folds as usize {
            let message = format!("{} links cannot be divided into {n_folds} folds", data.train.len());
            return Err(Failure::fault(
                Diagnostic::error(codes::TOO_FEW_EXAMPLES, message).with_help("⁅folds=K⁆ makes fewer folds"),
            ));
        }
        let divided = divided(data, n_folds, rng_seed);
        let is_single = divided.len() == 1;
        let n_divided = u32::try_from(divided.len()).expect("few folds");
        let (mut ranks, mut folds) = (Vec::with_capacity(divided.len()), Vec::new());
        let told = |better| tell(better, means.listener);
        for ((number, n_left), data) in (1..).zip((1..=n_divided).rev()).zip(&divided) {
            let of_fold = budget.for_one_of(n_left);
            let of_learning = of_fold
                .left()
                .map_or_else(|| of_fold.clone(), |left| of_fold.for_at_most(left.mul_f64(LEARNING_SHARE)));
            let learning =
                Learning { config, rng_seed, with_likelihood: is_written, budget: &of_learning, told: &told };
            let model = LinkModel::learn(data, learning);
            tell_untried(&model, &of_learning, means.listener);
            let request = RankRequest { model: &model, data, part: LinkPart::Test, among: Among::Entities };
            let ranked = match RankAnswer::of(&request, &of_fold) {
                Ok(ranked) => ranked,
                // The folds before have figures.
                Err(Interrupted(reason)) if !ranks.is_empty() => {
                    let of_folds = format!("the figures are those of {} of {n_divided} folds", ranks.len());
                    means.listener.say(&format!("stopped: {}; {of_folds}", stop_name(reason)));
                    break;
                }
                // A sample of the links tells what the rules that were found until then are worth.
                Err(Interrupted(reason)) => {
                    let sample = RankAnswer::of(&request, &of_fold.last()).map_err(stopped)?;
                    let not_all = sample.not_all.map(|not_all| NotAll { stop: reason, ..not_all });
                    RankAnswer { not_all, ..sample }
                }
            };
            if is_written {
                let name = if is_single { String::new() } else { format!("fold{number}") };
                folds.push(LinkFold::of(name, &model, ranked.clone()));
            }
            ranks.push(ranked);
        }
        Ok(LinksValidated { answer: LinkCvAnswer::of(ranks), folds, settings, rng_seed, wording })
    }
}

/// The part of the time that learning may take where there is a limit; the ranking has the rest.
const LEARNING_SHARE: f64 = 0.7;

/// Tells of a model that is better than the one before.
fn tell(better: Better, listener: &dyn Listener) {
    let Better { path_length, links, mrr } = better;
    listener.note(&format!("MRR {mrr:.4} on {links} links kept back, by paths of up to {path_length} links"));
}

/// Tells that longer paths were not tried, for too few links were kept back to choose by.
fn tell_untried(model: &LinkModel, budget: &Budget, listener: &dyn Listener) {
    let longest = model.closed.iter().map(|rule| rule.path.len()).max().unwrap_or(0);
    let is_untried = model.config.path_length.is_none() && model.chosen_on.mrr.is_none();
    if is_untried && (1..LONGEST).contains(&longest) && budget.stop().is_none() {
        listener.note(&format!(
            "too few links are kept back to try paths of more than {longest} links by; ⁅path-length⁆ counts them"
        ));
    }
}

/// The ranks of all folds.
#[derive(Debug)]
pub(crate) struct LinksValidated {
    pub(crate) answer: LinkCvAnswer,
    /// Empty where no run folder is asked for.
    folds: Vec<LinkFold>,
    settings: Settings,
    rng_seed: u64,
    /// How the page names settings.
    wording: Wording,
}

impl LinksValidated {
    /// Writes the files of the run folder: of several folds, each has a folder.
    pub(crate) fn write(&self, sink: Sink<'_>) -> io::Result<()> {
        for fold in &self.folds {
            let below = if fold.name.is_empty() { String::new() } else { format!("{}/", fold.name) };
            let write = |name: &str, content: &str| sink(&format!("{below}{name}"), content);
            write("model.json", &fold.model)?;
            write("ranks.csv", &ranks_csv(&fold.ranks))?;
            write("relations.csv", &relations_csv(&fold.ranks))?;
            write("rules.csv", &rules_csv(&fold.rules))?;
        }
        sink(RECORD, &format!("{:#}\n", self.record()))?;
        sink(REPORT, &page::of_links(&self.answer, &self.folds, &self.command(), self.wording))
    }

    /// The settings that links have, and the number of folds where these were made.
    fn settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let own = LinkConfig::declarations().into_iter().map(|known| known.about().name);
        let folds = (self.folds.len() > 1).then_some("folds");
        own.chain(folds).map(|name| (name, setting_text(self.settings.value(name).as_ref())))
    }

    fn record(&self) -> Json {
        json!({
            LINK_RUN: 1,
            "gleaner_version": env!("CARGO_PKG_VERSION"),
            "command": "cv",
            "target": "all",
            "rng_seed": self.rng_seed,
            "settings": self.settings().collect::<BTreeMap<_, _>>(),
            "result": self.answer,
        })
    }

    /// The command that makes the run again.
    fn command(&self) -> String {
        let own = self.settings().filter(|(name, _)| self.settings.is_set(name));
        let first = [("target", "all".to_owned()), ("seed", self.rng_seed.to_string())];
        let settings = first.into_iter().chain(own).map(|(name, value)| (name.to_owned(), Some(value)));
        RunCommand { verb: "cv".to_owned(), settings: settings.collect() }.text("DATA", self.wording)
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
    Failure::stopped(reason, "all links were counted")
}

/// The failure that a file is no model of links.
pub(crate) fn bad_links(path: &Path, error: &LinkModelError) -> Failure {
    let code =
        if matches!(error, LinkModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model of links is what `gleaner learn DATA ⁅target=all⁆ -o MODEL` writes"),
    )
}
