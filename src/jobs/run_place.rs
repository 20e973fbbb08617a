//! Where `cv` writes its run folder, and what it keeps until then.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use gleaner_base::{Forgetful, Keeper};
use gleaner_data::folder_name;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::codes;

use crate::experiment::records::run_record::RunRequest;
use crate::experiment::runs::scheduled_runs::result_name;
use crate::experiment::settings::asked::{Asked, AskedVariant, CvRequest};
use crate::store::Checkpoint;

use super::checkpoint::{self, Beginning, Choice, TimedKeeper};
use super::failure::Failure;
use super::folder_output::{Earlier, FolderOutput, Sink};
use super::listener::{Listener, Took, Work, WorkMeter};
use super::variants::Variant;

/// The place of the results, and the treatment of earlier ones there.
#[derive(Clone, Debug)]
pub(crate) struct RunPlace {
    /// The run folder.
    pub(crate) path: PathBuf,
    /// Go on with a run that did not end.
    pub(crate) resume: bool,
    /// Replace an earlier run.
    pub(crate) overwrite: bool,
    /// How often the findings of a long search are kept.
    pub(crate) keep_every: Duration,
}

/// The folds and variants of a cross-validation, by their names.
#[derive(Clone, Debug)]
pub(crate) struct RunNames<'a> {
    /// Those of a repetition.
    pub(crate) folds: Vec<&'a str>,
    pub(crate) n_repeats: usize,
    /// Each has a folder, if there are several.
    pub(crate) variants: Vec<&'a Variant>,
}

/// The place of the results, if any, and their keeper until then.
pub(super) struct Place<'o> {
    folder: Option<FolderOutput<'o>>,
    checkpoint: Option<Checkpoint<'o>>,
    /// Runs of all variants.
    n_runs: usize,
}

impl<'o> Place<'o> {
    /// Claims the place of the run folder, and fails before the work begins if it cannot be written. `None` if nothing
    /// is left to do.
    pub(super) fn claim(
        place: Option<&RunPlace>,
        names: &RunNames<'_>,
        asked: impl FnOnce() -> Asked,
        listener: &'o dyn Listener,
    ) -> Result<Option<Self>, Failure> {
        let RunNames { folds, n_repeats, variants } = names;
        let n_runs = folds.len() * n_repeats * variants.len();
        let Some(RunPlace { path, resume, overwrite, keep_every }) = place else {
            return Ok(Some(Self { folder: None, checkpoint: None, n_runs }));
        };
        let runs = names.runs()?;
        // If an earlier run stands there, `--resume` asks below whether it is this one.
        let folder = FolderOutput::claim(path, Earlier::Run, *overwrite || *resume, listener)
            .map_err(|failure| checkpoint::or_go_on(failure, path))?;
        // Repetitions differ in a number: the last have the longest names.
        let checked = runs.iter().take(folds.len()).chain(&runs[runs.len() - folds.len()..]);
        let folders =
            variants.iter().flat_map(|variant| checked.clone().map(|run| format!("{}{run}", below(variant))));
        folder.check_names(&folders.collect::<Vec<_>>())?;
        let beginning = Beginning {
            path,
            folder: folder.target(),
            asked: asked(),
            variants: variants.iter().map(|variant| variant.name.as_str()).collect(),
            choice: Choice { resume: *resume, overwrite: *overwrite },
            keep_every: *keep_every,
        };
        let checkpoint = beginning.checkpoint(listener)?;
        Ok(checkpoint.map(|checkpoint| Self { folder: Some(folder), checkpoint: Some(checkpoint), n_runs }))
    }

    /// The work of the earlier processes that this one goes on from.
    pub(super) fn work_before(&self) -> Work {
        let noted = self.checkpoint.as_ref().and_then(Checkpoint::work);
        noted.map_or_else(Work::default, |text| Work::from_json(&text))
    }

    pub(super) fn keeper<'p>(&'p self, meter: &'p WorkMeter<'_>) -> Box<dyn Keeper + 'p> {
        match &self.checkpoint {
            Some(checkpoint) => Box::new(TimedKeeper { checkpoint, meter, noting: Mutex::default() }),
            None => Box::new(Forgetful),
        }
    }

    /// Keeps what was finished of runs that a stop cut short.
    pub(super) fn keep_parts(&self) {
        self.checkpoint.iter().for_each(Checkpoint::keep_parts);
    }

    /// Whether a run folder is to be written.
    pub(super) const fn is_written(&self) -> bool {
        self.folder.is_some()
    }

    /// Writes the run folder. Then the checkpoint has done its work, unless fewer runs are finished than were asked for.
    pub(super) fn write(
        &self,
        n_finished: usize,
        took: Took,
        listener: &dyn Listener,
        files: impl Fn(Sink<'_>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        folder.write_or_save(files)?;
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.note_work(&took.total().to_json());
            checkpoint::end(checkpoint, n_finished, self.n_runs, listener);
        }
        Ok(())
    }
}

/// The beginning of the paths of a variant's files: a folder of its own where there are several.
pub(super) fn below(variant: &Variant) -> String {
    if variant.name.is_empty() { String::new() } else { format!("{}/", folder_name(&variant.name)) }
}

impl RunNames<'_> {
    /// The folders of the runs within a variant's, each once.
    fn runs(&self) -> Result<Vec<String>, Failure> {
        let runs = (0..self.n_repeats)
            .flat_map(|repeat| self.folds.iter().map(move |fold| folder_name(&result_name(fold, repeat))));
        let names: Vec<String> = runs.collect();
        let mut known = BTreeSet::new();
        match names.iter().find(|name| !known.insert(*name)) {
            None => Ok(names),
            Some(twice) => {
                let message =
                    format!("⁅repeats⁆: the fold {twice} has the name of another fold's repetition");
                Err(Failure::usage(codes::SETTING_VALUE, message))
            }
        }
    }

    /// The request of a run, with these folds and variants: everything that results depend on. `learner` is the name that
    /// records have of a learner.
    pub(crate) fn asked(
        &self,
        request: &RunRequest,
        (target, format): (&str, &str),
        learner: impl Fn(&Settings) -> String,
    ) -> Asked {
        let learners: Vec<String> = self.variants.iter().map(|variant| learner(&variant.settings)).collect();
        let variants = self.variants.iter().zip(&learners);
        let variants: Vec<AskedVariant<'_>> = variants
            .map(|(Variant { name, settings, .. }, learner)| AskedVariant { name, learner, settings })
            .collect();
        let (folds, n_repeats) = (&*self.folds, self.n_repeats);
        Asked::of(&CvRequest { request, format, target, folds, n_repeats, variants: &variants })
    }
}
