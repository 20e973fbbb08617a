//! The choice among learners as a learner of the registry.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Budget, KeptUnder, StopReason};
use crate::coverage::component::Interrupted;
use crate::eval::{PrCurve, Ranking};
use crate::learn::learner::{Configured, CurvePoint, Fitting, Found, Learner, LearnerName, Learnt, WHOLE};
use crate::learn::pooled_sets::PooledSets;
use crate::learn::record::{Own, SearchRecord};
use crate::learn::reduced_clauses::ReducedClauses;
use crate::learn::{Covers, Model, RunContext, SetStores, StreamPath, Task};
use crate::program::settings::{DataSummary, Declaration, Settings};

use super::candidate::{Candidate, candidates, settings_of};
use super::choice::{Choice, CutShort};
use super::config::{AUTO, AutoConfig, CandidateLearners, Prefer};
use super::model::{AutoModel, MemberModel};
use super::record::{AutoRecord, MemberRecord};
use super::saved::SavedAuto;
use super::scale::Scale;
use super::trial::{Trials, Tried};
use crate::program::settings::{Given, Source};

/// Of the time that is left the first candidate, which a stop would leave, takes at most so much,
const FIRST_SHARE: f64 = 0.2;
/// and the inner folds so much of what is left then.
const TRIAL_SHARE: f64 = 0.7;

/// The choice among learners.
#[derive(Clone, Copy, Debug)]
pub struct Auto;

/// What was chosen, with what its learners found.
#[derive(Debug, Default)]
pub struct AutoFound {
    /// What was chosen; `None` where nothing was searched.
    pub choice: Option<Choice>,
    /// The learners of the choice.
    pub members: Vec<MemberFound>,
    /// The examples by their numbers in the pooled sets, each with the mean log-odds that it had in the inner fold that held it
    /// out; empty where one learner was chosen.
    pub held_out: Vec<(usize, f64)>,
    /// Clauses evaluated on inner folds.
    pub n_tried: u64,
    /// The outer stop that came, if one did.
    pub stop: Option<StopReason>,
}

/// What a learner of the choice found.
#[derive(Debug)]
pub struct MemberFound {
    name: &'static str,
    configured: Box<dyn Configured>,
    found: Found,
    scale: Scale,
    weight: f64,
}

impl Learner for Auto {
    type Config = AutoConfig;
    type Found = AutoFound;
    type Part = ();
    type Own = AutoRecord;
    type Saved = SavedAuto;

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

    fn same_search(left: &AutoConfig, right: &AutoConfig) -> bool {
        left == right
    }

    /// That of the first candidate that takes clauses: the others are left out then.
    fn only_of_search(settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        Self::others(settings).iter().find_map(|settings| {
            crate::learn::learner_named(&settings.learner()).and_then(|known| known.only_of_search(settings))
        })
    }

