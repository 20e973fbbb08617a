//! Bags of words: which there are, and the words of train in each.

use std::collections::BTreeMap;

use gleaner_base::{Budget, ConstantId, Counts, PredicateId, VariableId};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::mode::{ArgumentMode, Modes};
use gleaner_lang::program::{Atom, Clause, Literal, Symbols, Term};

use crate::Task;

use super::config::BagNames;

/// What each argument of a bag's predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BagArgument {
    /// An argument of the target, from 0.
    OfTarget(usize),
    /// The word.
    Word,
}

/// A predicate whose constants are words of an example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bag {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments; one of them is the word.
    pub arguments: Vec<BagArgument>,
}

/// The bags of these names that the modes give, ascending. A mode's inputs are arguments of the target of their types, and those of
/// one type keep their order: with two arguments of one type, a mode of two inputs is one bag, and a mode of one input is two.
pub fn bags(modes: &Modes, names: &BagNames, symbols: &Symbols) -> Vec<Bag> {
    let mut all = Vec::new();
    for mode in &modes.body {
        let Some(&predicate) = mode.subject.predicate() else { continue };
        if mode.is_negated() || !(names.0.is_empty() || names.0.contains(&symbols.predicate(predicate).name))
        {
            continue;
        }
        let constants = mode.arguments.iter().filter(|it| matches!(it, ArgumentMode::Constant(_))).count();
        let inputs = mode.arguments.iter().filter(|it| matches!(it, ArgumentMode::Input(_))).count();
        // Of the target, train would count an example's own label.
        if constants != 1
            || inputs == 0
            || inputs + 1 != mode.arguments.len()
            || predicate == modes.head.predicate
        {
            continue;
        }
        let mut open: Vec<Vec<BagArgument>> = vec![Vec::new()];
        for argument in &mode.arguments {
            let next = |known: &Vec<BagArgument>| -> Vec<Vec<BagArgument>> {
                let type_of = |at: usize| modes.head.arguments[at].type_id();
                let same_type = known.iter().filter_map(|it| match it {
                    BagArgument::OfTarget(at) if type_of(*at) == argument.type_id() => Some(at + 1),
                    BagArgument::OfTarget(_) | BagArgument::Word => None,
                });
                let first = same_type.max().unwrap_or(0);
                let choices: Vec<BagArgument> = match argument {
                    ArgumentMode::Constant(_) => vec![BagArgument::Word],
                    _ => (first..modes.head.arguments.len())
                        .filter(|&at| type_of(at) == argument.type_id())
                        .map(BagArgument::OfTarget)
                        .collect(),
                };
                let with = |choice: BagArgument| known.iter().copied().chain([choice]).collect();
                choices.into_iter().map(with).collect()
            };
            open = open.iter().flat_map(next).collect();
        }
        all.extend(open.into_iter().map(|arguments| Bag { predicate, arguments }));
    }
    all.sort();
    all.dedup();
    all
}

/// The names of the predicates that are bags, ascending.
pub fn bag_names(modes: &Modes, symbols: &Symbols) -> Vec<String> {
    let all = bags(modes, &BagNames::default(), symbols);
    let mut names: Vec<String> =
        all.iter().map(|bag| symbols.predicate(bag.predicate).name.clone()).collect();
    names.dedup();
    names
}

/// The words that examples have in a bag, with how many positives and negatives have each.
pub type Words = BTreeMap<ConstantId, Counts>;

impl Bag {
    /// The words of a universe's examples.
    ///
    /// **Cost**: the rows of the predicate that these examples have.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn words(
        &self,
        task: &Task<'_>,
        universe: &Universe,
        budget: &Budget,
    ) -> Result<Words, Interrupted> {
        let mut words = Words::new();
        let word_at = self.arguments.iter().position(|it| *it == BagArgument::Word).unwrap_or(0);
        for (_, id) in universe.iter() {
            budget.check().map_err(Interrupted)?;
            let arguments = task.examples.arguments(id);
            let bound: Vec<Option<ConstantId>> = self
                .arguments
                .iter()
                .map(|it| match it {
                    BagArgument::OfTarget(at) => Some(arguments[*at]),
                    BagArgument::Word => None,
                })
                .collect();
            let world = &task.worlds[task.examples.world(id).index()];
            let relation = world.relation(self.predicate);
            for row in world.matching_rows(self.predicate, &bound) {
                let counts = words.entry(relation.value(row, word_at)).or_insert(Counts::NONE);
                match task.examples.is_positive(id) {
                    true => counts.true_positives += 1,
                    false => counts.false_positives += 1,
                }
            }
        }
        Ok(words)
    }

    /// The clause that says that an example has a word.
    pub fn clause(&self, word: ConstantId, modes: &Modes) -> Clause {
        let variable = |at: usize| Term::Variable(VariableId::new(at));
        let terms = self.arguments.iter().map(|it| match it {
            BagArgument::OfTarget(at) => variable(*at),
            BagArgument::Word => Term::Constant(word),
        });
        let arguments = (0..modes.head.arguments.len()).map(variable).collect();
        let head = Atom { predicate: modes.head.predicate, arguments };
        let body = Literal::Positive(Atom { predicate: self.predicate, arguments: terms.collect() });
        Clause::renumbered(&head, &[body])
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::{PredicateId, TypeId};
    use gleaner_lang::program::mode::ModeSubject;
    use gleaner_lang::program::mode::{ArgumentMode, BodyMode, HeadMode, Modes};
    use gleaner_lang::program::order::Orders;
    use gleaner_lang::program::{PredicateName, Symbols};

    use super::BagArgument::{OfTarget, Word};
    use super::{BagNames, bags};
    use ArgumentMode::{Constant, Input, Output};

    /// A target of types 0, 1 and 0: inputs are found by type in any order, and nothing else is a bag.
    #[test]
    fn inputs_are_arguments_of_their_types() {
        let [thing, place, word] = [0, 1, 2].map(TypeId::new);
        let bodies = [
            vec![Input(place), Input(thing), Constant(word)],
            vec![Input(thing), Constant(word), Input(thing)],
            vec![Constant(word)],
            vec![Input(thing), Output(place), Constant(word)],
            vec![Input(word), Constant(word)],
        ];
        let names = ["a", "b", "c", "d", "e", "t"];
        let symbols = Symbols {
            predicates: names.map(|name| PredicateName::new(name, 3)).to_vec(),
            ..Symbols::default()
        };
        let body = bodies.into_iter().enumerate().map(|(at, arguments)| BodyMode {
            subject: ModeSubject::Relation(PredicateId::new(at)),
            arguments,
            instantiation_limit: None,
        });
        let target = PredicateId::new(5);
        let own = BodyMode {
            subject: ModeSubject::Relation(target),
            arguments: vec![Input(thing), Constant(word)],
            instantiation_limit: None,
        };
        let modes = Modes {
            head: HeadMode { predicate: target, arguments: vec![Input(thing), Input(place), Input(thing)] },
            body: body.chain([own]).collect(),
            orders: Orders::default(),
        };
        let found = bags(&modes, &BagNames::default(), &symbols);
        let found: Vec<_> = found.into_iter().map(|bag| (bag.predicate.index(), bag.arguments)).collect();
        assert_eq!(
            found,
            [
                (0, vec![OfTarget(1), OfTarget(0), Word]),
                (0, vec![OfTarget(1), OfTarget(2), Word]),
                (1, vec![OfTarget(0), Word, OfTarget(2)]),
            ]
        );
    }
}
