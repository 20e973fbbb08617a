//! What `why` says of clauses that searches make, and of others: they are in the language, their literals can
//! be called in the order given, and the counts are those of the reference.

use crate::support::asked::clauses_of;
use gleaner::experiment::default_settings;
use gleaner::experiment::runs::split::undivided;
use gleaner::experiment::scoring::why::{Question, why};
use gleaner_base::VariableId;
use gleaner_base::random::{Purpose, stream};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::bias::admission::Verdict;
use gleaner_engine::bias::{
    BottomClause, Candidate, RefinementSpace, SaturationConfig, admit, is_candidate, saturate,
};
use gleaner_engine::coverage::reference;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::mode::{ArgumentMode, Language, Negation};
use gleaner_lang::program::settings::DataSummary;
use gleaner_lang::program::{Clause, Literal, Term};
use gleaner_learn::gleaner::GleanerConfig;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use rand::RngExt;

use super::{ClauseSpec, clause, is_safe, load_or_show, program, whole};

/// Whether each literal, in the order said, has at the `+` of its mode only variables known before it.
fn is_callable(language: &Language<'_>, clause: &Clause, literals: &[Verdict], order: &[usize]) -> bool {
    let mut known: Vec<VariableId> =
        clause.head.arguments.iter().filter_map(|term| term.variable()).collect();
    order.iter().all(|&position| {
        let Verdict::Admitted { modes, .. } = &literals[position] else { return false };
        let arguments: Vec<Option<Term>> = match &clause.body[position] {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter().copied().map(Some).collect()
            }
            // Both sides of a comparison's modes are inputs or constants.
            Literal::Comparison(_) | Literal::Aggregate(_) => Vec::new(),
        };
        let mode = &language.modes.body[modes[0]];
        let is_known = arguments.iter().zip(&mode.arguments).all(|(term, mode)| match (term, mode) {
            (Some(Term::Variable(variable)), ArgumentMode::Input(_)) => known.contains(variable),
            _ => true,
        });
        let tests_known = !matches!(clause.body[position], Literal::Comparison(_))
            || clause.body[position].variables().iter().all(|variable| known.contains(variable));
        known.extend(clause.body[position].variables());
        is_known && tests_known
    })
}

/// What must hold of a candidate of a bottom clause.
fn candidate_is_in_the_language(problem: &Problem, bottom: &BottomClause, clause: &Clause) {
    let text = clause_text(clause, problem.symbols());
    let language = Negation::Proposed.language(problem.modes());
    let admission = admit(clause, &language, ObjectIdentity::Off, clause.n_literals());
    assert!(admission.is_admitted(), "{text}: {admission:?}");
    let mut order = admission.order.clone();
    assert!(is_callable(&language, clause, &admission.literals, &order), "{text}: {admission:?}");
    order.sort_unstable();
    assert!(order.into_iter().eq(0..clause.body.len()), "{text}");
    assert_eq!(is_candidate(clause, bottom, &|_| None), Some(true), "{text}");
}

