//! A learner with its settings.

use std::fmt::Display;
use std::path::Path;

use crate::experiment::config::{PRESETS, Preset};
use crate::experiment::link_record::ALL_LINKS;
use crate::experiment::without_effect::without_effect;
use crate::experiment::{GivenSettings, catalog, check_agreement, resolve_settings};
use crate::jobs::files::settings_of_file;
use crate::jobs::mine::Mine;
use crate::jobs::why::Why;
use crate::jobs::{CrossValidate, FoldChoice, Learn, Opening, Session, ToLearn};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::TargetName;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::registry::{learner_named, learner_names};

use super::options::{fold_named, set_of_fold};
use super::{
    Answer, Context, Dataset, Error, FitOptions, MinedQueries, Model, RunSet, Validation, ValidationOptions,
};

/// A learner with its settings; [`Learner::fit`] learns a model.
///
/// Settings have the names and ranges of the command line. The data set's own `:- set` directives hold unless the
/// learner's settings differ.
///
/// # Example
///
/// ```
/// use gleaner::{Dataset, Learner};
///
/// let data = Dataset::open("fixtures/university")?;
/// let learner = Learner::named("prankboost-clause")?.with("rounds", 5)?;
/// let model = learner.fit(&data)?;
/// assert!(model.predict(&data)?.scores()?.metrics()?.auc_pr.is_some_and(|area| area > 0.3));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    set: Vec<(String, String)>,
    rng_seed: u64,
    preset: Option<&'static Preset>,
    group: Option<usize>,
    pub(super) context: Context,
}

/// A setting of learners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingInfo {
    /// Its name, as [`Learner::with`] takes it.
    pub name: &'static str,
    /// The values that it takes, in words.
    pub takes: String,
    /// The default as the user would write it; `auto` where it depends on the data or on other settings.
    pub default: &'static str,
    /// The unit of its value; empty where it has none.
    pub unit: &'static str,
    /// The effect of the setting.
    pub help: String,
}

impl Default for Learner {
    /// `auto`, which chooses among the others by inner folds, with its default settings.
    fn default() -> Self {
        Self { set: Vec::new(), rng_seed: 1, preset: None, group: None, context: Context::default() }
    }
}

