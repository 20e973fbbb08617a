//! Data as they are read for an experiment, and what is told of them.

pub mod called_modes;
pub mod data_profile;
pub mod inspect;
pub mod load;
pub mod marked_sentences;
pub mod modes_estimate;
