//! A cross-validation that several processes share: its plan names all runs before the work, any process does some of
//! them, and what they kept is gathered into the bytes of one process.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gleaner_base::{Budget, Keeper, PartText};
use gleaner_lang::syntax::{Diagnostic, codes};
use serde::{Deserialize, Serialize};

use crate::experiment::runs::kept_run::run_name;
use crate::experiment::settings::asked::{Asked, in_shell};
use crate::report::answer::event;
use crate::report::{Answer, Document, Events};
use crate::store::{Checkpoint, Claim, NotWritten, OwnError, read_own};

use super::checkpoint::refuse_other;
use super::failure::Failure;
use super::kinds::ReadyRuns;
use super::listener::{Listener, Took, Work};
use super::run_place::RunNames;
use super::variants::Variant;

/// The version of plans' files.
const VERSION: u32 = 1;

/// The file that makes a folder a plan.
const PLAN: &str = "plan.json";

/// The remedy where something is not as it was planned.
const RESTORE: &str = "restore what was planned, or plan anew in another folder";

/// Runs that a message names; the others are counted.
const N_SHOWN: usize = 5;

/// A plan: a folder with what is asked for, the names of all runs, and the runs that are finished.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The folder.
    folder: PathBuf,
    written: Written,
}

/// The file of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Written {
    gleaner_plan: u32,
    gleaner_version: String,
    /// The words of the command that made it, and the folder that it ran in.
    command: Vec<String>,
    folder: PathBuf,
    asked: Asked,
    runs: Vec<PlannedRun>,
}

/// A run of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlannedRun {
    /// Its name: what `work` is asked for, and what its result is kept under.
    name: String,
    /// The variant, with its class; empty where there is one.
    variant: String,
    /// From 1.
    repeat: usize,
    fold: String,
}

/// The command that a plan is of.
#[derive(Clone, Debug)]
pub(crate) struct PlannedCommand {
    /// Its words.
    pub(crate) words: Vec<String>,
    /// The folder that it runs in.
    pub(crate) folder: PathBuf,
}

/// What a process is asked to do of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnitsAsked {
    /// All that nobody has done or claimed.
    Free,
    /// The runs of these names.
    Named(Vec<String>),
    /// One of so many equal parts of the list of runs, from 1.
    Part(usize, usize),
}

impl Plan {
    /// Writes a plan to a folder, which is new or empty.
    pub(super) fn write(
        folder: &Path,
        command: &PlannedCommand,
        ready: &dyn ReadyRuns,
    ) -> Result<PlanAnswer, Failure> {
        let RunNames { folds, n_repeats, variants } = ready.names();
        let run = |(number, variant): (usize, &&Variant), repeat: usize, (fold_idx, fold): (usize, &&str)| {
            PlannedRun {
                name: run_name(number, repeat, fold_idx),
                variant: variant.name.clone(),
                repeat: repeat + 1,
                fold: (*fold).to_owned(),
            }
        };
        // Variants and classes of one fold share searches, so they stand side by side.
        let mut runs = Vec::with_capacity(n_repeats * folds.len() * variants.len());
        for repeat in 0..n_repeats {
            for fold in folds.iter().enumerate() {
                runs.extend((1..).zip(&variants).map(|variant| run(variant, repeat, fold)));
            }
        }
        let written = Written {
            gleaner_plan: VERSION,
            gleaner_version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.words.clone(),
            folder: command.folder.clone(),
            asked: ready.asked(),
            runs: runs.clone(),
        };
        let mut text = serde_json::to_string_pretty(&written).expect("a plan is plain data");
        text.push('\n');
        let own = |error: OwnError| match error {
            OwnError::NotOwn(strange) => Failure::not_own(folder, &strange),
            OwnError::Io(error) => Failure::write(folder, &error.into()),
        };
        let there = Checkpoint::shared(folder.to_owned(), String::new(), Duration::ZERO, Box::new(|_, _| {}))
            .begin(PLAN, &text)
            .map_err(own)?;
        if let Some(there) = there {
            let message = format!("{} holds {there}", folder.display());
            let help = "choose a new or empty folder for ⁅plan⁆; an earlier plan stays as it is";
            return Err(Failure::fault(Diagnostic::error(codes::FOLDER_IN_USE, message).with_help(help)));
        }
        Ok(PlanAnswer { plan: folder.display().to_string(), n_runs: runs.len(), runs })
    }

