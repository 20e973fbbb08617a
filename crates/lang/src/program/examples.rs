//! The target: its name, its labelled examples in canonical order, the classes of a problem with many, and the known
//! links that proofs of an example may not use.
//!
//! Numbers as targets: the number of each example of a regression problem.
//!
//! Graphs: links of many relations, each of which is learnt.

use serde::{Deserialize, Serialize};

use crate::syntax::quote_atom;
use gleaner_base::{
    ClassId, ConstantId, EntityId, ExampleId, FoldId, LinkRelationId, NegativeWeight, PredicateId, WorldId,
};

use super::display::variable_name;
use super::rows::Rows;
use super::{Clause, PredicateName, Term};

/// The target predicate as the user names it. Without an arity, it is the predicate of the examples that has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The predicate's name.
    pub name: String,
    /// The number of its arguments.
    pub arity: Option<usize>,
}

impl TargetName {
    /// The atom `name(A, B, ...)`; without a number of arguments, the name alone. No target has more than 65,536 arguments.
    pub fn atom_of_variables(&self) -> String {
        let name = quote_atom(&self.name);
        let variables: Vec<String> = (0..self.arity.unwrap_or(0).min(1 << 16)).map(variable_name).collect();
        if variables.is_empty() { name.into_owned() } else { format!("{name}({})", variables.join(",")) }
    }

    /// Whether the name stands for this predicate.
    pub fn is(&self, predicate: &PredicateName) -> bool {
        self.name == predicate.name && self.arity.is_none_or(|arity| arity == predicate.arity)
    }
}

impl From<PredicateName> for TargetName {
    fn from(predicate: PredicateName) -> Self {
        Self { arity: Some(predicate.arity), name: predicate.name }
    }
}

/// Reads `advisedby/2`, or a name without an arity.
impl std::str::FromStr for TargetName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let with_arity = text
            .rsplit_once('/')
            .and_then(|(name, arity)| Some(Self { name: name.to_owned(), arity: Some(arity.parse().ok()?) }));
        Some(with_arity.unwrap_or_else(|| Self { name: text.to_owned(), arity: None }))
            .filter(|target| !target.name.is_empty())
            .ok_or_else(|| "a target is NAME/ARITY, as advisedby/2".to_owned())
    }
}

impl std::fmt::Display for TargetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.arity {
            Some(arity) => write!(f, "{}/{arity}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The properties of an example besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExampleLabel {
    /// The facts it is proved from.
    pub world: WorldId,
    /// Its fold, when folds are given.
    pub fold: Option<FoldId>,
    /// Whether it is positive; false where its class is not known.
    pub is_positive: bool,
    /// Whether its class is known. It is for examples from files; examples from memory may lack it.
    pub is_labelled: bool,
    /// The class of the example among those of the problem; where there are two, the first is that of the positives.
    pub class: ClassId,
}

/// All examples of a problem, ascending by arguments, world and fold.
///
/// **Shape**: every column has one entry for each example.
#[derive(Clone, Debug)]
pub struct Examples {
    target: PredicateId,
    arguments: Rows,
    labels: Vec<ExampleLabel>,
    negative_weight: NegativeWeight,
}

impl Examples {
    /// Puts examples of `target` in canonical order, each once. Cost: as of `Rows::order`.
    ///
    /// # Panics
    ///
    /// When there is not one label for each row of arguments.
    pub fn new(target: PredicateId, arguments: &Rows, labels: &[ExampleLabel]) -> Self {
        assert_eq!(arguments.len(), labels.len(), "one label for each example");
        let row = |position: u32| arguments.row(position as usize);
        let label = |position: u32| labels[position as usize];
        let mut order = arguments.order();
        let mut sorted = Self {
            target,
            arguments: Rows::new(arguments.arity()),
            labels: Vec::with_capacity(order.len()),
            negative_weight: NegativeWeight::ONE,
        };
        for same in order.chunk_by_mut(|&left, &right| row(left) == row(right)) {
            same.sort_unstable_by_key(|&position| label(position));
            let mut last = None;
            for &position in same.iter() {
                let label = label(position);
                if last != Some(label) {
                    last = Some(label);
                    sorted.arguments.push(row(position));
                    sorted.labels.push(label);
                }
            }
        }
        sorted
    }

    /// The same examples, with the negatives as a sample of the population.
    pub const fn with_negative_weight(mut self, negative_weight: NegativeWeight) -> Self {
        self.negative_weight = negative_weight;
        self
    }

    /// How many negatives of the population each negative stands for.
    pub const fn negative_weight(&self) -> NegativeWeight {
        self.negative_weight
    }

    /// The target predicate.
    pub const fn target(&self) -> PredicateId {
        self.target
    }

    /// The target's arity.
    pub const fn arity(&self) -> usize {
        self.arguments.arity()
    }

