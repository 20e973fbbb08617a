//! Planted rules: their text, the pairs they cover, and how to make them cover a pair.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::vocabulary::{Lexical, Pos, Property, Vocabulary, WordId};
use super::{Kind, Sentence};

/// The part of a rule on one argument: the phrase contains a word that passes all these tests.
#[derive(Clone, Debug)]
struct Side {
    tests: Vec<Property>,
    /// The words that pass, ascending, at least one; any of them makes the side hold.
    words: Vec<WordId>,
    /// Literals, with `@` for the phrase's variable and `?` for the word's variable.
    text: Vec<String>,
}

/// A relation of the two phrases to each other or to their sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Before,
    After,
    Adjacent,
    /// The first phrase is followed by a verb phrase.
    VerbNext,
    /// A verb phrase stands after the first phrase and before the second.
    VerbBetween,
    /// The phrase before the second contains this word, a preposition.
    Preceded(WordId),
    /// Some phrase of the sentence contains this word, a verb.
    Mentions(WordId),
}

/// A rule of three to six body literals, all within depth 2.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    first: Side,
    second: Side,
    links: Vec<Link>,
}

/// Positions of two phrases in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Places {
    pub(super) first: usize,
    pub(super) second: usize,
}

impl Rule {
    /// Draws a rule. `None` if it has too few or too many literals, or tests that no word passes.
    pub(super) fn draw(vocabulary: &Vocabulary, rng: &mut impl Rng) -> Option<Self> {
        let mut first = draw_first(rng);
        let mut second = draw_second(vocabulary, rng)?;
        for side in [&mut first, &mut second] {
            side.words = vocabulary.words_with(&side.tests);
            if side.words.is_empty() {
                return None;
            }
        }
        let mut links = vec![match rng.random_range(0..8) {
            0 | 1 => Link::Before,
            2 => Link::After,
            3 => Link::Adjacent,
            4 => Link::VerbNext,
            5 => Link::VerbBetween,
            6 => Link::Preceded(vocabulary.draw_word(Pos::Prep, rng)),
            _ => Link::Mentions(rare_word(vocabulary, Pos::V, rng)),
        }];
        let ordered = matches!(links[0], Link::Before | Link::After | Link::VerbBetween);
        if !ordered && rng.random_bool(0.4) {
            links.push(Link::Before);
        }
        let rule = Self { first, second, links };
        (3..=6).contains(&rule.literals(vocabulary).len()).then_some(rule)
    }

    /// Whether one rule could be a special case of the other, so that it could own no pairs. It could if its words are
    /// among the other's on both sides, or if its second side has all tests of the other's.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        let special = |rule: &Self, general: &Self| {
            let tested = general.second.tests.iter().all(|test| rule.second.tests.contains(test));
            tested || (rule.first.within(&general.first) && rule.second.within(&general.second))
        };
        special(self, other) || special(other, self)
    }

    /// The clause as Prolog text.
    pub(super) fn clause(&self, vocabulary: &Vocabulary) -> String {
        format!("protein_location(A,B,C) :- {}.", self.literals(vocabulary).join(", "))
    }

    /// The body; each side and each link with one more word or phrase gets the next variable.
    fn literals(&self, vocabulary: &Vocabulary) -> Vec<String> {
        let side = |side: &Side, phrase: &str| -> Vec<String> {
            side.text.iter().map(|literal| literal.replace('@', phrase)).collect()
        };
        let mut groups = vec![side(&self.first, "A"), side(&self.second, "B")];
        groups.extend(self.links.iter().map(|link| link.literals(vocabulary)));
        let mut variables = 'D'..='H';
        let mut literals = Vec::new();
        for group in groups {
            let opens = group.iter().any(|literal| literal.contains('?'));
            let variable = if opens { variables.next() } else { None }.map(String::from).unwrap_or_default();
            literals.extend(group.iter().map(|literal| literal.replace('?', &variable)));
        }
        literals
    }

    /// Whether the rule covers a pair of phrases.
    pub(super) fn covers(&self, vocabulary: &Vocabulary, sentence: &Sentence, places: Places) -> bool {
        self.first.holds(vocabulary, sentence, places.first)
            && self.second.holds(vocabulary, sentence, places.second)
            && self.links.iter().all(|link| link.holds(sentence, places))
    }

    /// Changes words so that the rule covers a pair; with `insert` it lengthens the two phrases and does not replace
    /// their words. Returns whether the rule now covers the pair. It may not, as the order and kinds of phrases never
    /// change, and a later change may undo an earlier one.
    pub(super) fn establish(
        &self,
        vocabulary: &Vocabulary,
        sentence: &mut Sentence,
        places: Places,
        insert: bool,
        rng: &mut impl Rng,
    ) -> bool {
        for (side, place) in [(&self.first, places.first), (&self.second, places.second)] {
            if side.holds(vocabulary, sentence, place) {
                continue;
            }
            if let Some(&word) = side.words.choose(rng) {
                put_word(sentence, place, word, insert);
            }
        }
        for link in &self.links {
            match *link {
                Link::Preceded(word) if !link.holds(sentence, places) => {
                    if let Some(place) = places.second.checked_sub(1)
                        && sentence.phrases[place].kind == Kind::Pp
                    {
                        put_word(sentence, place, word, false);
                    }
                }
                Link::Mentions(word) if !link.holds(sentence, places) => {
                    let verbs: Vec<usize> = (0..sentence.phrases.len())
                        .filter(|&place| sentence.phrases[place].kind == Kind::Vp)
                        .collect();
                    if let Some(&place) = verbs.choose(rng) {
                        put_word(sentence, place, word, false);
                    }
                }
                _ => {}
            }
        }
        self.covers(vocabulary, sentence, places)
    }
}

