//! The model: theories, how they score, and the threshold that decides.
//!
//! A covering model for a person and as a Prolog program: the clauses that cover an example, with the amount that each
//! adds, and the clauses of a theory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::decision::ChosenThreshold;
use crate::learner::Fitting;
use crate::model::Ranker;
use crate::prolog::{Formula, Program, number};
use crate::saved::{Checked, Contradiction, CountedClause, OverClauses, check_counts, over_clauses};
use crate::shown::{Account, Column, Extent, Noun, Part, Row, Table, figure, json_map, percent};
use crate::{Covers, Model};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::CoveringConfig;
use super::grow::{GrownPart, Growth, LearntClause};
use super::weights::{Scorer, Weighing};

/// One theory whose clauses score, or an ensemble of theories that vote. The threshold is never the score of uncovered
/// examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveringModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// How examples are scored.
    pub scorer: Scorer,
    /// The theories, their clauses in the order they were added.
    pub theories: Vec<Vec<CountedClause<C>>>,
}

over_clauses!(CoveringModel { in theories; decision, scorer });

/// The model of a part of a growth; the scorer from tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    growth: &Growth,
    part: GrownPart,
    config: &CoveringConfig,
    fitting: &Fitting<'_>,
) -> Result<CoveringModel, Interrupted> {
    let Fitting { train, tune, budget, stream: path, .. } = *fitting;
    let member = |learnt: &LearntClause| CountedClause {
        clause: learnt.clause.clone(),
        train: learnt.train,
        tune: Counts::NONE,
    };
    let theories = growth.theories.iter().take(part.n_theories);
    let mut model = CoveringModel {
        theories: theories
            .map(|theory| theory.clauses.iter().take(part.n_clauses).map(member).collect())
            .collect(),
        scorer: Scorer::Theories,
        decision: ChosenThreshold::none(tune.universe().totals()),
    };
    model.count_on_tune(tune, budget)?;
    // A theory that covers nothing of tune can be weighed on train alone, which flatters.
    let judged = if model.reaches_tune() || model.is_blank() { tune } else { train };
    let universe = judged.universe();
    if !config.is_ensemble {
        let covers = model.clause_covers(judged, budget)?;
        let mut rng = stream(path.rng_seed, Purpose::Weights, &[path.run_idx]);
        let weighing = Weighing {
            weights: config.weights,
            smoothing: config.smoothing.pseudo_counts(),
            ranked_list_m: config.ranked_list_m,
        };
        model.scorer = Scorer::fit(weighing, universe.classes(), &covers, &mut rng);
    }
    Ok(model)
}

impl CoveringModel {
    /// Each distinct clause with its numbers, in order over all theories.
    fn distinct(&self) -> BTreeMap<&Clause, Vec<usize>> {
        let mut distinct: BTreeMap<&Clause, Vec<usize>> = BTreeMap::new();
        for (at, clause) in self.all_clauses().into_iter().enumerate() {
            distinct.entry(clause).or_default().push(at);
        }
        distinct
    }

    fn count_on_tune(&mut self, tune: &Covers<'_>, budget: &Budget) -> Result<(), Interrupted> {
        let mut counts = vec![Counts::NONE; self.all_clauses().len()];
        self.visit(tune, budget, |at, cover| {
            counts[at] = tune.universe().counts(cover);
        })?;
        self.theories.iter_mut().flatten().zip(counts).for_each(|(member, counts)| member.tune = counts);
        Ok(())
    }

    /// Calls `visit` with the number of each clause, over all theories, and its cover; equal clauses are
    /// evaluated once.
    pub(super) fn visit(
        &self,
        covers: &Covers<'_>,
        budget: &Budget,
        mut visit: impl FnMut(usize, &ExampleSet),
    ) -> Result<(), Interrupted> {
        let distinct = self.distinct();
        let clauses: Vec<&Clause> = distinct.keys().copied().collect();
        let places: Vec<&Vec<usize>> = distinct.values().collect();
        covers.visit(&clauses, budget, |first, block| {
            for (cover, places) in block.iter().zip(&places[first..]) {
                places.iter().for_each(|&at| visit(at, cover));
            }
        })
    }

