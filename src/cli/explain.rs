//! `gleaner explain MODEL DATA EXAMPLE`: why an example has its score under a model.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use crate::base::{ConstantId, ExampleId};
use crate::experiment::explain::{Asked, NoWorld, ReadWith, explain, find, nearest_listed};
use crate::problem::clauses::{ClauseFault, ClauseFaults};
use crate::problem::{LoadRequest, Problem};
use crate::program::lower::{Widened, atom_parts, lower_clause};
use crate::program::{Clause, PredicateName, Term};
use crate::report::explain::{N_SHOWN, Report};
use crate::store::ClassModels;
use crate::syntax::ast::{Statement, Term as Syntax};
use crate::syntax::{Diagnostic, Span, codes, read_clause};

use super::class_models::{AnyModel, class_of_atom};
use super::conduct::on_threads;
use super::deadline::end_after;
use super::failure::Failure;
use super::flags::{DEFAULT_SEED, DataFlags, FoldChoice, ModelFlags, ResourceFlags, TimeFlag};
use super::memory::MemoryCap;
use super::output::Output;
use super::scoring::{chosen_examples, load_with_clauses};

/// The name of the example in messages.
const EXAMPLE: &str = "example";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Show all rounds or clauses that speak for it, not the first 20.
    #[arg(long)]
    all: bool,
    /// Look for it only among the test examples of this fold, as the model's cv had them; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    #[command(flatten)]
    applying: ModelFlags,
    #[command(flatten)]
    data: DataFlags,
    /// An atom of the target, as 'target(ann,bob)'.
    #[arg(value_name = "EXAMPLE", help_heading = None)]
    example: String,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn answer(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let Arguments { fold, data, resources, .. } = arguments;
    let any = AnyModel::read(&arguments.model, output)?;
    let class = match &any {
        AnyModel::One(_) => None,
        AnyModel::Many(many) => Some(named_class(many, &arguments.example)?),
    };
    let file = any.chosen(class.as_deref())?;
    let _memory = MemoryCap::watch(resources)?;
    on_threads(resources, || {
        let allows_missing = arguments.applying.allow_missing;
        let request = LoadRequest { allows_missing, ..data.request(DEFAULT_SEED) };
        // Events have the clauses that vote, a person reads them as `show` prints them.
        let forms = if output.is_json() { BTreeMap::new() } else { file.header.shown.clone() };
        let telling = file.header.telling.iter().flat_map(|telling| &telling.clauses);
        let telling: Vec<String> = telling.map(|telling| telling.clause.clone()).collect();
        let further: Vec<String> = forms.values().chain(&telling).cloned().collect();
        let (problem, model) = load_with_clauses(&file, &further, request, output)?;
        let (learnt, telling) = problem.clauses.split_at(problem.clauses.len().saturating_sub(telling.len()));
        let forms = shown_forms(&file.clause_texts(), &forms, learnt);
        let listed = chosen_examples(&file, &problem, fold.as_ref(), output)?.ids;
        let asked = read(&arguments.example, &Listed { problem: &problem, listed, fold: fold.as_ref() })?;
        if asked.n_listed > 1 {
            output.note(&several(&problem, &asked));
        }
        let shows_all = arguments.all;
        let n_bindings = if shows_all || output.is_json() { usize::MAX } else { N_SHOWN };
        let with = ReadWith { forms: &forms, telling, calibration: file.header.calibration.as_ref() };
        let explained = explain(&problem, &*model, &asked, with, n_bindings);
        let report = Report {
            problem: &problem,
            learner: &file.header.learner,
            asked: &asked,
            explained: &explained,
            shows_all,
        };
        output.text(&report.text())?;
        if output.is_json() {
            report.events().iter().try_for_each(|event| output.event(event))?;
        }
        Ok(())
    })
}

/// The class whose score an example asks for.
fn named_class(many: &ClassModels, example: &str) -> Result<String, Failure> {
    class_of_atom(&many.models, example).ok_or_else(|| {
        let message = format!("{example} names no class of the model");
        Failure::fault(Diagnostic::error(codes::BAD_CLASSES, message).with_help(format!(
            "why it has its score for one of {} is explained: name that class in the example",
            many.names().join(", ")
        )))
    })
}

