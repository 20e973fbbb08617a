//! A learner with its settings.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::experiment::links::validation::ALL_LINKS;
use crate::experiment::settings::config::{PRESETS, Preset};
use crate::experiment::settings::without_effect::without_effect;
use crate::experiment::{GivenSettings, catalog, check_agreement, resolve_settings};
use crate::jobs::explain::Why;
use crate::jobs::features::Mine;
use crate::jobs::files::settings_of_file;
use crate::jobs::kinds::Learnt;
use crate::jobs::variants::Variant;
use crate::jobs::{
    CrossValidate, Earlier, Failure, FeatureClauses, FoldChoice, FolderOutput, Learn, LearntModel, Means,
    Opening, RunPlace, Session, ToLearn,
};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::TargetName;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::registry::{learner_named, learner_names};
use gleaner_learn::shown::Extent;

use super::options::{fold_named, set_of_run};
use super::{
    Answer, Context, Dataset, Error, FitOptions, MinedQueries, Model, RunSet, Source, Validation,
    ValidationOptions,
};

/// A learner with its settings; [`Learner::fit`] learns a model.
///
/// Settings have the names and ranges of the command line. The data set's own `:- set` directives hold unless the
/// learner's settings differ.
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
#[must_use]
pub struct Learner {
    set: Vec<(String, String)>,
    rng_seed: u64,
    preset: Option<&'static Preset>,
    group: Option<usize>,
    context: Context,
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
        let takes = || format!("it takes {}", PRESETS.map(|preset| preset.name).join(", "));
        self.preset = Some(Preset::named(name).ok_or_else(|| Error::bad_value("preset", name, takes()))?);
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
    pub fn without_effect(&self) -> Vec<String> {
        let resolved = resolve_settings(&[], &self.given());
        let unused = resolved.map_or_else(|_| Vec::new(), |(settings, _)| without_effect(&settings));
        unused.iter().map(|message| worded(message, in_library).into_owned()).collect()
    }

