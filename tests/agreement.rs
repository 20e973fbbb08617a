//! Random programs, clauses and examples: the fast engine equals the slow one, what it remembers
//! equals what it finds afresh, and candidates over a bottom clause keep their promises.
//!
//! Problems are written as files and loaded, so that the grammar, the rules and the canonical
//! numbering are on the way. A clause is drawn within what the loader calls evaluable.

mod graphs;
mod implied;
mod literals;
mod thresholds;
mod why;

use crate::support::asked::{clauses_of, with_clauses};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::support::weights::{random_weights, weighs_as};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId, ExampleSet, VariableId};
use gleaner_data::{LoadRequest, Problem, load};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::component::{cover_clause, cover_clause_sharing};
use gleaner_engine::coverage::universe::cover_clauses;
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe, reference};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::program::{Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Term};
use gleaner_lang::syntax::{Sources, render};
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::prop_oneof;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// Numbers that are equal by value but not as terms, one below zero, and plain atoms.
const CONSTANTS: [&str; 6] = ["a", "b", "1", "1.0", "2", "-3"];
const N_VARIABLES: usize = 6;
const N_PREDICATES: usize = 4;
const OPERATORS: [&str; 9] = ["<", ">", "=<", ">=", "=", "\\=", "==", "\\==", "is"];

/// A number below [`N_VARIABLES`] is a variable, the rest are constants.
type TermSpec = usize;

#[derive(Clone, Debug)]
enum LiteralSpec {
    /// A predicate (the last two are defined by rules) with more arguments than it may need.
    Atom { is_negated: bool, predicate: usize, arguments: [TermSpec; 3] },
    /// Numeric operators add the number to their right side.
    Comparison { operator: usize, left: TermSpec, right: TermSpec, plus: Option<u8> },
}

#[derive(Clone, Debug)]
struct ProgramSpec {
    arities: [usize; N_PREDICATES],
    target_arity: usize,
    /// Two folds with facts of their own are two worlds.
    has_folds: bool,
    /// Fold (0: all folds), predicate, arguments.
    facts: Vec<(usize, usize, [usize; 3])>,
    /// Fold, arguments, class.
    examples: Vec<(usize, [usize; 3], bool)>,
}

#[derive(Clone, Debug)]
struct ClauseSpec {
    head: [TermSpec; 3],
    body: Vec<LiteralSpec>,
}

fn program() -> impl Strategy<Value = ProgramSpec> {
    let constant = || 0..CONSTANTS.len();
    let tuple = move || [constant(), constant(), constant()];
    let arities = [1..=3_usize, 1..=3_usize, 1..=3_usize, 2..=2_usize];
    // More than a word of positives now and then; few facts, for the slow engine's sake.
    let n_examples = prop_oneof![3 => 0..12_usize, 1 => 100..180_usize];
    let examples = n_examples.prop_flat_map(move |n| vec((0..2_usize, tuple(), any::<bool>()), n));
    (arities, 1..=3_usize, any::<bool>(), vec((0..3_usize, 0..N_PREDICATES, tuple()), 0..14), examples)
        .prop_map(|(arities, target_arity, has_folds, facts, examples)| ProgramSpec {
            arities,
            target_arity,
            has_folds,
            facts,
            examples,
        })
}

fn term() -> impl Strategy<Value = TermSpec> {
    prop_oneof![4 => 0..N_VARIABLES, 1 => N_VARIABLES..N_VARIABLES + CONSTANTS.len()]
}

fn atom(is_negated: bool) -> impl Strategy<Value = LiteralSpec> {
    (0..N_PREDICATES + 2, [term(), term(), term()])
        .prop_map(move |(predicate, arguments)| LiteralSpec::Atom { is_negated, predicate, arguments })
}

fn clause() -> impl Strategy<Value = ClauseSpec> {
    let comparison = (0..OPERATORS.len(), term(), term(), proptest::option::of(0..3_u8))
        .prop_map(|(operator, left, right, plus)| LiteralSpec::Comparison { operator, left, right, plus });
    let literal = prop_oneof![4 => atom(false), 1 => atom(true), 1 => comparison];
    // Mostly the plain head, whose arguments are the first variables.
    let head = prop_oneof![2 => Just([0, 1, 2]), 1 => [term(), term(), term()]];
    (head, vec(literal, 0..7)).prop_map(|(head, body)| ClauseSpec { head, body })
}

