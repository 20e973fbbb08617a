//! Small pieces that every room uses and that know nothing of clauses: checked ids, the symbol
//! interner, dense example sets, random streams, budgets, and numerics that do not drift.

pub mod bits;
pub mod budget;
pub mod counts;
pub mod example_set;
pub mod example_weights;
pub mod hash;
pub mod interner;
pub mod keeper;
pub mod kernels;
pub mod random;
pub mod statistics;
pub mod written_number;

pub use bits::{BitGather, BitSegments};
pub use budget::{Budget, StopReason};
pub use counts::{ClassWeights, Classes, Counts, Pooling, Totals};
pub use example_set::ExampleSet;
pub use example_weights::{ExampleWeights, NegativeWeight, WeightSum};
pub use hash::{FixedMap, FixedSet};
pub use keeper::{Forgetful, Keeper, KeptUnder, PartText};
pub use written_number::{WHOLE_NUMBER_FORMS, real_number, whole_number};

/// Defines a `u32` index type whose construction is checked. A bare `usize` never names a predicate, an example or a row.
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id at a position.
            ///
            /// # Panics
            ///
            /// When `position` does not fit in 32 bits: tables of that size are refused at loading.
            pub fn new(position: usize) -> Self {
                Self(u32::try_from(position).expect("tables hold fewer than 2^32 entries"))
            }

            /// The id with this number.
            pub const fn from_raw(raw: u32) -> Self {
                Self(raw)
            }

            /// The number itself.
            pub const fn raw(self) -> u32 {
                self.0
            }

            /// The position in the table that the id indexes.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

define_id!(
    /// A ground term: atom, string, number or opaque compound term.
    ConstantId
);
define_id!(
    /// A predicate: a name with an arity.
    PredicateId
);
define_id!(
    /// A type of a mode declaration.
    TypeId
);
define_id!(
    /// A variable of one clause, numbered from the head.
    VariableId
);
define_id!(
    /// A labelled example of a problem, in canonical order.
    ExampleId
);
define_id!(
    /// A fold of an experiment.
    FoldId
);
define_id!(
    /// A set of facts that an example is proved from: the global ones, or a fold's own with them.
    WorldId
);
define_id!(
    /// A Boolean feature: a column over examples.
    FeatureId
);
define_id!(
    /// A distinct row of feature values.
    RowId
);
define_id!(
    /// One of a problem's many classes, in their order.
    ClassId
);
define_id!(
    /// An entity of a graph.
    EntityId
);
define_id!(
    /// A relation of a graph.
    LinkRelationId
);
