//! `cv --run DIR`: keeps finished work in `DIR.partial` until the run folder is written.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use gleaner_base::{Keeper, PartText};
use gleaner_data::folder_below;
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::records::run_record::{NamedRun, RunRecord};
use crate::experiment::settings::asked::{Asked, Difference};
use crate::store::{Checkpoint, OwnError, read_own};

use super::failure::Failure;
use super::listener::{Listener, WorkMeter};

/// Differences that a message names; the others are counted.
const N_SHOWN: usize = 8;

/// The user's choice for a run or checkpoint that is there already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) resume: bool,
    pub(crate) overwrite: bool,
}

/// A checkpoint in which with each thing that is kept is noted how much was worked until then.
pub(crate) struct TimedKeeper<'a> {
    pub(crate) checkpoint: &'a Checkpoint<'a>,
    pub(crate) meter: &'a WorkMeter<'a>,
    /// Held while it is noted, so that the last note is the greatest.
    pub(crate) noting: Mutex<()>,
}

impl TimedKeeper<'_> {
    fn note_work(&self) {
        let _noting = self.noting.lock();
        self.checkpoint.note_work(&self.meter.so_far().total().to_json());
    }
}

impl Keeper for TimedKeeper<'_> {
    fn kept(&self, name: &str) -> Option<String> {
        self.checkpoint.kept(name)
    }

    fn keep(&self, name: &str, text: &str) {
        self.checkpoint.keep(name, text);
        self.note_work();
    }

    fn keep_part(&self, name: &str, text: PartText, seconds: f64) {
        if self.checkpoint.add_part(name, text, seconds) {
            self.note_work();
        }
    }

    fn forget(&self, beginning: &str) {
        self.checkpoint.forget(beginning);
    }

    fn reject(&self, name: &str, why: &str) {
        self.checkpoint.reject(name, why);
    }

    fn is_worth(&self, seconds: f64) -> bool {
        self.checkpoint.is_worth(seconds)
    }
}

/// How a cross-validation begins.
#[derive(Debug)]
pub(crate) struct Beginning<'a> {
    /// The run folder as the user named it.
    pub(crate) path: &'a Path,
    /// The run folder by its one path.
    pub(crate) folder: &'a Path,
    /// The request.
    pub(crate) asked: Asked,
    /// The names of the variants.
    pub(crate) variants: Vec<&'a str>,
    pub(crate) choice: Choice,
    /// How often the findings of a long search are kept.
    pub(crate) keep_every: Duration,
}

impl Beginning<'_> {
    /// The checkpoint to go on from, or a new one; `None` where the run folder holds the finished run already. Refuses
    /// to lose or mix finished work.
    pub(crate) fn checkpoint<'o>(
        &self,
        listener: &'o dyn Listener,
    ) -> Result<Option<Checkpoint<'o>>, Failure> {
        let tell = Box::new(|code, text: &str| listener.warn(code, text));
        // The checkpoint stands beside the path that the user gave, if that has a name and is no link.
        let has_name = self.path.file_name().is_some() && !self.path.is_symlink();
        let place = Checkpoint::beside(if has_name { self.path } else { self.folder });
        let checkpoint = Checkpoint::at(place, self.asked.to_json(), self.keep_every, tell);
        checkpoint.check_own().map_err(|error| match error {
            OwnError::NotOwn(strange) => Failure::not_own(self.path, &strange),
            OwnError::Io(error) => Failure::write(checkpoint.folder(), &error.into()),
        })?;
        if let Some(stranger) = checkpoint.stranger() {
            let message = format!(
                "{} holds {stranger}, which is not part of a checkpoint",
                checkpoint.folder().display()
            );
            let fault = Diagnostic::error(codes::FOLDER_IN_USE, message);
            return Err(Failure::fault(fault.with_help("move it away, or choose another folder for ⁅run⁆")));
        }
        let earlier = checkpoint
            .earlier_request()
            .map_err(|error| Failure::write(checkpoint.folder(), &error.into()))?;
        match (earlier, self.choice.resume) {
            (Some(earlier), true) => {
                self.check_same(Asked::from_json(&earlier).ok().as_ref(), checkpoint.folder())?;
                checkpoint.go_on();
                let (kept, folder) = (Kept::of(&checkpoint).words(), checkpoint.folder().display());
                listener.note(&format!("taken from {folder}: {kept}"));
            }
            (Some(_), false) if !self.choice.overwrite => return Err(is_there(&checkpoint)),
            (Some(_), false) | (None, _) => {
                let is_done = self.choice.resume && self.is_done()?;
                // A kill during the removal of a finished run's checkpoint leaves parts: they go too.
                let cleared = checkpoint.clear();
                if is_done {
                    listener.note(&format!(
                        "{} holds the finished run: nothing is left to do",
                        self.path.display()
                    ));
                    return Ok(None);
                }
                cleared.map_err(|error| Failure::write(checkpoint.folder(), &error.into()))?;
            }
        }
        Ok(Some(checkpoint))
    }

    /// Whether the run folder holds this very run, and no outer stop cut it short. Refuses another one.
    fn is_done(&self) -> Result<bool, Failure> {
        let Some(there) = RunThere::in_folder(self.folder, &self.variants) else { return Ok(false) };
        self.check_same(there.asked.as_ref(), self.path)?;
        Ok(!there.is_stopped)
    }

    fn check_same(&self, then: Option<&Asked>, folder: &Path) -> Result<(), Failure> {
        let what = format!("⁅resume⁆: {} belongs to another request", folder.display());
        let help = "repeat the earlier request, choose another folder for ⁅run⁆, or start anew with ⁅overwrite⁆, which \
                    deletes the earlier run";
        refuse_other(&self.asked, then, &what, help)
    }
}

