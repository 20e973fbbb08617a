//! Negatives of the closed world: an atom that is not listed as true is false.
//!
//! The population of negatives are the target's listed negatives. If no file lists any, it is all tuples of constants
//! of the right types that are no positive example. The negatives are the whole population, or a uniform sample of it.
//! In a sample each negative stands for the same number of negatives.
//!
//! Decides which negatives loading makes or samples, and which are drawn later: after a restriction is applied, or sets
//! are divided.

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ConstantId, FixedSet, NegativeWeight, PredicateId};
use gleaner_lang::program::FactTable;
use gleaner_lang::syntax::{Diagnostic, Place};
use rand::RngExt;
use rand::seq::SliceRandom;

use crate::faults::sets_draw_negatives;
use crate::gather::RawExamples;
use crate::negatives::{NegativeSource, Negatives, SetNegatives};
use crate::provisional::Provisional;
use crate::request::NegativesRequest;
use crate::types::ColumnTypes;
use crate::{Division, faults};

/// The most negatives: with more, a run would measure memory, not learning.
const MOST_NEGATIVES: u64 = 20_000_000;

/// The sources of typed tuples.
pub(super) struct TuplesFrom<'a> {
    /// The predicate of the tuples.
    pub(super) target: PredicateId,
    /// The facts of each world.
    pub(super) tables: &'a [FactTable],
    /// The types of columns.
    pub(super) types: &'a ColumnTypes,
    pub(super) symbols: &'a Provisional,
}

/// Whether tune or test list negatives of the target and train lists none, so that loading still makes those of train.
pub(super) fn lists_all_but_train(target: PredicateId, examples: &RawExamples) -> bool {
    let has_sets = matches!(examples.division, Division::TrainTest | Division::TrainTuneTest);
    let negatives = examples.of(target).filter(|example| !example.is_positive && example.is_labelled);
    let mut negatives = negatives.peekable();
    has_sets && negatives.peek().is_some() && negatives.all(|example| example.fold != Some(TRAIN))
}

/// Takes negatives of train from the typed tuples that no set lists as examples. Gives the weight of each, and a
/// warning.
fn take_train_negatives(
    wanted: Negatives,
    rng_seed: u64,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
) -> Result<(NegativeWeight, Diagnostic), Diagnostic> {
    let of_train = examples.of(from.target).filter(|example| example.fold == Some(TRAIN));
    let n_positives = of_train.filter(|example| example.is_positive).count();
    let taking = Taking { wanted, n_positives: n_positives as u64, fold: Some(TRAIN) };
    let rng = stream(rng_seed, Purpose::Negatives, &[]);
    take_tuples(&taking, from, examples, rng)
}

/// Takes the requested negatives of the target. Gives the weight of each, and a warning unless it takes all listed
/// ones.
fn take_negatives(
    wanted: Negatives,
    rng_seed: u64,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
) -> Result<(NegativeWeight, Option<Diagnostic>), Diagnostic> {
    let listed = listed(from, examples);
    let n_positives = examples.of(from.target).filter(|example| example.is_positive).count() as u64;
    let mut rng = stream(rng_seed, Purpose::Negatives, &[]);
    if !listed.is_empty() {
        let population = listed.len() as u64;
        let n_wanted = wanted.of(NegativeSource::whole(population), n_positives);
        sample_listed(listed, n_wanted, examples, &mut rng);
        let warning =
            (n_wanted < population).then(|| faults::took_negatives(n_wanted, population, "that are listed"));
        return Ok((NegativeWeight::new(population, n_wanted), warning));
    }
    let taking = Taking { wanted, n_positives, fold: None };
    let (weight, warning) = take_tuples(&taking, from, examples, rng)?;
    Ok((weight, Some(warning)))
}

/// The fold of train, if the files divide the examples into sets.
pub(super) const TRAIN: usize = 0;

/// A request for typed tuples.
struct Taking {
    wanted: Negatives,
    /// The number of positives, for a requested ratio.
    n_positives: u64,
    /// The fold that gets the tuples, if it is known.
    fold: Option<usize>,
}

