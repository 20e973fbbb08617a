//! The seam for learners.
//!
//! A learner is a type that states everything about itself ([`Learner`]): its names, settings and search, the parts of
//! its findings, and a model of each part. The rest of the program knows learners only without their types
//! ([`AnyLearner`], [`Configured`], [`Found`], [`Model`]), from the list in [`super::registry`].

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::{DataSummary, Declaration, Given, SettingGroup, Settings, Word};
use gleaner_lang::program::{Clause, Labels};

use super::calibration::HeldOut;
use super::record::{Own, OwnRecord, SearchRecord};
use super::reduction::{ReduceClauses, ReducedClauses, Reducing};
use super::saved::Checked;
use super::{Covers, Model, RunContext, Saved, SetStores, Task};

/// A name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnerName {
    /// The name.
    pub name: &'static str,
    /// The method that learns under it, in a line.
    pub help: &'static str,
}

/// A learner.
///
/// A search does not depend on how its findings are combined. So settings of the combination are compared on equal
/// clauses of the search.
pub trait Learner: fmt::Debug + Send + Sync + 'static {
    /// Its settings, checked.
    type Config: SettingGroup + fmt::Debug + Send + Sync;
    /// The findings of a search. The default is that of a search that found nothing; its model is made at once.
    type Found: fmt::Debug + Default + Send + Sync;
    /// A part of the findings that a model is made of.
    type Part: fmt::Debug + Send + Sync;
    /// The part of a search's record that only this learner has.
    type Own: OwnRecord + DeserializeOwned;
    /// Its models in files.
    type Saved: Saved + Checked + DeserializeOwned;

    /// Its names: several where it comes in variants.
    const NAMES: &'static [LearnerName];

    /// Defaults other than the settings' own: setting and default.
    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] = &[];

    /// The learner's own defaults under one of its names.
    fn own_defaults_of(_name: &str) -> &'static [(&'static str, &'static str)] {
        Self::OWN_DEFAULTS
    }

    /// The names of all tables that its models and its records may have. In a run's folder, files of these names are
    /// known as the run's own; a later run may replace them.
    const TABLES: &'static [&'static str] = &[];

    /// Whether the findings do not depend on which of many classes is learnt, so that one search does for all.
    const FINDS_FOR_ALL_CLASSES: bool = false;

    /// Whether it learns a target that is a number.
    const LEARNS_NUMBERS: bool = false;

    /// Whether it learns by other learners, whose settings it reads beside its own.
    const LEARNS_BY_OTHERS: bool = false;

    /// Whether a clause that covers an example may speak against it: then what an example lacks counts.
    const MAY_SPEAK_AGAINST: bool = false;

    /// Whether it is cross-fitted. Then all examples of train and tune have held-out scores. The models behind a score
    /// saw the example's part neither in search nor in fit ([`super::pooled_sets::PooledSets::cross_fitting_parts`]).
    fn is_cross_fitted(_config: &Self::Config) -> bool {
        false
    }

    /// Whether its scores keep an order by numbers ([`gleaner_lang::program::monotone`]), with these settings. A learner that keeps
    /// it reads `monotone`, and learns by the modes of its task, which have the order.
    ///
    /// # Errors
    ///
    /// What stands in the way.
    fn keeps_order(_settings: &Settings) -> Result<(), Disorder> {
        Err(Disorder::Learner)
    }

    /// The settings of the learners that it learns by, each with its name, as the user made them.
    fn others(_settings: &Settings) -> Vec<Settings> {
        Vec::new()
    }

    /// Whether searches by the left and by the right settings find the same.
    fn same_search(left: &Self::Config, right: &Self::Config) -> bool;

    /// The settings that only its search reads, if clauses can be given in place of a search ([`Task::given`]).
    fn only_of_search(_settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        None
    }

    /// Searches, unless clauses are given.
    fn search(
        task: &Task<'_>,
        config: &Self::Config,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Self::Found;

    /// The record of the search.
    fn record(found: &Self::Found) -> SearchRecord;

    /// The points of the learning curve; the last holds all findings.
    fn points(config: &Self::Config, found: &Self::Found) -> Vec<CurvePoint<Self::Part>>;

    /// Ever larger parts of the findings, smallest first: they make the model if there is no time for all of it. None
    /// where a part costs as much as the whole.
    fn lesser(_config: &Self::Config, _found: &Self::Found) -> Vec<CurvePoint<Self::Part>> {
        Vec::new()
    }

    /// The model of a part of the findings.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn fit(
        config: &Self::Config,
        found: &Self::Found,
        part: &Self::Part,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted>;
}

