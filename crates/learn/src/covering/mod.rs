//! Covering theories, as Aleph learns them, and ensembles of them. [GLEANER §3.2, §8]
//!
//! 1. [`mod@grow`]: from uncovered seed examples one clause after another is added to a theory.
//! 2. [`weights`]: a theory's clauses score examples; of an ensemble each theory has a vote.
//! 3. [`model`]: theories, their scorer, and the threshold that decides.

pub mod grow;
pub mod model;
pub mod weights;

use std::fmt::Write;

use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::record::{OwnRecord, SearchRecord};
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{CURVE_CLAUSES, MIN_TUNE_POSITIVES, OPERATING_POINT, SMOOTHING, Smoothing};
use crate::shown::Noun;
use crate::{OperatingPoint, RunContext, SetStores, Task};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::{CLAUSES, MAX_LITERALS, SearchConfig, SearchLimits};
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, DataSummary, Declaration, Given, Group, LARGE, LEARNER, Setting, SettingGroup, Settings,
    Source, Word, settings, words,
};

pub use grow::{GrownPart, GrownTheory, Growth, LearntClause, bootstrap, grow};
pub use model::{CoveringModel, learn_from};
pub use weights::{Scorer, TheoryWeights};

words! {
    /// The learners of this room.
    pub enum CoveringVariant {
        /// One theory.
        Aleph = "aleph",
        /// Theories that vote.
        Ensemble = "aleph-ensemble",
    }
}

impl CoveringVariant {
    fn of(given: &Given<'_>) -> Self {
        Self::of_word(&given.settings.learner()).expect("a learner of this room is asked for")
    }
}

/// The defaults of covering learners that differ from the settings' own.
pub const OWN_DEFAULTS: &[(&str, &str)] = &[
    // [GLEANER §5.2, §8.2]
    ("clauses", "1000"),
    // [GLEANER §3.2]: heuristic search.
    ("search", "best-first"),
    // [GLEANER §5.1]: the best of those tried.
    ("score", "laplace"),
    // Our own, between the thesis's .75 for large data and .1 for small (§5.1, §8.2).
    ("min-precision", "0.5"),
];

words! {
    /// How a theory covers, as Aleph's commands of these names.
    pub enum Induction {
        /// Covered positives are removed: they count for no later clause.
        Induce = "induce",
        /// Covered positives are no seeds any more, but count for later clauses.
        InduceCover = "induce-cover",
        /// Every positive is a seed, and counts for every clause.
        InduceMax = "induce-max",
    }
}

words! {
    /// The train examples that each theory of an ensemble is learnt from.
    pub enum Resample {
        /// All.
        None = "none",
        /// A bootstrap sample of its own, as in bagging: see [`grow::bootstrap`].
        Bootstrap = "bootstrap",
    }
}

static THEORY_NODES: Setting<u64> = Setting::auto("theory-nodes", 1..=LARGE, |given| CLAUSES.read(given))
    .unit("clauses")
    .help("Clauses evaluated from each seed of a covering theory; auto: as ⁅clauses⁆ says")
    .source("[GLEANER §5.2]: 1,000 and 35,000");

/// The limits of searches, with the clauses that `theory-nodes` says.
struct TheoryLimits;

impl Source<SearchLimits> for TheoryLimits {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(&THEORY_NODES);
        SearchLimits::declare(list);
    }

    fn read(&self, given: &Given<'_>) -> SearchLimits {
        SearchLimits { clauses: THEORY_NODES.read(given), ..SettingGroup::read(given) }
    }
}

static ENSEMBLE_SIZE: Setting<usize> = Setting::within("ensemble-size", 1..=100_000, "100")
    .only(LEARNER, const { &[CoveringVariant::Ensemble.word()] })
    .unit("theories")
    .help("Theories of ⁅learner=aleph-ensemble⁆")
    .source("[GLEANER §5.2]");

/// One theory, or as many as an ensemble has.
struct NumberOfTheories;

impl Source<usize> for NumberOfTheories {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(&ENSEMBLE_SIZE);
    }

    fn read(&self, given: &Given<'_>) -> usize {
        match CoveringVariant::of(given) {
            CoveringVariant::Aleph => 1,
            CoveringVariant::Ensemble => ENSEMBLE_SIZE.read(given),
        }
    }
}

