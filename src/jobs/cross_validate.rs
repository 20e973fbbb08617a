//! The job that cross-validates one learner, or several on the same folds.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::experiment::Split;
use crate::experiment::asked::Asked;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::train_share::Divisions;
use crate::experiment::without_effect::{Use, without_effect};
use crate::report::text;
use gleaner_base::Budget;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::codes;
use gleaner_learn::RunContext;
use gleaner_learn::settings::n_seeds;

use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::kinds::{self, Further, Kind, Part, RunsAsked, Validated};
use super::listener::{Listener, Means};
use super::plan::{Plan, PlanAnswer, Planned, PlannedCommand, UnitsAsked, WorkAnswer, Worker, work_beside};
use super::run_place::{Place, RunPlace, asked};
use super::session::Session;
use super::variants::Variant;
use super::work::{Took, Work, WorkMeter};

/// The tables beside the variants' folders.
pub(super) const COMPARISON: &str = "comparison.csv";
pub(super) const CHOSEN: &str = "chosen.csv";

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

/// A cross-validation before its work.
struct Prepared<'m> {
    kind: &'static dyn Kind,
    session: Session,
    variants: Vec<Variant>,
    budget: &'m Budget,
    splits: Vec<Split>,
    divisions: Divisions,
    /// By part and then variant.
    parts: Vec<Part>,
    n_repeats: usize,
}

impl Prepared<'_> {
    /// What is asked for.
    fn asked(&self) -> Asked {
        let variants: Vec<&Variant> = self.parts.iter().map(|part| &part.variant).collect();
        asked(&self.session, &self.splits, self.n_repeats, &variants)
    }
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
    /// Runs all folds. Returns `None` where the run folder holds the finished run already.
    ///
    /// # Errors
    ///
    /// Files that cannot be read or written, or do not go together; [`Failure::NothingLearnt`] where all models are
    /// empty.
    pub(crate) fn run(&self, session: Session, means: Means<'_>) -> Result<Option<CrossValidated>, Failure> {
        let listener = means.listener;
        let prepared = self.prepared(session, means)?;
        let gathered = self.plan.as_ref().map(|plan| plan.whole(&prepared.asked(), listener)).transpose()?;
        let Prepared { kind, session, variants, budget, splits, divisions, parts, n_repeats } = prepared;
        let asked: Vec<&Variant> = parts.iter().map(|part| &part.variant).collect();
        let place = Place::claim(self.place.as_ref(), n_repeats, &session, &splits, &asked, listener)?;
        let Some(place) = place else { return Ok(None) };
        self.begin(&session, &splits, &place, listener)?;
        let n_runs = (splits.len() * n_repeats * parts.len() / variants.len()) as u64;
        // Variants may share their search: then nobody knows how many seeds there will be.
        let n_seeds = n_seeds(&session.settings)
            .filter(|_| variants.len() == 1 && !self.feature_clauses.are_given())
            .map(|seeds| seeds * n_runs);
        let numbered = (parts.len() == 1).then_some(splits.len() * n_repeats);
        let before = gathered.as_ref().map_or_else(|| place.work_before(), work_beside);
        let meter = WorkMeter::begin(n_seeds, before, listener).of_runs(numbered);
        let own_keeper = place.keeper(&meter);
        let keeper = gathered.as_ref().map_or(&*own_keeper, |gathered| gathered);
        let cover_bytes = means.limits.cover_bytes(splits.len());
        let context = RunContext { budget, rng_seed: session.rng_seed, monitor: &meter, cover_bytes, keeper };
        let validated = kind.cross_validate(RunsAsked {
            session,
            parts,
            variants,
            divisions: &divisions,
            n_repeats,
            is_written: self.place.is_some(),
            context: &context,
        });
        let took = meter.finish();
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
        session: Session,
        (folder, command): (&Path, &PlannedCommand),
        means: Means<'_>,
    ) -> Result<PlanAnswer, Failure> {
        let prepared = self.prepared(session, means)?;
        let folds = prepared.splits.iter().map(|split| (split.run_idx, &*split.name)).collect();
        let variants = prepared.parts.iter().map(|part| &*part.variant.name).collect();
        let (asked, n_repeats) = (prepared.asked(), self.n_repeats);
        Plan::write(folder, Planned { command, asked, variants, n_repeats, folds })
    }

    /// Does runs of a plan, and keeps them there.
    ///
    /// # Errors
    ///
    /// As for [`Self::run`]; data or settings that are not those of the plan; runs that were to be done here and are not.
    pub(crate) fn work(
        &self,
        session: Session,
        (plan, units): (&Plan, &UnitsAsked),
        keep_every: Duration,
        means: Means<'_>,
    ) -> Result<WorkAnswer, Failure> {
        let prepared = self.prepared(session, means)?;
        plan.check(&prepared.asked())?;
        let Prepared { kind, session, variants, budget, splits, divisions, parts, n_repeats } = prepared;
        let checkpoint = plan.checkpoint(keep_every, means.listener);
        let worker = Worker::of(plan, units, &checkpoint, budget)?;
        let meter = WorkMeter::begin(None, Work::default(), means.listener);
        let cover_bytes = means.limits.cover_bytes(splits.len());
        let rng_seed = session.rng_seed;
        let context = RunContext { budget, rng_seed, monitor: &meter, cover_bytes, keeper: &worker };
        let (divisions, context) = (&divisions, &context);
        let runs = RunsAsked { session, parts, variants, divisions, n_repeats, is_written: false, context };
        worker.work(|| kind.work(&runs));
        worker.end(meter.finish())
    }

    /// Divides the examples, and makes the parts of the work.
    fn prepared<'m>(&self, mut session: Session, means: Means<'m>) -> Result<Prepared<'m>, Failure> {
        let listener = means.listener;
        session.problem = session.problem.counting_filtered(self.count_filtered);
        let kind = kinds::of(&session.problem);
        let variants = self.variants(kind, &session, listener)?;
        let budget = means.limits.loaded();
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
        Ok(Prepared { kind, session, variants, budget, splits, divisions, parts, n_repeats })
    }

    /// The variants with the settings that the kind of target makes, if these go with the data.
    fn variants(
        &self,
        kind: &dyn Kind,
        session: &Session,
        listener: &dyn Listener,
    ) -> Result<Vec<Variant>, Failure> {
        let mut variants = self.variants.clone();
        let asked = Further { count_filtered: self.count_filtered, feature_clauses: &self.feature_clauses };
        for variant in &mut variants {
            kind.prepare(&session.problem, &mut variant.settings, &asked, listener)?;
        }
        Ok(variants)
    }

    /// Reports settings without effect, and announces the work.
    fn begin(
        &self,
        session: &Session,
        splits: &[Split],
        place: &Place<'_>,
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        session.warn_of_division(Use::Runs, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        for message in self
            .variants
            .iter()
            .flat_map(|variant| without_effect(&variant.settings))
            .collect::<BTreeSet<_>>()
        {
            listener.warn(codes::UNUSED_SETTING, &message);
        }
        let headline = text::headline(&ProblemSummary::of(&session.problem), splits.len());
        match listener.begins(&headline) {
            // Nobody reads, but the run folder is still wanted.
            Err(Failure::ClosedPipe) if place.is_written() => Ok(()),
            said => said,
        }
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
