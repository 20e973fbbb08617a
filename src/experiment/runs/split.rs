//! Train, tune and test: the examples that each run of an experiment uses, by purpose, and the negatives drawn for one of
//! them. [GLEANER §4.1.2, §5.2]

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use rand::seq::SliceRandom;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ClassId, ConstantId, ExampleId, FixedSet, FoldId, NegativeWeight};
use gleaner_data::{Division, NegativeSource, Negatives, Problem};
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::Examples;
use gleaner_lang::program::settings::{DataSummary, Setting, Settings, settings};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_stats::eval::{grouped_folds, rank_strata, stratified_folds, stratified_part};

use crate::experiment::loading::load::Filtered;

settings! {
    /// The settings that divide examples.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SplitSettings {
        /// Folds to make.
        pub n_folds: u32 = Setting::within("folds", 2..=1_000, "5")
            .unit("folds")
            .help("Folds made where none are given")
            .source("[GLEANER §5.2]"),
        /// Share of train held back for tune.
        pub tune_share: f64 = Setting::within("tune", 0.0..=0.9, "0.25")
            .unit("share")
            .help("Share of train held back for tune where there are fewer than three folds; 0: train is tune, too")
            .source("our own"),
        /// Share of the examples of train and tune that are used.
        pub train_share: f64 = Setting::within("train-share", 0.001..=1.0, "1")
            .unit("share")
            .help("Share of train and of tune that is used, of each class: ⁅vary=train-share=0.125,0.25,0.5,1⁆ shows whether \
                   more labels would pay")
            .source("our own"),
    }
}

impl SplitSettings {
    /// The setting that says how many examples are used.
    pub const TRAIN_SHARE: &str = "train-share";
}

/// The division of examples where the files do not give one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitRequest {
    /// Folds to make.
    pub n_folds: u32,
    /// The target's argument, from 0, whose values stay within one made fold.
    pub group: Option<usize>,
    /// Share of train held back for tune where there are fewer than three folds.
    pub tune_share: f64,
    /// The seed of made folds.
    pub rng_seed: u64,
}

impl SplitRequest {
    /// How the settings ask for it; the group is an argument of the target, from 1.
    pub fn of(settings: &Settings, rng_seed: u64, group: Option<usize>) -> Self {
        let SplitSettings { n_folds, tune_share, .. } = SplitSettings::of(settings, DataSummary::default());
        Self { n_folds, group: group.map(|argument| argument - 1), tune_share, rng_seed }
    }
}

/// One run's examples. Each set ascends. Sets do not overlap, but tune may be the same set as train.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The run's number, from 0.
    pub run_idx: usize,
    /// The name of the fold that is tested.
    pub name: String,
    /// Clauses are searched on these.
    pub train: Vec<ExampleId>,
    /// Thresholds are chosen on these.
    pub tune: Vec<ExampleId>,
    /// These are touched once.
    pub test: Vec<ExampleId>,
    /// The number of negatives of the population that each negative of a set stands for.
    pub negative_weights: SetWeights,
    /// The positives of its test fold that the restriction leaves out.
    pub filtered: Filtered,
}

/// The number of negatives of the population that each negative of a set stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetWeights {
    /// The weight in train.
    pub train: NegativeWeight,
    /// The weight in tune.
    pub tune: NegativeWeight,
    /// The weight in test.
    pub test: NegativeWeight,
}

/// The examples of one set, with the weight of its negatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetExamples {
    /// The examples, ascending.
    pub ids: Vec<ExampleId>,
    /// The number of negatives of the population that each negative stands for.
    pub negative_weight: NegativeWeight,
    /// The positives that the restriction leaves out, if the examples are tested.
    pub filtered: Filtered,
}

impl SetExamples {
    /// The universe of a set of these examples.
    pub fn universe(&self, examples: &Arc<Examples>) -> Universe {
        Universe::new(Arc::clone(examples), &self.ids).with_negative_weight(self.negative_weight)
    }
}

impl Split {
    /// A run without examples.
    fn empty(run_idx: usize, name: &str, problem: &Problem) -> Self {
        let all = problem.examples().negative_weight();
        Self {
            run_idx,
            name: name.to_owned(),
            train: Vec::new(),
            tune: Vec::new(),
            test: Vec::new(),
            negative_weights: SetWeights {
                train: all.times(problem.set_negatives().train_stands_for),
                tune: all,
                test: all,
            },
            filtered: Filtered::default(),
        }
    }

