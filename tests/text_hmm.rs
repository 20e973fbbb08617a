//! The hidden Markov model of sentences: scores against a sum over all labellings, threads, other data, and messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, gleaner, printed, write};
use crate::train_facts::loaded;

const N_FOLDS: usize = 4;
const N_SENTENCES: usize = 60;

const MODES: &str = "\
:- modeh(1, binds(+mention,+mention)).
:- modeb(*, near(+mention,+mention,#word)).
";

/// A phrase of a sentence: its kind, and its words.
type Phrase = (&'static str, Vec<String>);

/// The phrases of a sentence, by arithmetic alone: noun phrases with a comma or a verb phrase after each.
fn phrases(sentence: usize) -> Vec<Phrase> {
    let word = |at: usize, n: usize| format!("w{}", (sentence * 7 + at * 5 + sentence / 11) % n);
    let mut all: Vec<Phrase> = Vec::new();
    for noun in 0..2 + sentence % 2 {
        all.push(("noun", (0..1 + (sentence + noun) % 2).map(|at| word(at + noun, 6)).collect()));
        match (sentence + noun) % 3 {
            0 => all.push(("punctuation", vec![",".to_owned()])),
            _ => all.push(("verb", vec![word(noun, 4)])),
        }
    }
    all
}

/// The pairs of noun phrases of a sentence, by their places among its phrases, and the class of each. A pair of one place stands in one
/// phrase.
fn pairs(sentence: usize) -> Vec<([usize; 2], bool)> {
    let nouns: Vec<usize> = (0..phrases(sentence).len()).step_by(2).collect();
    let mut pairs = Vec::new();
    for (at, &first) in nouns.iter().enumerate() {
        for &second in &nouns[at..] {
            let is_wanted = first != second || sentence.is_multiple_of(5);
            let is_positive = phrases(sentence)[first].1.len() + first + second + sentence / 3;
            if is_wanted {
                pairs.push(([first, second], is_positive.is_multiple_of(4)));
            }
        }
    }
    pairs
}

fn name(sentence: usize, [first, second]: [usize; 2]) -> [String; 2] {
    [format!("m{sentence}_{first}_a"), format!("m{sentence}_{second}_b")]
}

/// The sentences as facts, in folds. Tokens outside of phrases are commas.
fn written(folder: &str) -> PathBuf {
    let folder = fresh_folder(folder);
    write(&folder, "modes.pl", MODES);
    for fold in 0..N_FOLDS {
        let part = folder.join(format!("fold{}", fold + 1));
        std::fs::create_dir(&part).expect("a new folder");
        let [mut facts, mut positives, mut negatives] = [String::new(), String::new(), String::new()];
        for sentence in (0..N_SENTENCES).filter(|sentence| sentence % N_FOLDS == fold) {
            let (mut token, mut extents) = (0, Vec::new());
            for (kind, words) in phrases(sentence) {
                extents.push([token, token + words.len() - 1]);
                if kind != "punctuation" {
                    let _ =
                        writeln!(facts, "phrase(s{sentence}, {kind}, {token}, {}).", token + words.len() - 1);
                }
                for word in words {
                    let _ = writeln!(facts, "token(s{sentence}, {token}, '{word}', {kind}).");
                    token += 1;
                }
            }
            for (pair, is_positive) in pairs(sentence) {
                let [first, second] = name(sentence, pair);
                let _ = writeln!(
                    facts,
                    "candidate({first}, {second}, s{sentence}).\nnear({first}, {second}, w0)."
                );
                for (mention, place) in [(&first, pair[0]), (&second, pair[1])] {
                    let [from, to] = extents[place];
                    let _ = writeln!(facts, "stands({mention}, s{sentence}, {from}, {to}).");
                }
                let examples = if is_positive { &mut positives } else { &mut negatives };
                let _ = writeln!(examples, "binds({first}, {second}).");
            }
        }
        write(&part, "background.pl", &facts);
        write(&part, "pos.pl", &positives);
        write(&part, "neg.pl", &negatives);
    }
    folder
}

/// A chain as counts: pairs of states, and states with words.
#[derive(Default)]
struct Chain {
    sentences: f64,
    steps: BTreeMap<(String, String), f64>,
    words: BTreeMap<(String, String), f64>,
}

impl Chain {
    fn add(&mut self, sentence: usize, labels: &[usize]) {
        self.sentences += 1.0;
        let mut before = "start".to_owned();
        for ((kind, words), label) in phrases(sentence).into_iter().zip(labels) {
            let state = format!("{kind}/{label}");
            *self.steps.entry((before, state.clone())).or_default() += 1.0;
            for word in words {
                *self.words.entry((state.clone(), word)).or_default() += 1.0;
            }
            before = state;
        }
        *self.steps.entry((before, "end".to_owned())).or_default() += 1.0;
    }

    /// The probability of a sentence with these labels, a factor for each step and each word.
    fn probability(&self, sentence: usize, labels: &[usize], [n_states, n_words]: [f64; 2], m: f64) -> f64 {
        let share = |counts: &BTreeMap<(String, String), f64>, of: &str, event: &str, n: f64, m: f64| {
            let all: f64 = counts.iter().filter(|((state, _), _)| state == of).map(|(_, n)| n).sum();
            let seen = counts.get(&(of.to_owned(), event.to_owned())).copied().unwrap_or(0.0);
            (seen + m / n) / (all + m)
        };
        let mut before = "start".to_owned();
        let mut product = 1.0;
        for ((kind, words), label) in phrases(sentence).into_iter().zip(labels) {
            let state = format!("{kind}/{label}");
            product *= share(&self.steps, &before, &state, n_states, 1.0);
            for word in words {
                product *= share(&self.words, &state, &word, n_words, m);
            }
            before = state;
        }
        product * share(&self.steps, &before, "end", n_states, 1.0)
    }
}

/// All ways to label so many phrases: 1 is a part of the first argument, 2 of the second, 3 of both.
fn labellings(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..4_usize.pow(u32::try_from(n).expect("few")))
        .map(move |code| (0..n).map(|at| code >> (2 * at) & 3).collect())
}

/// The probability of each pair of a sentence, by all its labellings.
fn by_labellings(sentence: usize, train: &BTreeSet<usize>, m: f64) -> BTreeMap<[usize; 2], f64> {
    let (mut with, mut without) = (Chain::default(), Chain::default());
    for &other in train {
        let mut labels = vec![0; phrases(other).len()];
        for ([first, second], _) in pairs(other).into_iter().filter(|(_, is_positive)| *is_positive) {
            labels[first] |= 1;
            labels[second] |= 2;
        }
        if labels.iter().any(|&label| label > 0) { &mut with } else { &mut without }.add(other, &labels);
    }
    let of_train = train.iter().flat_map(|&other| phrases(other));
    let kinds: BTreeSet<&str> = of_train.clone().map(|(kind, _)| kind).collect();
    let words: BTreeSet<String> = of_train.flat_map(|(_, words)| words).collect();
    let (n_kinds, n_words) = (kinds.len() as f64, words.len() as f64 + 1.0);
    let share = (with.sentences + 0.5) / (with.sentences + without.sentences + 1.0);
    let n = phrases(sentence).len();
    let plain = (1.0 - share) * without.probability(sentence, &vec![0; n], [n_kinds + 1.0, n_words], m);
    let mut all = plain;
    let mut of_pairs: BTreeMap<[usize; 2], f64> =
        pairs(sentence).into_iter().map(|(pair, _)| (pair, 0.0)).collect();
    for labels in labellings(n) {
        let here = share * with.probability(sentence, &labels, [4.0 * n_kinds + 1.0, n_words], m);
        all += here;
        for ([first, second], sum) in &mut of_pairs {
            if labels[*first] & 1 > 0 && labels[*second] & 2 > 0 {
                *sum += here;
            }
        }
    }
    of_pairs.into_iter().map(|(pair, sum)| (pair, sum / all)).collect()
}

/// The score of each pair of a table of predictions.
fn scores(table: &Path) -> BTreeMap<[String; 2], f64> {
    let table = std::fs::read_to_string(table).expect("predictions");
    let mut lines = table.lines();
    // The first cell is the example, in quotation marks.
    let names: Vec<&str> = lines.next().expect("names").split(',').skip(1).collect();
    let at = |wanted: &str| names.iter().position(|name| *name == wanted).expect("a column");
    let (first, second, score) = (at("argument1"), at("argument2"), at("score"));
    lines
        .map(|line| line.split_once("\",").expect("an example").1.split(',').collect::<Vec<_>>())
        .map(|cells| {
            let pair = [cells[first], cells[second]].map(str::to_owned);
            (pair, cells[score].parse().expect("a number"))
        })
        .collect()
}

/// Each tested pair of each fold, with two weights of equal shares. On data of their own, the pairs have the same scores.
#[test]
fn scores_are_sums_over_labellings() {
    let folder = fresh_folder("text-hmm-sums");
    let data = written("text-hmm-data");
    let (problem, splits) = loaded(&data);
    let data = data.to_str().expect("a path in UTF-8");
    for (m, threads) in [("1", "1"), ("40", "2")] {
        let flags = ["--learner", "text-hmm", "--m-estimate", m, "--run", m, "--threads", threads, "--quiet"];
        printed(&folder, &[&["cv", data][..], &flags].concat());
        for split in &splits {
            let scores = scores(&folder.join(m).join(&split.name).join("predictions.csv"));
            let sentence_of = |id| {
                let name = problem.cell(problem.examples().arguments(id)[0]);
                name[1..].split('_').next().expect("a number").parse().expect("a number")
            };
            let train: BTreeSet<usize> = split.train.iter().map(|&id| sentence_of(id)).collect();
            let test: BTreeSet<usize> = split.test.iter().map(|&id| sentence_of(id)).collect();
            assert!(train.is_disjoint(&test));
            for &sentence in &test {
                for (pair, probability) in by_labellings(sentence, &train, m.parse().expect("a number")) {
                    let score = scores[&name(sentence, pair)];
                    let close = (score - probability.ln()).abs() < 1e-9;
                    assert!(close, "{pair:?} of s{sentence}: {score}, {}", probability.ln());
                }
            }
        }
    }
    let said = printed(&folder, &["show", "1/fold1/model.json"]);
    assert!(said.contains("hidden Markov chains of") && said.contains("words of first arguments"), "{said}");
    let said = printed(&folder, &["explain", "1/fold1/model.json", data, "binds(m0_0_a,m0_2_b)", "--quiet"]);
    assert!(said.contains("the logarithm of the probability"), "{said}");
}

/// Data without sentences are refused with what is missing, and so are models of sentences on such data.
#[test]
fn sentences_are_needed() {
    let folder = fresh_folder("text-hmm-messages");
    write(&folder, "modes.pl", ":- modeh(1, good(+thing)).\n:- modeb(1, red(+thing)).\n");
    write(&folder, "background.pl", "red(a). red(b).\n");
    write(&folder, "pos.pl", "good(a). good(b).\n");
    write(&folder, "neg.pl", "good(c). good(d).\n");
    let (status, _, said) = gleaner(&folder, &["learn", ".", "--learner", "text-hmm", "-o", "model.json"]);
    assert!(
        status == Some(1) && said.contains("there is no candidate/3") && said.contains("gleaner text CORPUS"),
        "{said}"
    );
}
