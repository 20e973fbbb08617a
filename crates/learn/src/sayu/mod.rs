//! Networks over clauses that grow with the search: SAYU, nFOIL and kFOIL.
//!
//! Clauses are searched for from one seed example after another. A clause becomes a feature of the network if the
//! network's score rises enough with it. The three learners are one loop with other defaults:
//!
//! - SAYU keeps the first clause that raises the area on tune enough `[SAYU]`;
//! - nFOIL keeps the clause with which train is most likely `[NFOIL]`;
//! - kFOIL keeps the clause with which a support vector machine ranks train best `[KFOIL]`.
//!
//! DIVERGENCE: kFOIL scores a clause by the accuracy of its machine, which skewed classes make constant; here by the area.
//! SAYU-VISTA's predicates, which are invented as the network grows, are left out: its summaries do not say how.
//!
//! 1. [`grouping`]: the examples of a set, those that the features do not tell apart together.
//!    Then naive Bayes, its tree-augmented form, or a support vector machine is fitted over clauses.
//! 2. [`judge`]: the score that the network would have with one clause more.
//! 3. [`mod@grow`]: seeds, searches, and the clauses that are kept.

pub mod grouping;
pub mod grow;
pub mod judge;

use std::fmt::Write;
use std::sync::Arc;

use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::network::NetworkModel;
use crate::record::{OwnRecord, SearchRecord};
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::saved::CountedClause;
use crate::shared_config::{CURVE_CLAUSES, MIN_TUNE_POSITIVES, OPERATING_POINT, SEEDS, SMOOTHING, Smoothing};
use crate::shown::Noun;
use crate::{Covers, OperatingPoint, RunContext, SetStores, Task};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::{MAX_LITERALS, SearchConfig, SearchLimits};
use gleaner_lang::program::Clause;
use gleaner_lang::program::settings::{Group, LARGE, Setting, settings, words};

use grouping::CoveredSet;

pub use grow::{GrownFeature, GrownNetwork, grow};

words! {
    /// The network that scores examples by the clauses that cover them.
    pub enum NetworkKind {
        /// Naive Bayes: clauses are independent given the class.
        NaiveBayes = "naive-bayes",
        /// Naive Bayes in which each clause depends on at most one other.
        Tan = "tan",
        /// A support vector machine with the linear kernel.
        Svm = "svm",
        /// A support vector machine with the kernel `(1 + x·x')²`.
        PolynomialSvm = "polynomial-svm",
    }
}

words! {
    /// The score that a clause must raise.
    pub enum NetworkScore {
        /// The area under the precision-recall curve of tune.
        TuneAucPr = "tune-auc-pr",
        /// The area under the precision-recall curve of train.
        TrainAucPr = "train-auc-pr",
        /// The conditional log-likelihood of the classes of train, by the logistic of the score.
        TrainLikelihood = "train-likelihood",
        /// The same of tune: the highest where the mean cross entropy of tune is the least. [GLEANER §7.3]
        TuneLikelihood = "tune-likelihood",
    }
}

words! {
    /// The clause of a seed that is kept.
    pub enum Adoption {
        /// The first that raises the score enough; the search of its seed then ends.
        Eager = "eager",
        /// The clause that raises the score most.
        Best = "best",
    }
}

words! {
    /// The measure that the search for a clause maximises.
    pub enum Guide {
        /// The score of the clause alone.
        Score = "score",
        /// The score of the network with the clause.
        Network = "network",
    }
}

words! {
    /// The examples that the numbers of the last network are estimated on.
    pub enum NetworkFit {
        /// Train.
        Train = "train",
        /// Train and tune together.
        TrainAndTune = "train-and-tune",
    }
}

/// The name of the setting for the kind of network.
const NETWORK: &str = "network";

const SVMS: &[&str] = &[NetworkKind::Svm.word(), NetworkKind::PolynomialSvm.word()];

