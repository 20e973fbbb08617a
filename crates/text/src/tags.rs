//! Parts of speech, in the names of Universal Dependencies.
//!
//! With the feature `tagger`, a Brill tagger with a lexicon of English gives them. Words that it does not know, and all words
//! without the feature, get them from lists of closed-class words and frequent verbs, from word endings, and from their
//! neighbours.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gleaner_base::FixedMap;

/// A part of speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    /// An adjective.
    Adjective,
    /// A preposition.
    Adposition,
    /// An adverb.
    Adverb,
    /// An auxiliary verb.
    Auxiliary,
    /// A coordinating conjunction.
    Conjunction,
    /// An article, or what stands in its place.
    Determiner,
    /// An interjection.
    Interjection,
    /// A noun.
    Noun,
    /// A number.
    Number,
    /// A particle, as `to` before a verb, and `not`.
    Particle,
    /// A pronoun.
    Pronoun,
    /// A name.
    ProperNoun,
    /// Punctuation.
    Punctuation,
    /// A subordinating conjunction.
    Subordinator,
    /// A symbol.
    Symbol,
    /// A verb.
    Verb,
    /// Anything else.
    Other,
}

impl Tag {
    /// The tags by their names in Universal Dependencies, lower case.
    const NAMED: [(&str, Self); 17] = [
        ("adj", Self::Adjective),
        ("adp", Self::Adposition),
        ("adv", Self::Adverb),
        ("aux", Self::Auxiliary),
        ("cconj", Self::Conjunction),
        ("det", Self::Determiner),
        ("intj", Self::Interjection),
        ("noun", Self::Noun),
        ("num", Self::Number),
        ("part", Self::Particle),
        ("pron", Self::Pronoun),
        ("propn", Self::ProperNoun),
        ("punct", Self::Punctuation),
        ("sconj", Self::Subordinator),
        ("sym", Self::Symbol),
        ("verb", Self::Verb),
        ("x", Self::Other),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(_, tag)| *tag == self).map_or("x", |(name, _)| name)
    }

    /// The tag of a name; what is none is [`Tag::Other`].
    pub(crate) fn named(name: &str) -> Self {
        Self::NAMED
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map_or(Self::Other, |(_, tag)| *tag)
    }
}

/// The closed classes; and frequent adjectives, and nouns whose endings are those of adjectives.
const CLOSED: [(Tag, &str); 11] = [
    (
        Tag::Determiner,
        "a an the this that these those each every no any some another both all either neither such its their his her our your my whose",
    ),
    (
        Tag::Adposition,
        "of in on at by for from with without within into onto through during after before between among against under over \
      via upon about above below across along around behind beyond despite except inside like near outside per since than toward towards \
      throughout until unlike versus vs. following",
    ),
    (Tag::Conjunction, "and or but nor yet plus"),
    (Tag::Subordinator, "if because although though while whereas whether unless when where as that"),
    (
        Tag::Pronoun,
        "it they we he she i you them us him itself themselves which who whom what this these those there one",
    ),
    (
        Tag::Auxiliary,
        "is are was were be been being am has have had having do does did can could may might must shall should will would cannot",
    ),
    (Tag::Particle, "to not"),
    (
        Tag::Adverb,
        "also only then thus therefore however here there very more most less least too so well still already even often both \
      further furthermore moreover respectively not again together almost rather quite",
    ),
    (
        Tag::Number,
        "one two three four five six seven eight nine ten eleven twelve first second third hundred thousand million",
    ),
    (
        Tag::Adjective,
        "many few several multiple other different distinct common high higher highest low lower lesser large larger small smaller \
      human murine normal new novel same similar further several own early late long short strong weak rich single double full \
      main major minor mutant wild necessary specific direct indirect nuclear",
    ),
    (
        Tag::Noun,
        "crystal crystals signal signals survival removal potential interval animal animals trial agent agents component components \
      content event events extent patient patients complex complexes family families body ability",
    ),
];

/// Beginnings of verbs that are frequent in texts about what acts on what.
const VERBS: &str = "act activat affect allow appear associat attenuat bind block bound caus catalys catalyz characteri cleav coimmunoprecipitat \
    co-immunoprecipitat compet confer contain contribut control coordinat correlat decreas demonstrat depend describ destabili detect \
    determin dimeri display disrupt elevat encod enhanc enrich establish examin exhibit exist express facilitat find form found gave given identif immunoprecipitat \
    impair implicat indicat induc influenc inhibit initiat interact investigat involv isolat know known lead localis localiz maintain \
    mediat modif modulat mutat need observ occur oligomeri participat phosphorylat play precipitat prevent produc promot propos provid purif \
    rais reduc regulat remain repress requir result reveal see seen show shown signal stabili stimulat suggest suppress synthesi target \
    test trigger transcrib transduc undergo us ";

