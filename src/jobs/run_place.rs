//! Where `cv` writes its run folder, and what it keeps until then.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use crate::experiment::Split;
use crate::experiment::asked::{Asked, AskedVariant, CvRequest};
use crate::store::Checkpoint;
use gleaner_base::{Forgetful, Keeper};
use gleaner_data::folder_name;
use gleaner_lang::syntax::codes;

use super::checkpoint::{self, Beginning, Choice, TimedKeeper};
use super::failure::Failure;
use super::folder_output::{Earlier, FolderOutput, Sink};
use super::listener::Listener;
use super::run_folder;
use super::session::Session;
use super::variants::Variant;
use super::work::{Took, Work, WorkMeter};

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
        n_repeats: usize,
        session: &Session,
        splits: &[Split],
        variants: &[&Variant],
        listener: &'o dyn Listener,
    ) -> Result<Option<Self>, Failure> {
        let n_runs = splits.len() * n_repeats * variants.len();
        let Some(RunPlace { path, resume, overwrite, keep_every }) = place else {
            return Ok(Some(Self { folder: None, checkpoint: None, n_runs }));
        };
        let runs = run_names(splits, n_repeats)?;
        // If an earlier run stands there, `--resume` asks below whether it is this one.
        let folder = FolderOutput::claim(path, Earlier::Run, *overwrite || *resume, listener)
            .map_err(|failure| checkpoint::or_go_on(failure, path))?;
        // Repetitions differ in a number: the last have the longest names.
        let checked = runs.iter().take(splits.len()).chain(&runs[runs.len() - splits.len()..]);
        let folders =
            variants.iter().flat_map(|variant| checked.clone().map(|run| format!("{}{run}", below(variant))));
        folder.check_names(&folders.collect::<Vec<_>>())?;
        let beginning = Beginning {
            path,
            folder: folder.target(),
            asked: asked(session, splits, n_repeats, variants),
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

/// What a cross-validation is asked for.
pub(super) fn asked(session: &Session, splits: &[Split], n_repeats: usize, variants: &[&Variant]) -> Asked {
    let variants: Vec<AskedVariant<'_>> = variants
        .iter()
        .map(|variant| AskedVariant { name: &variant.name, settings: &variant.settings })
        .collect();
    let request = &run_folder::request(session, "cv", None);
    Asked::of(&CvRequest { request, problem: &session.problem, splits, n_repeats, variants: &variants })
}

/// The beginning of the paths of a variant's files: a folder of its own where there are several.
pub(super) fn below(variant: &Variant) -> String {
    if variant.name.is_empty() { String::new() } else { format!("{}/", folder_name(&variant.name)) }
}

/// The folders of the runs within a variant's, each once.
fn run_names(splits: &[Split], n_repeats: usize) -> Result<Vec<String>, Failure> {
    let name = |split: &Split, repeat: usize| match repeat {
        0 => folder_name(&split.name),
        repeat => folder_name(&format!("{}-{}", split.name, repeat + 1)),
    };
    let mut known = BTreeSet::new();
    let names: Vec<String> =
        (0..n_repeats).flat_map(|repeat| splits.iter().map(move |split| name(split, repeat))).collect();
    match names.iter().find(|name| !known.insert(*name)) {
        None => Ok(names),
        Some(twice) => {
            let message = format!("⁅repeats⁆: the fold {twice} has the name of another fold's repetition");
            Err(Failure::usage(codes::SETTING_VALUE, message))
        }
    }
}
