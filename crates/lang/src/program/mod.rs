//! The language over ids: constants, predicates, clauses, rows, modes, labelled examples, settings, scores.

pub mod aggregate;
pub mod arithmetic;
pub mod atom;
pub mod canonical;
pub mod clause;
pub mod display;
pub mod examples;
pub mod labels;
pub mod literal;
pub mod lower;
pub mod mode;
pub mod monotone;
pub mod names;
pub mod rows;
pub mod safety;
pub mod score;
pub mod settings;
pub mod stratify;
pub mod symbols;
pub mod threshold;

pub use aggregate::{Aggregate, AggregateOperator, AggregateText, Lifted};
pub use arithmetic::{
    ArithmeticFunction, ArithmeticOperator, Comparison, ComparisonOperator, Expression, Number,
};
pub use atom::{Atom, Term};
pub use canonical::canonical;
pub use clause::Clause;
pub use examples::{
    ClassList, ExampleLabel, Examples, NumberList, NumberSource, OwnLinks, SaidBy, SharedEnd, TargetName,
    Withheld,
};
pub use labels::{Labels, ToTell};
pub use literal::{Literal, Subject};
pub use rows::{FactTable, Rows};
pub use score::Score;
pub use symbols::{Constants, NumberColumn, PredicateName, SharedSymbols, Symbols};
pub use threshold::{FixedThresholds, Threshold, Thresholds};
