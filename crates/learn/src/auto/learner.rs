//! The choice among learners as a learner of the registry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::base_learners::base_learner_named;
use crate::decision::ChosenThreshold;
use crate::learner::{Configured, CurvePoint, Disorder, Fitting, Found, Learner, LearnerName, Learnt, WHOLE};
use crate::pooled_sets::{PooledExample, PooledSets};
use crate::record::SearchRecord;
use crate::reduction::ReducedClauses;
use crate::settings::n_seeds;
use crate::{Covers, Model, RunContext, Saved, SetStores, StreamPath, Task};
use gleaner_base::{Budget, KeptUnder, StopReason};
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::{DataSummary, Declaration, Given, Settings, Source};
use gleaner_stats::eval::{PrCurve, Ranking};

use super::choice::{Choice, CutShort, Reason};
use super::config::{
    AUTO, AutoConfig, Candidate, CandidateLearners, HowMany, Prefer, candidates, settings_of,
};
use super::held_out::HeldOutTable;
use super::model::{AutoModel, MemberModel, Scale};
use super::shown::{AutoRecord, MemberRecord};
use super::trial::{PartMonitor, Trials, Tried};

/// Of the time that is left the first candidate, which a stop would leave, takes at most so much,
const FIRST_SHARE: f64 = 0.2;
/// and the others, one after another, so much of what is left then.
const TRIAL_SHARE: f64 = 0.7;

/// A trial that was cut short begins again only with so many times the time that it had.
const LEAST_GAIN: f64 = 1.25;

/// So few examples no longer tell learners apart: the area of an inner fold is then of one or two positives. One clause
/// that makes no mistake is then taken for what it is.
const FEW_EXAMPLES: usize = 30;

/// The choice among learners.
#[derive(Clone, Copy, Debug)]
pub struct Auto;

/// The choice, with the findings of its learners.
#[derive(Debug, Default)]
pub struct AutoFound {
    /// The choice; `None` where nothing was searched.
    pub choice: Option<Choice>,
    /// The learners of the choice.
    pub members: Vec<MemberFound>,
    /// The examples by their numbers in the pooled sets, each with its score in the inner fold that held it out. That
    /// is the score of the only learner, or the mean log-odds. Empty where nothing was tried.
    pub held_out: Vec<(usize, f64)>,
    /// Clauses evaluated on inner folds.
    pub n_tried: u64,
    /// The outer stop that came, if one did.
    pub stop: Option<StopReason>,
}

/// The findings of a chosen learner.
#[derive(Debug)]
pub struct MemberFound {
    name: &'static str,
    configured: Box<dyn Configured>,
    found: Found,
    /// The model of all that was found; `None` where an outer stop came first.
    learnt: Option<Learnt>,
    scale: Scale,
    weight: f64,
}

impl Learner for Auto {
    type Config = AutoConfig;
    type Found = AutoFound;
    type Part = ();
    type Own = AutoRecord;
    type Saved = AutoModel<Box<dyn Saved>>;