/// Why scores keep no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disorder {
    /// The learner may count what an example has for it and against it.
    Learner,
    /// A setting has a word by which scores may fall with one clause more.
    Setting {
        /// The setting's name.
        name: &'static str,
        /// Its words by which scores keep an order.
        kept_by: Vec<&'static str>,
    },
}

impl Disorder {
    /// Nothing stands in the way if a setting has one of some words.
    ///
    /// # Errors
    ///
    /// [`Disorder::Setting`] if it has another.
    pub fn unless<W: Word>(name: &'static str, word: W, is_kept_by: impl Fn(W) -> bool) -> Result<(), Self> {
        if is_kept_by(word) {
            return Ok(());
        }
        let words = W::WORDS.iter().filter(|&&(_, word)| is_kept_by(word));
        Err(Self::Setting { name, kept_by: words.map(|&(word, _)| word).collect() })
    }
}

/// A part of the findings: how good would a shorter search have been? Without its type, it holds whatever its learner
/// calls a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurvePoint<P = Box<dyn Any + Send + Sync>> {
    /// The name of the point, as `50x10000` (seeds by clauses each), `100x25` (theories by clauses each) or
    /// `20 rounds`.
    pub name: String,
    /// Clauses evaluated for it, all told.
    pub n_evaluated: u64,
    /// The part.
    pub part: P,
}

/// The name for all of a search where runs differ in its size.
pub const WHOLE: &str = "all";

/// The means to make a model, beside the findings.
#[derive(Clone, Copy, Debug)]
pub struct Fitting<'a> {
    /// Covers on train.
    pub train: &'a Covers<'a>,
    /// Covers on tune.
    pub tune: &'a Covers<'a>,
    /// What the labels of the examples are.
    pub labels: &'a Labels,
    /// Names the random streams.
    pub stream: StreamPath,
    /// Outer stops.
    pub budget: &'a Budget,
    /// Clauses of the run that were reduced before.
    pub reduced: &'a ReducedClauses,
}

impl Fitting<'_> {
    /// Reduces a model's clauses, where that is wanted. Reduced clauses cover the same examples of train and of tune.
    /// So all that the model holds of these sets stays true, and so does the order of its clauses.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn reduce<'c>(
        &self,
        wanted: ReduceClauses,
        clauses: impl IntoIterator<Item = &'c mut Clause>,
    ) -> Result<(), Interrupted> {
        let Self { train, tune, budget, .. } = *self;
        match wanted {
            ReduceClauses::None => Ok(()),
            ReduceClauses::TrainAndTune => {
                self.reduced.replace(clauses.into_iter().collect(), &Reducing { train, tune, budget })
            }
        }
    }
}

/// Where the random streams of one run come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPath {
    /// The seed that all random streams flow from.
    pub rng_seed: u64,
    /// The number of the run in its experiment.
    pub run_idx: u64,
}

/// A model, with the model and the scores that may be measured on tune.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The model.
    pub model: Arc<dyn Model>,
    /// The model before it, where the model has learnt from tune itself, so that tune flatters it.
    pub before_tune: Option<Arc<dyn Model>>,
    /// Scores of examples of train and tune by models that did not learn from them, if the learner has such. They are
    /// the best scores to calibrate probabilities on.
    pub held_out: Option<HeldOut>,
}

impl Learnt {
    /// A model that tune has not taught.
    pub fn new(model: impl Model) -> Self {
        Self { model: Arc::new(model), before_tune: None, held_out: None }
    }

