//! Several results over the same runs, side by side.

pub mod compare;
pub mod comparison;
pub mod dominance;
pub mod side_by_side;
