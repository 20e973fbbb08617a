//! Words, their properties, and the frequencies with which they are drawn.
//!
//! All facts about a word follow from its entry here. So, to plant a rule, it is enough to replace words in phrases,
//! and the facts stay consistent.

use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

/// Index of a word in the vocabulary.
pub(super) type WordId = usize;

/// Part of speech, in the names of Sundance's output [GLEANER §4.1.3].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pos {
    N,
    V,
    Adj,
    Adv,
    Prep,
    Art,
    Conj,
    Cop,
    Pron,
    Num,
    Unk,
}

impl Pos {
    /// Predicate names, in the order of the variants.
    pub(super) const NAMES: [(Self, &'static str); 11] = [
        (Self::N, "n"),
        (Self::V, "v"),
        (Self::Adj, "adj"),
        (Self::Adv, "adv"),
        (Self::Prep, "prep"),
        (Self::Art, "art"),
        (Self::Conj, "conj"),
        (Self::Cop, "cop"),
        (Self::Pron, "pron"),
        (Self::Num, "num"),
        (Self::Unk, "unk"),
    ];
}

/// The spelling of a word, and the lists and dictionaries that contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lexical {
    Alphabetic,
    Alphanumeric,
    Capitalized,
    AllCaps,
    InternalCap,
    Hyphenated,
    SingleChar,
    NovelWord,
    StopWord,
    MarkedUpProtein,
    MarkedUpLocation,
    Arg1FiveTimes,
    Arg2FiveTimes,
    BetweenTwice,
    Mesh,
    Go,
    MedDict,
}

impl Lexical {
    /// Predicates of one word; the three dictionaries have predicates of phrases only.
    pub(super) const NAMES: [(Self, &'static str); 14] = [
        (Self::Alphabetic, "alphabetic"),
        (Self::Alphanumeric, "alphanumeric"),
        (Self::Capitalized, "capitalized"),
        (Self::AllCaps, "all_caps"),
        (Self::InternalCap, "internal_cap"),
        (Self::Hyphenated, "hyphenated"),
        (Self::SingleChar, "single_char"),
        (Self::NovelWord, "novelword"),
        (Self::StopWord, "stopword"),
        (Self::MarkedUpProtein, "marked_up_protein"),
        (Self::MarkedUpLocation, "marked_up_location"),
        (Self::Arg1FiveTimes, "arg1_5x_word"),
        (Self::Arg2FiveTimes, "arg2_5x_word"),
        (Self::BetweenTwice, "between_2x_word"),
    ];

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A test on one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Pos(Pos),
    Lexical(Lexical),
    /// Member of a noise class.
    Class(usize),
    /// One particular word.
    Is(WordId),
}

#[derive(Debug)]
struct Entry {
    /// The word as a quoted atom.
    atom: String,
    pos: Pos,
    lexical: u32,
}

/// The words of one part of speech, most frequent first, drawn by Zipf's law.
#[derive(Debug, Default)]
struct ZipfList {
    words: Vec<WordId>,
    /// Sums of `1 / rank`; no shorter than `words`.
    cumulative: Vec<f64>,
}

/// All words. **Invariant**: texts are distinct, every part of speech has a word.
#[derive(Debug)]
pub(super) struct Vocabulary {
    entries: Vec<Entry>,
    by_pos: [ZipfList; Pos::NAMES.len()],
    /// Membership of each noise class, by word.
    classes: Vec<Vec<bool>>,
}

const ARTICLES: &[&str] = &["the", "a", "an"];
const PREPOSITIONS: &[&str] = &[
    "of", "in", "to", "with", "by", "for", "from", "at", "on", "into", "through", "within", "between",
    "during", "after", "under", "near", "across", "upon", "via",
];
const CONJUNCTIONS: &[&str] = &["and", "that", "or", "but", "which", "whereas", "while", "because"];
const COPULAS: &[&str] = &["is", "are", "was", "were", "be", "been"];
const PRONOUNS: &[&str] = &["it", "we", "this", "these", "they", "its", "their", "both"];
/// The number of the commonest words of open classes that no dictionary may have. Dictionaries of proteins or places do
/// not have a language's commonest nouns. Otherwise one draw would decide how dense a dictionary is.
const COMMON_RANKS: usize = 10;

impl Vocabulary {
    /// Draws about `n_words` words (never fewer than 300) and `n_classes` noise classes over them.
    pub(super) fn draw(n_words: usize, n_classes: usize, rng: &mut impl Rng) -> Self {
        let mut vocabulary = Self { entries: Vec::new(), by_pos: Default::default(), classes: Vec::new() };
        let closed = [
            (Pos::Art, ARTICLES),
            (Pos::Prep, PREPOSITIONS),
            (Pos::Conj, CONJUNCTIONS),
            (Pos::Cop, COPULAS),
            (Pos::Pron, PRONOUNS),
        ];
        let mut taken = BTreeSet::new();
        for (pos, words) in closed {
            for word in words {
                taken.insert((*word).to_owned());
                let twice = pos == Pos::Prep && rng.random_bool(0.2);
                let lexical = Lexical::StopWord.bit() | if twice { Lexical::BetweenTwice.bit() } else { 0 };
                vocabulary.push(word, pos, lexical);
            }
        }
        let n_open = n_words.max(300);
        let shares =
            [(Pos::N, 51), (Pos::V, 14), (Pos::Adj, 12), (Pos::Adv, 4), (Pos::Num, 3), (Pos::Unk, 16)];
        for (pos, percent) in shares {
            for rank in 0..n_open * percent / 100 {
                let text = loop {
                    let text = spell(pos, rng);
                    if taken.insert(text.clone()) {
                        break text;
                    }
                };
                let lexical = if rank < COMMON_RANKS { 0 } else { draw_lists(pos, rng) };
                vocabulary.push(&text, pos, lexical);
            }
        }
        let n_entries = vocabulary.entries.len();
        for _ in 0..n_classes {
            let density = rng.random_range(0.05..0.75_f64);
            vocabulary.classes.push((0..n_entries).map(|_| rng.random_bool(density)).collect());
        }
        vocabulary
    }

