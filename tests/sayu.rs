//! Networks over clauses against an obvious twin: all candidates of each seed in the order of the search, covers by the
//! reference engine, and the network fitted and scored anew, example by example, for each.

use std::collections::BTreeMap;

use gleaner::experiment::catalog;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, Classes, Counts, ExampleId, ExampleSet};
use gleaner_engine::bias::{Candidate, RefinementSpace, saturate};
use gleaner_engine::coverage::{ComponentEngine, Universe, reference};
use gleaner_engine::search::{Evaluated, Evaluations, Observer};
use gleaner_lang::program::settings::{DataSummary, Given, SettingGroup, Settings};
use gleaner_lang::program::{Clause, canonical};
use gleaner_learn::sayu::{Adoption, GrownNetwork, NetworkKind, NetworkScore, SayuConfig, grow};
use gleaner_learn::seeds::draw_seeds;
use gleaner_learn::{RunContext, SetStores, Task};
use gleaner_stats::eval::{PrCurve, Ranking};
use gleaner_stats::ml::PseudoCounts;
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::TreeAugmented;
use serde_json::{Value as Json, json};

use crate::support::task::{Conditions, on_sets, set_stores, sets};
use crate::support::{fixture, fresh_folder, gleaner};

const RNG_SEED: u64 = 7;

/// Small searches by these settings.
fn config(given: &[(&str, &str)]) -> SayuConfig {
    let mut settings = Settings::new(catalog());
    let small = [
        ("seeds", "6"),
        ("depth", "1"),
        ("max-literals", "3"),
        ("min-pos", "2"),
        ("search", "breadth-first"),
    ];
    for &(name, value) in given.iter().chain(&small) {
        settings.set(name, value).expect("a setting with its value");
    }
    SayuConfig::read(&Given { settings: &settings, data: DataSummary::default() })
}

/// A task on the fixture: the last fold is tune, the others but one are train.
fn on_task(test: impl FnOnce(&Task<'_>, &RunContext<'_>, SetStores<'_, '_>)) {
    let problem = crate::resume::university();
    let conditions = Conditions { rng_seed: RNG_SEED, budget: &Budget::unlimited() };
    on_sets(&problem, &sets(&problem), conditions, |task, context, stores| {
        test(task, context, set_stores(stores));
    });
}

/// Notes what a search evaluates, and wants nothing.
#[derive(Default)]
struct Recorder(Vec<Candidate>);

impl Observer for Recorder {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        self.0.push(evaluated.candidate.clone());
        false
    }
}

/// All clauses that a search from a seed evaluates, in order.
fn evaluated(task: &Task<'_>, config: &SayuConfig, seed: ExampleId, seed_idx: usize) -> Vec<Clause> {
    let world = &task.worlds[task.examples.world(seed).index()];
    let bottom = saturate(world, task.modes, task.examples, seed, config.saturation);
    let space = RefinementSpace::new(&bottom, config.max_literals);
    let literals = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
    let mut engine =
        ComponentEngine::new(task.worlds, task.train, bottom.head.clone(), literals, Budget::unlimited());
    let mut recorder = Recorder::default();
    let mut evaluations =
        Evaluations::new(&space, &mut engine, task.train, config.limits.clone(), &mut recorder);
    let mut rng = stream(RNG_SEED, Purpose::Search, &[task.run_idx, seed_idx as u64]);
    config.search.strategy(None).run(&mut evaluations, &mut rng);
    recorder.0.iter().map(|candidate| canonical(&bottom.clause(candidate.positions()))).collect()
}

type Known = BTreeMap<Clause, [ExampleSet; 2]>;

