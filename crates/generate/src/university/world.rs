//! The areas of a university: the draws of their people, courses, titles and projects, and their facts.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use crate::FactText;

/// People of the five areas of UW-CSE: theory, systems, language, graphics, artificial intelligence.
const AREA_WEIGHTS: [usize; 5] = [49, 72, 28, 61, 68];
pub(super) const PHASES: [&str; 3] = ["pre_quals", "post_quals", "post_generals"];
pub(super) const POSITIONS: [&str; 4] =
    ["faculty", "faculty_adjunct", "faculty_affiliate", "faculty_emeritus"];
pub(super) const LEVELS: [&str; 3] = ["level_300", "level_400", "level_500"];
const QUARTERS: [&str; 12] = [
    "autumn_0001",
    "winter_0001",
    "spring_0001",
    "autumn_0102",
    "winter_0102",
    "spring_0102",
    "autumn_0203",
    "winter_0203",
    "spring_0203",
    "autumn_0304",
    "winter_0304",
    "spring_0304",
];

/// One area. People, courses, titles and projects are numbered from 0 within it; students come
/// before professors, but their names are drawn from one shuffled list.
#[derive(Debug, Default)]
pub(super) struct Area {
    pub(super) names: Vec<String>,
    pub(super) n_students: usize,
    /// For each student, the hidden professor, who shapes the facts; no file names this link.
    mentor: Vec<Option<usize>>,
    /// Index into [`PHASES`] and the year, for the students with known progress.
    pub(super) progress: Vec<Option<(usize, usize)>>,
    /// Index into [`POSITIONS`], for each professor, first professor first.
    pub(super) position: Vec<Option<usize>>,
    /// Index into [`LEVELS`], for each course.
    pub(super) level: Vec<usize>,
    /// Course, professor, quarter; sorted.
    pub(super) taught: Vec<(usize, usize, usize)>,
    /// Course, student, quarter; sorted.
    pub(super) ta: Vec<(usize, usize, usize)>,
    /// People of each title, and of each project; sorted.
    pub(super) authors: Vec<Vec<usize>>,
    pub(super) members: Vec<Vec<usize>>,
    /// Student, professor; sorted.
    pub(super) tempadvisedby: Vec<(usize, usize)>,
    /// The first numbers in the names of the area's courses, titles and projects.
    first_course: usize,
    first_title: usize,
    first_project: usize,
}

/// Draws `n_areas` areas with `n_people` people in all. Names are shuffled over all areas, so that a name does not
/// reveal its area or role.
pub(super) fn create_areas(n_people: usize, n_areas: usize, rng: &mut impl Rng) -> Vec<Area> {
    let mut numbers: Vec<usize> = (1..=n_people).collect();
    numbers.shuffle(rng);
    let weights: Vec<usize> = AREA_WEIGHTS.iter().copied().cycle().take(n_areas).collect();
    let total: usize = weights.iter().sum();
    // Every area gets at least 9 people, so that it has 2 professors and several students.
    let spare = n_people - 9 * n_areas;
    let (mut so_far, mut start) = (0, 0);
    let mut areas: Vec<Area> = Vec::with_capacity(n_areas);
    for (area_idx, weight) in weights.iter().enumerate() {
        so_far += weight;
        let end = spare * so_far / total + 9 * (area_idx + 1);
        let mut area = Area {
            names: numbers[start..end].iter().map(|number| format!("person{number}")).collect(),
            ..Area::default()
        };
        if let Some(before) = areas.last() {
            area.first_course = before.first_course + before.level.len();
            area.first_title = before.first_title + before.authors.len();
            area.first_project = before.first_project + before.members.len();
        }
        create_people(&mut area, rng);
        create_teaching(&mut area, rng);
        create_publications(&mut area, rng);
        create_projects(&mut area, rng);
        areas.push(area);
        start = end;
    }
    areas
}

/// Roles, phases, years, positions and hidden mentors, in UW-CSE's proportions.
fn create_people(area: &mut Area, rng: &mut impl Rng) {
    let n_people = area.names.len();
    let n_professors = (n_people * 62 / 278).max(2);
    area.n_students = n_people - n_professors;
    area.position = (0..n_professors)
        .map(|_| rng.random_bool(0.84).then(|| [0, 0, 0, 0, 0, 0, 0, 1, 2, 3][rng.random_range(0..10)]))
        .collect();
    for student in 0..area.n_students {
        let phase = rng.random_range(0..3);
        let year = [1, 2, 4][phase] + rng.random_range(0..[3, 4, 5][phase]);
        area.progress.push(rng.random_bool(0.65).then_some((phase, year)));
        let mentored = rng.random_bool([0.45, 0.75, 0.9][phase]);
        let mentor = mentored.then(|| rng.random_range(area.n_students..n_people));
        area.mentor.push(mentor);
        if rng.random_bool([0.15, 0.35, 0.03][phase]) {
            let professor = mentor.unwrap_or_else(|| rng.random_range(area.n_students..n_people));
            area.tempadvisedby.push((student, professor));
        }
    }
}