    fn search(
        task: &Task<'_>,
        config: &AutoConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> AutoFound {
        let candidates = candidates(config, task.given.is_some());
        Searching { task, config, context, stores, candidates: &candidates }.search()
    }

    fn record(found: &AutoFound) -> SearchRecord {
        let records = || found.members.iter().map(|member| &member.found.record);
        let searches: Vec<_> = records().flat_map(|record| record.searches.clone()).collect();
        let of_member = |member: &MemberFound| MemberRecord {
            learner: member.name.to_owned(),
            own: member.found.record.own.clone(),
        };
        SearchRecord {
            n_told: searches.len(),
            searches,
            stop: found.stop.or_else(|| records().find_map(|record| record.stop)),
            density: match &found.members[..] {
                [member] => member.found.record.density.clone(),
                [..] => None,
            },
            own: Own::new(AutoRecord {
                auto: found.choice.clone(),
                members: found.members.iter().map(of_member).collect(),
            }),
        }
    }

    fn points(_config: &AutoConfig, found: &AutoFound) -> Vec<CurvePoint<()>> {
        let of_member = |member: &MemberFound| {
            let points = member.configured.points(&member.found);
            points.last().map_or(0, |whole| whole.n_evaluated)
        };
        let n_evaluated = found.n_tried + found.members.iter().map(of_member).sum::<u64>();
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
            .map(|member| fit_member(&*member.configured, &member.found, fitting))
            .collect::<Result<Vec<Learnt>, Interrupted>>()?;
        Ok(combined(config, found, learnt, fitting))
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

/// What the first candidate makes of nothing.
fn nothing(config: &AutoConfig, fitting: &Fitting<'_>) -> Result<Learnt, Interrupted> {
    let first = candidates(config, false).swap_remove(0);
    let configured = first.configured(config.of_candidates.data);
    let learnt = fit_member(&*configured, &configured.nothing(), fitting)?;
    let choice = Choice::unweighed(vec![first.name.to_owned()], 0, CutShort::Stopped);
    let member =
        MemberModel { learner: first.name.to_owned(), scale: None, weight: 1.0, model: learnt.model };
    Ok(Learnt { model: Arc::new(AutoModel::of_one(choice, member)), ..learnt })
}

/// The model of one learner as it is, or the mean of several.
fn combined(
    config: &AutoConfig,
    found: &AutoFound,
    mut learnt: Vec<Learnt>,
    fitting: &Fitting<'_>,
) -> Learnt {
    let unknown = || Choice::unweighed(vec![found.members[0].name.to_owned()], 0, CutShort::Stopped);
    let choice = found.choice.clone().unwrap_or_else(unknown);
    if let [member] = &found.members[..] {
        let learnt = learnt.swap_remove(0);
        let member =
            MemberModel { learner: member.name.to_owned(), scale: None, weight: 1.0, model: learnt.model };
        return Learnt { model: Arc::new(AutoModel::of_one(choice, member)), ..learnt };
    }
    let sets = PooledSets::of(fitting.train.universe(), fitting.tune.universe());
    let (threshold, chosen_on) = sets.threshold(&found.held_out, config.operating_point);
    let model = |of: &dyn Fn(&Learnt) -> Arc<dyn Model>| {
        let member = |(member, learnt): (&MemberFound, &Learnt)| MemberModel {
            learner: member.name.to_owned(),
            scale: Some(member.scale),
            weight: member.weight,
            model: of(learnt),
        };
        let members = found.members.iter().zip(&learnt).map(member).collect();
        Arc::new(AutoModel { choice: choice.clone(), members, threshold, chosen_on })
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

/// What a search works with.
struct Searching<'a, 's> {
    task: &'a Task<'a>,
    config: &'a AutoConfig,
    context: &'a RunContext<'a>,
    stores: SetStores<'a, 's>,
    candidates: &'a [Candidate],
}

impl Searching<'_, '_> {
    /// The first candidate that counts in means learns first, so that a stop leaves a model; then come the inner folds, then the
    /// others that are chosen.
    fn search(&self) -> AutoFound {
        let budget = self.context.budget;
        if self.candidates.len() == 1 {
            let choice = Choice::unweighed(self.names(1), 0, CutShort::OneCandidate);
            return self.found(choice, vec![self.learn(0, budget)], None);
        }
        let early = self.candidates.iter().position(|candidate| !candidate.is_alone()).unwrap_or(0);
        let mut learnt = BTreeMap::from([(early, self.learn(early, &share_of(budget, FIRST_SHARE)))]);
        let (faultless, tried) = self.tried(&share_of(budget, TRIAL_SHARE), &mut learnt);
        let names = self.names(faultless.map_or(self.candidates.len(), |faultless| faultless + 1));
        let choice = if tried.table.folds.is_empty() {
            let (chosen, why) =
                if tried.is_stopped { (early, CutShort::Stopped) } else { (0, CutShort::FewExamples) };
            Choice::unweighed(names, chosen, why)
        } else {
            let cut_short = tried.is_stopped.then_some(CutShort::Stopped);
            let weights: Vec<f64> = self.candidates.iter().map(|candidate| candidate.weight).collect();
            let choice = Choice::of(names, &weights, &tried.table, self.config.prefer);
            let chosen =
                faultless.map_or(choice.chosen, |faultless| vec![self.candidates[faultless].name.to_owned()]);
            Choice { cut_short, chosen, ..choice }
        };
        let members = choice.members();
        let mut found = Vec::new();
        for (&member, n_left) in members.iter().zip((1..=members.len()).rev()) {
            #[expect(clippy::cast_precision_loss, reason = "there are few candidates")]
            let share = 1.0 / n_left as f64;
            let known = learnt.remove(&member);
            found.push(known.unwrap_or_else(|| self.learn(member, &share_of(budget, share))));
        }
        self.found(choice, found, Some(&tried))
    }

    /// The names of the first candidates.
    fn names(&self, n: usize) -> Vec<String> {
        self.candidates[..n].iter().map(|candidate| candidate.name.to_owned()).collect()
    }

    /// What comes of the trials, one candidate after another. One that makes no mistake on the inner folds is given first, and the later
    /// ones are not tried: [`Choice::of`] would take it in any case. One that counts in no mean would not be taken for its accuracy
    /// beside others; it must have simple models, and that of train and tune must make no mistake there.
    fn tried(&self, budget: &Budget, learnt: &mut BTreeMap<usize, MemberFound>) -> (Option<usize>, Tried) {
        let context = RunContext { budget, ..*self.context };
        let sets = PooledSets::of(self.task.train, self.task.tune);
        let data = self.config.of_candidates.data;
        let mut tried = None;
        for (at, candidate) in self.candidates.iter().enumerate() {
            let candidates = std::slice::from_ref(candidate);
            let trials = Trials { task: self.task, sets: &sets, candidates, data, context: &context };
            let alone = trials.run(&format!("inner-{}-", at + 1));
            let is_taken_anyway = !candidate.is_alone() || self.config.prefer == Prefer::Readable;
            let is_simple = |n_clauses| is_taken_anyway || candidate.is_simple(n_clauses);
            let has_no_mistake = !alone.is_stopped && alone.table.has_no_mistake(0, is_simple);
            let so_far = Tried::beside(tried.take(), alone);
            if has_no_mistake && (is_taken_anyway || self.tells_all(at, budget, learnt)) {
                return (Some(at), so_far);
            }
            tried = Some(so_far);
        }
        (None, tried.expect("there is a candidate"))
    }

    /// Learns a candidate: whether its model is simple and makes no mistake on train and on tune.
    fn tells_all(
        &self,
        candidate: usize,
        budget: &Budget,
        learnt: &mut BTreeMap<usize, MemberFound>,
    ) -> bool {
        let theory = learnt.entry(candidate).or_insert_with(|| self.learn(candidate, budget));
        let [train, tune] = [self.stores.train, self.stores.tune].map(Covers::sharing);
        let fitting = Fitting {
            train: &train,
            tune: &tune,
            classes: self.task.classes,
            stream: StreamPath { rng_seed: self.context.rng_seed, run_idx: self.task.run_idx },
            budget,
            reduced: &ReducedClauses::default(),
        };
        let Ok(learnt) = fit_member(&*theory.configured, &theory.found, &fitting) else { return false };
        let makes_no_mistake = |set: &Covers<'_>| {
            learnt.model.score(set, budget).is_ok_and(|scoring| {
                let universe = set.universe();
                let scored = universe.iter().map(|(at, _)| (scoring.scores[at], universe.is_positive(at)));
                let ranking = Ranking::new(scored).expect("scores are finite");
                PrCurve::from_ranking(&ranking).auc_pr().is_some_and(|area| area >= 1.0)
            })
        };
        self.candidates[candidate].is_simple(learnt.model.n_distinct_clauses())
            && makes_no_mistake(&train)
            && makes_no_mistake(&tune)
    }

    fn learn(&self, candidate: usize, budget: &Budget) -> MemberFound {
        let Candidate { name, weight, .. } = self.candidates[candidate];
        let configured = self.candidates[candidate].configured(self.config.of_candidates.data);
        let keeper = KeptUnder::new(self.context.keeper, format!("{}-", candidate + 1));
        let context = RunContext { budget, keeper: &keeper, ..*self.context };
        let found = configured.search(self.task, &context, self.stores);
        MemberFound { name, configured, found, scale: Scale::Constant(0.0), weight }
    }

    fn found(&self, choice: Choice, mut members: Vec<MemberFound>, tried: Option<&Tried>) -> AutoFound {
        let mut held_out = Vec::new();
        if let Some(Tried { table, .. }) = tried.filter(|_| members.len() > 1) {
            let numbers = choice.members();
            let scales: Vec<Scale> = numbers.iter().map(|&number| table.scale(number, None)).collect();
            let weights: Vec<f64> = members.iter().map(|member| member.weight).collect();
            held_out = table.combined(&numbers, &scales, &weights);
            members.iter_mut().zip(scales).for_each(|(member, scale)| member.scale = scale);
        }
        let is_stopped = choice.cut_short == Some(CutShort::Stopped);
        let stop = self.context.budget.stop().or(is_stopped.then_some(StopReason::TimeLimit));
        let n_tried = tried.map_or(0, |tried| tried.n_evaluated);
        AutoFound { choice: Some(choice), members, held_out, n_tried, stop }
    }
}

/// The budget of a part of the work, of the time that is left.
fn share_of(budget: &Budget, share: f64) -> Budget {
    budget.left().map_or_else(|| budget.clone(), |left| budget.for_at_most(left.mul_f64(share)))
}