    /// The covers of all clauses, in order.
    fn clause_covers(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<ExampleSet>, Interrupted> {
        let mut found = vec![ExampleSet::empty(0); self.all_clauses().len()];
        self.visit(covers, budget, |at, cover| found[at] = cover.clone())?;
        Ok(found)
    }

    /// The cover of each theory: the examples that any of its clauses covers.
    fn theory_covers(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<ExampleSet>, Interrupted> {
        let theory_of: Vec<usize> = self
            .theories
            .iter()
            .enumerate()
            .flat_map(|(theory_idx, theory)| theory.iter().map(move |_| theory_idx))
            .collect();
        let mut found = vec![ExampleSet::empty(covers.universe().len()); self.theories.len()];
        self.visit(covers, budget, |at, cover| found[theory_of[at]].union_with(cover))?;
        Ok(found)
    }
}

impl Checked for CoveringModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let n_clauses = self.theories.iter().map(Vec::len).sum::<usize>();
        if self.scorer.n_clauses().is_some_and(|fitted| fitted != n_clauses) {
            return Err(Contradiction("its scorer was fitted to other clauses"));
        }
        if !self.scorer.is_sound() {
            return Err(Contradiction("its scorer cannot score"));
        }
        self.decision.check("its scorer cannot score")?;
        check_counts(self.theories.iter().flatten().map(|member| member.train))
    }
}

/// Clauses that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

const THEORIES: &str = "\
% The score is the share of theories that have a clause which covers the example.
gleaner_score_of(Example, Score) :-
    findall(1.0, ( gleaner_theory(Theory), gleaner_backs(Theory, Example) ), Backing),
    gleaner_sum(Backing, 0.0, Sum),
    gleaner_theories(Number),
    Score is Sum / Number.

gleaner_backs(Theory, Example) :-
    gleaner_member(Theory, Clause),
    gleaner_covers(Clause, Example),
    !.

";

const GREATEST: &str = "\
% The score is the greatest value of a covering clause, else 0.0.
gleaner_score_of(Example, Score) :-
    findall(Value, ( gleaner_value(Clause, Value), gleaner_covers(Clause, Example) ), Values),
    gleaner_greatest(Values, 0.0, Score).

";

const RATIO: &str = "\
% The score is the sum of the covering clauses' first values over the sum of their second; 0.0 for 0/0.
gleaner_score_of(Example, Score) :-
    findall(Above-Below, ( gleaner_ratio(Clause, Above, Below), gleaner_covers(Clause, Example) ), Pairs),
    findall(Above, lists:member(Above-_, Pairs), Aboves),
    findall(Below, lists:member(_-Below, Pairs), Belows),
    gleaner_sum(Aboves, 0.0, Over),
    gleaner_sum(Belows, 0.0, Under),
    ( Under =:= 0.0 -> Score = 0.0 ; Score is Over / Under ).

";

/// The clauses that cover an example, by value and theories descending.
pub(super) fn account(model: &CoveringModel, covering: &BTreeSet<&Clause>) -> Account {
    let mut backers = backers(model, covering);
    let key = |value: Option<f64>| value.unwrap_or(0.0);
    backers.sort_by(|left, right| {
        let by_value = key(right.value).total_cmp(&key(left.value));
        by_value.then(right.n_theories.cmp(&left.n_theories))
    });
    let covers = |theory: &&Vec<CountedClause>| theory.iter().any(|member| covering.contains(&member.clause));
    let n_backing = model.theories.iter().filter(covers).count();
    let (n_covering, n_clauses) = (backers.len(), model.n_distinct_clauses());
    Account {
        words: words(model, n_backing, n_covering, n_clauses),
        columns: columns(&model.scorer),
        parts: backers.iter().map(|backer| backer.part(&model.scorer)).collect(),
        further: json!({
            "clauses": n_clauses,
            "covering_clauses": n_covering,
            "theories": model.theories.len(),
            "covering_theories": n_backing,
        }),
        ..Account::default()
    }
}

/// Says how many theories and clauses cover the example.
fn words(model: &CoveringModel, n_backing: usize, n_covering: usize, n_clauses: usize) -> String {
    let mut text = "\n".to_owned();
    if model.scorer == Scorer::Theories {
        let _ = writeln!(text, "{n_backing} of {} theories cover it", model.theories.len());
    }
    let order = order_words(model, n_covering);
    let _ = writeln!(text, "{n_covering} of {n_clauses} clauses cover it{order}");
    text
}

/// A clause that covers an example.
#[derive(Clone, Copy, Debug)]
struct Backer<'m> {
    /// The clause.
    member: &'m CountedClause,
    /// Theories that hold the clause.
    n_theories: usize,
    /// Its value, where the scorer sums values or takes the greatest.
    value: Option<f64>,
    /// Its value over the score, where the scorer sums values and the sum is above 0.
    share: Option<f64>,
}