    /// The model that tune has not taught.
    pub fn on_tune(&self) -> &dyn Model {
        self.before_tune.as_deref().unwrap_or(&*self.model)
    }
}

/// A learner without its types.
pub trait AnyLearner: fmt::Debug + Send + Sync {
    /// Its names.
    fn names(&self) -> &'static [LearnerName];

    /// Whether one of them is this.
    fn has_name(&self, name: &str) -> bool {
        self.names().iter().any(|known| known.name == name)
    }

    /// The settings of its own that it reads.
    fn declarations(&self) -> Vec<&'static dyn Declaration>;

    /// Whether it learns a target that is a number.
    fn learns_numbers(&self) -> bool;

    /// Whether it learns by other learners, whose settings it reads beside its own.
    fn learns_by_others(&self) -> bool;

    /// Whether its scores keep an order by numbers, with these settings.
    ///
    /// # Errors
    ///
    /// What stands in the way.
    fn keeps_order(&self, settings: &Settings) -> Result<(), Disorder>;

    /// The settings of the learners that it learns by, each with its name, as the user made them.
    fn others(&self, settings: &Settings) -> Vec<Settings>;

    /// Defaults other than the settings' own under one of its names: setting and default.
    fn own_defaults(&self, name: &str) -> &'static [(&'static str, &'static str)];

    /// The names of all tables that it may write into a run's folder.
    fn tables(&self) -> &'static [&'static str];

    /// The settings that only its search reads, if clauses can be given in place of a search.
    fn only_of_search(&self, settings: &Settings) -> Option<Vec<&'static dyn Declaration>>;

    /// The learner with the settings given; `auto` ones depend on the data.
    fn configured(&self, settings: &Settings, data: DataSummary) -> Box<dyn Configured>;

    /// Whether a clause that covers an example may speak against it.
    fn may_speak_against(&self) -> bool;

    /// Reads one of its models from a file's text.
    ///
    /// # Errors
    ///
    /// When the text is none.
    fn read_model(&self, text: &str) -> Result<Box<dyn Saved>, serde_json::Error>;

    /// Reads the record that only this learner has of a search.
    ///
    /// # Errors
    ///
    /// When the text is no such record.
    fn read_own(&self, text: &str) -> Result<Own, serde_json::Error>;
}

impl<L: Learner> AnyLearner for L {
    fn names(&self) -> &'static [LearnerName] {
        L::NAMES
    }

    fn declarations(&self) -> Vec<&'static dyn Declaration> {
        L::Config::declarations()
    }

    fn learns_numbers(&self) -> bool {
        L::LEARNS_NUMBERS
    }

    fn learns_by_others(&self) -> bool {
        L::LEARNS_BY_OTHERS
    }

    fn keeps_order(&self, settings: &Settings) -> Result<(), Disorder> {
        L::keeps_order(settings)
    }

    fn others(&self, settings: &Settings) -> Vec<Settings> {
        L::others(settings)
    }

    fn own_defaults(&self, name: &str) -> &'static [(&'static str, &'static str)] {
        L::own_defaults_of(name)
    }

    fn tables(&self) -> &'static [&'static str] {
        L::TABLES
    }

    fn only_of_search(&self, settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        L::only_of_search(settings)
    }

    fn configured(&self, settings: &Settings, data: DataSummary) -> Box<dyn Configured> {
        Box::new(WithConfig::<L> { config: SettingGroup::read(&Given { settings, data }) })
    }

    fn may_speak_against(&self) -> bool {
        L::MAY_SPEAK_AGAINST
    }

    fn read_model(&self, text: &str) -> Result<Box<dyn Saved>, serde_json::Error> {
        let of_head = || serde_json::from_str::<<L::Saved as Checked>::Head>(text).err();
        let saved: L::Saved = serde_json::from_str(text).map_err(|error| of_head().unwrap_or(error))?;
        Ok(Box::new(saved))
    }

    fn read_own(&self, text: &str) -> Result<Own, serde_json::Error> {
        serde_json::from_str::<L::Own>(text).map(Own::new)
    }
}

