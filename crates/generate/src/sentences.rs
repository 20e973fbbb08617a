//! Sentences in the shape of the protein-localization task of [GLEANER §4.1]: which noun phrase
//! names a protein, and which the place where it is found.
//!
//! The generator works in four steps. It draws sentences. It draws rules that cover few pairs of noun phrases by
//! chance. It replaces words until each rule covers its number of pairs. It draws labels among the covered pairs, and a
//! few elsewhere.
//!
//! A rule's planted precision is `1 / (1 + noise * w)`, where `w` grows quadratically over the rules from
//! [`planting::LEAST_FALSE`] to [`planting::MOST_FALSE`]. It falls from 0.9 to 0.4 at the default noise, and is 1
//! without noise. A pair counts for the first rule that covers it, so the numbers of covered pairs are exact. Exactly
//! the noise's fraction of the positives has no covering rule. About a quarter of the covered positives get a second
//! rule, so that the number of covering rules is a useful score.

use std::collections::BTreeSet;

use rand::{Rng, RngExt};

use super::{FactText, GenerateError, Generated, GeneratedFile, modes_text, nearest};
use facts::{N_FIXED_PREDICATES, Named, predicates, write_facts};
use gleaner_base::random::{Purpose, stream};
use planting::{Covered, OVERLAP, label, share_out};
use rules::{Places, Rule};
use vocabulary::{Pos, Vocabulary, WordId};

mod facts;
mod planting;
mod rules;
#[cfg(test)]
mod tests;
mod vocabulary;

/// Sentences and positives of the protein-localization set [GLEANER §4.1], and its vocabulary.
const PUBLISHED_SENTENCES: usize = 7_245;
const PUBLISHED_POSITIVES: usize = 1_773;
const PUBLISHED_WORDS: f64 = 20_000.0;
const N_FOLDS: usize = 5;
/// Bytes of facts for each sentence with the default predicates, rounded up; room for them is taken
/// at once.
const BYTES_PER_SENTENCE: usize = 34_000;

/// The settings of generated sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct SentencesConfig {
    /// Sentences before scaling. Default 7,245 [GLEANER §4.1].
    pub sentences: usize,
    /// Positive examples before scaling. Default: 1,773 for each 7,245 sentences, rounded.
    pub positives: Option<usize>,
    /// Body predicates: 65 fixed ones, the rest noise classes. Range: 65 to 1,000. Default 100.
    pub predicates: usize,
    /// Planted rules. Range: 1 to 50. Default 5.
    pub rules: usize,
    /// Fraction of the positives that no rule covers, and with it the rules' loss of precision.
    /// Range: 0 to 0.5. Default 0.1.
    pub noise: f64,
    /// Multiplies sentences and positives. Range: 0.0001 to 1,000. Default 1.
    pub scale: f64,
    /// Seed of the random stream; any number. Default 1.
    pub seed: u64,
}

impl Default for SentencesConfig {
    fn default() -> Self {
        Self {
            sentences: PUBLISHED_SENTENCES,
            positives: None,
            predicates: 100,
            rules: 5,
            noise: 0.1,
            scale: 1.0,
            seed: 1,
        }
    }
}

impl SentencesConfig {
    /// Checks every setting. After scaling, sentences range from 40 to 1,000,000 and positives from
    /// 2 for each rule to 2 for each sentence.
    ///
    /// # Errors
    ///
    /// The first setting out of its range, with its value (after scaling) and the range.
    pub fn check(&self) -> Result<(), GenerateError> {
        GenerateError::check_fraction("scale", self.scale, 0.000_1, 1_000.0)?;
        GenerateError::check_fraction("noise", self.noise, 0.0, 0.5)?;
        GenerateError::check_count("sentences", self.n_sentences(), 40, 1_000_000)?;
        GenerateError::check_count("predicates", self.predicates, N_FIXED_PREDICATES, 1_000)?;
        GenerateError::check_count("rules", self.rules, 1, 50)?;
        let most = 2 * self.n_sentences();
        GenerateError::check_count("positives", self.n_positives(), 2 * self.rules, most)
    }

    /// Sentences after scaling.
    pub fn n_sentences(&self) -> usize {
        nearest(self.sentences as f64 * self.scale)
    }

    /// Positive examples after scaling.
    pub fn n_positives(&self) -> usize {
        let positives = self.positives.map_or_else(
            || self.sentences as f64 * PUBLISHED_POSITIVES as f64 / PUBLISHED_SENTENCES as f64,
            |positives| positives as f64,
        );
        nearest(positives * self.scale)
    }
}

/// Kind of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Np,
    Vp,
    Pp,
    Other,
}

/// A phrase; never without words.
#[derive(Clone, Debug)]
struct Phrase {
    kind: Kind,
    words: Vec<WordId>,
}

/// A sentence, flattened to one level of phrases as in the thesis.
#[derive(Clone, Debug)]
struct Sentence {
    name: String,
    fold: usize,
    phrases: Vec<Phrase>,
}

