//! Covering theories against an obvious twin: every candidate of every seed's bottom clause is listed,
//! judged by the reference engine, and the best is taken.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gleaner::experiment::load;
use gleaner_base::{Budget, ExampleId, ExampleSet};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::bias::{Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{Universe, reference};
use gleaner_engine::search::directed::Scale;
use gleaner_engine::search::random_starts::list;
use gleaner_engine::search::{Lengths, RedundantClauses, Score, SearchConfig, SearchKind, SearchLimits};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::program::monotone::MonotoneNumbers;
use gleaner_lang::program::{Clause, canonical};
use gleaner_lang::syntax::Sources;
use gleaner_learn::covering::{
    CoveringConfig, GrownPart, GrownTheory, Growth, Induction, Resample, TheoryWeights, bootstrap, grow,
};
use gleaner_learn::reduction::ReduceClauses;
use gleaner_learn::seeds::draw_seeds;
use gleaner_learn::shared_config::Smoothing;
use gleaner_learn::{OperatingPoint, RunContext, Task};
use serde_json::Value as Json;

use crate::support::task::{Conditions, Stores, on_sets, set_stores, sets};
use crate::support::{fixture, fresh_folder, gleaner};

const RNG_SEED: u64 = 7;
const N_THEORIES: usize = 3;

fn problem() -> Problem {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/university");
    let loaded = load(&LoadRequest { path, ..LoadRequest::default() }, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the fixture loads").problem
}

fn config(induction: Induction, kind: SearchKind) -> CoveringConfig {
    CoveringConfig {
        n_theories: N_THEORIES,
        monotone: MonotoneNumbers::default(),
        max_clauses: None,
        induction,
        limits: SearchLimits {
            clauses: u64::MAX,
            min_positives: 2,
            min_precision: 0.2,
            literals: None,
            max_negatives: None,
            redundant: RedundantClauses::Infer,
            score: Score::Laplace,
        },
        search: SearchConfig {
            kind,
            lengths: Lengths::Uniform,
            restart_evaluations: 50,
            walk: 0.0,
            beam_width: 1,
            general_clauses: 0,
            climbs: 1,
            neighbours: 1,
            alphas: vec![0.5],
            scale: Scale::GeometricMean,
        },
        saturation: SaturationConfig {
            depth: 1,
            max_bottom_literals: 1_000,
            negation: Negation::Modes,
            object_identity: ObjectIdentity::Off,
            thresholds: gleaner_lang::program::Thresholds::Seed,
            max_thresholds: usize::MAX,
        },
        max_literals: 3,
        min_tune_positives: 1,
        is_ensemble: true,
        resample: Resample::None,
        curve_clauses: Vec::new(),
        weights: TheoryWeights::Equal,
        ranked_list_m: 2.0,
        reduce_clauses: ReduceClauses::None,
        smoothing: Smoothing::ClassSizes,
        operating_point: OperatingPoint::BestF1,
    }
}

/// What a twin's theory holds: clauses with their positives that counted, and seeds without a clause.
#[derive(Debug, PartialEq)]
struct Twin {
    clauses: Vec<Clause>,
    n_singletons: usize,
}

/// A judged candidate.
struct Judged {
    candidate: Candidate,
    laplace: f64,
    true_positives: usize,
}

/// Better is greater, by the order that the documentation gives.
fn rank(left: &Judged, right: &Judged) -> Ordering {
    left.laplace
        .total_cmp(&right.laplace)
        .then(left.true_positives.cmp(&right.true_positives))
        .then(right.candidate.n_literals().cmp(&left.candidate.n_literals()))
        .then(right.candidate.cmp(&left.candidate))
}

/// What clauses cover of train, and how many positives of tune; the reference engine is slow.
type Known = BTreeMap<Clause, (Vec<ExampleId>, usize)>;

/// As the reference engine has it, each clause once.
fn covered<'k>(task: &Task<'_>, clause: &Clause, known: &'k mut Known) -> &'k (Vec<ExampleId>, usize) {
    known.entry(canonical(clause)).or_insert_with_key(|clause| {
        let on = |universe: &Universe| -> Vec<ExampleId> {
            let cover: ExampleSet = reference::cover(task.worlds, clause, universe);
            cover.iter().filter_map(|position| universe.example(position)).collect()
        };
        let on_tune = on(task.tune).into_iter().filter(|&id| task.examples.is_positive(id)).count();
        (on(task.train), on_tune)
    })
}

fn twin(task: &Task<'_>, config: &CoveringConfig, theory_idx: u64, known: &mut Known) -> Twin {
    let positives: Vec<ExampleId> = task.train.positives().collect();
    let mut uncovered: Vec<ExampleId> = positives.clone();
    let mut twin = Twin { clauses: Vec::new(), n_singletons: 0 };
    for seed in draw_seeds(task, positives.len(), &[theory_idx + 1], RNG_SEED) {
        if config.induction != Induction::InduceMax && !uncovered.contains(&seed) {
            continue;
        }
        let counted = if config.induction == Induction::Induce { &uncovered } else { &positives };
        let world = &task.worlds[task.examples.world(seed).index()];
        let bottom = saturate(world, task.modes, task.examples, seed, config.saturation);
        let space = RefinementSpace::new(&bottom, config.max_literals);
        let mut judge = |candidate: Candidate| {
            let clause = bottom.clause(candidate.positions());
            let (on_train, on_tune) = covered(task, &clause, known);
            let true_positives = on_train.iter().filter(|id| counted.contains(id)).count();
            let false_positives = on_train.iter().filter(|&&id| !task.examples.is_positive(id)).count();
            let (tp, fp) = (true_positives as f64, false_positives as f64);
            let is_acceptable = true_positives >= 2 && tp / (tp + fp) >= 0.2 && *on_tune >= 1;
            is_acceptable.then(|| Judged { candidate, laplace: (tp + 1.0) / (tp + fp + 2.0), true_positives })
        };
        let all = list(&space, 100_000).expect("the space is small");
        match all.into_iter().filter_map(&mut judge).max_by(rank) {
            None => {
                twin.n_singletons += 1;
                uncovered.retain(|&id| id != seed);
            }
            Some(best) => {
                let clause = bottom.clause(best.candidate.positions());
                let (covered, _) = covered(task, &clause, known);
                uncovered.retain(|id| !covered.contains(id));
                twin.clauses.push(canonical(&clause));
            }
        }
    }
    twin
}

fn grown(theory: &GrownTheory) -> Twin {
    let clauses = theory.clauses.iter().map(|learnt| learnt.clause.clone()).collect();
    Twin { clauses, n_singletons: theory.n_singletons }
}

/// A task on the fixture, with stores for train and tune.
fn on_task(test: impl FnOnce(&Task<'_>, &RunContext<'_>, &Stores<'_>)) {
    let problem = problem();
    let conditions = Conditions { rng_seed: RNG_SEED, budget: &Budget::unlimited() };
    on_sets(&problem, &sets(&problem), conditions, test);
}

#[test]
fn theories_are_those_of_an_obvious_twin() {
    on_task(|task, context, stores| {
        let mut sizes = Vec::new();
        let mut known = Known::default();
        for induction in [Induction::Induce, Induction::InduceCover, Induction::InduceMax] {
            let of_twin: Vec<Twin> = (0..N_THEORIES as u64)
                .map(|theory_idx| twin(task, &config(induction, SearchKind::Beam), theory_idx, &mut known))
                .collect();
            let kinds = [
                SearchKind::BreadthFirst,
                SearchKind::DepthFirst,
                SearchKind::BestFirst,
                SearchKind::IteratedBeam,
                SearchKind::IterativeDeepening,
            ];
            for kind in kinds {
                let config = config(induction, kind);
                let growth = grow(task, &config, context, set_stores(stores));
                assert_eq!(growth.theories.len(), N_THEORIES);
                for (theory, of_twin) in growth.theories.iter().zip(&of_twin) {
                    assert_eq!(grown(theory), *of_twin, "{induction:?} {kind:?}");
                    let costs: Vec<u64> = theory.clauses.iter().map(|learnt| learnt.n_evaluated).collect();
                    assert!(costs.is_sorted() && costs.iter().all(|&cost| cost <= theory.n_evaluated));
                }
                sizes.push(growth.theories.iter().map(|theory| theory.clauses.len()).sum::<usize>());
            }
        }
        // The three ways differ, else one test would do for all.
        assert!(sizes.first() < sizes.last() && sizes.iter().all(|&size| size > 0), "{sizes:?}");
    });
}

#[test]
fn a_theory_is_cut_at_its_most_clauses() {
    on_task(|task, context, stores| {
        let whole = config(Induction::Induce, SearchKind::BestFirst);
        let cut = CoveringConfig { max_clauses: Some(2), ..whole.clone() };
        let [whole, cut] = [whole, cut].map(|config| grow(task, &config, context, set_stores(stores)));
        for (whole, cut) in whole.theories.iter().zip(&cut.theories) {
            assert_eq!(grown(cut).clauses, grown(whole).clauses[..2], "the first clauses are the same");
        }
        let part = |n_theories, n_clauses| GrownPart { n_theories, n_clauses };
        // What the first two clauses of each theory cost does not depend on what came after.
        assert_eq!(whole.n_evaluated(part(N_THEORIES, 2)), cut.n_evaluated(part(N_THEORIES, 2)));
        assert!(whole.n_evaluated(part(2, 1)) < whole.n_evaluated(part(N_THEORIES, 1)));
    });
}

/// The share of a class of `n` that `n` draws reach is `1 - (1 - 1/n)^n` on average, near `1 - 1/e`.
#[test]
#[expect(clippy::cast_precision_loss, reason = "numbers of examples are small")]
fn a_bootstrap_reaches_its_share_of_each_class() {
    on_task(|task, _, _| {
        let train = task.train;
        let ids = |universe: &Universe| universe.iter().map(|(_, id)| id).collect::<BTreeSet<ExampleId>>();
        let samples: Vec<Universe> = (0..400).map(|at| bootstrap(train, &[0, at], RNG_SEED)).collect();
        let distinct: BTreeSet<Vec<ExampleId>> =
            samples.iter().map(|sample| ids(sample).into_iter().collect()).collect();
        assert_eq!(distinct.len(), samples.len());
        assert_eq!(ids(&bootstrap(train, &[0, 7], RNG_SEED)), ids(&samples[7]));
        let all = ids(train);
        for sample in &samples {
            assert!(ids(sample).is_subset(&all));
            assert_eq!(sample.negative_weight(), train.negative_weight());
        }
        let of_class: [fn(&Universe) -> usize; 2] = [Universe::n_positives, Universe::n_negatives];
        for n_of in of_class {
            let n = n_of(train) as f64;
            let expected = 1.0 - (1.0 - 1.0 / n).powf(n);
            let mean = samples.iter().map(|sample| n_of(sample) as f64 / n).sum::<f64>() / 400.0;
            // The standard deviation of one share is sqrt((1/e - 2/e²) / n), of the mean a twentieth of that.
            let deviation = (0.0973 / n).sqrt() / 20.0;
            assert!((mean - expected).abs() < 4.0 * deviation, "{n}: {mean} {expected}");
            assert!((expected - (1.0 - (-1.0_f64).exp())).abs() < 0.005, "{n}");
        }
    });
}

/// Each theory is the twin's on its own sample, and its counts are those of all of train.
#[test]
fn a_resampled_theory_is_that_of_its_sample() {
    on_task(|task, context, stores| {
        let all = config(Induction::Induce, SearchKind::BestFirst);
        let config = CoveringConfig { resample: Resample::Bootstrap, ..all.clone() };
        let growth = grow(task, &config, context, set_stores(stores));
        assert_eq!(growth.theories.len(), N_THEORIES);
        let mut n_positives = 0;
        for (theory_idx, theory) in (0..).zip(&growth.theories) {
            let sample = bootstrap(task.train, &[task.run_idx, theory_idx + 1], RNG_SEED);
            let of_sample = Task { train: &sample, ..*task };
            assert_eq!(grown(theory), twin(&of_sample, &config, theory_idx, &mut Known::default()));
            for learnt in &theory.clauses {
                let cover = reference::cover(task.worlds, &learnt.clause, task.train);
                assert_eq!(learnt.train, task.train.counts(&cover));
                let on_sample = sample.counts(&reference::cover(task.worlds, &learnt.clause, &sample));
                n_positives += learnt.train.true_positives - on_sample.true_positives;
            }
        }
        assert!(n_positives > 0, "some clause covers a positive that its sample lacks");
        let whole = grow(task, &all, context, set_stores(stores));
        let clauses =
            |growth: &Growth| growth.theories.iter().map(|it| grown(it).clauses).collect::<Vec<_>>();
        assert_ne!(clauses(&whole), clauses(&growth));
        // One theory has no sample of its own.
        let one = CoveringConfig { is_ensemble: false, ..config };
        assert_eq!(clauses(&grow(task, &one, context, set_stores(stores))), clauses(&whole));
    });
}

#[test]
fn samples_do_not_depend_on_threads() {
    let folder = fresh_folder("resample");
    let data = fixture("university");
    let data = data.to_string_lossy();
    let learnt = |further: &[&str]| {
        let ensemble = ["--learner", "aleph-ensemble", "--ensemble-size", "6", "--clauses", "60", "--quiet"];
        let run = ["learn", &*data, "--fold", "1", "-o", "model.json"];
        let (code, _, stderr) = gleaner(&folder, &[&run[..], &ensemble, further].concat());
        assert_eq!(code, Some(0), "{stderr}");
        std::fs::read(folder.join("model.json")).expect("it was written")
    };
    let sampled = learnt(&["--resample", "bootstrap", "--threads", "1"]);
    assert!(learnt(&["--resample", "bootstrap", "--threads", "2"]) == sampled);
    let whole = learnt(&[]);
    assert!(learnt(&["--resample", "none"]) == whole && whole != sampled);
}

/// The values of a ranked list are worked out here from the counts on tune that the model file holds.
#[test]
fn a_ranked_list_orders_clauses_by_the_m_that_is_set() {
    let folder = fresh_folder("ranked-list-m");
    let data = fixture("university");
    let data = data.to_string_lossy();
    for (given, m) in [(&[][..], 2.0), (&["--ranked-list-m", "0.5"], 0.5)] {
        let asked = ["learn", &data, "--fold", "1", "--learner", "aleph", "--clauses", "200", "--quiet"];
        let ranked = ["--theory-weights", "ranked-list", "-o", "model.json"];
        let (code, _, stderr) = gleaner(&folder, &[&asked[..], &ranked, given].concat());
        assert_eq!((code, stderr.contains("no effect")), (Some(0), false), "{stderr}");
        let model = std::fs::read_to_string(folder.join("model.json")).expect("a model");
        let model: Json = serde_json::from_str(&model).expect("JSON");
        let values = model["scorer"]["greatest"].as_array().expect("a value for each clause");
        let members = model["theories"][0].as_array().expect("a theory");
        assert!(members.len() > 1 && values.len() == members.len());
        for (value, member) in values.iter().zip(members) {
            let count = |name: &str| member["tune"][name].as_f64().expect("a count");
            let (tp, fp) = (count("true_positives"), count("false_positives"));
            assert_eq!(value.as_f64(), Some((tp + m) / (tp + fp + 2.0 * m)), "m = {m}");
        }
        assert_eq!(
            model["settings"].get("ranked-list-m").is_some(),
            !given.is_empty(),
            "only where it is changed"
        );
    }
}
