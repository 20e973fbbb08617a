//! `gleaner show MODEL`: a saved model, as it was printed when it was learnt, or in another form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::experiment::links::LinkRulesAnswer;
use crate::report::answer::{done, event};
use crate::report::prolog::{self, NoProgram};
use crate::report::show::{ShowAnswer, theory};
use crate::report::{Answer, Document};
use crate::store::{ClassModels, ModelFile};
use gleaner_lang::program::settings::nearest;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::links::LinkModel;
use gleaner_learn::shown::Extent;

use super::deadline::limit;
use super::flags::LimitFlags;
use super::output::Output;
use crate::jobs::class_models::bad_model;
use crate::jobs::files::{read_text, warn_of_other_run};
use crate::jobs::links::bad_links;
use crate::jobs::{AnyModel, Failure};

use super::values::whole_of;

/// Rules of each relation that are shown unless another number is asked for.
const RULES_SHOWN: usize = 20;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The form in which it is shown.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Text)]
    to: Form,
    /// Of a model of many classes, that of this class.
    #[arg(long, value_name = "NAME")]
    class: Option<String>,
    /// Of a model of links, the rules of this relation, anchored ones too.
    #[arg(long, value_name = "NAME")]
    relation: Option<String>,
    /// Show all clauses or trees, and what the model says of train and tune.
    #[arg(long)]
    all: bool,
    /// Of a model of links, so many rules of each relation [default: 20].
    #[arg(long, value_name = "K", value_parser = whole_of::<usize>(1..))]
    best: Option<usize>,
    #[command(flatten)]
    limits: LimitFlags,
}

impl Arguments {
    const fn extent(&self) -> Extent {
        if self.all { Extent::Whole } else { Extent::Short }
    }

    /// Whether it is shown for a person.
    pub(super) const fn is_report(&self) -> bool {
        matches!(self.to, Form::Text)
    }
}

/// What a model may be shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// As `learn` prints it.
    Text,
    /// The model file itself.
    Json,
    /// A Prolog program that scores and decides as the model does.
    Pl,
    /// Its clauses alone, one a line, where any of them decides.
    Theory,
    /// A graph for Graphviz; no learner has one yet.
    Dot,
}

pub(super) fn show(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    warn_of_other_run(&arguments.model, output);
    limit(arguments.limits, output)?;
    let text = read_text(&arguments.model)?;
    if LinkModel::is_one(&text) {
        return show_links(&text, arguments, output);
    }
    for (flag, is_given) in
        [("--relation", arguments.relation.is_some()), ("--best", arguments.best.is_some())]
    {
        if is_given {
            output.note(&format!("warning: {flag} has no effect: the model is not of links"));
        }
    }
    let any = AnyModel::of_text(&arguments.model, &text)?;
    if let (AnyModel::Many(many), None) = (&any, &arguments.class) {
        match arguments.to {
            Form::Text => return show_all(many, arguments, output),
            Form::Json => return output.data(&many.to_json()),
            Form::Pl | Form::Theory | Form::Dot => {}
        }
    }
    let file = any.chosen(arguments.class.as_deref())?;
    match arguments.to {
        Form::Text => {
            let own = file.own_model().map_err(|error| bad_model(&arguments.model, &error))?;
            let extent = arguments.extent();
            output.answer(&ShowAnswer { file: &file, model: &*own.model, symbols: &own.symbols, extent })
        }
        Form::Json => output.data(&file.to_json()),
        Form::Pl => {
            let own = file.own_model().map_err(|error| bad_model(&arguments.model, &error))?;
            let program = own.model.prolog().ok_or_else(|| no_program(&file))?;
            let program =
                prolog::program(&program, &own.symbols, &file.header).map_err(|fault| not_so(&fault))?;
            output.data(&program)
        }
        Form::Theory => {
            let own = file.own_model().map_err(|error| bad_model(&arguments.model, &error))?;
            let theory = theory(&*own.model, &own.symbols).map_err(|why| no_theory(&why))?;
            output.data(&theory)
        }
        Form::Dot => Err(no_graph(&file)),
    }
}

/// The rules of a model of links.
fn show_links(text: &str, arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let model = LinkModel::from_json(text).map_err(|error| bad_links(&arguments.model, &error))?;
    match arguments.to {
        Form::Text => {
            let best = arguments.best.unwrap_or(RULES_SHOWN);
            let asked = arguments.relation.as_deref();
            let answer = LinkRulesAnswer::of(&model, asked, best).ok_or_else(|| {
                let asked = asked.unwrap_or_default();
                let message = format!("the model has no relation {asked}");
                let fault = Diagnostic::error(codes::WRONG_TARGET, message);
                Failure::fault(match nearest(asked, model.relations.iter().map(String::as_str)) {
                    Some(nearest) => fault.with_help(format!("did you mean {nearest}?")),
                    None => fault.with_help("`gleaner show MODEL` shows all relations"),
                })
            })?;
            output.answer(&answer)
        }
        Form::Json => output.data(&model.to_json()),
        Form::Pl | Form::Theory | Form::Dot => {
            let message = "a model of links is no Prolog program, no theory and no graph for Graphviz";
            Err(Failure::fault(
                Diagnostic::error(codes::OTHER_FORM, message)
                    .with_help("--to text shows its rules as clauses"),
            ))
        }
    }
}

/// The models of all classes, one after another.
fn show_all(many: &ClassModels, arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    for file in &many.models {
        let own = file.own_model().map_err(|error| bad_model(&arguments.model, &error))?;
        let name = file.header.class.as_ref().map_or("", |class| class.name());
        let extent = arguments.extent();
        let answer = ShowAnswer { file, model: &*own.model, symbols: &own.symbols, extent };
        Document::of_class(name, answer.document()).iter().try_for_each(|part| output.document(part))?;
        output.event(&event("class", &answer))?;
    }
    output.event(&done(&json!({ "classes": many.names() })))
}

/// A learner may have models that are no program.
fn no_program(file: &ModelFile) -> Failure {
    let message = format!("a model of {} is no Prolog program", file.header.learner);
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, message).with_help("--to text and --to json show every model"),
    )
}

/// Its clauses may call what no program beside the user's facts can.
fn not_so(fault: &NoProgram) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, fault.to_string())
            .with_help("`gleaner predict` scores by it; --to text and --to json show every model"),
    )
}

/// Its clauses do not stand alone.
fn no_theory(why: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, format!("the model is no plain theory: {why}"))
            .with_help("--to pl writes a program that scores as it does; --learner aleph learns a theory"),
    )
}

/// No learner's model is a graph yet; the first that is adds a method to `learn::Model`.
fn no_graph(file: &ModelFile) -> Failure {
    let message = format!("a model of {} is no graph", file.header.learner);
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, message)
            .with_help("no learner has one yet; --to text and --to json show every model"),
    )
}
