//! Columns whose rows are counted by each of their words, and those that have too many.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner};

/// People and their 1,200 trips. The towns have so many different words; the word of a trip's means is one of three.
fn write_trips(folder: &Path, n_towns: u32, more: Option<&dyn Fn(u32) -> String>) {
    let mut people = "id,age,label\n".to_owned();
    for at in 0..40 {
        let _ = writeln!(people, "p{at},{},{}", 20 + at % 30, u32::from(at % 3 == 0));
    }
    let head = if more.is_some() { ",town_group" } else { "" };
    let mut trips = format!("id,person,price,means,town{head}\n");
    for at in 0..1200 {
        let means = ["bus", "ship", "train"][at as usize % 3];
        let town = at * 7 % n_towns;
        let last = more.map_or_else(String::new, |more| format!(",{}", more(town)));
        let _ = writeln!(trips, "t{at},p{},{}.5,{means},town{town}{last}", at * 11 % 40, at % 97);
    }
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    std::fs::write(folder.join("db/people.csv"), people).expect("it can be written");
    std::fs::write(folder.join("db/trips.csv"), trips).expect("it can be written");
}

/// The lines that tell of words that are not counted, and the modes that count rows by words.
fn told_and_counted(folder: &Path) -> (String, String) {
    let (code, modes, stderr) =
        gleaner(folder, &["inspect", "db", "--label", "people.label", "--propose-modes"]);
    assert_eq!(code, Some(0), "{stderr}");
    let told = stderr.lines().filter(|line| line.contains("[G174]")).collect::<Vec<_>>().join("\n");
    let counts = modes.lines().filter(|line| line.contains("aggregate_all(count") && line.contains('#'));
    (told, counts.collect::<Vec<_>>().join("\n"))
}

/// A column of 201 words got no counts, and nobody said so. What the message advises helps.
#[test]
fn a_column_of_too_many_words_to_count_is_told() {
    let folder = fresh_folder("words_counted");
    write_trips(&folder, 200, None);
    let (told, counted) = told_and_counted(&folder);
    assert_eq!(told, "");
    assert!(counted.contains("trips_town(") && counted.contains("trips_means("), "{counted}");
    write_trips(&folder, 201, None);
    let (told, counted) = told_and_counted(&folder);
    assert!(told.contains("trips.town (201 words)") && told.contains("at most 200 words"), "{told}");
    assert!(!told.contains("means") && !told.contains("price"), "{told}");
    assert!(!counted.contains("trips_town(") && counted.contains("trips_means("), "{counted}");
    let group = |town: u32| if town < 30 { format!("town{town}") } else { "other".to_owned() };
    write_trips(&folder, 201, Some(&group));
    std::fs::write(folder.join("db/schema.toml"), "[trips]\ntown = \"category\"\n")
        .expect("it can be written");
    let (told, counted) = told_and_counted(&folder);
    assert_eq!(told, "");
    assert!(counted.contains("trips_town_group(") && !counted.contains("trips_town("), "{counted}");
}