impl Sentence {
    /// Ordered pairs of distinct noun phrases: the examples.
    fn pairs(&self) -> impl Iterator<Item = Places> {
        let nouns: Vec<usize> =
            (0..self.phrases.len()).filter(|&place| self.phrases[place].kind == Kind::Np).collect();
        let seconds = nouns.clone();
        nouns.into_iter().flat_map(move |first| {
            let others: Vec<Places> = seconds
                .iter()
                .filter(|&&place| place != first)
                .map(|&second| Places { first, second })
                .collect();
            others
        })
    }
}

/// Sentences, and the rules that hold in them.
#[derive(Debug)]
struct World {
    vocabulary: Vocabulary,
    sentences: Vec<Sentence>,
    rules: Vec<Rule>,
}

/// Generates sentences.
///
/// **Shape**: about 39 examples and 870 facts for each sentence; the facts are global, the examples
/// lie in five folds, cut by abstract. With less than about 20 positives a fold may have none.
///
/// **Cost**: linear in the sentences: about 32 kB of text for each, held in memory once.
///
/// # Errors
///
/// A setting is out of its range ([`SentencesConfig::check`]), or the sentences have no room for the
/// pairs that the rules should cover.
///
/// # Example
///
/// ```
/// use gleaner_generate::{SentencesConfig, sentences};
///
/// let problem = sentences(&SentencesConfig { sentences: 50, ..SentencesConfig::default() })?;
/// assert_eq!(problem.n_positives, 12);
/// assert_eq!(problem.planted.len(), 5);
/// # Ok::<(), gleaner_generate::GenerateError>(())
/// ```
pub fn sentences(config: &SentencesConfig) -> Result<Generated, GenerateError> {
    config.check()?;
    let mut rng = stream(config.seed, Purpose::Generate, &[2]);
    let n_positives = config.n_positives();
    let n_uncovered = nearest(config.noise * n_positives as f64);
    let quotas = share_out(n_positives - n_uncovered, config, &mut rng);
    let mut world = World::draw(config, &mut rng).with_rules(&quotas, &mut rng)?;
    world.overlap(nearest(OVERLAP * (n_positives - n_uncovered) as f64), &mut rng);
    let covered = world.covered();
    let mut positives = label(&covered, &quotas, &mut rng);
    let covered_pairs: BTreeSet<(usize, Places)> =
        covered.iter().map(|pair| (pair.sentence, pair.places)).collect();
    world.add_uncovered(&covered_pairs, n_uncovered, &mut positives, &mut rng);
    Ok(world.write(config, &covered, &positives))
}

impl World {
    /// Draws sentences without rules, about eight to an abstract; abstracts go round the folds.
    fn draw(config: &SentencesConfig, rng: &mut impl Rng) -> Self {
        let n_sentences = config.n_sentences();
        let share = (n_sentences as f64 / PUBLISHED_SENTENCES as f64).sqrt();
        let n_classes = config.predicates - N_FIXED_PREDICATES;
        let vocabulary = Vocabulary::draw(nearest(PUBLISHED_WORDS * share), n_classes, rng);
        let mut sentences = Vec::with_capacity(n_sentences);
        // Shorter abstracts in a very small problem, so that no fold stays empty.
        let longest = (n_sentences / N_FOLDS).min(12);
        let mut abstract_idx = 0;
        while sentences.len() < n_sentences {
            for idx in 0..rng.random_range(4..=longest).min(n_sentences - sentences.len()) {
                sentences.push(Sentence {
                    name: format!("ab{abstract_idx}_s{idx}"),
                    fold: abstract_idx % N_FOLDS,
                    phrases: draw_phrases(&vocabulary, rng),
                });
            }
            abstract_idx += 1;
        }
        Self { vocabulary, sentences, rules: Vec::new() }
    }

    /// Writes all files.
    fn write(
        &self,
        config: &SentencesConfig,
        covered: &[Covered],
        positives: &BTreeSet<(usize, Places)>,
    ) -> Generated {
        let named: Vec<Named<'_>> =
            self.sentences.iter().map(|sentence| Named::new(&self.vocabulary, sentence)).collect();
        let predicates = predicates(config.predicates - N_FIXED_PREDICATES);
        let mut background = FactText::with_capacity(BYTES_PER_SENTENCE * self.sentences.len());
        for predicate in &predicates {
            named.iter().for_each(|sentence| write_facts(predicate, sentence, &mut background));
        }
        let modes: Vec<String> = predicates.into_iter().map(|predicate| predicate.mode).collect();
        let planted: Vec<String> = self.rules.iter().map(|rule| rule.clause(&self.vocabulary)).collect();
        let modes = modes_text("protein_location(+phrase,+phrase,+sentence)", &modes, &planted);
        let mut examples: [[FactText; 2]; N_FOLDS] = Default::default();
        for (idx, sentence) in self.sentences.iter().enumerate() {
            for places in sentence.pairs() {
                let class = usize::from(!positives.contains(&(idx, places)));
                let (first, second) = (named[idx].phrase(places.first), named[idx].phrase(places.second));
                examples[sentence.fold][class].fact("protein_location", &[first, second, &sentence.name]);
            }
        }
        let n_positives = positives.len();
        let n_negatives = examples.iter().flatten().map(|text| text.n_facts).sum::<usize>() - n_positives;
        let mut summary = self.summarise(covered, positives);
        summary.push(("facts".to_owned(), background.n_facts.to_string()));
        summary.push(("positives".to_owned(), n_positives.to_string()));
        summary.push(("negatives".to_owned(), n_negatives.to_string()));
        let file = |path: String, text: String| GeneratedFile { path, text };
        let mut files =
            vec![file("background.pl".to_owned(), background.text), file("modes.pl".to_owned(), modes)];
        for (fold, classes) in examples.into_iter().enumerate() {
            for (name, class) in ["pos", "neg"].into_iter().zip(classes) {
                files.push(file(format!("fold{}/{name}.pl", fold + 1), class.text));
            }
        }
        Generated { files, planted, n_positives, n_negatives, classes: Vec::new(), summary }
    }

