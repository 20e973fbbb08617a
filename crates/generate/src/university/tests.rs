use super::super::naive;
use super::*;

fn small(noise: f64, seed: u64) -> UniversityConfig {
    UniversityConfig { people: 150, noise, seed, ..UniversityConfig::default() }
}

#[test]
fn bytes_follow_the_seed() {
    let problem = university(&small(0.1, 3)).unwrap();
    assert_eq!(problem, university(&small(0.1, 3)).unwrap());
    assert_ne!(problem, university(&small(0.1, 4)).unwrap());
}

#[test]
fn defaults_have_the_shape_of_uw_cse() {
    let problem = university(&UniversityConfig::default()).unwrap();
    let skew = problem.n_negatives as f64 / problem.n_positives as f64;
    assert!((18.0..32.0).contains(&skew), "{skew}");
    assert!((2_600..3_000).contains(&(problem.n_positives + problem.n_negatives)));
    let fact_lines = |file: &&GeneratedFile| file.path.ends_with("background.pl");
    let n_facts: usize = problem.files.iter().filter(fact_lines).map(|file| file.text.lines().count()).sum();
    assert!((2_000..3_000).contains(&n_facts), "{n_facts}");
    let students =
        |fold: usize| naive::file(&problem, &format!("fold{fold}/background.pl")).matches("student(").count();
    let n_students: Vec<usize> = (1..=5).map(students).collect();
    assert!(n_students.iter().all(|&count| count > 15), "{n_students:?}");
}

#[test]
fn without_noise_the_planted_clauses_are_the_target() {
    let problem = university(&small(0.0, 1)).unwrap();
    let scores = naive::covered(&problem, 5);
    assert!(problem.n_positives > 20);
    assert!(scores.iter().all(|&(label, n_rules)| label == (n_rules > 0)));
}

#[test]
fn noise_spoils_the_planted_clauses_by_the_stated_amount() {
    let problem = university(&UniversityConfig::default()).unwrap();
    let scores = naive::covered(&problem, 5);
    let area = naive::auc_pr(&scores);
    assert!((0.6..0.85).contains(&area), "{area}");
    let n_uncovered = scores.iter().filter(|&&score| score == (true, 0)).count() as f64;
    assert!((n_uncovered / problem.n_positives as f64 - 0.1).abs() < 0.01);
    let stated = problem.summary.iter().find(|(name, _)| name == "positives no rule covers").unwrap();
    assert_eq!(stated.1, n_uncovered.to_string());
}

#[test]
fn areas_share_no_people_courses_titles_or_projects() {
    let problem = university(&small(0.1, 1)).unwrap();
    let mut seen = BTreeSet::new();
    for fold in 1..=5 {
        let text = naive::file(&problem, &format!("fold{fold}/background.pl"));
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        let own: BTreeSet<&str> = words
            .filter(|word| {
                ["person", "course", "title", "project"]
                    .iter()
                    .any(|kind| word.strip_prefix(kind).is_some_and(|number| number.parse::<usize>().is_ok()))
            })
            .collect();
        assert!(own.len() > 20 && own.is_disjoint(&seen));
        seen.extend(own);
    }
}

#[test]
fn planted_clauses_are_legal_under_the_modes() {
    naive::check_language(&university(&small(0.1, 1)).unwrap());
}

#[test]
fn the_smallest_and_a_single_area_have_both_classes() {
    for (people, areas) in [(80, 5), (60, 1), (160, 10)] {
        let config = UniversityConfig { people, areas, ..UniversityConfig::default() };
        let problem = university(&config).unwrap();
        assert!(problem.n_positives > 0 && problem.n_negatives > problem.n_positives);
        naive::check_language(&problem);
        assert_eq!(naive::covered(&problem, areas).len(), problem.n_positives + problem.n_negatives);
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let message = |config: UniversityConfig| university(&config).map(drop).unwrap_err().to_string();
    let config = UniversityConfig::default;
    assert_eq!(
        message(UniversityConfig { people: 79, ..config() }),
        "`people` is 79, but must lie between 80 and 10000"
    );
    assert_eq!(
        message(UniversityConfig { areas: 0, ..config() }),
        "`areas` is 0, but must lie between 1 and 100"
    );
    assert_eq!(
        message(UniversityConfig { noise: f64::NAN, ..config() }),
        "`noise` is NaN, but must lie between 0 and 0.25"
    );
}
