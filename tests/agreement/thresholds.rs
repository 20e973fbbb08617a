//! Open thresholds: one sweep says what trying every value by hand says, for counts, scores, gradients and bins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{
    Budget, ConstantId, Counts, ExampleId, ExampleSet, NegativeWeight, PredicateId, Totals, VariableId,
};
use gleaner_data::{LoadRequest, Problem, Table, load};
use gleaner_engine::bias::{Candidate, RefinementSpace, SaturationConfig, is_candidate, saturate};
use gleaner_engine::coverage::component::Extreme;
use gleaner_engine::coverage::{ComponentEngine, Universe, reference};
use gleaner_engine::search::{
    ClauseScore, Counting, Evaluated, Evaluations, Observer, Outcome, RedundantClauses, Score, SearchLimits,
};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::program::{Atom, Clause, ComparisonOperator, Literal, Number, Term, Thresholds};
use gleaner_lang::syntax::Sources;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use rand::RngExt;

use super::{clause, clauses_of, engine, is_safe, program, subset, universe, whole};

/// The numbers of a problem's facts and examples. Round numbers that only thresholds may have are not among them.
fn numbers(problem: &Problem) -> Vec<(ConstantId, Number)> {
    let constants = &problem.symbols().constants;
    let predicates = (0..problem.symbols().predicates.len()).map(PredicateId::new);
    let of_facts = problem.worlds().iter().flat_map(|world| {
        predicates.clone().flat_map(move |predicate| {
            let relation = world.relation(predicate);
            let rows = 0..relation.n_rows();
            rows.flat_map(move |row| (0..relation.arity()).map(move |column| relation.value(row, column)))
        })
    });
    let ids = problem.examples().ids();
    let of_examples = ids.flat_map(|id| problem.examples().arguments(id).to_vec());
    let ids: BTreeSet<ConstantId> = of_facts.chain(of_examples).collect();
    ids.into_iter().filter_map(|id| Some((id, constants.number(id)?))).collect()
}

/// A clause with one more literal, `variable >= constant` or `variable =< constant`.
fn with_threshold(clause: &Clause, variable: VariableId, extreme: Extreme, constant: ConstantId) -> Clause {
    let operator = match extreme {
        Extreme::Greatest => ComparisonOperator::GreaterOrEqual,
        Extreme::Least => ComparisonOperator::LessOrEqual,
    };
    let mut clause = clause.clone();
    clause.body.push(Literal::compared(Term::Variable(variable), operator, Term::Constant(constant)));
    clause
}