/// The name of the setting that says how the clauses of one theory score.
const THEORY_WEIGHTS: &str = "theory-weights";

settings! {
    /// Settings of covering theories.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CoveringConfig {
        /// `C`: the most clauses that a theory may have; `None` sets no limit.
        pub max_clauses: Option<usize> = Setting::auto("theory-clauses", 1..=LARGE, |_| None)
            .unit("clauses")
            .help("Most clauses of a covering theory; auto: no limit")
            .source("[GLEANER §5.1]: 50"),
        /// Limits of each seed's search; `clauses` are Aleph's nodes.
        pub limits: SearchLimits = TheoryLimits,
        /// How a theory covers.
        pub induction: Induction = Setting::new("induction", "induce")
            .help("Covered positives: they count no more, they only stop being seeds, or they stay")
            .source("Aleph's commands of these names"),
        /// Numbers of clauses in a theory, ascending, at which the area of smaller theories is noted too.
        pub curve_clauses: Vec<usize> = &CURVE_CLAUSES,
        /// How the clauses of one theory score an example; theories of an ensemble vote, not their clauses.
        pub weights: TheoryWeights = Setting::new(THEORY_WEIGHTS, "precision")
            .only(LEARNER, const { &[CoveringVariant::Aleph.word()] })
            .help("How the clauses of one theory score an example, from their cover on tune")
            .source("[GLEANER §8.2]"),
        /// The `m` of the ranked list's m-estimate.
        pub ranked_list_m: f64 = Setting::within("ranked-list-m", 0.001..=1_000_000.0, "2")
            .only(THEORY_WEIGHTS, const { &[TheoryWeights::RankedList.word()] })
            .recorded_where_changed()
            .unit("examples")
            .help("m of (TP + m) / (TP + FP + 2m), by which ⁅theory-weights=ranked-list⁆ orders clauses")
            .source("our own; [GLEANER §8.1] does not say its m"),
        /// The pseudo-counts that naive Bayes and TAN add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// `N`: theories, each from seeds of its own.
        pub n_theories: usize = NumberOfTheories,
        /// The train examples that each theory of an ensemble is learnt from.
        pub resample: Resample = Setting::new("resample", "none")
            .only(LEARNER, const { &[CoveringVariant::Ensemble.word()] })
            .recorded_where_changed()
            .help("What each theory of an ensemble is learnt from: all of train, or a bootstrap sample of its own")
            .source("[GLEANER §2.4]"),
        /// Whether theories vote, rather than the clauses of one.
        pub is_ensemble: bool = Computed(|given| CoveringVariant::of(given) == CoveringVariant::Ensemble),
        /// The search for one clause.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// Most literals of a clause, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Fewest tune positives of a clause.
        pub min_tune_positives: usize = &MIN_TUNE_POSITIVES,
        /// Whether clauses are reduced before they vote.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

/// Covering theories, one or an ensemble.
#[derive(Clone, Copy, Debug)]
pub struct Covering;

impl Learner for Covering {
    type Config = CoveringConfig;
    type Found = Growth;
    type Part = GrownPart;
    type Own = GrowthRecord;
    type Saved = CoveringModel<String>;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "aleph", help: "one covering theory, as Aleph learns it" },
        LearnerName { name: "aleph-ensemble", help: "an ensemble of covering theories that vote" },
    ];

    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] = OWN_DEFAULTS;

    /// Theories of an ensemble vote. Of one theory, one more clause that covers must not lower the score: a mean may fall.
    fn keeps_order(settings: &Settings) -> Result<(), Disorder> {
        let given = Given { settings, data: DataSummary::default() };
        if CoveringConfig::is_ensemble().read(&given) {
            return Ok(());
        }
        Disorder::unless(
            THEORY_WEIGHTS,
            CoveringConfig::weights().read(&given),
            TheoryWeights::are_for_positives,
        )
    }

    fn same_search(left: &CoveringConfig, right: &CoveringConfig) -> bool {
        let scored_alike = CoveringConfig {
            weights: left.weights,
            ranked_list_m: left.ranked_list_m,
            reduce_clauses: left.reduce_clauses,
            smoothing: left.smoothing,
            operating_point: left.operating_point,
            ..right.clone()
        };
        scored_alike == *left
    }

    fn search(
        task: &Task<'_>,
        config: &CoveringConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Growth {
        grow(task, config, context, stores)
    }

    fn record(found: &Growth) -> SearchRecord {
        let searches = |theory: &GrownTheory| theory.searches.clone();
        let searches = found.theories.iter().flat_map(searches).collect();
        let own = GrowthRecord { theories: found.theories.iter().map(TheoryRecord::of).collect() };
        // An ensemble has thousands.
        let n_told = found.theories.first().map_or(0, |theory| theory.searches.len());
        SearchRecord { n_told, ..SearchRecord::new(searches, found.stop, own) }
    }

    /// One clause of a tenth, a quarter, ... of the theories, then all theories at each number of clauses.
    fn points(config: &CoveringConfig, found: &Growth) -> Vec<CurvePoint<GrownPart>> {
        let n_theories = found.theories.len();
        let most = found.theories.iter().map(|theory| theory.clauses.len()).max().unwrap_or(0);
        let point = |n_theories: usize, n_clauses: usize| {
            let part = GrownPart { n_theories, n_clauses };
            let name = format!("{n_theories}x{n_clauses}");
            CurvePoint { name, n_evaluated: found.n_evaluated(part), part }
        };
        let mut points: Vec<CurvePoint<GrownPart>> = Vec::new();
        if config.is_ensemble {
            let mut fewer = [n_theories / 10, n_theories / 4, n_theories / 2, n_theories * 3 / 4].to_vec();
            fewer.retain(|&n| n > 0 && n < n_theories);
            fewer.dedup();
            points.extend(fewer.into_iter().map(|n| point(n, 1)));
        }
        let sizes = config.curve_clauses.iter().copied().filter(|&size| size <= most);
        points.extend(sizes.map(|size| point(n_theories, size)));
        // The whole, with the seeds that gave no clause.
        let whole = found.theories.iter().map(|theory| theory.n_evaluated).sum();
        points.push(CurvePoint { name: WHOLE.to_owned(), n_evaluated: whole, ..point(n_theories, most) });
        points
    }

    fn fit(
        config: &CoveringConfig,
        found: &Growth,
        part: &GrownPart,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let mut model = learn_from(found, *part, config, fitting)?;
        let members = model.theories.iter_mut().flatten();
        fitting.reduce(config.reduce_clauses, members.map(|member| &mut member.clause))?;
        Ok(Learnt::new(model))
    }
}

