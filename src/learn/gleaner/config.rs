//! Gleaner's settings, checked.

use crate::bias::SaturationConfig;
use crate::learn::OperatingPoint;
use crate::learn::shared_config::MinPositives;
use crate::program::settings::{Settings, parse_integers, parse_keep};
use crate::search::{SearchConfig, SearchLimits};

/// Which clauses a seed keeps for a bin. [GLEANER §10.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The best.
    Best,
    /// The best of each restart ("per jump"); the same coverage may be kept by several.
    BestPerRestart,
    /// So many of the best, at least 1, no two with equal counts: such clauses mostly cover the same.
    BestFew(usize),
}

/// Which axis the bins divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Partition {
    /// Recall; within a bin precision × recall decides. [GLEANER §3.1.1]
    #[default]
    Recall,
    /// The false positive rate, for balanced data; within a bin recall decides. [GLEANER §10.2]
    Roc,
}

/// Which negatives count more often than once in the score that steers a search. [GLEANER §6.1.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emphasis {
    /// None.
    None,
    /// Negative salt: one random negative of each seed, 5,000 times.
    Salt,
    /// Negative multiply: nothing for the first of each four seeds; 1 % of the negatives 50 times for the
    /// second, 0.5 % 100 times for the third, 0.1 % 500 times for the fourth.
    Multiply,
}

/// Which clauses of a theory vote. [GLEANER §8.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// All.
    All,
    /// Those of highest tune precision, as many as give the largest area on tune.
    Sorted,
}

/// Which clauses vote together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TheoryRule {
    /// Those of one bin: a theory for each bin. [GLEANER §3.1.2]
    Bins,
    /// Those of all bins, in one theory.
    ///
    /// DIVERGENCE from the thesis: where a bin holds few good clauses, no threshold of its theory is
    /// good either; in one theory the clauses of precise bins vote beside those of large ones.
    Union,
}

/// The examples that thresholds are chosen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThresholdSet {
    /// Tune, as the thesis's table of the algorithm has it.
    Tune,
    /// Train and tune together, between the thesis's table (tune) and its text (train): a small tune
    /// set has too few positives to place a threshold in each recall bin.
    TrainAndTune,
}

/// What a clause's vote weighs. [GLEANER §8.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteWeights {
    /// One.
    Equal,
    /// The clause's precision on train.
    Precision,
    /// `(TP / (TP + FP + 3))^5 / TP`: the fifth power of a precision that is shrunken as if three more
    /// negatives were covered, shared by the train positives that the clause covers.
    ///
    /// DIVERGENCE from the thesis, whose weight is precision itself. A clause is found again from each
    /// seed that it covers, so where every finding counts, clauses of many positives gather votes for
    /// their size alone: the share undoes this. Many imprecise clauses outvote a precise one unless the
    /// weight falls faster than precision, and shrinking keeps clauses of two or three examples from
    /// ruling.
    Shared,
    /// The log-odds that a clause adds to a naive Bayes classifier, from tune with Laplace's smoothing. A
    /// clause that speaks against an example is a vote for those it does not cover.
    NaiveBayes,
}

/// What several seeds' clauses of one train coverage count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duplicates {
    /// One vote together.
    Merge,
    /// One vote for each time that it was kept: once for a seed, or for a restart of one.
    Count,
}

/// How thresholds are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThresholdRule {
    /// For each bin, over all theories and numbers of votes, the point of highest precision in it.
    BestOverlap,
    /// For each bin's own theory, the number of votes whose recall is nearest to the bin's upper edge.
    OwnBin,
}

/// Settings of Gleaner.
#[derive(Clone, Debug, PartialEq)]
pub struct GleanerConfig {
    /// `K`: seed examples searched from.
    pub n_seeds: usize,
    /// `B`: recall bins.
    pub n_bins: usize,
    /// What the bins divide.
    pub partition: Partition,
    /// Negatives that count more often in the score.
    pub emphasis: Emphasis,
    /// Limits of each seed's search; `clauses` is `N`.
    pub limits: SearchLimits,
    /// Numbers of clauses per seed, ascending and below `N`, at which the bins are noted too.
    pub checkpoints: Vec<u64>,
    /// The search.
    pub search: SearchConfig,
    /// Limits of saturation.
    pub saturation: SaturationConfig,
    /// Most literals of a clause, head included.
    pub max_literals: usize,
    /// Fewest tune positives of a clause that votes.
    pub min_tune_positives: usize,
    /// Which clauses a seed keeps.
    pub keep: Keep,
    /// Which clauses vote together.
    pub theories: TheoryRule,
    /// What a vote weighs.
    pub votes: VoteWeights,
    /// What duplicates count.
    pub duplicates: Duplicates,
    /// Which clauses of a theory vote.
    pub selection: Selection,
    /// Bins of recall that a threshold is chosen for.
    pub n_threshold_bins: usize,
    /// How thresholds are chosen.
    pub thresholds: ThresholdRule,
    /// What thresholds are chosen on.
    pub threshold_set: ThresholdSet,
    /// What `predict` decides by.
    pub operating_point: OperatingPoint,
}

