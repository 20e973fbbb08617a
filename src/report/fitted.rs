//! Clauses that fit a terminal: a line that is too long breaks between literals, never within a word.

/// Columns that a clause's further lines stand to the right of its first.
const INDENT: usize = 4;

/// Where they stand of a clause that begins in the right half: below the cells of a table.
const FAR_LEFT: usize = 10;

/// The text with long lines broken: lines that hold a clause and exceed `width` break between its literals. A literal
/// that is longer itself stays whole. Cost: linear in the text.
pub fn fitted(text: &str, width: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        match clause_start(content).filter(|_| content.chars().count() > width) {
            Some(start) => fitted.push_str(&broken(content, start, width)),
            None => fitted.push_str(content),
        }
        fitted.push_str(&line[content.len()..]);
    }
    fitted
}

/// Where the clause of a line begins: the head before ` :- `.
fn clause_start(line: &str) -> Option<usize> {
    let before = &line[..line.find(" :- ")?];
    let name_end = if before.ends_with(')') { opening(before)? } else { before.len() };
    let start = before[..name_end].rfind([' ', '`']).map_or(0, |at| at + 1);
    (start < before.len()).then_some(start)
}

/// The parenthesis that the last character closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The line in pieces that fit, as far as its literals do.
fn broken(line: &str, start: usize, width: usize) -> String {
    let indent = match line[..start].chars().count() + INDENT {
        indent if indent > width / 2 => FAR_LEFT.min(width / 4),
        indent => indent,
    };
    let mut text = line[..start].to_owned();
    let mut n_columns = line[..start].chars().count();
    for (at, piece) in pieces(&line[start..]).into_iter().enumerate() {
        let n_piece = piece.trim_end().chars().count();
        if at > 0 && n_columns + n_piece > width {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            n_columns = indent;
        }
        text.push_str(piece);
        n_columns += piece.chars().count();
    }
    text
}

/// The head with its neck, and the literals, each with the comma and the space after it.
fn pieces(clause: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut quote = None;
    let mut escaped = false;
    for (at, byte) in clause.bytes().enumerate() {
        if let Some(open) = quote {
            let closes = byte == open && !escaped;
            escaped = byte == b'\\' && !escaped;
            quote = quote.filter(|_| !closes);
            continue;
        }
        match byte {
            b'\'' | b'"' => quote = Some(byte),
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 && clause[..at].ends_with([',', '-']) && is_between(&clause[start..at]) => {
                pieces.push(&clause[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&clause[start..]);
    pieces
}

/// Whether a literal, or the head, ends here: at a comma or at the neck.
fn is_between(piece: &str) -> bool {
    piece.ends_with(',') || piece.ends_with(" :-")
}

#[cfg(test)]
mod tests {
    use super::fitted;

    /// No literal is broken, and nothing but spaces is lost.
    #[test]
    fn clauses_break_between_literals() {
        let line =
            "     7      0  active(A) :- atom(A,B), bond(A,B,C,'a, b'), charge(C, 0.5), eq(C,D).\nnext\n";
        let told = "     7      0  active(A) :- atom(A,B),\n                   bond(A,B,C,'a, b'),\n                   \
                    charge(C, 0.5), eq(C,D).\nnext\n";
        assert_eq!(fitted(line, 43), told);
        assert_eq!(fitted(line, 200), line);
    }

    /// Text that cannot break stays whole, and lines without a clause are left alone.
    #[test]
    fn what_cannot_break_stays_whole() {
        let long = "p(A) :- a_very_long_predicate_name(A, 'x y z').\n";
        assert_eq!(fitted(long, 20), "p(A) :-\n    a_very_long_predicate_name(A, 'x y z').\n");
        for line in
            ["a long line, of words, and of commas\n", ":- modeb(*, p(+type, -type)), q, r, s.\n", "x :- \n"]
        {
            assert_eq!(fitted(line, 20), line);
        }
    }

    /// Far to the right a clause goes on at the left.
    #[test]
    fn narrow_places_take_the_left() {
        let line = "seen: 12345678 `p(f(A),B) :- q(A), r(B)`";
        assert_eq!(fitted(line, 34), "seen: 12345678 `p(f(A),B) :- q(A),\n        r(B)`");
    }
}