/// What a network with these clauses scores, from scratch: covers on train and tune, each example by itself.
fn value(task: &Task<'_>, config: &SayuConfig, clauses: &[Clause], known: &mut Known) -> f64 {
    let mut on = |at: usize| -> Vec<ExampleSet> {
        let cover = |clause: &Clause| {
            let of = |universe: &Universe| reference::cover(task.worlds, clause, universe);
            let covers = known.entry(clause.clone()).or_insert_with(|| [of(task.train), of(task.tune)]);
            covers[at].clone()
        };
        clauses.iter().map(cover).collect()
    };
    let (train, tune) = (on(0), on(1));
    let classes: Classes = task.train.classes();
    let is_of_tune = matches!(config.score, NetworkScore::TuneAucPr | NetworkScore::TuneLikelihood);
    let judged = if is_of_tune { task.tune } else { task.train };
    let covers = if is_of_tune { &tune } else { &train };
    let scores = match config.network {
        NetworkKind::NaiveBayes => {
            NaiveBayes::fit(classes, &train, PseudoCounts::ClassSizes).scores(judged.len(), covers)
        }
        NetworkKind::Tan => {
            TreeAugmented::fit(classes, &train, PseudoCounts::ClassSizes).scores(judged.len(), covers)
        }
        NetworkKind::Svm | NetworkKind::PolynomialSvm => unreachable!("no twin"),
    };
    let examples = judged.iter().map(|(at, _)| (scores[at], judged.is_positive(at)));
    match config.score {
        NetworkScore::TrainLikelihood | NetworkScore::TuneLikelihood => examples
            .map(|(score, is_positive)| {
                let probability = 1.0 / (1.0 + (-score).exp());
                if is_positive { probability } else { 1.0 - probability }.ln()
            })
            .sum(),
        NetworkScore::TuneAucPr | NetworkScore::TrainAucPr => {
            let ranking = Ranking::new(examples).expect("finite scores");
            PrCurve::from_ranking(&ranking).auc_pr().expect("both classes")
        }
    }
}

/// The clauses that an obvious twin keeps, with what the network scores with each.
fn twin(task: &Task<'_>, config: &SayuConfig) -> Vec<(Clause, f64)> {
    let mut known = Known::default();
    let mut kept: Vec<(Clause, f64)> = Vec::new();
    let mut last = value(task, config, &[], &mut known);
    for (at, seed) in draw_seeds(task, config.n_seeds, &[], RNG_SEED).into_iter().enumerate() {
        let least = last + config.least_rise * last.abs();
        let mut best: Option<(Clause, f64, Counts)> = None;
        for clause in evaluated(task, config, seed, at) {
            let with: Vec<Clause> =
                kept.iter().map(|(kept, _)| kept.clone()).chain([clause.clone()]).collect();
            let value = value(task, config, &with, &mut known);
            let counts = task.train.counts(&known[&clause][0]);
            let is_better = best.as_ref().is_none_or(|(_, best, best_counts)| {
                // Of the twin's sums equal ones may differ by rounding; ties go to more positives, then to the first.
                let by_value = if (value - best).abs() < 1e-9 { 0.0 } else { value - best };
                by_value > 0.0 || by_value == 0.0 && counts.true_positives > best_counts.true_positives
            });
            if value >= least && value > last && is_better {
                best = Some((clause, value, counts));
                if config.adoption == Adoption::Eager {
                    break;
                }
            }
        }
        if let Some((clause, value, _)) = best {
            last = value;
            kept.push((clause, value));
        }
    }
    kept
}

fn kept(network: &GrownNetwork) -> Vec<(Clause, f64)> {
    network.features.iter().map(|feature| (feature.clause.clone(), feature.value)).collect()
}

/// Eager, on tune, with both networks: the same clauses, and the same areas to the bit.
#[test]
fn sayu_keeps_what_an_obvious_twin_keeps() {
    on_task(|task, context, stores| {
        for network in ["naive-bayes", "tan"] {
            let config = config(&[("network", network)]);
            let (grown, of_twin) = (kept(&grow(task, &config, context, stores)), twin(task, &config));
            assert!(of_twin.len() > 2, "{network}: {} clauses say little", of_twin.len());
            assert_eq!(grown, of_twin, "{network}");
        }
    });
}

/// By the cross entropy of tune: the same clauses, and the same likelihoods to within rounding.
#[test]
fn sayu_lowers_the_cross_entropy_of_tune_as_a_twin_does() {
    on_task(|task, context, stores| {
        for network in ["naive-bayes", "tan"] {
            let config = config(&[("network", network), ("network-score", "tune-likelihood")]);
            let (grown, of_twin) = (kept(&grow(task, &config, context, stores)), twin(task, &config));
            assert!(of_twin.len() > 1, "{network}: {} clauses say little", of_twin.len());
            let clauses =
                |kept: &[(Clause, f64)]| kept.iter().map(|(clause, _)| clause.clone()).collect::<Vec<_>>();
            assert_eq!(clauses(&grown), clauses(&of_twin), "{network}");
            for ((_, value), (_, expected)) in grown.iter().zip(&of_twin) {
                assert!((value - expected).abs() < 1e-9, "{network}: {value}, not {expected}");
            }
        }
    });
}

