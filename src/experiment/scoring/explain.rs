//! Why an example has its score under a model: the example that the user asks about, found from its text, and the parts of
//! the model that speak for it, each with its share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::{Budget, ClassId, ConstantId, ExampleId, PredicateId, WorldId};
use gleaner_data::Problem;
use gleaner_data::clauses::{ClauseFault, ClauseFaults};
use gleaner_engine::coverage::reference::witness;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::examples::ExampleLabel;
use gleaner_lang::program::lower::{Widened, atom_parts, lower_clause};
use gleaner_lang::program::rows::Rows;
use gleaner_lang::program::settings::nearest;
use gleaner_lang::program::{Clause, Examples, PredicateName, Term};
use gleaner_lang::syntax::ast::{Statement, Term as Syntax};
use gleaner_lang::syntax::{Span, codes, read_clause};
use gleaner_learn::calibration::Calibration;
use gleaner_learn::shown::Part;
use gleaner_learn::{Covers, Explanation, Model};

use crate::experiment::runs::counted_rows::{CountedRows, counted_rows};
use crate::experiment::scoring::reasons::{Alike, CoverTable, One, most_alike};
use crate::experiment::scoring::what_if::{Effort, WhatIf, what_if};

/// Rows and tests after which the search for a binding gives up: some tens of milliseconds.
const MOST_STEPS: u64 = 200_000;
/// Examples among which a near one is looked for.
const MOST_NEAR: usize = 100_000;

/// An example that is asked about.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The examples that it is one of: the problem's, or itself alone.
    pub examples: Arc<Examples>,
    /// The example.
    pub id: ExampleId,
    /// Whether the problem lists the example; if not, its label means nothing.
    pub is_listed: bool,
    /// How often it is listed: in several folds, or in both classes.
    pub n_listed: usize,
}

impl Asked {
    /// The target's arguments.
    pub fn arguments(&self) -> &[ConstantId] {
        self.examples.arguments(self.id)
    }

    /// The class of the example; `None` where it is not listed with one.
    pub fn label(&self) -> Option<bool> {
        let is_known = self.is_listed && self.examples.is_labelled(self.id);
        is_known.then(|| self.examples.is_positive(self.id))
    }
}

/// Why an example that is not listed cannot be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWorld {
    /// No world knows all its constants.
    Unknown,
    /// So many worlds know them, and each would give the example another score.
    Several(usize),
}

/// Finds the example with these arguments among `listed`. Else, where `takes_others`, makes it an example of the one
/// world that knows its constants.
///
/// # Errors
///
/// [`NoWorld`] if the example is not listed and `takes_others` does not help.
pub fn find(
    problem: &Problem,
    listed: &[ExampleId],
    takes_others: bool,
    arguments: &[ConstantId],
) -> Result<Asked, NoWorld> {
    let mut found = listed.iter().copied().filter(|&id| problem.examples().arguments(id) == arguments);
    if let Some(id) = found.next() {
        let n_listed = 1 + found.count();
        return Ok(Asked { examples: Arc::clone(problem.examples()), id, is_listed: true, n_listed });
    }
    if !takes_others {
        return Err(NoWorld::Unknown);
    }
    let knows_all =
        |world: &usize| arguments.iter().all(|&constant| knows(problem, WorldId::new(*world), constant));
    let worlds: Vec<usize> = worlds_of_cut_off(problem, arguments).into_iter().filter(knows_all).collect();
    match worlds.as_slice() {
        [] => Err(NoWorld::Unknown),
        [world] => Ok(alone(problem, WorldId::new(*world), arguments)),
        _ => Err(NoWorld::Several(worlds.len())),
    }
}

/// The worlds of an example with these arguments: those of listed examples with its cut-off, or all without cut-offs.
fn worlds_of_cut_off(problem: &Problem, arguments: &[ConstantId]) -> Vec<usize> {
    let Some(cut_off) = problem.cut_off_argument() else { return (0..problem.worlds().len()).collect() };
    let examples = problem.examples();
    let same = examples.ids().filter(|&id| examples.arguments(id)[cut_off] == arguments[cut_off]);
    let worlds: BTreeSet<usize> = same.map(|id| examples.world(id).index()).collect();
    worlds.into_iter().collect()
}

