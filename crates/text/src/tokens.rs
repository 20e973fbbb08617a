//! Tokens of a sentence. Names of genes and chemicals stay whole: `sigma(A)`, `Spo0A~P`, `beta-galactosidase`.

use std::collections::BTreeSet;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

/// Signs that may stand before a word, and after it.
const OPENING: &[char] = &['(', '[', '{', '"', '\'', '`', '“', '‘', '«', '<'];
const CLOSING: &[char] =
    &[')', ']', '}', '"', '\'', '`', '”', '’', '»', '>', ',', '.', ';', ':', '?', '!', '%'];

/// Short forms that keep their full stop.
const SHORT_FORMS: [&str; 14] = [
    "e.g.", "i.e.", "vs.", "al.", "fig.", "figs.", "etc.", "cf.", "approx.", "no.", "dr.", "mr.", "ca.",
    "sp.",
];

/// The tokens of a text, as ranges of bytes, ascending. A token ends where one of `cuts` lies in it.
pub(crate) fn tokens(text: &str, cuts: &[usize]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for word in words(text) {
        peel(text, word, &mut found);
    }
    if cuts.is_empty() {
        return found;
    }
    let mut cut = Vec::with_capacity(found.len());
    for token in found {
        let mut start = token.start;
        let first = cuts.partition_point(|&at| at <= token.start);
        for &at in cuts[first..].iter().take_while(|&&at| at < token.end) {
            cut.push(start..at);
            start = at;
        }
        cut.push(start..token.end);
    }
    cut
}

/// What stands between white space.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// The tokens of a word: the signs before it, its parts between slashes, and the signs after it.
fn peel(text: &str, word: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Range { mut start, mut end } = word;
    while let Some(sign) = text[start..end].chars().next() {
        let rest = start + sign.len_utf8();
        if rest == end || !OPENING.contains(&sign) || (sign == '(' && names_on(&text[start..end])) {
            break;
        }
        found.push(start..rest);
        start = rest;
    }
    let mut after = Vec::new();
    while let Some(sign) = text[start..end].chars().next_back() {
        let rest = end - sign.len_utf8();
        let is_own = match sign {
            ')' => is_open(&text[start..rest], '(', ')'),
            ']' => is_open(&text[start..rest], '[', ']'),
            '.' => is_short_form(&text[start..end]),
            _ => false,
        };
        if rest == start || !CLOSING.contains(&sign) || is_own {
            break;
        }
        after.push(rest..end);
        end = rest;
    }
    let mut part = start;
    for (at, sign) in text[start..end].char_indices().filter(|(_, sign)| *sign == '/') {
        let at = start + at;
        found.extend((part < at).then_some(part..at));
        part = at + sign.len_utf8();
        found.push(at..part);
    }
    found.extend((part < end).then_some(part..end));
    found.extend(after.into_iter().rev());
}

/// Whether a word that begins with a parenthesis goes on with letters or digits after its end: `(Ca2+)i`.
fn names_on(word: &str) -> bool {
    let mut depth = 0_i32;
    for (at, sign) in word.char_indices() {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        if depth == 0 {
            return word[at + sign.len_utf8()..].contains(char::is_alphanumeric);
        }
    }
    false
}

/// Whether a bracket is open at the end of a text.
fn is_open(text: &str, opening: char, closing: char) -> bool {
    text.matches(opening).count() > text.matches(closing).count()
}

/// Whether a word keeps its full stop: a known short form, or an initial.
fn is_short_form(word: &str) -> bool {
    let mut signs = word.chars();
    let is_initial = signs.next().is_some_and(char::is_uppercase) && signs.next() == Some('.');
    (is_initial && signs.next().is_none()) || SHORT_FORMS.contains(&word.to_lowercase().as_str())
}

/// The sentences of a text that nobody divided, as ranges of bytes without white space at their ends.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut words = words(text).peekable();
    while let Some(word) = words.next() {
        let start_of = *start.get_or_insert(word.start);
        let next = words.peek();
        let is_end = next.is_none_or(|next| {
            text[word.end..next.start].matches('\n').count() > 1
                || (ends_sentence(&text[word.clone()]) && begins_sentence(&text[next.clone()]))
        });
        if is_end {
            found.push(start_of..word.end);
            start = None;
        }
    }
    found
}

fn ends_sentence(word: &str) -> bool {
    let bare = word.trim_end_matches([')', ']', '"', '\'', '”', '’', '»']);
    bare.ends_with(['.', '?', '!', '。']) && !is_short_form(bare)
}

fn begins_sentence(word: &str) -> bool {
    let bare = word.trim_start_matches(OPENING);
    bare.chars().next().is_some_and(|sign| !sign.is_lowercase())
}

