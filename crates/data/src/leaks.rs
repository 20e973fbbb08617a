//! Single literals and arguments of the target that separate the classes.
//!
//! Either the data contain the answer in another form, or the target needs no learning. The classes are those of train
//! if the data have a train part, else those of all examples.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::{ConstantId, ExampleId, FixedSet, PredicateId, VariableId};
use gleaner_lang::program::display::{literal_text, variable_name};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode};
use gleaner_lang::program::{Atom, Literal, Term};
use gleaner_lang::syntax::Diagnostic;

use crate::database::{DatabaseRelation, DatabaseSchema};
use crate::faults::{self, LeakedBy};
use crate::{Division, Problem};

/// The most examples of each class to look at, evenly spread.
const MOST_EXAMPLES: usize = 20_000;

/// The most literals of one mode, not counting their constants.
const MOST_LITERALS: usize = 64;

/// The most rows to look at in all.
const MOST_ROWS: usize = 20_000_000;

/// The least share of the positives that a literal must cover, or of a class's examples that must have the values.
const LEAST_SHARE: f64 = 0.9;

/// The greatest chance, over all literals looked at, that one separates the classes so well by accident.
const MOST_CHANCE: f64 = 0.01;

/// The fewest examples of a value, and of each class: fewer prove nothing.
const FEWEST_OF_A_VALUE: usize = 5;

/// The most values that stand for a class: more values are names of things, and each thing may well be of one class.
const MOST_VALUES: usize = 10;

/// Warnings about arguments and literals that separate the classes. **Cost**: at most `MOST_ROWS` rows.
pub fn leaks(problem: &Problem) -> Vec<Diagnostic> {
    // Literals may well tell the halves of the numbers apart.
    if problem.numbers().is_some() {
        return Vec::new();
    }
    let classes = Classes::of(problem);
    if classes.positives.len() < FEWEST_OF_A_VALUE || classes.negatives.len() < FEWEST_OF_A_VALUE {
        return Vec::new();
    }
    let mut found = separating_arguments(problem, &classes);
    found.extend(separating_literals(problem, &classes));
    found
}

/// The examples to look at, by class.
struct Classes {
    positives: Vec<ExampleId>,
    negatives: Vec<ExampleId>,
}

impl Classes {
    fn of(problem: &Problem) -> Self {
        let examples = problem.examples();
        let is_train = |id: ExampleId| match problem.division() {
            Division::TrainTest | Division::TrainTuneTest => {
                examples.fold(id).is_none_or(|fold| fold.index() == 0)
            }
            Division::None | Division::Folds => true,
        };
        let of_class = |is_positive: bool| {
            let is_of = |id: &ExampleId| {
                examples.is_labelled(*id) && examples.is_positive(*id) == is_positive && is_train(*id)
            };
            let all: Vec<ExampleId> = examples.ids().filter(is_of).collect();
            let step = all.len().div_ceil(MOST_EXAMPLES).max(1);
            all.into_iter().step_by(step).collect()
        };
        Self { positives: of_class(true), negatives: of_class(false) }
    }

    fn n(&self) -> usize {
        self.positives.len() + self.negatives.len()
    }
}

/// Warnings about arguments of the target whose values separate the classes: numbers by a threshold, any values by a
/// few frequent ones.
fn separating_arguments(problem: &Problem, classes: &Classes) -> Vec<Diagnostic> {
    let arguments = 0..problem.examples().arity();
    arguments
        .filter_map(|argument| {
            threshold(problem, classes, argument).or_else(|| few_values(problem, classes, argument))
        })
        .collect()
}