/// The clauses of the model that are shown in another form, with that form; after the clauses of these texts stand those
/// of the forms, in order.
fn shown_forms(
    texts: &[String],
    forms: &BTreeMap<String, String>,
    clauses: &[Clause],
) -> BTreeMap<Clause, Clause> {
    let (learnt, shown) = clauses.split_at(texts.len());
    let learnt: BTreeMap<&String, &Clause> = texts.iter().zip(learnt).collect();
    let form = |(text, shown): (&String, &Clause)| Some(((*learnt.get(text)?).clone(), shown.clone()));
    forms.keys().zip(shown).filter_map(form).collect()
}

/// That an example is listed more than once, and which of these is explained.
fn several(problem: &Problem, asked: &Asked) -> String {
    let which = match asked.examples.fold(asked.id) {
        Some(fold) => format!("that of {} is", problem.fold_name(fold)),
        None => "the first is".to_owned(),
    };
    format!(
        "warning: the example is listed {} times; {which} explained, --fold chooses another",
        asked.n_listed
    )
}

/// The examples among which one is looked for.
#[derive(Debug)]
struct Listed<'p> {
    problem: &'p Problem,
    listed: Vec<ExampleId>,
    /// The fold that they are the test examples of.
    fold: Option<&'p FoldChoice>,
}

/// Reads the example of the command line; its full stop may be left out.
fn read(given: &str, among: &Listed<'_>) -> Result<Asked, Failure> {
    let given = given.trim();
    let text = if given.ends_with('.') { given.to_owned() } else { format!("{given}.") };
    let found = match read_clause(&text) {
        Err(found) => Err(found.iter().map(ClauseFault::syntax).collect()),
        Ok(statement) => among.example(&statement).map_err(|fault| vec![fault]),
    };
    found.map_err(|faults| ClauseFaults::of_text(EXAMPLE, text, faults).into())
}

impl Listed<'_> {
    fn example(&self, statement: &Statement<'_>) -> Result<Asked, ClauseFault> {
        let head = statement.head.as_ref().filter(|_| statement.body.is_empty());
        let Some(head) = head else { return Err(self.no_atom("a rule or directive", statement.span)) };
        let target = self.problem.target();
        let found = atom_parts(head).map(|(name, arguments)| PredicateName::new(name, arguments.len()));
        if found.as_ref() != Some(target) {
            let what = found.map_or_else(|| format!("`{head}`"), |found| found.to_string());
            let message = format!("the example is of {what}, the target is {target}");
            return Err(ClauseFault::new(codes::OTHER_HEAD, message, head.span)
                .with_help(format!("{}; --target chooses another target", self.as_written())));
        }
        let arguments = self.arguments(head)?;
        let listed = &self.listed;
        find(self.problem, listed, self.fold.is_none(), &arguments).map_err(|why| self.not_listed(head, why))
    }

    /// The constants of an atom; those that nothing has are a fault.
    fn arguments(&self, head: &Syntax<'_>) -> Result<Vec<ConstantId>, ClauseFault> {
        let symbols = &self.problem.symbols;
        let usable = vec![false; symbols.predicates.len()];
        let mut names = Widened::new(symbols, &usable);
        let lowered = lower_clause(head, self.problem.examples.target(), &[], &mut names);
        let Ok((atom, _)) = lowered else { return Err(self.no_atom("a term with variables", head.span)) };
        let constants: Option<Vec<ConstantId>> = (atom.head.arguments.iter())
            .map(|term| match term {
                Term::Constant(constant) => Some(*constant),
                Term::Variable(_) | Term::Any => None,
            })
            .collect();
        let constants = constants.ok_or_else(|| self.no_atom("an atom with variables", head.span))?;
        if let Some(unknown) =
            constants.iter().position(|constant| constant.index() >= symbols.constants.len())
        {
            let span = atom_parts(head).map_or(head.span, |(_, arguments)| arguments[unknown].span);
            let message = format!("no fact or example has `{}`", names.further()[0].0);
            return Err(self.with_nearest(ClauseFault::new(codes::UNKNOWN_EXAMPLE, message, span), head));
        }
        Ok(constants)
    }

    fn not_listed(&self, head: &Syntax<'_>, why: NoWorld) -> ClauseFault {
        let message = match (self.fold, why) {
            (Some(fold), _) => format!("`{head}` is no test example of fold {fold}"),
            (None, NoWorld::Unknown) if self.problem.worlds.len() == 1 => {
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
