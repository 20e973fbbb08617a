//! Saved models: their files, their scores of examples, and why an example has its score.

pub mod evaluate;
pub mod explain;
pub mod model_file;
pub mod predict;
pub mod reasons;
pub mod what_if;
pub mod why;
pub mod why_answer;