/// A warning if the numbers of an argument lie apart for the two classes.
fn threshold(problem: &Problem, classes: &Classes, argument: usize) -> Option<Diagnostic> {
    let range = |ids: &[ExampleId]| -> Option<(f64, f64)> {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for &id in ids {
            let number =
                problem.symbols().constants.number(problem.examples().arguments(id)[argument])?.as_f64();
            range = (range.0.min(number), range.1.max(number));
        }
        Some(range)
    };
    let (negatives, positives) = (range(&classes.negatives)?, range(&classes.positives)?);
    let is_apart = negatives.1 < positives.0 || positives.1 < negatives.0;
    let is_leak =
        is_apart && chance(classes.positives.len(), classes, 2 * problem.examples().arity()) <= MOST_CHANCE;
    is_leak.then(|| faults::separating_numbers(problem.target(), argument + 1, [negatives, positives], None))
}

/// A warning if a few values belong to nearly all examples of one class. Each value must belong to several examples of
/// that class and to none of the other.
fn few_values(problem: &Problem, classes: &Classes, argument: usize) -> Option<Diagnostic> {
    let mut counts: BTreeMap<ConstantId, [usize; 2]> = BTreeMap::new();
    for (class, ids) in [&classes.negatives, &classes.positives].into_iter().enumerate() {
        for &id in ids {
            counts.entry(problem.examples().arguments(id)[argument]).or_default()[class] += 1;
        }
    }
    [1, 0].into_iter().find_map(|class| {
        let is_of_class =
            |of_value: &[usize; 2]| of_value[class] >= FEWEST_OF_A_VALUE && of_value[1 - class] == 0;
        let values: Vec<ConstantId> =
            counts.iter().filter(|(_, of_value)| is_of_class(of_value)).map(|(&value, _)| value).collect();
        let n_of: usize = values.iter().map(|value| counts[value][class]).sum();
        let ids = [&classes.negatives, &classes.positives];
        let is_leak = values.len() <= MOST_VALUES
            && is_share(n_of, ids[class].len())
            && chance_of(n_of, ids[class].len(), classes.n()) * f64::from(1 << values.len()) <= MOST_CHANCE;
        is_leak.then(|| {
            let texts: Vec<&str> =
                values.iter().map(|&value| problem.symbols().constants.text(value)).collect();
            let covered = [n_of, ids[class].len(), ids[1 - class].len()];
            faults::separating_argument(problem.target(), argument + 1, &texts, covered, class == 1)
        })
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
fn is_share(part: usize, whole: usize) -> bool {
    part as f64 >= LEAST_SHARE * whole as f64
}

/// The kind of a literal's argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Slot {
    /// The head's variable of this position.
    Head(usize),
    /// A constant from the rows.
    Constant,
    /// A variable that occurs only here.
    Free,
}

/// A literal without its constants.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pattern {
    predicate: PredicateId,
    slots: Vec<Slot>,
}

/// A literal that covers nearly all positives and no negative.
struct Separating {
    pattern: Pattern,
    constants: Vec<ConstantId>,
    n_covered: usize,
    /// The first mode that makes the literal.
    mode: usize,
}

fn separating_literals(problem: &Problem, classes: &Classes) -> Vec<Diagnostic> {
    let mut looking = Looking { problem, classes, n_rows_left: MOST_ROWS, n_candidates: 0 };
    let mut known: FixedSet<Pattern> = FixedSet::default();
    let mut best: BTreeMap<PredicateId, Separating> = BTreeMap::new();
    for (mode, body) in problem.modes().body.iter().enumerate() {
        for pattern in patterns(problem, body) {
            if !known.insert(pattern.clone()) {
                continue;
            }
            for (constants, n_covered) in looking.separating(&pattern) {
                let is_better = best.get(&pattern.predicate).is_none_or(|known| n_covered > known.n_covered);
                if is_better {
                    let found = Separating { pattern: pattern.clone(), constants, n_covered, mode };
                    best.insert(pattern.predicate, found);
                }
            }
        }
    }
    let n_candidates = looking.n_candidates;
    let is_no_chance = |found: &Separating| chance(found.n_covered, classes, n_candidates) <= MOST_CHANCE;
    best.into_values().filter(is_no_chance).map(|found| warning(problem, classes, &found)).collect()
}

/// The chance that any of `n_candidates` literals covers `n_covered` positives and no negative, if each covered that
/// many examples at random. [Fisher's exact test, with Bonferroni's correction]
#[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
fn chance(n_covered: usize, classes: &Classes, n_candidates: usize) -> f64 {
    chance_of(n_covered, classes.positives.len(), classes.n()) * n_candidates as f64
}

/// The chance that `n_drawn` examples, drawn at random from all, are all of one class of size `of_class`.
#[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
fn chance_of(n_drawn: usize, of_class: usize, all: usize) -> f64 {
    (0..n_drawn).map(|drawn| (of_class - drawn) as f64 / (all - drawn) as f64).product()
}

fn warning(problem: &Problem, classes: &Classes, found: &Separating) -> Diagnostic {
    let mut constants = found.constants.iter();
    let term = |slot: &Slot| match slot {
        Slot::Head(position) => Term::Variable(VariableId::new(*position)),
        Slot::Constant => constants.next().map_or(Term::Any, |&value| Term::Constant(value)),
        Slot::Free => Term::Any,
    };
    let arguments = found.pattern.slots.iter().map(term).collect();
    let atom = Atom { predicate: found.pattern.predicate, arguments };
    let literal = literal_text(&Literal::Positive(atom), problem.symbols());
    let schema = problem.schema().and_then(DatabaseSchema::read);
    let head: Vec<String> = (0..problem.examples().arity()).map(variable_name).collect();
    let clause = || format!("target({}) :- {literal}.", head.join(","));
    let in_words = schema.as_ref().and_then(|schema| schema.in_words(&clause()));
    let said = match in_words.as_deref() {
        Some([condition]) => format!("the condition '{condition}'"),
        _ => format!("the literal {literal}"),
    };
    let predicate = problem.symbols().predicate(found.pattern.predicate);
    let place = problem.proposed_modes().is_none().then(|| problem.mode_places()[found.mode]);
    let covered = [found.n_covered, classes.positives.len(), classes.negatives.len()];
    let of_schema = schema.as_ref().map(|schema| column_of(schema, &predicate.name));
    let mode = match &of_schema {
        None => LeakedBy::Mode(place),
        // An aggregate is of no one column.
        Some(None) => LeakedBy::Rows,
        Some(Some(lines)) => LeakedBy::Column { lines, place },
    };
    faults::separating_literal(&said, covered, predicate, mode)
}

/// The lines of a schema that leave out the column of a relation; none of an aggregate.
fn column_of(schema: &DatabaseSchema, relation: &str) -> Option<[String; 2]> {
    let seen = match schema.relation(relation).first()? {
        DatabaseRelation::Value(seen)
        | DatabaseRelation::Link(seen)
        | DatabaseRelation::Year(seen)
        | DatabaseRelation::Calendar(seen, _)
        | DatabaseRelation::AgeOfExample(seen)
        | DatabaseRelation::Age(seen)
        | DatabaseRelation::Recency(seen) => seen,
        DatabaseRelation::AgeOfRow(_) | DatabaseRelation::Latest(_) => return None,
    };
    Some(schema.lines_to_leave_out(seen.end))
}

/// The literals of a mode that take their inputs from variables of the head, with at least one such variable.
fn patterns(problem: &Problem, mode: &BodyMode) -> Vec<Pattern> {
    let Some(&predicate) = mode.subject.relation() else { return Vec::new() };
    let head = &problem.modes().head.arguments;
    let mut all: Vec<Vec<Slot>> = vec![Vec::new()];
    for argument in &mode.arguments {
        let of_type = (0..head.len()).filter(|&position| {
            !matches!(head[position], ArgumentMode::Constant(_))
                && head[position].type_id() == argument.type_id()
        });
        let choices: Vec<Slot> = match argument {
            ArgumentMode::Input(_) => of_type.map(Slot::Head).collect(),
            ArgumentMode::Output(_) => of_type.map(Slot::Head).chain([Slot::Free]).collect(),
            ArgumentMode::Constant(_) => vec![Slot::Constant],
        };
        let longer = all.iter().flat_map(|slots| choices.iter().map(|&slot| [&slots[..], &[slot]].concat()));
        all = longer.take(MOST_LITERALS).collect();
    }
    all.retain(|slots| slots.iter().any(|slot| matches!(slot, Slot::Head(_))));
    let is_proposed = problem.proposed_modes().is_some();
    let single = all.iter().flat_map(|slots| single_columns(slots, is_proposed)).collect::<BTreeSet<_>>();
    all.extend(single);
    all.into_iter().map(|slots| Pattern { predicate, slots }).collect()
}

/// The same literal with a constant in one column only, if it had several. The columns of a wide table together
/// identify a row, though one column may show the class alone. Proposed modes are one choice of many, so columns with
/// free variables get a constant, too.
fn single_columns(slots: &[Slot], is_proposed: bool) -> Vec<Vec<Slot>> {
    let is_tried = |slot: Slot| slot == Slot::Constant || is_proposed && slot == Slot::Free;
    let tried: Vec<usize> = (0..slots.len()).filter(|&column| is_tried(slots[column])).collect();
    let alone = |kept: usize| {
        let of_column = |(column, &slot): (usize, &Slot)| match slot {
            Slot::Head(_) => slot,
            Slot::Constant | Slot::Free if column == kept => Slot::Constant,
            Slot::Constant | Slot::Free => Slot::Free,
        };
        slots.iter().enumerate().map(of_column).collect()
    };
    tried.into_iter().map(alone).collect()
}

/// The search for literals that separate the classes.
struct Looking<'l> {
    problem: &'l Problem,
    classes: &'l Classes,
    n_rows_left: usize,
    /// The number of literals looked at, counted for each constant.
    n_candidates: usize,
}

