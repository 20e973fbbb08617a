//! A small problem with a planted clause, and its whole space: every candidate with its counts, found
//! without the code under test. Candidates are sets of bits here, and legal by definition.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Counts, ExampleId, VariableId};
use gleaner_data::{LoadRequest, Problem, load};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{CoverStore, Universe, reference};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::syntax::{Sources, render};
use rand::RngExt;

/// A candidate: bit `i` is the bottom clause's literal `i`.
pub(crate) type Mask = u16;

pub(crate) const MAX_LITERALS: usize = 5;
const N_OBJECTS: usize = 120;
/// One for which the planted clause is best by far and climbing from the top misses it; most others do.
const DATA_SEED: u64 = 1;
const PLANTED: [&str; 4] = ["has", "next", "q1", "r1"];

/// `next` is enabled from either side, the `q` by `has` or `next`, the `r` by `reach` or `next`.
const MODES: &str = ":- modeh(1, t(+object)).
:- modeb(1, p1(+object)).
:- modeb(1, p2(+object)).
:- modeb(1, p3(+object)).
:- modeb(1, p4(+object)).
:- modeb(1, p5(+object)).
:- modeb(*, has(+object,-part)).
:- modeb(*, reach(+object,-site)).
:- modeb(*, next(+part,-site)).
:- modeb(*, next(-part,+site)).
:- modeb(1, q1(+part)).
:- modeb(1, q2(+part)).
:- modeb(1, q3(+part)).
:- modeb(1, r1(+site)).
:- modeb(1, r2(+site)).
";

/// The problem, its seed's bottom clause, and the counts of every candidate.
pub(crate) struct Planted {
    pub(crate) problem: Problem,
    pub(crate) universe: Universe,
    pub(crate) bottom: BottomClause,
    pub(crate) space: Space,
    pub(crate) planted: Mask,
    /// By candidate, as the reference engine has them; nothing where it is none.
    counts: Vec<Counts>,
}

pub(crate) fn planted() -> &'static Planted {
    static PROBLEM: LazyLock<Planted> = LazyLock::new(|| Planted::new(DATA_SEED));
    &PROBLEM
}

impl Planted {
    fn new(data_seed: u64) -> Self {
        let problem = load_written(data_seed);
        let all: Vec<ExampleId> = problem.examples().ids().collect();
        let universe = Universe::new(Arc::clone(problem.examples()), &all);
        let seed = named_example(&problem, "x0");
        let config = SaturationConfig {
            depth: 3,
            max_bottom_literals: 100,
            negation: Negation::Modes,
            object_identity: ObjectIdentity::Off,
            thresholds: gleaner_lang::program::Thresholds::Seed,
            max_thresholds: usize::MAX,
        };
        let bottom = saturate(&problem.worlds()[0], problem.modes(), problem.examples(), seed, config);
        let space = Space::new(&bottom, MAX_LITERALS);
        let mut counts = vec![Counts::NONE; 1 << space.n_literals];
        for mask in space.candidates() {
            let clause = bottom.clause(candidate(mask).positions());
            let cover = reference::cover(problem.worlds(), &clause, &universe);
            counts[usize::from(mask)] = universe.counts(&cover);
        }
        let planted = planted_mask(&problem, &bottom);
        Self { problem, universe, bottom, space, planted, counts }
    }

    pub(crate) fn refinement_space(&self) -> RefinementSpace<'_> {
        RefinementSpace::new(&self.bottom, MAX_LITERALS)
    }

    /// A store for each thread: covers are found once for all its runs.
    pub(crate) fn store(&'static self) -> Arc<CoverStore<'static>> {
        thread_local! {
            static STORE: OnceCell<Arc<CoverStore<'static>>> = const { OnceCell::new() };
        }
        let make = || Arc::new(CoverStore::new(self.problem.worlds(), &self.universe));
        STORE.with(|store| Arc::clone(store.get_or_init(make)))
    }

    pub(crate) fn n_positives(&self, mask: Mask) -> usize {
        self.counts[usize::from(mask)].true_positives
    }

    /// Precision times recall; negative infinity below the minimum of positives.
    #[expect(clippy::cast_precision_loss, reason = "some hundred examples")]
    pub(crate) fn score(&self, mask: Mask, min_positives: usize) -> f64 {
        let Counts { true_positives, false_positives } = self.counts[usize::from(mask)];
        if true_positives < min_positives || true_positives == 0 {
            return f64::NEG_INFINITY;
        }
        let (tp, fp) = (true_positives as f64, false_positives as f64);
        (tp / (tp + fp)) * (tp / self.universe.n_positives() as f64)
    }
}

