//! Learning from a table of Boolean features: columns and how they depend on each other.
//!
//! The room knows labels, columns and matrices, never a clause. A [`Features`] keeps each column
//! compressed; what passes over many columns works on dense words: [`DenseColumns`] for the mutual
//! information of columns and class.
//!
//! # Example
//!
//! ```
//! use gleaner::base::{ExampleSet, FeatureId};
//! use gleaner::ml::{Features, Labels};
//!
//! let set = |positions: &[usize]| ExampleSet::from_positions(5, positions.iter().copied());
//! let labels = Labels::new(set(&[0, 1]), set(&[2, 3, 4]))?;
//! let features = Features::new(labels, vec![[0, 1, 2].into(), [4].into()])?;
//!
//! let columns = features.dense(&[FeatureId::new(0), FeatureId::new(1)]);
//! let table = columns.class_contingency(0);
//! assert_eq!((table.n11, table.n10, table.n01, table.n00), (2, 1, 0, 2));
//! # Ok::<(), gleaner::ml::FeatureError>(())
//! ```

pub mod contingency;
mod cursor;
pub mod error;
pub mod features;
pub mod labels;

pub use contingency::{Contingency, PairInformation};
pub use error::FeatureError;
pub use features::{DenseColumns, Features};
pub use labels::Labels;