settings! {
    /// Settings of networks over clauses.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SayuConfig {
        /// The network that scores examples.
        pub network: NetworkKind = Setting::new(NETWORK, "naive-bayes")
            .help("Model that scores examples by clauses: naive Bayes, its tree-augmented form, a support vector \
                 machine")
            .source("[SAYU], [NFOIL], [KFOIL]"),
        /// The score that a clause must raise.
        pub score: NetworkScore = Setting::new("network-score", "tune-auc-pr")
            .help("What a clause must raise to be kept: an area, or the likelihood of the classes")
            .source("[SAYU]: tune-auc-pr; [NFOIL]: train-likelihood; [GLEANER §7.3]: cross entropy"),
        /// The least rise, as a share of the score before.
        pub least_rise: f64 = Setting::within("least-rise", 0.0..=1_000.0, "0.02")
            .unit("share")
            .help("How much a clause must raise the network's score, as a share of the score before")
            .source("[SAYU]: 0.02; [NFOIL]: 0.001"),
        /// The clause of a seed that is kept.
        pub adoption: Adoption = Setting::new("adoption", "eager")
            .help("Which clause of a seed is kept: the first that raises the score enough, or the best")
            .source("[SAYU]: eager; [NFOIL]: best"),
        /// The measure that the search for a clause maximises.
        pub guide: Guide = Setting::new("guide", "score")
            .help("What the search for a clause maximises: ⁅score⁆ of the clause, or the network's score with it")
            .source("[SAYU]: score; [NFOIL]: network"),
        /// Most clauses of the network, `None` for any number.
        pub max_clauses: Option<usize> = Setting::auto("network-clauses", 1..=LARGE, |_| None)
            .unit("clauses")
            .help("Most clauses of a network; auto: any number")
            .source("[NFOIL]: 25"),
        /// The weight of mistakes beside the weights' squares.
        pub cost: f64 = Setting::within("network-cost", 1e-9..=1e9, "1")
            .only(NETWORK, SVMS)
            .unit("weight")
            .help("C: weight of mistakes in a network that is a support vector machine")
            .source("our own"),
        /// The examples that the numbers of the last network are estimated on.
        pub fit: NetworkFit = Setting::new("network-fit", "train")
            .help("Examples on which the network's numbers are estimated")
            .source("our own"),
        /// Numbers of clauses, ascending, at which the area of smaller networks is noted too.
        pub curve_clauses: Vec<usize> = &CURVE_CLAUSES,
        /// The pseudo-counts that naive Bayes and TAN add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// Seed examples searched from.
        pub n_seeds: usize = &SEEDS,
        /// Limits of each seed's search.
        pub limits: SearchLimits = Group,
        /// The search for one clause.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
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

/// SAYU's defaults that differ from the settings' own. Numbers of clauses, least precision and cost, here and below,
/// were chosen on generated problems, two universities and two of sentences, and on tune areas of UW-CSE. No source
/// names them.
const SAYU_DEFAULTS: &[(&str, &str)] = &[("clauses", "1000"), ("min-precision", "0.1")];

/// nFOIL's defaults that differ from the settings' own.
const NFOIL_DEFAULTS: &[(&str, &str)] = &[
    ("network-score", "train-likelihood"),
    ("least-rise", "0.001"),
    ("adoption", "best"),
    ("guide", "network"),
    ("network-clauses", "25"),
    ("search", "beam"),
    ("beam-width", "5"),
    ("clauses", "1000"),
    ("min-precision", "0.1"),
];

/// kFOIL's defaults that differ from the settings' own.
const KFOIL_DEFAULTS: &[(&str, &str)] = &[
    ("network", "svm"),
    ("network-score", "train-auc-pr"),
    ("network-cost", "0.01"),
    ("least-rise", "0.001"),
    ("adoption", "best"),
    ("guide", "network"),
    ("network-clauses", "25"),
    ("search", "beam"),
    ("beam-width", "5"),
    ("clauses", "300"),
    ("min-precision", "0.1"),
];

/// SAYU, nFOIL and kFOIL: one loop with other defaults.
#[derive(Clone, Copy, Debug)]
pub struct Sayu;

const NFOIL: &str = "nfoil";

const KFOIL: &str = "kfoil";

impl Learner for Sayu {
    type Config = SayuConfig;
    type Found = GrownNetwork;
    /// The number of first clauses.
    type Part = usize;
    type Own = GrownRecord;
    type Saved = NetworkModel<String>;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "sayu", help: "a Bayesian network over clauses, each raising its area on tune" },
        LearnerName { name: NFOIL, help: "naive Bayes over clauses, each the likeliest beside those before" },
        LearnerName { name: KFOIL, help: "a support vector machine over clauses, grown as nfoil's network" },
    ];

    const MAY_SPEAK_AGAINST: bool = true;

    fn own_defaults_of(name: &str) -> &'static [(&'static str, &'static str)] {
        match name {
            NFOIL => NFOIL_DEFAULTS,
            KFOIL => KFOIL_DEFAULTS,
            _ => SAYU_DEFAULTS,
        }
    }

    fn same_search(left: &SayuConfig, right: &SayuConfig) -> bool {
        let fitted_alike = SayuConfig {
            fit: left.fit,
            curve_clauses: left.curve_clauses.clone(),
            reduce_clauses: left.reduce_clauses,
            operating_point: left.operating_point,
            ..right.clone()
        };
        fitted_alike == *left
    }

    fn search(
        task: &Task<'_>,
        config: &SayuConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> GrownNetwork {
        grow(task, config, context, stores)
    }

    fn record(found: &GrownNetwork) -> SearchRecord {
        let own = GrownRecord { network: NetworkRecord::of(found) };
        SearchRecord::new(found.searches.clone(), found.stop, own)
    }

    /// The first clauses, in each number asked for, and all clauses.
    fn points(config: &SayuConfig, found: &GrownNetwork) -> Vec<CurvePoint<usize>> {
        let n_clauses = found.features.len();
        let sizes = config.curve_clauses.iter().copied().filter(|size| (1..n_clauses).contains(size));
        let mut points: Vec<CurvePoint<usize>> = sizes
            .map(|size| CurvePoint {
                name: format!("{size} clauses"),
                n_evaluated: found.features[size - 1].n_evaluated,
                part: size,
            })
            .collect();
        // The whole, with the seeds that gave no clause.
        points.push(CurvePoint { name: WHOLE.to_owned(), n_evaluated: found.n_evaluated, part: n_clauses });
        points
    }

    fn fit(
        config: &SayuConfig,
        found: &GrownNetwork,
        part: &usize,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let learnt = learn_from(found, *part, config, fitting)?;
        let mut model = learnt.model;
        let clauses = model.clauses.iter_mut().map(|counted| &mut counted.clause);
        fitting.reduce(config.reduce_clauses, clauses)?;
        let before_tune = match config.fit {
            NetworkFit::Train => None,
            NetworkFit::TrainAndTune => Some(Arc::new(learnt.of_train) as _),
        };
        Ok(Learnt { before_tune, ..Learnt::new(model) })
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GrownRecord {
    /// The network.
    pub network: NetworkRecord,
}

/// A network as it grew.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NetworkRecord {
    /// Seed examples searched from.
    pub seeds: usize,
    /// The network's score without clauses.
    empty_score: f64,
    /// The network's score with each clause that was kept.
    pub scores: Vec<f64>,
}

impl NetworkRecord {
    fn of(found: &GrownNetwork) -> Self {
        Self {
            seeds: found.searches.len(),
            empty_score: found.empty_value,
            scores: found.features.iter().map(|feature| feature.value).collect(),
        }
    }
}

impl OwnRecord for GrownRecord {
    /// Says how many clauses were kept, and what the network scored before and after.
    fn lines(&self) -> String {
        let NetworkRecord { seeds, empty_score, scores } = &self.network;
        let mut line = format!("{} of {seeds} seeds gave a clause", scores.len());
        if let Some(last) = scores.last() {
            let _ = write!(line, "; the network's score rose from {empty_score:.4} to {last:.4}");
        }
        line + "\n"
    }

    fn lines_of_runs(&self, further: &[&dyn OwnRecord]) -> String {
        let further = further.iter().filter_map(|record| record.downcast::<Self>());
        let runs: Vec<&NetworkRecord> =
            std::iter::once(self).chain(further).map(|record| &record.network).collect();
        let mut sizes: Vec<usize> = runs.iter().map(|run| run.scores.len()).collect();
        sizes.sort_unstable();
        let n_seeds: usize = runs.iter().map(|run| run.seeds).sum();
        let [least, median, most] = [0, sizes.len() / 2, sizes.len() - 1].map(|at| sizes[at]);
        let seeds = Noun::SEEDS.counted(n_seeds);
        format!("{seeds} gave networks of {least} to {most} clauses (median {median})\n")
    }
}

/// A model, and the model whose numbers are of train alone.
#[derive(Clone, Debug)]
pub struct LearntSayu {
    /// The model.
    pub model: NetworkModel,
    /// The model whose numbers are of train.
    pub of_train: NetworkModel,
}

/// The model of the first clauses of a network.
///
/// DIVERGENCE: the sources do not say which examples the last network's numbers are of, nor how it decides.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    found: &GrownNetwork,
    n_clauses: usize,
    config: &SayuConfig,
    fitting: &Fitting<'_>,
) -> Result<LearntSayu, Interrupted> {
    let Fitting { train, tune, budget, .. } = *fitting;
    let grown = &found.features[..n_clauses.min(found.features.len())];
    let clauses: Vec<&Clause> = grown.iter().map(|feature| &feature.clause).collect();
    let on_train = train.all(&clauses, budget)?;
    let on_tune = tune.all(&clauses, budget)?;
    let set_of = |covers: &Covers<'_>| (covers.universe().classes(), covers.universe().len());
    let set = |(classes, len), covers| CoveredSet { classes, len, covers };
    let (of_train, of_tune) = (set(set_of(train), &on_train[..]), set(set_of(tune), &on_tune[..]));
    let counted: Vec<CountedClause> = grown
        .iter()
        .zip(&on_tune)
        .map(|(feature, cover)| CountedClause {
            clause: feature.clause.clone(),
            train: feature.train,
            tune: tune.universe().counts(cover),
        })
        .collect();
    let model = |sets: &[CoveredSet<'_>]| NetworkModel {
        decision: ChosenThreshold::none(tune.universe().totals()),
        network: config.form().fit(sets),
        clauses: counted.clone(),
    };
    let learnt_from_train = model(&[of_train]);
    let learnt = match config.fit {
        NetworkFit::Train => learnt_from_train.clone(),
        NetworkFit::TrainAndTune => model(&[of_train, of_tune]),
    };
    Ok(LearntSayu { model: learnt, of_train: learnt_from_train })
}