    /// The plan in a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Failure> {
        let bad = |why: String| {
            let message = format!("{} is no plan: {why}", folder.display());
            let help = "`gleaner cv DATA ⁅plan=PLAN⁆` makes one";
            Failure::fault(Diagnostic::error(codes::BAD_PLAN, message).with_help(help))
        };
        let checkpoint =
            Checkpoint::shared(folder.to_owned(), String::new(), Duration::ZERO, Box::new(|_, _| {}));
        checkpoint.check_own().map_err(|error| bad(error.to_string()))?;
        let bytes = read_own(&folder.join(PLAN)).map_err(|error| bad(format!("{PLAN}: {error}")))?;
        let version =
            |name: &str| serde_json::from_slice::<serde_json::Value>(&bytes).ok()?.get(name).cloned();
        let of = version("gleaner_version").and_then(|of| of.as_str().map(str::to_owned));
        if let Some(of) = of.filter(|of| of != env!("CARGO_PKG_VERSION")) {
            let now = env!("CARGO_PKG_VERSION");
            let message = format!("{} is a plan of gleaner {of}, and this is {now}", folder.display());
            let help = "all processes of a plan need one release: take that one, or plan anew";
            return Err(Failure::fault(Diagnostic::error(codes::OTHER_REQUEST, message).with_help(help)));
        }
        let written: Written =
            serde_json::from_slice(&bytes).map_err(|error| bad(format!("{PLAN}: {error}")))?;
        if written.gleaner_plan != VERSION {
            return Err(bad(format!("{PLAN} has the version {}", written.gleaner_plan)));
        }
        Ok(Self { folder: folder.to_owned(), written })
    }

    /// The command that it is of.
    pub(crate) fn command(&self) -> PlannedCommand {
        PlannedCommand { words: self.written.command.clone(), folder: self.written.folder.clone() }
    }

    /// The failure to read what the plan was made of. Its own remedies are those of the command that made the plan.
    pub(crate) fn not_read(&self, failure: Failure) -> Failure {
        let folder = self.written.folder.display();
        failure
            .with_other_help(&format!("the plan was made in {folder}, where this could be read: {RESTORE}"))
    }

    /// Refuses data, settings or folds that are not those of the plan.
    pub(super) fn check(&self, asked: &Asked) -> Result<(), Failure> {
        let what = format!("{} is a plan of another request", self.folder.display());
        refuse_other(asked, Some(&self.written.asked), &what, RESTORE)
    }

    /// What its runs are kept in. Several processes may have it open.
    pub(super) fn checkpoint<'l>(&self, keep_every: Duration, listener: &'l dyn Listener) -> Checkpoint<'l> {
        let tell = Box::new(|code, text: &str| listener.warn(code, text));
        Checkpoint::shared(self.folder.clone(), self.written.asked.to_json(), keep_every, tell)
    }

    /// The names of the runs that are asked for; none where any that is free will do.
    fn named(&self, asked: &UnitsAsked) -> Result<Option<BTreeSet<String>>, Failure> {
        let runs = &self.written.runs;
        let name = |run: &PlannedRun| run.name.clone();
        match asked {
            UnitsAsked::Free => Ok(None),
            UnitsAsked::Part(part, n) => {
                let start = |part: usize| runs.len() * part / n;
                Ok(Some(runs[start(part - 1)..start(*part)].iter().map(name).collect()))
            }
            UnitsAsked::Named(names) => {
                let known: BTreeSet<String> = runs.iter().map(name).collect();
                let Some(other) = names.iter().find(|name| !known.contains(*name)) else {
                    return Ok(Some(names.iter().cloned().collect()));
                };
                let all: Vec<&str> = runs.iter().map(|run| &*run.name).collect();
                let message = format!("⁅unit={other}⁆: {} has no such run", self.folder.display());
                let help = format!("its {} runs are {}", runs.len(), listed(&all));
                Err(Failure::usage(codes::SETTING_VALUE, message).with_help(help))
            }
        }
    }

    /// The runs that are not kept, by name.
    pub(super) fn missing(&self, checkpoint: &Checkpoint<'_>) -> Vec<&str> {
        let names = self.written.runs.iter().map(|run| &*run.name);
        names.filter(|name| checkpoint.kept(name).is_none()).collect()
    }

    /// The runs of a plan that are all kept. Refuses other data or settings, and a plan with runs that are missing.
    pub(super) fn whole<'l>(
        &self,
        asked: &Asked,
        listener: &'l dyn Listener,
    ) -> Result<Checkpoint<'l>, Failure> {
        self.check(asked)?;
        let checkpoint = self.checkpoint(Duration::MAX, listener);
        let missing = self.missing(&checkpoint);
        if missing.is_empty() {
            checkpoint.go_on();
            return Ok(checkpoint);
        }
        let n_all = self.written.runs.len();
        let (held, free): (Vec<&str>, Vec<&str>) =
            missing.iter().partition(|name| Claim::is_held(&self.folder, name));
        let lacks = match (&*held, &*free) {
            ([], free) => some_of(free, n_all),
            (held, free) => {
                let nobody = if free.is_empty() { "" } else { ", and nobody is doing " };
                let free = counted(free);
                format!(
                    "{} of {n_all} runs: processes are doing {}{nobody}{free}",
                    missing.len(),
                    counted(held)
                )
            }
        };
        let message = format!("{} lacks {lacks}", self.folder.display());
        let plan = in_shell(&self.folder.to_string_lossy());
        let help = match free.first() {
            None => "gather when these processes have ended".to_owned(),
            Some(first) => {
                format!(
                    "do them all by `gleaner work {plan}`, or one by `gleaner work {plan} ⁅unit={first}⁆`"
                )
            }
        };
        Err(Failure::fault(Diagnostic::error(codes::UNFINISHED_PLAN, message).with_help(help)))
    }
}