/// A learner with its settings, without its types.
pub trait Configured: Any + fmt::Debug + Send + Sync {
    /// Whether a search by these settings finds the same as one by the other settings.
    fn same_search(&self, other: &dyn Configured) -> bool;

    /// Whether the findings do not depend on which of many classes is learnt.
    fn finds_for_all_classes(&self) -> bool;

    /// Whether it is cross-fitted.
    fn is_cross_fitted(&self) -> bool;

    /// Searches.
    fn search(&self, task: &Task<'_>, context: &RunContext<'_>, stores: SetStores<'_, '_>) -> Found;

    /// The findings of a search that finds nothing: making their model takes no time.
    fn nothing(&self) -> Found;

    /// The points of the learning curve; the last holds all findings. If an outer stop cut the search short, there is
    /// only this point: the parts of the search were not reached alike.
    ///
    /// # Panics
    ///
    /// When another learner found it, which is a bug.
    fn points(&self, found: &Found) -> Vec<CurvePoint>;

    /// Ever larger parts of the findings, smallest first: they make the model if there is no time for all of it.
    ///
    /// # Panics
    ///
    /// When another learner found it, which is a bug.
    fn lesser(&self, found: &Found) -> Vec<CurvePoint>;

    /// The model of a part of the findings.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    ///
    /// # Panics
    ///
    /// When another learner found it, which is a bug.
    fn fit(&self, found: &Found, point: &CurvePoint, fitting: &Fitting<'_>) -> Result<Learnt, Interrupted>;
}

/// The findings of a search, without their type, and the record of the search.
#[derive(Debug)]
pub struct Found {
    /// The record of the search.
    pub record: SearchRecord,
    what: Box<dyn Any + Send + Sync>,
}

impl Found {
    /// The findings, if they are of this type.
    pub fn what<T: 'static>(&self) -> Option<&T> {
        self.what.downcast_ref()
    }
}

#[derive(Debug)]
struct WithConfig<L: Learner> {
    config: L::Config,
}

impl<L: Learner> WithConfig<L> {
    fn own(found: &Found) -> &L::Found {
        found.what().expect("a learner is asked of what it found itself")
    }
}

fn untyped<P: Any + Send + Sync>(CurvePoint { name, n_evaluated, part }: CurvePoint<P>) -> CurvePoint {
    CurvePoint { name, n_evaluated, part: Box::new(part) }
}

impl<L: Learner> Configured for WithConfig<L> {
    fn same_search(&self, other: &dyn Configured) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| L::same_search(&self.config, &other.config))
    }

    fn finds_for_all_classes(&self) -> bool {
        L::FINDS_FOR_ALL_CLASSES
    }

    fn is_cross_fitted(&self) -> bool {
        L::is_cross_fitted(&self.config)
    }

    fn search(&self, task: &Task<'_>, context: &RunContext<'_>, stores: SetStores<'_, '_>) -> Found {
        let found = L::search(task, &self.config, context, stores);
        Found { record: L::record(&found), what: Box::new(found) }
    }

    fn nothing(&self) -> Found {
        let found = L::Found::default();
        Found { record: L::record(&found), what: Box::new(found) }
    }

    fn points(&self, found: &Found) -> Vec<CurvePoint> {
        let mut points = L::points(&self.config, Self::own(found));
        if found.record.is_stopped() {
            points.drain(..points.len().saturating_sub(1));
            points.iter_mut().for_each(|whole| WHOLE.clone_into(&mut whole.name));
        }
        points.into_iter().map(untyped).collect()
    }

    fn lesser(&self, found: &Found) -> Vec<CurvePoint> {
        L::lesser(&self.config, Self::own(found)).into_iter().map(untyped).collect()
    }

    fn fit(&self, found: &Found, point: &CurvePoint, fitting: &Fitting<'_>) -> Result<Learnt, Interrupted> {
        let part = point.part.downcast_ref().expect("a learner is asked for its own points");
        L::fit(&self.config, Self::own(found), part, fitting)
    }
}
