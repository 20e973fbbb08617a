//! All gathered data in provisional tables, and the steps that fill them.

use gleaner_base::{ClassId, ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::SaidBy;
use gleaner_lang::program::{Clause, FactTable, PredicateName, Term};
use gleaner_lang::syntax::{Diagnostic, FileId, Place};

use super::number_idiom::NumberIdiom;
use crate::classes::ClassRequest;
use crate::faults;
use crate::messages::Messages;
use crate::mode_terms::RawMode;
use crate::provisional::Provisional;
use gleaner_lang::program::TargetName;
use gleaner_lang::program::lower::Variables;

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

/// The properties of a whole layout.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// Whether the data are another system's. Statements that only that system knows are left out, with a message.
    pub(crate) is_foreign: bool,
    /// Whether the facts of the target are its positive examples.
    pub(crate) has_positives_among_facts: bool,
    /// Whether the case of predicate names makes no difference.
    pub(crate) ignores_case: bool,
    /// Whether the data are one graph of links: folds share their things on purpose.
    pub(crate) is_one_graph: bool,
}

/// Which names are variables, and which are constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum VariableStyle {
    /// Capitals and `_` begin variables.
    #[default]
    Capitals,
    /// `?` begins variables, capitals begin constants.
    QuestionMarks,
    /// Small letters begin the variables of rules, capitals begin constants; facts have constants alone.
    SmallLetters,
}

/// A rule with its place and the names of its variables.
#[derive(Debug)]
pub(crate) struct RawRule {
    pub(crate) clause: Clause,
    pub(crate) variables: Variables,
    pub(crate) place: Place,
}

/// A rule that waits until all rules of its predicate are known.
#[derive(Debug)]
pub(crate) struct HeldRule {
    pub(crate) predicate: PredicateId,
    /// How the rule compares numbers, if it does nothing else.
    pub(crate) idiom: Option<NumberIdiom>,
    /// The rule's clauses, or the fault that keeps it outside the language.
    pub(crate) rules: Result<Vec<RawRule>, Diagnostic>,
    /// The state at the rule's cut, if it has one: its clauses mean the same only if it is the last of its predicate.
    pub(crate) cut: Option<CutRule>,
    pub(crate) place: Place,
}

/// The counts of statements before a rule with a cut, and the fault of the rule if more of its predicate follows.
#[derive(Debug)]
pub(crate) struct CutRule {
    pub(crate) fault: Diagnostic,
    /// The number of facts of the rule's predicate.
    pub(crate) n_facts: usize,
    /// The number of rules of any predicate.
    pub(crate) n_rules: usize,
    /// The number of facts with variables, of any predicate.
    pub(crate) n_universal: usize,
}

/// A fact with variables.
#[derive(Debug)]
pub(crate) struct UniversalFact {
    pub(crate) predicate: PredicateId,
    pub(crate) arguments: Vec<Term>,
    pub(crate) variables: Variables,
    pub(crate) n_variables: usize,
    pub(crate) fold: Option<usize>,
    /// The fact as it is written.
    pub(crate) text: String,
    pub(crate) place: Place,
}

/// An example as read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawExample {
    pub(crate) predicate: PredicateId,
    /// The row of the example among the predicate's rows in `Gathered::example_rows`.
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

/// Many classes, over provisional ids.
#[derive(Debug)]
pub(crate) struct RawClasses {
    /// The names of the classes, by class.
    pub(crate) names: Vec<String>,
    pub(crate) said_by: SaidBy,
}

impl RawClasses {
    /// The argument that holds the class, if one does.
    pub(crate) const fn argument(&self) -> Option<usize> {
        match self.said_by {
            SaidBy::Argument(argument, _) => Some(argument),
            SaidBy::Predicate(_) => None,
        }
    }
}

