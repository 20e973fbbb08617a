//! Numbers as targets: the number of each example of a regression problem.

use gleaner_base::{ClassId, ExampleId};

use super::Examples;

/// The source of an example's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSource {
    /// An argument of the target, from 0. The example is the atom without this argument.
    Argument(usize),
    /// The column, or the field, `label`.
    Label,
}

/// `label`, or the number of an argument, counted from 1.
impl std::str::FromStr for NumberSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "label" {
            return Ok(Self::Label);
        }
        let argument: Option<usize> = text.parse().ok().and_then(|argument: usize| argument.checked_sub(1));
        argument
            .map(Self::Argument)
            .ok_or_else(|| "it is `label`, or the number of an argument, counted from 1".to_owned())
    }
}

impl std::fmt::Display for NumberSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Argument(argument) => write!(f, "{}", argument + 1),
            Self::Label => f.write_str("label"),
        }
    }
}

/// The numbers of a problem whose target is a number.
///
/// The class of such an example is the rank of its number among the distinct ones. An example is *positive* if its
/// number lies in the upper half, in a run that of train's and tune's. Samples are balanced by that, and nothing else reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberList {
    /// The distinct numbers, ascending and finite.
    pub values: Vec<f64>,
    /// The source of the numbers.
    pub source: NumberSource,
}

impl NumberList {
    /// The number of a class.
    ///
    /// # Panics
    ///
    /// When the class is of another problem.
    pub fn of_class(&self, class: ClassId) -> f64 {
        self.values[class.index()]
    }

    /// The number of an example; `None` where it is not known.
    pub fn of(&self, examples: &Examples, example: ExampleId) -> Option<f64> {
        let is_known = examples.is_labelled(example);
        is_known.then(|| self.values.get(examples.class(example).index()).copied()).flatten()
    }
}