/// The work of the processes that noted it beside each other.
pub(super) fn work_beside(checkpoint: &Checkpoint<'_>) -> Work {
    checkpoint.works().iter().fold(Work::default(), |sum, text| sum.plus(Work::from_json(text)))
}

/// `3 of 20 runs: run-1-1-1, run-1-1-2, run-1-1-3`.
fn some_of(names: &[&str], n_all: usize) -> String {
    format!("{} of {n_all} runs: {}", names.len(), listed(names))
}

/// `2 (run-1-1-1, run-1-1-2)`; nothing of none.
fn counted(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!("{} ({})", names.len(), listed(names)) }
}

/// The first names.
fn listed(names: &[&str]) -> String {
    let more = if names.len() > N_SHOWN { ", ..." } else { "" };
    format!("{}{more}", names[..names.len().min(N_SHOWN)].join(", "))
}

/// The work of one process on a plan: keeps what it finishes, and wants what is asked for and nobody has done.
pub(super) struct Worker<'a> {
    plan: &'a Plan,
    checkpoint: &'a Checkpoint<'a>,
    budget: &'a Budget,
    /// The runs that are asked for; none where any that is free will do.
    named: Option<BTreeSet<String>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The runs that this process has begun, with the claims that it holds.
    begun: BTreeMap<String, Option<Claim>>,
    /// Those that it has finished.
    done: BTreeSet<String>,
}

impl<'a> Worker<'a> {
    /// Refuses a folder in which nothing can be kept.
    pub(super) fn of(
        plan: &'a Plan,
        asked: &UnitsAsked,
        checkpoint: &'a Checkpoint<'a>,
        budget: &'a Budget,
    ) -> Result<Self, Failure> {
        let named = plan.named(asked)?;
        let is_asked = |name: &&str| named.as_ref().is_none_or(|named| named.contains(*name));
        let runs = plan.written.runs.iter().map(|run| &*run.name).filter(is_asked);
        checkpoint.check_written(runs).map_err(|NotWritten { path, error }| {
            let message = format!("{} cannot be written: {error}", path.display());
            let help = "nothing was begun: let this user write there, or plan anew in another folder";
            Failure::fault(Diagnostic::error(codes::WRITE_FAILED, message).with_help(help))
        })?;
        Ok(Self { plan, checkpoint, budget, named, state: Mutex::default() })
    }

    /// Lets `work` do runs until there is none that this process could do.
    pub(super) fn work(&self, work: impl Fn()) {
        loop {
            let before = self.n_done();
            work();
            // Others may have been killed meanwhile: what they had claimed is free again.
            if self.n_done() == before || self.named.is_some() || self.budget.stop().is_some() {
                break;
            }
        }
    }

    fn n_done(&self) -> usize {
        self.state.lock().map_or(0, |state| state.done.len())
    }

