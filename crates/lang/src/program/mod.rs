//! The language over ids: constants, predicates, clauses, rows, modes, labelled examples, settings, scores.

pub mod aggregate;
pub mod arithmetic;
pub mod atom;
pub mod canonical;
pub mod clause;
pub mod display;
pub mod examples;
pub mod goals;
pub mod graph;
pub mod kept_text;
pub mod labels;
pub mod lifted;
pub mod literal;
pub mod lower;
pub mod mode;
pub mod monotone;
pub mod names;
pub mod negation;
mod number_column;
pub mod object_identity;
pub mod order;
mod round_numbers;
pub mod rows;
pub mod safety;
pub mod score;
pub mod settings;
pub mod spelling;
pub mod stratify;
pub mod symbols;
pub mod target_numbers;
pub mod threshold;

pub use aggregate::{Aggregate, AggregateOperator};
pub use arithmetic::{
    ArithmeticFunction, ArithmeticOperator, Comparison, ComparisonOperator, Expression, Number,
};
pub use atom::{Atom, Term};
pub use canonical::canonical;
pub use clause::Clause;
pub use examples::{ClassList, ExampleLabel, Examples, OwnLinks, SaidBy, SharedEnd, TargetName, Withheld};
pub use labels::Labels;
pub use lifted::{AggregateText, Lifted};
pub use literal::{Literal, Subject};
pub use number_column::NumberColumn;
pub use rows::{FactTable, Rows};
pub use score::Score;
pub use symbols::{Constants, PredicateName, SharedSymbols, Symbols};
pub use target_numbers::{NumberList, NumberSource};
pub use threshold::{FixedThresholds, Threshold, Thresholds};