    /// Train, tune and test.
    pub fn sets(&self) -> [SetExamples; 3] {
        let SetWeights { train, tune, test } = self.negative_weights;
        let set = |ids: &[ExampleId], negative_weight, filtered| SetExamples {
            ids: ids.to_vec(),
            negative_weight,
            filtered,
        };
        [
            set(&self.train, train, Filtered::default()),
            set(&self.tune, tune, Filtered::default()),
            set(&self.test, test, self.filtered),
        ]
    }

    /// The universes of train, tune and test.
    pub fn universes(&self, examples: &Arc<Examples>) -> [Universe; 3] {
        self.sets().map(|set| set.universe(examples))
    }
}

/// Why examples cannot be divided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitFault {
    /// A part of a run has no example of a class.
    #[error("the {part} set of {fold} has no {class} example")]
    MissingClass {
        /// The run's fold.
        fold: String,
        /// `train`, `tune` or `test`.
        part: &'static str,
        /// `positive` or `negative`, or the name of one of many classes.
        class: String,
    },
    /// A part of a run has too few examples of a target that is a number.
    #[error("the {part} set of {fold} has {n} of the {least} examples that it needs")]
    FewExamples {
        /// The run's fold.
        fold: String,
        /// `train` or `test`.
        part: &'static str,
        /// Its examples.
        n: usize,
        /// The examples that it needs.
        least: usize,
    },
    /// The target has no such argument to group by.
    #[error("the target has no argument {}", .0 + 1)]
    NoSuchArgument(usize),
}

impl SplitFault {
    /// The fault, of sets of which a share was used.
    pub(crate) fn with_share(self, share: f64) -> Self {
        let told = |fold: String| format!("{fold} with ⁅{}={share}⁆", SplitSettings::TRAIN_SHARE);
        match self {
            Self::MissingClass { fold, part, class } => Self::MissingClass { fold: told(fold), part, class },
            Self::FewExamples { fold, part, n, least } => {
                Self::FewExamples { fold: told(fold), part, n, least }
            }
            Self::NoSuchArgument(argument) => Self::NoSuchArgument(argument),
        }
    }
}

impl From<&SplitFault> for Diagnostic {
    fn from(fault: &SplitFault) -> Self {
        Self::error(codes::TOO_FEW_EXAMPLES, fault.to_string())
            .with_help("use fewer ⁅folds⁆, another ⁅group⁆, or more examples")
    }
}

/// The runs of cross-validation over given or made folds: run `i` tests on fold `i`, tunes on fold
/// `i + 1`, trains on the rest. With fewer than three folds, or a given test half, tune is a
/// stratified part of train; given parts are used as they are.
///
/// # Errors
///
/// [`SplitFault`] when a set would miss a class, or the group's argument does not exist.
pub fn splits(problem: &Problem, request: &SplitRequest) -> Result<Vec<Split>, SplitFault> {
    let splits = divided(problem, request)?;
    splits.iter().try_for_each(|split| check_run(problem, split, true))?;
    Ok(splits)
}

/// As [`splits`], though sets may miss a class: for examples that are only scored.
///
/// # Errors
///
/// [`SplitFault`] when the group's argument does not exist.
pub fn divided(problem: &Problem, request: &SplitRequest) -> Result<Vec<Split>, SplitFault> {
    let (folds, names) = match problem.division() {
        Division::None => made_folds(problem, request)?,
        _ => (given_folds(problem.examples()), problem.fold_names().to_vec()),
    };
    let tested: Vec<usize> = match problem.division() {
        Division::TrainTest => vec![1],
        Division::TrainTuneTest => vec![2],
        _ => (0..names.len()).collect(),
    };
    let splits = tested
        .into_iter()
        .enumerate()
        .map(|(run_idx, test_fold)| {
            let rotate = names.len() >= 3;
            let tune_fold = match problem.division() {
                Division::TrainTuneTest => Some(1),
                _ => rotate.then(|| (test_fold + 1) % names.len()),
            };
            let mut split = Split::empty(run_idx, &names[test_fold], problem);
            split.filtered = Filtered::of_fold(problem, test_fold, names.len());
            for id in problem.examples().ids() {
                match folds[id.index()] {
                    Some(fold) if fold == test_fold => split.test.push(id),
                    Some(fold) if Some(fold) == tune_fold => split.tune.push(id),
                    _ => split.train.push(id),
                }
            }
            if !rotate {
                hold_back_tune(problem, &mut split, request);
            }
            draw_negatives(problem, &mut split, request.rng_seed);
            split
        })
        .collect::<Vec<_>>();
    Ok(splits)
}

