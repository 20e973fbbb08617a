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
use gleaner_data::LoadRequest;
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
    /// Look for it among the atoms of this file, one a line, not the data's examples.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fold", "negatives"])]
    examples_file: Option<PathBuf>,
    #[command(flatten)]
    applying: ModelFlags,
    #[command(flatten)]
    data: DataFlags,
    /// A row's key, or an atom as 'target(ann,bob)'; by a model of links any link.
    ///
    /// The key is what `predict --to rows` writes before the scores, with commas between the cells of several columns. By a
    /// model of many classes it is KEY=CLASS.
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
    let request = LoadRequest { examples: arguments.examples_file.clone(), ..data.request(DEFAULT_SEED) };
    on_threads(resources, || {
        let applied = Applied {
            problem: load_to_score(model.models(), request, output)?,
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
    let without_effect = [
        ("--fold", fold.is_some()),
        ("--examples-file", arguments.examples_file.is_some()),
        ("--allow-missing", applying.allow_missing),
    ];
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