/// Takes typed tuples that the files do not list.
fn take_tuples(
    taking: &Taking,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
    mut rng: impl RngExt,
) -> Result<(NegativeWeight, Diagnostic), Diagnostic> {
    let mut worlds = Worlds::new(from, examples);
    let population = worlds.population();
    let n_wanted = taking.wanted.of(NegativeSource::whole(population), taking.n_positives);
    if population == 0 {
        return Err(faults::no_typed_tuples(from.symbols.predicate_name(from.target)));
    }
    if n_wanted > MOST_NEGATIVES {
        return Err(faults::too_many_negatives(n_wanted, MOST_NEGATIVES));
    }
    let chosen = if n_wanted == population { worlds.all() } else { worlds.sample(n_wanted, &mut rng) };
    if let Some(fold) = taking.fold {
        worlds.worlds.iter_mut().for_each(|world| world.fold = Some(fold));
    }
    worlds.add(&chosen, examples, &mut rng);
    let of = match taking.fold {
        None => "tuples of the right types that are not positive examples",
        Some(_) => "tuples of the right types that no file lists as examples, for train",
    };
    let warning = faults::took_negatives(n_wanted, population, of);
    Ok((NegativeWeight::new(population, n_wanted), warning))
}

/// The positions of the target's listed negatives, in the order of their arguments and folds, each once.
fn listed(from: &TuplesFrom<'_>, examples: &RawExamples) -> Vec<usize> {
    let is_listed = |&position: &usize| {
        let example = &examples.listed[position];
        example.predicate == from.target && !example.is_positive && example.is_labelled
    };
    let mut listed: Vec<usize> = (0..examples.listed.len()).filter(is_listed).collect();
    let texts = |&position: &usize| -> (Vec<&str>, Option<usize>) {
        let example = &examples.listed[position];
        let arguments = examples.arguments(example);
        (arguments.iter().map(|&id| from.symbols.constant_text(id)).collect(), example.fold)
    };
    listed.sort_by_cached_key(|position| {
        let (arguments, fold) = texts(position);
        (arguments.join("\0"), fold)
    });
    listed.dedup_by_key(|position| {
        let example = &examples.listed[*position];
        (examples.arguments(example).to_vec(), example.fold)
    });
    listed
}

fn sample_listed(mut listed: Vec<usize>, n_wanted: u64, examples: &mut RawExamples, rng: &mut impl RngExt) {
    let n_wanted = usize::try_from(n_wanted).unwrap_or(usize::MAX).min(listed.len());
    let (chosen, _) = listed.partial_shuffle(rng, n_wanted);
    let chosen: FixedSet<usize> = chosen.iter().copied().collect();
    let mut positions = 0..;
    examples.listed.retain(|example| {
        let is_chosen = positions.next().is_some_and(|position| chosen.contains(&position));
        example.is_positive || !example.is_labelled || is_chosen
    });
}

/// The typed tuples of one world that are no positive example of it.
struct World {
    /// The fold that its negatives belong to; `None` where they are divided like the positives.
    fold: Option<usize>,
    /// The constants for each argument of the target, ascending by text.
    constants: Vec<Vec<ConstantId>>,
    /// The listed tuples: positives, and negatives of other sets.
    listed: FixedSet<Vec<ConstantId>>,
    n_tuples: u64,
}

impl World {
    /// The number of tuples that are not listed.
    fn n_negatives(&self) -> u64 {
        self.n_tuples.saturating_sub(self.listed.len() as u64)
    }

    /// The tuple with this number, which is below `n_tuples`.
    fn tuple(&self, mut number: u64) -> Vec<ConstantId> {
        let mut tuple = vec![ConstantId::default(); self.constants.len()];
        for (argument, constants) in self.constants.iter().enumerate().rev() {
            let n_constants = constants.len() as u64;
            tuple[argument] = constants[usize::try_from(number % n_constants).unwrap_or(0)];
            number /= n_constants;
        }
        tuple
    }
}

struct Worlds {
    target: PredicateId,
    worlds: Vec<World>,
    /// The number of positives of each fold. Negatives without a fold are divided in the same proportion.
    fold_sizes: Vec<usize>,
}