    /// What came of it.
    pub(super) fn end(&self, took: Took) -> WorkAnswer {
        self.checkpoint.keep_parts();
        self.checkpoint.note_work_beside(&took.total().to_json());
        let kept = self.checkpoint.kept_names();
        let runs = &self.plan.written.runs;
        let names = runs.iter().map(|run| &*run.name);
        let open: Vec<&str> =
            names.filter(|name| kept.binary_search_by(|kept| (**kept).cmp(name)).is_err()).collect();
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_held = |name: &&&str| {
            !state.begun.contains_key(**name) && Claim::is_held(self.checkpoint.folder(), name)
        };
        WorkAnswer {
            n_done: state.done.len(),
            n_kept: runs.len() - open.len(),
            n_runs: runs.len(),
            n_elsewhere: open.iter().filter(is_held).count(),
            unfinished: self.unfinished(&state, open),
        }
    }

    /// That runs which this process was to do are not done, if there are such.
    fn unfinished(&self, state: &State, mut open: Vec<&str>) -> Option<Failure> {
        let stop = self.budget.stop();
        match &self.named {
            Some(named) => open.retain(|name| named.contains(*name)),
            None if stop.is_some() => {}
            // Others hold the rest.
            None => open.retain(|name| state.begun.contains_key(*name)),
        }
        if open.is_empty() {
            return None;
        }
        let message = format!("not done are {}", some_of(&open, self.plan.written.runs.len()));
        let fault = Diagnostic::error(codes::UNFINISHED_PLAN, message);
        Some(match stop {
            Some(_) => Failure::OutOfTime(fault.with_help(
                "their finished seeds and rounds are kept, and the same command goes on from there; if one alone takes \
                 longer, give more time or memory",
            )),
            None => Failure::fault(fault.with_help(
                "its result has a number that no text holds, or the folder cannot be written: run cv in one process",
            )),
        })
    }
}

impl Keeper for Worker<'_> {
    fn kept(&self, name: &str) -> Option<String> {
        // A run that is wanted was looked for already.
        let is_open = |state: &State| state.begun.contains_key(name) && !state.done.contains(name);
        if self.state.lock().is_ok_and(|state| is_open(&state)) {
            return None;
        }
        self.checkpoint.kept(name)
    }

    fn keep(&self, name: &str, text: &str) {
        self.checkpoint.keep(name, text);
        if let Ok(mut state) = self.state.lock()
            && let Some(claim) = state.begun.get_mut(name)
        {
            *claim = None;
            state.done.insert(name.to_owned());
        }
    }

    fn keep_part(&self, name: &str, text: PartText, seconds: f64) {
        self.checkpoint.keep_part(name, text, seconds);
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

    fn is_wanted(&self, name: &str) -> bool {
        let is_asked = self.named.as_ref().is_none_or(|named| named.contains(name));
        let is_begun = || self.state.lock().is_ok_and(|state| state.begun.contains_key(name));
        if !is_asked || is_begun() || self.budget.stop().is_some() {
            return false;
        }
        let claim = Claim::take(self.checkpoint.folder(), name);
        if (claim.is_none() && self.named.is_none()) || self.checkpoint.kept(name).is_some() {
            return false;
        }
        self.state.lock().is_ok_and(|mut state| state.begun.insert(name.to_owned(), claim).is_none())
    }
}

/// What `cv ⁅plan=PLAN⁆` did.
#[derive(Debug, Serialize)]
pub(crate) struct PlanAnswer {
    plan: String,
    pub(crate) n_runs: usize,
    #[serde(skip)]
    runs: Vec<PlannedRun>,
}

impl Events for PlanAnswer {
    fn items(&self) -> Vec<serde_json::Value> {
        self.runs.iter().map(|run| event("run", run)).collect()
    }
}

impl Answer for PlanAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        self.runs.iter().for_each(|run| document.line(run.name.as_str()));
        document
    }
}

/// What `work` did.
#[derive(Debug, Serialize)]
pub(crate) struct WorkAnswer {
    /// Runs that this process did.
    n_done: usize,
    /// Runs that are kept, by any process.
    n_kept: usize,
    n_runs: usize,
    /// Runs that other processes are doing.
    #[serde(skip_serializing_if = "is_zero")]
    n_elsewhere: usize,
    /// That runs which this process was to do are not done.
    #[serde(skip)]
    pub(crate) unfinished: Option<Failure>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Events for WorkAnswer {}

impl WorkAnswer {
    /// In a line.
    pub(crate) fn line(&self) -> String {
        let Self { n_done, n_kept, n_runs, n_elsewhere, .. } = self;
        let many = if *n_done == 1 { "" } else { "s" };
        let elsewhere =
            if *n_elsewhere == 0 { String::new() } else { format!("; others are doing {n_elsewhere}") };
        format!("{n_done} run{many} done; {n_kept} of {n_runs} are kept{elsewhere}")
    }
}