/// The split that learns from everything: no test, a stratified part as tune, or the given one. A given
/// test part stays out. Where a class has too few examples for two sets, train is tune, too.
///
/// # Errors
///
/// [`SplitFault`] when a set would miss a class.
pub fn whole(problem: &Problem, request: &SplitRequest) -> Result<Split, SplitFault> {
    let (tune_fold, test_fold) = match problem.division() {
        Division::TrainTest => (None, Some(FoldId::from_raw(1))),
        Division::TrainTuneTest => (Some(FoldId::from_raw(1)), Some(FoldId::from_raw(2))),
        _ => (None, None),
    };
    let mut split = Split::empty(0, "all", problem);
    for id in problem.examples().ids() {
        match problem.examples().fold(id) {
            Some(fold) if Some(fold) == test_fold => {}
            Some(fold) if Some(fold) == tune_fold => split.tune.push(id),
            _ => split.train.push(id),
        }
    }
    if tune_fold.is_none() {
        hold_back_tune(problem, &mut split, request);
    }
    draw_negatives(problem, &mut split, request.rng_seed);
    check(problem, &split, false)?;
    Ok(split)
}

/// All examples of a problem, none of which is learnt from, as a test set. Negatives that loading sampled for train are
/// left out.
pub fn undivided(problem: &Problem, rng_seed: u64) -> SetExamples {
    let examples = problem.examples();
    // A sample drawn for train alone stands for more negatives than the files list beside it.
    let is_made = !problem.set_negatives().train_stands_for.is_one();
    let is_of_train = |id: ExampleId| examples.fold(id).is_some_and(|fold| fold.index() == 0);
    let is_listed = |id: &ExampleId| !is_made || examples.is_positive(*id) || !is_of_train(*id);
    let mut ids: Vec<ExampleId> = examples.ids().filter(is_listed).collect();
    let stands_for = examples.negative_weight();
    let drawing = Drawing { wanted: problem.set_negatives().test, stands_for, rng_seed, path: [0, 0] };
    let weight = draw(examples, &mut ids, &drawing);
    SetExamples { ids, negative_weight: stands_for.times(weight), filtered: Filtered::of_all(problem) }
}

fn given_folds(examples: &Examples) -> Vec<Option<usize>> {
    examples.ids().map(|id| examples.fold(id).map(FoldId::index)).collect()
}

fn made_folds(
    problem: &Problem,
    request: &SplitRequest,
) -> Result<(Vec<Option<usize>>, Vec<String>), SplitFault> {
    let examples = problem.examples();
    let labels = strata(problem, examples.ids());
    let n_folds = NonZeroU32::new(request.n_folds).unwrap_or(NonZeroU32::MIN);
    let mut rng = stream(request.rng_seed, Purpose::Folds, &[]);
    let folds = match (row_groups(problem), request.group) {
        (Some(groups), _) => {
            grouped_folds(&labels, &groups, n_folds, &mut rng).expect("one group for each label")
        }
        (None, None) => stratified_folds(&labels, n_folds, &mut rng),
        (None, Some(argument)) if argument >= examples.arity() => {
            return Err(SplitFault::NoSuchArgument(argument));
        }
        (None, Some(argument)) => {
            let groups: Vec<u32> = examples.ids().map(|id| examples.arguments(id)[argument].raw()).collect();
            grouped_folds(&labels, &groups, n_folds, &mut rng).expect("one group for each label")
        }
    };
    let names = (1..=request.n_folds).map(|number| format!("fold{number}")).collect();
    Ok((folds.into_iter().map(|fold| Some(fold as usize)).collect(), names))
}

/// The group of each example, if the rows of its table have groups.
fn row_groups(problem: &Problem) -> Option<Vec<u32>> {
    let groups = problem.table_rows()?.groups()?;
    let examples = problem.examples();
    let group = |(position, id): (u32, ExampleId)| {
        let row = examples.arguments(id).first();
        let group = row.and_then(|row| groups.get(row).copied().flatten());
        // Without a value an example is a group of its own, of a number that no constant has.
        group.map_or(u32::MAX - position, ConstantId::raw)
    };
    Some((0..).zip(examples.ids()).map(group).collect())
}

/// The classes of examples, by which sets are balanced; of numbers, tenths of them.
pub(crate) fn strata(problem: &Problem, ids: impl Iterator<Item = ExampleId>) -> Vec<ClassId> {
    const N_STRATA: usize = 10;
    let classes: Vec<ClassId> = ids.map(|id| problem.examples().class(id)).collect();
    if problem.labels().are_decided() { classes } else { rank_strata(&classes, N_STRATA) }
}

