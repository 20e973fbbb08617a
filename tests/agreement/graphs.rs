//! Random graphs of hundreds of nodes, so that values, rows and examples span many words: each way in which
//! the engine finds a part, against the reference.
//!
//! Relations are local (chains, trees whose children are runs of neighbours, functions) or random. A
//! *table* of literals is grown from the head; clauses are subsets of it, around each of which its
//! neighbours are looked at in the way of a search.

use crate::support::asked::{clauses_of, with_clauses};
use std::fmt::Write as _;
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleSet};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe, reference};
use gleaner_lang::program::{Clause, Literal, Term};
use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, proptest};
use proptest::prop_oneof;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64;

use super::{is_safe, load_or_show, whole, write_file};
use crate::support::prover::{self, Twin};
use crate::support::weights::{random_weights, weighs_as};

const UNARY: [&str; 3] = ["rare", "half", "run"];
const BINARY: [&str; 7] = ["next", "child", "father", "near", "sparse", "hub", "even"];
/// Their third argument is a weight: a function of the first, of none, of the first in another place.
const WEIGHTED: [&str; 2] = ["coloured", "weighted"];
/// Their third argument is a node: any, or a function of the second, or of the first.
const TERNARY: [&str; 3] = ["triple", "grand", "home"];

const N_WEIGHTS: usize = 10;
/// What the reference itself is asked for: rows that it looks at.
const MOST_ROWS: u64 = 250_000;

/// The shape of a problem.
#[derive(Clone, Copy, Debug)]
struct Shape {
    n_nodes: usize,
    n_head: usize,
    has_folds: bool,
    /// Whether many examples have the same first node, which then determines the third.
    has_sources: bool,
    seed: u64,
}

fn node(node: usize) -> String {
    format!("n{node:03}")
}

/// The facts of one world. With folds each has its own edges over the same nodes.
fn facts(n: usize, rng: &mut Pcg64) -> String {
    let mut text = String::new();
    let mut add = |name: &str, arguments: &[String]| {
        writeln!(text, "{name}({}).", arguments.join(",")).expect("text grows");
    };
    let weight = |node: usize| (node * 7 / 3 % N_WEIGHTS).to_string();
    let run = (rng.random_range(0..n), rng.random_range(2..n));
    // Each of these takes some part of the nodes alone, so that columns begin and end anywhere.
    let from = rng.random_range(0..n / 2);
    for at in 0..n {
        if rng.random_range(0..30) == 0 || at == 3 {
            add("rare", &[node(at)]);
        }
        if rng.random_bool(0.5) {
            add("half", &[node(at)]);
        }
        if (at + n - run.0) % n < run.1 {
            add("run", &[node(at)]);
        }
        if at + 1 < n && at % 9 != 8 {
            add("next", &[node(at), node(at + 1)]);
        }
        let father = at.saturating_sub(1) / 5 + from * usize::from(at % 3 == 0);
        add("father", &[node(at), node(father % n)]);
        add("grand", &[node(rng.random_range(0..n)), node(at), node(father % n)]);
        if at >= from {
            add("coloured", &[node(at), node((at + rng.random_range(0..70)) % n), weight(at)]);
            add("coloured", &[node(at), node((at + 1) % n), weight(at)]);
            add("home", &[node(at), node(rng.random_range(0..n)), node(at / 8 * 8)]);
            add("home", &[node(at), node(at), node(at / 8 * 8)]);
        }
        let some = rng.random_range(0..N_WEIGHTS).to_string();
        add("weighted", &[node(at), node((at + rng.random_range(0..4)) % n), some.clone()]);
        add("weighted", &[node(rng.random_range(0..n)), node(at), some]);
        add("near", &[node(at), node((at + rng.random_range(0..6)) % n)]);
        add("near", &[node(at), node((at + n - rng.random_range(0..3)) % n)]);
        let [left, right] = [0, 1].map(|_| rng.random_range(0..n));
        add("sparse", &[node(left), node(right)]);
        add("triple", &[node(at), node((at + right % 5) % n), node(left)]);
        add("triple", &[node(left), node(at), node((at + 1) % n)]);
        if at % 2 == 0 {
            add("even", &[node(at), node((at * 3 + 1) % n)]);
        }
    }
    // Runs of children; a child may have several parents.
    let mut child = 1;
    for parent in 0..n {
        let n_children = if parent % 4 == 0 { rng.random_range(3..90_usize).min(n / 3) } else { 1 };
        (child..child + n_children).for_each(|child| add("child", &[node(parent), node(child % n)]));
        child += rng.random_range(0..=n_children);
    }
    // Few keys, targets in many words.
    for hub in (from % 16..n).step_by(16) {
        (0..n).step_by(rng.random_range(1..6)).for_each(|target| add("hub", &[node(hub), node(target)]));
    }
    text
}

