//! Gleaner's settings, checked.

use std::sync::{Arc, Mutex};

use crate::base::whole_number;
use crate::bias::SaturationConfig;
use crate::learn::OperatingPoint;
use crate::learn::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::learn::shared_config::{MIN_TUNE_POSITIVES, OPERATING_POINT, SEEDS, SMOOTHING, Smoothing};
use crate::program::settings::{Form, Group, Refusal, Setting, SettingType, Source, settings, words};
use crate::search::config::DIRECTED;
use crate::search::{MAX_LITERALS, SEARCH, SearchConfig, SearchKind, SearchLimits, Transfer};

/// Which clauses a seed keeps for a bin. [GLEANER §10.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The best.
    Best,
    /// The best of each restart ("per jump"); the same coverage may be kept by several.
    BestPerRestart,
    /// So many of the best, at least 1, no two with equal counts: such clauses mostly cover the same.
    BestFew(usize),
}

impl SettingType for Keep {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "WORD";

    fn accepted(_: &()) -> String {
        "best, best-per-restart, or best-M with M from 1, as best-5".to_owned()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        if text == "best-per-restart" {
            return Ok(Self::BestPerRestart);
        }
        let few = match text.strip_prefix("best-") {
            Some(number) => {
                whole_number(number).and_then(|few| usize::try_from(few).ok()).filter(|&few| few > 0)
            }
            None => (text == "best").then_some(1),
        };
        few.map(|few| if few == 1 { Self::Best } else { Self::BestFew(few) }).ok_or(Refusal::NotAccepted)
    }
}

words! {
    /// Which axis the bins divide.
    #[derive(Default)]
    pub enum Partition {
        /// Recall; within a bin precision × recall decides. [GLEANER §3.1.1]
        #[default]
        Recall = "recall",
        /// The false positive rate, for balanced data; within a bin recall decides. [GLEANER §10.2]
        Roc = "roc",
    }
}

words! {
    /// Which negatives count more often than once in the score that steers a search. [GLEANER §6.1.1]
    pub enum Emphasis {
        /// None.
        None = "none",
        /// Negative salt: one random negative of each seed, 5,000 times.
        Salt = "salt",
        /// Negative multiply: nothing for the first of each four seeds; 1 % of the negatives 50 times for the
        /// second, 0.5 % 100 times for the third, 0.1 % 500 times for the fourth.
        Multiply = "multiply",
    }
}

words! {
    /// Which clauses of a theory vote. [GLEANER §8.3]
    pub enum Selection {
        /// All.
        All = "all",
        /// Those of highest tune precision, as many as give the largest area on tune.
        Sorted = "sorted",
    }
}

words! {
    /// Which clauses vote together.
    pub enum TheoryRule {
        /// Those of one bin: a theory for each bin. [GLEANER §3.1.2]
        Bins = "bins",
        /// Those of all bins, in one theory.
        ///
        /// DIVERGENCE from the thesis: where a bin holds few good clauses, no threshold of its theory is
        /// good either; in one theory the clauses of precise bins vote beside those of large ones.
        Union = "union",
    }
}

words! {
    /// The examples that thresholds are chosen on.
    pub enum ThresholdSet {
        /// Tune, as the thesis's table of the algorithm has it.
        Tune = "tune",
        /// Train and tune together, between the thesis's table (tune) and its text (train): a small tune
        /// set has too few positives to place a threshold in each recall bin.
        TrainAndTune = "train-and-tune",
    }
}

words! {
    /// What a clause's vote weighs. [GLEANER §8.3]
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VoteWeights {
        /// One.
        Equal = "equal",
        /// The clause's precision on train.
        Precision = "precision",
        /// `(TP / (TP + FP + 3))^5 / TP`: the fifth power of a precision that is shrunken as if three more
        /// negatives were covered, shared by the train positives that the clause covers.
        ///
        /// DIVERGENCE from the thesis, whose weight is precision itself. A clause is found again from each
        /// seed that it covers, so where every finding counts, clauses of many positives gather votes for
        /// their size alone: the share undoes this. Many imprecise clauses outvote a precise one unless the
        /// weight falls faster than precision, and shrinking keeps clauses of two or three examples from
        /// ruling.
        Shared = "shared",
        /// The log-odds that a clause adds to a naive Bayes classifier, from tune, smoothed. A
        /// clause that speaks against an example is a vote for those it does not cover.
        NaiveBayes = "naive-bayes",
    }
}

words! {
    /// What several seeds' clauses of one train coverage count for.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Duplicates {
        /// One vote together.
        Merge = "merge",
        /// One vote for each time that it was kept: once for a seed, or for a restart of one.
        Count = "count",
    }
}

words! {
    /// How thresholds are chosen.
    pub enum ThresholdRule {
        /// For each bin, over all theories and numbers of votes, the point of highest precision in it.
        BestOverlap = "best-overlap",
        /// For each bin's own theory, the number of votes whose recall is nearest to the bin's upper edge.
        OwnBin = "own-bin",
    }
}