    const NAMES: &'static [LearnerName] = &[LearnerName {
        name: AUTO,
        help: "several learners, tried on inner folds: the best of them, or the mean of several",
    }];

    const MAY_SPEAK_AGAINST: bool = true;

    const LEARNS_BY_OTHERS: bool = true;

    fn others(settings: &Settings) -> Vec<Settings> {
        let given = Given { settings, data: DataSummary::default() };
        let CandidateLearners(names) = AutoConfig::candidates().read(&given);
        names.into_iter().map(|name| settings_of(name, settings)).collect()
    }

    /// It learns by those of its candidates that keep it. Their log-odds rise with their scores, and so does a mean.
    fn keeps_order(settings: &Settings) -> Result<(), Disorder> {
        let keeps = |settings: &Settings| {
            base_learner_named(&settings.learner()).is_some_and(|known| known.keeps_order(settings).is_ok())
        };
        if Self::others(settings).iter().any(keeps) { Ok(()) } else { Err(Disorder::Learner) }
    }

    fn same_search(left: &AutoConfig, right: &AutoConfig) -> bool {
        left == right
    }

    /// The settings of the first candidate that takes clauses: the other candidates are left out then.
    fn only_of_search(settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        Self::others(settings).iter().find_map(|settings| {
            base_learner_named(&settings.learner()).and_then(|known| known.only_of_search(settings))
        })
    }

    fn search(
        task: &Task<'_>,
        config: &AutoConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> AutoFound {
        let positives = task.train.n_positives() + task.tune.n_positives();
        let examples = positives + task.train.n_negatives() + task.tune.n_negatives();
        let candidates = candidates(config, task.given.is_some(), HowMany { examples, positives });
        Searching::new(task, config, context, stores, &candidates).search()
    }

    fn record(found: &AutoFound) -> SearchRecord {
        let records = || found.members.iter().map(|member| &member.found.record);
        let searches = records().flat_map(|record| record.searches.clone()).collect();
        let of_member = |member: &MemberFound| MemberRecord {
            learner: member.name.to_owned(),
            own: member.found.record.own.clone(),
        };
        let stop = found.stop.or_else(|| records().find_map(|record| record.stop));
        let members = found.members.iter().map(of_member).collect();
        let record = SearchRecord::new(searches, stop, AutoRecord { auto: found.choice.clone(), members });
        let density = match &found.members[..] {
            [member] => member.found.record.density.clone(),
            [..] => None,
        };
        SearchRecord { density, ..record }
    }

    fn points(_config: &AutoConfig, found: &AutoFound) -> Vec<CurvePoint<()>> {
        let n_evaluated = found.n_tried + found.members.iter().map(MemberFound::n_evaluated).sum::<u64>();
        vec![CurvePoint { name: WHOLE.to_owned(), n_evaluated, part: () }]
    }

    fn fit(
        config: &AutoConfig,
        found: &AutoFound,
        _part: &(),
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        if found.members.is_empty() {
            return nothing(config, fitting);
        }
        let learnt = found
            .members
            .iter()
            .map(|member| match &member.learnt {
                Some(learnt) => Ok(learnt.clone()),
                None => fit_member(&*member.configured, &member.found, fitting),
            })
            .collect::<Result<Vec<Learnt>, Interrupted>>()?;
        Ok(combined(found, learnt, fitting))
    }
}

impl MemberFound {
    /// The model, unless a stop came before anything was found: such a model says nothing of its learner.
    fn searched(&self) -> Option<&Learnt> {
        let is_starved = |learnt: &&Learnt| self.found.record.is_stopped() && learnt.model.is_empty();
        self.learnt.as_ref().filter(|learnt| !is_starved(learnt))
    }

    /// Clauses evaluated for all that was found.
    fn n_evaluated(&self) -> u64 {
        self.configured.points(&self.found).last().map_or(0, |whole| whole.n_evaluated)
    }
}

fn fit_member(
    configured: &dyn Configured,
    found: &Found,
    fitting: &Fitting<'_>,
) -> Result<Learnt, Interrupted> {
    let whole = configured.points(found).pop().expect("a learning curve ends with the whole search");
    configured.fit(found, &whole, fitting)
}

/// The model that the first candidate makes of nothing.
fn nothing(config: &AutoConfig, fitting: &Fitting<'_>) -> Result<Learnt, Interrupted> {
    let first = candidates(config, false, HowMany::default()).swap_remove(0);
    let configured = first.configured(config.of_candidates.data);
    let learnt = fit_member(&*configured, &configured.nothing(), fitting)?;
    let choice = Choice::unweighed(vec![first.name.to_owned()], 0, CutShort::Stopped);
    let member =
        MemberModel { learner: first.name.to_owned(), scale: None, weight: 1.0, model: learnt.model };
    Ok(Learnt { model: Arc::new(AutoModel::of_one(choice, member)), ..learnt })
}

