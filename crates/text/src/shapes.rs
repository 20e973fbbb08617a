//! Lexical shapes of words: what their letters and signs look like. [GLEANER §4.1.3]

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

#[cfg(test)]
mod tests {
    use super::shapes;

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
}
