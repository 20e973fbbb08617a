//! A university in the shape of UW-CSE (Richardson, Domingos 2006), described in [GLEANER §4.5]:
//! who advises whom, learnt from publications, teaching, projects and positions.
//!
//! Each research area is a fold with its own people, courses and titles. The examples are all pairs of a student and a
//! professor of one area. Every student has a hidden professor with whom he or she tends to publish, teach and work; no
//! fact names this link. The [`RULES`] over the facts decide the label. The hidden link only makes the rules cover some
//! pairs.
//!
//! DIVERGENCE: UW-CSE has 5 project memberships; here about 90, so that a rule may use them.

mod world;

use std::collections::BTreeSet;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use gleaner_base::random::{Purpose, stream};

use super::{FactText, GenerateError, Generated, GeneratedFile, modes_text, nearest};
use world::{Area, LEVELS, PHASES, POSITIONS, area_background, create_areas, global_background};

/// The settings of a generated university.
#[derive(Clone, Debug, PartialEq)]
pub struct UniversityConfig {
    /// Students and professors over all areas. Range: 16 for each area, but
    /// no fewer than 60, to 10,000. Default 280,
    /// about what UW-CSE has (278). One pair in 25 is positive there; the larger an area, the more
    /// negatives for each positive, since a student has few advisors in any area.
    pub people: usize,
    /// Research areas, each a fold. Range: 1 to 100. Default 5, those of UW-CSE.
    pub areas: usize,
    /// Label noise: about this fraction of the positives is covered by no planted rule, and the
    /// rules lose 1 to 3.5 times this fraction of the pairs they cover. Range: 0 to 0.25. Default 0.1.
    pub noise: f64,
    /// Seed of the random stream; any number. Default 1.
    pub seed: u64,
}

impl Default for UniversityConfig {
    fn default() -> Self {
        Self { people: 280, areas: 5, noise: 0.1, seed: 1 }
    }
}

impl UniversityConfig {
    /// Checks every setting.
    ///
    /// # Errors
    ///
    /// The first setting out of its range, with its value and the range.
    pub fn check(&self) -> Result<(), GenerateError> {
        GenerateError::check_count("areas", self.areas, 1, 100)?;
        GenerateError::check_count("people", self.people, LEAST_PEOPLE.max(16 * self.areas), 10_000)?;
        GenerateError::check_fraction("noise", self.noise, 0.0, 0.25)
    }
}

/// A planted clause and the fraction of its covered pairs that noise takes from the positives, in
/// multiples of the noise setting: clauses differ in precision as in real theories.
const RULES: [(&str, f64); 5] = [
    ("advisedby(A,B) :- publication(C,A), publication(C,B), hasposition(B,faculty).", 2.0),
    (
        "advisedby(A,B) :- ta(C,A,D), taughtby(C,B,D), courselevel(C,level_500), inphase(A,post_generals).",
        3.0,
    ),
    ("advisedby(A,B) :- tempadvisedby(A,B), inphase(A,post_quals).", 1.0),
    ("advisedby(A,B) :- projectmember(C,A), projectmember(C,B), inphase(A,post_generals).", 2.5),
    ("advisedby(A,B) :- projectmember(C,A), projectmember(C,B), publication(D,A), publication(D,B).", 3.5),
];

/// Body modes: every planted clause is legal under them at depth 2.
const MODES: [&str; 22] = [
    "1, student(+person)",
    "1, professor(+person)",
    "1, hasposition(+person,#position)",
    "1, inphase(+person,#phase)",
    "1, yearsinprogram(+person,#year)",
    "1, courselevel(+course,#level)",
    "*, publication(-title,+person)",
    "*, publication(+title,-person)",
    "*, taughtby(-course,+person,-quarter)",
    "*, taughtby(+course,-person,+quarter)",
    "1, taughtby(+course,+person,+quarter)",
    "*, ta(-course,+person,-quarter)",
    "*, ta(+course,-person,+quarter)",
    "1, ta(+course,+person,+quarter)",
    "*, tempadvisedby(+person,-person)",
    "*, tempadvisedby(-person,+person)",
    "*, projectmember(-project,+person)",
    "*, projectmember(+project,-person)",
    "1, samecourse(+course,+course)",
    "1, sameperson(+person,+person)",
    "1, sameproject(+project,+project)",
    "1, next_quarter(+quarter,-quarter)",
];