/// Whether a fact or an example of a world has a constant.
fn knows(problem: &Problem, world: WorldId, constant: ConstantId) -> bool {
    let background: &Background = &problem.worlds()[world.index()];
    let in_facts = (0..problem.symbols().predicates.len()).any(|predicate| {
        let relation = background.relation(PredicateId::new(predicate));
        (0..relation.arity()).any(|column| !relation.rows_with(column, constant).is_empty())
    });
    let examples = problem.examples();
    in_facts
        || examples.ids().any(|id| examples.world(id) == world && examples.arguments(id).contains(&constant))
}

/// An example that is not listed; it has no class, and is taken for a negative where one is needed.
fn alone(problem: &Problem, world: WorldId, arguments: &[ConstantId]) -> Asked {
    let mut rows = Rows::new(arguments.len());
    rows.push(arguments);
    let label =
        ExampleLabel { world, fold: None, is_positive: false, is_labelled: false, class: ClassId::default() };
    let examples = Arc::new(Examples::new(problem.examples().target(), &rows, &[label]));
    Asked { examples, id: ExampleId::new(0), is_listed: false, n_listed: 0 }
}

/// The listed example whose text is nearest to a text; none where there are too many to look at.
pub fn nearest_listed(problem: &Problem, listed: &[ExampleId], text: &str) -> Option<String> {
    if listed.len() > MOST_NEAR {
        return None;
    }
    let texts: Vec<String> = listed.iter().map(|&id| problem.example_text(id)).collect();
    nearest(text, texts.iter().map(String::as_str)).map(str::to_owned)
}

/// An explanation, and why its parts cover the example.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The explanation of the example's score.
    pub explanation: Explanation,
    /// The probability that the example is positive; none if the model has no calibration.
    pub probability: Option<f64>,
    /// The number of clauses that tell most of the model.
    pub n_telling: usize,
    /// The telling clauses that cover the example, with values of their variables where these were found.
    pub telling: Vec<(Clause, Option<Binding>)>,
    /// A binding of the variables for each of the first parts whose clause covers the example, where one was found.
    pub bindings: Vec<Option<Binding>>,
    /// Facts without which the example would not be called positive.
    pub what_if: Option<WhatIf>,
    /// The listed example that is most alike, but decided otherwise.
    pub alike: Option<Alike>,
}

/// Values of a clause's variables that make it cover the example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The values by variable; `None` where any value will do.
    pub values: Vec<Option<ConstantId>>,
    /// The rows that its aggregates count.
    pub counted: Vec<CountedRows>,
}

/// The parts of a model's file that an explanation uses beside the model.
#[derive(Clone, Copy, Debug)]
pub struct ReadWith<'m> {
    /// Clauses that have a shorter form, with that form.
    pub forms: &'m BTreeMap<Clause, Clause>,
    /// The few clauses that tell most.
    pub telling: &'m [Clause],
    /// The calibration that turns scores into probabilities.
    pub calibration: Option<&'m Calibration>,
}

/// The clauses of the model that are shown in another form, with that form. `clauses` holds the clauses of these texts
/// and then those of the forms, in order.
pub fn shown_forms(
    texts: &[String],
    forms: &BTreeMap<String, String>,
    clauses: &[Clause],
) -> BTreeMap<Clause, Clause> {
    let (learnt, shown) = clauses.split_at(texts.len());
    let learnt: BTreeMap<&String, &Clause> = texts.iter().zip(learnt).collect();
    let form = |(text, shown): (&String, &Clause)| Some(((*learnt.get(text)?).clone(), shown.clone()));
    forms.keys().zip(shown).filter_map(form).collect()
}

