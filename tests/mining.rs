//! Mined queries against plain enumeration: nothing frequent is missed, nothing is counted wrong, and no query comes twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use gleaner_base::{Budget, StopReason};
use gleaner_data::{LoadRequest, Problem, load};
use gleaner_engine::coverage::{CoverStore, Universe, reference};
use gleaner_engine::mining::extensions::reached_worlds;
use gleaner_engine::mining::levels::{Ground, mine};
use gleaner_engine::mining::{Condense, FrequencyIn, Mined, MiningConfig};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::program::{Clause, Literal, Term};
use gleaner_lang::syntax::Sources;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

const N_NODES: usize = 6;
const COLOURS: [&str; 2] = ["red", "green"];

/// Literals of the longest queries that are enumerated.
const MOST_LITERALS: usize = 3;

/// A coloured graph, and the class of each node that is an example.
#[derive(Clone, Debug)]
struct Graph {
    edges: BTreeSet<(usize, usize)>,
    colours: BTreeSet<(usize, usize)>,
    examples: BTreeMap<usize, bool>,
}

impl Graph {
    fn of(edges: &[(usize, usize)], colours: &[(usize, usize)], classes: &[bool]) -> Self {
        let inside = |&(from, to): &(usize, usize)| (from % N_NODES, to % N_NODES);
        let mut examples: BTreeMap<usize, bool> = classes.iter().copied().enumerate().collect();
        examples.insert(0, true);
        examples.insert(1, false);
        Self {
            edges: edges.iter().map(inside).collect(),
            colours: colours.iter().map(|&(node, colour)| (node % N_NODES, colour % COLOURS.len())).collect(),
            examples,
        }
    }

    fn load(&self) -> Problem {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let folder = folder.path();
        let mut background = String::new();
        for (from, to) in &self.edges {
            let _ = writeln!(background, "edge(n{from}, n{to}).");
        }
        for &(node, colour) in &self.colours {
            let _ = writeln!(background, "colour(n{node}, {}).", COLOURS[colour]);
        }
        // Nodes without an edge are known too, and a colour that no node has.
        (0..N_NODES).for_each(|node| {
            let _ = writeln!(background, "known(n{node}).");
        });
        let of_class = |wanted: bool| {
            let of = self.examples.iter().filter(|&(_, &is_positive)| is_positive == wanted);
            of.map(|(node, _)| format!("target(n{node}).\n")).collect::<String>()
        };
        let modes = ":- modeh(1, target(+node)).\n:- modeb(*, edge(+node, -node)).\n:- modeb(*, edge(-node, +node)).\n\
                     :- modeb(*, colour(+node, #colour)).\n";
        for (name, text) in [
            ("background.pl", background),
            ("pos.pl", of_class(true)),
            ("neg.pl", of_class(false)),
            ("modes.pl", modes.to_owned()),
        ] {
            std::fs::write(folder.join(name), text).expect("written");
        }
        problem_at(folder)
    }
}

fn problem_at(folder: &std::path::Path) -> Problem {
    let request = LoadRequest { path: folder.to_owned(), ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("the problem is sound").problem
}

fn config(max_length: usize, min_frequency: f64, object_identity: ObjectIdentity) -> MiningConfig {
    MiningConfig {
        max_length,
        min_frequency,
        frequency_in: FrequencyIn::All,
        negation: Negation::Modes,
        object_identity,
        most_candidates: Some(1_000_000),
        n_cut_points: 10,
        condense: Condense::None,
    }
}

fn mined(problem: &Problem, config: &MiningConfig) -> Mined {
    let ids: Vec<_> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &ids);
    let store = Arc::new(CoverStore::new(problem.worlds(), &universe));
    let ground = Ground { worlds: problem.worlds(), modes: problem.modes(), store: &store, classes: None };
    mine(ground, config, &Budget::unlimited(), &|_| {})
}

/// A literal over variables by number, 0 the example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Plain {
    Edge(usize, usize),
    Colour(usize, usize),
    Lacks(Lack, usize),
}

/// What a node may have none of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lack {
    EdgeFrom,
    EdgeTo,
    Colour,
}

impl Plain {
    fn variables(self) -> Vec<usize> {
        match self {
            Self::Edge(from, to) => vec![from, to],
            Self::Colour(node, _) | Self::Lacks(_, node) => vec![node],
        }
    }