/// Breadth-first meets each clause whatever it scores, so that nFOIL's is the best of all.
#[test]
fn nfoil_keeps_the_likeliest_of_all_clauses() {
    on_task(|task, context, stores| {
        let config = config(&[("learner", "nfoil"), ("seeds", "3")]);
        let grown = kept(&grow(task, &config, context, stores));
        let of_twin = twin(task, &config);
        assert!(of_twin.len() > 1, "{} clauses say little", of_twin.len());
        assert_eq!(grown.len(), of_twin.len());
        for ((clause, value), (of_twin, expected)) in grown.iter().zip(&of_twin) {
            assert!((value - expected).abs() < 1e-9, "{value}, not {expected}");
            assert_eq!(clause.body.len(), of_twin.body.len());
        }
    });
}

/// Each clause raises the area of train, and the most clauses are what was asked for.
#[test]
fn kfoil_rises_clause_by_clause() {
    on_task(|task, context, stores| {
        for network in ["svm", "polynomial-svm"] {
            let config = config(&[("learner", "kfoil"), ("network", network), ("network-clauses", "3")]);
            let grown = grow(task, &config, context, stores);
            let mut last = grown.empty_value;
            let prevalence = task.train.totals().weighted().precision().expect("examples");
            assert!((last - prevalence).abs() < 1e-12, "the empty network ranks nothing");
            for feature in &grown.features {
                assert!(feature.value >= 1.001 * last, "{network}: {} after {last}", feature.value);
                last = feature.value;
            }
            assert_eq!(grown.features.len(), 3, "{network}");
            assert!(last > 3.0 * prevalence, "{network}: {last}");
        }
    });
}

/// Changes a part of a model's file.
type Breaks = fn(&mut Json);

/// A model of each kind is refused where it was changed by hand so that it cannot score.
#[test]
fn models_that_contradict_themselves_are_refused() {
    let folder = fresh_folder("sayu_broken");
    let data = fixture("university").to_string_lossy().into_owned();
    for (learner, network, path) in [
        ("sayu", "naive-bayes", "/network/naive-bayes/added"),
        ("sayu", "tan", "/network/tan/branches"),
        ("kfoil", "svm", "/network/svm/weights"),
        ("kfoil", "polynomial-svm", "/network/svm/products"),
    ] {
        let asked = ["learn", &data, "--fold", "1", "--learner", learner, "--network", network];
        let small = ["--seeds", "4", "--clauses", "200", "--quiet", "-o", "m.json"];
        let _ = std::fs::remove_file(folder.join("m.json"));
        let (code, _, stderr) = gleaner(&folder, &[&asked[..], &small].concat());
        assert_eq!(code, Some(0), "{stderr}");
        let text = std::fs::read_to_string(folder.join("m.json")).expect("a model");
        let whole: Json = serde_json::from_str(&text).expect("JSON");
        let broken: [(&str, &str, Breaks); 2] = [
            ("/clauses/0/train", "covers no training example", |counts| {
                *counts = json!({"true_positives": 0, "false_positives": 0});
            }),
            (path, "", |numbers| {
                let numbers = numbers.as_array_mut().expect("a list");
                match numbers.last_mut().expect("an entry") {
                    Json::Object(product) if product.contains_key("second") => {
                        product.insert("second".to_owned(), json!(99));
                    }
                    _ => numbers.truncate(numbers.len() - 1),
                }
            }),
        ];
        for (place, says, breaks) in broken {
            let mut model = whole.clone();
            breaks(model.pointer_mut(place).unwrap_or_else(|| panic!("{place} in {text}")));
            std::fs::write(folder.join("broken.json"), model.to_string()).expect("the file is written");
            let (code, _, stderr) = gleaner(&folder, &["predict", "broken.json", &data, "--quiet"]);
            assert!(code != Some(0) && stderr.contains("error[G"), "{network} {place}: {stderr}");
            assert!(stderr.contains(says), "{network} {place}: {stderr}");
        }
    }
}