/// The model of one learner as it is, or the mean of several.
fn combined(found: &AutoFound, mut learnt: Vec<Learnt>, fitting: &Fitting<'_>) -> Learnt {
    let unknown = || Choice::unweighed(vec![found.members[0].name.to_owned()], 0, CutShort::Stopped);
    let choice = found.choice.clone().unwrap_or_else(unknown);
    let sets = PooledSets::of(fitting.train.universe(), fitting.tune.universe());
    if let [member] = &found.members[..] {
        let learnt = learnt.swap_remove(0);
        let member =
            MemberModel { learner: member.name.to_owned(), scale: None, weight: 1.0, model: learnt.model };
        // A learner that is not cross-fitted was tried on inner folds, whose scores it did not learn from either.
        let tried = || (!found.held_out.is_empty()).then(|| sets.held_out(&found.held_out));
        let held_out = learnt.held_out.or_else(tried);
        return Learnt { model: Arc::new(AutoModel::of_one(choice, member)), held_out, ..learnt };
    }
    let decision = ChosenThreshold::none(fitting.tune.universe().totals());
    let model = |of: &dyn Fn(&Learnt) -> Arc<dyn Model>| {
        let member = |(member, learnt): (&MemberFound, &Learnt)| MemberModel {
            learner: member.name.to_owned(),
            scale: Some(member.scale),
            weight: member.weight,
            model: of(learnt),
        };
        let members = found.members.iter().zip(&learnt).map(member).collect();
        Arc::new(AutoModel { choice: choice.clone(), decision, members })
    };
    let is_taught = learnt.iter().any(|learnt| learnt.before_tune.is_some());
    let before = |learnt: &Learnt| learnt.before_tune.clone().unwrap_or_else(|| Arc::clone(&learnt.model));
    let before_tune: Option<Arc<dyn Model>> = if is_taught { Some(model(&before)) } else { None };
    Learnt {
        model: model(&|learnt| Arc::clone(&learnt.model)),
        before_tune,
        held_out: Some(sets.held_out(&found.held_out)),
    }
}

/// The inputs of a search.
struct Searching<'a, 's> {
    task: &'a Task<'a>,
    config: &'a AutoConfig,
    context: &'a RunContext<'a>,
    stores: SetStores<'a, 's>,
    candidates: &'a [Candidate],
    sets: PooledSets,
    /// The inner folds.
    parts: Vec<Vec<usize>>,
    /// Candidates that were tried, for those who watch; one that is tried again counts no further.
    n_tried: AtomicUsize,
}

/// The results of a candidate, as far as they are known.
#[derive(Default)]
struct Evidence {
    /// Its findings on train and tune, if these were searched.
    learnt: Option<MemberFound>,
    /// Its scores of the inner folds; `None` where they are not known for all folds.
    table: Option<HeldOutTable>,
    /// Clauses evaluated on inner folds.
    n_tried: u64,
    /// Whether an outer stop came first.
    is_stopped: bool,
    /// Whether its scores are those of tune alone.
    is_of_tune: bool,
    /// Whether it was tried.
    is_tried: bool,
    /// The time that the trial was given; `None` without a limit.
    given: Option<Duration>,
}

impl<'a, 's> Searching<'a, 's> {
    fn new(
        task: &'a Task<'a>,
        config: &'a AutoConfig,
        context: &'a RunContext<'a>,
        stores: SetStores<'a, 's>,
        candidates: &'a [Candidate],
    ) -> Self {
        let sets = PooledSets::of(task.train, task.tune);
        let path = StreamPath { rng_seed: context.rng_seed, run_idx: task.run_idx };
        let parts = sets.cross_fitting_parts(path);
        Self { task, config, context, stores, candidates, sets, parts, n_tried: AtomicUsize::new(0) }
    }

    /// The first candidate that counts in means learns first, so that a stop leaves a model; then the others, in their order.
    fn search(&self) -> AutoFound {
        let only = || self.found(Choice::unweighed(self.names(&[0]), 0, CutShort::OneCandidate), Vec::new());
        if self.candidates.len() == 1 {
            return only();
        }
        if self.parts.is_empty() {
            let all: Vec<usize> = (0..self.candidates.len()).collect();
            return self.found(Choice::unweighed(self.names(&all), 0, CutShort::FewExamples), Vec::new());
        }
        let early = self.early();
        let mut all: Vec<Evidence> = self.candidates.iter().map(|_| Evidence::default()).collect();
        if self.sets.examples.len() <= FEW_EXAMPLES {
            let is_readable = |at: &usize| self.candidates[*at].is_alone() && self.is_theory(*at);
            let told = (0..all.len()).filter(is_readable).find(|&at| self.tells_all(at, &mut all[at]));
            if let Some(at) = told {
                return self.found(Choice::unweighed(self.names(&[at]), 0, CutShort::OneClause), all);
            }
        }
        let faultless = self.try_all(early, &mut all);
        if all.iter().any(|evidence| evidence.is_of_tune && evidence.table.is_some()) {
            return self.found(self.chosen_on_tune(&mut all), all);
        }
        let tried: Vec<usize> = (0..all.len()).filter(|&at| all[at].table.is_some()).collect();
        let is_stopped = all.iter().any(|evidence| evidence.is_stopped);
        if tried.is_empty() {
            let why = if is_stopped { CutShort::Stopped } else { CutShort::FewExamples };
            return self.found(Choice::unweighed(self.names(&[early]), 0, why), all);
        }
        let choice = self.weighed(&tried, &all);
        let cut_short = is_stopped.then_some(CutShort::Stopped);
        let choice = match faultless {
            None => choice,
            Some(at) => Choice { chosen: self.names(&[at]), reason: Some(Reason::NoMistake), ..choice },
        };
        self.found(Choice { cut_short, ..choice }, all)
    }