/// The fewest examples of a class, of two, from which some are held back: with fewer a search has too few to learn from.
const FEWEST_DIVIDED: usize = 4;

/// Whether these examples are of two classes, one of which has too few to hold some of them back.
fn are_too_few_to_divide(problem: &Problem, ids: &[ExampleId]) -> bool {
    if !problem.labels().needs_both() {
        return false;
    }
    let labelled = ids.iter().filter(|&&id| problem.examples().is_labelled(id)).count();
    let positives = ids.iter().filter(|&&id| problem.examples().is_positive(id)).count();
    positives.min(labelled - positives) < FEWEST_DIVIDED
}

/// Without a share, or with too few examples of a class, tune is train: nothing is held back, and decisions are chosen on the
/// examples learnt from.
fn hold_back_tune(problem: &Problem, split: &mut Split, request: &SplitRequest) {
    if request.tune_share <= 0.0 || are_too_few_to_divide(problem, &split.train) {
        split.tune.clone_from(&split.train);
        split.negative_weights.tune = split.negative_weights.train;
        return;
    }
    let labels = strata(problem, split.train.iter().copied());
    let mut rng = stream(request.rng_seed, Purpose::Folds, &[split.run_idx as u64 + 1]);
    let held = stratified_part(&labels, request.tune_share, &mut rng).expect("the share is within its range");
    let (tune, train): (Vec<_>, Vec<_>) =
        split.train.iter().copied().zip(held).partition(|&(_, is_held)| is_held);
    split.tune = tune.into_iter().map(|(id, _)| id).collect();
    split.train = train.into_iter().map(|(id, _)| id).collect();
    split.negative_weights.tune = split.negative_weights.train;
}

/// Draws the negatives of each set once for each run: those of train from the union of its train folds, those of tune
/// and test from theirs. A set for which all are asked keeps them, with their weight.
fn draw_negatives(problem: &Problem, split: &mut Split, rng_seed: u64) {
    let (train, test) = (problem.set_negatives().train, problem.set_negatives().test);
    let is_train_tune = split.train == split.tune;
    let weights = &mut split.negative_weights;
    let sets = [
        (train, &mut split.train, &mut weights.train),
        (test, &mut split.tune, &mut weights.tune),
        (test, &mut split.test, &mut weights.test),
    ];
    for (set_number, (wanted, ids, weight)) in (1_u64..).zip(sets) {
        let path = [split.run_idx as u64 + 1, set_number];
        let drawing = Drawing { wanted, stands_for: *weight, rng_seed, path };
        *weight = weight.times(draw(problem.examples(), ids, &drawing));
    }
    if is_train_tune {
        split.tune.clone_from(&split.train);
        split.negative_weights.tune = split.negative_weights.train;
    }
}

/// Test may miss some of many classes: their metrics are then undefined.
pub(crate) fn check(problem: &Problem, split: &Split, with_test: bool) -> Result<(), SplitFault> {
    if !problem.labels().are_decided() {
        return check_numbers(split, with_test);
    }
    let has_test = with_test && problem.labels().needs_both();
    match missing_classes(problem, split, if has_test { 3 } else { 2 }).into_iter().next() {
        Some((_, part, class)) => Err(SplitFault::MissingClass { fold: split.name.clone(), part, class }),
        None => Ok(()),
    }
}

/// As [`check`] for the runs of a cross-validation: train and tune may miss some of many classes, if they have two. Those are
/// [`left_out`].
pub(crate) fn check_run(problem: &Problem, split: &Split, with_test: bool) -> Result<(), SplitFault> {
    let n_left = problem.labels().class_names().len() - left_out(problem, split).len();
    if problem.labels().is_one_of_several() && n_left >= 2 {
        Ok(())
    } else {
        check(problem, split, with_test)
    }
}

/// The classes that a run cannot learn, because its train or its tune set has no example of them; ascending. None unless
/// there are many classes.
pub fn left_out(problem: &Problem, split: &Split) -> BTreeSet<usize> {
    if !problem.labels().is_one_of_several() {
        return BTreeSet::new();
    }
    missing_classes(problem, split, 2).into_iter().map(|(class, _, _)| class).collect()
}