impl Learner {
    /// The learner of this name, as `--learner` takes it, with its default settings.
    ///
    /// # Errors
    ///
    /// When there is no such learner.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::default().with("learner", name)
    }

    /// The learner with one more setting; a later value replaces an earlier one.
    ///
    /// # Errors
    ///
    /// When there is no setting of this name, or it does not take the value.
    pub fn with(mut self, setting: &str, value: impl Display) -> Result<Self, Error> {
        self.set.push((setting.to_owned(), value.to_string()));
        resolve_settings(&[], &self.given()).map_err(|faults| Error::faults(faults, Sources::new()))?;
        Ok(self)
    }

    /// The learner with the settings of a preset, which any [`Learner::with`] replaces.
    ///
    /// # Errors
    ///
    /// When there is no preset of this name.
    pub fn preset(mut self, name: &str) -> Result<Self, Error> {
        let names = || PRESETS.map(|preset| preset.name).join(", ");
        let known = Preset::named(name);
        self.preset =
            Some(known.ok_or_else(|| Error::bad_value("preset", name, format!("it takes {}", names())))?);
        Ok(self)
    }

    /// The learner with the settings of a TOML file, as `rounds = 50`; later settings replace them.
    ///
    /// # Errors
    ///
    /// A file that cannot be read; an unknown setting, or a value that it does not take.
    pub fn settings_of(mut self, path: impl AsRef<Path>) -> Result<Self, Error> {
        let settings = settings_of_file(path.as_ref())?;
        self.set.extend(settings.into_iter().map(|setting| (setting.name.to_owned(), setting.value)));
        Ok(self)
    }

    /// Keeps examples with the same value of this argument of the target, from 1, within one made fold.
    #[must_use]
    pub const fn group(mut self, argument: usize) -> Self {
        self.group = Some(argument);
        self
    }

    /// The names of all learners, each with a line of help.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        learner_names().map(|known| (known.name, known.help))
    }

    /// All settings, in the order of the command line's help.
    pub fn settings() -> impl Iterator<Item = SettingInfo> {
        catalog().iter().map(|setting| {
            let about = setting.about();
            SettingInfo {
                name: about.name,
                takes: setting.accepted(),
                default: about.default,
                unit: about.unit,
                help: worded(about.help, in_library).into_owned(),
            }
        })
    }

    /// The settings that were given but have no effect beside the others, a sentence for each.
    #[must_use]
    pub fn without_effect(&self) -> Vec<String> {
        resolve_settings(&[], &self.given())
            .map_or_else(|_| Vec::new(), |(settings, _)| without_effect(&settings))
            .iter()
            .map(|message| worded(message, in_library).into_owned())
            .collect()
    }

    /// The seed of all random streams; 1 by default. The same data, settings and seed give the same model.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.rng_seed = seed;
        self
    }

    /// The learner whose calls work so.
    #[must_use]
    pub fn within(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    /// Learns from all labelled examples. A part of them, `tune` of it, chooses thresholds.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data, too few examples of a class, a learner that learns no numbers where the target is
    /// one, or a search that kept no clause.
    pub fn fit(&self, data: &Dataset) -> Result<Model, Error> {
        Ok(self.fit_with(data, &FitOptions::default())?.0)
    }

    /// Learns as run `fold` of cross-validation does, without the examples of that fold; folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`], and when there is no such fold.
    pub fn fit_without_fold(&self, data: &Dataset, fold: usize) -> Result<Model, Error> {
        Ok(self.fit_with(data, &FitOptions { fold: Some(fold.to_string()), ..FitOptions::default() })?.0)
    }

    /// Cross-validates over the folds of the data, or over folds made of them.
    ///
    /// **Shape**: the test metrics of each fold, in order.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`].
    pub fn cross_validate(&self, data: &Dataset) -> Result<Validation, Error> {
        self.validate(data, &[("", self)], &ValidationOptions::default())
    }

    /// As [`Learner::cross_validate`]; also writes the run folder of `gleaner cv --run`: record, models, predictions,
    /// curves.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`]; a folder that holds something, or cannot be written.
    pub fn cross_validate_into(&self, data: &Dataset, folder: impl AsRef<Path>) -> Result<Validation, Error> {
        let folder = Some(folder.as_ref().to_owned());
        self.validate(data, &[("", self)], &ValidationOptions { folder, ..ValidationOptions::default() })
    }

    /// Cross-validates this learner and others on the same folds, each under its name. The results stand side by side
    /// and pair by pair. Seed, threads and limits are this learner's.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`].
    pub fn compare_with(
        &self,
        name: &str,
        others: &[(&str, &Self)],
        data: &Dataset,
    ) -> Result<Validation, Error> {
        self.validate(data, &[&[(name, self)], others].concat(), &ValidationOptions::default())
    }

    /// Learns rules for all relations of a graph: a folder of triples, as `gleaner learn --target all` reads it.
    ///
    /// # Errors
    ///
    /// Every fault of the files.
    pub fn fit_links(&self, graph: impl AsRef<Path>) -> Result<Model, Error> {
        let opening = self.opening_of_links(graph.as_ref());
        let found = self
            .context
            .run(|means| Learn::default().ready(ToLearn::load(opening, means.listener)?, means)?.run())?;
        Ok(Model::of(found.learnt.model()))
    }

    /// Ranks the test links of a graph by rules learnt from its other links. Without a test part, it ranks those of
    /// made folds.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit_links`]; a time limit that ends before all links are counted.
    pub fn cross_validate_links(&self, graph: impl AsRef<Path>) -> Result<Answer, Error> {
        let opening = self.opening_of_links(graph.as_ref());
        let found = self.context.run(|means| {
            let data = ToLearn::load(opening, means.listener)?;
            CrossValidate::of_one(data.settings()).run(data, means)
        })?;
        let found = found.ok_or_else(Error::nothing_to_do)?;
        Ok(Answer::shown(&found.validated.answer()))
    }

    /// Tells why a clause was not learnt, as `gleaner why` does: how far a search with these settings could get towards
    /// it, and the cost of each of its literals.
    ///
    /// # Errors
    ///
    /// A clause that cannot be read, or has another head than the target.
    pub fn why(&self, data: &Dataset, clause: &str) -> Result<Answer, Error> {
        self.why_in(data, clause, None)
    }

    /// As [`Learner::why`], for the run of a fold of cross-validation: its number from 1, or its name.
    ///
    /// # Errors
    ///
    /// As for [`Learner::why`]; a fold that there is not.
    pub fn why_in_fold(&self, data: &Dataset, clause: &str, fold: &str) -> Result<Answer, Error> {
        self.why_in(data, clause, Some(fold_named(fold)?))
    }

    fn why_in(&self, data: &Dataset, clause: &str, fold: Option<FoldChoice>) -> Result<Answer, Error> {
        const N_NAMED: usize = 5;
        let session = self.session(data)?.of_two_classes("why")?;
        let job = Why { clause: clause.to_owned(), fold, n_examples: N_NAMED };
        Ok(Answer::of(&job.run(&session)?))
    }

    /// Finds the queries that enough examples satisfy, as `gleaner mine` does: clauses without a target, with their
    /// covers.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data.
    pub fn mine(&self, data: &Dataset) -> Result<MinedQueries, Error> {
        self.run_mine(data, Mine::default())
    }

    /// As [`Learner::mine`], on a set of the run of a fold. Keeps the `best` queries of each class, those that tell most of
    /// it, if a number is given.
    ///
    /// # Errors
    ///
    /// As for [`Learner::mine`]; a fold that there is not.
    pub fn mine_in_fold(
        &self,
        data: &Dataset,
        fold: &str,
        set: RunSet,
        best: Option<usize>,
    ) -> Result<MinedQueries, Error> {
        self.run_mine(data, Mine { set: set_of_fold(fold, set)?, best })
    }

    /// As [`Learner::mine`], but keeps only the `best` queries of each class, those that tell most of it.
    ///
    /// # Errors
    ///
    /// As for [`Learner::mine`].
    pub fn mine_best(&self, data: &Dataset, best: usize) -> Result<MinedQueries, Error> {
        self.run_mine(data, Mine { best: Some(best), ..Mine::default() })
    }

    fn run_mine(&self, data: &Dataset, job: Mine) -> Result<MinedQueries, Error> {
        let session = self.session(data)?;
        let found = self.context.run(|means| Ok(job.ready(session, means)?.run(&|_| {})))?;
        Ok(MinedQueries::of(&found))
    }
}