impl Backer<'_> {
    fn part(&self, scorer: &Scorer) -> Part {
        let value = self.value.map_or_else(String::new, figure);
        let cells = match scorer {
            Scorer::Theories => vec![self.n_theories.to_string()],
            Scorer::Sum(_) => vec![value, self.share.map_or_else(|| "n/a".to_owned(), percent)],
            Scorer::Greatest(_) => vec![value],
            Scorer::Ratio(_) | Scorer::NaiveBayes(_) | Scorer::Tan(_) => Vec::new(),
        };
        let part = Part {
            cells,
            clause: self.member.clause.clone(),
            covers: true,
            share: self.share,
            amount: None,
            fields: json_map(json!({ "theories": self.n_theories, "value": self.value })),
            way: Vec::new(),
        };
        part.with_counts(self.member.train)
    }
}

/// The clauses that cover an example, each distinct one once, in the order they were added. If the scorer sums, their
/// values sum to the score and their shares to 1, but for rounding.
fn backers<'m>(model: &'m CoveringModel, covering: &BTreeSet<&Clause>) -> Vec<Backer<'m>> {
    let members = model.theories.iter().flatten().enumerate();
    let members = || members.clone().filter(|(_, member)| covering.contains(&member.clause));
    let sum: f64 = members().filter_map(|(at, _)| model.scorer.value(at)).sum();
    let is_sum = matches!(model.scorer, Scorer::Sum(_)) && sum > 0.0;
    let mut backers: Vec<Backer<'_>> = Vec::new();
    for (at, member) in members() {
        match backers.iter_mut().find(|known| known.member.clause == member.clause) {
            // Only ensembles have a clause in several theories, and these have no values.
            Some(known) => known.n_theories += 1,
            None => {
                let value = model.scorer.value(at);
                let share = value.filter(|_| is_sum).map(|value| value / sum);
                backers.push(Backer { member, n_theories: 1, value, share });
            }
        }
    }
    backers
}

/// The columns before a clause.
fn columns(scorer: &Scorer) -> Vec<Column> {
    let own: &[(&'static str, usize)] = match scorer {
        Scorer::Theories => &[("theories", 10)],
        Scorer::Sum(_) => &[("value", 10), ("share", 8)],
        Scorer::Greatest(_) => &[("value", 10)],
        Scorer::Ratio(_) | Scorer::NaiveBayes(_) | Scorer::Tan(_) => &[],
    };
    Column::several(&[own, &[("TP", 6), ("FP", 7)]].concat())
}

/// The words that say how a covering model's clauses are ordered, and how their values make the score.
fn order_words(model: &CoveringModel, n_covering: usize) -> &'static str {
    match &model.scorer {
        _ if n_covering == 0 => "",
        Scorer::Theories => ", those of most theories first:",
        Scorer::Sum(_) => "; the score is the sum of their values:",
        Scorer::Greatest(_) => "; the score is the greatest of their values:",
        Scorer::Ratio(_) => "; the score is a mean over them:",
        Scorer::NaiveBayes(_) | Scorer::Tan(_) => "; the score is log-odds of these and the others:",
    }
}

/// The sizes of a model.
pub(super) fn head(model: &CoveringModel) -> String {
    let mut sizes: Vec<usize> = model.theories.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    let (n_theories, n_distinct) = (sizes.len(), model.n_distinct_clauses());
    if n_theories == 1 {
        format!("a theory of {}\n", Noun::CLAUSES.counted(sizes[0]))
    } else {
        let at = |at: usize| sizes.get(at).copied().unwrap_or(0);
        let (least, median, most) = (at(0), at(n_theories / 2), at(n_theories.saturating_sub(1)));
        format!(
            "{n_theories} theories of {least} to {most} clauses (median {median}); {n_distinct} distinct clauses\n"
        )
    }
}

/// The clauses of the first theory.
pub(super) fn clauses(
    first: &[CountedClause],
    n_theories: usize,
    symbols: &Symbols,
    extent: Extent,
) -> Table {
    let shown = &first[..first.len().min(extent.of(N_SHOWN_CLAUSES))];
    let which = if n_theories == 1 { "the theory" } else { "the first theory" };
    let row = |member: &CountedClause| Row::of_clause(Vec::new(), member.train, &member.clause, symbols);
    Table {
        lead: format!("\n{which}, {} (train TP, FP):\n", Noun::CLAUSES.counted(first.len())),
        columns: Column::COUNTS.to_vec(),
        rows: shown.iter().map(row).collect(),
        n_more_clauses: first.len() - shown.len(),
        ..Table::default()
    }
}

