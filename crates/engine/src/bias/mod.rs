//! Bottom clauses, made from modes and a seed example, and the candidates of a bottom clause.

pub mod admission;
pub mod answers;
pub mod candidate;
pub mod saturation;

pub use admission::{Admission, admit};
pub use answers::{differing_variables, inequality, most_answers};
pub use candidate::{BottomClause, BottomLiteral, Candidate, LimitCut, RefinementSpace, is_candidate};
pub use saturation::{Extension, SaturationConfig, extensions, saturate, saturate_within};