impl Learner {
    fn given(&self) -> GivenSettings {
        GivenSettings { preset: self.preset, file: Vec::new(), command_line: self.set.clone() }
    }

    pub(super) fn resolved(&self, problem: &Problem) -> Result<Settings, Error> {
        let resolved = resolve_settings(problem.settings(), &self.given());
        resolved
            .and_then(|(settings, _)| check_agreement(&settings).map(|()| settings))
            .map_err(|faults| Error::faults(faults, Sources::new()))
            .and_then(|settings| takes_clauses(&settings, problem).map(|()| settings))
    }

    /// The labelled examples of data, with the settings that these and the learner make.
    pub(super) fn session(&self, data: &Dataset) -> Result<Session, Error> {
        Ok(data.session(self.resolved(data.problem())?, self.rng_seed, self.group))
    }

    fn opening_of_links(&self, graph: &Path) -> Opening {
        let target = Some(TargetName { name: ALL_LINKS.to_owned(), arity: None });
        let (path, rng_seed) = (graph.to_owned(), self.rng_seed);
        let request = LoadRequest { path, target, rng_seed, ..LoadRequest::default() };
        Opening { request, given: self.given(), group: None }
    }
}

/// Refuses given clauses where the learner takes none.
fn takes_clauses(settings: &Settings, problem: &Problem) -> Result<(), Error> {
    let learner = settings.learner();
    let takes = learner_named(&learner).is_some_and(|known| known.only_of_search(settings).is_some());
    if problem.given_clauses().is_none() || takes {
        return Ok(());
    }
    let message = format!("{learner} searches for clauses itself: it takes no given clauses as features");
    Err(Error::fault(
        Diagnostic::error(codes::SETTINGS_APART, message)
            .with_help("choose `srl`, or data without given clauses"),
    ))
}