fn modes(n_head: usize) -> String {
    let mut modes = format!(":- modeh(1, t({})).\n", vec!["+node"; n_head].join(","));
    let mut add = |names: &[&str], types: &str| {
        names.iter().for_each(|name| writeln!(modes, ":- modeb(*, {name}({types})).").expect("text grows"));
    };
    add(&UNARY, "+node");
    add(&BINARY, "+node,-node");
    add(&WEIGHTED, "+node,-node,-weight");
    add(&TERNARY, "+node,-node,-node");
    modes
}

impl Shape {
    fn load(&self, clause: String) -> Problem {
        let mut rng = stream(self.seed, Purpose::Generate, &[1]);
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write_file(&folder.path().join("modes.pl"), &modes(self.n_head));
        let folds: &[&str] = if self.has_folds { &["fold1", "fold2"] } else { &["."] };
        // More than a word of positives, more than a block of negatives.
        let sizes = [rng.random_range(20..150), rng.random_range(100..800)];
        for fold in folds {
            let part = folder.path().join(fold);
            write_file(&part.join("background.pl"), &facts(self.n_nodes, &mut rng));
            let mut seen = Vec::new();
            for (file, n_examples) in ["pos.pl", "neg.pl"].into_iter().zip(sizes) {
                let mut text = String::new();
                for _ in 0..n_examples / folds.len() {
                    let example = self.example(&mut rng);
                    if !seen.contains(&example) {
                        writeln!(text, "t({}).", example.join(",")).expect("text grows");
                        seen.push(example);
                    }
                }
                write_file(&part.join(file), &text);
            }
        }
        let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        with_clauses(&load_or_show(&request), &[clause])
    }

    /// Nodes that mostly have to do with each other.
    fn example(&self, rng: &mut Pcg64) -> Vec<String> {
        let mut at = rng.random_range(0..self.n_nodes);
        if self.has_sources && self.n_head > 1 {
            at = at / 16 * 16;
        }
        let first = at;
        let mut arguments = vec![node(at)];
        while arguments.len() < self.n_head {
            at = match rng.random_range(0..4) {
                0 => at.saturating_sub(1) / 5,
                1 => at + 1,
                2 => at + rng.random_range(0..12),
                _ => rng.random_range(0..self.n_nodes),
            } % self.n_nodes;
            arguments.push(node(at));
        }
        if let (true, Some(third)) = (self.has_sources, arguments.get_mut(2)) {
            *third = node((first + 3) % self.n_nodes);
        }
        arguments
    }
}

/// A table of literals as it grows.
struct Table {
    nodes: Vec<String>,
    weights: Vec<String>,
    literals: Vec<String>,
    /// Two arguments of each atom between nodes, for bundles.
    edges: Vec<[String; 2]>,
    n_nodes: usize,
}

impl Table {
    fn new(shape: &Shape) -> Self {
        let nodes = ["A", "B", "C"][..shape.n_head].iter().map(|&name| name.to_owned()).collect();
        let (literals, edges) = (Vec::new(), Vec::new());
        Self { nodes, weights: Vec::new(), literals, edges, n_nodes: shape.n_nodes }
    }

    fn some_node(&self, rng: &mut Pcg64) -> String {
        self.nodes.choose(rng).expect("the head has a variable").clone()
    }