impl GleanerConfig {
    /// The configuration that the settings name; `auto` settings depend on the number of train positives.
    ///
    /// # Panics
    ///
    /// When a setting holds a value outside the table's range, which its constructor rules out.
    #[must_use]
    pub fn of(settings: &Settings, n_train_positives: usize) -> Self {
        let min_positives = MinPositives::of(settings, n_train_positives);
        let size = |name: &str| settings.size(name).expect("the setting has a default");
        let n_bins = size("bins");
        let theories = if settings.word("theories") == "bins" { TheoryRule::Bins } else { TheoryRule::Union };
        Self {
            n_seeds: size("seeds"),
            n_bins,
            limits: SearchLimits::of(settings, min_positives.train),
            checkpoints: parse_integers(&settings.word("learning-curve")).expect("checked when it was set"),
            search: SearchConfig::of(settings),
            saturation: SaturationConfig::of(settings),
            max_literals: size("max-literals"),
            min_tune_positives: min_positives.tune,
            partition: if settings.word("partition") == "roc" { Partition::Roc } else { Partition::Recall },
            emphasis: match settings.word("emphasis").as_str() {
                "salt" => Emphasis::Salt,
                "multiply" => Emphasis::Multiply,
                _ => Emphasis::None,
            },
            keep: match parse_keep(&settings.word("keep")) {
                Some(Some(1)) => Keep::Best,
                Some(Some(few)) => Keep::BestFew(few),
                _ => Keep::BestPerRestart,
            },
            selection: if settings.word("selection") == "sorted" {
                Selection::Sorted
            } else {
                Selection::All
            },
            theories,
            votes: match settings.word("votes").as_str() {
                "precision" => VoteWeights::Precision,
                "shared" => VoteWeights::Shared,
                "naive-bayes" => VoteWeights::NaiveBayes,
                _ => VoteWeights::Equal,
            },
            duplicates: if settings.word("duplicates") == "count" {
                Duplicates::Count
            } else {
                Duplicates::Merge
            },
            n_threshold_bins: settings
                .size("threshold-bins")
                .unwrap_or_else(|| default_threshold_bins(theories, n_bins)),
            thresholds: if settings.word("thresholds") == "own-bin" {
                ThresholdRule::OwnBin
            } else {
                ThresholdRule::BestOverlap
            },
            threshold_set: if settings.word("threshold-set") == "tune" {
                ThresholdSet::Tune
            } else {
                ThresholdSet::TrainAndTune
            },
            operating_point: OperatingPoint::of(settings),
        }
    }

    /// Whether a gathering by the other settings is one by these: they differ at most in how clauses are
    /// combined.
    #[must_use]
    pub fn same_search(&self, other: &Self) -> bool {
        let combined_alike = Self {
            min_tune_positives: self.min_tune_positives,
            theories: self.theories,
            votes: self.votes,
            duplicates: self.duplicates,
            selection: self.selection,
            n_threshold_bins: self.n_threshold_bins,
            thresholds: self.thresholds,
            threshold_set: self.threshold_set,
            operating_point: self.operating_point,
            ..other.clone()
        };
        combined_alike == *self
    }

    /// The checkpoints, then `N` itself.
    #[must_use]
    pub fn all_checkpoints(&self) -> Vec<u64> {
        self.checkpoints
            .iter()
            .copied()
            .filter(|&at| at < self.limits.clauses)
            .chain([self.limits.clauses])
            .collect()
    }
}

/// The default number of bins of recall that a threshold is chosen for: those of the theories, or
/// hundredths for the theory of all bins.
///
/// DIVERGENCE from the thesis, which knows no theory of all bins: its points on test need not be as
/// coarse as the bins that clauses are kept in. On the planted problems twenty points lose 0.01 of the
/// area of the ranking by votes, a hundred lose 0.002.
#[must_use]
pub const fn default_threshold_bins(theories: TheoryRule, n_bins: usize) -> usize {
    match theories {
        TheoryRule::Bins => n_bins,
        TheoryRule::Union if n_bins > 100 => n_bins,
        TheoryRule::Union => 100,
    }
}