impl Side {
    /// Whether every word that passes this side's tests passes the other's; both lists are ascending.
    fn within(&self, other: &Self) -> bool {
        self.words.iter().all(|word| other.words.binary_search(word).is_ok())
    }

    fn holds(&self, vocabulary: &Vocabulary, sentence: &Sentence, place: usize) -> bool {
        sentence.phrases[place]
            .words
            .iter()
            .any(|&word| self.tests.iter().all(|&test| vocabulary.has(word, test)))
    }
}

impl Link {
    /// Literals, with `?` for the variable of a third phrase.
    fn literals(self, vocabulary: &Vocabulary) -> Vec<String> {
        let contains = |word| contains("?", vocabulary.atom(word));
        match self {
            Self::Before => vec!["target_arg1_before_target_arg2(A,B,C)".to_owned()],
            Self::After => vec!["target_arg2_before_target_arg1(A,B,C)".to_owned()],
            Self::Adjacent => vec!["adjacent_target_args(A,B,C)".to_owned()],
            Self::VerbNext => vec!["phrase_next(A,?)".to_owned(), "vp_segment(?)".to_owned()],
            Self::VerbBetween => {
                ["phrase_before(A,?)", "phrase_before(?,B)", "vp_segment(?)"].map(str::to_owned).to_vec()
            }
            Self::Preceded(word) => vec!["phrase_previous(B,?)".to_owned(), contains(word)],
            Self::Mentions(word) => vec!["sentence_child(C,?)".to_owned(), contains(word)],
        }
    }

    fn holds(self, sentence: &Sentence, places: Places) -> bool {
        let Places { first, second } = places;
        let phrases = &sentence.phrases;
        match self {
            Self::Before => first < second,
            Self::After => second < first,
            Self::Adjacent => first.abs_diff(second) == 1,
            Self::VerbNext => phrases.get(first + 1).is_some_and(|phrase| phrase.kind == Kind::Vp),
            Self::VerbBetween => (first + 1..second).any(|place| phrases[place].kind == Kind::Vp),
            Self::Preceded(word) => {
                second.checked_sub(1).is_some_and(|place| phrases[place].words.contains(&word))
            }
            Self::Mentions(word) => phrases.iter().any(|phrase| phrase.words.contains(&word)),
        }
    }
}

fn put_word(sentence: &mut Sentence, place: usize, word: WordId, insert: bool) {
    let words = &mut sentence.phrases[place].words;
    if !insert {
        words.pop();
    }
    words.push(word);
}

