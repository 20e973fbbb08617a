//! The kind of a target: what the label of an example is.
//!
//! A kind that is added answers the questions here, so that those who divide, draw and prove examples need not know it.

use gleaner_base::{ClassId, ExampleId};

use super::{ClassList, Clause, Examples, NumberList, NumberSource};

/// What the labels of a problem's examples are.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Labels {
    /// Positive or negative.
    #[default]
    Two,
    /// One of many classes. The examples are the binary problem of one of them.
    Classes(ClassList),
    /// A number. The examples are the binary problem of the upper half, which samples are balanced by.
    Numbers(NumberList),
}

/// One thing to tell of examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToTell {
    /// Whether they are of this class.
    Class(ClassId),
    /// Their number.
    Number,
}

impl Labels {
    /// What there is to tell of examples: whether they are positive, whether they are of each class, or their number.
    pub fn to_tell(&self) -> Vec<ToTell> {
        match self {
            Self::Two => vec![ToTell::Class(ClassId::new(0))],
            Self::Classes(list) => {
                (0..list.names.len()).map(|class| ToTell::Class(ClassId::new(class))).collect()
            }
            Self::Numbers(_) => vec![ToTell::Number],
        }
    }

    /// The list of classes, if there are many.
    pub const fn classes(&self) -> Option<&ClassList> {
        match self {
            Self::Classes(list) => Some(list),
            Self::Two | Self::Numbers(_) => None,
        }
    }

    /// The numbers, if the target is one.
    pub const fn numbers(&self) -> Option<&NumberList> {
        match self {
            Self::Numbers(list) => Some(list),
            Self::Two | Self::Classes(_) => None,
        }
    }

    /// The names of the classes by their ids; none of numbers, whose classes are ranks.
    pub fn class_names(&self) -> Vec<&str> {
        match self {
            Self::Two => vec!["positive", "negative"],
            Self::Classes(list) => list.names.iter().map(String::as_str).collect(),
            Self::Numbers(_) => Vec::new(),
        }
    }

    /// Whether an example is called positive or negative: there are two classes, or one against the rest.
    pub const fn are_decided(&self) -> bool {
        !matches!(self, Self::Numbers(_))
    }

    /// Whether the problem is that of one class against the rest, beside those of the others.
    pub const fn is_one_of_several(&self) -> bool {
        matches!(self, Self::Classes(_))
    }

    /// Whether each set of a run needs a positive and a negative.
    pub const fn needs_both(&self) -> bool {
        matches!(self, Self::Two)
    }

    /// The class that the problem is of; of those without a list the first.
    pub fn own_class(&self) -> ClassId {
        self.classes().map_or(ClassId::new(0), |list| list.own)
    }

    /// The name of the class that the problem is of; empty without a list.
    pub fn own_class_name(&self) -> &str {
        self.classes().map_or("", |list| list.name(list.own))
    }

    /// Clauses with the head of the class that the problem is of, each once. Without a list, the clauses as they are.
    pub fn with_own_heads(&self, clauses: Vec<Clause>) -> Vec<Clause> {
        let Some(list) = self.classes() else { return clauses };
        let mut own: Vec<Clause> = clauses.iter().map(|clause| list.with_own_head(clause)).collect();
        own.sort_unstable();
        own.dedup();
        own
    }

    /// The source of the numbers, where the target is one.
    pub fn number_source(&self) -> Option<NumberSource> {
        self.numbers().map(|list| list.source)
    }

    /// The number of an example, where it is known.
    pub fn number(&self, examples: &Examples, example: ExampleId) -> Option<f64> {
        self.numbers()?.of(examples, example)
    }
}
