//! `gleaner show MODEL`: a saved model, as it was printed when it was learnt, or in another form.

use std::path::PathBuf;

use clap::Args;
use gleaner_learn::shown::Extent;

use crate::jobs::kinds::Displayed;
use crate::jobs::show::{Form, Show};
use crate::jobs::{Failure, kinds};
use crate::report::sql::Dialect;

use super::conduct::limit;
use super::flags::LimitFlags;
use super::output::Output;
use super::values::whole_of;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The form in which it is shown.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Text)]
    to: Form,
    /// The database that runs the SQL of `--to sql` [default: duckdb].
    #[arg(long, value_enum, value_name = "DATABASE")]
    dialect: Option<Dialect>,
    /// Show this class of a model of many classes.
    #[arg(long, value_name = "NAME")]
    class: Option<String>,
    /// Show this relation's rules of a model of links, anchored ones too.
    #[arg(long, value_name = "NAME")]
    relation: Option<String>,
    /// Show all clauses or trees, and the model's decisions on train and tune.
    #[arg(long)]
    all: bool,
    /// Show so many rules of each relation of a model of links [default: 20].
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

pub(super) fn show(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { model, to, dialect, class, relation, best, limits, .. } = arguments;
    limit(*limits, output)?;
    let job = Show {
        path: model.clone(),
        form: *to,
        dialect: *dialect,
        class: class.clone(),
        relation: relation.clone(),
        best: *best,
        extent: arguments.extent(),
    };
    match kinds::show(&job, output)? {
        Displayed::Items(items) => output.items(items),
        Displayed::File(text) => output.data(&text),
    }
}