/// Whether some legal choice of literals of the bottom clause, in some order, is the clause but for names.
fn is_candidate_by_definition(clause: &Clause, bottom: &BottomClause) -> bool {
    let wanted = Clause::renumbered(&clause.head, &clause.body);
    let space = RefinementSpace::new(bottom, usize::MAX);
    let n_literals = u16::try_from(bottom.literals.len()).expect("few literals");
    let mut chosen: Vec<Vec<u16>> = vec![Vec::new()];
    for _ in &clause.body {
        let longer = |before: &Vec<u16>| {
            let before = before.clone();
            let rest = (0..n_literals).filter(|position| !before.contains(position)).collect::<Vec<_>>();
            rest.into_iter().map(move |position| [&before[..], &[position]].concat())
        };
        chosen = chosen.iter().flat_map(longer).collect();
    }
    chosen.iter().any(|positions| {
        let body = positions.iter().map(|&position| bottom.literals[usize::from(position)].literal.clone());
        Clause::renumbered(&bottom.head, &body.collect::<Vec<_>>()) == wanted
            && space.is_legal(&Candidate::new(positions.clone()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn candidates_of_bottom_clauses_are_in_the_language(program in program(), seed in any::<u64>()) {
        let problem = program.load(Vec::new());
        let mut rng = stream(seed, Purpose::Search, &[]);
        for example in whole(&problem).positives().take(3) {
            let config = SaturationConfig { depth: rng.random_range(1..=3), max_bottom_literals: 14, negation: Negation::Proposed, object_identity: ObjectIdentity::Off, thresholds: gleaner_lang::program::Thresholds::Seed, max_thresholds: usize::MAX };
            let background = &problem.worlds()[problem.examples().world(example).index()];
            let bottom = saturate(background, problem.modes(), problem.examples(), example, config);
            let space = RefinementSpace::new(&bottom, 6);
            for n_body in 1..5 {
                let candidate = space.draw(n_body, &mut rng);
                if !candidate.positions().is_empty() {
                    candidate_is_in_the_language(&problem, &bottom, &bottom.clause(candidate.positions()));
                }
            }
        }
    }

    /// Candidates of one seed, and clauses of no seed, looked for in the bottom clause of another.
    #[test]
    fn membership_is_that_of_the_definition(
        program in program(), clauses in vec(clause(), 4), seed in any::<u64>()
    ) {
        let short = |clause: &ClauseSpec| {
            let body = clause.body.iter().take(2).cloned().collect();
            program.clause_text(&ClauseSpec { head: clause.head, body })
        };
        let problem = program.load(clauses.iter().map(short).collect());
        let mut rng = stream(seed, Purpose::Search, &[]);
        let config = SaturationConfig { depth: rng.random_range(1..=3), max_bottom_literals: 12, negation: Negation::Proposed, object_identity: ObjectIdentity::Off, thresholds: gleaner_lang::program::Thresholds::Seed, max_thresholds: usize::MAX };
        let bottoms: Vec<BottomClause> = whole(&problem)
            .positives()
            .take(3)
            .map(|example| {
                let background = &problem.worlds()[problem.examples().world(example).index()];
                saturate(background, problem.modes(), problem.examples(), example, config)
            })
            .collect();
        let mut asked = clauses_of(&problem).to_vec();
        for bottom in &bottoms {
            let space = RefinementSpace::new(bottom, 4);
            asked.extend((1..4).map(|n_body| bottom.clause(space.draw(n_body, &mut rng).positions())));
        }
        for bottom in &bottoms {
            for clause in &asked {
                let expected = is_candidate_by_definition(clause, bottom);
                prop_assert_eq!(is_candidate(clause, bottom, &|_| None), Some(expected), "{:?}", clause);
                if expected && !clause.body.is_empty() {
                    prop_assert!(admit(clause, &Negation::Proposed.language(problem.modes()), ObjectIdentity::Off, 4).is_admitted(), "{:?}", clause);
                }
            }
        }
    }

    #[test]
    fn counts_of_parts_are_those_of_the_reference(program in program(), clauses in vec(clause(), 1..4)) {
        let texts: Vec<String> = clauses.iter().map(|clause| program.clause_text(clause)).collect();
        let problem = program.load(texts.clone());
        let universe = whole(&problem);
        let data = DataSummary { n_train_positives: universe.n_positives(), ..DataSummary::default() };
        let config = GleanerConfig::of(&default_settings(), data);
        let sets = [("all", undivided(&problem, 1))];
        for (clause, text) in clauses_of(&problem).iter().zip(&texts) {
            let (symbols, worlds) = (problem.symbols(), problem.worlds());
            let answer = why(&Question { problem: &problem, symbols, worlds, clause, config: &config, sets: &sets });
            let counts = |body: &[Literal]| {
                let part = Clause::renumbered(&clause.head, body);
                let covered = reference::cover(problem.worlds(), &part, &universe);
                is_safe(&part).then(|| universe.counts(&covered))
            };
            if let Some(expected) = counts(&clause.body) {
                prop_assert_eq!(answer.sets[0].counts, expected, "{}", text);
            }
            let mut before = answer.head;
            for (position, step) in answer.steps.iter().enumerate() {
                if let Some(expected) = counts(&clause.body[..=position]) {
                    prop_assert_eq!(step.left, expected, "{}, up to {}", text, position);
                }
                let rest = [&clause.body[..position], &clause.body[position + 1..]].concat();
                if let Some(expected) = counts(&rest) {
                    prop_assert_eq!(step.without, expected, "{}, without {}", text, position);
                }
                let (left, lost) = (step.left, step.lost);
                prop_assert_eq!(left.true_positives + lost.true_positives, before.true_positives, "{}", text);
                prop_assert_eq!(left.false_positives + lost.false_positives, before.false_positives, "{}", text);
                prop_assert_eq!(step.lost_positives.len(), lost.true_positives);
                before = left;
            }
            prop_assert_eq!(before, answer.sets[0].counts);
            prop_assert!(answer.steps.len() == clause.body.len());
        }
    }
}

/// Modes of many types, several of one predicate.
#[test]
fn candidates_of_typed_modes_are_in_the_language() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/university");
    let problem = load_or_show(&LoadRequest { path, ..LoadRequest::default() });
    let mut rng = stream(7, Purpose::Search, &[]);
    let mut n_deep = 0;
    for example in whole(&problem).positives().take(40) {
        let config = SaturationConfig {
            depth: 2,
            max_bottom_literals: 400,
            negation: Negation::Proposed,
            object_identity: ObjectIdentity::Off,
            thresholds: gleaner_lang::program::Thresholds::Seed,
            max_thresholds: usize::MAX,
        };
        let background = &problem.worlds()[problem.examples().world(example).index()];
        let bottom = saturate(background, problem.modes(), problem.examples(), example, config);
        let space = RefinementSpace::new(&bottom, 8);
        for _ in 0..20 {
            let candidate = space.draw(rng.random_range(1..=6), &mut rng);
            let clause = bottom.clause(candidate.positions());
            candidate_is_in_the_language(&problem, &bottom, &clause);
            n_deep += usize::from(
                admit(&clause, &Negation::Proposed.language(problem.modes()), ObjectIdentity::Off, 10)
                    .depth()
                    > 1,
            );
        }
    }
    assert!(n_deep > 50, "most clauses are shallow: {n_deep}");
}
