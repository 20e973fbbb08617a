//! Links in data that lead out of their folder are refused: their lines would be shown or written as the data's. What the user
//! names may be a link, and so may what leads to another file of the same folder.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::support::{fresh_folder, gleaner, printed, write};

const SECRET: &str = "tell_nobody_of_this";

/// A folder with a file that belongs to others, and a link to it where the data have a file.
fn linked(name: &str, at: &str) -> PathBuf {
    let folder = fresh_folder(name);
    write(&folder, "secret", &format!("{SECRET},{SECRET}(\n{SECRET} :- x,\"\n"));
    std::fs::create_dir_all(folder.join("data").join(at).parent().expect("a folder"))
        .expect("it can be made");
    symlink(folder.join("secret"), folder.join("data").join(at)).expect("a link");
    folder
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert!(code == Some(1) && stderr.contains("error[G005]"), "{arguments:?}: {stderr}");
    assert!(stderr.contains("leads out of the data's folder"), "{arguments:?}: {stderr}");
    assert!(!format!("{stdout}{stderr}").contains(SECRET), "{arguments:?}: {stdout}{stderr}");
}

fn own(folder: &Path) {
    write(folder, "pos.pl", "t(a). t(b). t(c).\n");
    write(folder, "neg.pl", "t(d). t(e). t(f).\n");
    write(folder, "modes.pl", ":- modeh(1, t(+x)).\n:- modeb(1, q(+x)).\n");
}

#[test]
fn a_link_that_leaves_the_data_is_refused_in_each_layout() {
    let folder = linked("leaving-own", "background.pl");
    own(&folder.join("data"));
    refused(&folder, &["inspect", "data"]);
    // The second table, whose name is the link's.
    let folder = linked("leaving-csv", "parents.csv");
    write(&folder, "data/ages.csv", "who,age\nann,3\n");
    refused(&folder, &["inspect", "data", "--label", "ages.age"]);
    refused(&folder, &["inspect", "data", "--format", "csv"]);
}

#[test]
fn a_corpus_does_not_write_what_its_links_lead_to() {
    let folder = linked("leaving-brat", "a.txt");
    write(&folder, "data/a.ann", "T1\tProtein 0 4\ttell\nT2\tProtein 5 11\tnobody\n");
    refused(&folder, &["text", "data", "-o", "out"]);
    assert!(!folder.join("out").exists());
    let folder = linked("leaving-annotations", "a.ann");
    write(&folder, "data/a.txt", "A binds B.\n");
    refused(&folder, &["text", "data", "-o", "out"]);
}

#[test]
fn links_within_the_data_and_to_the_data_are_followed() {
    let folder = fresh_folder("staying-links");
    let data = folder.join("data");
    own(&data);
    write(&data, "facts/all.pl", "q(a). q(b). q(c).\n");
    symlink("facts/all.pl", data.join("background.pl")).expect("a link");
    symlink("data", folder.join("other")).expect("a link");
    let said = printed(&folder, &["inspect", "other", "--quiet"]);
    assert_eq!(said, printed(&folder, &["inspect", "data", "--quiet"]));
    // What the user names leads where it does.
    std::fs::rename(data.join("facts"), folder.join("facts")).expect("it can be moved");
    std::fs::remove_file(data.join("background.pl")).expect("it is there");
    symlink("facts/all.pl", folder.join("named.pl")).expect("a link");
    printed(&folder, &["inspect", "data", "--background", "named.pl", "--quiet"]);
}

/// A database whose one table has rows with these words.
fn database(path: &Path, word: &str) {
    let connection = Connection::open(Path::new("/").join(path)).expect("it can be made");
    let rows: String = (0..4).map(|row| format!("INSERT INTO t VALUES ({row}, '{word}{row}');\n")).collect();
    let made = format!("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);\n{rows}");
    connection.execute_batch(&made).expect("rows");
}

#[test]
fn a_database_is_the_file_that_is_named() {
    let folder = fresh_folder("named-database");
    database(&folder.join("victim.db"), SECRET);
    // Without the file that is named there is none.
    let (code, stdout, stderr) = gleaner(&folder, &["inspect", "file:victim.db", "--format", "sqlite"]);
    assert!(code == Some(1) && !format!("{stdout}{stderr}").contains(SECRET), "{stdout}{stderr}");
    std::fs::rename(folder.join("victim.db"), folder.join("moved")).expect("it can be moved");
    database(&folder.join("own.db"), "plain");
    std::fs::rename(folder.join("own.db"), folder.join("file:victim.db")).expect("it can be moved");
    std::fs::rename(folder.join("moved"), folder.join("victim.db")).expect("it can be moved");
    // Four labels are too many, so a message shows them.
    let (_, stdout, stderr) = gleaner(&folder, &["inspect", "file:victim.db", "--label", "t.name"]);
    let said = format!("{stdout}{stderr}");
    assert!(said.contains("plain2") && !said.contains(SECRET), "{said}");
}