/// Adds the positions of one set to another.
fn add(all: &mut Vec<usize>, more: &Vec<usize>) {
    all.extend(more);
    all.sort_unstable();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each number `c` of the problem: the examples that `V >= c` covers are those of the last swept threshold from `c` on.
    #[test]
    fn a_sweep_is_every_value_tried(program in program(), clause in clause(), seed in any::<u64>()) {
        let problem = program.load(vec![program.clause_text(&clause)]);
        let table = &clauses_of(&problem)[0];
        let (all, some) = (whole(&problem), universe(&problem, |id| id.index() % 3 != 1));
        let mut rng = stream(seed, Purpose::Search, &[]);
        for universe in [&all, &some] {
            let mut engine = engine(&problem, universe, table);
            for _ in 0..4 {
                let positions = subset(table.body.len(), &mut rng);
                let body: Vec<Literal> =
                    positions.iter().map(|&position| table.body[usize::from(position)].clone()).collect();
                let plain = Clause { body, ..table.clone() };
                let mut variables: Vec<VariableId> = plain.body.iter().flat_map(Literal::variables).collect();
                variables.extend(plain.head.arguments.iter().filter_map(|term| term.variable()));
                variables.sort_unstable();
                variables.dedup();
                if !is_safe(&plain) {
                    continue;
                }
                for variable in variables {
                    for extreme in [Extreme::Greatest, Extreme::Least] {
                        let extremes = engine.extremes(&positions, variable, extreme).expect("nothing interrupts");
                        let steps = extremes.sums(|position| vec![position], add);
                        prop_assert!(steps.is_sorted_by_key(|(_, covered)| covered.len()));
                        for (threshold, covered) in &steps {
                            let round = engine.rounded(&extremes, *threshold);
                            let clause = with_threshold(&plain, variable, extreme, round);
                            let expected: Vec<usize> =
                                reference::cover(problem.worlds(), &clause, universe).iter().collect();
                            prop_assert_eq!(covered, &expected, "{:?}", problem.symbols().constants.text(round));
                        }
                        for (constant, number) in numbers(&problem) {
                            let clause = with_threshold(&plain, variable, extreme, constant);
                            let expected: Vec<usize> =
                                reference::cover(problem.worlds(), &clause, universe).iter().collect();
                            let passes = |threshold: ConstantId| {
                                let order = problem.symbols().constants.number(threshold)
                                    .expect("thresholds are numbers").compare(number);
                                if extreme == Extreme::Greatest { order.is_ge() } else { order.is_le() }
                            };
                            let found = steps.iter().take_while(|(threshold, _)| passes(*threshold)).last();
                            let found = found.map(|(_, covered)| covered.clone()).unwrap_or_default();
                            prop_assert_eq!(found, expected, "{:?} {:?}", &clause, extreme);
                        }
                    }
                }
            }
        }
    }

    /// Thresholds on one variable beside each other, of examples with one number or several: the fast engine covers what the
    /// reference does, and a sweep beside them is every value tried.
    #[test]
    fn ranges_of_one_variable_cover_what_the_reference_says(program in program(), seed in any::<u64>()) {
        let problem = program.load(Vec::new());
        let universe = whole(&problem);
        let mut rng = stream(seed, Purpose::Search, &[]);
        let all = numbers(&problem);
        if all.is_empty() {
            return Ok(());
        }
        for predicate in ["p0", "p1", "p2", "p3"] {
            let arity = (2..=3).find(|&arity| problem.symbols().find_predicate(predicate, arity).is_some());
            let Some(arity) = arity else { continue };
            let predicate = problem.symbols().find_predicate(predicate, arity).expect("it was found");
            let arguments: Vec<Term> = (0..arity).map(|at| Term::Variable(VariableId::new(if at == 0 { 0 } else { 2 + at }))).collect();
            let variable = VariableId::new(3);
            let head = problem.modes().head.predicate;
            let of_head = (0..problem.modes().head.arguments.len()).map(|at| Term::Variable(VariableId::new(at)));
            let head = Atom { predicate: head, arguments: of_head.collect() };
            let mut plain = Clause::renumbered(&head, &[]);
            plain.n_variables = 6;
            plain.body = vec![Literal::Positive(Atom { predicate, arguments })];
            for _ in 0..rng.random_range(1..4) {
                let extreme = if rng.random_bool(0.5) { Extreme::Greatest } else { Extreme::Least };
                plain = with_threshold(&plain, variable, extreme, all[rng.random_range(0..all.len())].0);
            }
            let expected = reference::cover(problem.worlds(), &plain, &universe);
            let mut engine = engine(&problem, &universe, &plain);
            let positions: Vec<u16> = (0..).take(plain.body.len()).collect();
            prop_assert_eq!(engine.cover(&positions).expect("nothing interrupts"), expected, "{:?}", &plain);
            for extreme in [Extreme::Greatest, Extreme::Least] {
                let extremes = engine.extremes(&positions, variable, extreme).expect("nothing interrupts");
                for (constant, covered) in extremes.sums(|position| vec![position], add) {
                    let clause = with_threshold(&plain, variable, extreme, constant);
                    let expected: Vec<usize> = reference::cover(problem.worlds(), &clause, &universe).iter().collect();
                    prop_assert_eq!(covered, expected, "{:?} {:?}", &clause, extreme);
                }
            }
        }
    }

    /// A search takes the best number for each clause: no other that the seed passes scores more. Where negatives were
    /// sampled, the score is that of data in which each negative is repeated as often as its weight says.
    #[test]
    fn a_search_takes_the_best_threshold(
        program in program(), seed in any::<u64>(), has_identity in any::<bool>(), stands_for in 1..4_u64,
    ) {
        let problem = program.load(Vec::new());
        let universe = whole(&problem).with_negative_weight(NegativeWeight::new(stands_for, 1));
        let mut rng = stream(seed, Purpose::Search, &[]);
        let object_identity = if has_identity { ObjectIdentity::On } else { ObjectIdentity::Off };
        let config = SaturationConfig {
            depth: 2, max_bottom_literals: 40, negation: Negation::Modes, object_identity, thresholds: Thresholds::Exact, max_thresholds: usize::MAX,
        };
        for example in universe.positives().take(2) {
            let tried = Tried::new(&problem, &universe, example, config);
            for _ in 0..6 {
                let score = SCORES[rng.random_range(0..SCORES.len())].clone();
                let kind = rng.random_range(0..3);
                let chosen = some_of(&universe, kind == 1, &mut rng);
                let counting = match kind {
                    0 => Counting::Plain,
                    1 => Counting::Remaining { positives: &chosen, n_positives: chosen.count() },
                    _ => Counting::Emphasised { negatives: &chosen, times: 3 },
                };
                let candidate = tried.space().draw(rng.random_range(1..4), &mut rng);
                let min_positives = rng.random_range(1..3);
                if let Err(reason) = tried.check(&candidate, counting, &score, min_positives) {
                    prop_assert!(false, "{}", reason);
                }
            }
        }
    }
}