fn planted_mask(problem: &Problem, bottom: &BottomClause) -> Mask {
    let names: Vec<String> = (bottom.literals.iter())
        .map(|literal| gleaner_lang::program::display::literal_text(&literal.literal, problem.symbols()))
        .collect();
    let position = |name: &str| {
        let position = names.iter().position(|text| text.starts_with(&format!("{name}(")));
        position.expect("the seed has the planted clause's literals")
    };
    PLANTED.iter().fold(0, |mask, name| mask | 1 << position(name))
}

fn named_example(problem: &Problem, name: &str) -> ExampleId {
    let is_named =
        |&id: &ExampleId| problem.symbols().constants.text(problem.examples().arguments(id)[0]) == name;
    problem.examples().ids().find(is_named).expect("the problem has the seed")
}

/// The legal subsets of a bottom clause by definition.
pub(crate) struct Space {
    pub(crate) n_literals: usize,
    pub(crate) max_body: usize,
    /// By subset, of any length.
    legal: Vec<bool>,
    /// By subset, of candidates.
    removals: Vec<Vec<Mask>>,
}

impl Space {
    pub(crate) fn new(bottom: &BottomClause, max_literals: usize) -> Self {
        let n_literals = bottom.literals.len();
        let mut legal = vec![false; 1 << n_literals];
        legal[0] = true;
        // The last of an order in which each literal is enabled leaves a legal rest.
        for mask in 1..legal.len() {
            legal[mask] = (0..n_literals).any(|last| {
                let rest = mask & !(1 << last);
                rest != mask && legal[rest] && is_enabled(bottom, last, rest)
            });
        }
        let removals = vec![Vec::new(); legal.len()];
        let mut space = Self { n_literals, max_body: max_literals - 1, legal, removals };
        for mask in space.candidates() {
            space.removals[usize::from(mask)] = space.find_removals(mask);
        }
        space
    }

    pub(crate) fn is_legal(&self, mask: Mask) -> bool {
        self.legal[usize::from(mask)]
    }

    fn subsets(&self) -> impl Iterator<Item = Mask> {
        (0..=u16::MAX).take(1 << self.n_literals)
    }

    /// Legal, not empty, not too long; by length, then canonically.
    pub(crate) fn candidates(&self) -> Vec<Mask> {
        let mut all: Vec<Mask> = self
            .subsets()
            .filter(|&mask| mask != 0 && self.is_legal(mask) && n_body(mask) <= self.max_body)
            .collect();
        all.sort_by_key(|&mask| (n_body(mask), positions(mask)));
        all
    }

    /// Legal subsets with one literal more, whatever their length.
    pub(crate) fn grown(&self, mask: Mask) -> Vec<Mask> {
        (0..self.n_literals)
            .map(|position| mask | 1 << position)
            .filter(|&more| more != mask && self.is_legal(more))
            .collect()
    }

    pub(crate) fn additions(&self, mask: Mask) -> Vec<Mask> {
        if n_body(mask) < self.max_body { self.grown(mask) } else { Vec::new() }
    }

    /// For each literal of a candidate the largest legal subset without it.
    pub(crate) fn removals(&self, mask: Mask) -> &[Mask] {
        &self.removals[usize::from(mask)]
    }

    /// The largest legal subset is the union of all.
    fn find_removals(&self, mask: Mask) -> Vec<Mask> {
        let largest = |without: Mask| {
            let legal = self.subsets().filter(|&part| part & !without == 0 && self.is_legal(part));
            legal.fold(0, |all, part| all | part)
        };
        positions(mask).into_iter().map(|position| largest(mask & !(1 << position))).collect()
    }

    /// The removals that leave a literal, and the additions where the clause has enough positives.
    pub(crate) fn neighbours(&self, mask: Mask, may_grow: bool) -> Vec<Mask> {
        let mut neighbours = self.removals(mask).to_vec();
        neighbours.retain(|&neighbour| neighbour != 0);
        neighbours.extend(if may_grow { self.additions(mask) } else { Vec::new() });
        neighbours
    }
}