    fn renamed(self, names: &[usize]) -> Self {
        match self {
            Self::Edge(from, to) => Self::Edge(names[from], names[to]),
            Self::Colour(node, colour) => Self::Colour(names[node], colour),
            Self::Lacks(lack, node) => Self::Lacks(lack, names[node]),
        }
    }
}

type PlainQuery = BTreeSet<Plain>;

/// The smallest of all renamings of the variables but the example's.
fn smallest(query: &PlainQuery) -> PlainQuery {
    let used: BTreeSet<usize> =
        query.iter().flat_map(|literal| literal.variables()).filter(|&of| of > 0).collect();
    let used: Vec<usize> = used.into_iter().collect();
    let mut best: Option<PlainQuery> = None;
    for order in permutations(used.len()) {
        let mut names = vec![0; 16];
        used.iter().zip(order).for_each(|(&of, new)| names[of] = new + 1);
        let renamed: PlainQuery = query.iter().map(|literal| literal.renamed(&names)).collect();
        best = Some(best.map_or_else(|| renamed.clone(), |best| best.min(renamed.clone())));
    }
    best.unwrap_or_default()
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let inserted = |order: &Vec<usize>| {
        let order = order.clone();
        (0..n).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, n - 1);
            longer
        })
    };
    shorter.iter().flat_map(inserted).collect()
}

impl Graph {
    /// All queries of up to so many literals in which each literal hangs on the example, shortest first.
    fn queries(&self, max_length: usize, negation: Negation) -> BTreeSet<PlainQuery> {
        let colours: BTreeSet<usize> = self.colours.iter().map(|&(_, colour)| colour).collect();
        let n = max_length + 1;
        let mut literals: Vec<Plain> = Vec::new();
        for left in 0..n {
            literals.extend((0..n).map(|right| Plain::Edge(left, right)));
            literals.extend(colours.iter().map(|&colour| Plain::Colour(left, colour)));
            if negation == Negation::Proposed {
                literals.extend(
                    [Lack::EdgeFrom, Lack::EdgeTo, Lack::Colour].map(|lack| Plain::Lacks(lack, left)),
                );
            }
        }
        let mut all: BTreeSet<PlainQuery> = BTreeSet::new();
        let mut last: BTreeSet<PlainQuery> = [PlainQuery::new()].into();
        for _ in 0..max_length {
            let mut next = BTreeSet::new();
            for query in &last {
                let known: BTreeSet<usize> =
                    query.iter().flat_map(|literal| literal.variables()).chain([0]).collect();
                let hangs = |literal: &&Plain| match **literal {
                    Plain::Edge(from, to) => known.contains(&from) || known.contains(&to),
                    Plain::Colour(node, _) | Plain::Lacks(_, node) => known.contains(&node),
                };
                for literal in literals.iter().filter(hangs).filter(|literal| !query.contains(literal)) {
                    let mut longer = query.clone();
                    longer.insert(*literal);
                    next.insert(smallest(&longer));
                }
            }
            all.extend(next.iter().cloned());
            last = next;
        }
        all
    }

    fn holds(&self, literal: Plain, values: &[usize]) -> bool {
        match literal {
            Plain::Edge(from, to) => self.edges.contains(&(values[from], values[to])),
            Plain::Colour(node, colour) => self.colours.contains(&(values[node], colour)),
            Plain::Lacks(Lack::EdgeFrom, node) => self.edges.iter().all(|edge| edge.0 != values[node]),
            Plain::Lacks(Lack::EdgeTo, node) => self.edges.iter().all(|edge| edge.1 != values[node]),
            Plain::Lacks(Lack::Colour, node) => self.colours.iter().all(|colour| colour.0 != values[node]),
        }
    }

    /// The examples that satisfy a query, by trying all values of its variables.
    fn cover(&self, query: &PlainQuery, is_distinct: bool) -> BTreeSet<usize> {
        let n_variables =
            query.iter().flat_map(|literal| literal.variables()).max().map_or(1, |greatest| greatest + 1);
        let satisfies = |&&example: &&usize| {
            (0..N_NODES.pow(u32::try_from(n_variables - 1).expect("few"))).any(|mut code| {
                let mut values = vec![example];
                for _ in 1..n_variables {
                    values.push(code % N_NODES);
                    code /= N_NODES;
                }
                let distinct: BTreeSet<usize> = values.iter().copied().collect();
                (!is_distinct || distinct.len() == values.len())
                    && query.iter().all(|&literal| self.holds(literal, &values))
            })
        };
        self.examples.keys().filter(satisfies).copied().collect()
    }