/// Explains the score of an example, one of those that are listed or another one. The heaviest parts, up to the number asked for, have the values of their
/// variables.
/// A clause that has a shorter form is shown in it.
///
/// **Cost**: the covers of the model's clauses on the listed examples, a proof for each binding, and what `what_if` costs.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget, and a universe of one example has a position.
pub fn explain(
    problem: &Problem,
    model: &dyn Model,
    asked: &Asked,
    listed: &[ExampleId],
    with: ReadWith<'_>,
    n_bindings: usize,
) -> Explained {
    let budget = Budget::unlimited();
    let universe = Universe::new(Arc::clone(&asked.examples), &[asked.id]);
    let covers = Covers::new(problem.worlds(), &universe, CoverStore::usual_capacity(&universe));
    let (position, _) = universe.iter().next().expect("the universe has the example");
    let own = model.explain(&covers, position, &budget).expect("an unlimited budget never interrupts");
    let mut explanation = own.clone();
    for part in explanation.parts.iter_mut().filter(|part| part.covers) {
        if let Some(shown) = with.forms.get(&part.clause) {
            part.clause.clone_from(shown);
        }
    }
    let bound = |part: &Part| {
        part.covers.then(|| binding(problem, &asked.examples, asked.id, &part.clause)).flatten()
    };
    let bindings = explanation.parts.iter().take(n_bindings).map(bound).collect();
    let probability = with.calibration.map(|known| known.calibrator.probability(explanation.score));
    let telling = telling(problem, asked, with.telling, &covers, position);
    let table = CoverTable::of(problem, model, &asked.examples, &[asked.id], &budget);
    let table = table.expect("an unlimited budget never interrupts");
    let is_of_classes = problem.labels().are_decided();
    let facts = || what_if(problem, model, &table, asked.id, &mut Effort::for_one());
    let what_if = is_of_classes.then(facts).flatten();
    let one = One { table: &table, id: asked.id, explanation: &own };
    let alike =
        || most_alike(problem, model, one, listed, &budget).expect("an unlimited budget never interrupts");
    let alike = is_of_classes.then(alike).flatten();
    Explained { explanation, probability, n_telling: with.telling.len(), telling, bindings, what_if, alike }
}

/// The clauses that cover the example.
fn telling(
    problem: &Problem,
    asked: &Asked,
    clauses: &[Clause],
    covers: &Covers<'_>,
    position: usize,
) -> Vec<(Clause, Option<Binding>)> {
    let all: Vec<&Clause> = clauses.iter().collect();
    let mut holding = Vec::new();
    let visited = covers.visit(&all, &Budget::unlimited(), |first, block| {
        let holds = |at: &usize| block[*at].contains(position);
        holding.extend((0..block.len()).filter(holds).map(|at| all[first + at].clone()));
    });
    visited.expect("an unlimited budget never interrupts");
    let bound = |clause: Clause| {
        let values = binding(problem, &asked.examples, asked.id, &clause);
        (clause, values)
    };
    holding.into_iter().map(bound).collect()
}

/// Values of a clause's variables that make it cover the example; `None` where they are not found within some tens of
/// milliseconds.
pub(crate) fn binding(
    problem: &Problem,
    examples: &Examples,
    id: ExampleId,
    clause: &Clause,
) -> Option<Binding> {
    let world = &problem.worlds()[examples.world(id).index()];
    let values = witness(world, clause, examples.arguments(id), MOST_STEPS)?;
    let counted = counted_rows(problem, world, clause, &values);
    Some(Binding { values, counted })
}

/// The name of the example in messages.
const EXAMPLE: &str = "example";

/// The examples among which one is looked for.
#[derive(Debug)]
pub struct Listed<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// The examples.
    pub listed: Vec<ExampleId>,
    /// The fold whose test examples are listed, as the user gave it. Without a fold, unlisted examples are taken too.
    pub fold: Option<String>,
}

/// The example that a text names, among these; its full stop may be left out.
///
/// # Errors
///
/// The reason why it is none of them.
pub(crate) fn asked_example(given: &str, among: &Listed<'_>) -> Result<Asked, ClauseFaults> {
    let given = given.trim();
    let text = if given.ends_with('.') { given.to_owned() } else { format!("{given}.") };
    let found = match read_clause(&text) {
        Err(found) => Err(found.iter().map(ClauseFault::syntax).collect()),
        Ok(statement) => among.example(&statement).map_err(|fault| vec![fault]),
    };
    found.map_err(|faults| ClauseFaults::of_text(EXAMPLE, text, faults))
}