fn term_text(term: TermSpec) -> String {
    match term.checked_sub(N_VARIABLES) {
        Some(constant) => CONSTANTS[constant].to_owned(),
        None => char::from(b'A' + u8::try_from(term).expect("few variables")).to_string(),
    }
}

fn atom_text(name: &str, terms: impl IntoIterator<Item = String>) -> String {
    format!("{name}({})", terms.into_iter().collect::<Vec<_>>().join(","))
}

fn constants(arguments: &[usize]) -> Vec<String> {
    arguments.iter().map(|&constant| CONSTANTS[constant].to_owned()).collect()
}

impl ProgramSpec {
    fn arity(&self, predicate: usize) -> usize {
        self.arities.get(predicate).copied().unwrap_or(1)
    }

    /// The clause as text; variables that nothing values are replaced by one that has a value.
    fn clause_text(&self, clause: &ClauseSpec) -> String {
        let head = &clause.head[..self.target_arity];
        let mut valued: Vec<TermSpec> = head.iter().copied().filter(|&term| term < N_VARIABLES).collect();
        for literal in &clause.body {
            if let LiteralSpec::Atom { is_negated: false, predicate, arguments } = literal {
                valued.extend(arguments[..self.arity(*predicate)].iter().filter(|&&term| term < N_VARIABLES));
            }
        }
        let instead = valued.first().copied().unwrap_or(N_VARIABLES);
        let safe = |term: TermSpec| {
            term_text(if term >= N_VARIABLES || valued.contains(&term) { term } else { instead })
        };
        let mut text = atom_text("t", head.iter().map(|&term| term_text(term)));
        for (position, literal) in clause.body.iter().enumerate() {
            text.push_str(if position == 0 { " :- " } else { ", " });
            let literal = match literal {
                LiteralSpec::Atom { is_negated, predicate, arguments } => {
                    let arguments = &arguments[..self.arity(*predicate)];
                    let sign = if *is_negated { "\\+ " } else { "" };
                    let terms =
                        arguments.iter().map(|&term| if *is_negated { safe(term) } else { term_text(term) });
                    format!("{sign}{}", atom_text(&format!("p{predicate}"), terms))
                }
                LiteralSpec::Comparison { operator, left, right, plus } => {
                    // One side of `=` may be a variable of its own: it gets the other side's value.
                    let left = if OPERATORS[*operator] == "=" { term_text(*left) } else { safe(*left) };
                    let plus = plus.filter(|_| matches!(*operator, 0..=3 | 8));
                    let plus = plus.map_or_else(String::new, |number| format!(" + {number}"));
                    format!("{left} {} {}{plus}", OPERATORS[*operator], safe(*right))
                }
            };
            text.push_str(&literal);
        }
        text + "."
    }

    /// Writes the problem in our own layout.
    fn write(&self, folder: &Path) {
        let folds: &[&str] = if self.has_folds { &["fold1", "fold2"] } else { &["."] };
        let mut texts = vec![String::new(); 3];
        for (predicate, &arity) in self.arities.iter().enumerate() {
            // Modes may name a predicate only if it has a fact.
            writeln!(texts[0], "{}.", atom_text(&format!("p{predicate}"), constants(&[0, 1, 2][..arity])))
                .expect("text grows");
        }
        for (fold, predicate, arguments) in &self.facts {
            let arguments = constants(&arguments[..self.arity(*predicate)]);
            let fold = if self.has_folds { *fold } else { 0 };
            writeln!(texts[fold], "{}.", atom_text(&format!("p{predicate}"), arguments)).expect("text grows");
        }
        texts[0].push_str("p4(X) :- p3(X,_).\np5(Y) :- p3(_,Y), \\+ p4(Y).\np5(b).\n");
        write_file(&folder.join("background.pl"), &texts[0]);
        write_file(&folder.join("modes.pl"), &self.modes());
        for (fold_idx, fold) in folds.iter().enumerate() {
            let (mut classes, mut seen) = ([String::new(), String::new()], Vec::new());
            let given = self.examples.iter().filter(|(fold, ..)| !self.has_folds || *fold == fold_idx);
            let given = given.map(|(_, arguments, is_positive)| (*arguments, *is_positive));
            for (arguments, is_positive) in [([0, 1, 4], true), ([1, 0, 4], false)].into_iter().chain(given) {
                let arguments = arguments[..self.target_arity].to_vec();
                if !seen.contains(&arguments) {
                    let example = atom_text("t", constants(&arguments));
                    writeln!(classes[usize::from(is_positive)], "{example}.").expect("text grows");
                    seen.push(arguments);
                }
            }
            write_file(&folder.join(fold).join("neg.pl"), &classes[0]);
            write_file(&folder.join(fold).join("pos.pl"), &classes[1]);
            if self.has_folds {
                write_file(&folder.join(fold).join("background.pl"), &texts[fold_idx + 1]);
            }
        }
    }