impl Looking<'_> {
    /// The constants with which a literal covers nearly all positives and no negative, and the number of covered
    /// positives.
    fn separating(&mut self, pattern: &Pattern) -> Vec<(Vec<ConstantId>, usize)> {
        let n_positives = self.classes.positives.len();
        let mut counts: BTreeMap<Vec<ConstantId>, usize> = BTreeMap::new();
        let mut n_missed = 0;
        for &id in &self.classes.positives {
            let answers = self.answers(pattern, id);
            n_missed += usize::from(answers.is_empty());
            answers.into_iter().for_each(|constants| *counts.entry(constants).or_default() += 1);
            if self.n_rows_left == 0 || !is_share(n_positives - n_missed, n_positives) {
                self.n_candidates += counts.len().max(1);
                return Vec::new();
            }
        }
        self.n_candidates += counts.len().max(1);
        counts.retain(|_, n_covered| is_share(*n_covered, n_positives));
        for &id in &self.classes.negatives {
            if counts.is_empty() || self.n_rows_left == 0 {
                return Vec::new();
            }
            for constants in self.answers(pattern, id) {
                counts.remove(&constants);
            }
        }
        counts.into_iter().collect()
    }

    /// The constants with which a literal covers an example. For a literal without constants, one empty list if it
    /// covers the example.
    fn answers(&mut self, pattern: &Pattern, id: ExampleId) -> FixedSet<Vec<ConstantId>> {
        let Pattern { predicate, slots } = pattern;
        let examples = self.problem.examples();
        let background = &self.problem.worlds()[examples.world(id).index()];
        let bound: Vec<Option<ConstantId>> = slots
            .iter()
            .map(|slot| match slot {
                Slot::Head(position) => Some(examples.arguments(id)[*position]),
                Slot::Constant | Slot::Free => None,
            })
            .collect();
        let columns: Vec<usize> =
            (0..slots.len()).filter(|&column| slots[column] == Slot::Constant).collect();
        let relation = background.relation(*predicate);
        let mut found = FixedSet::default();
        for row in background.matching_rows(*predicate, &bound).take(self.n_rows_left) {
            self.n_rows_left -= 1;
            found.insert(columns.iter().map(|&column| relation.value(row, column)).collect());
            if columns.is_empty() {
                break;
            }
        }
        found
    }
}