/// Everything the files say.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) symbols: Provisional,
    pub(crate) global: FactTable,
    pub(crate) folds: Vec<FactTable>,
    /// The folds' names: those of the layout, then those that rows of tables name.
    pub(crate) fold_names: Vec<String>,
    pub(crate) division: Division,
    /// The properties of the layout.
    pub(crate) habits: Habits,
    /// How variables are written, if a file says it.
    pub(crate) variable_style: VariableStyle,
    /// Whether the examples are only scored, and need no class.
    pub(crate) is_scored: bool,
    /// The source of an example's class, if it is no label.
    pub(crate) classes_asked: ClassRequest,
    /// Whether examples state their classes themselves, as rows of tables do, instead of the files that hold them.
    pub(crate) has_labels: bool,
    pub(crate) rules: Vec<RawRule>,
    /// Rules of other systems' files that wait: rules with cuts, and rules that may only compare numbers.
    pub(crate) held: Vec<HeldRule>,
    /// Facts with variables, until their constants are known.
    pub(crate) universal: Vec<UniversalFact>,
    /// The head predicates of rules outside the language, in files of other systems; later all predicates that are left
    /// out with them.
    pub(crate) incomplete: Vec<PredicateId>,
    pub(crate) modes: Vec<RawMode>,
    pub(crate) determinations: Vec<(PredicateName, PredicateName, Place)>,
    /// Body predicates without directions for their arguments, with their places.
    pub(crate) undirected: Vec<(PredicateName, Place)>,
    pub(crate) settings: Vec<SetDirective>,
    /// The target that the request or the files name, if its facts are the positive examples.
    pub(crate) query: Option<TargetName>,
    /// The types of arguments in tables and in declarations without directions; an empty type is unknown.
    pub(crate) declared_types: Vec<(PredicateName, Vec<String>, Place)>,
    /// The names of arguments in tables.
    pub(crate) argument_names: Vec<(PredicateName, Vec<String>)>,
    /// The folds of examples, by their first argument.
    pub(super) folds_of_first_arguments: Vec<(ConstantId, String)>,
    /// False atoms of other predicates than the target.
    pub(crate) false_facts: Counted,
    /// Hidden facts, which test other relations than the target.
    pub(crate) hidden_facts: Counted,
    pub(crate) examples: Vec<RawExample>,
    /// Atoms to score, from a file of their own, in the order given.
    pub(crate) asked: Vec<RawExample>,
    /// The classes of the examples, if they are not positive and negative.
    pub(crate) classes: Option<RawClasses>,
    /// The positions in `examples` of atoms whose fold is not known yet, ascending.
    pub(crate) unplaced: Vec<usize>,
    /// The examples' arguments, by predicate, in the order given.
    pub(crate) example_rows: FactTable,
    /// The place of each predicate's first fact.
    pub(crate) first_facts: FixedMap<PredicateId, Place>,
    pub(crate) diagnostics: Messages,
}

/// The number of some statements, and the place of the first.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) first: Option<Place>,
    pub(crate) n: usize,
}

impl Counted {
    pub(super) fn add(&mut self, place: Place) {
        self.first.get_or_insert(place);
        self.n += 1;
    }
}

impl Gathered {
    /// Whether this predicate is the target, as far as the target is known.
    pub(super) fn is_query(&self, predicate: &PredicateName) -> bool {
        self.query.as_ref().is_some_and(|query| query.is(predicate))
    }

    /// Adds a fact of a known predicate, to a fold or globally.
    #[inline]
    pub(crate) fn add_fact(&mut self, predicate: PredicateId, row: &[ConstantId], fold: Option<usize>) {
        let table = match fold {
            Some(fold) => &mut self.folds[fold],
            None => &mut self.global,
        };
        if table.n_predicates() <= predicate.index() {
            fit(table, &self.symbols);
        }
        table.rows_mut(predicate).push(row);
    }

    /// The facts of a predicate so far, global and of all folds.
    pub(crate) fn n_facts(&self, predicate: PredicateId) -> usize {
        let tables = std::iter::once(&self.global).chain(&self.folds);
        let known = tables.filter(|table| predicate.index() < table.n_predicates());
        known.map(|table| table.rows(predicate).len()).sum()
    }

