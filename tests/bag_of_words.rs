//! Naive Bayes over bags of words: scores against plain loops, words on other data, and messages.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{fresh_folder, gleaner, printed, write};
use crate::train_facts::{in_folds, is_good, loaded, number_of, words};

const MODES: &str =
    ":- modeh(1, good(+thing)).\n:- modeb(*, has(+thing, #word)).\n:- modeb(1, often(+thing)).\n";

/// The score of each thing of a table of predictions.
fn scores(table: &str) -> BTreeMap<usize, f64> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let at = |wanted: &str| names.iter().position(|name| *name == wanted).expect("a column");
    let cells = lines.map(|line| line.split(',').collect::<Vec<_>>());
    let number = |text: &str| text[1..].parse().expect("a thing's number");
    cells
        .map(|cells| (number(cells[at("argument1")]), cells[at("score")].parse().expect("a number")))
        .collect()
}

/// Log-odds by plain loops: words are shares of a class's words, by the m-estimate; words that train lacks count nothing.
fn by_loops(thing: usize, train: &[usize], m: f64) -> f64 {
    let mut counts: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    let (mut all, mut classes) = ([0.0_f64; 2], [0.0_f64; 2]);
    for &other in train {
        let class = usize::from(!is_good(other));
        classes[class] += 1.0;
        for word in words(other) {
            counts.entry(word).or_default()[class] += 1.0;
            all[class] += 1.0;
        }
    }
    let n_words = counts.len() as f64;
    let mut odds: f64 = (classes[0] / classes[1]).ln();
    for word in words(thing) {
        let Some(n) = counts.get(&word) else { continue };
        odds += ((n[0] + m / n_words) / (all[0] + m)).ln() - ((n[1] + m / n_words) / (all[1] + m)).ln();
    }
    odds
}

/// Each tested example of each fold, with two weights of the prior. scikit-learn 1.9.1 has the same log-odds for words that train
/// knows: `MultinomialNB(alpha=m / n_words)` over columns of 0 and 1.
#[test]
fn scores_are_those_of_loops() {
    let folder = fresh_folder("bag-of-words-loops");
    let data = in_folds("bag-of-words-data", is_good);
    let (problem, splits) = loaded(&data);
    write(&data, "modes.pl", MODES);
    let data = data.to_str().expect("a path in UTF-8");
    for m in ["1", "25"] {
        let flags = ["--learner", "bag-of-words", "--m-estimate", m, "--run", m, "--quiet"];
        printed(&folder, &[&["cv", data][..], &flags].concat());
        for split in &splits {
            let table = folder.join(m).join(&split.name).join("predictions.csv");
            let scores = scores(&std::fs::read_to_string(table).expect("predictions"));
            let train: Vec<usize> = split.train.iter().map(|&id| number_of(&problem, id)).collect();
            assert_eq!(scores.len(), split.test.len());
            for (thing, score) in scores {
                let expected = by_loops(thing, &train, m.parse().expect("a number"));
                assert!((score - expected).abs() < 1e-9, "{thing} of {}: {score}, {expected}", split.name);
            }
        }
    }
    let said = printed(&folder, &["show", "1/fold1/model.json"]);
    assert!(said.contains("naive Bayes over") && said.contains("good(A) :- has(A,w2)."), "{said}");
}

/// Bags that no mode makes are refused with those that there are.
#[test]
fn bags_are_modes_of_one_constant() {
    let data = in_folds("bag-of-words-names", is_good);
    write(&data, "modes.pl", MODES);
    let learn = |bags: &str| {
        gleaner(&data, &["learn", ".", "--learner", "bag-of-words", "--bags", bags, "-o", "model.json"])
    };
    let (status, _, said) = learn("often,has");
    assert!(
        status == Some(1) && said.contains("no mode makes often a bag") && said.contains("bags are has"),
        "{said}"
    );
    let (status, _, said) = learn("has");
    assert_eq!(status, Some(0), "{said}");
    let (status, _, said) = learn("has,,");
    assert!(status == Some(2) && said.contains("names of predicates separated by commas"), "{said}");
}

/// Numbers below `below`, by the multiplier of Park and Miller.
fn drawn(state: &mut u64, below: u64) -> u64 {
    *state = *state * 48_271 % 2_147_483_647;
    *state % below
}

/// Words tell nothing of test, but on train, where they were counted, they tell nearly every class. Probabilities by train's own scores
/// are worse than the base rate; those by scores without an example's own words are not.
#[test]
fn probabilities_are_of_examples_whose_words_were_not_counted() {
    let folder = fresh_folder("bag-of-words-held-out");
    let (mut state, mut facts) = (11, [String::new(), String::new(), String::new()]);
    for thing in 0..400 {
        let class = usize::from(drawn(&mut state, 10) < 6);
        facts[1 + class].push_str(&format!("good(t{thing}).\n"));
        let words: BTreeSet<u64> = (0..30).map(|_| drawn(&mut state, 300)).collect();
        words.iter().for_each(|word| facts[0].push_str(&format!("has(t{thing},w{word}).\n")));
    }
    write(&folder, "d/background.pl", &facts[0]);
    write(&folder, "d/pos.pl", &facts[1]);
    write(&folder, "d/neg.pl", &facts[2]);
    write(&folder, "d/modes.pl", ":- modeh(1, good(+thing)).\n:- modeb(*, has(+thing, #word)).\n");
    printed(&folder, &["cv", "d", "--learner", "bag-of-words", "--run", "r", "--quiet"]);
    let [mut loss, mut n_positives, mut n] = [0.0, 0.0, 0.0];
    for fold in 1..=5 {
        let path = folder.join(format!("r/fold{fold}/predictions.csv"));
        let table = std::fs::read_to_string(path).expect("predictions");
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let probability: f64 = cells[3].parse().expect("a probability");
            let label: f64 = cells[cells.len() - 1].parse().expect("a label");
            loss -= label * probability.ln() + (1.0 - label) * (1.0 - probability).ln();
            [n_positives, n] = [n_positives + label, n + 1.0];
        }
    }
    let share: f64 = n_positives / n;
    let entropy = -(share * share.ln() + (1.0 - share) * (1.0 - share).ln());
    assert!(n > 399.5, "{n} examples are tested");
    assert!(loss / n < entropy + 0.01, "{} where the base rate has {entropy}", loss / n);
}
