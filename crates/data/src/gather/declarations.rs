//! What the files declare beside facts, rules and examples.
//!
//! The examples as read, with their folds and classes.

use crate::mode_terms::{RawMode, name_and_arity};
use gleaner_base::{ClassId, ConstantId, FixedSet, PredicateId};
use gleaner_lang::program::{ClassList, FactTable, NumberList, PredicateName, TargetName};
use gleaner_lang::syntax::ast::Term;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, TermKind};

use super::gathered::Facts;
use super::time_terms::TimeDeclarations;

/// A `set` directive of the files.
#[derive(Clone, Debug)]
pub struct SetDirective {
    /// The setting's name as written.
    pub name: String,
    /// The setting's value as written.
    pub value: String,
    /// The place of the directive.
    pub place: Place,
    /// Whether the file is in another system's layout, which may have settings without a meaning here.
    pub is_foreign: bool,
}

/// The declarations of all files.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) modes: Vec<RawMode>,
    pub(crate) determinations: Vec<(PredicateName, PredicateName, Place)>,
    /// Body predicates without directions for their arguments, with their places.
    pub(crate) undirected: Vec<(PredicateName, Place)>,
    /// The types of arguments in tables and in declarations without directions; an empty type is unknown.
    pub(crate) declared_types: Vec<(PredicateName, Vec<String>, Place)>,
    /// The names of arguments in tables.
    pub(crate) argument_names: Vec<(PredicateName, Vec<String>)>,
    pub(crate) settings: Vec<SetDirective>,
    /// The fold of each positive that is no example.
    pub(crate) lost_positives: Vec<Option<usize>>,
    /// Which facts have a time, and which argument of the target is the cut-off.
    pub(crate) times: TimeDeclarations,
    /// The target that the request or the files name, if its facts are the positive examples.
    pub(crate) query: Option<TargetName>,
    /// Predicates that are declared, as `:- dynamic p/1.`, so that they may be without facts and rules.
    pub(crate) may_be_empty: FixedSet<PredicateName>,
}

impl Declarations {
    /// Forgets modes and determinations of all other files: those of these files replace them.
    pub(super) fn keep_modes_of(&mut self, files: &[FileId]) {
        self.modes.retain(|mode| files.contains(&mode.place.file()));
        self.determinations.retain(|(_, _, place)| files.contains(&place.file()));
        self.undirected.retain(|(_, place)| files.contains(&place.file()));
    }

    /// Adds the predicates of `p/1`, `p/1, q/2` or `[p/1, q/2]`.
    pub(super) fn may_be_empty(&mut self, term: &Term<'_>) {
        match &term.kind {
            TermKind::List(items, _) => items.iter().for_each(|item| self.may_be_empty(item)),
            TermKind::Compound(name, parts) if name == "," => {
                parts.iter().for_each(|part| self.may_be_empty(part));
            }
            _ => self.may_be_empty.extend(name_and_arity(term)),
        }
    }

    /// Whether this predicate is the target, as far as the target is known.
    pub(crate) fn is_query(&self, predicate: &PredicateName) -> bool {
        self.query.as_ref().is_some_and(|query| query.is(predicate))
    }
}

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