    /// A binary predicate; where nodes are many, often the one with many words of targets.
    fn binary(&self, rng: &mut Pcg64) -> &'static str {
        if self.n_nodes > 512 && rng.random_bool(0.3) {
            return "hub";
        }
        BINARY.choose(rng).expect("there are some")
    }

    fn new_node(&mut self) -> String {
        let name = format!("N{}", self.nodes.len());
        self.nodes.push(name.clone());
        name
    }

    /// A weight: new, known, or a constant.
    fn weight(&mut self, rng: &mut Pcg64) -> String {
        match rng.random_range(0..4) {
            0 => rng.random_range(0..N_WEIGHTS).to_string(),
            1 if !self.weights.is_empty() => self.weights.choose(rng).expect("there is one").clone(),
            _ => {
                let name = format!("W{}", self.weights.len());
                self.weights.push(name.clone());
                name
            }
        }
    }

    /// An atom with these two in some direction.
    fn atom(&mut self, left: &str, right: &str, rng: &mut Pcg64) -> String {
        let (left, right) = if rng.random_bool(0.5) { (left, right) } else { (right, left) };
        match rng.random_range(0..11) {
            0..7 => format!("{}({left},{right})", self.binary(rng)),
            7 | 8 => {
                let weight = self.weight(rng);
                format!("{}({left},{right},{weight})", WEIGHTED.choose(rng).expect("there are some"))
            }
            _ => {
                let third = match rng.random_range(0..4) {
                    0 => node(rng.random_range(0..self.n_nodes)),
                    1 if self.nodes.len() < 9 => self.new_node(),
                    2 => left.to_owned(),
                    _ => self.some_node(rng),
                };
                if self.nodes.contains(&third) {
                    self.edges.push([left.to_owned(), third.clone()]);
                    self.edges.push([right.to_owned(), third.clone()]);
                }
                let mut arguments = [left.to_owned(), right.to_owned(), third];
                if rng.random_bool(0.3) {
                    arguments.shuffle(rng);
                }
                let arguments = arguments.join(",");
                format!("{}({arguments})", TERNARY.choose(rng).expect("there are some"))
            }
        }
    }

    /// Not between these two, or between one and no other at all, whatever the third.
    fn negated(&self, left: &str, right: &str, rng: &mut Pcg64) -> String {
        let name = self.binary(rng);
        match rng.random_range(0..6) {
            0 => format!("\\+ {name}({left},_)"),
            1 => format!("\\+ {name}(_,{right})"),
            2 => {
                let mut arguments = [left, right, "_"];
                arguments.shuffle(rng);
                format!("\\+ {}({})", TERNARY.choose(rng).expect("there are some"), arguments.join(","))
            }
            _ => format!("\\+ {name}({left},{right})"),
        }
    }

    /// Negations between what else has nothing to do with each other: two branches, a branch and any
    /// node, or the two other nodes of one atom.
    fn grow_apart(&mut self, rng: &mut Pcg64) {
        let (left, right) = (self.some_node(rng), self.some_node(rng));
        let [first, second] = [self.new_node(), self.new_node()];
        let name = self.binary(rng);
        match rng.random_range(0..3) {
            0 => {
                let branches = [self.atom(&left, &first, rng), self.atom(&right, &second, rng)];
                self.literals.extend(branches);
                self.literals.push(format!("\\+ {name}({first},{second})"));
            }
            1 => {
                let branch = self.atom(&left, &first, rng);
                // Few values, so that it depends on the other node whether one passes.
                let known = node(rng.random_range(0..self.n_nodes));
                let few = if rng.random_bool(0.3) {
                    format!("rare({second})")
                } else {
                    format!("next({known},{second})")
                };
                self.literals.extend([branch, few]);
                self.literals.push(format!("\\+ {}({first},{second})", self.binary(rng)));
            }
            _ => {
                let ternary = TERNARY.choose(rng).expect("there are some");
                self.literals.push(format!("{ternary}({left},{first},{second})"));
                self.literals.push(format!("\\+ {name}({left},{first})"));
                self.literals.push(format!("\\+ {name}({left},{second})"));
            }
        }
    }

    /// Literals more: a branch, a cycle, a bundle, or a check of what is there.
    fn grow(&mut self, rng: &mut Pcg64) {
        if self.nodes.len() < 8 && rng.random_range(0..9) == 0 {
            return self.grow_apart(rng);
        }
        let (left, right) = (self.some_node(rng), self.some_node(rng));
        let literal = match rng.random_range(0..20) {
            0..6 if self.nodes.len() < 9 => {
                let new = self.new_node();
                self.edges.push([left.clone(), new.clone()]);
                self.atom(&left, &new, rng)
            }
            // Alone between two variables, these leave parts whose one bound variable no atom holds.
            6 if left != right => self.negated(&left, &right, rng),
            7 if left != right && rng.random_bool(0.3) => format!("{left} \\== {right}"),
            7..10 if left != right => {
                self.edges.push([left.clone(), right.clone()]);
                self.atom(&left, &right, rng)
            }
            10..13 if !self.edges.is_empty() => {
                let [left, right] = self.edges.choose(rng).expect("there is one").clone();
                match rng.random_range(0..6) {
                    0 | 1 => self.negated(&left, &right, rng),
                    2 => format!("{left} \\== {right}"),
                    _ => self.atom(&left, &right, rng),
                }
            }
            13 => format!("\\+ {}({left})", UNARY.choose(rng).expect("there are some")),
            14 => {
                let constant = node(rng.random_range(0..self.n_nodes));
                self.atom(&left, &constant, rng)
            }
            15 => format!("{}({left},{left})", self.binary(rng)),
            16 if self.weights.len() > 1 => {
                let mut weight = || self.weights.choose(rng).expect("there is one").clone();
                format!("{} < {}", weight(), weight())
            }
            17 if !self.weights.is_empty() => {
                let weight = self.weights.choose(rng).expect("there is one").clone();
                format!("{weight} >= {}", rng.random_range(0..N_WEIGHTS))
            }
            _ => format!("{}({left})", UNARY.choose(rng).expect("there are some")),
        };
        self.literals.push(literal);
    }
}

