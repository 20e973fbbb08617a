//! A target that is a number, by `learn` and `cv`.

use std::path::Path;

use crate::jobs::numbers::{LearntNumbers, ReadyNumbers};
use crate::jobs::{CrossValidate, Earlier, Failure, FoldChoice, FolderOutput, Means, Session};
use crate::report::number_cv::stop_lines;
use gleaner_learn::shown::Extent;

use super::conduct::Conduct;
use super::file_output::FileOutput;
use super::output::Output;

/// Refuses flags that have no meaning for numbers.
fn refuse(flags: &[(&str, bool)]) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} does not go with --number-argument\nhelp: leave it out: it is for positives and negatives"
        ))),
    }
}

/// `gleaner cv DATA --number-argument ARGUMENT`.
pub(super) fn cross_validate(
    job: &CrossValidate,
    session: &Session,
    conduct: &Conduct,
    output: &Output,
) -> Result<(), Failure> {
    let means = Means { listener: output, limits: conduct };
    let Some(found) = job.run_numbers(session, means)? else { return Ok(()) };
    output.answer(&found.answer)?;
    output.note(&found.took.line());
    let stops = stop_lines(&found.answer);
    if !stops.is_empty() {
        output.say(stops.trim_end());
    }
    // What was found is told though it could not be written where it was to be.
    found.saved
}

/// The flags of `learn` beside the problem and its settings.
pub(super) struct LearnFlags<'a> {
    /// Flags that have no meaning for numbers, each with whether it is given.
    pub(super) others: &'a [(&'a str, bool)],
    /// The model file.
    pub(super) path: Option<&'a Path>,
    /// The run folder, and whether an earlier run there is replaced.
    pub(super) run: Option<(&'a Path, bool)>,
    /// Learn as the run of this fold does.
    pub(super) fold: Option<&'a FoldChoice>,
    /// How much of the model is shown.
    pub(super) extent: Extent,
}

/// `gleaner learn DATA --number-argument ARGUMENT`.
pub(super) fn learn(
    flags: &LearnFlags<'_>,
    session: Session,
    conduct: &Conduct,
    output: &Output,
) -> Result<(), Failure> {
    refuse(flags.others)?;
    let means = Means { listener: output, limits: conduct };
    let ready = ReadyNumbers::to_learn(session, flags.fold, means)?;
    let file = FileOutput::check_or_none(flags.path, "-o", output)?;
    let claim = |(folder, overwrite)| FolderOutput::claim(folder, Earlier::Run, overwrite, output);
    let folder = flags.run.map(claim).transpose()?;
    let learnt: LearntNumbers = ready.run();
    let output = &file.beside(output);
    let model = learnt.model().to_json();
    let saved = match &folder {
        None => file.write_or_save("model.json", &model, output),
        Some(folder) => {
            let models = [("model.json".to_owned(), model.as_str())];
            let write_run = || folder.write_or_save(|sink| learnt.write_run(sink));
            file.write_beside_run(&model, folder.target(), models, write_run, output)
        }
    };
    if let Some(stopped) = learnt.stopped() {
        output.say(&stopped);
    }
    output.answer(&learnt.answer(flags.extent))?;
    // What was found is told though it could not be written where it was to be.
    saved
}
