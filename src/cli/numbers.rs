//! A target that is a number, by `learn` and `cv`.

use std::path::Path;

use crate::jobs::numbers::{LearntNumbers, ReadyNumbers};
use crate::jobs::{Earlier, Failure, FoldChoice, FolderOutput, Means, RunPlace, Session};
use gleaner_learn::shown::Extent;

use super::conduct::Conduct;
use super::file_output::FileOutput;
use super::output::Output;

/// Refuses flags that have no meaning for numbers.
fn refuse(flags: &[(&str, bool)]) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} does not go with --number-argument\nhelp: leave it out; settings are compared by several runs of `cv`"
        ))),
    }
}

/// The flags of `cv` beside the problem and its settings.
pub(super) struct CvFlags<'a> {
    /// Flags that have no meaning for numbers, each with whether it is given.
    pub(super) others: &'a [(&'a str, bool)],
    /// Where the results are written, if they are.
    pub(super) place: Option<&'a RunPlace>,
}

/// `gleaner cv DATA --number-argument ARGUMENT`.
pub(super) fn cross_validate(
    flags: &CvFlags<'_>,
    session: Session,
    conduct: &Conduct,
    output: &Output,
) -> Result<(), Failure> {
    refuse(flags.others)?;
    let ready = ReadyNumbers::to_cross_validate(session, Means { listener: output, limits: conduct })?;
    let folder = match flags.place {
        Some(place) => {
            let folder = FolderOutput::claim(&place.path, Earlier::Run, place.overwrite, output)?;
            folder.check_names(&ready.fold_names())?;
            Some(folder)
        }
        None => None,
    };
    let learnt = ready.run();
    let saved = folder.map_or(Ok(()), |folder| folder.write_or_save(|sink| learnt.write_validation(sink)));
    output.answer(&learnt.validation())?;
    output.note(&learnt.took.line());
    // What was found is told though it could not be written where it was to be.
    saved
}

/// The flags of `learn` beside the problem and its settings.
pub(super) struct LearnFlags<'a> {
    /// Flags that have no meaning for numbers, each with whether it is given.
    pub(super) others: &'a [(&'a str, bool)],
    /// The model file.
    pub(super) path: Option<&'a Path>,
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
    let learnt: LearntNumbers = ready.run();
    let output = &file.beside(output);
    let Some(model) = learnt.model() else { return Ok(()) };
    let saved = file.write_or_save("model.json", &model.to_json(), output);
    if let Some(answer) = learnt.learnt(flags.extent) {
        output.answer(&answer)?;
    }
    saved
}
