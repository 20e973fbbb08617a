//! `--monotone`: raised numbers on random problems, the split of one tree against plain loops, a tree by hand, and what is
//! refused.

mod by_hand;
mod raised;
mod refused;
mod twin;
