//! The problem that loading gives: what is known, and the task that is learnt from it.
//!
//! Neither ever changes. A run that sees other facts or other examples has a view: a problem that shares the rest.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::{ClassId, ConstantId, ExampleId, FoldId};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::Relation;
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, Modes};
use gleaner_lang::program::{
    ClassList, Clause, Examples, Labels, Number, NumberList, PredicateName, Rows, SaidBy, SharedSymbols,
    Symbols,
};
use gleaner_lang::syntax::{Diagnostic, Place, quote_atom};

use crate::cells::cell_text;
use crate::freeze::{GivenClauses, PredicateProfile};
use crate::gather::{Division, SetDirective};
use crate::negatives::{Negatives, SetNegatives};
use crate::request::KnownTarget;
use crate::tables::TableRows;
use crate::train_rules::TrainRules;

/// The facts and the language of clauses, with all that the data say of themselves.
///
/// **Cost**: a copy shares everything.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    /// The names behind the ids.
    pub(crate) symbols: SharedSymbols,
    /// The facts of each world, by world id.
    pub(crate) worlds: Arc<[Background]>,
    /// The language bias.
    pub(crate) modes: Arc<Modes>,
    /// What the data say of themselves.
    pub(crate) origin: Arc<Origin>,
}

/// What data say of themselves; no fact, no example and no clause depends on a view.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) format: &'static str,
    pub(crate) is_graph: bool,
    pub(crate) mode_places: Vec<Place>,
    pub(crate) undetermined: Vec<(PredicateName, Place)>,
    pub(crate) argument_names: Option<Vec<String>>,
    pub(crate) fold_names: Vec<String>,
    pub(crate) settings: Vec<SetDirective>,
    pub(crate) unnamed_predicates: Vec<PredicateName>,
    pub(crate) profile: Vec<PredicateProfile>,
    pub(crate) proposed_modes: Option<String>,
    pub(crate) schema: Option<String>,
    pub(crate) has_proposed_modes: bool,
    pub(crate) known_target: Option<KnownTarget>,
    pub(crate) cut_off_argument: Option<usize>,
    pub(crate) train_rules: Option<TrainRules>,
    pub(crate) table_rows: Option<TableRows>,
}

/// The examples that are asked for, if not all.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `target(A, B, …) :- restriction`: the examples that the request keeps.
    pub restriction: Option<Clause>,
    /// The requested sample of the negatives that satisfy the restriction.
    pub negatives: Option<Negatives>,
}

/// A relational learning problem, complete and frozen: examples of a target, and the knowledge to learn from.
///
/// **Cost**: a copy shares facts and examples.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) knowledge: Knowledge,
    pub(crate) examples: Arc<Examples>,
    pub(crate) labels: Labels,
    pub(crate) given_clauses: Option<Arc<GivenClauses>>,
    pub(crate) filtered_positives: Arc<FilteredPositives>,
    pub(crate) division: Division,
    pub(crate) set_negatives: SetNegatives,
    /// By run, the modes of bodies where they are its own.
    pub(crate) modes_of_runs: Arc<BTreeMap<usize, Vec<BodyMode>>>,
}

/// The positives that a request's restriction leaves out; `experiment::load` finds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilteredPositives {
    /// The given fold of each.
    pub folds: Vec<Option<FoldId>>,
    /// Whether they count as positives that no threshold finds.
    pub are_counted: bool,
}

impl FilteredPositives {
    /// Positives that the data say are no examples, by their folds. They count: whoever prepares data does not choose the task.
    pub(crate) fn lost(folds: &[Option<usize>]) -> Self {
        let folds: Vec<Option<FoldId>> = folds.iter().map(|fold| fold.map(FoldId::new)).collect();
        Self { are_counted: !folds.is_empty(), folds }
    }
}

