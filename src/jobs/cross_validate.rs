//! The job that cross-validates one learner, or several on the same folds.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::codes;
use gleaner_learn::RunContext;
use gleaner_learn::settings::n_seeds;

use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::settings::asked::Asked;
use crate::experiment::settings::without_effect::{Use, without_effect};
use crate::experiment::{Divisions, Split};
use crate::report::text;

use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::kinds::link_runs::LinkRuns;
use super::kinds::{self, Further, Kind, Part, Ready, ReadyRuns, RunsAsked, Validated, Working};
use super::learn::ToLearn;
use super::listener::{Listener, Means, Told, Took, Work, WorkMeter};
use super::plan::{Plan, PlanAnswer, PlannedCommand, UnitsAsked, WorkAnswer, Worker, work_beside};
use super::run_folder;
use super::run_place::{Place, RunNames, RunPlace};
use super::session::Session;
use super::variants::Variant;

/// A cross-validation that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct CrossValidate {
    /// Count test positives that a restriction leaves out as false negatives.
    pub(crate) count_filtered: bool,
    /// The settings that are compared.
    pub(crate) variants: Vec<Variant>,
    /// Clauses in place of a search.
    pub(crate) feature_clauses: FeatureClauses,
    /// How often each fold is run, with other random streams each time.
    pub(crate) n_repeats: usize,
    /// Where the results are written, if they are.
    pub(crate) place: Option<RunPlace>,
    /// The plan whose runs are gathered.
    pub(crate) plan: Option<Plan>,
}

/// The result of a cross-validation.
pub(crate) struct CrossValidated {
    /// The runs, and what they come to.
    pub(crate) validated: Box<dyn Validated>,
    /// How long it took.
    pub(crate) took: Took,
    /// Whether the run folder was written.
    pub(crate) saved: Result<(), Failure>,
}

impl CrossValidate {
    /// The cross-validation of one learner, whose results are not written.
    pub(crate) fn of_one(settings: &Settings) -> Self {
        let (name, short_name, settings) = (String::new(), String::new(), settings.clone());
        Self {
            count_filtered: false,
            variants: vec![Variant { name, short_name, settings }],
            feature_clauses: FeatureClauses::default(),
            n_repeats: 1,
            place: None,
            plan: None,
        }
    }

    /// Runs all folds. Returns `None` where the run folder holds the finished run already.
    ///
    /// # Errors
    ///
    /// Files that cannot be read or written, or do not go together; [`Failure::NothingLearnt`] where all models are
    /// empty.
    pub(crate) fn run(&self, data: ToLearn, means: Means<'_>) -> Result<Option<CrossValidated>, Failure> {
        let (listener, rng_seed) = (means.listener, data.rng_seed());
        let ready = match &self.plan {
            Some(plan) => self.planned(data, plan, means)?,
            None => self.ready(data, means)?,
        };
        let budget = means.limits.loaded();
        let names = ready.names();
        let n_folds = names.folds.len();
        let gathered = self.plan.as_ref().map(|plan| plan.whole(&ready.asked(), listener)).transpose()?;
        let place = Place::claim(self.place.as_ref(), &names, || ready.asked(), listener)?;
        let Some(place) = place else { return Ok(None) };
        ready.begin(place.is_written(), listener)?;
        let before = gathered.as_ref().map_or_else(|| place.work_before(), work_beside);
        let meter = WorkMeter::begin(ready.n_seeds(), before, listener).of_runs(ready.n_numbered());
        let own_keeper = place.keeper(&meter);
        let keeper = gathered.as_ref().map_or(&*own_keeper, |gathered| gathered);
        let cover_bytes = means.limits.cover_bytes(n_folds);
        let context = RunContext { budget, rng_seed, monitor: &meter, cover_bytes, keeper };
        let working = Working { is_written: self.place.is_some(), context: &context, listener };
        let validated = ready.run(working);
        let took = meter.finish();
        place.keep_parts();
        let validated = validated?;
        let saved = place.write(validated.n_finished(), took, listener, |sink| validated.write(took, sink));
        if let Some(nothing) = validated.nothing_learnt() {
            saved?;
            return Err(Failure::NothingLearnt(Box::new(nothing)));
        }
        drop(own_keeper);
        Ok(Some(CrossValidated { validated, took, saved }))
    }