fn contains(variable: &str, atom: &str) -> String {
    format!("phrase_contains_specific_word({variable},{atom})")
}

/// The side of the protein: unknown and alphanumeric words, or marked ones.
fn draw_first(rng: &mut impl Rng) -> Side {
    let protein = (Property::Lexical(Lexical::MarkedUpProtein), "marked_up_protein");
    let unknown = (Property::Pos(Pos::Unk), "unk");
    let alphanumeric = (Property::Lexical(Lexical::Alphanumeric), "alphanumeric");
    let frequent = (Property::Lexical(Lexical::Arg1FiveTimes), "arg1_5x_word");
    let capitals = [
        (Property::Lexical(Lexical::InternalCap), "internal_cap"),
        (Property::Lexical(Lexical::Capitalized), "capitalized"),
        (Property::Lexical(Lexical::AllCaps), "all_caps"),
        (Property::Lexical(Lexical::Hyphenated), "hyphenated"),
    ];
    let capital = capitals[rng.random_range(0..capitals.len())];
    match rng.random_range(0..7) {
        0 => some_side(&[protein]),
        1 => some_side(&[protein, capital]),
        2 => some_side(&[protein, frequent]),
        3 => some_side(&[unknown, frequent]),
        4 => some_side(&[alphanumeric, frequent]),
        5 => some_side(&[unknown, capital]),
        _ => child_side(&[frequent, capital]),
    }
}

/// The side of the location: a term of a dictionary, a marked or frequent word, or one particular word.
fn draw_second(vocabulary: &Vocabulary, rng: &mut impl Rng) -> Option<Side> {
    let location = (Property::Lexical(Lexical::MarkedUpLocation), "marked_up_location");
    let frequent = (Property::Lexical(Lexical::Arg2FiveTimes), "arg2_5x_word");
    let novel = (Property::Lexical(Lexical::NovelWord), "novelword");
    Some(match rng.random_range(0..6) {
        0 => some_side(&[location]),
        1 => some_side(&[location, frequent]),
        2 => child_side(&[frequent, novel]),
        3 => {
            let words = vocabulary.words_with(&[frequent.0]);
            let word = *words.choose(rng)?;
            one_word_side(word, contains("@", vocabulary.atom(word)))
        }
        _ => {
            let (dictionary, predicate) = [
                (Lexical::Mesh, "phrase_contains_mesh_term"),
                (Lexical::Go, "phrase_contains_go_term"),
                (Lexical::MedDict, "phrase_contains_medDict_term"),
            ][rng.random_range(0..3)];
            let words = vocabulary.words_with(&[Property::Lexical(dictionary)]);
            let word = *words.choose(rng)?;
            one_word_side(word, format!("{predicate}(@,{})", vocabulary.atom(word)))
        }
    })
}

fn one_word_side(word: WordId, literal: String) -> Side {
    Side { tests: vec![Property::Is(word)], words: Vec::new(), text: vec![literal] }
}

/// `phrase_contains_some_p(@,?), q(?)`.
fn some_side(tests: &[(Property, &str)]) -> Side {
    let mut text: Vec<String> = tests.iter().map(|(_, name)| format!("{name}(?)")).collect();
    text[0] = format!("phrase_contains_some_{}(@,?)", tests[0].1);
    Side { tests: tests.iter().map(|&(test, _)| test).collect(), words: Vec::new(), text }
}

/// `phrase_child(@,?), p(?), q(?)`.
fn child_side(tests: &[(Property, &str)]) -> Side {
    let mut text = vec!["phrase_child(@,?)".to_owned()];
    text.extend(tests.iter().map(|(_, name)| format!("{name}(?)")));
    Side { tests: tests.iter().map(|&(test, _)| test).collect(), words: Vec::new(), text }
}

/// A word that is not among the commonest: the rarest of a few draws, by its id, which follows rank.
fn rare_word(vocabulary: &Vocabulary, pos: Pos, rng: &mut impl Rng) -> WordId {
    (0..4).map(|_| vocabulary.draw_word(pos, rng)).max().unwrap_or(0)
}