    /// The candidate that learns first: of those that count in means one whose learning tries it too, if there is one.
    fn early(&self) -> usize {
        let data = self.config.of_candidates.data;
        let counts = |&at: &usize| !self.candidates[at].is_alone();
        let tries_itself = |&at: &usize| self.candidates[at].configured(data).is_cross_fitted();
        let mut counting = (0..self.candidates.len()).filter(counts);
        let first = counting.clone().next().unwrap_or(0);
        if data.is_database { counting.find(tries_itself).unwrap_or(first) } else { first }
    }

    /// Tries candidates until one makes no mistake, and says which. A candidate whose part of the time was too short
    /// begins again, if the others left it more time by a quarter. Its result is the one that it would have without a
    /// limit.
    fn try_all(&self, early: usize, all: &mut [Evidence]) -> Option<usize> {
        let mut faultless = self.try_in_order(early, all);
        while self.context.budget.left().is_some() && self.context.budget.stop().is_none() {
            let cut: Vec<usize> = (0..all.len()).filter(|&at| all[at].is_stopped).collect();
            let part = share_of(self.context.budget, TRIAL_SHARE * ratio(1, cut.len()));
            let gains = |at: &usize| {
                part.left().zip(all[*at].given).is_some_and(|(part, given)| part >= given.mul_f64(LEAST_GAIN))
            };
            let Some(again) = cut.into_iter().find(gains) else { break };
            all[again] =
                self.trial(again, part, (again != early).then(|| all[early].table.as_ref()).flatten());
            if again == early {
                // Before, it was not known whether those for reading alone are hopeless beside the first.
                let alone = all.iter_mut().zip(self.candidates).filter(|(_, candidate)| candidate.is_alone());
                alone.for_each(|(evidence, _)| *evidence = Evidence::default());
            }
            faultless = self.try_in_order(early, all);
        }
        let last = faultless.unwrap_or(all.len());
        for (at, evidence) in all.iter_mut().enumerate() {
            if at > last && at != early {
                *evidence = Evidence::default();
            }
        }
        faultless
    }

    /// Tries the candidates that were not tried yet, the first that counts in means before the others. The first
    /// candidate that makes no mistake is the last to be tried.
    fn try_in_order(&self, early: usize, all: &mut [Evidence]) -> Option<usize> {
        let budget = self.context.budget;
        if !all[early].is_tried {
            all[early] = self.trial(early, share_of(budget, FIRST_SHARE), None);
        }
        for at in 0..all.len() {
            if !all[at].is_tried {
                let share = share_of(budget, TRIAL_SHARE * ratio(1, all.len() - at));
                all[at] = self.trial(at, share, all[early].table.as_ref());
            }
            if self.is_faultless(at, early, all) {
                return Some(at);
            }
        }
        None
    }

    /// A candidate's scores of the inner folds, with the time that it was given for them.
    #[expect(clippy::needless_pass_by_value, reason = "the time runs from when it is given")]
    fn trial(&self, candidate: usize, budget: Budget, first: Option<&HeldOutTable>) -> Evidence {
        let given = budget.left();
        self.n_tried.fetch_add(1, Ordering::Relaxed);
        Evidence { given, is_tried: true, ..self.evidence(candidate, &budget, first) }
    }

