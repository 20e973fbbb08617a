//! Lists of words that the user gives: a word in each line, or an ontology in OBO.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};

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
    use super::word_list;

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
