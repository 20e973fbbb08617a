//! Ranks by a model of one relation, beside plain loops over what `predict` says of every pair.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use crate::support::{fresh_folder, gleaner};

use super::{done, ends, number, planted};

type Pair = [String; 2];

/// The pairs of `above` in a file of triples.
fn pairs(folder: &Path, file: &str) -> BTreeSet<Pair> {
    let text = std::fs::read_to_string(folder.join(file)).expect("read");
    let triples = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    triples.filter(|cells| cells[1] == "above").map(|cells| [cells[0], cells[2]].map(str::to_owned)).collect()
}

/// The score of every pair of people, by `predict`.
fn scores(folder: &Path, model: &str) -> BTreeMap<Pair, f64> {
    let mut asked = String::new();
    for a in 0..30 {
        (0..30).for_each(|b| _ = writeln!(asked, "above(p{a}, p{b})."));
    }
    std::fs::write(folder.join("asked.pl"), asked).expect("written");
    let table = ends(folder, &["predict", model, ".", "--examples-file", "asked.pl", "--quiet"]);
    let mut rows = table.lines().map(|line| line.rsplit(',').collect::<Vec<_>>());
    let header = rows.next().expect("a header");
    let column = |name: &str| header.iter().position(|of| *of == name).expect("a column");
    let [a, b, score] = ["argument1", "argument2", "score"].map(column);
    rows.map(|row| ([row[a], row[b]].map(str::to_owned), row[score].parse().expect("a number"))).collect()
}

/// One more than the people above, and half of those beside.
#[expect(clippy::cast_precision_loss, reason = "few people")]
fn rank(own: f64, others: &[f64]) -> f64 {
    let above = others.iter().filter(|other| **other > own).count();
    let beside = others.iter().filter(|other| (*other - own).abs() < 1e-15).count();
    1.0 + above as f64 + beside as f64 / 2.0
}

fn agrees_with_plain_loops(name: &str, settings: &[&str], part: &str, within: &str) {
    let folder = planted(name);
    let learn = ["learn", ".", "--target", "above/2", "-o", "model.json", "--negatives", "200", "--quiet"];
    ends(&folder, &[&learn[..], settings].concat());
    let (train, test) = (pairs(&folder, "train.txt"), pairs(&folder, "test.txt"));
    let of_part = if part == "train" { &train } else { &test };
    let is_true = |pair: &Pair| train.contains(pair) || test.contains(pair);
    let scores = scores(&folder, "model.json");
    let has_place =
        |end: usize, person: &str| within == "entities" || train.iter().any(|of| of[end] == person);
    let expected: Vec<String> = of_part
        .iter()
        .map(|link| {
            let of_end = |end: usize| {
                let is_other = |pair: &&Pair| {
                    pair[1 - end] == link[1 - end] && !is_true(pair) && has_place(end, &pair[end])
                };
                let others: Vec<f64> = scores.keys().filter(is_other).map(|pair| scores[pair]).collect();
                rank(scores[link], &others)
            };
            format!("{},above,{},{},{}", link[0], link[1], of_end(0), of_end(1))
        })
        .collect();
    let asked = ["rank", "model.json", ".", "--part", part, "--rank-within", within, "-o", "-", "--quiet"];
    let mut found: Vec<String> = ends(&folder, &asked).lines().skip(1).map(str::to_owned).collect();
    found.sort();
    let mut expected = expected;
    expected.sort();
    assert_eq!(found, expected, "{settings:?}");
}

#[test]
fn ranks_are_those_of_plain_loops() {
    let few = ["--seeds", "5", "--clauses", "100"];
    let with = |learner: &'static str| [&["--learner", learner][..], &few].concat();
    agrees_with_plain_loops("links_one_gleaner", &with("gleaner"), "test", "entities");
    agrees_with_plain_loops("links_one_trees", &["--learner", "rdn-boost", "--rounds", "4"], "test", "type");
    let known = [&with("gleaner")[..], &["--target-in-body", "folds"]].concat();
    agrees_with_plain_loops("links_one_known", &known, "test", "entities");
    agrees_with_plain_loops("links_one_train", &known, "train", "entities");
}

/// A model that knows the links of train ranks by transitivity, and the command says nothing of predicates that it lacks.
#[test]
fn known_links_tell_what_is_asked() {
    let folder = planted("links_one_known_figures");
    let learn = "learn . --target above/2 --learner gleaner --seeds 5 --clauses 100 --negatives 200 --quiet";
    let learn: Vec<&str> = learn.split_whitespace().collect();
    ends(&folder, &[&learn[..], &["-o", "without.json"]].concat());
    ends(&folder, &[&learn[..], &["-o", "with.json", "--target-in-body", "folds"]].concat());
    let ranked = |model: &str, threads: &str| {
        let (code, found, said) = gleaner(&folder, &["rank", model, ".", "--json", "--threads", threads]);
        assert_eq!((code, said.contains("G012")), (Some(0), false), "{said}");
        found
    };
    let with = ranked("with.json", "1");
    assert_eq!(with, ranked("with.json", "3"));
    let mrr = |text: &str| number(&done(text)["mrr"]);
    assert!(mrr(&with) > 2.0 * mrr(&ranked("without.json", "2")), "{with}");
}

/// Entities whose links are all kept back are answers, too; a model of something else is refused with a remedy.
#[test]
fn odd_graphs_and_models() {
    let folder = fresh_folder("links_one_odd");
    let mut train = String::new();
    for a in 0..20 {
        let _ = writeln!(train, "p{a}\tlikes\tq{}\np{a}\tknows\t{}", a % 4, a % 4);
    }
    std::fs::write(folder.join("train.txt"), train).expect("written");
    std::fs::write(folder.join("test.txt"), "p1\tlikes\t'it''s'\nnew\tknows\t-3.5\n").expect("written");
    let learn = ["learn", ".", "--learner", "aleph", "--negatives", "40", "--quiet"];
    ends(&folder, &[&learn[..], &["--target", "likes/2", "-o", "likes.json"]].concat());
    let ranked = done(&ends(&folder, &["rank", "likes.json", ".", "--json", "--quiet"]));
    assert_eq!((number(&ranked["entities"]), number(&ranked["links"])), (31.0, 1.0));
    let (code, _, said) = gleaner(&folder, &["rank", "likes.json", ".", "--part", "tune"]);
    assert!(code == Some(1) && said.contains("--part"), "{said}");
    let other = fresh_folder("links_one_other");
    std::fs::write(other.join("train.txt"), "a\tr\tb\n").expect("written");
    let path = other.to_str().expect("a path");
    let (code, _, said) = gleaner(&folder, &["rank", "likes.json", path]);
    assert!(code == Some(1) && said.contains("no relation likes"), "{said}");
}