/// The shapes of a word, by the names that facts have; a word may have several.
pub(crate) fn shapes(word: &str) -> Vec<&'static str> {
    let has = |is: fn(char) -> bool| word.contains(is);
    let (letters, digits) = (has(char::is_alphabetic), has(|sign| sign.is_ascii_digit()));
    let first_is_capital = word.chars().next().is_some_and(char::is_uppercase);
    let all_capitals =
        letters && !has(char::is_lowercase) && word.chars().filter(|sign| sign.is_alphabetic()).count() > 1;
    let tests = [
        ("alphabetic", word.chars().all(char::is_alphabetic)),
        ("alphanumeric", letters && digits),
        ("numeric", digits && !letters),
        ("single_character", word.chars().count() == 1),
        ("hyphenated", word.trim_matches('-').contains('-')),
        ("all_capitals", all_capitals),
        ("leading_capital", first_is_capital),
        ("internal_capital", word.chars().skip(1).any(char::is_uppercase)),
    ];
    tests.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
}

/// The stems of the words of a list. Of a term of several words, each word of more than three letters counts, as all are one level
/// deep. [GLEANER §4.1.3]
pub fn word_list(text: &str) -> BTreeSet<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let is_obo = text.lines().any(|line| line.trim() == "[Term]");
    let terms = text.lines().filter_map(|line| if is_obo { obo_name(line) } else { Some(line.trim()) });
    let mut words = BTreeSet::new();
    for term in terms.filter(|term| !term.is_empty() && !term.starts_with('#')) {
        let parts: Vec<&str> = term.split_whitespace().collect();
        let counts = |word: &&&str| parts.len() == 1 || word.chars().count() > 3;
        words.extend(parts.iter().filter(counts).map(|word| stemmer.stem(&word.to_lowercase()).into_owned()));
    }
    words
}

/// The name that a line of OBO gives: `name: cytosol`, `synonym: "cell sap" EXACT []`.
fn obo_name(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("name:").map(str::trim).or_else(|| line.strip_prefix("synonym:")?.split('"').nth(1))
}

#[cfg(test)]
mod tests {
    use super::{sentences, shapes, tokens, word_list};

    fn said(text: &str) -> Vec<&str> {
        tokens(text, &[]).into_iter().map(|token| &text[token]).collect()
    }

    #[test]
    fn names_stay_whole() {
        assert_eq!(
            said("Transcription of spoIIG depends on sigma(A), Spo0A~P (see Fig. 2) and (Ca2+)i."),
            [
                "Transcription",
                "of",
                "spoIIG",
                "depends",
                "on",
                "sigma(A)",
                ",",
                "Spo0A~P",
                "(",
                "see",
                "Fig.",
                "2",
                ")",
                "and",
                "(Ca2+)i",
                "."
            ]
        );
        assert_eq!(said("the Th1/Th2 type"), ["the", "Th1", "/", "Th2", "type"]);
        assert_eq!(
            said("\"p53-mediated\" 5.6% (P=0.04)."),
            ["\"", "p53-mediated", "\"", "5.6", "%", "(", "P=0.04", ")", "."]
        );
    }

    #[test]
    fn cuts_end_tokens() {
        let text = "p53-mediated death";
        let found: Vec<&str> = tokens(text, &[0, 3, 13]).into_iter().map(|token| &text[token]).collect();
        assert_eq!(found, ["p53", "-mediated", "death"]);
    }

    #[test]
    fn signs_alone_are_tokens() {
        assert_eq!(said(" ... ( ' "), [".", ".", ".", "(", "'"]);
        assert!(said("").is_empty());
    }

    #[test]
    fn texts_are_divided_at_full_stops() {
        let text =
            "E. coli grows, e.g. at 37 C, well. It does (not always.) \"Yes!\" said Dr. Who.\n\nTitle\n\nEnd";
        let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            [
                "E. coli grows, e.g. at 37 C, well.",
                "It does (not always.)",
                "\"Yes!\" said Dr. Who.",
                "Title",
                "End"
            ]
        );
    }

    /// The words are those of [GLEANER §4.1.3].
    #[test]
    fn words_have_their_shapes() {
        assert_eq!(shapes("YRB1p"), ["alphanumeric", "leading_capital", "internal_capital"]);
        assert_eq!(shapes("a"), ["alphabetic", "single_character"]);
        assert_eq!(shapes("qh2-cytochrome"), ["alphanumeric", "hyphenated"]);
        assert_eq!(shapes("NPC"), ["alphabetic", "all_capitals", "leading_capital", "internal_capital"]);
        assert_eq!(shapes("37"), ["numeric"]);
        assert_eq!(shapes("-"), ["single_character"]);
    }

    #[test]
    fn lists_and_ontologies_have_stems() {
        assert_eq!(
            word_list("Membranes\n# none\n\nbud neck of it\n").into_iter().collect::<Vec<_>>(),
            ["membran", "neck"]
        );
        let obo = "format-version: 1.2\n\n[Term]\nid: GO:1\nname: cytosol\nsynonym: \"cell sap\" EXACT []\n";
        assert_eq!(word_list(obo).into_iter().collect::<Vec<_>>(), ["cell", "cytosol"]);
    }
}
