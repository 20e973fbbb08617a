//! `gleaner explain MODEL DATA EXAMPLE`: why an example has its score under a model.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use crate::experiment::asked_example::{Listed, asked_example};
use crate::experiment::explain::{Asked, ReadWith, explain, shown_forms};
use crate::report::explain::{N_SHOWN, Report};
use crate::store::ClassModels;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::syntax::{Diagnostic, codes};

use super::class_models::{AnyModel, class_of_atom};
use super::conduct::on_threads;
use super::deadline::end_after;
use super::failure::Failure;
use super::flags::{DEFAULT_SEED, DataFlags, FoldChoice, ModelFlags, ResourceFlags, TimeFlag};
use super::memory::MemoryCap;
use super::output::Output;
use super::scoring::{chosen_examples, load_with_clauses};

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
        let fold = fold.as_ref().map(ToString::to_string);
        let asked = asked_example(&arguments.example, &Listed { problem: &problem, listed, fold })?;
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
            "a score belongs to one class: name the class in the example, one of {}",
            many.names().join(", ")
        )))
    })
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
