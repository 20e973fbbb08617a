//! Small pieces that every room uses and that know nothing of clauses: checked ids, the symbol
//! interner, dense example sets, random streams, budgets, and numerics that do not drift.

pub mod bit_gather;
pub mod bit_segments;
pub mod budget;
pub mod counts;
pub mod example_set;
pub mod example_weights;
pub mod hash;
pub mod ids;
pub mod information;
pub mod interner;
pub mod keeper;
pub mod kernels;
pub mod negative_weight;
pub mod pooling;
pub mod random;
pub mod statistics;
pub mod written_number;

pub use bit_gather::BitGather;
pub use bit_segments::BitSegments;
pub use budget::{Budget, StopReason};
pub use counts::{ClassWeights, Classes, Counts, Totals};
pub use example_set::ExampleSet;
pub use example_weights::{ExampleWeights, WeightSum};
pub use hash::{FixedMap, FixedSet};
pub use ids::{
    ClassId, ConstantId, EntityId, ExampleId, FeatureId, FoldId, LinkRelationId, PredicateId, RowId, TypeId,
    VariableId, WorldId,
};
pub use keeper::{Forgetful, Keeper, KeptUnder};
pub use negative_weight::NegativeWeight;
pub use pooling::Pooling;
pub use written_number::{WHOLE_NUMBER_FORMS, real_number, whole_number};