/// Endings, the longest first, and what a word with them is.
const ENDINGS: [(&str, Tag); 35] = [
    ("ation", Tag::Noun),
    ("ments", Tag::Noun),
    ("tions", Tag::Noun),
    ("ments", Tag::Noun),
    ("ance", Tag::Noun),
    ("ence", Tag::Noun),
    ("ment", Tag::Noun),
    ("ness", Tag::Noun),
    ("tion", Tag::Noun),
    ("sion", Tag::Noun),
    ("able", Tag::Adjective),
    ("ible", Tag::Adjective),
    ("less", Tag::Adjective),
    ("like", Tag::Adjective),
    ("ical", Tag::Adjective),
    ("ase", Tag::Noun),
    ("ism", Tag::Noun),
    ("ity", Tag::Noun),
    ("sis", Tag::Noun),
    ("ous", Tag::Adjective),
    ("ive", Tag::Adjective),
    ("ful", Tag::Adjective),
    ("ary", Tag::Adjective),
    ("ant", Tag::Adjective),
    ("ent", Tag::Adjective),
    ("ing", Tag::Verb),
    ("ize", Tag::Verb),
    ("ise", Tag::Verb),
    ("ify", Tag::Verb),
    ("al", Tag::Adjective),
    ("ic", Tag::Adjective),
    ("ar", Tag::Adjective),
    ("ly", Tag::Adverb),
    ("ed", Tag::Verb),
    ("er", Tag::Noun),
];

/// The parts of speech of a sentence's words.
pub(crate) fn tags(words: &[&str]) -> Vec<Tag> {
    let known = known(words);
    let mut tags: Vec<Tag> =
        words.iter().zip(known).map(|(word, known)| known.unwrap_or_else(|| guessed(word))).collect();
    for at in 0..words.len() {
        tags[at] = in_context(at, words, &tags);
    }
    tags
}

/// What the tagger knows.
#[cfg(feature = "tagger")]
fn known(words: &[&str]) -> Vec<Option<Tag>> {
    use harper_brill::{Tagger, brill_tagger};
    let owned: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let found = brill_tagger().tag_sentence(&owned);
    let tag = |(word, tag): (&&str, Option<harper_brill::UPOS>)| {
        let is_sign = !word.contains(char::is_alphanumeric);
        tag.filter(|_| !is_sign).map(|tag| Tag::named(tag.as_ref()))
    };
    words.iter().zip(found).map(tag).collect()
}

/// What is of a closed class.
#[cfg(not(feature = "tagger"))]
fn known(words: &[&str]) -> Vec<Option<Tag>> {
    words.iter().map(|word| closed(&word.to_lowercase())).collect()
}

/// The closed classes by word; of several the first.
static CLASSES: LazyLock<FixedMap<&str, Tag>> = LazyLock::new(|| {
    let mut classes = FixedMap::default();
    for (tag, words) in CLOSED {
        for word in words.split_whitespace() {
            classes.entry(word).or_insert(tag);
        }
    }
    classes
});

/// The beginnings of verbs.
static VERB_STEMS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| VERBS.split_whitespace().filter(|verb| verb.len() > 3).collect());

/// The closed class of a word.
fn closed(word: &str) -> Option<Tag> {
    CLASSES.get(word).copied()
}

