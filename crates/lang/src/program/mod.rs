//! The language over ids: constants, predicates, clauses, rows, modes, labelled examples, settings, scores.

pub mod atom;
pub mod canonical;
pub mod class_list;
pub mod clause;
pub mod comparison;
pub mod display;
pub mod examples;
pub mod graph;
pub mod literal;
pub mod lower;
pub mod mode;
pub mod negation;
pub mod number;
pub mod object_identity;
pub mod own_links;
pub mod rows;
pub mod safety;
pub mod score;
pub mod settings;
pub mod spelling;
pub mod stratify;
pub mod symbols;
pub mod target;

pub use atom::{Atom, Term};
pub use canonical::canonical;
pub use class_list::{ClassList, SaidBy};
pub use clause::Clause;
pub use comparison::{Comparison, Expression};
pub use examples::{ExampleLabel, Examples};
pub use literal::{Literal, Subject};
pub use number::{ArithmeticOperator, ComparisonOperator, Number};
pub use own_links::{OwnLinks, SharedEnd, Withheld};
pub use rows::{FactTable, Rows};
pub use score::Score;
pub use symbols::{Constants, PredicateName, SharedSymbols, Symbols};
pub use target::TargetName;
