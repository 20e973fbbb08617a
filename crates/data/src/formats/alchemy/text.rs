//! Alchemy's files: ground atoms line by line (`.db`), and declarations with formulas (`.mln`).

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::Span;

/// A line of a `.db` file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GroundAtom<'text> {
    pub(super) name: &'text str,
    pub(super) arguments: Vec<&'text str>,
    /// Whether the atom is written with `!`, and so is false.
    pub(super) is_false: bool,
    pub(super) span: Span,
}

/// A line that could not be understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OddLine(pub(super) Span);

/// The lines of a text with their places, without comments and surrounding white space.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let bare = line.split("//").next().unwrap_or(line);
        let content = bare.trim();
        let indent = bare.len() - bare.trim_start().len();
        (!content.is_empty()).then(|| (content, Span::new(at + indent, at + indent + content.len())))
    })
}

/// The ground atoms of a `.db` file, one a line; a full stop may follow.
pub(super) fn ground_atoms(text: &str) -> impl Iterator<Item = Result<GroundAtom<'_>, OddLine>> {
    lines(text).map(|(line, span)| ground_atom(line, span).ok_or(OddLine(span)))
}

fn ground_atom(line: &str, span: Span) -> Option<GroundAtom<'_>> {
    let (is_false, atom) = match line.strip_prefix('!') {
        Some(atom) => (true, atom.trim_start()),
        None => (false, line),
    };
    let (name, arguments) = name_and_arguments(atom.strip_suffix('.').unwrap_or(atom))?;
    Some(GroundAtom { name, arguments, is_false, span })
}

/// The name and the texts between the commas of `name(a, b)`.
fn name_and_arguments(atom: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = atom.split_once('(')?;
    let inside = rest.trim_end().strip_suffix(')')?;
    let name = name.trim_end();
    let is_name = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if !is_name {
        return None;
    }
    let mut arguments = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'(' | b')' if !is_quoted => return None,
            b',' if !is_quoted => {
                arguments.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(inside[start..].trim());
    (!is_quoted && arguments.iter().all(|argument| !argument.is_empty())).then_some((name, arguments))
}

/// The content of an `.mln` file.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// The types of the predicates' arguments.
    pub(super) predicates: Vec<(PredicateName, Vec<String>, Span)>,
    /// The places of formulas, which are another system's model.
    pub(super) formulas: Vec<Span>,
}

/// Reads `*predicate(type, type!)`. `*` marks a closed world, and `!` an argument that depends on the others; both
/// matter only to inference. Any other line is a formula.
pub(super) fn declarations(text: &str) -> Declarations {
    let mut read = Declarations::default();
    for (line, span) in lines(text) {
        let declared = line.strip_prefix('*').unwrap_or(line);
        let types = name_and_arguments(declared).and_then(|(name, types)| {
            let types: Vec<String> = types.iter().map(|name| name.trim_end_matches('!').to_owned()).collect();
            let is_type = |name: &String| {
                name.starts_with(char::is_lowercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            };
            types.iter().all(is_type).then(|| (PredicateName::new(name, types.len()), types))
        });
        match types {
            Some((predicate, types)) => read.predicates.push((predicate, types, span)),
            None => read.formulas.push(span),
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::{OddLine, declarations, ground_atoms};

    #[test]
    fn atoms_have_no_full_stop_and_constants_of_any_case() {
        let text =
            "// twitter\nAccountType(A1,Fan)\n!Follows(A1 , A2)\r\np(\"a, b\", 3).\nx y\np(a\np(f(x))\n";
        let read: Vec<_> = ground_atoms(text).collect();
        let atoms: Vec<(&str, Vec<&str>, bool)> =
            read.iter().flatten().map(|atom| (atom.name, atom.arguments.clone(), atom.is_false)).collect();
        assert_eq!(
            atoms,
            [
                ("AccountType", vec!["A1", "Fan"], false),
                ("Follows", vec!["A1", "A2"], true),
                ("p", vec!["\"a, b\"", "3"], false),
            ]
        );
        let odd: Vec<&str> = read
            .iter()
            .filter_map(|read| read.as_ref().err())
            .map(|OddLine(span)| &text[span.start..span.end])
            .collect();
        assert_eq!(odd, ["x y", "p(a", "p(f(x))"]);
    }

    #[test]
    fn declarations_are_told_from_formulas() {
        let text = "*hasPosition(person,position)\nadvisedBy(person,person!)\n// a note\n\
                    0  professor(a1) v !taughtBy(a2,a1,a3)\n-2.3  student(a1)\nq(X).\n";
        let read = declarations(text);
        let predicates: Vec<String> =
            read.predicates.iter().map(|(name, types, _)| format!("{name} {types:?}")).collect();
        assert_eq!(
            predicates,
            ["hasPosition/2 [\"person\", \"position\"]", "advisedBy/2 [\"person\", \"person\"]"]
        );
        assert_eq!(read.formulas.len(), 3);
    }
}