    /// Adds an example of a known predicate and class.
    pub(crate) fn add_example(
        &mut self,
        predicate: PredicateId,
        arguments: &[ConstantId],
        is_positive: bool,
        fold: Option<usize>,
        place: Place,
    ) {
        if self.example_rows.n_predicates() <= predicate.index() {
            fit(&mut self.example_rows, &self.symbols);
        }
        let rows = self.example_rows.rows_mut(predicate);
        let row = rows.len();
        rows.push(arguments);
        let (is_labelled, class) = (true, ClassId::default());
        self.examples.push(RawExample { predicate, row, fold, is_positive, is_labelled, class, place });
    }

    /// Makes the last example an atom to score, instead of an example of the data.
    pub(super) fn ask_for_last(&mut self) {
        self.forget_last_class();
        self.asked.extend(self.examples.pop());
    }

    /// Forgets the class of the last example.
    pub(crate) fn forget_last_class(&mut self) {
        if let Some(last) = self.examples.last_mut() {
            (last.is_positive, last.is_labelled) = (false, false);
        }
    }

    /// Puts the examples with this first argument into the fold of this name.
    pub(crate) fn divide_by_first_argument(&mut self, argument: ConstantId, fold: String) {
        self.folds_of_first_arguments.push((argument, fold));
    }

    /// Forgets modes and determinations of all other files: those of these files replace them.
    pub(super) fn keep_modes_of(&mut self, files: &[FileId]) {
        self.modes.retain(|mode| files.contains(&mode.place.file()));
        self.determinations.retain(|(_, _, place)| files.contains(&place.file()));
        self.undirected.retain(|(_, place)| files.contains(&place.file()));
    }

    /// Ends reading. Facts of the target become examples if the layout says so, folds get their order, and every table
    /// gets room for every predicate. The layout names the first `n_given_folds` folds; rows name the others.
    pub(crate) fn finish(&mut self, n_given_folds: usize) {
        if self.habits.has_positives_among_facts {
            self.take_positives();
            self.divide_examples();
            self.tell_of_counted();
        }
        self.sort_named_folds(n_given_folds);
        self.fit_tables();
    }

    /// Puts examples into the folds of their first arguments, if there are such folds.
    fn divide_examples(&mut self) {
        let folds = std::mem::take(&mut self.folds_of_first_arguments);
        if folds.is_empty() {
            return;
        }
        for (_, name) in &folds {
            self.fold_named(name);
        }
        for example in &mut self.examples {
            let row = self.example_rows.rows(example.predicate).row(example.row);
            let fold = folds.iter().find(|(argument, _)| row.first() == Some(argument));
            example.fold = fold.and_then(|(_, name)| self.fold_names.iter().position(|known| known == name));
        }
    }

    /// Makes positive examples of the target's facts that were read before the target was known.
    fn take_positives(&mut self) {
        let predicates = self.symbols.predicates();
        let Some(id) = predicates.iter().position(|predicate| self.is_query(predicate)) else { return };
        self.make_examples_of_facts(PredicateId::new(id));
    }

    /// Makes positive examples of the facts of a predicate.
    pub(crate) fn make_examples_of_facts(&mut self, id: PredicateId) {
        self.fit_tables();
        let place = self.first_facts.remove(&id).unwrap_or_default();
        let tables = std::iter::once((None, &mut self.global)).chain((0..).map(Some).zip(&mut self.folds));
        for (fold, table) in tables {
            let taken = table.take_rows(id);
            for position in 0..taken.len() {
                let rows = self.example_rows.rows_mut(id);
                let row = rows.len();
                rows.push(taken.row(position));
                let (is_positive, is_labelled) = (true, true);
                let class = ClassId::default();
                self.examples.push(RawExample {
                    predicate: id,
                    row,
                    fold,
                    is_positive,
                    is_labelled,
                    class,
                    place,
                });
            }
        }
    }