const SCORES: [Score; 9] = [
    Score::F1,
    Score::PrecisionRecall,
    Score::Precision,
    Score::Coverage,
    Score::Laplace,
    Score::WeightedRelativeAccuracy,
    Score::FoilGain,
    Score::InformationGain,
    Score::PrArea,
];

/// Some positives, or some negatives.
fn some_of(universe: &Universe, positives: bool, rng: &mut impl rand::Rng) -> ExampleSet {
    let of_class = universe.iter().map(|(position, _)| position);
    let of_class = of_class.filter(|&position| universe.is_positive(position) == positives);
    ExampleSet::from_positions(universe.len(), of_class.filter(|_| rng.random_bool(0.7)).collect::<Vec<_>>())
}

/// A seed whose candidates are evaluated with open thresholds, and tried with every number.
struct Tried<'p> {
    problem: &'p Problem,
    universe: &'p Universe,
    seed: ExampleId,
    bottom: gleaner_engine::bias::BottomClause,
}

/// The clauses that a search shows.
#[derive(Default)]
struct Shown(Vec<(Candidate, Counts, Option<f64>)>);

impl Observer for Shown {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        self.0.push((evaluated.candidate.clone(), evaluated.counts, evaluated.score));
        true
    }
}

impl<'p> Tried<'p> {
    fn new(problem: &'p Problem, universe: &'p Universe, seed: ExampleId, config: SaturationConfig) -> Self {
        let background = &problem.worlds()[problem.examples().world(seed).index()];
        let bottom = saturate(background, problem.modes(), problem.examples(), seed, config);
        Self { problem, universe, seed, bottom }
    }

