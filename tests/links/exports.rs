//! The rules of links for other programs: Prolog, AnyBURL, tables.

use std::path::PathBuf;
use std::process::Command;

use super::ends;
use crate::show::swi_prolog;
use crate::support::fresh_folder;

/// Two chains of parents, and a grandparent that no fact tells.
fn family(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let links = [
        ("ann", "parent of", "bob"),
        ("bob", "parent of", "Cid"),
        ("ann", "parent of", "eve"),
        ("eve", "parent of", "fay"),
        ("gus", "parent of", "hal"),
        ("hal", "parent of", "ida"),
        ("jon", "parent of", "kay"),
        ("kay", "parent of", "lea"),
        ("ann", "grandparent", "Cid"),
        ("ann", "grandparent", "fay"),
        ("gus", "grandparent", "ida"),
    ];
    let text: String =
        links.iter().map(|(from, relation, to)| format!("{from}\t{relation}\t{to}\n")).collect();
    std::fs::write(folder.join("train.txt"), text).expect("written");
    ends(&folder, &["learn", ".", "--target", "all", "-o", "links.json", "--quiet"]);
    folder
}

/// Of four paths of two parents three are grandparents; two wrong predictions are added by default: 3 / 6.
#[test]
fn anyburl_reads_the_rules() {
    let folder = family("links_anyburl");
    let asked = ["show", "links.json", "--relation", "grandparent", "--to", "anyburl"];
    let text = ends(&folder, &asked);
    let rule = "\tgrandparent(X,Y) <= parent of(X,A), parent of(A,Y)";
    let line = text.lines().find(|line| line.ends_with(rule)).unwrap_or_else(|| panic!("{text}"));
    let numbers: Vec<&str> = line.split('\t').collect();
    assert_eq!(numbers[..2], ["4", "3"], "{line}");
    let confidence: f64 = numbers[2].parse().expect("a number");
    let pseudo = 3.0 / confidence - 4.0;
    assert!([2.0, 5.0].iter().any(|added| (pseudo - added).abs() < 1e-9), "{line}");
}

#[test]
fn rules_are_a_program() {
    let folder = family("links_prolog");
    let text = ends(&folder, &["show", "links.json", "--to", "prolog"]);
    let rule = "predicted(grandparent, A, B, ";
    assert!(text.lines().any(|line| line.starts_with(rule) && line.contains("% 3 of 4")), "{text}");
    let theory = ends(&folder, &["show", "links.json", "--to", "theory"]);
    assert!(
        theory.lines().any(|line| line == "grandparent(A,B) :- 'parent of'(A,C), 'parent of'(C,B)."),
        "{theory}"
    );
    if swi_prolog().is_none() {
        return;
    }
    std::fs::write(folder.join("rules.pl"), text).expect("written");
    let facts = "'parent of'(jon,kay). 'parent of'(kay,lea). 'parent of'(kay,kay).\n";
    std::fs::write(folder.join("facts.pl"), facts).expect("written");
    let goal = "forall(predicted(grandparent,jon,Who,_), (write(Who), nl))";
    let output = Command::new("swipl")
        .current_dir(&folder)
        .args(["-g", goal, "-t", "halt", "rules.pl", "facts.pl"])
        .output()
        .expect("swipl runs");
    let answers = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(answers.lines().collect::<Vec<_>>(), ["lea"], "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_table_has_all_rules() {
    let folder = family("links_rules_csv");
    let cv = ["cv", ".", "--target", "all", "--folds", "2", "--run", "run", "--quiet"];
    ends(&folder, &cv);
    let shown = ends(&folder, &["show", "run/fold1/model.json", "--to", "theory"]);
    let table = std::fs::read_to_string(folder.join("run/fold1/rules.csv")).expect("it is there");
    assert_eq!(table.lines().count(), shown.lines().count() + 1, "{table}\n{shown}");
}