    /// The seed of all random streams; 1 by default. The same data, settings and seed give the same model.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.rng_seed = seed;
        self
    }

    /// The learner whose calls work so.
    pub fn within(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    /// Learns from all labelled examples. A part of them, `tune` of it, chooses thresholds.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data, too few examples of a class, a learner that learns no numbers where the target is
    /// one, or a search that kept no clause, `G107`, or was ended before it did, `G088`.
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

    /// As [`Learner::fit`]; the options say from which examples. Also gives the report of `gleaner learn`.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`]; a fold that there is not; files of clauses that cannot be read; a run folder that holds
    /// something, or cannot be written.
    pub fn fit_with(&self, data: &Dataset, options: &FitOptions) -> Result<(Model, Answer), Error> {
        let session = self.session(data)?;
        let fold = options.fold.as_deref().map(fold_named).transpose()?;
        self.learn(options, fold, |_| Ok(session.into()))
    }

    /// Learns rules for all relations of a graph of triples, as `gleaner learn --target all` does.
    ///
    /// # Errors
    ///
    /// Every fault of the graph.
    pub fn fit_links(&self, graph: impl Into<Source>) -> Result<Model, Error> {
        let opening = self.opening_of_links(graph.into());
        let load = |means: Means<'_>| ToLearn::load(opening, means.listener);
        Ok(self.learn(&FitOptions::default(), None, load)?.0)
    }

    fn learn(
        &self,
        options: &FitOptions,
        fold: Option<FoldChoice>,
        load: impl FnOnce(Means<'_>) -> Result<ToLearn, Failure> + Send,
    ) -> Result<(Model, Answer), Error> {
        let FitOptions { count_filtered, feature_clauses, folder, .. } = options;
        let feature_clauses = given(feature_clauses);
        let job = Learn {
            fold,
            count_filtered: *count_filtered,
            feature_clauses,
            counts_clauses: folder.is_some(),
        };
        let learnt: Box<dyn Learnt> = self.context.run(|means| {
            let ready = job.ready(load(means)?, means)?;
            let claim = |folder: &PathBuf| FolderOutput::claim(folder, Earlier::Run, false, means.listener);
            let folder = folder.as_ref().map(claim).transpose()?;
            let LearntModel { learnt, took } = ready.run()?;
            folder.map_or(Ok(()), |folder| folder.write_or_save(|sink| learnt.write(took, sink)))?;
            Ok(learnt)
        })?;
        Ok((Model::of(learnt.model()), Answer::shown(&learnt.answer(Extent::Short))))
    }

    /// Cross-validates over the folds of the data, or over folds made of them.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`].
    pub fn cross_validate(&self, data: &Dataset) -> Result<Validation, Error> {
        self.validate(data, &[("", self)], &ValidationOptions::default())
    }

    /// Cross-validates learners on the same folds, each under its name, or one without a name. The results stand side by side
    /// and pair by pair. Seed and context are those of this learner.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`]; a run folder that holds something else, or cannot be written.
    pub fn validate(
        &self,
        data: &Dataset,
        learners: &[(&str, &Self)],
        options: &ValidationOptions,
    ) -> Result<Validation, Error> {
        let session = self.session(data)?;
        let variants = learners.iter().map(|&(name, learner)| {
            let settings = learner.resolved(&session.problem)?;
            Ok(Variant { name: name.to_owned(), short_name: name.to_owned(), settings })
        });
        let place = options.folder.as_ref().map(|path| RunPlace {
            path: path.clone(),
            resume: options.resume,
            overwrite: options.overwrite,
            keep_every: options.keep_every,
        });
        let job = CrossValidate {
            count_filtered: options.count_filtered,
            variants: variants.collect::<Result<_, Error>>()?,
            feature_clauses: given(&options.feature_clauses),
            n_repeats: options.repeats.max(1),
            place,
            plan: None,
        };
        self.run_folds(|means| Ok((job, session.into(), means)))
    }

    /// Ranks the test links of a graph by rules learnt from its other links. Without a test part, it ranks those of
    /// made folds.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit_links`]; a context that ends the call before all links are counted.
    pub fn cross_validate_links(&self, graph: impl Into<Source>) -> Result<Validation, Error> {
        let opening = self.opening_of_links(graph.into());
        self.run_folds(|means| {
            let data = ToLearn::load(opening, means.listener)?;
            Ok((CrossValidate::of_one(data.settings()), data, means))
        })
    }

    fn run_folds(
        &self,
        ready: impl FnOnce(Means<'_>) -> Result<(CrossValidate, ToLearn, Means<'_>), Failure> + Send,
    ) -> Result<Validation, Error> {
        let found = self.context.run(|means| {
            let (job, data, means) = ready(means)?;
            let found = job.run(data, means)?;
            let stops = found.as_ref().map_or_else(String::new, |found| found.validated.stop_lines());
            stops.lines().for_each(|line| means.listener.note(line));
            Ok(found)
        })?;
        let found = found.ok_or_else(|| {
            let message = "the folder holds the finished run: nothing is left to do";
            Error::fault(Diagnostic::error(codes::EARLIER_RESULT, message).with_help("choose another folder"))
        })?;
        found.saved?;
        Ok(Validation::of(&*found.validated))
    }

    /// Tells why a clause was not learnt, as `gleaner why` does: how far a search with these settings could get towards
    /// it, and the cost of each of its literals. With a fold, its number from 1 or its name, in the run of it.
    ///
    /// # Errors
    ///
    /// A clause that cannot be read, or has another head than the target; a fold that there is not.
    pub fn why(&self, data: &Dataset, clause: &str, fold: Option<&str>) -> Result<Answer, Error> {
        const N_NAMED: usize = 5;
        let session = self.session(data)?.of_two_classes("why")?;
        let fold = fold.map(fold_named).transpose()?;
        let job = Why { clause: clause.to_owned(), fold, n_examples: N_NAMED };
        let found = self.context.run_whole("the clause was followed", |_| job.run(&session))?;
        Ok(Answer::of(&found))
    }

    /// Finds the queries that enough examples satisfy, as `gleaner mine` does: clauses without a target, with their
    /// covers. Keeps the `best` queries of each class, those that tell most of it, if a number is given. Counts all examples, or
    /// those of a set of the run of a fold, its number from 1 or its name.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data; a fold that there is not.
    pub fn mine(
        &self,
        data: &Dataset,
        best: Option<usize>,
        of_run: Option<(&str, RunSet)>,
    ) -> Result<MinedQueries, Error> {
        let (session, job) = (self.session(data)?, Mine { best, set: set_of_run(of_run)? });
        let found = self.context.run(|means| Ok(job.ready(session, means)?.run(&|_| {})))?;
        Ok(MinedQueries::of(&found))
    }

    fn given(&self) -> GivenSettings {
        GivenSettings { preset: self.preset, file: Vec::new(), command_line: self.set.clone() }
    }

    fn resolved(&self, problem: &Problem) -> Result<Settings, Error> {
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

    fn opening_of_links(&self, Source(request): Source) -> Opening {
        let target = Some(TargetName { name: ALL_LINKS.to_owned(), arity: None });
        let request = LoadRequest { target, rng_seed: self.rng_seed, ..request };
        Opening { request, given: self.given(), group: None }
    }
}

fn given(sources: &[PathBuf]) -> FeatureClauses {
    FeatureClauses { sources: sources.to_vec(), ..FeatureClauses::default() }
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