    fn space(&self) -> RefinementSpace<'_> {
        RefinementSpace::new(&self.bottom, 8)
    }

    fn counts(&self, clause: &Clause, counting: Counting<'_>) -> (Counts, Counts) {
        let cover = reference::cover(self.problem.worlds(), clause, self.universe);
        let mut counts = self.universe.counts(&cover);
        let mut scored = counts;
        match counting {
            Counting::Plain => {}
            Counting::Remaining { positives, .. } => {
                let both = cover
                    .iter()
                    .filter(|&position| self.universe.is_positive(position) && positives.contains(position));
                counts.true_positives = both.count();
                scored = counts;
            }
            Counting::Emphasised { negatives, times } => {
                let both = cover.iter().filter(|&position| negatives.contains(position)).count();
                scored.false_positives += (times - 1) * both;
            }
        }
        (counts, scored)
    }

    /// Evaluates a candidate, and compares the best clause shown with all that have another number.
    fn check(
        &self,
        candidate: &Candidate,
        counting: Counting<'_>,
        score: &Score,
        min_positives: usize,
    ) -> Result<(), String> {
        let bottom = &self.bottom;
        let literals = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
        let mut engine = ComponentEngine::new(
            self.problem.worlds(),
            self.universe,
            bottom.head.clone(),
            literals,
            Budget::unlimited(),
        )
        .with_thresholds(Arc::clone(&bottom.thresholds));
        if let Some(distinctions) = &bottom.distinctions {
            engine = engine.with_distinctions(Arc::clone(distinctions));
        }
        let limits = SearchLimits {
            clauses: 10,
            min_positives,
            score: score.clone(),
            min_precision: 0.0,
            literals: None,
            max_negatives: None,
            redundant: RedundantClauses::Evaluate,
        };
        let (space, mut shown) = (self.space(), Shown::default());
        let mut evaluations =
            Evaluations::new(&space, &mut engine, self.universe, limits, &mut shown).counting(counting);
        let totals = evaluations.totals();
        let outcome = evaluations.evaluate(candidate);
        drop(evaluations);
        let open: Vec<u16> =
            candidate.positions().iter().copied().filter(|&at| bottom.open_threshold(at).is_some()).collect();
        let Some((found, counts, _)) = shown.0.first() else {
            return self.has_none(candidate, &open, counting, min_positives, outcome);
        };
        let clause = bottom.clause(found.positions());
        let (expected, _) = self.counts(&clause, counting);
        if expected != *counts {
            return Err(format!("{clause:?} has {expected:?}, shown are {counts:?}"));
        }
        let cover = engine.cover(found.positions()).map_err(|stopped| stopped.to_string())?;
        if cover != reference::cover(self.problem.worlds(), &clause, self.universe) {
            return Err(format!("{clause:?} covers other examples"));
        }
        let arguments = self.problem.examples().arguments(self.seed);
        let background = &self.problem.worlds()[self.problem.examples().world(self.seed).index()];
        if bottom.distinctions.is_none() && !reference::covers(background, &clause, arguments) {
            return Err(format!("{clause:?} lost its seed"));
        }
        let number = |constant| self.problem.symbols().constants.number(constant);
        if bottom.distinctions.is_none() && is_candidate(&clause, bottom, &number) == Some(false) {
            return Err(format!("{clause:?} is no candidate"));
        }
        let Outcome::Scored(scored) = outcome else { return Err(format!("{outcome:?}")) };
        let [open] = open[..] else { return Ok(()) };
        let best = self.best(candidate, open, counting, (score, totals), min_positives);
        match (best, scored.score) {
            (Some(best), Some(found)) if (best - found).abs() <= 1e-12 * best.abs().max(1.0) => Ok(()),
            (None, None) => Ok(()),
            (best, found) => Err(format!("{clause:?}: {score:?} is {found:?}, the best is {best:?}")),
        }
    }

    /// The highest score over all numbers that the seed passes. Each negative counts as often as its weight says.
    fn best(
        &self,
        candidate: &Candidate,
        open: u16,
        counting: Counting<'_>,
        (score, totals): (&Score, Totals),
        min_positives: usize,
    ) -> Option<f64> {
        let is_weight = |&(_, of): &(usize, u64)| NegativeWeight::new(of, 1) == totals.negative_weight;
        let (stands_for, _) = (1..).zip(1..4).find(is_weight).expect("a negative stands for one to three");
        let totals = Totals {
            n_negatives: totals.n_negatives * stands_for,
            negative_weight: NegativeWeight::ONE,
            ..totals
        };
        let of = |clause: Clause| {
            let (counts, mut scored) = self.counts(&clause, counting);
            scored.false_positives *= stands_for;
            (counts.true_positives >= min_positives)
                .then(|| score.of(scored, totals, candidate.n_literals()))
                .flatten()
        };
        self.with_all_numbers(candidate, open).into_iter().filter_map(of).max_by(f64::total_cmp)
    }

    fn with_all_numbers(&self, candidate: &Candidate, open: u16) -> Vec<Clause> {
        let of_seed = self.bottom.open_threshold(open).expect("it is open");
        let value = self.problem.symbols().constants.number(of_seed.constant).expect("the seed has a number");
        let passes = |number: Number| {
            let order = value.compare(number);
            if of_seed.is_least { order.is_ge() } else { order.is_le() }
        };
        let numbers = numbers(self.problem).into_iter().filter(|&(_, number)| passes(number));
        let clause = |(constant, _)| {
            let fixed = self.bottom.with_threshold(candidate, open, constant).expect("there is room");
            let positions: Vec<u16> =
                fixed.positions().iter().copied().filter(|&position| position != open).collect();
            self.bottom.clause(&positions)
        };
        numbers.map(clause).collect()
    }

    /// Without a shown clause no number leaves enough positives, or its precision is not defined.
    fn has_none(
        &self,
        candidate: &Candidate,
        open: &[u16],
        counting: Counting<'_>,
        min_positives: usize,
        outcome: Outcome,
    ) -> Result<(), String> {
        let clauses = match *open {
            [] => vec![self.bottom.clause(candidate.positions())],
            [open] => self.with_all_numbers(candidate, open),
            _ => return Ok(()),
        };
        let has_enough = |clause: &Clause| self.counts(clause, counting).0.true_positives >= min_positives;
        match clauses.iter().find(|clause| has_enough(clause)) {
            Some(clause) => Err(format!(
                "{clause:?} was not shown: {outcome:?} {candidate:?} {open:?} {:?} {counting:?} {min_positives}",
                self.bottom
            )),
            None => Ok(()),
        }
    }
}