pub(super) fn program(model: &CoveringModel) -> Program<'_> {
    let mut program = Program::default();
    let numbers = program.numbers(model.all_clauses());
    match &model.scorer {
        Scorer::Theories => theories(model, &numbers, &mut program),
        Scorer::Greatest(values) => {
            program.values(&numbers, values);
            program.rules(GREATEST);
            let values = numbers.iter().zip(values).map(|(&clause, &value)| Formula::value_of(clause, value));
            program.scoring.score = Some(Formula::Greatest(values.collect()));
        }
        Scorer::Sum(values) => program.sum(0.0, &numbers, values),
        Scorer::Ratio(values) => {
            program.table("gleaner_ratio", 3);
            for (clause, (above, below)) in numbers.iter().zip(values) {
                program.row("gleaner_ratio", &[clause.to_string(), number(*above), number(*below)]);
            }
            program.rules(RATIO);
            let part = |of: &dyn Fn(&(f64, f64)) -> f64| {
                Formula::sum(0.0, numbers.iter().copied().zip(values.iter().map(of)))
            };
            let (above, below) = (part(&|value| value.0), part(&|value| value.1));
            program.scoring.score = Some(Formula::Ratio(Box::new(above), Box::new(below)));
        }
        Scorer::NaiveBayes(bayes) => program.sum(bayes.base, &numbers, &bayes.added),
        Scorer::Tan(tree) => program.tree_augmented(tree, &numbers),
    }
    program
}

fn theories(model: &CoveringModel, numbers: &[usize], program: &mut Program<'_>) {
    program.table("gleaner_theory", 1);
    program.table("gleaner_member", 2);
    program.table("gleaner_theories", 1);
    program.row("gleaner_theories", &[format!("{}.0", model.theories.len().max(1))]);
    for theory in 1..=model.theories.len() {
        program.row("gleaner_theory", &[theory.to_string()]);
    }
    let mut numbers = numbers.iter();
    let mut backing = vec![Formula::Number(0.0)];
    for (at, theory) in model.theories.iter().enumerate() {
        let mut members = Vec::with_capacity(theory.len());
        for &clause in numbers.by_ref().take(theory.len()) {
            program.row("gleaner_member", &[(at + 1).to_string(), clause.to_string()]);
            members.push((clause, 1.0));
        }
        backing.push(program.scoring.step(format!("theory_{}", at + 1), Formula::first(&members)));
    }
    #[expect(clippy::cast_precision_loss, reason = "numbers of theories are far below 2^53")]
    let n_theories = model.theories.len().max(1) as f64;
    let n_theories = Box::new(Formula::Number(n_theories));
    program.scoring.score = Some(Formula::Ratio(Box::new(Formula::Sum(backing)), n_theories));
    program.rules(THEORIES);
}

impl Ranker for CoveringModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    fn reaches_tune(&self) -> bool {
        self.theories.iter().flatten().any(|member| member.tune != Counts::NONE)
    }

    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let sets = match self.scorer {
            Scorer::Theories => self.theory_covers(covers, budget)?,
            _ => self.clause_covers(covers, budget)?,
        };
        let mut scores = self.scorer.scores(covers.universe().len(), &sets);
        if self.scorer == Scorer::Theories {
            #[expect(clippy::cast_precision_loss, reason = "numbers of theories are far below 2^53")]
            let n_theories = self.theories.len().max(1) as f64;
            scores.iter_mut().for_each(|score| *score /= n_theories);
        }
        Ok(scores)
    }
    fn confidence(&self, score: f64) -> f64 {
        self.scorer.confidence(score)
    }

    fn greatest(&self) -> Option<f64> {
        self.scorer.greatest_score()
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        account(self, covering)
    }

    fn head(&self) -> String {
        head(self)
    }

    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        let first = self.theories.first();
        first.map(|first| clauses(first, self.theories.len(), symbols, extent)).into_iter().collect()
    }

    fn program(&self) -> Option<Program<'_>> {
        Some(program(self))
    }

    /// The clauses whose value alone is enough. If all are, or only the greatest value counts, no others matter.
    fn disjunction(&self) -> Result<Vec<&Clause>, String> {
        let [_] = &self.theories[..] else { return Err("several theories vote".to_owned()) };
        let Some(least) = self.decision.least() else { return Err("it has no threshold".to_owned()) };
        let clauses = self.all_clauses();
        let (values, is_greatest) = match &self.scorer {
            Scorer::Theories => return Ok(clauses),
            Scorer::Greatest(values) => (values, true),
            Scorer::Sum(values) => (values, false),
            Scorer::Ratio(_) | Scorer::NaiveBayes(_) | Scorer::Tan(_) => {
                return Err("its clauses are weighed together".to_owned());
            }
        };
        let is_enough: Vec<bool> = values.iter().map(|value| *value >= least).collect();
        let n_short = is_enough.iter().filter(|is_enough| !**is_enough).count();
        if n_short > 0 && !is_greatest {
            return Err(format!("{n_short} of its {} clauses decide only with others", clauses.len()));
        }
        let enough = clauses.into_iter().zip(is_enough).filter(|(_, is_enough)| *is_enough);
        Ok(enough.map(|(clause, _)| clause).collect())
    }
}