    /// The facts that a query of so many literals can meet from the examples: a literal has a node that those before it lead to.
    fn met(&self, max_length: usize) -> Self {
        let mut near: BTreeSet<usize> = self.examples.keys().copied().collect();
        for _ in 1..max_length {
            let beside = |node: usize| {
                let edges = self.edges.iter().filter(move |edge| edge.0 == node || edge.1 == node);
                edges.flat_map(|&(from, to)| [from, to])
            };
            near = near.iter().flat_map(|&node| beside(node)).chain(near.iter().copied()).collect();
        }
        let has_end = |&(from, to): &(usize, usize)| near.contains(&from) || near.contains(&to);
        Self {
            edges: self.edges.iter().copied().filter(has_end).collect(),
            colours: self.colours.iter().copied().filter(|of| near.contains(&of.0)).collect(),
            examples: self.examples.clone(),
        }
    }

    /// Whether some literal follows from another one by the facts that can be met, or holds of all examples: such queries are spared.
    fn is_spared(&self, query: &PlainQuery) -> bool {
        let met = self.met(MOST_LITERALS);
        let implies = |&left: &Plain, &right: &Plain| {
            let of = left.variables();
            left != right
                && !matches!(left, Plain::Lacks(..))
                && right.variables().iter().all(|variable| of.contains(variable))
                && (0..N_NODES * N_NODES).all(|code| {
                    let mut values = vec![0; 16];
                    values[of[0]] = code % N_NODES;
                    if of.len() > 1 {
                        values[of[1]] = if of[0] == of[1] { values[of[0]] } else { code / N_NODES };
                    }
                    !met.holds(left, &values) || self.holds(right, &values)
                })
        };
        let determines = |&left: &Plain, &right: &Plain| match (left, right) {
            (Plain::Edge(from, to), Plain::Edge(other_from, other_to)) if left != right => {
                let is_function = |key: &dyn Fn(&(usize, usize)) -> usize| {
                    met.edges.iter().map(key).collect::<BTreeSet<_>>().len() == met.edges.len()
                };
                from == other_from && is_function(&|edge| edge.0)
                    || to == other_to && is_function(&|edge| edge.1)
            }
            (Plain::Colour(node, _), Plain::Colour(other, _)) if left != right => {
                node == other
                    && met.colours.iter().map(|of| of.0).collect::<BTreeSet<_>>().len() == met.colours.len()
            }
            _ => false,
        };
        let holds_always = |&literal: &Plain| {
            literal.variables().iter().all(|&of| of == 0)
                && self.examples.keys().all(|&example| self.holds(literal, &[example]))
        };
        let pairs = || query.iter().flat_map(|left| query.iter().map(move |right| (left, right)));
        pairs().any(|(left, right)| implies(left, right) || determines(left, right))
            || query.len() > 1 && query.iter().any(holds_always)
    }

    /// A mined clause as a plain query; what object identity demands is left out.
    fn plain(clause: &Clause, problem: &Problem) -> PlainQuery {
        let literal = |literal: &Literal| {
            if let Literal::Negative(atom) = literal {
                let is_edge = problem.symbols().predicate(atom.predicate).name == "edge";
                let lack = match (is_edge, atom.arguments[0]) {
                    (true, Term::Any) => Lack::EdgeTo,
                    (true, _) => Lack::EdgeFrom,
                    (false, _) => Lack::Colour,
                };
                let node = atom.arguments.iter().find_map(|term| term.variable()).expect("a node");
                return Some(Plain::Lacks(lack, node.index()));
            }
            let Literal::Positive(atom) = literal else { return None };
            let variable = |at: usize| atom.arguments[at].variable().expect("a node").index();
            let name = &problem.symbols().predicate(atom.predicate).name;
            if name == "edge" {
                return Some(Plain::Edge(variable(0), variable(1)));
            }
            let text =
                clause_text(&Clause { body: vec![literal.clone()], ..clause.clone() }, problem.symbols());
            let colour = COLOURS.iter().position(|colour| text.contains(colour)).expect("a colour");
            Some(Plain::Colour(variable(0), colour))
        };
        smallest(&clause.body.iter().filter_map(literal).collect())
    }
}