/// Refuses what an earlier request began, if this is another one: `what` says that it is, and the message how they differ.
pub(super) fn refuse_other(
    asked: &Asked,
    then: Option<&Asked>,
    what: &str,
    help: &str,
) -> Result<(), Failure> {
    let differences = match then {
        Some(then) => asked.differences(then),
        None => vec![Difference::unreadable()],
    };
    if differences.is_empty() {
        return Ok(());
    }
    let mut said: Vec<String> = differences.iter().take(N_SHOWN).map(said).collect();
    if differences.len() > N_SHOWN {
        said.push(format!("and {} more", differences.len() - N_SHOWN));
    }
    let message = format!("{what}: {}", said.join("; "));
    Err(Failure::fault(Diagnostic::error(codes::OTHER_REQUEST, message).with_help(help)))
}

fn said(difference: &Difference) -> String {
    let Difference { what, then, now } = difference;
    format!("{what} was {} and is {}", with_short_hashes(then), with_short_hashes(now))
}

/// The text with as much of each hash as tells files apart.
fn with_short_hashes(text: &str) -> String {
    const N_HEX: usize = 64;
    const N_SHOWN: usize = 12;
    let is_hash = |word: &str| word.len() == N_HEX && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let short = |word: &str| match word.strip_suffix(',') {
        Some(hash) if is_hash(hash) => format!("{},", &hash[..N_SHOWN]),
        None if is_hash(word) => word[..N_SHOWN].to_owned(),
        _ => word.to_owned(),
    };
    text.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// The contents of a checkpoint, in numbers.
struct Kept {
    /// Finished runs.
    n_runs: usize,
    /// Unfinished runs with a kept part of their search.
    n_begun: usize,
}

impl Kept {
    fn of(checkpoint: &Checkpoint<'_>) -> Self {
        Self::of_names(&checkpoint.kept_names())
    }

    /// A run is `run-` with three numbers, a part of its search `seed-` with these and more.
    fn of_names(names: &[String]) -> Self {
        let runs: BTreeSet<&str> = names.iter().filter_map(|name| name.strip_prefix("run-")).collect();
        let begun: BTreeSet<&str> = names
            .iter()
            .filter_map(|name| name.strip_prefix("seed-"))
            .map(|name| name.match_indices('-').nth(2).map_or(name, |(end, _)| &name[..end]))
            .collect();
        Self { n_runs: runs.len(), n_begun: begun.difference(&runs).count() }
    }

    /// In words.
    fn words(&self) -> String {
        let many = |n: usize| if n == 1 { "" } else { "s" };
        let Self { n_runs, n_begun } = *self;
        let finished = format!("{n_runs} finished run{}", many(n_runs));
        let parts = format!("part{} of {n_begun} unfinished run{}", many(n_begun), many(n_begun));
        match (n_runs, n_begun) {
            (_, 0) => finished,
            (0, _) => parts,
            _ => format!("{finished} and {parts}"),
        }
    }
}

/// Adds the remedy to go on, where an earlier run stands in the way and a checkpoint of an interrupted command is
/// beside it.
pub(crate) fn or_go_on(failure: Failure, path: &Path) -> Failure {
    let kept = Checkpoint::beside(path);
    if !failure.has_code(codes::EARLIER_RESULT) || !kept.is_dir() {
        return failure;
    }
    failure.with_help(format!("{} keeps finished runs: ⁅resume⁆ goes on from there", kept.display()))
}

fn is_there(checkpoint: &Checkpoint<'_>) -> Failure {
    let message = format!(
        "{} keeps {} of a cross-validation that did not end",
        checkpoint.folder().display(),
        Kept::of(checkpoint).words()
    );
    Failure::fault(Diagnostic::error(codes::UNFINISHED_RUN, message).with_help(
        "go on from there with ⁅resume⁆, or start anew with ⁅overwrite⁆, which deletes these runs",
    ))
}

/// Ends the checkpoint of a cross-validation of so many runs, whose folder is written. Removes it, unless an outer stop
/// left runs that `--resume` can finish.
pub(crate) fn end(checkpoint: &Checkpoint<'_>, n_finished: usize, n_runs: usize, listener: &dyn Listener) {
    if n_finished < n_runs && !checkpoint.kept_names().is_empty() {
        let kept = Kept::of(checkpoint);
        let what = if kept.n_runs > 0 { "them".to_owned() } else { kept.words() };
        listener.note(&format!(
            "{n_finished} of {n_runs} runs are finished: {} keeps {what}, ⁅resume⁆ goes on from there",
            checkpoint.folder().display()
        ));
    } else if let Err(error) = checkpoint.clear() {
        listener.warn(
            codes::WRITE_FAILED,
            &format!("{} cannot be removed: {error}", checkpoint.folder().display()),
        );
    }
}

/// A run that stands in the folder already.
struct RunThere {
    /// The request of the run; none where its records are of no cross-validation of these variants.
    asked: Option<Asked>,
    /// Whether an outer stop cut it short.
    is_stopped: bool,
}

impl RunThere {
    /// The run in this folder, if there is one; several variants have a folder each.
    fn in_folder(folder: &Path, variants: &[&str]) -> Option<Self> {
        let record = |place: &Path| String::from_utf8(read_own(&place.join("run.json")).ok()?).ok();
        let (alone, n_below) = (record(folder), runs_below(folder));
        if alone.is_none() && n_below == 0 {
            return None;
        }
        let texts: Option<Vec<String>> = match variants {
            [""] => alone.map(|text| vec![text]),
            names => names.iter().map(|name| record(&folder_below(folder, name))).collect(),
        };
        let texts = texts.filter(|texts| n_below == 0 || n_below == texts.len()).unwrap_or_default();
        let runs = texts.iter().zip(variants).map(|(text, name)| {
            let record = RunRecord::from_json(text).ok()?;
            Some(NamedRun { name: (*name).to_owned(), record })
        });
        let runs: Option<Vec<NamedRun>> = runs.collect();
        let is_stopped = runs.iter().flatten().any(|run| run.record.is_stopped());
        Some(Self { asked: runs.and_then(|runs| Asked::of_records(&runs)), is_stopped })
    }
}

/// Folders below this one that hold a run.
fn runs_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().join("run.json").is_file()).count()
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn what_is_kept_is_told_in_words() {
        let summary = |names: &[&str]| {
            Kept::of_names(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).words()
        };
        assert_eq!(summary(&["run-1-1-1"]), "1 finished run");
        assert_eq!(summary(&["run-1-1-1", "run-1-10-1"]), "2 finished runs");
        // Some steps of the first run were not removed yet.
        let names = ["run-1-1-1", "seed-1-1-1-1", "seed-1-1-2-1", "seed-1-1-2-refit-1"];
        assert_eq!(summary(&names), "1 finished run and part of 1 unfinished run");
        assert_eq!(summary(&["seed-1-1-2-1-1", "seed-1-1-3-1"]), "parts of 2 unfinished runs");
    }
}
