//! Predicates of the sentences domain: their modes and their facts.
//!
//! DIVERGENCE: the thesis counts word frequencies in the target phrases of each training fold [GLEANER §4.1.3]. Here
//! `arg1_5x_word` and its like are fixed lists of words, the same in all folds. So all facts are global, and none
//! depends on a label.

use super::vocabulary::{Lexical, Pos, Property, Vocabulary};
use super::{Kind, Sentence};
use crate::FactText;

/// A body predicate.
pub(super) struct Predicate {
    pub(super) name: String,
    /// Its mode, as `recall, literal`.
    pub(super) mode: String,
    rows: Rows,
}

/// The facts that a predicate has.
enum Rows {
    /// `name(Word)` for each word that passes.
    Word(Property),
    /// `name(Phrase, Word)` for each word that passes.
    PhraseAndWord(Property),
    /// `name(Phrase)` for each phrase with a word that passes.
    Phrase(Property),
    /// Facts about the structure of the sentence, which the function writes.
    Structure(Structure),
}

type Structure = fn(&Named<'_>, &mut Writer<'_>);

/// A sentence with the names of its parts.
pub(super) struct Named<'a> {
    vocabulary: &'a Vocabulary,
    sentence: &'a Sentence,
    phrases: Vec<String>,
    /// Names of the words of each phrase; words are numbered through the sentence.
    words: Vec<Vec<String>>,
}

impl<'a> Named<'a> {
    pub(super) fn new(vocabulary: &'a Vocabulary, sentence: &'a Sentence) -> Self {
        let mut n_words = 0;
        let mut named = Self { vocabulary, sentence, phrases: Vec::new(), words: Vec::new() };
        for (place, phrase) in sentence.phrases.iter().enumerate() {
            let name = format!("{}_ph{place}", sentence.name);
            named.words.push((n_words..).take(phrase.words.len()).map(|w| format!("{name}_w{w}")).collect());
            named.phrases.push(name);
            n_words += phrase.words.len();
        }
        named
    }

    /// Name of the phrase at a place of the sentence.
    pub(super) fn phrase(&self, place: usize) -> &str {
        &self.phrases[place]
    }

    /// How many words of a phrase pass a test.
    fn count(&self, place: usize, property: Property) -> usize {
        let words = &self.sentence.phrases[place].words;
        words.iter().filter(|&&word| self.vocabulary.has(word, property)).count()
    }

    /// Every word's name with its phrase's name and its entry, in order.
    fn tokens(&self) -> impl Iterator<Item = (&str, &str, usize)> {
        let phrases = self.phrases.iter().zip(&self.words).zip(&self.sentence.phrases);
        phrases.flat_map(|((phrase, names), content)| {
            names.iter().zip(&content.words).map(move |(name, &word)| (phrase.as_str(), name.as_str(), word))
        })
    }
}

/// Writes facts of one predicate.
struct Writer<'a> {
    predicate: &'a str,
    facts: &'a mut FactText,
}

impl Writer<'_> {
    fn put(&mut self, arguments: &[&str]) {
        self.facts.fact(self.predicate, arguments);
    }
}

/// Writes the facts that one predicate has in one sentence.
pub(super) fn write_facts(predicate: &Predicate, named: &Named<'_>, facts: &mut FactText) {
    let mut writer = Writer { predicate: &predicate.name, facts };
    match predicate.rows {
        Rows::Word(property) => {
            for (_, name, word) in named.tokens() {
                if named.vocabulary.has(word, property) {
                    writer.put(&[name]);
                }
            }
        }
        Rows::PhraseAndWord(property) => {
            for (phrase, name, word) in named.tokens() {
                if named.vocabulary.has(word, property) {
                    writer.put(&[phrase, name]);
                }
            }
        }
        Rows::Phrase(property) => {
            for (place, phrase) in named.phrases.iter().enumerate() {
                if named.count(place, property) > 0 {
                    writer.put(&[phrase]);
                }
            }
        }
        Rows::Structure(structure) => structure(named, &mut writer),
    }
}