    /// How many examples there are.
    pub const fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Whether the class of an example is known.
    pub fn is_labelled(&self, example: ExampleId) -> bool {
        self.labels[example.index()].is_labelled
    }

    /// Whether all classes are known. Learning and measuring need the class of every example.
    pub fn are_labelled(&self) -> bool {
        self.labels.iter().all(|label| label.is_labelled)
    }

    /// All ids, ascending.
    pub fn ids(&self) -> impl Iterator<Item = ExampleId> + use<> {
        (0..self.len()).map(ExampleId::new)
    }

    /// The target's arguments in an example.
    pub fn arguments(&self, example: ExampleId) -> &[ConstantId] {
        self.arguments.row(example.index())
    }

    /// The facts that an example is proved from.
    pub fn world(&self, example: ExampleId) -> WorldId {
        self.labels[example.index()].world
    }

    /// The given fold of an example.
    pub fn fold(&self, example: ExampleId) -> Option<FoldId> {
        self.labels[example.index()].fold
    }

    /// Whether an example is positive.
    pub fn is_positive(&self, example: ExampleId) -> bool {
        self.labels[example.index()].is_positive
    }

    /// The class of an example among those of the problem; where there are two, the first is that of the positives.
    pub fn class(&self, example: ExampleId) -> ClassId {
        self.labels[example.index()].class
    }

    /// The same examples, with those of this class positive and the others negative.
    pub fn of_class(&self, class: ClassId) -> Self {
        let mut examples = self.clone();
        for label in &mut examples.labels {
            label.is_positive = label.is_labelled && label.class == class;
        }
        examples
    }

    /// The same examples, with those positive whose class is in the upper half of the classes of these. Where the median is
    /// the least class, those above it are the upper half.
    pub fn with_upper_half_of(&self, these: &[ExampleId]) -> Self {
        let mut classes: Vec<ClassId> =
            these.iter().filter(|id| self.is_labelled(**id)).map(|id| self.class(*id)).collect();
        classes.sort_unstable();
        let median = classes.get(classes.len() / 2).copied();
        let is_least = median == classes.first().copied();
        let mut examples = self.clone();
        for label in &mut examples.labels {
            let is_upper =
                median.is_some_and(|median| label.class > median || !is_least && label.class == median);
            label.is_positive = label.is_labelled && is_upper;
        }
        examples
    }

    /// The same examples, in the same order, with this constant as one argument. They must differ in another argument.
    pub fn with_argument(mut self, argument: usize, constant: ConstantId) -> Self {
        let mut rows = Rows::new(self.arity());
        let mut changed = vec![constant; self.arity()];
        for row in 0..self.len() {
            changed.copy_from_slice(self.arguments.row(row));
            changed[argument] = constant;
            rows.push(&changed);
        }
        self.arguments = rows;
        self
    }

    /// The same examples, each proved from the facts of another world; they stay in their order.
    ///
    /// # Panics
    ///
    /// When there is not one world for each.
    pub fn with_worlds(&self, worlds: &[WorldId]) -> Self {
        assert_eq!(worlds.len(), self.len(), "one world for each example");
        let mut examples = self.clone();
        examples.labels.iter_mut().zip(worlds).for_each(|(label, &world)| label.world = world);
        examples
    }

    /// The same examples of another target.
    pub const fn with_target(mut self, target: PredicateId) -> Self {
        self.target = target;
        self
    }

    /// How many examples are positive.
    pub fn n_positives(&self) -> usize {
        self.labels.iter().filter(|label| label.is_positive).count()
    }

    /// The examples for which `keep` holds, in the same order.
    pub fn filtered(&self, keep: impl Fn(ExampleId) -> bool) -> Self {
        let mut kept = Self {
            target: self.target,
            arguments: Rows::new(self.arity()),
            labels: Vec::with_capacity(self.len()),
            negative_weight: self.negative_weight,
        };
        for id in self.ids().filter(|&id| keep(id)) {
            kept.arguments.push(self.arguments(id));
            kept.labels.push(self.labels[id.index()]);
        }
        kept
    }
}

/// The source of an example's class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaidBy {
    /// An argument of the target: its number from 0, and its value for each class.
    Argument(usize, Vec<ConstantId>),
    /// The predicate of the example: one for each class.
    Predicate(Vec<PredicateId>),
}

/// The classes of a problem with many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassList {
    /// The names of the classes: values of the argument, or names of predicates. Values of an argument ascend, numbers
    /// by value; predicates keep the order in which the user gave them.
    pub names: Vec<String>,
    /// The source of the examples' classes.
    pub said_by: SaidBy,
    /// The class of the binary problem to which the examples belong.
    pub own: ClassId,
}

