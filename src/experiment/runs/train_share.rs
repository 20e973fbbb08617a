//! A share of the labelled examples: what fewer labels would have given, and so whether more would pay.
//!
//! Train and tune use the same share of each class; test stays whole. The examples of a smaller share are among
//! those of a greater one, so that the points of a curve differ by added labels alone.

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId};
use gleaner_data::Problem;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_stats::eval::stratified_part;

use crate::experiment::runs::split::{Split, SplitFault, SplitSettings, check_run, strata};

/// Whether settings ask for a share of the examples.
pub fn is_reduced(settings: &Settings) -> bool {
    share_of(settings) < 1.0
}

/// The share that settings ask for.
fn share_of(settings: &Settings) -> f64 {
    SplitSettings::of(settings, DataSummary::default()).train_share
}

impl Split {
    /// The split with the share of train and tune that the settings ask for. Test stays as it is.
    ///
    /// # Errors
    ///
    /// [`SplitFault`] when a set would miss a class.
    pub fn with_share(
        self,
        problem: &Problem,
        settings: &Settings,
        rng_seed: u64,
    ) -> Result<Self, SplitFault> {
        self.reduced(problem, share_of(settings), rng_seed)
    }

    fn reduced(mut self, problem: &Problem, share: f64, rng_seed: u64) -> Result<Self, SplitFault> {
        if share >= 1.0 {
            return Ok(self);
        }
        let path = self.run_idx as u64 + 1;
        let part = |ids: &[ExampleId], set: u64| -> Vec<ExampleId> {
            let labels = strata(problem, ids.iter().copied());
            let mut rng = stream(rng_seed, Purpose::Labels, &[path, set]);
            let used = stratified_part(&labels, share, &mut rng).expect("the share is within its range");
            ids.iter().copied().zip(used).filter_map(|(id, is_used)| is_used.then_some(id)).collect()
        };
        let is_one_set = self.train == self.tune;
        self.train = part(&self.train, 0);
        self.tune = if is_one_set { self.train.clone() } else { part(&self.tune, 1) };
        check_run(problem, &self, false).map_err(|fault| fault.with_share(share))?;
        Ok(self)
    }
}

/// Tells the variants that a run is asked for.
pub(crate) type IsAsked<'a> = &'a (dyn Fn(&Settings) -> bool + Sync);

/// The variants of which a run is asked for.
#[derive(Clone, Copy)]
pub(crate) struct AskedVariants<'a> {
    /// All variants of the experiment.
    pub(crate) variants: &'a [Settings],
    /// Tells those that are asked for.
    pub(crate) is_asked: IsAsked<'a>,
}

impl<'a> AskedVariants<'a> {
    pub(crate) fn all(variants: &'a [Settings]) -> Self {
        Self { variants, is_asked: &|_| true }
    }
}

/// The runs of a cross-validation, for each share of the examples that a variant asks for.
#[derive(Clone, Debug)]
pub struct Divisions(Vec<(Option<f64>, Vec<Split>)>);

impl Divisions {
    /// The same runs for all variants.
    pub fn all_examples(splits: Vec<Split>) -> Self {
        Self(vec![(None, splits)])
    }

    /// The divisions that the variants ask for.
    ///
    /// # Errors
    ///
    /// [`SplitFault`] when a set would miss a class.
    pub fn of(
        problem: &Problem,
        splits: &[Split],
        variants: &[Settings],
        rng_seed: u64,
    ) -> Result<Self, SplitFault> {
        let mut shares: Vec<f64> = variants.iter().map(share_of).collect();
        shares.sort_by(f64::total_cmp);
        shares.dedup();
        let of_share = |share: f64| -> Result<(Option<f64>, Vec<Split>), SplitFault> {
            let reduced = splits.iter().map(|split| split.clone().reduced(problem, share, rng_seed));
            Ok((Some(share), reduced.collect::<Result<_, _>>()?))
        };
        Ok(Self(shares.into_iter().map(of_share).collect::<Result<_, _>>()?))
    }

    /// The runs of all shares.
    pub fn splits(&self) -> impl Iterator<Item = &Split> + Clone {
        self.0.iter().flat_map(|(_, splits)| splits)
    }

    /// The runs of the greatest share.
    pub(crate) fn most(&self) -> &[Split] {
        self.0.last().map_or(&[], |(_, splits)| splits)
    }

    /// The results of a fold for all variants: `run` gives those of the variants that it is asked for. Shares have equal
    /// parts of the time, the smallest first.
    pub(crate) fn results<R>(
        &self,
        fold: usize,
        budget: &Budget,
        run: impl Fn(&Split, &Budget, IsAsked<'_>) -> Vec<Option<R>>,
    ) -> Vec<R> {
        let mut results: Vec<Option<R>> = Vec::new();
        let n_shares = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        for (n_left, (share, splits)) in (1..=n_shares).rev().zip(&self.0) {
            let part = budget.for_one_of(n_left);
            let is_asked =
                |settings: &Settings| share.is_none_or(|share| share_of(settings).total_cmp(&share).is_eq());
            let found = run(&splits[fold], &part, &is_asked);
            results.resize_with(found.len(), || None);
            for (result, found) in results.iter_mut().zip(found) {
                *result = found.or_else(|| result.take());
            }
        }
        results.into_iter().flatten().collect()
    }
}