/// Whether the variables of the head and of other literals are enough for a literal.
fn is_enabled(bottom: &BottomClause, position: usize, others: usize) -> bool {
    let mut known: Vec<VariableId> = bottom.head_variables();
    for (other, literal) in bottom.literals.iter().enumerate() {
        if others & (1 << other) != 0 {
            known.extend(&literal.variables);
        }
    }
    let input_sets = &bottom.literals[position].input_sets;
    input_sets.iter().any(|inputs| inputs.iter().all(|input| known.contains(input)))
}

pub(crate) fn positions(mask: Mask) -> Vec<u16> {
    (0..16).filter(|&position| mask & (1 << position) != 0).collect()
}

pub(crate) fn n_body(mask: Mask) -> usize {
    mask.count_ones() as usize
}

pub(crate) fn candidate(mask: Mask) -> Candidate {
    Candidate::new(positions(mask))
}

pub(crate) fn mask(candidate: &Candidate) -> Mask {
    candidate.positions().iter().fold(0, |mask, &position| mask | 1 << position)
}

/// Better is greater: higher score, then shorter, then canonically first.
pub(crate) fn compare(left: (f64, Mask), right: (f64, Mask)) -> Ordering {
    let by_score = left.0.total_cmp(&right.0);
    let by_length = n_body(right.1).cmp(&n_body(left.1));
    by_score.then(by_length).then_with(|| positions(right.1).cmp(&positions(left.1)))
}

fn load_written(data_seed: u64) -> Problem {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), data_seed);
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let mut sources = Sources::new();
    match load(&request, &mut sources) {
        Ok(loaded) => loaded.problem,
        Err(faults) => panic!("the problem does not load:\n{}", render(&faults, &sources, false)),
    }
}

/// Objects have one or two parts of their own, parts mostly a site of their own; an object also reaches some
/// object's site. The first object has one of each, with every property.
fn write(folder: &Path, data_seed: u64) {
    let mut rng = stream(data_seed, Purpose::Generate, &[]);
    let (mut facts, mut classes) = (String::new(), [String::new(), String::new()]);
    for object in 0..N_OBJECTS {
        let is_seed = object == 0;
        let mut chance = |probability: f64| is_seed || rng.random_bool(probability);
        let mut is_covered = false;
        for part in 0..if !is_seed && chance(0.5) { 2 } else { 1 } {
            let name = format!("{object}_{part}");
            let mut fact = |name: &str, arguments: &str| {
                writeln!(facts, "{name}({arguments}).").expect("text grows");
            };
            fact("has", &format!("x{object},y{name}"));
            let q = [chance(0.5), chance(0.5), chance(0.5)];
            let has_site = chance(0.8);
            let r = [has_site && chance(0.6), has_site && chance(0.5)];
            (1..)
                .zip(q)
                .filter(|(_, holds)| *holds)
                .for_each(|(i, _)| fact(&format!("q{i}"), &format!("y{name}")));
            (1..)
                .zip(r)
                .filter(|(_, holds)| *holds)
                .for_each(|(i, _)| fact(&format!("r{i}"), &format!("z{name}")));
            if has_site {
                fact("next", &format!("y{name},z{name}"));
            }
            is_covered |= q[0] && r[0];
        }
        let is_positive = is_seed || chance(if is_covered { 0.95 } else { 0.15 });
        writeln!(classes[usize::from(is_positive)], "t(x{object}).").expect("text grows");
        let p = if is_positive { [0.85, 0.75, 0.6, 0.1, 0.05] } else { [0.45, 0.45, 0.5, 0.05, 0.05] };
        for (i, probability) in (1..).zip(p) {
            if chance(probability) {
                writeln!(facts, "p{i}(x{object}).").expect("text grows");
            }
        }
        if chance(0.7) {
            let other = if is_seed { 0 } else { 1 + object % (N_OBJECTS - 1) };
            writeln!(facts, "reach(x{object},z{other}_0).").expect("text grows");
        }
    }
    let [negatives, positives] = classes;
    let files =
        [("modes.pl", MODES), ("background.pl", &facts), ("pos.pl", &positives), ("neg.pl", &negatives)];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
}
