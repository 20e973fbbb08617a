//! From modes and a seed example to a bottom clause, and from a bottom clause to candidates.

pub mod bottom;
pub mod candidate;
pub mod saturation;

pub use bottom::{BottomClause, BottomLiteral, LimitCut};
pub use candidate::{Candidate, RefinementSpace};
pub use saturation::{SaturationConfig, saturate};
