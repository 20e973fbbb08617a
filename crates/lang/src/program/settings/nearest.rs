//! The name that the user may have meant by a misspelt one.

/// The candidate nearest to a name, if one is near: at most a third of its letters changed. Two neighbours swapped count
/// as one change: `depht` is one from `depth`.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let longest = name.chars().count().max(3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .min()
        .filter(|(distance, _)| *distance * 3 <= longest)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn distances_by_hand() {
        assert_eq!(nearest("mothr", ["father", "mother"]), Some("mother"));
        assert_eq!(nearest("x", ["father", "mother"]), None);
        assert_eq!(nearest("kitten", ["sitting"]), None);
        // One change of three letters, as a swap counts once.
        assert_eq!(nearest("dpe", ["dep"]), Some("dep"));
        assert_eq!(nearest("", ["abc"]), None);
    }
}