    fn push(&mut self, text: &str, pos: Pos, lexical: u32) {
        let list = &mut self.by_pos[pos as usize];
        let rank = list.words.len();
        let before = list.cumulative.last().copied().unwrap_or(0.0);
        list.words.push(self.entries.len());
        list.cumulative.push(before + 1.0 / (rank + 1) as f64);
        self.entries.push(Entry { atom: format!("'{text}'"), pos, lexical: lexical | shape(text) });
    }

    /// A word of a part of speech, by Zipf's law.
    pub(super) fn draw_word(&self, pos: Pos, rng: &mut impl Rng) -> WordId {
        let list = &self.by_pos[pos as usize];
        let total = list.cumulative.last().copied().unwrap_or(0.0);
        let point = rng.random::<f64>() * total;
        let rank = list.cumulative.partition_point(|&sum| sum <= point);
        list.words[rank.min(list.words.len() - 1)]
    }

    /// Whether a word passes a test.
    pub(super) fn has(&self, word: WordId, property: Property) -> bool {
        match property {
            Property::Pos(pos) => self.entries[word].pos == pos,
            Property::Lexical(lexical) => self.entries[word].lexical & lexical.bit() != 0,
            Property::Class(class) => self.classes[class][word],
            Property::Is(other) => word == other,
        }
    }

    /// All words that pass every test, in the order of ids.
    pub(super) fn words_with(&self, properties: &[Property]) -> Vec<WordId> {
        (0..self.entries.len())
            .filter(|&word| properties.iter().all(|&property| self.has(word, property)))
            .collect()
    }