/// The table's clause as text: all that is valued.
fn table(shape: &Shape, rng: &mut Pcg64) -> String {
    let mut table = Table::new(shape);
    while table.literals.len() < 16 {
        table.grow(rng);
    }
    let is_atom = |literal: &&String| !literal.contains(['\\', '<', '>']);
    let atoms = table.literals.iter().filter(is_atom).cloned().collect::<Vec<_>>().join(" ");
    let head = table.nodes[..shape.n_head].join(",");
    let is_valued = |name: &&String| {
        atoms.split(|letter: char| !letter.is_alphanumeric()).chain(head.split(',')).any(|word| word == *name)
    };
    let unvalued: Vec<&String> =
        table.nodes.iter().chain(&table.weights).filter(|name| !is_valued(name)).collect();
    let mut literals = table.literals.clone();
    literals.retain(|literal| {
        !unvalued
            .iter()
            .any(|name| literal.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == *name))
    });
    format!("t({head}) :- {}.", literals.join(", "))
}

/// A start around a check of a table or two: the checks, and for each of their variables an atom.
fn around_a_check(table: &Clause, rng: &mut Pcg64) -> Vec<u16> {
    let all = (0_u16..).zip(&table.body);
    let (atoms, mut checks): (Vec<_>, Vec<_>) =
        all.partition(|(_, literal)| matches!(literal, Literal::Positive(_)));
    checks.shuffle(rng);
    checks.truncate(rng.random_range(1..3));
    let mut start: Vec<u16> = checks.iter().map(|(position, _)| *position).collect();
    let mut valued: Vec<_> = table.head.arguments.iter().filter_map(|term| term.variable()).collect();
    for variable in checks.iter().flat_map(|(_, literal)| literal.variables()) {
        let holding = || atoms.iter().filter(|(_, literal)| literal.variables().contains(&variable));
        if !valued.contains(&variable)
            && let Some(&(position, literal)) = holding().collect::<Vec<_>>().choose(rng).copied()
        {
            start.push(position);
            valued.extend(literal.variables());
        }
    }
    start
}

