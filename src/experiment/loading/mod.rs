//! Reads data for an experiment, and describes them: sizes, modes, warnings.

pub mod inspect;
pub mod load;
pub mod modes_estimate;