/// What a problem is made of.
impl Problem {
    /// The name of the layout that was read.
    pub fn format(&self) -> &'static str {
        self.knowledge.origin.format
    }

    /// Whether that layout holds graphs: each predicate is a relation between two entities.
    pub fn is_graph(&self) -> bool {
        self.knowledge.origin.is_graph
    }

    /// The names behind the ids.
    pub const fn symbols(&self) -> &SharedSymbols {
        &self.knowledge.symbols
    }

    /// The facts of each world, by world id.
    pub fn worlds(&self) -> &[Background] {
        &self.knowledge.worlds
    }

    /// The language bias.
    pub fn modes(&self) -> &Modes {
        &self.knowledge.modes
    }

    /// The place of each body mode's declaration, in the order of `modes().body`; of equal modes the first.
    pub fn mode_places(&self) -> &[Place] {
        &self.knowledge.origin.mode_places
    }

    /// The predicates of modes without a determination of the target, in the order declared, with their places. No
    /// clause may use them.
    pub fn undetermined(&self) -> &[(PredicateName, Place)] {
        &self.knowledge.origin.undetermined
    }

    /// The labelled examples.
    pub const fn examples(&self) -> &Arc<Examples> {
        &self.examples
    }

    /// What the labels of the examples are.
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The classes of the examples, if they are not positive and negative. The examples then are the binary problem of
    /// the first class, or of the one that [`Self::of_class`] chose.
    pub const fn classes(&self) -> Option<&ClassList> {
        self.labels.classes()
    }

    /// The numbers of the examples, if the target is a number. The examples then are the binary problem of the upper half.
    pub const fn numbers(&self) -> Option<&NumberList> {
        self.labels.numbers()
    }

    /// A table's names for the target's arguments, as written; none if no table names them.
    pub fn argument_names(&self) -> Option<&[String]> {
        self.knowledge.origin.argument_names.as_deref()
    }

    /// The given folds' names, by fold id; empty without folds.
    pub fn fold_names(&self) -> &[String] {
        &self.knowledge.origin.fold_names
    }

    /// How the files divide the examples.
    pub const fn division(&self) -> Division {
        self.division
    }

    /// Settings that the files make.
    pub fn settings(&self) -> &[SetDirective] {
        &self.knowledge.origin.settings
    }

    /// The predicates of the request that the data neither name nor declare; they have no facts here.
    pub fn unnamed_predicates(&self) -> &[PredicateName] {
        &self.knowledge.origin.unnamed_predicates
    }

    /// Clauses that serve as features, in place of clauses that a learner would find.
    pub fn given_clauses(&self) -> Option<&GivenClauses> {
        self.given_clauses.as_deref()
    }

    /// The predicates' sizes, ascending by name.
    pub fn profile(&self) -> &[PredicateProfile] {
        &self.knowledge.origin.profile
    }

    /// The text of a file of modes proposed from the data, if they are requested or no modes are given.
    pub fn proposed_modes(&self) -> Option<&str> {
        self.knowledge.origin.proposed_modes.as_deref()
    }

    /// The schema of a database as a file, with the evidence for what it says; none for data of other layouts.
    pub fn schema(&self) -> Option<&str> {
        self.knowledge.origin.schema.as_deref()
    }

    /// Whether the modes are those that the schema of a database proposes.
    pub fn has_proposed_modes(&self) -> bool {
        self.knowledge.origin.has_proposed_modes
    }

    /// The negatives that each set of a run draws.
    pub const fn set_negatives(&self) -> SetNegatives {
        self.set_negatives
    }

    /// The positives that the restriction leaves out.
    pub fn filtered_positives(&self) -> &FilteredPositives {
        &self.filtered_positives
    }

    /// How bodies may know the target, if they may; `experiment::known_target` makes the worlds of a run.
    pub fn known_target(&self) -> Option<KnownTarget> {
        self.knowledge.origin.known_target
    }

    /// The argument of the target that is the cut-off, if facts have a time. Then each cut-off is a world.
    pub fn cut_off_argument(&self) -> Option<usize> {
        self.knowledge.origin.cut_off_argument
    }

    /// The rules about train examples, if there are any; `experiment::train_facts` gives each run its facts.
    pub fn train_rules(&self) -> Option<&TrainRules> {
        self.knowledge.origin.train_rules.as_ref()
    }

    /// The rows of the table that the examples of a database come from; none for data of other layouts.
    pub fn table_rows(&self) -> Option<&TableRows> {
        self.knowledge.origin.table_rows.as_ref()
    }
}

