//! Bags of words: which there are, and the words of train in each.
//!
//! Scores of examples by words that were counted without them.

use std::collections::BTreeMap;

use crate::calibration::HeldOut;
use crate::deciding::Alignment;
use crate::learner::Fitting;
use crate::network::NetworkModel;
use crate::pooled_sets::{HeldOutParts, PooledSets};
use crate::{Model, Task};
use gleaner_base::{Budget, ConstantId, Counts, PredicateId, VariableId};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::mode::{ArgumentMode, Modes};
use gleaner_lang::program::{Atom, Clause, Literal, Symbols, Term};

use super::{BagNames, CountedBags, LogOdds, log_odds_of};

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

/// The words of each example of train, and how often each word is in each part of it.
struct WordsOfTrain {
    /// For each position, the numbers of its words. Words are numbered through all bags.
    of_example: Vec<Vec<usize>>,
    /// For each word, and each part, how many of its examples have the word.
    in_parts: Vec<Vec<Counts>>,
}

impl WordsOfTrain {
    /// `part_of` is the part of each position.
    fn of(found: &CountedBags, part_of: &[usize], fitting: &Fitting<'_>) -> Result<Self, Interrupted> {
        let universe = fitting.train.universe();
        let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
        let mut words = Self { of_example: vec![Vec::new(); universe.len()], in_parts: Vec::new() };
        let clauses: Vec<&Clause> =
            found.bags.iter().flat_map(|bag| &bag.words).map(|word| &word.clause).collect();
        fitting.train.visit(&clauses, fitting.budget, |first, block| {
            for (number, cover) in (first..).zip(block) {
                let mut counts = vec![Counts::NONE; n_parts];
                for position in cover.iter() {
                    words.of_example[position].push(number);
                    let of = &mut counts[part_of[position]];
                    *(if universe.is_positive(position) {
                        &mut of.true_positives
                    } else {
                        &mut of.false_positives
                    }) += 1;
                }
                words.in_parts.push(counts);
            }
        })?;
        Ok(words)
    }

    /// The scores of all positions.
    fn scores(&self, odds: &LogOdds) -> Vec<f64> {
        let score = |of: &Vec<usize>| odds.base + of.iter().map(|&word| odds.added[word]).sum::<f64>();
        self.of_example.iter().map(score).collect()
    }
}

/// The scores of train and tune as calibrators take them: of each part of train by the words of the others, on the scale of the
/// model, and of tune by the model. `None` where tune alone is enough to calibrate on.
///
/// Naive Bayes has a weight for each word that it saw, so on train itself it knows nearly every class.
///
/// **Cost**: the covers of all words on train, and a pass over the examples' words for each part.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn held_out(
    found: &CountedBags,
    model: &NetworkModel,
    m: f64,
    fitting: &Fitting<'_>,
) -> Result<Option<HeldOut>, Interrupted> {
    let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
    let sets = match fitting.labels.classes() {
        Some(list) => PooledSets::of_classes(train, tune, list.len()),
        None => PooledSets::of(train, tune),
    };
    let parts = sets.held_out_parts(HeldOutParts::TuneOrFolds, fitting.stream);
    if parts.len() < 2 {
        return Ok(None);
    }
    let mut part_of = vec![0; train.len()];
    for (at, part) in parts.iter().enumerate() {
        let of_train = part.iter().map(|&number| sets.examples[number]).filter(|of| !of.is_tune);
        of_train.for_each(|of| part_of[of.position] = at);
    }
    let words = WordsOfTrain::of(found, &part_of, fitting)?;
    let scores_without = |left_out: Option<usize>| {
        let rest = |counts: &[Counts]| {
            let kept = counts.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
            kept.fold(Counts::NONE, |sum, (_, of)| Counts {
                true_positives: sum.true_positives + of.true_positives,
                false_positives: sum.false_positives + of.false_positives,
            })
        };
        let mut counts = words.in_parts.iter().map(|counts| rest(counts));
        let of_bags: Vec<Vec<Counts>> =
            found.bags.iter().map(|bag| counts.by_ref().take(bag.words.len()).collect()).collect();
        let mut totals = train.totals();
        for of in sets.examples.iter().filter(|of| !of.is_tune && Some(part_of[of.position]) == left_out) {
            *(if of.is_positive { &mut totals.n_positives } else { &mut totals.n_negatives }) -= 1;
        }
        words.scores(&log_odds_of(&of_bags, totals, m))
    };
    let of_all = scores_without(None);
    let mut of_train = vec![0.0; train.len()];
    for at in 0..parts.len() {
        let without = scores_without(Some(at));
        let weight = |(position, _)| match train.is_positive(position) {
            _ if part_of[position] == at => 0.0,
            true => 1.0,
            false => train.negative_weight().ratio(),
        };
        let mut weights = vec![0.0; train.len()];
        train.iter().for_each(|of| weights[of.0] = weight(of));
        let alignment = Alignment::fit(&without, &of_all, &weights);
        for (position, _) in train.iter().filter(|of| part_of[of.0] == at) {
            of_train[position] = alignment.at(without[position]);
        }
    }
    let of_tune = model.score(fitting.tune, fitting.budget)?.scores;
    let scores: Vec<(usize, f64)> = sets.by_number(&of_train, &of_tune).into_iter().enumerate().collect();
    Ok(Some(sets.held_out(&scores)))
}

#[cfg(test)]
mod tests {
    use ArgumentMode::{Constant, Input, Output};

    use gleaner_base::{PredicateId, TypeId};
    use gleaner_lang::program::mode::{ArgumentMode, BodyMode, HeadMode, ModeSubject, Modes};
    use gleaner_lang::program::monotone::Orders;
    use gleaner_lang::program::{PredicateName, Symbols};

    use super::BagArgument::{OfTarget, Word};
    use super::{BagNames, bags};

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
