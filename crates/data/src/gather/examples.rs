//! The examples as read, with their folds and classes.

use gleaner_base::{ClassId, ConstantId, PredicateId};
use gleaner_lang::program::{ClassList, FactTable, NumberList, PredicateName, TargetName};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::gathered::Facts;

/// How the files divide the examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Division {
    /// Not at all: the program makes folds.
    #[default]
    None,
    /// Into given folds.
    Folds,
    /// Into a training part (fold 0) and a test part (fold 1).
    TrainTest,
    /// Into a training part (fold 0), a tuning part (fold 1) and a test part (fold 2).
    TrainTuneTest,
}

/// The source of an example's class; without an argument and targets, an example is positive or negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassRequest {
    /// The argument of the target that holds the class, from 0.
    pub argument: Option<usize>,
    /// The targets, one for each class: the predicate of an example is its class.
    pub targets: Vec<TargetName>,
    /// The classes of a model, in its order, for examples that are scored; else the examples give the classes.
    pub names: Option<Vec<String>>,
}

/// An example as read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawExample {
    pub(crate) predicate: PredicateId,
    /// The row of the example among the predicate's rows in `RawExamples::rows`.
    pub(crate) row: usize,
    pub(crate) fold: Option<usize>,
    /// Whether the example is positive; false for an example without a class.
    pub(crate) is_positive: bool,
    /// Whether its class is known.
    pub(crate) is_labelled: bool,
    /// The class of the example among many classes.
    pub(crate) class: ClassId,
    pub(crate) place: Place,
}

/// The examples of all predicates.
#[derive(Debug, Default)]
pub(crate) struct RawExamples {
    /// The examples of the data, in the order given.
    pub(crate) listed: Vec<RawExample>,
    /// Atoms to score, from a file of their own, in the order given.
    pub(crate) asked: Vec<RawExample>,
    /// The arguments of both, by predicate.
    pub(crate) rows: FactTable,
    /// The folds' names: those of the layout, then those that rows of tables name.
    pub(crate) fold_names: Vec<String>,
    pub(crate) division: Division,
    /// The classes of the examples over provisional ids, if they are not positive and negative.
    pub(crate) classes: Option<ClassList>,
    /// The argument that holds the class, where the tables of a database make examples of many classes.
    pub(crate) class_argument: Option<usize>,
    /// Why the labels of a database are of one class alone, or of none, if they are.
    pub(crate) label_fault: Option<Diagnostic>,
    /// The numbers of the examples, if the target is a number.
    pub(crate) numbers: Option<RawNumbers>,
    /// Numbers that rows have as labels. The class of such an example is one more than the place of its number.
    pub(crate) read_numbers: Vec<f64>,
    /// Whether examples state their classes themselves, as rows of tables do, instead of the files that hold them.
    pub(crate) has_labels: bool,
}

/// The numbers of the examples, and the target without the argument that holds them.
#[derive(Clone, Debug)]
pub(crate) struct RawNumbers {
    pub(crate) list: NumberList,
    pub(crate) target: PredicateName,
}

impl RawExamples {
    /// The label that is this number.
    pub(crate) fn number_label(&mut self, number: f64) -> ClassId {
        self.read_numbers.push(number);
        ClassId::new(self.read_numbers.len())
    }

    /// Adds an example of a known class. Its predicate has room in `rows`.
    pub(crate) fn add(
        &mut self,
        predicate: PredicateId,
        arguments: &[ConstantId],
        is_positive: bool,
        fold: Option<usize>,
        place: Place,
    ) {
        let rows = self.rows.rows_mut(predicate);
        let row = rows.len();
        rows.push(arguments);
        let (is_labelled, class) = (true, ClassId::default());
        self.listed.push(RawExample { predicate, row, fold, is_positive, is_labelled, class, place });
    }

    /// The fold of this name; adds it, and its table of facts, if it is new.
    pub(crate) fn fold_named(&mut self, name: &str, facts: &mut Facts) -> usize {
        let known = self.fold_names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.fold_names.push(name.to_owned());
            facts.folds.push(FactTable::default());
            self.fold_names.len() - 1
        })
    }

    /// The arguments of an example.
    pub(crate) fn arguments(&self, example: &RawExample) -> &[ConstantId] {
        self.rows.rows(example.predicate).row(example.row)
    }

    /// The examples of a predicate.
    pub(crate) fn of(&self, predicate: PredicateId) -> impl Iterator<Item = &RawExample> + Clone {
        self.listed.iter().filter(move |example| example.predicate == predicate)
    }
}

impl RawExample {
    /// Forgets the class.
    pub(crate) const fn forget_class(&mut self) {
        (self.is_positive, self.is_labelled) = (false, false);
    }
}