    /// One type for all: then terms meet, and bottom clauses have cycles.
    fn modes(&self) -> String {
        let mut modes =
            format!(":- modeh(1, {}).\n", atom_text("t", vec!["+x".to_owned(); self.target_arity]));
        for (predicate, &arity) in self.arities.iter().enumerate() {
            let marks = ["+x", "-x", if predicate % 2 == 0 { "#x" } else { "-x" }];
            let terms = marks[..arity].iter().map(|&mark| mark.to_owned());
            let limit = if predicate == 1 { "2" } else { "*" };
            writeln!(modes, ":- modeb({limit}, {}).", atom_text(&format!("p{predicate}"), terms))
                .expect("text grows");
        }
        modes
            + ":- modeb(1, p4(+x)).\n:- modeb(1, \\+ p5(+x)).\n:- modeb(1, +x < +x).\n:- modeb(1, +x >= #x).\n:- modeb(1, +x = #x).\n"
    }

    fn load(&self, clauses: Vec<String>) -> Problem {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        self.write(folder.path());
        let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        with_clauses(&load_or_show(&request), clauses)
    }
}

fn load_or_show(request: &LoadRequest) -> Problem {
    let mut sources = Sources::new();
    match load(request, &mut sources) {
        Ok(loaded) => loaded.problem,
        Err(faults) => panic!("the problem does not load:\n{}", render(&faults, &sources, false)),
    }
}

