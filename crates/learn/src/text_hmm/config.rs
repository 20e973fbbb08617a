//! Settings of the hidden Markov model of sentences.

use gleaner_lang::program::settings::settings;

use crate::shared_config::M_ESTIMATE;

settings! {
    /// Settings of the hidden Markov model of sentences.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TextHmmConfig {
        /// The weight of the prior of a word's share.
        pub m_estimate: f64 = &M_ESTIMATE,
    }
}