/// Predicates of structure: name, mode, facts.
const STRUCTURE: [(&str, &str, Structure); 31] = [
    ("sentence_child", "6, (+sentence,-phrase)", |s, out| {
        s.phrases.iter().for_each(|phrase| out.put(&[&s.sentence.name, phrase]));
    }),
    ("phrase_child", "*, (+phrase,-word)", |s, out| {
        s.tokens().for_each(|(phrase, word, _)| out.put(&[phrase, word]));
    }),
    ("phrase_next", "1, (+phrase,-phrase)", |s, out| {
        s.phrases.windows(2).for_each(|pair| out.put(&[&pair[0], &pair[1]]));
    }),
    ("phrase_previous", "1, (+phrase,-phrase)", |s, out| {
        s.phrases.windows(2).for_each(|pair| out.put(&[&pair[1], &pair[0]]));
    }),
    ("phrase_before", "3, (+phrase,-phrase)", |s, out| {
        for (place, phrase) in s.phrases.iter().enumerate() {
            s.phrases[place + 1..].iter().for_each(|later| out.put(&[phrase, later]));
        }
    }),
    ("word_next", "1, (+word,-word)", |s, out| {
        let words: Vec<&str> = s.tokens().map(|(_, word, _)| word).collect();
        words.windows(2).for_each(|pair| out.put(pair));
    }),
    ("word_previous", "1, (+word,-word)", |s, out| {
        let words: Vec<&str> = s.tokens().map(|(_, word, _)| word).collect();
        words.windows(2).for_each(|pair| out.put(&[pair[1], pair[0]]));
    }),
    ("word_ID_to_string", "1, (+word,#string)", |s, out| {
        s.tokens().for_each(|(_, name, word)| out.put(&[name, s.vocabulary.atom(word)]));
    }),
    ("first_word_in_phrase", "1, (+phrase,-word)", |s, out| {
        for (phrase, words) in s.phrases.iter().zip(&s.words) {
            words.first().into_iter().for_each(|word| out.put(&[phrase, word]));
        }
    }),
    ("last_word_in_phrase", "1, (+phrase,-word)", |s, out| {
        for (phrase, words) in s.phrases.iter().zip(&s.words) {
            words.last().into_iter().for_each(|word| out.put(&[phrase, word]));
        }
    }),
    ("first_phrase_in_sentence", "1, (+sentence,-phrase)", |s, out| {
        s.phrases.first().into_iter().for_each(|phrase| out.put(&[&s.sentence.name, phrase]));
    }),
    ("last_phrase_in_sentence", "1, (+sentence,-phrase)", |s, out| {
        s.phrases.last().into_iter().for_each(|phrase| out.put(&[&s.sentence.name, phrase]));
    }),
    ("np_segment", "1, (+phrase)", |s, out| segments(s, out, Kind::Np)),
    ("vp_segment", "1, (+phrase)", |s, out| segments(s, out, Kind::Vp)),
    ("pp_segment", "1, (+phrase)", |s, out| segments(s, out, Kind::Pp)),
    ("other_segment", "1, (+phrase)", |s, out| segments(s, out, Kind::Other)),
    ("short_phrase", "1, (+phrase)", |s, out| lengths(s, out, 1, 1)),
    ("medium_phrase", "1, (+phrase)", |s, out| lengths(s, out, 2, 3)),
    ("long_phrase", "1, (+phrase)", |s, out| lengths(s, out, 4, usize::MAX)),
    ("few_alphanumeric_words_in_phrase", "1, (+phrase)", |s, out| {
        for (place, phrase) in s.phrases.iter().enumerate() {
            if s.count(place, Property::Lexical(Lexical::Alphanumeric)) <= 1 {
                out.put(&[phrase]);
            }
        }
    }),
    ("few_alphanumeric_words_in_sentence", "1, (+sentence)", |s, out| {
        let property = Property::Lexical(Lexical::Alphanumeric);
        if (0..s.phrases.len()).map(|place| s.count(place, property)).sum::<usize>() <= 2 {
            out.put(&[&s.sentence.name]);
        }
    }),
    ("short_sentence", "1, (+sentence)", |s, out| {
        if s.phrases.len() <= 10 {
            out.put(&[&s.sentence.name]);
        }
    }),
    ("long_sentence", "1, (+sentence)", |s, out| {
        if s.phrases.len() >= 17 {
            out.put(&[&s.sentence.name]);
        }
    }),
    ("phrase_contains_specific_word", "*, (+phrase,#string)", |s, out| {
        for (phrase, content) in s.phrases.iter().zip(&s.sentence.phrases) {
            strings(s, out, phrase, &content.words);
        }
    }),
    ("phrase_contains_mesh_term", "*, (+phrase,#string)", |s, out| terms(s, out, Lexical::Mesh)),
    ("phrase_contains_go_term", "*, (+phrase,#string)", |s, out| terms(s, out, Lexical::Go)),
    ("phrase_contains_medDict_term", "*, (+phrase,#string)", |s, out| terms(s, out, Lexical::MedDict)),
    ("target_arg1_before_target_arg2", "1, (+phrase,+phrase,+sentence)", |s, out| {
        pairs(s, out, |p, l| p < l)
    }),
    ("target_arg2_before_target_arg1", "1, (+phrase,+phrase,+sentence)", |s, out| {
        pairs(s, out, |p, l| l < p)
    }),
    ("adjacent_target_args", "1, (+phrase,+phrase,+sentence)", |s, out| {
        pairs(s, out, |p, l| p.abs_diff(l) == 1);
    }),
    ("phrase_contains_stopword", "1, (+phrase)", |s, out| {
        for (place, phrase) in s.phrases.iter().enumerate() {
            if s.count(place, Property::Lexical(Lexical::StopWord)) > 0 {
                out.put(&[phrase]);
            }
        }
    }),
];

