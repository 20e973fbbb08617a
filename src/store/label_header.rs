//! What a saved model holds of its examples' labels: nothing of two classes, its class of many, or the source of numbers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use gleaner_base::ClassId;
use gleaner_data::{ClassRequest, Problem};
use gleaner_lang::program::{Labels, NumberSource, SaidBy, TargetName};
use gleaner_lang::syntax::{Diagnostic, codes};

use super::model_file::ModelError;

/// The labels of a model's examples. Positives and negatives have neither field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabelHeader {
    /// The class that the model is for, where there are many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<ClassHeader>,
    /// The source of the examples' numbers, where the target is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<NumberHeader>,
}

impl LabelHeader {
    /// The labels of a problem, of whose examples `prior` are of its class.
    pub fn of(problem: &Problem, prior: f64) -> Self {
        match problem.labels() {
            Labels::Two => Self::default(),
            Labels::Numbers(list) => {
                let number = Some(NumberHeader { argument: list.source.to_string() });
                Self { number, ..Self::default() }
            }
            Labels::Classes(list) => {
                let (class_argument, targets) = match &list.said_by {
                    SaidBy::Argument(argument, _) => (Some(argument + 1), Vec::new()),
                    SaidBy::Predicate(predicates) => {
                        let name = |&id| problem.symbols().predicate(id).to_string();
                        (None, predicates.iter().map(name).collect())
                    }
                };
                let (own, names) = (list.own.index(), list.names.clone());
                let class = Some(ClassHeader { own, names, class_argument, targets, prior });
                Self { class, ..Self::default() }
            }
        }
    }

    /// The class that the model is for, where there are many.
    pub const fn class(&self) -> Option<&ClassHeader> {
        self.class.as_ref()
    }

    /// The name of this class; empty without one.
    pub fn class_name(&self) -> &str {
        self.class.as_ref().map_or("", ClassHeader::name)
    }

    /// The source of the numbers, where the target is a number.
    pub fn number_source(&self) -> Option<NumberSource> {
        self.number.as_ref().and_then(NumberHeader::source)
    }

    /// Whether an example is called positive or negative, or of its class.
    pub const fn are_decided(&self) -> bool {
        self.number.is_none()
    }

    /// The targets that clauses may have beside that of the header.
    pub(super) fn targets(&self) -> &[String] {
        self.class.as_ref().map_or(&[], |class| &class.targets)
    }

    /// The problem of the model's class, where there are many classes; else the problem itself.
    ///
    /// # Errors
    ///
    /// Data whose labels are of another kind, or of other classes.
    pub fn own_problem<'p>(&self, problem: &'p Problem) -> Result<Cow<'p, Problem>, Diagnostic> {
        let differs = |message: &str, what: &str| {
            let help = format!("read the data for the model: it knows where the data give the {what}");
            Err(Diagnostic::error(codes::WRONG_TARGET, message.to_owned()).with_help(help))
        };
        match (self, problem.labels()) {
            (Self { number: None, class: None }, Labels::Two)
            | (Self { number: Some(_), .. }, Labels::Numbers(_)) => Ok(Cow::Borrowed(problem)),
            (Self { number: None, class: Some(class) }, Labels::Classes(list))
                if list.names == class.names =>
            {
                Ok(Cow::Owned(problem.of_class(ClassId::new(class.own))))
            }
            (Self { number: Some(_), .. }, _) | (_, Labels::Numbers(_)) => {
                differs("of model and data, one is of numbers and the other of classes", "number")
            }
            (Self { class, .. }, labels) => {
                let names = |names: Option<&[String]>| {
                    names.map_or_else(|| "two".to_owned(), |names| names.join(", "))
                };
                let own = names(class.as_ref().map(|class| &class.names[..]));
                let others = names(labels.classes().map(|list| &list.names[..]));
                differs(&format!("the model has the classes {own}, the data have {others}"), "class")
            }
        }
    }

    /// The way to read the classes of data for the model: as for the data it was learnt from.
    ///
    /// # Errors
    ///
    /// A target that is no name; a request for other classes.
    pub fn classes_to_read(&self, asked: &ClassRequest) -> Result<ClassRequest, Diagnostic> {
        let differs = |help: &str| {
            let message = "the model has other classes than those of ⁅class-argument⁆ and ⁅target⁆";
            Err(Diagnostic::error(codes::WRONG_TARGET, message).with_help(help))
        };
        let Some(class) = &self.class else {
            return if *asked == ClassRequest::default() {
                Ok(ClassRequest::default())
            } else {
                differs("the model knows positives and negatives alone: leave them out")
            };
        };
        let own = class.request()?;
        let is_same = (asked.argument.is_none() || asked.argument == own.argument)
            && (asked.targets.is_empty() || asked.targets == own.targets);
        if is_same { Ok(own) } else { differs("leave them out: the model knows its classes") }
    }

    /// Checks that the labels do not contradict themselves.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if self.class.as_ref().is_some_and(|class| !class.is_sound()) {
            return Err(ModelError::Inconsistent("its class is not valid"));
        }
        if self.number.as_ref().is_some_and(|number| number.source().is_none() || self.class.is_some()) {
            return Err(ModelError::Inconsistent("its source of numbers is not valid"));
        }
        Ok(())
    }
}

/// The class of a model, where there are many: its examples are positive, all others negative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassHeader {
    /// The position of the model's class, from 0.
    pub own: usize,
    /// All classes, in their order.
    pub names: Vec<String>,
    /// The target's argument that gives the class, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_argument: Option<usize>,
    /// The targets that give the class, as `name/arity`, one for each class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// The class's share of train and tune; 0 to 1.
    pub prior: f64,
}

impl ClassHeader {
    /// The way to read data with these classes.
    fn request(&self) -> Result<ClassRequest, Diagnostic> {
        let targets: Result<Vec<TargetName>, String> = self.targets.iter().map(|name| name.parse()).collect();
        let bad = |fault: String| Diagnostic::error(codes::BAD_MODEL, format!("its targets: {fault}"));
        Ok(ClassRequest {
            argument: self.class_argument.map(|argument| argument - 1),
            targets: targets.map_err(bad)?,
            names: Some(self.names.clone()),
        })
    }

    fn is_sound(&self) -> bool {
        let says_class = match self.class_argument {
            Some(argument) => argument > 0 && self.targets.is_empty(),
            None => self.targets.len() == self.names.len(),
        };
        self.own < self.names.len() && says_class && (0.0..=1.0).contains(&self.prior)
    }

    /// Whether the other model's class is one of the same classes.
    pub fn is_beside(&self, other: &Self) -> bool {
        (&self.names, self.class_argument, &self.targets)
            == (&other.names, other.class_argument, &other.targets)
    }

    /// The name of the model's class.
    ///
    /// # Panics
    ///
    /// Never for a file that was read: reading checked it.
    pub fn name(&self) -> &str {
        &self.names[self.own]
    }
}

/// The source of an example's number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberHeader {
    /// `label`, or the argument of the target that holds the number, from 1. The target of the header is without it.
    pub argument: String,
}

impl NumberHeader {
    /// The source; none in a file that was changed by hand.
    pub fn source(&self) -> Option<NumberSource> {
        self.argument.parse().ok()
    }
}
