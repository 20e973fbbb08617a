//! `gleaner show MODEL`: a saved model, as it was printed when it was learnt, or in another form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::report::prolog;
use crate::report::show::ShowAnswer;
use crate::store::ModelFile;
use crate::syntax::{Diagnostic, codes};

use super::failure::Failure;
use super::output::Output;
use super::predict::{bad_model, read_model};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The form in which it is shown.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Text)]
    to: Form,
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
    /// A graph for Graphviz; no learner has one yet.
    Dot,
}

pub(super) fn show(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let file = read_model(&arguments.model)?;
    match arguments.to {
        Form::Text => {
            let own = file.own_model().map_err(|error| bad_model(&arguments.model, &error))?;
            output.answer(&ShowAnswer { file: &file, model: &*own.model, symbols: &own.symbols })
        }
        Form::Json => output.data(&file.to_json()),
        Form::Pl => {
            let own = file.own_model().map_err(|error| bad_model(&arguments.model, &error))?;
            let program = own.model.prolog().ok_or_else(|| no_program(&file))?;
            output.data(&prolog::program(&program, &own.symbols, &file.header))
        }
        Form::Dot => Err(no_graph(&file)),
    }
}

/// A learner may have models that are no program.
fn no_program(file: &ModelFile) -> Failure {
    let message = format!("a model of {} is no Prolog program", file.header.learner);
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, message).with_help("--to text and --to json show every model"),
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
