//! Gleaner's settings, checked.

use std::sync::{Arc, Mutex};

use crate::OperatingPoint;
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{
    MIN_TUNE_POSITIVES, OPERATING_POINT, SEEDS, SMOOTHING, Smoothing, VOTE_SET, VoteSet,
};
use gleaner_base::whole_number;
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::config::DIRECTED;
use gleaner_engine::search::{MAX_LITERALS, SEARCH, SearchConfig, SearchKind, SearchLimits, Transfer};
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{Form, Group, Refusal, Setting, SettingType, Source, settings, words};

words! {
    /// The clauses of a theory that vote. [GLEANER §8.3]
    pub enum Selection {
        /// All.
        All = "all",
        /// The clauses of highest tune precision, as many as give the largest area on tune.
        Sorted = "sorted",
    }
}

words! {
    /// The clauses that vote together.
    pub enum TheoryRule {
        /// The clauses of one bin: a theory for each bin. [GLEANER §3.1.2]
        Bins = "bins",
        /// The clauses of all bins, in one theory.
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
        /// Train and tune together, between the thesis's table (tune) and its text (train). A small tune set has too
        /// few positives to place a threshold in each recall bin.
        TrainAndTune = "train-and-tune",
    }
}

words! {
    /// The weight of a clause's vote. [GLEANER §8.3]
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VoteWeights {
        /// One.
        Equal = "equal",
        /// The clause's precision on train, or on tune by [`VoteSet`].
        Precision = "precision",
        /// `(TP / (TP + FP + 3))^5 / TP`: the fifth power of a precision, shared by the train positives that the clause
        /// covers. The precision is shrunken as if three more negatives were covered.
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
    /// The number of votes for several seeds' clauses of one train coverage.
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

settings! {
    /// Settings of Gleaner.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GleanerConfig {
        /// How clauses are found.
        pub gathering: GatheringConfig = Group,
        /// The clauses that vote together.
        pub theories: TheoryRule = Setting::new("theories", "union")
            .help("Which clauses vote together: those of each bin, or those of all bins")
            .source("our own, by experiment; bins: [GLEANER §3.1.2]"),
        /// The weight of a vote.
        pub votes: VoteWeights = Setting::new("votes", "shared")
            .help("Weight of a clause's vote; shared: (TP / (TP + FP + 3))^5 / TP")
            .source("our own, by experiment; equal and precision: [GLEANER §3.1.2, §8.3]"),
        /// The examples whose counts weigh a vote.
        pub vote_set: VoteSet = &VOTE_SET,
        /// The number of votes for duplicates.
        pub duplicates: Duplicates = Setting::new("duplicates", "count")
            .help("Clauses with the same train coverage: one vote together, or one for each time kept")
            .source("our own, by experiment; merge: [GLEANER §6.1]"),
        /// How much a clause differs at least from those taken before it in its bin; 0 takes all.
        pub least_difference: f64 = Setting::within("least-difference", 0.0..=1.0, "0")
            .recorded_where_changed()
            .help(
                "Least Jaccard distance, on train, of a clause to those taken before it in its bin; a nearer one is \
                 left out; 0: none is",
            )
            .source("[DIRECTED §5], which has the idea without a number"),
        /// The pseudo-counts that votes by naive Bayes add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// The clauses of a theory that vote.
        pub selection: Selection = Setting::new("selection", "all")
            .help("Which clauses of a theory vote: all, or the most precise ones, as many as rank tune best")
            .source("[GLEANER §8.3]"),
        /// Bins of recall that a threshold is chosen for.
        pub n_threshold_bins: usize = Setting::auto("threshold-bins", 1..=100_000, |given| {
            default_threshold_bins(Self::theories().read(given), GatheringConfig::n_bins().read(given))
        })
            .unit("bins")
            .help(
                "Bins of recall, each with its own number of votes; auto: ⁅bins⁆, or at least 100 for \
                 ⁅theories=union⁆",
            )
            .source("our own, by experiment; [GLEANER §3.1.2]: as many as bins"),
        /// How thresholds are chosen.
        pub thresholds: ThresholdRule = Setting::new("thresholds", "best-overlap")
            .help("How the number of votes is chosen for each bin")
            .source("[GLEANER §3.1.2]"),
        /// The examples that thresholds are chosen on.
        pub threshold_set: ThresholdSet = Setting::new("threshold-set", "train-and-tune")
            .help("Examples on which the number of votes is chosen")
            .source("our own, by experiment; tune: [GLEANER §3.1.2]"),
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// Fewest tune positives of a clause that votes.
        pub min_tune_positives: usize = &MIN_TUNE_POSITIVES,
        /// Whether clauses are reduced before they vote.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

/// The default number of bins of recall that a threshold is chosen for: those of the theories, or
/// hundredths for the theory of all bins.
///
/// DIVERGENCE from the thesis, which knows no theory of all bins: its points on test need not be as
/// coarse as the bins that clauses are kept in. On the planted problems twenty points lose 0.01 of the
/// area of the ranking by votes, a hundred lose 0.002.
const fn default_threshold_bins(theories: TheoryRule, n_bins: usize) -> usize {
    match theories {
        TheoryRule::Bins => n_bins,
        TheoryRule::Union if n_bins > 100 => n_bins,
        TheoryRule::Union => 100,
    }
}

/// The clauses that a seed keeps for a bin. [GLEANER §10.2]
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
    /// The measure that the bins divide.
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
    /// The negatives that count more often than once in the score that steers a search. [GLEANER §6.1.1]
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
    /// The source of what a seed's search knows at its start, beside its own bottom clause. [DIRECTED §5]
    pub enum TransferFrom {
        /// Nothing.
        None = "none",
        /// The directed searches of the seeds before it, with what they learnt: seeds then wait for each other.
        Seeds = "seeds",
    }
}

settings! {
    /// Settings of Gleaner's first stage.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GatheringConfig {
        /// `K`: seed examples searched from.
        pub n_seeds: usize = &SEEDS,
        /// `B`: recall bins.
        pub n_bins: usize = Setting::within("bins", 1..=1_000, "20")
            .unit("bins")
            .help("Recall bins of equal width (B)")
            .source("[GLEANER §5.2]"),
        /// The clauses that a seed keeps.
        pub keep: Keep = Setting::new("keep", "best-per-restart")
            .help(
                "What a seed keeps for each bin: its best clause (best), its M best (best-M), or the best of \
                 each restart",
            )
            .source("[GLEANER §10.2]; best: §3.1.1"),
        /// The measure that the bins divide.
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
        /// Numbers of clauses per seed, ascending, at which the bins are noted too, where they are below `N`.
        pub checkpoints: Vec<u64> =
            Setting::new("learning-curve", "1000,10000,25000,50000,100000,250000,500000")
                .unit("clauses")
                .help("Clauses per seed at which the areas are also recorded")
                .source("[GLEANER §5.2]"),
        /// The source of what a seed's directed search knows at its start.
        pub transfer: TransferFrom = Setting::new("transfer", "none")
            .only(SEARCH, DIRECTED)
            .help(
                "Whether each seed of ⁅search=directed⁆ uses what earlier seeds learnt; it then waits for them",
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
    }
}

impl GatheringConfig {
    /// The transfer that seeds carry on, if they do: they must then be searched one after another.
    pub fn carried(&self) -> Option<Arc<Mutex<Transfer>>> {
        let carries = self.search.kind == SearchKind::Directed && self.transfer == TransferFrom::Seeds;
        carries.then(Arc::default)
    }

    /// The checkpoints, then `N` itself.
    pub fn all_checkpoints(&self) -> Vec<u64> {
        self.checkpoints
            .iter()
            .copied()
            .filter(|&at| at < self.limits.clauses)
            .chain([self.limits.clauses])
            .collect()
    }
}
