//! The kinds of targets. A verb asks the kind of its data, and knows nothing else of them.

mod class_models;
mod classes;
pub(super) mod link_runs;
mod links;
mod models;
mod numbers;
mod reading;

use std::collections::BTreeMap;
use std::io;

use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Diagnostic;
use gleaner_learn::RunContext;
use gleaner_learn::shown::Extent;
use serde_json::Value as Json;

use crate::experiment::Split;
use crate::experiment::runs::learn::NothingLearnt;
use crate::experiment::runs::scheduled_runs::Measured;
use crate::experiment::runs::train_share::Divisions;
use crate::experiment::settings::asked::Asked;
use crate::report::Document;
use crate::report::answer::Shown;

use super::failure::Failure;
use super::folder_output::Sink;
use super::listener::{Listener, Took};
use super::run_place::RunNames;
use super::session::Session;
use super::variants::Variant;

pub use models::TargetKind;
pub(crate) use models::{AnyModel, AskedExample, Displayed};
pub(crate) use reading::{model_of_text, rank, read_model, show};

/// Work on data that were read and checked, ready to begin.
pub(crate) trait Ready<T> {
    /// Warns of what has no effect, and announces the work, whose results may go into a run folder.
    fn begin(&self, _is_written: bool, _listener: &dyn Listener) -> Result<(), Failure> {
        Ok(())
    }

    /// How many seeds are searched, if that is known.
    fn n_seeds(&self) -> Option<u64> {
        None
    }

    /// How many runs there are, where each tells its share of the work by its own number.
    fn n_numbered(&self) -> Option<usize> {
        None
    }

    /// Does the work.
    ///
    /// # Errors
    ///
    /// [`Failure::NothingLearnt`] of a model that is empty; a stop that came before there was any result.
    fn run(self: Box<Self>, working: Working<'_>) -> Result<T, Failure>;
}

/// A cross-validation that is ready to begin.
pub(crate) trait ReadyRuns: Ready<Box<dyn Validated>> {
    /// The folds and variants, by their names.
    fn names(&self) -> RunNames<'_>;

    /// Everything that the results depend on.
    fn asked(&self) -> Asked;

    /// Does those runs that the context's keeper wants, for it to keep.
    fn work(&self, working: Working<'_>);
}

/// How work is done.
#[derive(Clone, Copy)]
pub(crate) struct Working<'a> {
    /// Whether a run folder is asked for.
    pub(crate) is_written: bool,
    pub(crate) context: &'a RunContext<'a>,
    pub(crate) listener: &'a dyn Listener,
}

/// A kind of target with labelled examples: what its runs are, and what they come to.
pub(crate) trait Kind: Sync {
    /// Whether such data are learnt from so.
    fn takes(&self, session: &Session) -> bool;

    /// Refuses settings that do not go with the data or with each other. Makes the defaults that serve the kind best.
    fn prepare(
        &self,
        problem: &Problem,
        settings: &mut Settings,
        asked: Further,
        listener: &dyn Listener,
    ) -> Result<(), Failure>;

    /// What is learnt apart from one another, each with the name of its part; one part has none.
    fn parts(&self, session: &Session) -> Vec<(Option<String>, Session)>;

    /// Runs all folds of all variants.
    fn cross_validate(&self, runs: RunsAsked<'_>) -> Box<dyn Validated>;

    /// Does those runs of a cross-validation that the context's keeper wants, for it to keep.
    fn work(&self, runs: &RunsAsked<'_>);

    /// Learns one model.
    ///
    /// # Errors
    ///
    /// [`Failure::NothingLearnt`] where it is empty.
    fn learn(&self, run: RunAsked<'_>) -> Result<Box<dyn Learnt>, Failure>;
}

/// The kinds of targets with labelled examples. A graph's links have runs of their own, [`link_runs`].
const KINDS: [&dyn Kind; 2] = [&numbers::Numbers, &classes::Classes];

/// The kind of the target of labelled examples: the first that takes them.
pub(crate) fn of(session: &Session) -> &'static dyn Kind {
    let mut kinds = KINDS.iter();
    *kinds.find(|kind| kind.takes(session)).expect("the last kind takes all classes")
}

/// What is asked beside settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Further {
    /// Test positives that a restriction leaves out count.
    pub(crate) count_filtered: bool,
    /// Whether clauses take the place of a search.
    pub(crate) has_feature_clauses: bool,
}

/// The runs of a cross-validation.
pub(crate) struct RunsAsked<'a> {
    pub(crate) session: Session,
    /// By part and then variant.
    pub(crate) parts: Vec<Part>,
    pub(crate) variants: Vec<Variant>,
    pub(crate) divisions: &'a Divisions,
    pub(crate) n_repeats: usize,
    /// Whether a run folder is asked for.
    pub(crate) is_written: bool,
    pub(crate) context: &'a RunContext<'a>,
}

impl RunsAsked<'_> {
    /// The settings of the variants.
    fn settings(&self) -> Vec<Settings> {
        self.variants.iter().map(|variant| variant.settings.clone()).collect()
    }
}