/// Word properties that also have a predicate of the phrase and the word.
const PHRASE_AND_WORD: [(&str, Property); 9] = [
    ("n", Property::Pos(Pos::N)),
    ("v", Property::Pos(Pos::V)),
    ("adj", Property::Pos(Pos::Adj)),
    ("art", Property::Pos(Pos::Art)),
    ("unk", Property::Pos(Pos::Unk)),
    ("alphanumeric", Property::Lexical(Lexical::Alphanumeric)),
    ("novelword", Property::Lexical(Lexical::NovelWord)),
    ("marked_up_protein", Property::Lexical(Lexical::MarkedUpProtein)),
    ("marked_up_location", Property::Lexical(Lexical::MarkedUpLocation)),
];

/// The number of predicates that every problem has; the others are about noise classes.
pub(super) const N_FIXED_PREDICATES: usize =
    STRUCTURE.len() + Pos::NAMES.len() + Lexical::NAMES.len() + PHRASE_AND_WORD.len();

/// All body predicates, with `n_classes` noise classes: two of words, then one of phrases.
pub(super) fn predicates(n_classes: usize) -> Vec<Predicate> {
    let mut predicates = Vec::with_capacity(N_FIXED_PREDICATES + n_classes);
    let mut push = |name: &str, mode: &str, rows: Rows| {
        let mode = mode.replace('(', &format!("{name}("));
        predicates.push(Predicate { name: name.to_owned(), mode, rows });
    };
    for (name, mode, structure) in STRUCTURE {
        push(name, mode, Rows::Structure(structure));
    }
    for (pos, name) in Pos::NAMES {
        push(name, "1, (+word)", Rows::Word(Property::Pos(pos)));
    }
    for (lexical, name) in Lexical::NAMES {
        push(name, "1, (+word)", Rows::Word(Property::Lexical(lexical)));
    }
    for (name, property) in PHRASE_AND_WORD {
        let name = format!("phrase_contains_some_{name}");
        push(&name, "*, (+phrase,-word)", Rows::PhraseAndWord(property));
    }
    for class in 0..n_classes {
        let property = Property::Class(class);
        let number = class + 1;
        if class % 3 != 2 {
            push(&format!("class_{number}"), "1, (+word)", Rows::Word(property));
        } else {
            push(&format!("phrase_class_{number}"), "1, (+phrase)", Rows::Phrase(property));
        }
    }
    predicates
}

fn segments(s: &Named<'_>, out: &mut Writer<'_>, kind: Kind) {
    for (phrase, content) in s.phrases.iter().zip(&s.sentence.phrases) {
        if content.kind == kind {
            out.put(&[phrase]);
        }
    }
}

fn lengths(s: &Named<'_>, out: &mut Writer<'_>, shortest: usize, longest: usize) {
    for (phrase, content) in s.phrases.iter().zip(&s.sentence.phrases) {
        if (shortest..=longest).contains(&content.words.len()) {
            out.put(&[phrase]);
        }
    }
}

fn terms(s: &Named<'_>, out: &mut Writer<'_>, dictionary: Lexical) {
    for (phrase, content) in s.phrases.iter().zip(&s.sentence.phrases) {
        let in_dictionary = |&word: &usize| s.vocabulary.has(word, Property::Lexical(dictionary));
        let words: Vec<usize> = content.words.iter().copied().filter(in_dictionary).collect();
        strings(s, out, phrase, &words);
    }
}

/// The distinct strings of some words of a phrase, so that no fact occurs twice.
fn strings(s: &Named<'_>, out: &mut Writer<'_>, phrase: &str, words: &[usize]) {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.dedup();
    words.iter().for_each(|&word| out.put(&[phrase, s.vocabulary.atom(word)]));
}

/// Ordered pairs of distinct noun phrases, those of the examples.
fn pairs(s: &Named<'_>, out: &mut Writer<'_>, test: fn(usize, usize) -> bool) {
    for super::rules::Places { first, second } in s.sentence.pairs() {
        if test(first, second) {
            out.put(&[&s.phrases[first], &s.phrases[second], &s.sentence.name]);
        }
    }
}
