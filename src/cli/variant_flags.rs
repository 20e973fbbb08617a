//! The flags of `cv` that ask for several settings in one run.

use clap::Args;

use crate::jobs::{Made, VariantsAsked};

/// The flags that ask for variants.
#[derive(Clone, Debug, Args)]
pub(crate) struct VariantFlags {
    /// Compare values of a setting: score=f1,laplace.
    ///
    /// All variants are learnt from and tested on the same folds.
    #[arg(long, value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// Compare settings: learner=aleph,seeds=20.
    ///
    /// Each --variant is compared with the others, as learner=aleph,min-precision=0.1 with learner=gleaner.
    #[arg(long, value_name = "SETTINGS")]
    variant: Vec<String>,
}

impl VariantFlags {
    /// What is asked, beside the settings that are made for all.
    pub(super) fn asked(&self, made: &[Made]) -> VariantsAsked {
        VariantsAsked { vary: self.vary.clone(), variant: self.variant.clone(), made: made.to_vec() }
    }
}