proptest! {
    /// The facts of reached worlds are those that plain steps from the examples lead to.
    #[test]
    fn reached_facts_are_those_of_plain_steps(
        edges in vec((any::<usize>(), any::<usize>()), 1..9),
        colours in vec((any::<usize>(), any::<usize>()), 1..8),
        max_length in 1..5_usize,
    ) {
        let graph = Graph::of(&edges, &colours, &[]);
        let problem = graph.load();
        let ids: Vec<_> = problem.examples().ids().collect();
        let universe = Universe::new(Arc::clone(problem.examples()), &ids);
        let reached = reached_worlds(problem.worlds(), problem.modes(), &universe, max_length);
        prop_assert_eq!(reached.len(), 1);
        let met = graph.met(max_length);
        let rows = |name: &str| {
            let predicate = problem.symbols().find_predicate(name, 2);
            predicate.map_or(0, |predicate| reached[0].relation(predicate).n_rows())
        };
        // Rows are distinct, and those that are met are some of all.
        prop_assert_eq!([rows("edge"), rows("colour")], [met.edges.len(), met.colours.len()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn mined_queries_are_those_of_plain_enumeration(
        edges in vec((any::<usize>(), any::<usize>()), 3..12),
        colours in vec((any::<usize>(), any::<usize>()), 1..8),
        classes in vec(any::<bool>(), 2..=N_NODES),
        is_distinct in any::<bool>(),
        has_negated in any::<bool>(),
    ) {
        let graph = Graph::of(&edges, &colours, &classes);
        let problem = graph.load();
        let identity = if is_distinct { ObjectIdentity::On } else { ObjectIdentity::Off };
        let least = 2.0_f64;
        let n_examples = graph.examples.len();
        let negation = if has_negated { Negation::Proposed } else { Negation::Modes };
        let asked = MiningConfig { negation, ..config(MOST_LITERALS, (least - 0.5) / n_examples as f64, identity) };
        let found = mined(&problem, &asked);
        prop_assert_eq!(found.stop, None);

        let ids: Vec<_> = problem.examples().ids().collect();
        let universe = Universe::new(Arc::clone(problem.examples()), &ids);
        let mut known: BTreeMap<PlainQuery, usize> = BTreeMap::new();
        for query in &found.queries {
            let plain = Graph::plain(&query.clause, &problem);
            let cover = graph.cover(&plain, is_distinct);
            let n_positives = cover.iter().filter(|example| graph.examples[example]).count();
            prop_assert_eq!(query.support.n_covered(), cover.len(), "{:?}", &plain);
            prop_assert_eq!(query.support.0[0], n_positives);
            // The clause as it is written says the same.
            let written = reference::cover(problem.worlds(), &query.clause, &universe);
            let counts = universe.counts(&written);
            prop_assert_eq!(&[counts.true_positives, counts.false_positives][..], &*query.support.0);
            prop_assert_eq!(query.length, plain.len());
            prop_assert!(!graph.is_spared(&plain), "{:?}", &plain);
            prop_assert!(known.insert(plain.clone(), cover.len()).is_none(), "{:?} comes twice", plain);
        }
        // Of a query and a part of it that cover the same, the shortest or the longest.
        let parts = |query: &PlainQuery| -> Vec<PlainQuery> {
            let without = |left_out: usize| {
                let kept = query.iter().enumerate().filter(|&(at, _)| at != left_out);
                smallest(&kept.map(|(_, literal)| *literal).collect())
            };
            (0..query.len()).map(without).collect()
        };
        let size = |query: &PlainQuery| {
            if query.is_empty() { Some(n_examples) } else { known.get(query).copied() }
        };
        let is_like = |query: &PlainQuery, part: &PlainQuery| size(part) == size(query);
        let free: BTreeSet<&PlainQuery> =
            known.keys().filter(|query| !parts(query).iter().any(|part| is_like(query, part))).collect();
        let is_closed =
            |query: &PlainQuery| !known.keys().any(|longer| is_like(longer, query) && parts(longer).contains(query));
        let closed: BTreeSet<&PlainQuery> = known.keys().filter(|query| is_closed(query)).collect();
        for (condense, expected) in [(Condense::Free, free), (Condense::Closed, closed)] {
            let asked = MiningConfig { condense, ..asked.clone() };
            let found: BTreeSet<PlainQuery> =
                mined(&problem, &asked).queries.iter().map(|query| Graph::plain(&query.clause, &problem)).collect();
            prop_assert_eq!(found.iter().collect::<BTreeSet<_>>(), expected);
        }
        let mut covers: BTreeSet<BTreeSet<usize>> = known.keys().map(|query| graph.cover(query, is_distinct)).collect();
        covers.insert(graph.examples.keys().copied().collect());
        for query in graph.queries(3, negation) {
            let cover = graph.cover(&query, is_distinct);
            if (cover.len() as f64) < least {
                continue;
            }
            if graph.is_spared(&query) {
                // Nothing is lost: some other query covers the same, or it asks what two facts cannot give.
                prop_assert!(covers.contains(&cover), "{:?} is spared, and no query covers {:?}", query, cover);
            } else {
                prop_assert!(known.contains_key(&query), "{:?} is missing", query);
            }
        }
    }
}

/// The explosion is stopped after a block of queries, by a count that does not depend on time or threads.
#[test]
fn a_count_of_candidates_stops_mining() {
    let edges: Vec<(usize, usize)> = (0..30).map(|at| (at * 7 % 6, at * 5 % 6 + at / 6)).collect();
    let graph = Graph::of(&edges, &[(0, 0), (1, 1), (2, 0), (3, 1), (4, 0)], &[true; 6]);
    let problem = graph.load();
    let whole = mined(&problem, &config(4, 0.01, ObjectIdentity::On));
    let few = MiningConfig { most_candidates: Some(100), ..config(4, 0.01, ObjectIdentity::On) };
    let stopped = mined(&problem, &few);
    assert_eq!(stopped.stop, Some(StopReason::ClausesEvaluated));
    assert!(!stopped.queries.is_empty() && stopped.queries.len() < whole.queries.len());
    assert_eq!(stopped.queries, mined(&problem, &few).queries);
    // What was found is of the whole.
    assert!(stopped.queries.iter().all(|query| whole.queries.contains(query)));
}

/// GleanerSRL that mines the queries of its run weighs what it weighs of the same queries from a file.
#[test]
fn mined_queries_are_weighed_as_given_ones() {
    let folder = fresh_folder("mined_for_srl");
    let data = fixture("university").to_string_lossy().into_owned();
    let asked = |further: &[&str]| {
        let (code, _, stderr) = gleaner(&folder, further);
        assert_eq!(code, Some(0), "{further:?}: {stderr}");
        stderr
    };
    let how = ["--object-identity", "on", "--query-length", "2", "--negation", "modes"];
    let of_fold = ["--fold", "1", "--quiet"];
    asked(&[&["mine", &data, "--set", "train", "-o", "queries.pl"][..], &how, &of_fold].concat());
    let srl = ["learn", &data, "--learner", "srl", "-o"];
    asked(&[&srl[..], &["mined.json", "--feature-seeds", "queries"], &how, &of_fold].concat());
    asked(&[&srl[..], &["given.json", "--feature-clauses", "queries.pl"], &of_fold].concat());
    let read = |name: &str| -> Json {
        let text = std::fs::read_to_string(folder.join(name)).expect("a model");
        serde_json::from_str(&text).expect("JSON")
    };
    let (mined, given) = (read("mined.json"), read("given.json"));
    assert!(mined["clauses"].as_array().is_some_and(|clauses| clauses.len() > 20));
    for part in ["clauses", "network", "threshold", "calibration", "cost"] {
        assert!(mined[part] == given[part], "{part}");
    }
    // What only a search reads has no effect, and that is said.
    let told = asked(
        &[&srl[..], &["again.json", "--feature-seeds", "queries", "--seeds", "3", "--fold", "1"]].concat(),
    );
    assert!(told.contains("--seeds has no effect with --feature-seeds queries"), "{told}");
    let told = asked(
        &[&srl[..], &["other.json", "--query-length", "2", "--seeds", "2", "--clauses", "50", "--fold", "1"]]
            .concat(),
    );
    assert!(told.contains("--query-length has no effect with --feature-seeds both"), "{told}");
}
