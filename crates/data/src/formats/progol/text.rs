//! Translates Progol's and Golem's punctuation to the common grammar byte by byte, so that places stay true.

/// Writes `.` for a `?` that ends a clause and `:-` for a `!-` that opens one. Cost: one pass.
pub(super) fn translate(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut quote = None;
    let mut is_start = true;
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes.get(at + 1).copied();
        match (quote, bytes[at]) {
            (Some(open), byte) if byte == open || byte == b'\n' => quote = None,
            (Some(_), _) => {}
            (None, b'%') => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            (None, b'/') if next == Some(b'*') => {
                let end = bytes[at + 2..].windows(2).position(|pair| pair == b"*/");
                at += end.map_or(bytes.len() - at, |end| end + 4);
                continue;
            }
            (None, b'!') if is_start && next == Some(b'-') => bytes[at] = b':',
            (None, b'?') if next.is_none_or(|next| next.is_ascii_whitespace() || next == b'%') => {
                bytes[at] = b'.';
            }
            (None, byte @ (b'"' | b'\'')) => quote = Some(byte),
            (None, _) => {}
        }
        let ends = bytes[at] == b'.' && next.is_none_or(|next| next.is_ascii_whitespace() || next == b'%');
        is_start = quote.is_none() && (ends || is_start && bytes[at].is_ascii_whitespace());
        at += 1;
    }
    // Single ASCII bytes replaced others.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn question_marks_end_and_exclamation_marks_open() {
        let text = "!- mode(p(+,-)).\n:- modeb(1,q(+a))? % why?\n/* !- no? */ !- set(i,2)?\np('is it? ').";
        let expected =
            ":- mode(p(+,-)).\n:- modeb(1,q(+a)). % why?\n/* !- no? */ :- set(i,2).\np('is it? ').";
        assert_eq!(translate(text), expected);
    }

    #[test]
    fn a_cut_is_no_opening() {
        let text = "a(X) :- b(X), !.\n!- c.\n";
        assert_eq!(translate(text), "a(X) :- b(X), !.\n:- c.\n");
    }
}
