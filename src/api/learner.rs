//! A learner with its settings.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use crate::experiment::model_file::{RunOrigin, model_file};
use crate::experiment::nothing_learnt::NothingLearnt;
use crate::experiment::reading::reading;
use crate::experiment::split::whole;
use crate::experiment::without_effect::without_effect;
use crate::experiment::{
    GivenSettings, RunResult, Split, SplitRequest, catalog, check_agreement, cross_validate,
    resolve_settings, run, splits,
};
use gleaner_base::{Budget, Forgetful};
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::registry::{learner_named, learner_names};
use gleaner_learn::{RunContext, Silent};

use super::model::fold_of;
use super::{Cancel, Dataset, Error, Model, Validation};

/// A learner with its settings; [`Learner::fit`] learns a model.
///
/// Settings have the names and ranges of the command line. What the data set's own `:- set` directives say holds
/// unless the learner says otherwise.
///
/// # Example
///
/// ```
/// use gleaner::{Dataset, Learner};
///
/// let data = Dataset::open("fixtures/university")?;
/// let learner = Learner::named("prankboost-clause")?.with("rounds", 5)?;
/// let model = learner.fit(&data)?;
/// assert!(model.predict(&data)?.metrics()?.auc_pr.is_some_and(|area| area > 0.3));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    set: Vec<(String, String)>,
    rng_seed: u64,
    time_limit: Option<Duration>,
    n_threads: usize,
    cancel: Option<Cancel>,
}

/// A setting of learners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingInfo {
    /// Its name, as [`Learner::with`] takes it.
    pub name: &'static str,
    /// The values that it takes, in words.
    pub takes: String,
    /// Its default as it would be written; `auto` where that depends on the data or on other settings.
    pub default: &'static str,
    /// The unit of its value; empty where it has none.
    pub unit: &'static str,
    /// What it does.
    pub help: &'static str,
}

impl Default for Learner {
    /// `auto`, which chooses among the others by inner folds, with its default settings.
    fn default() -> Self {
        Self { set: Vec::new(), rng_seed: 1, time_limit: None, n_threads: 0, cancel: None }
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
                help: about.help,
            }
        })
    }

    /// What was set and has no effect beside the rest, each in a sentence.
    #[must_use]
    pub fn without_effect(&self) -> Vec<String> {
        resolve_settings(&[], &self.given())
            .map_or_else(|_| Vec::new(), |(settings, _)| without_effect(&settings))
    }

    /// The seed that everything random flows from; 1 where it is not said. Same data, settings and seed: same model.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.rng_seed = seed;
        self
    }

    /// Ends the search after this time, with the best so far.
    #[must_use]
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Ends the search when `cancel` is used, with the best so far.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// How many threads to work on; 0, as by default, for all cores. Results do not depend on it.
    #[must_use]
    pub const fn threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Learns from all labelled examples. A part of them, `tune` of it, chooses thresholds.
    ///
    /// # Errors
    ///
    /// Settings of the data that cannot be, too few examples of a class, or a search that kept no clause.
    pub fn fit(&self, data: &Dataset) -> Result<Model, Error> {
        let problem = data.labelled_problem();
        let settings = self.resolved(&problem)?;
        let request = self.split_request(&settings);
        let split = whole(&problem, &request).map_err(|fault| Error::fault((&fault).into()))?;
        self.learn(data, &problem, &settings, &split)
    }

    /// Learns as run `fold` of cross-validation does, without the examples of that fold; folds count from 1.
    ///
    /// # Errors
    ///
    /// As of [`Learner::fit`], and when there is no such fold.
    pub fn fit_without_fold(&self, data: &Dataset, fold: usize) -> Result<Model, Error> {
        let problem = data.labelled_problem();
        let settings = self.resolved(&problem)?;
        let splits = splits(&problem, &self.split_request(&settings))
            .map_err(|fault| Error::fault((&fault).into()))?;
        let split = fold_of(&splits, fold)?;
        self.learn(data, &problem, &settings, split)
    }

    /// Cross-validates over the folds of the data, or over folds made of them.
    ///
    /// **Shape**: the test metrics of each fold, in order.
    ///
    /// # Errors
    ///
    /// As of [`Learner::fit`].
    pub fn cross_validate(&self, data: &Dataset) -> Result<Validation, Error> {
        let problem = data.labelled_problem();
        let settings = self.resolved(&problem)?;
        let splits = splits(&problem, &self.split_request(&settings))
            .map_err(|fault| Error::fault((&fault).into()))?;
        let validation =
            self.with_context(|context| cross_validate(&problem, &settings, &splits, 1, context))?;
        Ok(Validation::of(&validation))
    }
}

impl Learner {
    fn given(&self) -> GivenSettings {
        GivenSettings { command_line: self.set.clone(), ..GivenSettings::default() }
    }

    fn resolved(&self, problem: &Problem) -> Result<Settings, Error> {
        let resolved = resolve_settings(&problem.settings, &self.given());
        resolved
            .and_then(|(settings, _)| check_agreement(&settings).map(|()| settings))
            .map_err(|faults| Error::faults(faults, Sources::new()))
            .and_then(|settings| takes_clauses(&settings, problem).map(|()| settings))
    }

    fn split_request(&self, settings: &Settings) -> SplitRequest {
        SplitRequest::of(settings, self.rng_seed, None)
    }

    fn learn(
        &self,
        data: &Dataset,
        problem: &Problem,
        settings: &Settings,
        split: &Split,
    ) -> Result<Model, Error> {
        let result = self.with_context(|context| {
            let mut result = run(problem, settings, split, context);
            let ending = context.budget.ending();
            result.reading = reading(problem, split, &*result.model, &ending, context.cover_bytes);
            result
        })?;
        if result.model.is_empty() {
            return Err(nothing_learnt(&result, settings));
        }
        let origin = RunOrigin {
            problem,
            settings,
            rng_seed: self.rng_seed,
            group: None,
            restriction: data.restriction.as_deref(),
        };
        Model::of(model_file(origin, &result))
    }

    /// Calls `work` on the threads, with the time limit from now on.
    fn with_context<T: Send>(&self, work: impl FnOnce(&RunContext<'_>) -> T + Send) -> Result<T, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.n_threads).build();
        let pool = pool.map_err(|error| {
            Error::bad_value(
                "threads",
                &self.n_threads.to_string(),
                format!("they cannot be started: {error}"),
            )
        })?;
        let interrupted = self.cancel.as_ref().map_or_else(Arc::default, Cancel::flag);
        let budget = Budget::new(self.time_limit, interrupted);
        let context = RunContext {
            budget: &budget,
            rng_seed: self.rng_seed,
            monitor: &Silent,
            cover_bytes: usize::MAX,
            keeper: &Forgetful,
        };
        Ok(pool.install(|| work(&context)))
    }
}

/// Refuses given clauses where the learner takes none.
fn takes_clauses(settings: &Settings, problem: &Problem) -> Result<(), Error> {
    let learner = settings.learner();
    let takes = learner_named(&learner).is_some_and(|known| known.only_of_search(settings).is_some());
    if problem.given_clauses.is_none() || takes {
        return Ok(());
    }
    let message = format!("{learner} searches clauses itself: it takes none as features");
    Err(Error::fault(
        Diagnostic::error(codes::SETTINGS_APART, message)
            .with_help("`srl` takes clauses, or data without given ones"),
    ))
}

fn nothing_learnt(result: &RunResult, settings: &Settings) -> Error {
    Error::nothing_learnt(NothingLearnt::of(std::slice::from_ref(result), settings))
}
