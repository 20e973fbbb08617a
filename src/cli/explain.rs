//! `gleaner explain MODEL DATA EXAMPLE`: why an example has its score under a model.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::kinds::{AskedExample, read_model};
use crate::jobs::predict::{DataToScore, Scoring};
use crate::jobs::{Failure, FoldChoice, Means};
use crate::report::answer::Shown;
use crate::report::explain::N_SHOWN;
use gleaner_data::LoadRequest;

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
    let model = read_model(&arguments.model, output)?;
    let conduct = Conduct::of_whole(resources)?;
    let request = LoadRequest { examples: arguments.examples_file.clone(), ..data.request(DEFAULT_SEED) };
    let scoring = Scoring {
        data: Some(DataToScore::Read(Box::new(request))),
        fold: fold.clone(),
        allows_missing: arguments.applying.allow_missing,
        ..Scoring::default()
    };
    let asked = AskedExample {
        example: arguments.example.clone(),
        // Events have the clauses that vote, a person reads them as `show` prints them.
        in_short: !output.is_json(),
        n_bindings: if *all || output.is_json() { usize::MAX } else { N_SHOWN },
        shows_all: *all,
    };
    on_threads(resources, || {
        let means = Means { listener: output, limits: &conduct };
        let Shown { document, events } = model.explain(&scoring, &asked, means)?;
        output.document(&document)?;
        events.iter().try_for_each(|event| output.event(event))
    })
}