    /// Writes the plan of the cross-validation, and does nothing of it.
    ///
    /// # Errors
    ///
    /// As for [`Self::run`]; a folder that holds something.
    pub(crate) fn plan(
        &self,
        data: ToLearn,
        (folder, command): (&Path, &PlannedCommand),
        means: Means<'_>,
    ) -> Result<PlanAnswer, Failure> {
        Plan::write(folder, command, &*self.ready(data, means)?)
    }

    /// Does runs of a plan, and keeps them there.
    ///
    /// # Errors
    ///
    /// As for [`Self::run`]; data or settings that are not those of the plan; a folder that cannot be written.
    pub(crate) fn work(
        &self,
        data: ToLearn,
        (plan, units): (&Plan, &UnitsAsked),
        keep_every: Duration,
        means: Means<'_>,
    ) -> Result<WorkAnswer, Failure> {
        let rng_seed = data.rng_seed();
        let ready = self.planned(data, plan, means)?;
        plan.check(&ready.asked())?;
        let (budget, listener) = (means.limits.loaded(), means.listener);
        let checkpoint = plan.checkpoint(keep_every, listener);
        let worker = Worker::of(plan, units, &checkpoint, budget)?;
        let meter = WorkMeter::begin(None, Work::default(), listener);
        let cover_bytes = means.limits.cover_bytes(ready.names().folds.len());
        let context = RunContext { budget, rng_seed, monitor: &meter, cover_bytes, keeper: &worker };
        worker.work(|| ready.work(Working { is_written: false, context: &context, listener }));
        Ok(worker.end(meter.finish()))
    }

    /// The runs on these data.
    fn ready(&self, data: ToLearn, means: Means<'_>) -> Result<Box<dyn ReadyRuns>, Failure> {
        Ok(match data {
            ToLearn::Examples(session) => Box::new(self.examples(*session, means)?),
            ToLearn::Graph(session) => Box::new(LinkRuns::ready(self, *session)?),
        })
    }

    /// The runs of a plan, whose command has told what is odd.
    fn planned(&self, data: ToLearn, plan: &Plan, means: Means<'_>) -> Result<Box<dyn ReadyRuns>, Failure> {
        let told = Means { listener: &Told(means.listener), ..means };
        self.ready(data, told).map_err(|failure| plan.not_read(failure))
    }

    /// The runs of labelled examples.
    fn examples(&self, mut session: Session, means: Means<'_>) -> Result<ExampleRuns, Failure> {
        let listener = means.listener;
        session.problem = session.problem.counting_filtered(self.count_filtered);
        let kind = kinds::of(&session);
        let variants = self.prepared(kind, &session, listener)?;
        means.limits.loaded();
        let splits = session.splits()?;
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let divisions = session.divisions(&splits, &settings)?;
        self.feature_clauses.check(settings.iter(), listener)?;
        session.warn_of_new_entities(&splits, listener);
        session.warn_of_few(divisions.splits(), listener);
        let runs = Runs { splits: &splits, n_repeats: Some(self.n_repeats) };
        self.feature_clauses.give(&mut session, &runs, listener)?;
        session.add_numbers_of_runs(divisions.splits())?;
        let parts = parts(kind, &session, &variants);
        let n_repeats = self.n_repeats;
        // Variants may share their search: then nobody knows how many seeds there will be.
        let searches_alone = variants.len() == 1 && !self.feature_clauses.are_given();
        let without_effect =
            self.variants.iter().flat_map(|variant| without_effect(&variant.settings)).collect();
        Ok(ExampleRuns {
            kind,
            session,
            variants,
            parts,
            splits,
            divisions,
            n_repeats,
            searches_alone,
            without_effect,
        })
    }