/// With fewer people a predicate may be left without any fact.
const LEAST_PEOPLE: usize = 60;

/// Generates a university.
///
/// **Cost**: `O(people² / areas)`, the number of examples.
///
/// # Errors
///
/// A setting is out of its range ([`UniversityConfig::check`]).
///
/// # Example
///
/// ```
/// use gleaner_generate::{UniversityConfig, university};
///
/// let problem = university(&UniversityConfig { people: 100, ..UniversityConfig::default() })?;
/// assert!(problem.planted[0].starts_with("advisedby(A,B) :- "));
/// assert!(problem.n_negatives > 5 * problem.n_positives);
/// # Ok::<(), gleaner_generate::GenerateError>(())
/// ```
pub fn university(config: &UniversityConfig) -> Result<Generated, GenerateError> {
    config.check()?;
    let mut rng = stream(config.seed, Purpose::Generate, &[1]);
    let areas = create_areas(config.people, config.areas, &mut rng);
    let mut labelled = label(&areas, config.noise, &mut rng);
    let planted: Vec<String> = RULES.iter().map(|&(clause, _)| clause.to_owned()).collect();
    let modes: Vec<String> = MODES.iter().map(|&mode| mode.to_owned()).collect();
    let global = global_background();
    let mut n_facts = global.n_facts;
    let mut files = vec![
        GeneratedFile { path: "background.pl".to_owned(), text: global.text },
        GeneratedFile {
            path: "modes.pl".to_owned(),
            text: modes_text("advisedby(+person,+person)", &modes, &planted),
        },
    ];
    labelled.sort_unstable_by_key(|pair| (pair.area, pair.student, pair.professor));
    for (area_idx, area) in areas.iter().enumerate() {
        let facts = area_background(area);
        n_facts += facts.n_facts;
        let (mut positives, mut negatives) = (FactText::default(), FactText::default());
        for pair in labelled.iter().filter(|pair| pair.area == area_idx) {
            let class = if pair.positive { &mut positives } else { &mut negatives };
            class.fact("advisedby", &[&area.names[pair.student], &area.names[pair.professor]]);
        }
        for (name, text) in [("background", facts.text), ("pos", positives.text), ("neg", negatives.text)] {
            files.push(GeneratedFile { path: format!("fold{}/{name}.pl", area_idx + 1), text });
        }
    }
    let n_positives = labelled.iter().filter(|pair| pair.positive).count();
    let n_negatives = labelled.len() - n_positives;
    let summary = summarise(config, n_facts, &labelled);
    Ok(Generated { files, planted, n_positives, n_negatives, classes: Vec::new(), summary })
}

/// A student and a professor of one area.
#[derive(Debug)]
struct Pair {
    area: usize,
    student: usize,
    professor: usize,
    /// Which planted rules cover the pair.
    covered: [bool; RULES.len()],
    positive: bool,
}

/// The pairs that each of [`RULES`] covers, by code written apart from their text.
fn covers(area: &Area) -> [BTreeSet<(usize, usize)>; RULES.len()] {
    let in_phase = |student: usize, wanted: &str| {
        area.progress[student].is_some_and(|(phase, _)| PHASES[phase] == wanted)
    };
    let is_faculty = |professor: usize| {
        area.position[professor - area.n_students].is_some_and(|position| POSITIONS[position] == "faculty")
    };
    let published = together(&area.authors, area.n_students);
    let project = together(&area.members, area.n_students);
    let mut assisted = BTreeSet::new();
    for &(course, student, quarter) in &area.ta {
        if LEVELS[area.level[course]] == "level_500" && in_phase(student, "post_generals") {
            let taught = area.taught.iter().filter(|row| (row.0, row.2) == (course, quarter));
            assisted.extend(taught.map(|row| (student, row.1)));
        }
    }
    [
        published.iter().copied().filter(|&(_, professor)| is_faculty(professor)).collect(),
        assisted,
        area.tempadvisedby.iter().copied().filter(|&(student, _)| in_phase(student, "post_quals")).collect(),
        project.iter().copied().filter(|&(student, _)| in_phase(student, "post_generals")).collect(),
        project.intersection(&published).copied().collect(),
    ]
}

