//! Short names for runs: as much of the end of each path as distinguishes it from the others.

use std::path::{Component, Path, PathBuf};

/// The shortest trailing part of each path that no other path ends in; whole where there is none.
pub(super) fn shortest_names(paths: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<String>> = paths.iter().map(|path| names(path)).collect();
    let is_own = |own: usize, n_parts: usize| {
        let end = tail(&parts[own], n_parts);
        parts.iter().enumerate().all(|(other, parts)| other == own || tail(parts, n_parts) != end)
    };
    (0..paths.len())
        .map(|own| {
            let most = parts[own].len();
            let n_parts = (1..=most).find(|&n_parts| is_own(own, n_parts)).unwrap_or(most);
            let end = tail(&parts[own], n_parts);
            if end.is_empty() { paths[own].display().to_string() } else { end.join("/") }
        })
        .collect()
}

fn tail(parts: &[String], n_parts: usize) -> &[String] {
    &parts[parts.len().saturating_sub(n_parts)..]
}

fn names(path: &Path) -> Vec<String> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::shortest_names;

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let names = |paths: &[&str]| shortest_names(&paths.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(names(&["/runs/a", "/runs/b"]), ["a", "b"]);
        assert_eq!(names(&["/x/cv", "/y/cv", "/y/b"]), ["x/cv", "y/cv", "b"]);
        assert_eq!(names(&["/cv", "/y/cv"]), ["cv", "y/cv"]);
        assert_eq!(names(&["/p/x/cv", "/q/x/cv"]), ["p/x/cv", "q/x/cv"]);
        assert_eq!(names(&["/", "/a"]), ["/", "a"]);
    }
}