/// Views: the same problem but for one part.
impl Problem {
    /// With other examples of the same target.
    pub fn with_examples(&self, examples: Examples) -> Self {
        Self { examples: Arc::new(examples), ..self.clone() }
    }

    /// With other facts, and examples that see their worlds.
    pub fn seeing(&self, worlds: Vec<Background>, examples: Examples) -> Self {
        self.with_facts(Arc::clone(self.symbols()), worlds).with_examples(examples)
    }

    /// With other facts over further symbols after all known ones.
    pub fn with_facts(&self, symbols: SharedSymbols, worlds: Vec<Background>) -> Self {
        let knowledge = Knowledge { symbols, worlds: worlds.into(), ..self.knowledge.clone() };
        Self { knowledge, ..self.clone() }
    }

    /// With the modes of bodies that single runs have, by number of the run.
    pub fn with_modes_of_runs(&self, bodies: BTreeMap<usize, Vec<BodyMode>>) -> Self {
        Self { modes_of_runs: Arc::new(bodies), ..self.clone() }
    }

    /// With the modes of a run; none where it has those of all.
    pub fn with_modes_of(&self, run: usize) -> Option<Self> {
        let body = self.modes_of_runs.get(&run)?;
        let mut knowledge = self.knowledge.clone();
        Arc::make_mut(&mut knowledge.modes).body.clone_from(body);
        Some(Self { knowledge, ..self.clone() })
    }

    /// With examples that come in no folds.
    pub fn undivided(&self) -> Self {
        Self { division: Division::None, ..self.clone() }
    }

    /// With other negatives that each set of a run draws.
    pub fn with_set_negatives(&self, set_negatives: SetNegatives) -> Self {
        Self { set_negatives, ..self.clone() }
    }

    /// With clauses that serve as features.
    pub fn with_given_clauses(&self, given: GivenClauses) -> Self {
        Self { given_clauses: Some(Arc::new(given)), ..self.clone() }
    }

    /// With other positives that are left out.
    pub fn with_filtered_positives(&self, filtered: FilteredPositives) -> Self {
        Self { filtered_positives: Arc::new(filtered), ..self.clone() }
    }

    /// Where the positives that are left out count, if they did or if it is asked for.
    pub fn counting_filtered(&self, is_asked: bool) -> Self {
        let filtered = FilteredPositives::clone(&self.filtered_positives);
        self.with_filtered_positives(FilteredPositives {
            are_counted: filtered.are_counted || is_asked,
            ..filtered
        })
    }

    /// With further numbers after all constants, which no fact has yet.
    pub fn with_numbers(&self, further: &[(String, Option<Number>)]) -> Self {
        if further.is_empty() {
            return self.clone();
        }
        let constants = self.symbols().constants.widened(further);
        let symbols = Arc::new(Symbols { constants, ..Symbols::clone(self.symbols()) });
        let worlds = self.worlds().iter().map(|world| world.with_symbols(Arc::clone(&symbols))).collect();
        self.with_facts(symbols, worlds)
    }

    /// The binary problem of one class: its examples are positive, the rest negative. A problem without many classes
    /// gives itself.
    ///
    /// **Invariant**: an example has the same id in the problems of all classes.
    pub fn of_class(&self, class: ClassId) -> Self {
        let Some(list) = self.classes() else { return self.clone() };
        let examples = self.examples.of_class(class);
        let mut knowledge = self.knowledge.clone();
        let examples = match &list.said_by {
            SaidBy::Argument(argument, constants) => {
                examples.with_argument(*argument, constants[class.index()])
            }
            SaidBy::Predicate(predicates) => {
                Arc::make_mut(&mut knowledge.modes).head.predicate = predicates[class.index()];
                examples.with_target(predicates[class.index()])
            }
        };
        let labels = Labels::Classes(list.of_class(class));
        Self { knowledge, examples: Arc::new(examples), labels, ..self.clone() }
    }
}