fn write_file(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

fn universe(problem: &Problem, keep: impl Fn(ExampleId) -> bool) -> Universe {
    let chosen: Vec<ExampleId> = problem.examples().ids().filter(|&id| keep(id)).collect();
    Universe::new(Arc::clone(problem.examples()), &chosen)
}

fn whole(problem: &Problem) -> Universe {
    universe(problem, |_| true)
}

/// The set as the component engine finds it for one clause alone.
fn by_component(problem: &Problem, clause: &Clause, universe: &Universe) -> ExampleSet {
    cover_clause(problem.worlds(), clause, universe, &Budget::unlimited()).expect("nothing interrupts")
}

fn engine<'a>(problem: &'a Problem, universe: &'a Universe, clause: &Clause) -> ComponentEngine<'a> {
    let (head, literals) = (clause.head.clone(), clause.body.clone());
    ComponentEngine::new(problem.worlds(), universe, head, literals, Budget::unlimited())
}

/// Whether the head and the positive atoms value every variable, as in each legal candidate. An engine
/// over a table of literals leaves assignments by `=` to `normalise`.
fn is_safe(clause: &Clause) -> bool {
    let mut valued: Vec<VariableId> =
        clause.head.arguments.iter().filter_map(|term| term.variable()).collect();
    let atoms = clause.body.iter().filter(|literal| matches!(literal, Literal::Positive(_)));
    valued.extend(atoms.flat_map(Literal::variables));
    clause.body.iter().flat_map(Literal::variables).all(|variable| valued.contains(&variable))
}

/// A subset of `0..n`, in random order.
fn subset(n: usize, rng: &mut impl Rng) -> Vec<u16> {
    let mut positions: Vec<u16> = (0..u16::try_from(n).expect("few literals")).collect();
    positions.retain(|_| rng.random_bool(0.6));
    positions.shuffle(rng);
    positions
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn component_equals_reference(program in program(), clauses in vec(clause(), 1..6)) {
        let texts: Vec<String> = clauses.iter().map(|clause| program.clause_text(clause)).collect();
        let problem = program.load(texts.clone());
        let (all, some) = (whole(&problem), universe(&problem, |id| id.index() % 3 != 1));
        for (clause, text) in clauses_of(&problem).iter().zip(&texts) {
            for universe in [&all, &some] {
                let expected = reference::cover(problem.worlds(), clause, universe);
                prop_assert_eq!(by_component(&problem, clause, universe), expected, "{}", text);
            }
        }
    }

    /// Two threads over one store, which forgets at once, sometimes, or never.
    #[test]
    fn clauses_that_share_a_store_cover_what_the_reference_says(
        program in program(), clauses in vec(clause(), 4..10)
    ) {
        let texts: Vec<String> = clauses.iter().map(|clause| program.clause_text(clause)).collect();
        let problem = program.load(texts.clone());
        let universe = whole(&problem);
        for capacity in [0, 400, 1 << 30] {
            let store = Arc::new(CoverStore::with_capacity(problem.worlds(), &universe, capacity));
            let cover = |clause| {
                cover_clause_sharing(&store, clause, &Budget::unlimited()).expect("nothing interrupts")
            };
            let (forth, back) = rayon::join(
                || clauses_of(&problem).iter().map(cover).collect::<Vec<ExampleSet>>(),
                || clauses_of(&problem).iter().rev().map(cover).collect::<Vec<ExampleSet>>(),
            );
            for (position, clause) in clauses_of(&problem).iter().enumerate() {
                let expected = reference::cover(problem.worlds(), clause, &universe);
                prop_assert_eq!(&forth[position], &expected, "{}", texts[position]);
                prop_assert_eq!(&back[texts.len() - 1 - position], &expected, "{}", texts[position]);
            }
        }
    }

    /// The same in bulk, where clauses of one head share an engine, with and without the examples.
    #[test]
    fn clauses_in_bulk_cover_what_the_reference_says(
        program in program(), clauses in vec(clause(), 4..10)
    ) {
        let texts: Vec<String> = clauses.iter().map(|clause| program.clause_text(clause)).collect();
        let problem = program.load(texts.clone());
        let universe = whole(&problem);
        let plain: Vec<&Clause> = clauses_of(&problem).iter().collect();
        for capacity in [0, 400, 1 << 30] {
            let store = Arc::new(CoverStore::with_capacity(problem.worlds(), &universe, capacity));
            let cover = |lists: bool| cover_clauses(&store, &universe, &plain, lists, &Budget::unlimited());
            let (listed, counted) = rayon::join(|| cover(true), || cover(false));
            for (position, (listed, counted)) in listed.into_iter().zip(counted).enumerate() {
                let expected = reference::cover(problem.worlds(), plain[position], &universe);
                let counts = universe.counts(&expected);
                let listed = listed.expect("nothing interrupts");
                prop_assert_eq!(listed.counts, counts, "{}", &texts[position]);
                prop_assert_eq!(listed.examples.as_ref(), Some(&expected), "{}", &texts[position]);
                prop_assert_eq!(counted.expect("nothing interrupts").counts, counts, "{}", &texts[position]);
            }
        }
    }

    #[test]
    fn what_an_engine_remembers_equals_what_it_finds_afresh(
        program in program(), clause in clause(), seed in any::<u64>()
    ) {
        let problem = program.load(vec![program.clause_text(&clause)]);
        let table = &clauses_of(&problem)[0];
        let universe = whole(&problem);
        let mut shared = engine(&problem, &universe, table);
        let mut rng = stream(seed, Purpose::Search, &[]);
        for _ in 0..12 {
            let positions = subset(table.body.len(), &mut rng);
            let body: Vec<Literal> =
                positions.iter().map(|&position| table.body[usize::from(position)].clone()).collect();
            let clause = Clause::renumbered(&table.head, &body);
            if !is_safe(&clause) {
                continue;
            }
            let expected = reference::cover(problem.worlds(), &clause, &universe);
            let counts = universe.counts(&expected);
            // A count that gives up leaves covers half known; what follows must not notice.
            let min_positives = rng.random_range(0..=counts.true_positives + 1);
            let counted = (counts.true_positives >= min_positives).then_some(counts);
            let weights = (&universe, &random_weights(&universe, &mut rng));
            if rng.random_bool(0.5) {
                prop_assert!(weighs_as(&mut shared, &positions, weights, &expected, min_positives));
            }
            prop_assert_eq!(shared.count(&positions, min_positives), Ok(counted));
            prop_assert_eq!(shared.cover(&positions), Ok(expected.clone()));
            prop_assert!(weighs_as(&mut shared, &positions, weights, &expected, min_positives));
            let mut fresh = engine(&problem, &universe, table);
            prop_assert!(weighs_as(&mut fresh, &positions, weights, &expected, min_positives));
            prop_assert_eq!(shared.count(&positions, min_positives), Ok(counted));
            prop_assert_eq!(engine(&problem, &universe, table).count(&positions, min_positives), Ok(counted));
            prop_assert_eq!(engine(&problem, &universe, table).cover(&positions), Ok(expected));
        }
    }

    #[test]
    fn a_bottom_clause_and_its_candidates_cover_the_seed(
        program in program(), seed in any::<u64>(), has_identity in any::<bool>(),
    ) {
        let object_identity = if has_identity { ObjectIdentity::On } else { ObjectIdentity::Off };
        let problem = program.load(Vec::new());
        let universe = whole(&problem);
        let mut rng = stream(seed, Purpose::Search, &[]);
        for example in universe.positives().take(3) {
            let config = SaturationConfig { depth: rng.random_range(1..=3), max_bottom_literals: 14, negation: Negation::Proposed, object_identity, thresholds: gleaner_lang::program::Thresholds::Seed, max_thresholds: usize::MAX };
            let background = &problem.worlds()[problem.examples().world(example).index()];
            let bottom = saturate(background, problem.modes(), problem.examples(), example, config);
            prop_assert!(bottom.literals.len() <= config.max_bottom_literals);
            let all = (0..bottom.literals.len()).map(|position| u16::try_from(position).expect("few literals"));
            // Of the seed's values a constant and a variable may be one: then object identity refuses the seed itself.
            let covers = |clause: &Clause| {
                has_identity || reference::covers(background, clause, problem.examples().arguments(example))
            };
            prop_assert!(covers(&bottom.clause(&all.collect::<Vec<_>>())));
            let space = RefinementSpace::new(&bottom, rng.random_range(2..=6));
            let literals = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
            let mut engine = ComponentEngine::new(
                problem.worlds(), &universe, bottom.head.clone(), literals, Budget::unlimited(),
            );
            if let Some(distinctions) = &bottom.distinctions {
                engine = engine.with_distinctions(Arc::clone(distinctions));
            }
            for n_body in 0..5 {
                let candidate = space.draw(n_body, &mut rng);
                let clause = bottom.clause(candidate.positions());
                prop_assert!(candidate.positions().len() <= n_body && space.is_legal(&candidate));
                prop_assert!(covers(&clause));
                let cover = engine.cover(candidate.positions()).expect("nothing interrupts");
                prop_assert_eq!(&cover, &reference::cover(problem.worlds(), &clause, &universe));
                for (other, is_longer) in neighbours(&space, &candidate) {
                    prop_assert!(space.is_legal(&other) && is_safe(&bottom.clause(other.positions())));
                    let other_cover = engine.cover(other.positions()).expect("nothing interrupts");
                    let (longer, shorter) = if is_longer { (&other_cover, &cover) } else { (&cover, &other_cover) };
                    let mut common = longer.clone();
                    common.intersect_with(shorter);
                    prop_assert_eq!(&common, longer, "a literal added coverage");
                }
            }
            prop_assert!(covers_are_those_of_the_reference(&problem, &bottom, &space, &mut rng));
        }
    }
}

/// All steps from a candidate; true for those that add a literal.
fn neighbours(space: &RefinementSpace<'_>, candidate: &Candidate) -> Vec<(Candidate, bool)> {
    let additions = space.additions(candidate).into_iter().map(|other| (other, true));
    let removals = space.removals(candidate).into_iter().map(|other| (other, false));
    additions.chain(removals).collect()
}

/// Steps along a random walk are covered alike by both engines, each clause by itself.
fn covers_are_those_of_the_reference(
    problem: &Problem,
    bottom: &BottomClause,
    space: &RefinementSpace<'_>,
    rng: &mut impl Rng,
) -> bool {
    let universe = whole(problem);
    let mut candidate = Candidate::default();
    (0..4).all(|_| {
        let steps = neighbours(space, &candidate);
        if !steps.is_empty() {
            candidate = steps[rng.random_range(0..steps.len())].0.clone();
        }
        let clause = bottom.clause(candidate.positions());
        by_component(problem, &clause, &universe) == reference::cover(problem.worlds(), &clause, &universe)
    })
}

/// The smallest program, for clauses written by hand.
fn small(clauses: &[&str]) -> Problem {
    let program = ProgramSpec {
        arities: [1, 2, 3, 2],
        target_arity: 2,
        has_folds: false,
        facts: vec![(0, 1, [2, 3, 0]), (0, 1, [3, 4, 0]), (0, 3, [4, 5, 0])],
        examples: vec![(0, [2, 3, 0], true), (0, [3, 4, 0], true), (0, [4, 2, 0], false)],
    };
    program.load(clauses.iter().map(|&clause| clause.to_owned()).collect())
}

fn agree_on(clause: &str) {
    let problem = small(&[clause]);
    let universe = whole(&problem);
    let expected = reference::cover(problem.worlds(), &clauses_of(&problem)[0], &universe);
    assert_eq!(by_component(&problem, &clauses_of(&problem)[0], &universe), expected, "{clause}");
}

/// Alone the comparison has no value for `C` and is not true; with the atom it is. What was found of the
/// part must not be taken for what its super-part can cover at most.
#[test]
fn an_unsafe_body_does_not_spoil_what_an_engine_says_next() {
    let problem = small(&["t(A,B) :- p1(C,D), C =< 2.", "t(A,B) :- \\+ p0(C), p1(C,D)."]);
    let universe = whole(&problem);
    for clause in clauses_of(&problem) {
        let mut engine = engine(&problem, &universe, clause);
        let expected = reference::cover(problem.worlds(), clause, &universe);
        for single in 0..2 {
            let alone = Clause::renumbered(&clause.head, &clause.body[single..=single]);
            let position = u16::try_from(single).expect("two literals");
            assert_eq!(engine.cover(&[position]), Ok(reference::cover(problem.worlds(), &alone, &universe)));
        }
        assert_eq!(engine.cover(&[0, 1]), Ok(expected));
    }
}

/// The loader refuses such clauses; whoever builds one gets the same from both engines.
#[test]
fn an_equality_of_two_variables_without_value_means_the_same_to_both() {
    let problem = small(&["t(A,B) :- p0(A), p1(C,D)."]);
    let universe = whole(&problem);
    let plain = &clauses_of(&problem)[0];
    let [Literal::Positive(p0), Literal::Positive(p1)] = &plain.body[..] else { panic!("two atoms") };
    let equality = Literal::Comparison(Comparison {
        operator: ComparisonOperator::Unify,
        left: Expression::Term(p1.arguments[0]),
        right: Expression::Term(p1.arguments[1]),
    });
    let negated = Literal::Negative(Atom { predicate: p0.predicate, arguments: vec![p1.arguments[0]] });
    for rest in [vec![], vec![plain.body[0].clone()], vec![negated]] {
        let body: Vec<Literal> = std::iter::once(equality.clone()).chain(rest).collect();
        let clause = Clause::renumbered(&plain.head, &body);
        let expected = reference::cover(problem.worlds(), &clause, &universe);
        assert_eq!(by_component(&problem, &clause, &universe), expected, "{body:?}");
    }
}

#[test]
fn equalities_in_chains_and_contradictions() {
    agree_on("t(A,B) :- C = D, D = 1, p1(C,B).");
    agree_on("t(A,B) :- C = A, D = C, p1(D,B), a = a.");
    agree_on("t(A,B) :- p0(C), a = b.");
    agree_on("t(A,B) :- A = B, 1 = 1.0.");
    agree_on("t(A,A) :- A = 1, p1(A,1.0).");
}

/// Equal by value, not as terms: `1 = 1.0` is false, `1 =< 1.0` true, and atoms have no order.
#[test]
fn numbers_compare_by_value_and_are_told_apart_as_terms() {
    let clauses = ["t(A,B) :- A = B.", "t(A,B) :- A =< B, B =< A.", "t(A,B) :- A < B.", "t(A,B) :- A >= a."];
    let problem = small(&clauses);
    let universe = whole(&problem);
    let n_covered = |clause: &Clause| reference::cover(problem.worlds(), clause, &universe).count();
    // Examples: (1,1.0) and (1.0,2) positive, (2,1) negative, and two of a and b.
    assert_eq!(clauses_of(&problem).iter().map(n_covered).collect::<Vec<_>>(), [0, 1, 1, 0]);
}

/// Floats have two zeros, and neither is less than the other.
#[test]
fn minus_zero_is_zero_by_value() {
    let problem = small(&["t(A,B) :- -0.0 < 0.", "t(A,B) :- -0.0 < 0.0.", "t(A,B) :- -0.0 >= 0, 0 >= -0.0."]);
    let universe = whole(&problem);
    let covers = clauses_of(&problem).iter().map(|clause| by_component(&problem, clause, &universe).count());
    assert_eq!(covers.collect::<Vec<_>>(), [0, 0, problem.examples().len()]);
}

#[test]
fn a_literal_without_variables_is_a_part_of_its_own() {
    agree_on("t(A,B) :- p0(a).");
    agree_on("t(A,B) :- p0(b).");
    agree_on("t(A,B) :- \\+ p0(a), p1(A,B).");
    agree_on("t(a,b).");
    assert!(matches!(clauses_of(&small(&["t(a,B) :- p0(a)."]))[0].head.arguments[0], Term::Constant(_)));
}

/// The right side is worked out before it is compared.
#[test]
fn arithmetic_within_comparisons() {
    agree_on("t(A,B) :- A + 1 =< B * 2.");
    agree_on("t(A,B) :- p1(A,C), C > A - 1, \\+ p0(C).");
    let problem = small(&["t(A,B) :- B >= A + 1."]);
    let Literal::Comparison(comparison) = &clauses_of(&problem)[0].body[0] else {
        panic!("a comparison was written")
    };
    assert!(matches!(comparison.right, Expression::Binary(..)));
}

/// 200 nodes, 3,000 links and 600 weighted ones, and sets from three nodes to 150.
fn random_links(examples: [String; 2], clauses: Vec<String>) -> Problem {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut rng = stream(3, Purpose::Generate, &[]);
    let mut facts: Vec<String> = Vec::new();
    for _ in 0..3_000 {
        facts.push(format!("link(n{}, n{}).", rng.random_range(0..200), rng.random_range(0..200)));
    }
    for _ in 0..600 {
        let (from, to) = (rng.random_range(0..200), rng.random_range(0..200));
        facts.push(format!("weighted(n{from}, n{to}, w{}).", rng.random_range(0..20)));
    }
    facts.extend((0..3).map(|node| format!("rare(n{}).", 7 + 50 * node)));
    facts.extend((0..200).filter(|node| node % 4 != 1).map(|node| format!("common(n{node}).")));
    facts.extend((0..200).filter(|node| node % 3 == 1).map(|node| format!("third(n{node}).")));
    write_file(&folder.path().join("background.pl"), &facts.join("\n"));
    let modes = ["link(+node, -node)", "weighted(+node, -node, #weight)", "rare(+node)", "common(+node)"];
    let modes = modes.map(|mode| format!(":- modeb(*, {mode}).\n")).concat();
    let n_head = clauses[0].split(')').next().map_or(0, |head| head.matches(',').count() + 1);
    let head = vec!["+node"; n_head].join(",");
    let modes = format!(":- modeh(1, good({head})).\n{modes}:- modeb(*, third(+node)).\n");
    write_file(&folder.path().join("modes.pl"), &modes);
    for (file, examples) in ["pos.pl", "neg.pl"].iter().zip(examples) {
        write_file(&folder.path().join(file), &examples);
    }
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    with_clauses(&load_or_show(&request), clauses)
}

fn clauses(head: &str, bodies: &[&str]) -> Vec<String> {
    bodies.iter().map(|body| format!("{head} :- {body}.")).collect()
}

/// Each clause over one store; most cover neither nothing nor all.
fn bodies_agree(problem: &Problem) {
    let universe = whole(problem);
    let store = Arc::new(CoverStore::new(problem.worlds(), &universe));
    let mut n_selective = 0;
    for clause in clauses_of(problem) {
        let expected = reference::cover(problem.worlds(), clause, &universe);
        n_selective += usize::from((1..universe.all().count()).contains(&expected.count()));
        let found = cover_clause_sharing(&store, clause, &Budget::unlimited()).expect("nothing interrupts");
        assert_eq!(found, expected, "{}", clause_text(clause, problem.symbols()));
    }
    assert!(n_selective * 2 > clauses_of(problem).len(), "{n_selective}");
}

/// Semi-joins begin at every side that they can begin at.
#[test]
fn semi_joins_equal_reference_from_every_side() {
    let bodies = [
        "link(A,C), rare(C)",
        "link(C,A), rare(C)",
        "link(C,B), rare(C), link(B,D), third(D)",
        "link(A,C), common(C), third(C)",
        "link(A,C), common(A), rare(A)",
        "link(A,C), link(C,D), rare(D)",
        "link(C,A), link(D,C), rare(D), common(C)",
        "weighted(A,C,w3), common(C)",
        "weighted(C,A,w3), rare(C)",
        "weighted(C,B,D), rare(C)",
        "link(A,A), common(A)",
        "link(C,C), link(A,C)",
        "link(A,C), link(C,B), third(C)",
        "link(A,C), link(C,B), rare(C)",
        "link(A,C), link(A,D), link(C,D), third(C)",
        "link(A,C), \\+ link(C,A)",
        "link(A,C), \\+ rare(C), C \\== B",
        "link(C,D), rare(C), third(D)",
        "link(A,C), link(C,D), link(D,B), common(C), third(D)",
    ];
    let pairs = |nodes: std::ops::Range<usize>| -> String {
        nodes.map(|node| format!("good(n{node}, n{}).\n", node * 37 % 200)).collect()
    };
    bodies_agree(&random_links([pairs(0..80), pairs(80..200)], clauses("good(A,B)", &bodies)));
}

/// Five nodes, each beside forty: the second nodes are found for the first ones.
#[test]
fn pairs_equal_reference_whatever_a_join_leaves() {
    let bodies = [
        "link(A,B)",
        "link(B,A), common(B)",
        "link(A,C), link(C,B)",
        "link(A,C), link(C,B), rare(C)",
        "link(A,C), \\+ link(C,A), link(C,B)",
        "link(A,C), \\+ rare(C), link(C,B), common(B)",
        "link(A,C), C \\== A, link(C,B), third(C)",
        "link(A,C), link(C,D), link(D,A), link(C,B)",
        "link(A,C), link(C,D), \\+ link(D,A), link(C,B), rare(D)",
        "link(A,C), link(C,D), link(D,B), link(A,D), third(C)",
        "link(A,C), link(C,B), \\+ link(A,B)",
        "link(A,C), weighted(C,B,w3)",
        "weighted(A,C,W), weighted(C,B,V), W \\== V",
        "link(A,B), link(B,C), link(C,A), rare(C)",
        "link(A,B), \\+ third(B), link(C,B), rare(C)",
    ];
    let pairs = |seconds: std::ops::Range<usize>| -> String {
        let of_first = |first: usize| {
            let second = move |second: usize| (second * 7 + first) % 200;
            seconds.clone().map(move |at| format!("good(n{first}, n{}).\n", second(at))).collect::<String>()
        };
        (0..200).step_by(40).map(of_first).collect()
    };
    bodies_agree(&random_links([pairs(0..15), pairs(15..40)], clauses("good(A,B)", &bodies)));
}

/// Of the examples two thirds have one node for both first arguments: a head that asks for this shares what
/// it finds with one that does not.
#[test]
fn heads_that_match_more_and_less_share_covers() {
    let bodies = ["link(A,D), link(D,C)", "link(C,A)", "link(A,D), third(D), link(D,C)"];
    let mut all = clauses("good(A,A,C)", &bodies);
    all.extend(clauses("good(A,B,C)", &bodies));
    let triples = |thirds: std::ops::Range<usize>| -> String {
        let of_first = |first: usize| {
            let triple = move |third: usize| {
                let second = if third.is_multiple_of(3) { first + 1 } else { first };
                format!("good(n{first}, n{second}, n{}).\n", (third * 7 + first) % 200)
            };
            thirds.clone().map(triple).collect::<String>()
        };
        (0..200).step_by(40).map(of_first).collect()
    };
    bodies_agree(&random_links([triples(0..15), triples(15..40)], all));
}
