use super::super::naive;
use super::*;

fn small(noise: f64, seed: u64) -> SentencesConfig {
    SentencesConfig { sentences: 50, noise, seed, ..SentencesConfig::default() }
}

#[test]
fn bytes_follow_the_seed() {
    let problem = sentences(&small(0.1, 3)).unwrap();
    assert_eq!(problem, sentences(&small(0.1, 3)).unwrap());
    assert_ne!(problem, sentences(&small(0.1, 4)).unwrap());
}

#[test]
fn without_noise_the_planted_clauses_are_the_target() {
    for seed in 1..=3 {
        let problem = sentences(&small(0.0, seed)).unwrap();
        let scores = naive::covered(&problem, 5);
        assert!(scores.iter().all(|&(label, n_rules)| label == (n_rules > 0)));
    }
}

#[test]
fn noise_spoils_the_planted_clauses_by_the_stated_amount() {
    for seed in 1..=3 {
        let config = SentencesConfig { positives: Some(40), ..small(0.1, seed) };
        let problem = sentences(&config).unwrap();
        let scores = naive::covered(&problem, 5);
        assert_eq!(problem.n_positives, 40);
        assert_eq!(scores.iter().filter(|&&score| score == (true, 0)).count(), 4);
        let area = naive::auc_pr(&scores);
        assert!((0.5..0.8).contains(&area), "{area}");
    }
}

#[test]
fn the_summary_counts_what_the_clauses_cover() {
    let problem = sentences(&small(0.2, 1)).unwrap();
    for rule in 0..problem.planted.len() {
        let mut alone = problem.clone();
        alone.planted = vec![problem.planted[rule].clone()];
        let scores = naive::covered(&alone, 5);
        let count = |label| scores.iter().filter(|&&score| score == (label, 1)).count();
        let name = format!("planted rule {} covers", rule + 1);
        let stated = problem.summary.iter().find(|(entry, _)| *entry == name).unwrap();
        assert_eq!(stated.1, format!("{} positives, {} negatives", count(true), count(false)));
    }
}

#[test]
fn planted_clauses_are_legal_under_the_modes() {
    for seed in 1..=20 {
        naive::check_language(&sentences(&small(0.1, seed)).unwrap());
    }
}

#[test]
fn counts_follow_the_options() {
    let config = SentencesConfig {
        sentences: 1_000,
        positives: Some(100),
        predicates: 81,
        rules: 3,
        scale: 0.2,
        ..SentencesConfig::default()
    };
    let problem = sentences(&config).unwrap();
    assert_eq!(problem.n_positives, 20);
    assert_eq!(problem.planted.len(), 3);
    let background = naive::file(&problem, "background.pl");
    assert_eq!(background.matches("\nfirst_phrase_in_sentence(").count(), 200);
    let mut facts = naive::Facts::default();
    facts.read(background);
    let stated = problem.summary.iter().find(|(name, _)| name == "facts").unwrap();
    assert_eq!(stated.1, facts.count_distinct().to_string());
    let modes = naive::file(&problem, "modes.pl");
    assert_eq!(modes.matches(":- determination(").count(), 81);
    assert_eq!(SentencesConfig::default().n_positives(), 1_773);
}

#[test]
fn a_tenth_has_the_shape_of_protein_localization() {
    let config = SentencesConfig { scale: 0.1, ..SentencesConfig::default() };
    let problem = sentences(&config).unwrap();
    let n_examples = problem.n_positives + problem.n_negatives;
    assert_eq!(problem.n_positives, 177);
    assert!((26_000..31_000).contains(&n_examples), "{n_examples}");
    let n_facts = naive::file(&problem, "background.pl").lines().count();
    assert!((550_000..700_000).contains(&n_facts), "{n_facts}");
}

#[test]
fn many_rules_and_much_noise_find_room() {
    for seed in 1..=5 {
        let config =
            SentencesConfig { sentences: 300, rules: 20, noise: 0.5, seed, ..SentencesConfig::default() };
        assert_eq!(sentences(&config).unwrap().planted.len(), 20);
    }
}

#[test]
fn rules_that_find_no_place_are_an_error_not_a_panic() {
    for seed in 1..=5 {
        let config = SentencesConfig {
            sentences: 50,
            positives: Some(100),
            rules: 50,
            noise: 0.5,
            seed,
            ..SentencesConfig::default()
        };
        match sentences(&config) {
            Ok(problem) => assert_eq!(problem.planted.len(), 50),
            Err(error) => assert_eq!(error.setting(), None),
        }
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let message = |config: SentencesConfig| sentences(&config).map(drop).unwrap_err().to_string();
    let config = SentencesConfig::default;
    assert_eq!(
        message(SentencesConfig { sentences: 39, ..config() }),
        "`sentences` is 39, but must lie between 40 and 1000000"
    );
    assert_eq!(
        message(SentencesConfig { predicates: 10, ..config() }),
        "`predicates` is 10, but must lie between 65 and 1000"
    );
    assert_eq!(
        message(SentencesConfig { positives: Some(9), ..config() }),
        "`positives` is 9, but must lie between 10 and 14490"
    );
    let crowded = SentencesConfig { sentences: 40, positives: Some(80), rules: 40, noise: 0.5, ..config() };
    assert!(message(crowded).contains("found room for"));
}

#[test]
fn the_smallest_problem_has_examples_in_every_fold() {
    for seed in 1..=20 {
        let problem =
            sentences(&SentencesConfig { sentences: 40, seed, ..SentencesConfig::default() }).unwrap();
        assert!((1..=5).all(|fold| !naive::file(&problem, &format!("fold{fold}/neg.pl")).is_empty()));
    }
}