impl Worlds {
    fn new(from: &TuplesFrom<'_>, examples: &RawExamples) -> Self {
        let TuplesFrom { target, tables, .. } = *from;
        let n_folds = examples.fold_names.len();
        // If folds have facts of their own, each fold is a world.
        let are_folds = tables.len() > 1 && examples.division != Division::None;
        let folds: Vec<Option<usize>> = if are_folds { (0..n_folds).map(Some).collect() } else { vec![None] };
        let worlds = folds
            .into_iter()
            .map(|fold| World::new(fold, from, examples, &tables[fold.unwrap_or(tables.len() - 1)]))
            .collect();
        let mut fold_sizes = vec![0; n_folds];
        for example in examples.of(target) {
            if let Some(fold) = example.fold.filter(|_| example.is_positive) {
                fold_sizes[fold] += 1;
            }
        }
        Self { target, worlds, fold_sizes }
    }

    fn population(&self) -> u64 {
        self.worlds.iter().map(World::n_negatives).sum()
    }

    fn all(&self) -> Vec<(usize, Vec<ConstantId>)> {
        let tuples = |(world_idx, world): (usize, &World)| {
            let is_negative = |tuple: &Vec<ConstantId>| !world.listed.contains(tuple);
            let tuples: Vec<_> =
                (0..world.n_tuples).map(|number| world.tuple(number)).filter(is_negative).collect();
            tuples.into_iter().map(move |tuple| (world_idx, tuple))
        };
        self.worlds.iter().enumerate().flat_map(tuples).collect()
    }

    /// Draws `n_wanted` different negatives uniformly. Cost: `O(n_wanted)` expected for at most half of the population,
    /// else a pass over it.
    fn sample(&self, n_wanted: u64, rng: &mut impl RngExt) -> Vec<(usize, Vec<ConstantId>)> {
        let n_tuples: u64 = self.worlds.iter().map(|world| world.n_tuples).sum();
        let size = usize::try_from(n_wanted).unwrap_or(usize::MAX);
        if n_wanted * 2 > self.population() {
            let mut all = self.all();
            let (chosen, _) = all.partial_shuffle(rng, size);
            return chosen.to_vec();
        }
        let mut seen: FixedSet<u64> = FixedSet::default();
        let mut chosen = Vec::with_capacity(size);
        while chosen.len() < size {
            let number = rng.random_range(0..n_tuples);
            if !seen.insert(number) {
                continue;
            }
            let (world_idx, within) = self.locate(number);
            let tuple = self.worlds[world_idx].tuple(within);
            if !self.worlds[world_idx].listed.contains(&tuple) {
                chosen.push((world_idx, tuple));
            }
        }
        chosen
    }

    fn locate(&self, mut number: u64) -> (usize, u64) {
        for (world_idx, world) in self.worlds.iter().enumerate() {
            if number < world.n_tuples {
                return (world_idx, number);
            }
            number -= world.n_tuples;
        }
        (0, 0)
    }

    /// Adds negatives as examples. If all folds have the same facts, each negative gets a random fold, with the
    /// probability of the positives.
    fn add(&self, chosen: &[(usize, Vec<ConstantId>)], examples: &mut RawExamples, rng: &mut impl RngExt) {
        let n_placed: usize = self.fold_sizes.iter().sum();
        for (world_idx, tuple) in chosen {
            let fold = self.worlds[*world_idx].fold.or_else(|| {
                let mut at = (n_placed > 0).then(|| rng.random_range(0..n_placed))?;
                self.fold_sizes.iter().position(|&size| {
                    let is_here = at < size;
                    at = at.saturating_sub(size);
                    is_here
                })
            });
            examples.add(self.target, tuple, false, fold, Place::default());
        }
    }
}

impl World {
    fn new(fold: Option<usize>, from: &TuplesFrom<'_>, examples: &RawExamples, table: &FactTable) -> Self {
        let TuplesFrom { target, types, symbols, .. } = *from;
        let arity = symbols.predicate_name(target).arity;
        let of_world = examples.of(target).filter(|example| fold.is_none() || example.fold == fold);
        let rows: Vec<&[ConstantId]> = of_world.clone().map(|example| examples.arguments(example)).collect();
        let constants: Vec<Vec<ConstantId>> = (0..arity)
            .map(|argument| {
                let wanted = types.type_of(target, argument);
                let mut constants = types.constants(wanted, table);
                for other in (0..arity).filter(|&other| types.type_of(target, other) == wanted) {
                    constants.extend(rows.iter().map(|row| row[other].raw()));
                }
                // By text, so that the order of the files does not matter.
                let mut sorted: Vec<ConstantId> = constants.iter().map(ConstantId::from_raw).collect();
                sorted.sort_by_key(|&id| symbols.constant_text(id));
                sorted
            })
            .collect();
        let listed: FixedSet<Vec<ConstantId>> = of_world
            .filter(|example| example.is_labelled)
            .map(|example| examples.arguments(example).to_vec())
            .collect();
        let n_tuples = constants
            .iter()
            .try_fold(1_u64, |product, constants| product.checked_mul(constants.len() as u64))
            .unwrap_or(u64::MAX);
        Self { fold, constants, listed, n_tuples }
    }
}