/// The run of one model.
pub(crate) struct RunAsked<'a> {
    pub(crate) session: Session,
    pub(crate) parts: Vec<(Option<String>, Session)>,
    pub(crate) split: Split,
    /// The number of the fold's run, from 1, if there is a fold.
    pub(crate) number: Option<usize>,
    /// Whether a run folder is asked for.
    pub(crate) is_written: bool,
    pub(crate) context: &'a RunContext<'a>,
    pub(crate) listener: &'a dyn Listener,
}

/// The learning task of one variant on one part.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The variant; its name includes that of the part, if there are several.
    pub(crate) variant: Variant,
    pub(crate) session: Session,
}

/// The result of a cross-validation.
pub(crate) trait Validated: Send {
    /// The runs of each part and variant, by its name.
    fn runs(&self) -> Vec<(&str, Vec<&dyn Measured>)>;

    /// The runs of each variant whose metrics are those of all its parts together, by its name; none where it has one part.
    fn joint_runs(&self) -> Option<Vec<(&str, Vec<&dyn Measured>)>> {
        None
    }

    /// The metrics of all test examples together, of each part and variant, if the kind has such.
    fn pooled(&self) -> Vec<BTreeMap<&'static str, f64>> {
        Vec::new()
    }

    /// Runs that no stop cut short.
    fn n_finished(&self) -> usize {
        let runs = self.runs();
        runs.iter().flat_map(|(_, runs)| runs).filter(|run| run.outer_stop().is_none()).count()
    }

    /// Why there is no model at all, if there is none. A constant is a model, and so are rules that no path has.
    fn nothing_learnt(&self) -> Option<NothingLearnt> {
        None
    }

    /// The reports of each part and variant, which come before the answer.
    fn output(&self) -> Vec<OutputItem> {
        Vec::new()
    }

    /// The answer that sums up all.
    fn answer(&self) -> Shown;

    /// What was stopped, in lines; empty if nothing was.
    fn stop_lines(&self) -> String;

    /// A line on the amount of work; none of a kind that evaluates no clauses.
    fn work_line(&self, took: Took) -> Option<String> {
        Some(took.line())
    }

    /// Writes the run folder.
    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()>;
}

/// A model that was learnt, with its run.
pub(crate) trait Learnt: Send {
    /// The model.
    fn model(&self) -> AnyModel;

    /// The model files of a run folder, by their paths below it.
    fn run_models(&self) -> Vec<(String, String)>;

    /// The report of the model.
    fn output(&self, extent: Extent) -> Vec<OutputItem>;

    /// The answer, of the first part if there are several.
    fn answer(&self, extent: Extent) -> Shown;

    /// Writes the run folder.
    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()>;
}

/// One item of a job's output.
pub(crate) enum OutputItem {
    /// For those too who want no remarks.
    Say(String),
    /// A remark.
    Note(String),
    /// A warning without a place in a file.
    Warning(Diagnostic),
    /// A part of the report.
    Document(Document),
    /// An event.
    Event(Json),
}

impl OutputItem {
    /// An answer, as text and as events.
    pub(crate) fn answer(shown: Shown) -> impl Iterator<Item = Self> {
        std::iter::once(Self::Document(shown.document)).chain(shown.events.into_iter().map(Self::Event))
    }
}