/// Subsets of a table: starts that hang together, then one literal more or less, many from each.
fn candidates(table: &Clause, rng: &mut Pcg64) -> Vec<Vec<u16>> {
    let n = u16::try_from(table.body.len()).expect("few literals");
    let mut all: Vec<Vec<u16>> = Vec::new();
    for _ in 0..4 {
        let mut current = if rng.random_bool(0.4) { around_a_check(table, rng) } else { Vec::new() };
        all.push(current.clone());
        let n_start = rng.random_range(1..6);
        for _ in 0..30 {
            let next = rng.random_range(0..n);
            let mut variables = table.body[usize::from(next)].variables();
            variables.retain(|variable| {
                !table.head.arguments.iter().any(|term| term.variable() == Some(*variable))
            });
            let known = current.iter().flat_map(|&position| table.body[usize::from(position)].variables());
            let hangs = variables.is_empty()
                || table.body[usize::from(next)].variables().len() > variables.len()
                || known.into_iter().any(|variable| variables.contains(&variable));
            if current.len() < n_start && !current.contains(&next) && (hangs || rng.random_range(0..6) == 0) {
                current.push(next);
            }
        }
        for _ in 0..2 {
            let mut steps: Vec<Vec<u16>> = (0..n)
                .filter(|position| !current.contains(position))
                .map(|position| [&current[..], &[position]].concat())
                .collect();
            steps.shuffle(rng);
            steps.truncate(5);
            steps.extend(
                (0..current.len()).map(|left_out| [&current[..left_out], &current[left_out + 1..]].concat()),
            );
            steps.retain(|positions| positions.len() < 7);
            all.extend(steps.iter().cloned());
            current = steps.choose(rng).cloned().unwrap_or_default();
        }
    }
    // A body that leaves a variable without value is not true, and what is found of it must not spoil others.
    all.retain(|positions| is_safe(&at(table, positions)) || rng.random_range(0..3) == 0);
    all
}

/// The table with one variable for the first two of its head: it matches few examples, or none.
fn merged(table: &Clause) -> Clause {
    let [first, second, ..] = table.head.arguments[..] else { return table.clone() };
    let mut merge = |term: Term| if term == second { first } else { term };
    let body = table.body.iter().map(|literal| literal.map_terms(&mut merge)).collect();
    Clause { head: table.head.map_terms(&mut merge), body, n_variables: table.n_variables }
}

fn at(table: &Clause, positions: &[u16]) -> Clause {
    let body: Vec<Literal> =
        positions.iter().map(|&position| table.body[usize::from(position)].clone()).collect();
    Clause::renumbered(&table.head, &body)
}

/// Clauses over tables and what they cover with the head of each; those that are too dear to prove are
/// left out.
fn with_covers(
    problem: &Problem,
    universe: &Universe,
    tables: &[Clause; 2],
    candidates: Vec<Vec<u16>>,
) -> Vec<(Vec<u16>, Vec<ExampleSet>)> {
    let cover = |clause: Clause| {
        let Twin { cover: Some(cover), n_rows } = prover::cover(problem.worlds(), &clause, universe, 60_000)
        else {
            return None;
        };
        if n_rows < MOST_ROWS {
            assert_eq!(reference::cover(problem.worlds(), &clause, universe), cover, "the reference's twin");
        }
        Some(cover)
    };
    let covers = |positions: Vec<u16>| {
        let covers: Option<Vec<ExampleSet>> =
            tables.iter().map(|table| cover(at(table, &positions))).collect();
        Some((positions, covers?))
    };
    candidates.into_iter().filter_map(covers).collect()
}

