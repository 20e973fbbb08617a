//! Learning from a table of Boolean features: columns, how they depend on each other, distinct rows.
//!
//! The room knows labels, columns and matrices, never a clause. A [`Features`] keeps each column compressed. Passes
//! over many columns work on dense words: [`DenseColumns`] for the mutual information of columns and class, [`Rows`]
//! for the distinct rows. With hundreds of negatives for each positive, most examples share their row with another one.
//! So a learner that sees each row once, with its counts, does a fraction of the work `[GLEANERSRL]`.
//!
//! # Example
//!
//! ```
//! use gleaner_base::{ExampleSet, FeatureId, RowId};
//! use gleaner_stats::ml::{Features, Labels, Rows};
//!
//! let set = |positions: &[usize]| ExampleSet::from_positions(5, positions.iter().copied());
//! let labels = Labels::new(set(&[0, 1]), set(&[2, 3, 4]))?;
//! let features = Features::new(labels, vec![[0, 1, 2].into(), [4].into()])?;
//!
//! let columns = features.dense(&[FeatureId::new(0), FeatureId::new(1)]);
//! let table = columns.class_contingency(0);
//! assert_eq!((table.n11, table.n10, table.n01, table.n00), (2, 1, 0, 2));
//!
//! // Examples 0, 1 and 2 agree in both features.
//! let rows = Rows::of(&features);
//! assert_eq!(rows.n_rows(), 3);
//! assert_eq!(rows.row_of(2), Some(RowId::new(0)));
//! let first = rows.row(RowId::new(0));
//! assert_eq!((first.n_positives, first.n_negatives), (2, 1));
//! # Ok::<(), gleaner_stats::ml::FeatureError>(())
//! ```

pub mod contingency;
pub mod features;
pub mod kernel;
pub mod kernel_svm;
pub mod linear;
pub mod mrmr;
pub mod naive_bayes;
pub mod rows;
pub mod tree_augmented;

pub use contingency::{ClassBlock, ClassTable, Contingency, PairInformation};
pub use features::{DenseColumns, FeatureError, Features, Labels};
pub use naive_bayes::{ClassBayes, PseudoCounts};
pub use rows::{Row, Rows};
