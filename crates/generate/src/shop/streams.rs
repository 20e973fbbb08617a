//! The random streams of a shop: one for each table, so that a table can be written again without the others.

/// The first number of the path of every stream: the shop among the generated domains.
pub(super) const DOMAIN: u64 = 4;

/// The second numbers.
pub(super) const SHOPPERS: u64 = 1;
pub(super) const GOODS: u64 = 2;
pub(super) const ORDERS: u64 = 3;
pub(super) const LINES: u64 = 4;
pub(super) const RETURNS: u64 = 5;
pub(super) const LABELS: u64 = 6;
pub(super) const STORES: u64 = 7;
/// With the seed of the names instead of that of the cells.
pub(super) const NAMES: u64 = 8;