/// The classes that sets lack, of the first sets: the number, the set and the name.
fn missing_classes(problem: &Problem, split: &Split, n_sets: usize) -> Vec<(usize, &'static str, String)> {
    let parts = [("train", &split.train), ("tune", &split.tune), ("test", &split.test)];
    let names = problem.labels().class_names();
    let mut missing = Vec::new();
    for (part, ids) in &parts[..n_sets] {
        let present: BTreeSet<usize> = ids.iter().map(|&id| problem.examples().class(id).index()).collect();
        let lacks = (0..names.len()).filter(|class| !present.contains(class));
        missing.extend(lacks.map(|class| (class, *part, names[class].to_owned())));
    }
    missing
}

/// Tells of classes that runs leave out.
pub fn left_out_warnings<'s>(problem: &Problem, splits: impl Iterator<Item = &'s Split>) -> Vec<Diagnostic> {
    let mut runs: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for split in splits {
        for class in left_out(problem, split) {
            runs.entry(class).or_default().insert(&split.name);
        }
    }
    let names = problem.labels().class_names();
    let warning = |(class, runs): (usize, BTreeSet<&str>)| {
        let runs = runs.into_iter().collect::<Vec<_>>().join(", ");
        let what = format!("the class {} has too few examples to be learnt in {runs}", names[class]);
        Diagnostic::warning(codes::TOO_FEW_EXAMPLES, what)
            .with_help("it is left out of learning there, and its examples count as mistakes in the figures")
    };
    runs.into_iter().map(warning).collect()
}

/// Tells of runs that learn from and choose on the same examples, since these are too few to hold some back.
pub fn undivided_warning<'s>(
    problem: &Problem,
    request: &SplitRequest,
    splits: impl Iterator<Item = &'s Split>,
) -> Option<Diagnostic> {
    let is_undivided =
        |split: &&Split| split.train == split.tune && are_too_few_to_divide(problem, &split.train);
    let runs: Vec<&str> = splits.filter(is_undivided).map(|split| split.name.as_str()).collect();
    if request.tune_share <= 0.0 || runs.is_empty() {
        return None;
    }
    let what = format!(
        "fewer than {FEWEST_DIVIDED} examples of a class: decisions are chosen on the examples learnt from in {}",
        runs.join(", ")
    );
    Some(Diagnostic::warning(codes::TOO_FEW_EXAMPLES, what).with_help(
        "probabilities and thresholds then look better than they are; more examples, or a tune part of its own, would mend it",
    ))
}

/// Numbers can be learnt from any two examples, and measured on any one.
fn check_numbers(split: &Split, with_test: bool) -> Result<(), SplitFault> {
    let few = |part, n, least| SplitFault::FewExamples { fold: split.name.clone(), part, n, least };
    match (split.train.len(), split.test.len()) {
        (n @ 0..=1, _) => Err(few("train", n, 2)),
        (_, 0) if with_test => Err(few("test", 0, 1)),
        _ => Ok(()),
    }
}

/// The negatives wanted, and the random stream that draws them.
pub(crate) struct Drawing {
    pub(crate) wanted: Negatives,
    /// The number of negatives that each one stands for before some are drawn.
    pub(crate) stands_for: NegativeWeight,
    pub(crate) rng_seed: u64,
    pub(crate) path: [u64; 2],
}

/// Keeps a uniform sample of the negatives among these examples. Returns the number that each negative stands for.
pub(crate) fn draw(examples: &Examples, ids: &mut Vec<ExampleId>, drawing: &Drawing) -> NegativeWeight {
    if drawing.wanted == Negatives::All {
        return NegativeWeight::ONE;
    }
    let is_negative = |id: &ExampleId| !examples.is_positive(*id) && examples.is_labelled(*id);
    let mut negatives: Vec<ExampleId> = ids.iter().copied().filter(is_negative).collect();
    let n_positives = ids.iter().filter(|&&id| examples.is_positive(id)).count() as u64;
    let population = negatives.len() as u64;
    let source = NegativeSource { n_held: population, stands_for: drawing.stands_for };
    let n_wanted = drawing.wanted.of(source, n_positives);
    if n_wanted == population {
        return NegativeWeight::ONE;
    }
    let mut rng = stream(drawing.rng_seed, Purpose::Negatives, &drawing.path);
    let n_drawn = usize::try_from(n_wanted).unwrap_or(usize::MAX);
    let (drawn, _) = negatives.partial_shuffle(&mut rng, n_drawn);
    let drawn: FixedSet<ExampleId> = drawn.iter().copied().collect();
    ids.retain(|id| !is_negative(id) || drawn.contains(id));
    NegativeWeight::new(population, n_wanted)
}