/// What a word alone tells.
fn guessed(word: &str) -> Tag {
    let Some(first) = word.chars().find(|sign| sign.is_alphanumeric()) else {
        let is_mark = word.chars().all(|sign| ".,;:?!()[]{}\"'`“”‘’«»-–—".contains(sign));
        return if is_mark { Tag::Punctuation } else { Tag::Symbol };
    };
    if word.chars().all(|sign| sign.is_ascii_digit() || ".,-+%=<>~".contains(sign)) {
        return Tag::Number;
    }
    let lower = word.to_lowercase();
    if let Some(tag) = closed(&lower) {
        return tag;
    }
    let is_named =
        word.contains(|sign: char| sign.is_ascii_digit()) || word.chars().skip(1).any(char::is_uppercase);
    if is_named {
        return Tag::ProperNoun;
    }
    let is_verb = (0..=LONGEST_INFLECTION).any(|rest| {
        let at = lower.len().saturating_sub(rest);
        lower.is_char_boundary(at) && VERB_STEMS.contains(&lower[..at]) && is_inflected(&lower[at..])
    });
    if is_verb {
        return Tag::Verb;
    }
    let ending = ENDINGS.iter().find(|(ending, _)| lower.len() > ending.len() + 2 && lower.ends_with(ending));
    ending.map_or(if first.is_uppercase() { Tag::ProperNoun } else { Tag::Noun }, |(_, tag)| *tag)
}

/// The bytes of the longest of the endings below.
const LONGEST_INFLECTION: usize = 3;

/// Whether a rest of a word is the ending of a form of a verb.
fn is_inflected(rest: &str) -> bool {
    ["", "e", "s", "es", "ed", "ing", "d", "zed", "zes", "sed", "ses", "ied", "ies", "y"].contains(&rest)
}

/// The tag of a word, where the words around tell more.
fn in_context(at: usize, words: &[&str], tags: &[Tag]) -> Tag {
    let before = at.checked_sub(1).map(|at| tags[at]);
    let after = tags.get(at + 1).copied();
    let is_nominal = |tag| matches!(tag, Some(Tag::Noun | Tag::ProperNoun));
    match tags[at] {
        // "the binding of": after an article a form of a verb is a noun, or describes one.
        // "this suggests": it stays one.
        Tag::Verb if before == Some(Tag::Determiner) && !is_subject(words[at - 1], words[at]) => {
            if is_nominal(after) || after == Some(Tag::Adjective) { Tag::Adjective } else { Tag::Noun }
        }
        // "to bind", but "bound to DNA".
        Tag::Particle if words[at].eq_ignore_ascii_case("to") => {
            if matches!(after, Some(Tag::Verb | Tag::Auxiliary | Tag::Adverb)) {
                Tag::Particle
            } else {
                Tag::Adposition
            }
        }
        // "a factor that binds", "show that it binds".
        Tag::Determiner if words[at].eq_ignore_ascii_case("that") => match (before, after) {
            (Some(Tag::Noun | Tag::ProperNoun), Some(Tag::Verb | Tag::Auxiliary | Tag::Adverb)) => {
                Tag::Pronoun
            }
            (Some(Tag::Verb | Tag::Adjective), Some(_)) => Tag::Subordinator,
            _ => Tag::Determiner,
        },
        tag => tag,
    }
}

/// Whether a pronoun and a form of a verb are a subject and what it does.
fn is_subject(before: &str, verb: &str) -> bool {
    ["this", "that"].iter().any(|word| before.eq_ignore_ascii_case(word)) && verb.ends_with('s')
}

#[cfg(test)]
mod tests {
    use super::{Tag, tags};

    #[test]
    fn every_tag_has_a_name_that_names_it() {
        for (name, tag) in Tag::NAMED {
            assert_eq!((tag.name(), Tag::named(&name.to_uppercase())), (name, tag));
        }
        assert_eq!(Tag::named("NNP"), Tag::Other);
    }

    #[test]
    fn a_sentence_has_its_parts_of_speech() {
        let words = [
            "The",
            "sigma(A)",
            "factor",
            "activates",
            "transcription",
            "of",
            "spoIIG",
            ",",
            "and",
            "CD4",
            "5",
            ".",
        ];
        let found: Vec<&str> = tags(&words).into_iter().map(Tag::name).collect();
        assert_eq!(
            found,
            [
                "det", "propn", "noun", "verb", "noun", "adp", "propn", "punct", "cconj", "propn", "num",
                "punct"
            ]
        );
        let binding = tags(&["the", "binding", "of", "them"]);
        assert_eq!(binding[1], Tag::Noun);
        assert_eq!(
            tags(&["This", "suggests", "that", "p53", "binds", "to", "DNA"])[1..3],
            [Tag::Verb, Tag::Subordinator]
        );
        assert_eq!(tags(&["bound", "to", "DNA"])[1], Tag::Adposition);
        assert_eq!(tags(&["to", "bind", "DNA"])[0], Tag::Particle);
        assert_eq!(tags(&["factors", "that", "bind", "DNA"])[1], Tag::Pronoun);
    }
}