impl Listed<'_> {
    fn example(&self, statement: &Statement<'_>) -> Result<Asked, ClauseFault> {
        let head = statement.head.as_ref().filter(|_| statement.body.is_empty());
        let Some(head) = head else { return Err(self.no_atom("a rule or directive", statement.span)) };
        let target = self.problem.target();
        let found = atom_parts(head).map(|(name, arguments)| PredicateName::new(name, arguments.len()));
        if found.as_ref() != Some(target) {
            let what = found.map_or_else(|| format!("`{head}`"), |found| found.to_string());
            let message = format!("the example has the predicate {what}, the target is {target}");
            return Err(ClauseFault::new(codes::OTHER_HEAD, message, head.span)
                .with_help(format!("{}; ⁅target⁆ chooses another target", self.as_written())));
        }
        let arguments = self.arguments(head)?;
        let listed = &self.listed;
        find(self.problem, listed, self.fold.is_none(), &arguments).map_err(|why| self.not_listed(head, why))
    }

    /// The constants of an atom; those that nothing has are a fault.
    fn arguments(&self, head: &Syntax<'_>) -> Result<Vec<ConstantId>, ClauseFault> {
        let symbols = self.problem.symbols();
        let usable = vec![false; symbols.predicates.len()];
        let mut names = Widened::new(symbols, &usable);
        let lowered = lower_clause(head, self.problem.examples().target(), &[], &mut names);
        let Ok((atom, _)) = lowered else { return Err(self.no_atom("a term with variables", head.span)) };
        let constants: Option<Vec<ConstantId>> = (atom.head.arguments.iter())
            .map(|term| match term {
                Term::Constant(constant) => Some(*constant),
                Term::Variable(_) | Term::Any => None,
            })
            .collect();
        let mut constants = constants.ok_or_else(|| self.no_atom("an atom with variables", head.span))?;
        // A number of a row is another constant than the number that a cell may hold.
        let first = self.listed.first().into_iter().flat_map(|&id| self.problem.examples().arguments(id));
        for (constant, &known) in constants.iter_mut().zip(first) {
            let text = match constant.index().checked_sub(symbols.constants.len()) {
                Some(further) => &names.further()[further].0,
                None => symbols.constants.text(*constant),
            };
            if let Some(row) = symbols.constants.row_name_beside(known, text) {
                *constant = row;
            }
        }
        if let Some(unknown) =
            constants.iter().position(|constant| constant.index() >= symbols.constants.n_given())
        {
            let span = atom_parts(head).map_or(head.span, |(_, arguments)| arguments[unknown].span);
            let id = constants[unknown];
            let text = match id.index().checked_sub(symbols.constants.len()) {
                Some(further) => &names.further()[further].0,
                None => symbols.constants.text(id),
            };
            let message = format!("no fact or example has `{text}`");
            return Err(self.with_nearest(ClauseFault::new(codes::UNKNOWN_EXAMPLE, message, span), head));
        }
        Ok(constants)
    }

    fn not_listed(&self, head: &Syntax<'_>, why: NoWorld) -> ClauseFault {
        let message = match (&self.fold, why) {
            (Some(fold), _) => format!("`{head}` is no test example of fold {fold}"),
            (None, NoWorld::Unknown) if self.problem.cut_off_argument().is_some() => {
                format!(
                    "`{head}` is not listed, and no listed example has its cut-off and sees its constants"
                )
            }
            (None, NoWorld::Unknown) if self.problem.worlds().len() == 1 => {
                format!("`{head}` is not listed, and the facts lack some of its constants")
            }
            (None, NoWorld::Unknown) => {
                format!("`{head}` is not listed, and no fold's facts have all its constants")
            }
            (None, NoWorld::Several(n_worlds)) => {
                format!("`{head}` is not listed, and {n_worlds} folds' facts would give it {n_worlds} scores")
            }
        };
        self.with_nearest(ClauseFault::new(codes::UNKNOWN_EXAMPLE, message, head.span), head)
    }

    fn with_nearest(&self, fault: ClauseFault, head: &Syntax<'_>) -> ClauseFault {
        let text = head.to_string().replace(", ", ",");
        match nearest_listed(self.problem, &self.listed, &text) {
            Some(nearest) => fault.with_help(format!("did you mean {nearest}?")),
            None => fault.with_help(self.as_written()),
        }
    }

    fn no_atom(&self, what: &str, span: Span) -> ClauseFault {
        ClauseFault::new(codes::BAD_EXAMPLE, format!("{what} is no example"), span)
            .with_help(self.as_written())
    }

    /// How an example is written.
    fn as_written(&self) -> String {
        match self.listed.first() {
            Some(&first) => format!("an example is written `{}`", self.problem.example_text(first)),
            None => "an example is an atom of the target without variables".to_owned(),
        }
    }
}