/// Of many examples, open thresholds lie between bins: each still covers the examples that pass it, there are at most 256, and rare
/// positives at an end have thresholds among them.
#[test]
fn bins_of_many_examples_are_thresholds_that_rare_positives_have_too() {
    let (mut names, mut labels) = (Vec::new(), Vec::new());
    let mut facts = ":- modeh(1, t(+x)). :- modeb(1, amount(+x, -n)).\n".to_owned();
    let mut numbers = BTreeMap::new();
    for at in 0..9_000_i64 {
        let name = format!("x{at}");
        // The positives are thirty of the forty greatest numbers; some numbers come twice, and some examples have none.
        let number = at * 7 % 8_000;
        let is_positive = number >= 7_960 && number % 4 != 0;
        if at % 10 != 3 {
            facts += &format!("amount({name},{number}).\n");
            numbers.insert(name.clone(), number);
        }
        names.push(name);
        labels.push(is_positive);
    }
    let examples = Table::new("t").column("x", names).column("label", labels);
    let request = LoadRequest::of_facts([examples], facts);
    let problem = load(&request, &mut Sources::new()).expect("the problem loads").problem;
    let universe = whole(&problem);
    let [subject, variable] = [0, 1].map(VariableId::new);
    let head = Atom { predicate: problem.modes().head.predicate, arguments: vec![Term::Variable(subject)] };
    let amount = problem.symbols().find_predicate("amount", 2).expect("it has facts");
    let arguments = vec![Term::Variable(subject), Term::Variable(variable)];
    let literals = vec![Literal::Positive(Atom { predicate: amount, arguments })];
    let mut engine = ComponentEngine::new(problem.worlds(), &universe, head, literals, Budget::unlimited());
    let number_at = |position: usize| {
        let example = universe.example(position).expect("it holds an example");
        numbers[problem.symbols().constants.text(problem.examples().arguments(example)[0])]
    };
    for extreme in [Extreme::Greatest, Extreme::Least] {
        let extremes = engine.extremes(&[0], variable, extreme).expect("nothing interrupts");
        let steps = extremes.open_sums(|position| vec![position], add);
        assert!((100..=256).contains(&steps.len()), "{} steps", steps.len());
        for (constant, covered) in &steps {
            let threshold: i64 = problem.symbols().constants.text(*constant).parse().expect("a number");
            let passes = |position: &usize| match extreme {
                Extreme::Greatest => number_at(*position) >= threshold,
                Extreme::Least => number_at(*position) <= threshold,
            };
            let expected: Vec<usize> = extremes.covered().iter().filter(passes).collect();
            assert_eq!(*covered, expected, "{extreme:?} {threshold}");
        }
        // The bins that the examples are summed by give the same thresholds, with the same examples.
        let binned = extremes.binned().expect("there are many numbers");
        let (mut listed, mut so_far) = (Vec::new(), [0_i64; 2]);
        let positions: Vec<u32> = (0..u32::try_from(universe.len()).expect("few")).collect();
        let positions: Vec<u32> =
            positions.into_iter().filter(|&at| universe.example(at as usize).is_some()).collect();
        let terms: Vec<[i64; 2]> = positions.iter().map(|&at| [1, i64::from(at)]).collect();
        let sums = binned.sums(&positions, &terms);
        for (bin, constant) in binned.thresholds(extreme) {
            so_far = [so_far[0] + sums[bin][0], so_far[1] + sums[bin][1]];
            listed.push((constant, so_far));
        }
        let plain = |(constant, covered): &(ConstantId, Vec<usize>)| {
            let sum: usize = covered.iter().sum();
            (*constant, [covered.len(), sum].map(|whole| i64::try_from(whole).expect("small numbers")))
        };
        assert_eq!(listed, steps.iter().map(plain).collect::<Vec<_>>());
        let n_positives = |covered: &[usize]| covered.iter().filter(|&&at| universe.is_positive(at)).count();
        let of_positives: BTreeSet<usize> = steps.iter().map(|(_, covered)| n_positives(covered)).collect();
        assert!(of_positives.len() > 20, "{of_positives:?}");
    }
    // A seed whose own value is below those of all covered examples: that value covers them all, and is the one threshold.
    let great = extremes_of(&mut engine, variable);
    let great =
        ExampleSet::from_positions(universe.len(), great.into_iter().filter(|&at| number_at(at) >= 2_000));
    assert!(great.count() > 5_000);
    let mut engine = engine.within(&great);
    let extremes = engine.extremes(&[0], variable, Extreme::Greatest).expect("nothing interrupts");
    let constants = &problem.symbols().constants;
    let ten = (0..constants.len()).map(ConstantId::new).find(|&id| constants.text(id) == "10");
    let ten = ten.expect("some example has it");
    let steps = engine.sums_from((ten, false), &extremes, |position| vec![position], add);
    assert_eq!(steps, [(ten, great.iter().collect::<Vec<_>>())]);
}

/// The positions that have a number for a variable of the first literal.
fn extremes_of(engine: &mut ComponentEngine<'_>, variable: VariableId) -> Vec<usize> {
    let extremes = engine.extremes(&[0], variable, Extreme::Greatest).expect("nothing interrupts");
    extremes.covered().iter().collect()
}