/// The most negatives to keep for a restriction or for division into sets, before samples are drawn from them. If there
/// are more, a uniform sample of this size is kept.
const MOST_TO_DRAW_FROM: u64 = 5_000_000;

/// The negatives that were made or sampled, and the samples still to draw.
#[derive(Debug, Default)]
pub(super) struct MadeNegatives {
    /// The number of negatives that each one stands for.
    pub(super) weight: NegativeWeight,
    /// The sample to draw once the restriction is applied.
    pub(super) to_sample: Option<Negatives>,
    /// The samples that the sets will draw.
    pub(super) of_sets: SetNegatives,
    /// Warnings about the negatives.
    pub(super) warnings: Vec<Diagnostic>,
}

impl MadeNegatives {
    /// All listed negatives; train keeps all of its own.
    pub(super) fn of_listed(request: NegativesRequest) -> Self {
        let of_sets = SetNegatives { test: request.test, ..SetNegatives::default() };
        Self { of_sets, ..Self::default() }.with_warning_of_sets(request)
    }

    /// The same, with a warning if sets draw samples.
    fn with_warning_of_sets(mut self, request: NegativesRequest) -> Self {
        self.warnings.extend(sets_draw_negatives(self.of_sets, request.is_scoring));
        self
    }
}

/// Makes or samples the requested negatives.
///
/// # Errors
///
/// There are no negatives, or too many.
pub(super) fn make_negatives(
    wanted: Negatives,
    request: NegativesRequest,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
) -> Result<MadeNegatives, Diagnostic> {
    if lists_all_but_train(from.target, examples) {
        return beside_listed(wanted, request, from, examples);
    }
    let (wanted, mut made) = at_first(wanted, request);
    let (weight, warning) = take_negatives(wanted, request.rng_seed, from, examples)?;
    made.weight = weight;
    made.warnings.extend(warning.filter(|_| made.to_sample.is_none()));
    Ok(made.with_warning_of_sets(request))
}

/// Makes the negatives of train when tune and test list theirs. If nothing takes examples out of train later, these are
/// the requested ones; else they are those that train draws from. Scoring uses only the listed examples.
fn beside_listed(
    wanted: Negatives,
    request: NegativesRequest,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
) -> Result<MadeNegatives, Diagnostic> {
    let mut made = MadeNegatives::of_listed(request);
    if request.is_scoring {
        return Ok(made);
    }
    let is_final = examples.division == Division::TrainTuneTest && !request.is_restricted;
    let at_first = if is_final || wanted == Negatives::All {
        wanted
    } else {
        made.of_sets.train = wanted;
        Negatives::Number(MOST_TO_DRAW_FROM)
    };
    let (weight, warning) = take_train_negatives(at_first, request.rng_seed, from, examples)?;
    made.of_sets.train_stands_for = weight;
    made.warnings = vec![warning];
    Ok(made.with_warning_of_sets(request))
}

/// The negatives to take before a restriction is applied and sets are divided, and the samples to draw from them later.
fn at_first(train: Negatives, request: NegativesRequest) -> (Negatives, MadeNegatives) {
    let of_sets = SetNegatives { train, test: request.test, ..SetNegatives::default() };
    let many = Negatives::Number(MOST_TO_DRAW_FROM);
    if train != of_sets.test {
        let is_whole = [train, of_sets.test].contains(&Negatives::All);
        let made = MadeNegatives { of_sets, ..MadeNegatives::default() };
        return (if is_whole { Negatives::All } else { many }, made);
    }
    // The sets share one sample. Only the frozen problem shows which negatives satisfy a restriction.
    let to_sample = Some(train).filter(|_| request.is_restricted && train != Negatives::All);
    let wanted = if to_sample.is_some() { many } else { train };
    (wanted, MadeNegatives { to_sample, ..MadeNegatives::default() })
}