/// What a problem tells.
impl Problem {
    /// The name of a fold.
    pub fn fold_name(&self, fold: FoldId) -> &str {
        &self.fold_names()[fold.index()]
    }

    /// The target predicate.
    pub fn target(&self) -> &PredicateName {
        self.symbols().predicate(self.examples.target())
    }

    /// The worlds that these examples see. If examples have cut-offs, all other worlds are empty, so that no result depends
    /// on facts that none of these examples sees. Without cut-offs, all worlds as they are.
    pub fn worlds_seen_by(&self, examples: impl Iterator<Item = ExampleId>) -> Cow<'_, [Background]> {
        if self.cut_off_argument().is_none() {
            return Cow::Borrowed(self.worlds());
        }
        let mut is_seen = vec![false; self.worlds().len()];
        examples.for_each(|id| is_seen[self.examples.world(id).index()] = true);
        let predicates = self.symbols().predicates.iter();
        let nothing = predicates.map(|name| Arc::new(Relation::new(&Rows::new(name.arity)))).collect();
        let nothing = Background::new(Arc::clone(self.symbols()), nothing);
        let seen = self.worlds().iter().zip(is_seen);
        seen.map(|(world, is_seen)| if is_seen { world.clone() } else { nothing.clone() }).collect()
    }

    /// Whether the target has two arguments, both of one type.
    pub fn links_one_type(&self) -> bool {
        matches!(&self.modes().head.arguments[..], [first, second] if first.type_id() == second.type_id())
    }

    /// Whether links of the target may explain others, and bodies can know the links of train. The target must have two
    /// arguments of one type, or be a relation of a graph. Folds must have no facts of their own: test would then have
    /// no links.
    pub fn may_know_target(&self) -> bool {
        let is_graph = self.is_graph() && self.examples.arity() == 2;
        let is_one_world = self.worlds().len() == 1 && self.cut_off_argument().is_none();
        (self.links_one_type() || is_graph) && is_one_world && !self.labels.is_one_of_several()
    }

    /// The head's argument that holds the class, if one does.
    pub fn class_argument(&self) -> Option<usize> {
        let argument = self.classes()?.argument()?;
        debug_assert!(matches!(self.modes().head.arguments[argument], ArgumentMode::Constant(_)));
        Some(argument)
    }

    /// The number of an example, where the target is a number and the example's is known.
    pub fn number(&self, example: ExampleId) -> Option<f64> {
        self.labels.number(&self.examples, example)
    }

    /// An example as an atom that reads back as the same example.
    pub fn example_text(&self, example: ExampleId) -> String {
        self.atom_text(self.examples.arguments(example))
    }

    /// The target's arguments in an example, as cells of a table that read back as the same arguments.
    pub fn argument_cells(&self, example: ExampleId) -> Vec<String> {
        self.examples.arguments(example).iter().map(|&constant| self.cell(constant)).collect()
    }

    /// A constant as the cell of a table: without the quotes that it has in a program.
    pub fn cell(&self, constant: ConstantId) -> String {
        let text = self.symbols().constants.text(constant);
        cell_text(text).unwrap_or_else(|| text.to_owned())
    }

    /// The target with these arguments, as an atom that reads back as the same atom.
    pub fn atom_text(&self, arguments: &[ConstantId]) -> String {
        let arguments = arguments.iter();
        let arguments: Vec<&str> =
            arguments.map(|&constant| self.symbols().constants.text(constant)).collect();
        let name = quote_atom(&self.target().name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    }
}

/// A problem with the warnings of its loading.
#[derive(Debug)]
pub struct Loaded {
    /// The problem, with all examples of the data.
    pub problem: Problem,
    /// The examples that are asked for. Loading does not apply it, since that takes coverage; `experiment::load` does.
    pub selection: Selection,
    /// The warnings, worst first.
    pub warnings: Vec<Diagnostic>,
}