words! {
    /// What a seed's search begins with beside its own bottom clause. [DIRECTED §5]
    pub enum TransferFrom {
        /// Nothing.
        None = "none",
        /// What the directed searches of the seeds before it learnt: seeds then wait for each other.
        Seeds = "seeds",
    }
}

settings! {
    /// Settings of Gleaner.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GleanerConfig {
        /// `K`: seed examples searched from.
        pub n_seeds: usize = &SEEDS,
        /// `B`: recall bins.
        pub n_bins: usize = Setting::within("bins", 1..=1_000, "20")
            .unit("bins")
            .help("Recall bins of equal width (B)")
            .source("[GLEANER §5.2]"),
        /// Which clauses a seed keeps.
        pub keep: Keep = Setting::new("keep", "best-per-restart")
            .help(
                "What a seed keeps for each bin: its best clause (best), its M best (best-M), or the best of \
                 each restart",
            )
            .source("[GLEANER §10.2]; best: §3.1.1"),
        /// What the bins divide.
        pub partition: Partition = Setting::new("partition", "recall")
            .help("What bins divide: recall, or for balanced data the false positive rate")
            .source("[GLEANER §3.1.1]; roc: §10.2"),
        /// Negatives that count more often in the score.
        pub emphasis: Emphasis = Setting::new("emphasis", "none")
            .help(
                "Negatives that count more often in the score: one 5,000 times for each seed (salt), or \
                 random parts",
            )
            .source("[GLEANER §6.1.1]"),
        /// Which clauses vote together.
        pub theories: TheoryRule = Setting::new("theories", "union")
            .help("Which clauses vote together: those of each bin, or those of all bins")
            .source("our own, by experiment; bins: [GLEANER §3.1.2]"),
        /// What a vote weighs.
        pub votes: VoteWeights = Setting::new("votes", "shared")
            .help("What a clause's vote weighs; shared: (TP / (TP + FP + 3))^5 / TP")
            .source("our own, by experiment; equal and precision: [GLEANER §3.1.2, §8.3]"),
        /// What duplicates count.
        pub duplicates: Duplicates = Setting::new("duplicates", "count")
            .help("Clauses of one train coverage: one vote together, or one for each time it was kept")
            .source("our own, by experiment; merge: [GLEANER §6.1]"),
        /// What votes by naive Bayes add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// Which clauses of a theory vote.
        pub selection: Selection = Setting::new("selection", "all")
            .help("Which clauses of a theory vote: all, or the most precise ones, as many as rank tune best")
            .source("[GLEANER §8.3]"),
        /// Bins of recall that a threshold is chosen for.
        pub n_threshold_bins: usize = Setting::auto("threshold-bins", 1..=100_000, |given| {
            default_threshold_bins(Self::theories().read(given), Self::n_bins().read(given))
        })
            .unit("bins")
            .help(
                "Bins of recall that a number of votes is chosen for; auto: --bins, or at least 100 for \
                 --theories union",
            )
            .source("our own, by experiment; [GLEANER §3.1.2]: as many as bins"),
        /// How thresholds are chosen.
        pub thresholds: ThresholdRule = Setting::new("thresholds", "best-overlap")
            .help("How the number of votes is chosen for each bin")
            .source("[GLEANER §3.1.2]"),
        /// What thresholds are chosen on.
        pub threshold_set: ThresholdSet = Setting::new("threshold-set", "train-and-tune")
            .help("The examples that the number of votes is chosen on")
            .source("our own, by experiment; tune: [GLEANER §3.1.2]"),
        /// Numbers of clauses per seed, ascending, at which the bins are noted too, where they are below `N`.
        pub checkpoints: Vec<u64> =
            Setting::new("learning-curve", "1000,10000,25000,50000,100000,250000,500000")
                .unit("clauses")
                .help("Clauses per seed at which the areas are noted too")
                .source("[GLEANER §5.2]"),
        /// What the seeds of a directed search begin with.
        pub transfer: TransferFrom = Setting::new("transfer", "none")
            .only(SEARCH, DIRECTED)
            .help(
                "Whether each seed of --search directed begins with what those before it learnt; they then \
                 wait for each other",
            )
            .source("[DIRECTED §5]"),
        /// Limits of each seed's search; `clauses` is `N`.
        pub limits: SearchLimits = Group,
        /// The search.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// Most literals of a clause, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Fewest tune positives of a clause that votes.
        pub min_tune_positives: usize = &MIN_TUNE_POSITIVES,
        /// Whether clauses are reduced before they vote.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// What `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

impl GleanerConfig {
    /// What seeds carry on, where they do: they must then be searched one after another.
    #[must_use]
    pub fn carried(&self) -> Option<Arc<Mutex<Transfer>>> {
        let carries = self.search.kind == SearchKind::Directed && self.transfer == TransferFrom::Seeds;
        carries.then(Arc::default)
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
            smoothing: self.smoothing,
            selection: self.selection,
            n_threshold_bins: self.n_threshold_bins,
            thresholds: self.thresholds,
            threshold_set: self.threshold_set,
            reduce_clauses: self.reduce_clauses,
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