    /// Whether a candidate's models are simple only if they have few clauses.
    fn is_theory(&self, candidate: usize) -> bool {
        !self.candidates[candidate].is_simple(usize::MAX)
    }

    /// The names of some candidates.
    fn names(&self, candidates: &[usize]) -> Vec<String> {
        candidates.iter().map(|&at| self.candidates[at].name.to_owned()).collect()
    }

    /// A candidate's scores of the inner folds. A cross-fitted candidate learns from train and tune, and gives the
    /// scores on the way. Any other candidate learns once for each fold. One that is for reading alone does not learn
    /// for all folds if it is far behind the first candidate.
    fn evidence(&self, candidate: usize, budget: &Budget, first: Option<&HeldOutTable>) -> Evidence {
        let tried = &self.candidates[candidate];
        let data = self.config.of_candidates.data;
        if tried.configured(data).is_cross_fitted() && self.task.given.is_none() {
            let learnt = self.learn(candidate, budget, self.of_trial());
            let table = learnt.searched().and_then(|learnt| self.table_of(learnt));
            let is_stopped = budget.stop().is_some() && table.is_none();
            return Evidence { learnt: Some(learnt), table, is_stopped, ..Evidence::default() };
        }
        if data.is_database && first.is_some() && self.task.given.is_none() {
            return self.evidence_of_tune(candidate);
        }
        let monitor = self.monitor(candidate, self.of_trial());
        let context = RunContext { budget, monitor: &monitor, ..*self.context };
        let trials = Trials {
            task: self.task,
            sets: &self.sets,
            candidates: std::slice::from_ref(tried),
            data,
            context: &context,
        };
        let is_hopeless = |so_far: &HeldOutTable| {
            tried.is_alone() && first.is_some_and(|first| so_far.is_far_behind(first))
        };
        let Tried { table, is_stopped, n_evaluated } =
            trials.run(&self.parts, &format!("inner-{}-", candidate + 1), is_hopeless);
        let is_whole = table.folds.len() == self.parts.len();
        Evidence { table: is_whole.then_some(table), n_tried: n_evaluated, is_stopped, ..Evidence::default() }
    }

    /// A candidate that learns from train alone, and its scores of tune.
    fn evidence_of_tune(&self, candidate: usize) -> Evidence {
        let member = self.learn(candidate, self.context.budget, self.of_trial());
        let tune = Covers::sharing(self.stores.tune);
        let table = member.searched().and_then(|learnt| {
            let scoring = learnt.model.score(&tune, &self.context.budget.ending()).ok()?;
            let score = |of: &PooledExample| if of.is_tune { scoring.scores[of.position] } else { 0.0 };
            let scores: Vec<f64> = self.sets.examples.iter().map(score).collect();
            Some(self.tune_table(&scores, learnt.model.n_distinct_clauses()))
        });
        Evidence { learnt: Some(member), table, is_of_tune: true, ..Evidence::default() }
    }

    /// The scores of the examples of tune, in several parts so that differences have standard errors.
    fn tune_table(&self, scores: &[f64], n_clauses: usize) -> HeldOutTable {
        HeldOutTable::of_one(&self.sets, &self.tune_parts(), scores, n_clauses)
    }

    /// Parts of tune, each with examples of both classes; one part where there are too few.
    fn tune_parts(&self) -> Vec<Vec<usize>> {
        let numbers: Vec<usize> =
            (0..self.sets.examples.len()).filter(|&number| self.sets.examples[number].is_tune).collect();
        let path = StreamPath { rng_seed: self.context.rng_seed, run_idx: self.task.run_idx };
        let parts = PooledSets::of(self.task.tune, self.task.tune).cross_fitting_parts(path);
        if parts.is_empty() {
            return vec![numbers];
        }
        parts.into_iter().map(|part| part.into_iter().map(|at| numbers[at]).collect()).collect()
    }

