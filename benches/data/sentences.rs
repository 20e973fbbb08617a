//! Generated sentences, loaded, and the streams of clauses that searches on them evaluate.

use std::path::Path;
use std::sync::Arc;

use gleaner::experiment::load;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe};
use gleaner_engine::search::{
    Evaluated, Evaluations, Lengths, Observer, RapidRandomRestart, RedundantClauses, Score, SearchLimits,
    Strategy,
};
use gleaner_generate::{SentencesConfig, sentences};
use gleaner_lang::program::Literal;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::syntax::Sources;

/// Fewest positives of an acceptable clause, as by default.
pub(crate) const MIN_POSITIVES: usize = 7;

/// Clauses evaluated around one random start, as by default.
const RESTART_EVALUATIONS: u64 = 1_000;

/// A problem of so many sentences; its files are written once and found again.
pub(crate) fn problem(n_sentences: usize) -> Problem {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sentences_{n_sentences}"));
    if !folder.join("complete").exists() {
        let config = SentencesConfig { sentences: n_sentences, ..SentencesConfig::default() };
        for file in sentences(&config).expect("the configuration is in range").files {
            let path = folder.join(&file.path);
            std::fs::create_dir_all(path.parent().expect("files are in the folder"))
                .expect("folders can be made");
            std::fs::write(&path, &file.text).expect("files can be written");
        }
        std::fs::write(folder.join("complete"), "").expect("files can be written");
    }
    let request = LoadRequest { path: folder, ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("generated problems load").problem
}

/// All examples of a problem.
pub(crate) fn universe(problem: &Problem) -> Universe {
    Universe::new(Arc::clone(problem.examples()), &problem.examples().ids().collect::<Vec<ExampleId>>())
}

/// The clauses that a search from one seed evaluates, in order.
pub(crate) struct Stream {
    pub(crate) bottom: BottomClause,
    pub(crate) candidates: Vec<Candidate>,
}

struct Recorder(Vec<Candidate>);

impl Observer for Recorder {
    fn observe(&mut self, _: &Evaluated<'_>) -> bool {
        false
    }

    fn begin(&mut self, candidate: &Candidate) {
        self.0.push(candidate.clone());
    }
}

impl Stream {
    /// The stream of rapid random restarts from a positive, with the defaults of `learn`.
    pub(crate) fn record(problem: &Problem, universe: &Universe, seed_idx: usize, n_clauses: usize) -> Self {
        let seed = universe.positives().nth(seed_idx).expect("there are as many positives");
        let background = &problem.worlds()[problem.examples().world(seed).index()];
        let config = SaturationConfig {
            depth: 2,
            max_bottom_literals: 5_000,
            negation: Negation::Modes,
            object_identity: ObjectIdentity::Off,
            thresholds: gleaner_lang::program::Thresholds::Seed,
            max_thresholds: usize::MAX,
        };
        let bottom = saturate(background, problem.modes(), problem.examples(), seed, config);
        let mut recorder = Recorder(Vec::new());
        let space = RefinementSpace::new(&bottom, 10);
        let store = Arc::new(CoverStore::new(problem.worlds(), universe));
        let mut engine = engine(&store, &bottom);
        let limits = SearchLimits {
            clauses: n_clauses as u64,
            min_positives: MIN_POSITIVES,
            min_precision: 0.0,
            literals: None,
            max_negatives: None,
            redundant: RedundantClauses::Infer,
            score: Score::F1,
        };
        let mut evaluations = Evaluations::new(&space, &mut engine, universe, limits, &mut recorder);
        let mut rng = stream(1, Purpose::Search, &[seed_idx as u64]);
        RapidRandomRestart { lengths: Lengths::Uniform, restart_evaluations: RESTART_EVALUATIONS }
            .run(&mut evaluations, &mut rng);
        Self { bottom, candidates: recorder.0 }
    }

    /// Counts all clauses.
    pub(crate) fn count(&self, engine: &mut ComponentEngine<'_>) -> usize {
        let counts = self
            .candidates
            .iter()
            .map(|candidate| engine.count(candidate.positions(), MIN_POSITIVES).expect("there is no budget"));
        counts.flatten().map(|counts| counts.true_positives).sum()
    }
}

/// An engine for the candidates of a bottom clause.
pub(crate) fn engine<'a>(store: &Arc<CoverStore<'a>>, bottom: &BottomClause) -> ComponentEngine<'a> {
    let literals: Vec<Literal> = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
    ComponentEngine::sharing(store, bottom.head.clone(), literals, Budget::unlimited())
}