/// Pairs of a student and a professor who stand in one group.
fn together(groups: &[Vec<usize>], n_students: usize) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for group in groups {
        let (students, professors) = group.split_at(group.partition_point(|&person| person < n_students));
        for &student in students {
            pairs.extend(professors.iter().map(|&professor| (student, professor)));
        }
    }
    pairs
}

/// Labels every pair. A covered pair is positive, unless noise makes every rule that covers it fail. Then uncovered
/// pairs become positive until they are the noise's fraction.
fn label(areas: &[Area], noise: f64, rng: &mut impl Rng) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (area_idx, area) in areas.iter().enumerate() {
        let covers = covers(area);
        for student in 0..area.n_students {
            for professor in area.n_students..area.names.len() {
                let covered = covers.each_ref().map(|pairs| pairs.contains(&(student, professor)));
                let lost: f64 = RULES
                    .iter()
                    .zip(covered)
                    .filter_map(|(&(_, factor), covered)| covered.then_some(factor * noise))
                    .product();
                let positive = covered.contains(&true) && rng.random_bool(1.0 - lost);
                pairs.push(Pair { area: area_idx, student, professor, covered, positive });
            }
        }
    }
    let n_kept = pairs.iter().filter(|pair| pair.positive).count();
    let n_uncovered = nearest(noise / (1.0 - noise) * n_kept as f64);
    pairs.shuffle(rng);
    for pair in pairs.iter_mut().filter(|pair| !pair.covered.contains(&true)).take(n_uncovered) {
        pair.positive = true;
    }
    pairs
}

fn summarise(config: &UniversityConfig, n_facts: usize, pairs: &[Pair]) -> Vec<(String, String)> {
    let n_positives = pairs.iter().filter(|pair| pair.positive).count();
    let mut summary = vec![
        ("people".to_owned(), config.people.to_string()),
        ("areas (folds)".to_owned(), config.areas.to_string()),
        ("facts".to_owned(), n_facts.to_string()),
        ("positives".to_owned(), n_positives.to_string()),
        ("negatives".to_owned(), (pairs.len() - n_positives).to_string()),
    ];
    for rule in 0..RULES.len() {
        let covered = pairs.iter().filter(|pair| pair.covered[rule]);
        let (n_true, n_false) =
            covered.fold(
                (0, 0),
                |(n_true, n_false), pair| {
                    if pair.positive { (n_true + 1, n_false) } else { (n_true, n_false + 1) }
                },
            );
        summary.push((
            format!("planted rule {} covers", rule + 1),
            format!("{n_true} positives, {n_false} negatives"),
        ));
    }
    let n_uncovered = pairs.iter().filter(|pair| pair.positive && !pair.covered.contains(&true)).count();
    summary.push(("positives no rule covers".to_owned(), n_uncovered.to_string()));
    summary
}

#[cfg(test)]
mod tests {
    use crate::naive;

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
        let n_facts: usize =
            problem.files.iter().filter(fact_lines).map(|file| file.text.lines().count()).sum();
        assert!((2_000..3_000).contains(&n_facts), "{n_facts}");
        let students = |fold: usize| {
            naive::file(&problem, &format!("fold{fold}/background.pl")).matches("student(").count()
        };
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
                    ["person", "course", "title", "project"].iter().any(|kind| {
                        word.strip_prefix(kind).is_some_and(|number| number.parse::<usize>().is_ok())
                    })
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
}
