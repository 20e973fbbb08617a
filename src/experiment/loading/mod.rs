//! Reads data for an experiment, and describes them: sizes, modes, warnings.

pub mod called_modes;
pub mod data_profile;
pub mod inspect;
pub mod load;
pub mod marked_sentences;
pub mod modes_estimate;
