//! The settings of Gleaner's first stage, also where other learners take its clauses.

use std::sync::{Arc, Mutex};

use crate::shared_config::SEEDS;
use gleaner_base::whole_number;
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::config::DIRECTED;
use gleaner_engine::search::{MAX_LITERALS, SEARCH, SearchConfig, SearchKind, SearchLimits, Transfer};
use gleaner_lang::program::settings::{Form, Group, Refusal, Setting, SettingType, settings, words};

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