    /// Whether the predicate of a mode has examples, but no facts.
    pub(crate) fn is_other_target(&self, mode: &RawMode) -> bool {
        let Some(name) = mode.subject.relation() else { return false };
        self.symbols.find_predicate(name).is_some_and(|id| {
            !self.first_facts.contains_key(&id) && self.examples.iter().any(|example| example.predicate == id)
        })
    }

    /// The arguments of an example.
    pub(crate) fn arguments(&self, example: &RawExample) -> &[ConstantId] {
        self.example_rows.rows(example.predicate).row(example.row)
    }

    /// Tells of the false and the hidden facts, which were only counted.
    fn tell_of_counted(&mut self) {
        if let Some(place) = self.false_facts.first {
            self.diagnostics.push(faults::false_facts(place, self.false_facts.n));
        }
        if let Some(place) = self.hidden_facts.first {
            self.diagnostics.push(faults::hidden_facts(place, self.hidden_facts.n));
        }
    }

    /// The fold of this name; adds it if it is new.
    pub(crate) fn fold_named(&mut self, name: &str) -> usize {
        let known = self.fold_names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.fold_names.push(name.to_owned());
            self.folds.push(FactTable::default());
            self.fold_names.len() - 1
        })
    }

    /// Sorts the folds that rows name, so that the order of rows does not matter.
    fn sort_named_folds(&mut self, n_of_layout: usize) {
        if self.fold_names.len() == n_of_layout {
            return;
        }
        let rank = |name: &str| part_rank(name);
        let has_one =
            |part: usize| self.fold_names.iter().filter(|name| rank(name) == Some(part)).count() == 1;
        let has_at_most_one_tune = has_one(1) || !self.fold_names.iter().any(|name| rank(name) == Some(1));
        let are_parts = n_of_layout == 0
            && self.fold_names.iter().all(|name| rank(name).is_some())
            && [0, 2].into_iter().all(has_one)
            && has_at_most_one_tune;
        if self.division == Division::None {
            self.division = match (are_parts, self.fold_names.len()) {
                (true, 2) => Division::TrainTest,
                (true, _) => Division::TrainTuneTest,
                (false, _) => Division::Folds,
            };
        }
        let number = |name: &str| {
            let start = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            (name[..start].to_owned(), name[start..].parse::<u64>().unwrap_or(0))
        };
        let mut order: Vec<usize> = (n_of_layout..self.fold_names.len()).collect();
        let name = |fold: usize| self.fold_names[fold].as_str();
        if are_parts {
            order.sort_by_key(|&fold| rank(name(fold)));
        } else {
            order.sort_by_cached_key(|&fold| (number(name(fold)), name(fold).to_owned()));
        }
        let order: Vec<usize> = (0..n_of_layout).chain(order).collect();
        let mut new_numbers = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            new_numbers[old] = new;
        }
        self.fold_names = order.iter().map(|&old| std::mem::take(&mut self.fold_names[old])).collect();
        self.folds = order.iter().map(|&old| std::mem::take(&mut self.folds[old])).collect();
        for example in &mut self.examples {
            example.fold = example.fold.map(|fold| new_numbers[fold]);
        }
    }

    /// Makes room for every known predicate in every table.
    pub(crate) fn fit_tables(&mut self) {
        let tables = [&mut self.global, &mut self.example_rows].into_iter().chain(&mut self.folds);
        tables.for_each(|table| fit(table, &self.symbols));
    }
}

/// The rank of a fold's name, in any case: train, tune or test; train comes first.
fn part_rank(name: &str) -> Option<usize> {
    const PARTS: [&[&str]; 3] =
        [&["train", "training"], &["tune", "val", "valid", "validation", "dev"], &["test", "testing"]];
    PARTS.iter().position(|names| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

fn fit(table: &mut FactTable, symbols: &Provisional) {
    for predicate in &symbols.predicates()[table.n_predicates()..] {
        table.add_predicate(predicate.arity);
    }
}