impl ClassList {
    /// All classes.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ClassId> + use<> {
        (0..self.names.len()).map(ClassId::new)
    }

    /// How many there are: at least two.
    #[expect(clippy::len_without_is_empty, reason = "there are at least two")]
    pub const fn len(&self) -> usize {
        self.names.len()
    }

    /// The target's argument that holds the class, from 0, if one does.
    pub const fn argument(&self) -> Option<usize> {
        match self.said_by {
            SaidBy::Argument(argument, _) => Some(argument),
            SaidBy::Predicate(_) => None,
        }
    }

    /// The name of a class.
    pub fn name(&self, class: ClassId) -> &str {
        &self.names[class.index()]
    }

    /// The same list for the binary problem of another class.
    pub fn of_class(&self, class: ClassId) -> Self {
        Self { own: class, ..self.clone() }
    }

    /// The clause with the head of the examples' class: queries of all classes share one head.
    pub fn with_own_head(&self, clause: &Clause) -> Clause {
        let mut clause = clause.clone();
        match &self.said_by {
            SaidBy::Argument(argument, constants) => {
                clause.head.arguments[*argument] = Term::Constant(constants[self.own.index()]);
            }
            SaidBy::Predicate(predicates) => clause.head.predicate = predicates[self.own.index()],
        }
        Clause::renumbered(&clause.head, &clause.body)
    }
}

/// The known links of the target that reveal an example's class; its proofs may not use them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnLinks {
    /// Its own atom.
    #[default]
    Itself,
    /// Its own atom, and the atom with both arguments exchanged.
    ItselfAndInverse,
}

impl OwnLinks {
    /// With the exchanged atom, or without.
    pub const fn with_inverse(has_inverse: bool) -> Self {
        if has_inverse { Self::ItselfAndInverse } else { Self::Itself }
    }

    /// Whether the exchanged atom is one of them.
    pub const fn has_inverse(self) -> bool {
        matches!(self, Self::ItselfAndInverse)
    }
}

/// An argument of an example, and an argument of known links. Where both are the same entity, the example is proved
/// without the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedEnd {
    /// The argument of the example, from 0.
    pub of_example: usize,
    /// The argument of the link, from 0.
    pub of_link: usize,
}

/// The known links that proofs of an example may not use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// Links that state the example itself.
    pub own_links: OwnLinks,
    /// Links of the example's own entities, ascending. Later examples lack such links, because their entities are new.
    pub ends: Vec<SharedEnd>,
}

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

/// A link of a graph: `relation(subject, object)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Where it begins.
    pub subject: EntityId,
    /// The relation between both entities.
    pub relation: LinkRelationId,
    /// Where it ends.
    pub object: EntityId,
}

/// The links of a graph.
///
/// **Invariant**: names ascend, each once; so the order of the files' lines does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphData {
    /// The names of entities.
    pub entities: Vec<String>,
    /// The names of relations.
    pub relations: Vec<String>,
    /// Known links.
    pub train: Vec<Link>,
    /// Links on which settings are chosen.
    pub tune: Vec<Link>,
    /// Links that the model is to predict.
    pub test: Vec<Link>,
    /// Links that people checked to be false, for use with `tune`.
    pub tune_false: Vec<Link>,
    /// Links that people checked to be false, for use with `test`.
    pub test_false: Vec<Link>,
}

impl GraphData {
    /// The graph of links given by names: subject, relation and object. The five parts are train, tune, test, false
    /// links of tune and false links of test.
    ///
    /// # Panics
    ///
    /// When there are 2^32 names or more.
    pub fn of_names(parts: &[Vec<[&str; 3]>; 5]) -> Self {
        let names = |columns: &[usize]| -> Vec<String> {
            let cells = parts.iter().flatten().flat_map(|cells| columns.iter().map(|&column| cells[column]));
            let mut names: Vec<&str> = cells.collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().map(str::to_owned).collect()
        };
        let (entities, relations) = (names(&[0, 2]), names(&[1]));
        let place = |names: &[String], name: &str| {
            names.binary_search_by(|known| known.as_str().cmp(name)).expect("all names are gathered")
        };
        let link = |&[subject, relation, object]: &[&str; 3]| Link {
            subject: EntityId::new(place(&entities, subject)),
            relation: LinkRelationId::new(place(&relations, relation)),
            object: EntityId::new(place(&entities, object)),
        };
        let [train, tune, test, tune_false, test_false] =
            [0, 1, 2, 3, 4].map(|part| parts[part].iter().map(link).collect::<Vec<_>>());
        Self { entities, relations, train, tune, test, tune_false, test_false }
    }
}

#[cfg(test)]
mod tests {
    use super::TargetName;

    #[test]
    fn targets_by_name_and_arity() {
        let target = |text: &str| text.parse::<TargetName>();
        let named = |name: &str, arity| Ok(TargetName { name: name.to_owned(), arity });
        assert_eq!(target("advisedby/2"), named("advisedby", Some(2)));
        assert_eq!(target("advisedby"), named("advisedby", None));
        assert_eq!(target("/people/person/nationality/2"), named("/people/person/nationality", Some(2)));
        assert!(target("").is_err() && target("/2").is_err());
    }
}