/// Courses, who taught them in which quarter, and who assisted: often a student of the teacher.
fn create_teaching(area: &mut Area, rng: &mut impl Rng) {
    let (n_people, n_students) = (area.names.len(), area.n_students);
    for course in 0..(n_people * 47 / 100) {
        area.level.push([0, 1, 1, 1, 2, 2, 2, 2][rng.random_range(0..8)]);
        let usual = rng.random_range(n_students..n_people);
        for _ in 0..rng.random_range(1..=4) {
            let professor = if rng.random_bool(0.7) { usual } else { rng.random_range(n_students..n_people) };
            let quarter = rng.random_range(0..QUARTERS.len());
            area.taught.push((course, professor, quarter));
            if !rng.random_bool(0.55) {
                continue;
            }
            let students: Vec<usize> =
                (0..n_students).filter(|&student| area.mentor[student] == Some(professor)).collect();
            let assistant = match students.choose(rng) {
                Some(&student) if rng.random_bool(0.5) => student,
                _ => rng.random_range(0..n_students),
            };
            area.ta.push((course, assistant, quarter));
        }
    }
    area.taught.sort_unstable();
    area.taught.dedup();
    area.ta.sort_unstable();
    area.ta.dedup();
}

/// Titles by a professor with some of his or her students; a fifth by students alone.
fn create_publications(area: &mut Area, rng: &mut impl Rng) {
    let (n_people, n_students) = (area.names.len(), area.n_students);
    for _ in 0..(n_people * 116 / 100) {
        let mut people = Vec::new();
        if rng.random_bool(0.8) {
            let lead = rng.random_range(n_students..n_people);
            people.push(lead);
            for student in 0..n_students {
                if area.mentor[student] == Some(lead) {
                    let junior = area.progress[student].is_some_and(|(phase, _)| phase == 0);
                    if rng.random_bool(if junior { 0.05 } else { 0.16 }) {
                        people.push(student);
                    }
                }
            }
            if rng.random_bool(0.3) {
                people.push(rng.random_range(n_students..n_people));
            }
        } else {
            people.push(rng.random_range(0..n_students));
        }
        if rng.random_bool(0.12) {
            people.push(rng.random_range(0..n_students));
        }
        people.sort_unstable();
        people.dedup();
        area.authors.push(people);
    }
}

/// Projects of a professor, some of his or her students, and sometimes another person.
fn create_projects(area: &mut Area, rng: &mut impl Rng) {
    let (n_people, n_students) = (area.names.len(), area.n_students);
    for _ in 0..(n_people * 13 / 100).max(1) {
        let lead = rng.random_range(n_students..n_people);
        let mut people = vec![lead];
        people.extend(
            (0..n_students).filter(|&student| area.mentor[student] == Some(lead) && rng.random_bool(0.6)),
        );
        if rng.random_bool(0.4) {
            people.push(rng.random_range(0..n_people));
        }
        people.sort_unstable();
        people.dedup();
        area.members.push(people);
    }
}

/// Constants that all areas share.
pub(super) fn global_background() -> FactText {
    let mut facts = FactText::default();
    for pair in QUARTERS.windows(2) {
        facts.fact("next_quarter", pair);
    }
    facts
}

/// The facts of one area, grouped by predicate.
pub(super) fn area_background(area: &Area) -> FactText {
    let mut facts = FactText::default();
    let names = &area.names;
    let course = |idx: usize| format!("course{}", area.first_course + idx);
    let project = |idx: usize| format!("project{}", area.first_project + idx);
    for (idx, name) in names.iter().enumerate() {
        facts.fact(if idx < area.n_students { "student" } else { "professor" }, &[name]);
    }
    for (name, position) in names[area.n_students..].iter().zip(&area.position) {
        if let Some(position) = position {
            facts.fact("hasposition", &[name, POSITIONS[*position]]);
        }
    }
    let known = || names.iter().zip(&area.progress).filter_map(|(name, progress)| Some((name, (*progress)?)));
    for (name, (phase, _)) in known() {
        facts.fact("inphase", &[name, PHASES[phase]]);
    }
    for (name, (_, year)) in known() {
        facts.fact("yearsinprogram", &[name, &format!("year_{year}")]);
    }
    for (idx, &level) in area.level.iter().enumerate() {
        facts.fact("courselevel", &[&course(idx), LEVELS[level]]);
    }
    for (predicate, rows) in [("taughtby", &area.taught), ("ta", &area.ta)] {
        for &(idx, person, quarter) in rows {
            facts.fact(predicate, &[&course(idx), &names[person], QUARTERS[quarter]]);
        }
    }
    for (idx, people) in area.authors.iter().enumerate() {
        for &person in people {
            facts.fact("publication", &[&format!("title{}", area.first_title + idx), &names[person]]);
        }
    }
    for (idx, people) in area.members.iter().enumerate() {
        for &person in people {
            facts.fact("projectmember", &[&project(idx), &names[person]]);
        }
    }
    for &(student, professor) in &area.tempadvisedby {
        facts.fact("tempadvisedby", &[&names[student], &names[professor]]);
    }
    for name in names {
        facts.fact("sameperson", &[name, name]);
    }
    for name in (0..area.level.len()).map(course) {
        facts.fact("samecourse", &[&name, &name]);
    }
    for name in (0..area.members.len()).map(project) {
        facts.fact("sameproject", &[&name, &name]);
    }
    facts
}