/// The first question that some engine answers otherwise than the reference: engines for two heads take
/// turns on each of three stores, one of which forgets all the time.
fn disagreement(
    problem: &Problem,
    universe: &Universe,
    tables: &[Clause; 2],
    clauses: &[(Vec<u16>, Vec<ExampleSet>)],
    rng: &mut Pcg64,
) -> Option<String> {
    let weights = random_weights(universe, rng);
    for capacity in [0, 6 << 10, 1 << 30] {
        let store = Arc::new(CoverStore::with_capacity(problem.worlds(), universe, capacity));
        let mut engines = [0, 0, 1].map(|head: usize| {
            let table = &tables[head];
            ComponentEngine::sharing(&store, table.head.clone(), table.body.clone(), Budget::unlimited())
        });
        // Counts alone leave covers known in part; then all is asked for, in any order.
        let mut questions: Vec<(usize, bool)> = Vec::new();
        for first in (0..clauses.len()).step_by(16) {
            let batch = first..clauses.len().min(first + 16);
            questions.extend(batch.clone().map(|clause| (clause, true)));
            let mut again: Vec<(usize, bool)> =
                batch.flat_map(|clause| [(clause, true), (clause, false)]).collect();
            again.shuffle(rng);
            questions.extend(again);
        }
        for (clause, is_count) in questions {
            let (positions, covers) = &clauses[clause];
            let engine = rng.random_range(0..3);
            let head = usize::from(engine == 2);
            let (engine, expected) = (&mut engines[engine], &covers[head]);
            let counts = universe.counts(expected);
            let min_positives = rng.random_range(0..=counts.true_positives + 1);
            let agrees = if is_count && rng.random_bool(0.5) {
                weighs_as(engine, positions, (universe, &weights), expected, min_positives)
            } else if is_count {
                engine.count(positions, min_positives)
                    == Ok((counts.true_positives >= min_positives).then_some(counts))
            } else {
                engine.cover(positions).as_ref() == Ok(expected)
            };
            if !agrees {
                let clause = at(&tables[head], positions);
                let text = gleaner_lang::program::display::clause_text(&clause, problem.symbols());
                return Some(format!(
                    "capacity {capacity}, is_count {is_count}, from {min_positives}: {text}"
                ));
            }
        }
    }
    None
}

fn agree(shape: Shape) -> (Option<String>, Vec<ExampleSet>) {
    let mut rng = stream(shape.seed, Purpose::Search, &[2]);
    let problem = shape.load(table(&shape, &mut rng));
    let universe = whole(&problem);
    let candidates = candidates(&clauses_of(&problem)[0], &mut rng);
    let tables = [clauses_of(&problem)[0].clone(), merged(&clauses_of(&problem)[0])];
    let clauses = with_covers(&problem, &universe, &tables, candidates);
    let wrong = disagreement(&problem, &universe, &tables, &clauses, &mut rng);
    (wrong, clauses.into_iter().filter_map(|(_, covers)| covers.into_iter().next()).collect())
}

/// `GLEANER_AGREE_CASES` asks for more than the tests' own.
fn n_cases() -> u32 {
    let asked = std::env::var("GLEANER_AGREE_CASES").ok();
    asked.map_or(16, |text| text.parse().expect("GLEANER_AGREE_CASES is a number"))
}

/// Beyond 512 nodes, sets of them may take more than eight words.
fn n_nodes() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 50_usize..400, 1 => 560_usize..720]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: n_cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn engines_equal_reference_on_graphs(
        n_nodes in n_nodes(), n_head in 1_usize..4, has_folds in any::<bool>(),
        has_sources in any::<bool>(), seed in any::<u64>()
    ) {
        let (wrong, _) = agree(Shape { n_nodes, n_head, has_folds, has_sources, seed });
        prop_assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
    }
}

/// Clauses that cover all or nothing would agree whatever the engines do.
#[test]
fn clauses_over_graphs_cover_some_examples() {
    let (mut n_selective, mut n_clauses) = (0, 0);
    for seed in 0..6 {
        let n_head = 1 + usize::try_from(seed % 3).expect("small");
        let shape = Shape {
            n_nodes: 60 + 50 * n_head,
            n_head,
            has_folds: seed % 2 == 1,
            has_sources: seed > 3,
            seed,
        };
        let (wrong, covers) = agree(shape);
        assert_eq!(wrong, None, "{shape:?}");
        n_clauses += covers.len();
        let most = covers.iter().map(ExampleSet::count).max().unwrap_or(0);
        n_selective += covers.iter().filter(|cover| (1..most).contains(&cover.count())).count();
    }
    assert!(n_clauses > 60 && n_selective * 3 > n_clauses, "{n_selective} of {n_clauses}");
}