    /// The word as a quoted atom.
    pub(super) fn atom(&self, word: WordId) -> &str {
        &self.entries[word].atom
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// Draws the lists, dictionaries and novelty of a word that is not among the commonest of its kind.
fn draw_lists(pos: Pos, rng: &mut impl Rng) -> u32 {
    let mut lexical = 0;
    let mut mark = |rng: &mut _, property: Lexical, probability: f64| {
        let marked = RngExt::random_bool(rng, probability);
        lexical |= if marked { property.bit() } else { 0 };
        marked
    };
    match pos {
        Pos::N => {
            let location = mark(rng, Lexical::MarkedUpLocation, 0.025);
            for dictionary in [Lexical::Mesh, Lexical::Go, Lexical::MedDict] {
                mark(rng, dictionary, if location { 0.5 } else { 0.015 });
            }
            mark(rng, Lexical::Arg2FiveTimes, if location { 0.4 } else { 0.01 });
            mark(rng, Lexical::MarkedUpProtein, 0.01);
            mark(rng, Lexical::Arg1FiveTimes, 0.01);
            mark(rng, Lexical::NovelWord, 0.3);
        }
        Pos::Unk => {
            let protein = mark(rng, Lexical::MarkedUpProtein, 0.35);
            mark(rng, Lexical::Arg1FiveTimes, if protein { 0.4 } else { 0.05 });
            mark(rng, Lexical::NovelWord, 0.97);
        }
        Pos::Adj => {
            mark(rng, Lexical::MarkedUpLocation, 0.015);
            mark(rng, Lexical::NovelWord, 0.15);
        }
        Pos::V => {
            mark(rng, Lexical::BetweenTwice, 0.12);
        }
        _ => {}
    }
    lexical
}

/// The properties that the spelling decides.
fn shape(text: &str) -> u32 {
    let any = |test: fn(char) -> bool| text.chars().any(test);
    let letters = text.chars().all(|letter| letter.is_ascii_alphabetic());
    let upper = |letter: char| letter.is_ascii_uppercase();
    let tests = [
        (Lexical::Alphabetic, letters),
        (Lexical::Alphanumeric, any(|c| c.is_ascii_digit()) && any(|c| c.is_ascii_alphabetic())),
        (Lexical::Capitalized, text.starts_with(upper)),
        (Lexical::AllCaps, letters && text.len() > 1 && text.chars().all(upper)),
        (Lexical::InternalCap, text.chars().skip(1).any(upper)),
        (Lexical::Hyphenated, text.contains('-')),
        (Lexical::SingleChar, text.len() == 1),
    ];
    tests.iter().filter(|(_, holds)| *holds).map(|(property, _)| property.bit()).sum()
}

/// A made-up spelling: names of genes and proteins for unknown words, syllables for the others.
fn spell(pos: Pos, rng: &mut impl Rng) -> String {
    match pos {
        Pos::Num => rng.random_range(1..1_000_000_u32).to_string(),
        Pos::Unk => {
            let stem: String = (0..3).map(|_| pick(rng, b"abcdefghiklmnprstuvy")).collect();
            let number = rng.random_range(1..100_u32);
            match rng.random_range(0..6) {
                0 => format!("{}{number}", stem.to_uppercase()),
                1 => format!("{}{}{number}p", stem[..1].to_uppercase(), &stem[1..]),
                2 => format!("{stem}{}", pick(rng, b"ABCDEFGHKL")),
                3 => format!("{}-{number}", syllables(1, rng) + &stem),
                4 => (stem + &syllables(1, rng)).to_uppercase(),
                _ => format!("p{number}{stem}"),
            }
        }
        Pos::N if rng.random_bool(0.04) => {
            let half = rng.random_range(1..=2);
            format!("{}-{}", syllables(half, rng), syllables(2, rng))
        }
        Pos::Adv => syllables(2, rng) + "ly",
        _ => {
            let length = rng.random_range(2..=4);
            syllables(length, rng)
        }
    }
}

fn syllables(count: usize, rng: &mut impl Rng) -> String {
    (0..count).flat_map(|_| [pick(rng, b"bcdfgklmnprstvz"), pick(rng, b"aeiou")]).collect()
}

fn pick(rng: &mut impl Rng, letters: &[u8]) -> char {
    char::from(*letters.choose(rng).unwrap_or(&b'x'))
}