    /// The choice among candidates and their means by their areas on tune. A candidate that was cross-fitted has the
    /// scores of forests that did not learn from tune.
    fn chosen_on_tune(&self, all: &mut [Evidence]) -> Choice {
        for evidence in all.iter_mut().filter(|evidence| !evidence.is_of_tune) {
            let table = evidence.table.take();
            evidence.table = table.map(|table| {
                let scores: Vec<f64> = table.scored().into_iter().map(|(_, score)| score).collect();
                self.tune_table(&scores, table.folds[0].n_clauses[0])
            });
        }
        let tried: Vec<usize> = (0..all.len()).filter(|&at| all[at].table.is_some()).collect();
        let choice = self.weighed(&tried, all);
        Choice { cut_short: Some(CutShort::OnTune), ..choice }
    }

    /// The choice among candidates whose scores are known, and their means.
    fn weighed(&self, tried: &[usize], all: &[Evidence]) -> Choice {
        let table = HeldOutTable::beside(tried.iter().filter_map(|&at| all[at].table.clone()));
        let weights: Vec<f64> = tried.iter().map(|&at| self.candidates[at].weight).collect();
        Choice::of(self.names(tried), &weights, &table, self.config.prefer)
    }

    /// The held-out scores as folds, if they are of all examples.
    fn table_of(&self, learnt: &Learnt) -> Option<HeldOutTable> {
        let held_out = learnt.held_out.as_ref()?;
        let of_train = held_out.of_train(self.task.train)?;
        let of_tune = held_out.of_tune(self.task.tune)?;
        let scores = self.sets.by_number(&of_train, &of_tune);
        Some(HeldOutTable::of_one(&self.sets, &self.parts, &scores, learnt.model.n_distinct_clauses()))
    }

    /// Whether a candidate makes no mistake on the inner folds. If so, it is taken, and later ones are not tried.
    ///
    /// A candidate that counts in no mean would not be taken for its accuracy beside others. It must have simple
    /// models, and its model of train and tune must make no mistake there. A theory must also be the only candidate
    /// without a mistake. For where the first candidate makes none either, folds that are still unknown may have
    /// exceptions, which the first candidate ranks better.
    fn is_faultless(&self, at: usize, early: usize, all: &mut [Evidence]) -> bool {
        let candidate = &self.candidates[at];
        let has_no_mistake = |at: usize, all: &[Evidence]| {
            let is_taken_anyway = !self.candidates[at].is_alone() || self.config.prefer == Prefer::Readable;
            let is_simple = |n_clauses| is_taken_anyway || self.candidates[at].is_simple(n_clauses);
            all[at].table.as_ref().is_some_and(|table| table.has_no_mistake(0, is_simple))
        };
        if !has_no_mistake(at, all) {
            return false;
        }
        if !candidate.is_alone() || self.config.prefer == Prefer::Readable {
            return true;
        }
        let is_cross_fitted = candidate.configured(self.config.of_candidates.data).is_cross_fitted();
        (is_cross_fitted || !has_no_mistake(early, all)) && self.tells_all(at, &mut all[at])
    }

