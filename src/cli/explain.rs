//! `gleaner explain MODEL DATA EXAMPLE`: why an example has its score under a model.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::class_models::ReadModel;
use crate::jobs::explain::Explain;
use crate::jobs::new_links::ExplainLink;
use crate::jobs::scoring::{Applied, load_to_score};
use crate::jobs::{Failure, FoldChoice, Means};
use crate::report::Events as _;
use crate::report::explain::N_SHOWN;
use gleaner_learn::links::LinkModel;

use super::conduct::{Conduct, end_after, on_threads};
use super::flags::{DEFAULT_SEED, DataFlags, ModelFlags, ResourceFlags, TimeFlag};
use super::output::Output;

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
    /// An atom of the target, as 'target(ann,bob)'; by a model of links any link.
    #[arg(value_name = "EXAMPLE", help_heading = None)]
    example: String,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn answer(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let Arguments { fold, data, resources, all, .. } = arguments;
    let model = match ReadModel::read(&arguments.model, output)? {
        ReadModel::Examples(model) => model,
        ReadModel::Links(model) => return explain_link(arguments, *model, output),
    };
    let conduct = Conduct::of_whole(resources)?;
    on_threads(resources, || {
        let applied = Applied {
            problem: load_to_score(model.models(), data.request(DEFAULT_SEED), output)?,
            fold: fold.clone(),
            operating_point: None,
            allows_missing: arguments.applying.allow_missing,
        };
        let job = Explain {
            model,
            applied,
            example: arguments.example.clone(),
            // Events have the clauses that vote, a person reads them as `show` prints them.
            in_short: !output.is_json(),
            n_bindings: if *all || output.is_json() { usize::MAX } else { N_SHOWN },
        };
        let explained = job.run(Means { listener: output, limits: &conduct })?;
        let report = explained.report(*all);
        output.document(&report.document())?;
        if output.is_json() {
            report.events().iter().try_for_each(|event| output.event(event))?;
        }
        Ok(())
    })
}

/// Explains a link by a model of links.
fn explain_link(arguments: &Arguments, model: LinkModel, output: &Output) -> Result<(), Failure> {
    let Arguments { fold, data, resources, all, example, applying, .. } = arguments;
    let without_effect = [("--fold", fold.is_some()), ("--allow-missing", applying.allow_missing)];
    if let Some((flag, _)) = without_effect.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::Usage(format!("{flag} does not go with a model of links")));
    }
    let conduct = Conduct::of_whole(resources)?;
    on_threads(resources, || {
        let job = ExplainLink { link: example.clone() };
        let answer = job.run(model, &data.path, Means { listener: output, limits: &conduct })?;
        output.document(&answer.shown(*all))?;
        if output.is_json() {
            answer.events().iter().try_for_each(|event| output.event(event))?;
        }
        Ok(())
    })
}