/// The record that only covering has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GrowthRecord {
    /// Each theory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub theories: Vec<TheoryRecord>,
}

/// A covering theory as it grew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TheoryRecord {
    /// Its clauses.
    pub clauses: usize,
    /// Seed examples searched from.
    pub seeds: usize,
    /// How many of these seeds gave no acceptable clause.
    singletons: usize,
    /// Clauses evaluated.
    pub evaluated: u64,
}

impl TheoryRecord {
    fn of(theory: &GrownTheory) -> Self {
        Self {
            clauses: theory.clauses.len(),
            seeds: theory.searches.len(),
            singletons: theory.n_singletons,
            evaluated: theory.n_evaluated,
        }
    }
}

impl OwnRecord for GrowthRecord {
    fn lines(&self) -> String {
        theories_line(&[self])
    }

    fn lines_of_runs(&self, further: &[&dyn OwnRecord]) -> String {
        let further = further.iter().filter_map(|record| record.downcast::<Self>());
        theories_line(&std::iter::once(self).chain(further).collect::<Vec<_>>())
    }
}

/// Sizes of theories, over searches, and how many seeds gave no clause.
fn theories_line(searches: &[&GrowthRecord]) -> String {
    let theories: Vec<_> = searches.iter().flat_map(|search| &search.theories).collect();
    let mut sizes: Vec<usize> = theories.iter().map(|theory| theory.clauses).collect();
    sizes.sort_unstable();
    let (Some(least), Some(most)) = (sizes.first(), sizes.last()) else { return String::new() };
    let n_singletons: usize = theories.iter().map(|theory| theory.singletons).sum();
    let n_seeds: usize = theories.iter().map(|theory| theory.seeds).sum();
    let mut line = String::new();
    if sizes.len() > 1 {
        let median = sizes[sizes.len() / 2];
        let _ = write!(line, "{} theories of {least} to {most} clauses (median {median}); ", sizes.len());
    }
    let _ = writeln!(line, "{n_singletons} of {} gave no clause", Noun::SEEDS.counted(n_seeds));
    line
}