    /// Learns a candidate, unless that is done; returns whether its model is simple and makes no mistake on train and
    /// on tune.
    fn tells_all(&self, candidate: usize, evidence: &mut Evidence) -> bool {
        let budget = self.context.budget;
        let member = evidence.learnt.get_or_insert_with(|| self.learn(candidate, budget, [0.0; 2]));
        let Some(learnt) = &member.learnt else { return false };
        let makes_no_mistake = |store: &Arc<CoverStore<'_>>| {
            let set = Covers::sharing(store);
            learnt.model.score(&set, budget).is_ok_and(|scoring| {
                let universe = set.universe();
                let scored = universe.iter().map(|(at, _)| (scoring.scores[at], universe.is_positive(at)));
                let ranking = Ranking::new(scored).expect("scores are finite");
                PrCurve::from_ranking(&ranking).auc_pr().is_some_and(|area| area >= 1.0)
            })
        };
        self.candidates[candidate].is_simple(learnt.model.n_distinct_clauses())
            && makes_no_mistake(self.stores.train)
            && makes_no_mistake(self.stores.tune)
    }

    /// The beginning and the end of the trial that goes on, in shares of the work: all trials and the learning take alike.
    fn of_trial(&self) -> [f64; 2] {
        let n_tried = self.n_tried.load(Ordering::Relaxed).min(self.candidates.len());
        [n_tried.saturating_sub(1), n_tried].map(|n| ratio(n, self.candidates.len() + 1))
    }

    /// Hears of a candidate's work, from one share of the run's work to another.
    fn monitor(&self, candidate: usize, shares: [f64; 2]) -> PartMonitor<'_> {
        let n_seeds = n_seeds(&self.candidates[candidate].settings);
        PartMonitor::new(self.context.monitor, self.task.run_idx, shares, n_seeds)
    }

    /// Learns a candidate from train and tune, which takes the run's work from one share to another.
    fn learn(&self, candidate: usize, budget: &Budget, shares: [f64; 2]) -> MemberFound {
        let Candidate { name, weight, .. } = self.candidates[candidate];
        let configured = self.candidates[candidate].configured(self.config.of_candidates.data);
        let keeper = KeptUnder::new(self.context.keeper, format!("{}-", candidate + 1));
        let monitor = self.monitor(candidate, shares);
        let context = RunContext { budget, keeper: &keeper, monitor: &monitor, ..*self.context };
        let found = configured.search(self.task, &context, self.stores);
        let [train, tune] = [self.stores.train, self.stores.tune].map(Covers::sharing);
        let fitting = Fitting {
            train: &train,
            tune: &tune,
            labels: self.task.labels,
            stream: StreamPath { rng_seed: self.context.rng_seed, run_idx: self.task.run_idx },
            budget: &self.context.budget.ending(),
            reduced: &ReducedClauses::default(),
        };
        let learnt = fit_member(&*configured, &found, &fitting).ok();
        MemberFound { name, configured, found, learnt, scale: Scale::Constant(0.0), weight }
    }

    /// The choice, with the findings of its learners; those that have not learnt yet do so now.
    fn found(&self, choice: Choice, mut all: Vec<Evidence>) -> AutoFound {
        all.resize_with(self.candidates.len(), Evidence::default);
        let is_chosen = |at: &usize| choice.chosen.iter().any(|name| name == self.candidates[*at].name);
        let chosen: Vec<usize> = (0..self.candidates.len()).filter(is_chosen).collect();
        let mut members = Vec::with_capacity(chosen.len());
        let n_all = self.candidates.len();
        for (&at, n_left) in chosen.iter().zip((1..=chosen.len()).rev()) {
            let share = share_of(self.context.budget, ratio(1, n_left));
            let shares = [n_left, n_left - 1].map(|n| 1.0 - ratio(n, chosen.len()) * ratio(1, n_all + 1));
            members.push(all[at].learnt.take().unwrap_or_else(|| self.learn(at, &share, shares)));
        }
        self.context.monitor.share_done(self.task.run_idx, 1.0);
        let mut held_out = Vec::new();
        if members.len() > 1 {
            let table = HeldOutTable::beside(chosen.iter().filter_map(|&at| all[at].table.clone()));
            let numbers: Vec<usize> = (0..members.len()).collect();
            let scales: Vec<Scale> = numbers.iter().map(|&number| table.scale(number, None)).collect();
            let weights: Vec<f64> = members.iter().map(|member| member.weight).collect();
            held_out = table.combined(&numbers, &scales, &weights);
            members.iter_mut().zip(scales).for_each(|(member, scale)| member.scale = scale);
        } else if let [at] = chosen[..] {
            held_out = all[at].table.as_ref().map(HeldOutTable::scored).unwrap_or_default();
        }
        let is_stopped = choice.cut_short == Some(CutShort::Stopped);
        let stop = self.context.budget.stop().or(is_stopped.then_some(StopReason::TimeLimit));
        // The search of an unchosen learner on train and tune was a trial.
        let of_unchosen = |evidence: &Evidence| {
            let member = evidence.learnt.as_ref();
            evidence.n_tried + member.map_or(0, MemberFound::n_evaluated)
        };
        let n_tried = all.iter().map(of_unchosen).sum();
        AutoFound { choice: Some(choice), members, held_out, n_tried, stop }
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are few candidates")]
fn ratio(n: usize, of: usize) -> f64 {
    n as f64 / of.max(1) as f64
}

/// The budget for a part of the work: this share of the time that is left.
fn share_of(budget: &Budget, share: f64) -> Budget {
    budget.left().map_or_else(|| budget.clone(), |left| budget.for_at_most(left.mul_f64(share)))
}