    fn summarise(&self, covered: &[Covered], positives: &BTreeSet<(usize, Places)>) -> Vec<(String, String)> {
        let phrases = || self.sentences.iter().flat_map(|sentence| &sentence.phrases);
        let n_words: usize = phrases().map(|phrase| phrase.words.len()).sum();
        let mut summary = vec![
            ("sentences".to_owned(), self.sentences.len().to_string()),
            ("phrases".to_owned(), phrases().count().to_string()),
            ("words".to_owned(), n_words.to_string()),
            ("vocabulary".to_owned(), self.vocabulary.len().to_string()),
        ];
        for rule in 0..self.rules.len() {
            let pairs = || covered.iter().filter(|pair| pair.rules.contains(&rule));
            let n_true = pairs().filter(|pair| positives.contains(&(pair.sentence, pair.places))).count();
            let n_false = pairs().count() - n_true;
            summary.push((
                format!("planted rule {} covers", rule + 1),
                format!("{n_true} positives, {n_false} negatives"),
            ));
        }
        let is_positive = |pair: &&Covered| positives.contains(&(pair.sentence, pair.places));
        let n_uncovered = positives.len() - covered.iter().filter(is_positive).count();
        summary.push(("positives no rule covers".to_owned(), n_uncovered.to_string()));
        summary
    }
}

/// Draws the phrases of a sentence; the proportions give about 13 phrases, half of them noun phrases.
fn draw_phrases(vocabulary: &Vocabulary, rng: &mut impl Rng) -> Vec<Phrase> {
    let n_phrases = rng.random_range(7..=20);
    let mut phrases: Vec<Phrase> = Vec::with_capacity(n_phrases);
    for place in 0..n_phrases {
        let before = phrases.last().map_or(Kind::Other, |phrase| phrase.kind);
        let draw = rng.random_range(0..100);
        let kind = match before {
            Kind::Np if draw < 45 => Kind::Vp,
            Kind::Np if draw < 78 => Kind::Pp,
            Kind::Np if draw < 85 => Kind::Np,
            Kind::Np => Kind::Other,
            Kind::Vp if draw < 58 => Kind::Np,
            Kind::Vp if draw < 90 => Kind::Pp,
            Kind::Vp => Kind::Other,
            Kind::Pp if draw < 96 => Kind::Np,
            Kind::Pp => Kind::Vp,
            Kind::Other if draw < 80 || place == 0 => Kind::Np,
            Kind::Other => Kind::Vp,
        };
        phrases.push(Phrase { kind, words: draw_words(kind, vocabulary, rng) });
    }
    phrases
}

/// Draws the words of a phrase; the word that a rule may replace comes last.
fn draw_words(kind: Kind, vocabulary: &Vocabulary, rng: &mut impl Rng) -> Vec<WordId> {
    let slots: &[(Pos, f64)] = match kind {
        Kind::Np => &[
            (Pos::Art, 0.4),
            (Pos::Num, 0.06),
            (Pos::Adj, 0.4),
            (Pos::Unk, 0.16),
            (Pos::N, 0.45),
            (Pos::N, 0.3),
        ],
        Kind::Vp => &[(Pos::Cop, 0.35), (Pos::Adv, 0.2)],
        Kind::Pp => &[(Pos::Adv, 0.05)],
        Kind::Other => &[(Pos::Adv, 0.3), (Pos::Adj, 0.3)],
    };
    let mut words = Vec::new();
    for &(pos, probability) in slots {
        if rng.random_bool(probability) {
            words.push(vocabulary.draw_word(pos, rng));
        }
    }
    let last = match kind {
        Kind::Np => [Pos::N, Pos::N, Pos::N, Pos::N, Pos::N, Pos::N, Pos::N, Pos::N, Pos::Unk, Pos::Pron]
            [rng.random_range(0..10)],
        Kind::Vp => Pos::V,
        Kind::Pp => Pos::Prep,
        Kind::Other => [Pos::Conj, Pos::Adv][rng.random_range(0..2)],
    };
    words.push(vocabulary.draw_word(last, rng));
    words
}