    /// The variants with the settings that the kind of target makes, if these go with the data.
    fn prepared(
        &self,
        kind: &dyn Kind,
        session: &Session,
        listener: &dyn Listener,
    ) -> Result<Vec<Variant>, Failure> {
        let mut variants = self.variants.clone();
        let asked = Further {
            count_filtered: self.count_filtered,
            has_feature_clauses: self.feature_clauses.are_given(),
        };
        for variant in &mut variants {
            kind.prepare(&session.problem, &mut variant.settings, asked, listener)?;
        }
        Ok(variants)
    }
}

/// The runs of a cross-validation of labelled examples.
struct ExampleRuns {
    kind: &'static dyn Kind,
    session: Session,
    variants: Vec<Variant>,
    /// By part and then variant.
    parts: Vec<Part>,
    splits: Vec<Split>,
    divisions: Divisions,
    n_repeats: usize,
    /// Whether each run searches for itself.
    searches_alone: bool,
    /// Messages about settings without effect.
    without_effect: BTreeSet<String>,
}

impl Ready<Box<dyn Validated>> for ExampleRuns {
    fn begin(&self, is_written: bool, listener: &dyn Listener) -> Result<(), Failure> {
        let session = &self.session;
        session.warn_of_division(Use::Runs, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        self.without_effect.iter().for_each(|message| listener.warn(codes::UNUSED_SETTING, message));
        let headline = text::headline(&ProblemSummary::of(&session.problem), self.splits.len());
        match listener.begins(&headline) {
            // Nobody reads, but the run folder is still wanted.
            Err(Failure::ClosedPipe) if is_written => Ok(()),
            said => said,
        }
    }

    fn n_seeds(&self) -> Option<u64> {
        let n_runs = self.splits.len() * self.n_repeats * self.parts.len() / self.variants.len();
        let of_run = n_seeds(&self.session.settings).filter(|_| self.searches_alone);
        of_run.map(|seeds| seeds * n_runs as u64)
    }

    fn n_numbered(&self) -> Option<usize> {
        (self.parts.len() == 1).then_some(self.splits.len() * self.n_repeats)
    }

    fn run(self: Box<Self>, working: Working<'_>) -> Result<Box<dyn Validated>, Failure> {
        let Self { kind, session, variants, parts, divisions, n_repeats, .. } = *self;
        let Working { is_written, context, .. } = working;
        let divisions = &divisions;
        let runs = RunsAsked { session, parts, variants, divisions, n_repeats, is_written, context };
        Ok(kind.cross_validate(runs))
    }
}

impl ReadyRuns for ExampleRuns {
    fn work(&self, Working { is_written, context, .. }: Working<'_>) {
        let Self { kind, session, variants, parts, divisions, n_repeats, .. } = self;
        let (session, parts, variants) = (session.clone(), parts.clone(), variants.clone());
        let n_repeats = *n_repeats;
        kind.work(&RunsAsked { session, parts, variants, divisions, n_repeats, is_written, context });
    }

    fn names(&self) -> RunNames<'_> {
        RunNames {
            folds: self.splits.iter().map(|split| &*split.name).collect(),
            n_repeats: self.n_repeats,
            variants: self.parts.iter().map(|part| &part.variant).collect(),
        }
    }

    fn asked(&self) -> Asked {
        let (request, problem) = (run_folder::request(&self.session, "cv", None), &self.session.problem);
        let target = problem.target().to_string();
        self.names().asked(&request, (&target, problem.format()), Settings::learner)
    }
}

/// By part and then variant.
fn parts(kind: &dyn Kind, session: &Session, variants: &[Variant]) -> Vec<Part> {
    let named = |part: &Option<String>, session: &Session, variant: &Variant| {
        let mut variant = variant.clone();
        if let Some(part) = part {
            variant.name = joined(&variant.name, part);
            variant.short_name = joined(&variant.short_name, part);
        }
        Part { variant, session: session.clone() }
    };
    let parts = kind.parts(session);
    let all = parts.iter().flat_map(|(part, session)| variants.iter().map(move |of| (part, session, of)));
    all.map(|(part, session, variant)| named(part, session, variant)).collect()
}

/// The name of a variant's part.
fn joined(variant: &str, part: &str) -> String {
    if variant.is_empty() { part.to_owned() } else { format!("{variant}-{part}") }
}
