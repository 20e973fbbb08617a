//! Translates BoostSRL's texts to the common grammar byte by byte, so that places stay true.
//!
//! Blanks of the same length replace `//` comments and the keyword lines of background files (`mode:`, `setParam:`, …).
//! The rest is read as any other program.

use crate::gather::VariableStyle;
use gleaner_lang::syntax::Span;

/// A background or fact file in the common grammar, and the files it imports.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) text: String,
    pub(super) imports: Vec<String>,
    /// How variables are written after this text, if the text says it.
    pub(super) variable_style: Option<VariableStyle>,
    /// The comment that declares the examples after it to be false.
    pub(super) falsity: Option<Span>,
    /// Lines with a weight before a rule, as in advice.
    pub(super) weighted: Vec<Span>,
}

/// Keywords whose argument is a mode, which stays.
const MODE_KEYWORD: &str = "mode:";

/// A keyword before a rule that WILL evaluates beforehand, perhaps with a number; the rule stays.
const RULE_KEYWORD: &str = "precompute";

/// Blanks the parts that the common grammar does not know. Cost: one pass.
pub(super) fn translate(text: &str) -> Translated {
    let mut bytes = text.as_bytes().to_vec();
    let (mut imports, mut weighted) = (Vec::new(), Vec::new());
    let falsity = blank_comments(&mut bytes);
    let mut variable_style = None;
    let mut line_start = 0;
    while line_start < bytes.len() {
        let line_end = bytes[line_start..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(bytes.len(), |at| line_start + at);
        let line = &mut bytes[line_start..line_end];
        if has_weight(line) {
            weighted.push(Span::new(line_start, line_start + line.trim_ascii_end().len()));
            line.fill(b' ');
        } else {
            variable_style = style_set(line).or(variable_style);
            translate_line(line, &mut imports);
        }
        line_start = line_end + 1;
    }
    // Only whole characters were overwritten, by ASCII blanks.
    let text = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    Translated { text, imports, variable_style, falsity, weighted }
}

/// The style that a line such as `useLeadingQuestionMarkVariables: true.` sets, perhaps after `setParam:`.
fn style_set(line: &[u8]) -> Option<VariableStyle> {
    const STYLES: [(&[u8], VariableStyle); 3] = [
        (b"useLeadingQuestionMarkVariables", VariableStyle::QuestionMarks),
        (b"useStdLogicVariables", VariableStyle::SmallLetters),
        (b"usePrologVariables", VariableStyle::Capitals),
    ];
    let words = line.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut words = words.skip_while(|word| *word == b"setParam");
    let name = words.next()?;
    let is_set = words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"true"));
    STYLES.into_iter().find(|(known, _)| is_set && name.eq_ignore_ascii_case(known)).map(|(_, style)| style)
}

/// Whether a line begins like `4.0 ha(A)`.
fn has_weight(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let n_digits = line.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let rest = line[n_digits..].trim_ascii_start();
    let n_letters = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    line.first().is_some_and(u8::is_ascii_digit)
        && rest.len() + n_digits < line.len()
        && rest.first().is_some_and(u8::is_ascii_alphabetic)
        && rest.get(n_letters) == Some(&b'(')
}

fn translate_line(line: &mut [u8], imports: &mut Vec<String>) {
    let start = line.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(line.len());
    let content = &mut line[start..];
    if content.starts_with(MODE_KEYWORD.as_bytes()) {
        content[..MODE_KEYWORD.len()].fill(b' ');
        blank_options(content);
        common_marks(content);
        return;
    }
    if content.starts_with(b"import:") {
        let quoted = String::from_utf8_lossy(content).split('"').nth(1).map(str::to_owned);
        imports.extend(quoted);
        content.fill(b' ');
        return;
    }
    match keyword(content) {
        Some(len) if content.starts_with(RULE_KEYWORD.as_bytes()) => content[..len].fill(b' '),
        // The whole line is about another system.
        Some(_) => content.fill(b' '),
        None => end_by_full_stop(content),
    }
}

/// The length of a keyword with its colon, such as `setParam:` or `precompute2:`, if a line begins with one.
fn keyword(content: &[u8]) -> Option<usize> {
    let len = content.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_keyword = len > 0 && content[0].is_ascii_alphabetic() && content.get(len) == Some(&b':');
    (is_keyword && content.get(len + 1) != Some(&b'-')).then_some(len + 1)
}

/// Writes a full stop for each `;` that ends a clause. On a line that ends with `;`, each `;` outside brackets and
/// quotes does.
fn end_by_full_stop(content: &mut [u8]) {
    if content.iter().rfind(|byte| !byte.is_ascii_whitespace()) != Some(&b';') {
        return;
    }
    let (mut depth, mut quote) = (0_usize, None);
    for byte in content {
        match (quote, *byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, open @ (b'"' | b'\'')) => quote = Some(open),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth = depth.saturating_sub(1),
            (None, b';') if depth == 0 => *byte = b'.',
            (None, _) => {}
        }
    }
}

/// Translates marks: `` ` `` and `*` become `-` (a value that may be new). The limit on uses of a value (`+person!1`)
/// has no meaning here and becomes blank.
fn common_marks(content: &mut [u8]) {
    for at in 0..content.len() {
        match content[at] {
            b'`' | b'*' => content[at] = b'-',
            b'!' => {
                let n_digits = content[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                content[at..=at + n_digits].fill(b' ');
            }
            _ => {}
        }
    }
}

/// Blanks everything after the closing parenthesis of a mode, and ends the mode by a full stop.
fn blank_options(content: &mut [u8]) {
    let Some(close) = content.iter().rposition(|&byte| byte == b')') else { return };
    let end = if close + 1 < content.len() { close + 1 } else { close };
    if end == close {
        // The only room is that of the keyword before.
        content.copy_within(1.., 0);
    }
    content[end..].fill(b' ');
    content[end] = b'.';
}

/// Blanks comments outside quotes: `//` to the end of its line, and the text between `/*` and `*/`. Gives the first
/// comment that declares the text after it to be false.
fn blank_comments(bytes: &mut [u8]) -> Option<Span> {
    let mut falsity = None;
    let mut quote: Option<u8> = None;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let end = match quote {
            None => comment_end(&bytes[at..]).map(|len| at + len),
            Some(_) => None,
        };
        if let Some(end) = end {
            if says_false(&bytes[at..end]) {
                falsity.get_or_insert(Span::new(at, end));
            }
            bytes[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            at = end;
            continue;
        }
        match quote {
            Some(open) if byte == open || byte == b'\n' => quote = None,
            // An escaped quote closes nothing.
            Some(_) if byte == b'\\' => {
                at += usize::from(bytes.get(at + 1).is_some_and(|&next| next != b'\n'))
            }
            Some(_) => {}
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            _ => {}
        }
        at += 1;
    }
    falsity
}

/// The length of the comment at the beginning of a text; an unclosed one is left to the reader.
fn comment_end(text: &[u8]) -> Option<usize> {
    match text {
        [b'/', b'/', ..] | [b'%', ..] => {
            Some(text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len()))
        }
        [b'/', b'*', rest @ ..] => rest.windows(2).position(|pair| pair == b"*/").map(|end| end + 4),
        _ => None,
    }
}

/// Whether a comment separates positive from negative examples: `//the rest should be false`.
fn says_false(comment: &[u8]) -> bool {
    let comment = String::from_utf8_lossy(comment).to_lowercase();
    let words: Vec<&str> = comment.split(|c: char| !c.is_alphanumeric()).collect();
    words.contains(&"false")
        && ["rest", "following", "these", "below"].iter().any(|word| words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn places_stay_and_keywords_go() {
        let text = "setParam: x=1.\nmode: p(+a). // note\nq('a//b', c).\nimport: \"../x_bk.txt\".\n";
        let translated = translate(text);
        assert_eq!(translated.text.len(), text.len());
        assert_eq!(translated.imports, ["../x_bk.txt"]);
        let lines: Vec<&str> = translated.text.lines().map(str::trim).collect();
        assert_eq!(lines, ["", "p(+a).", "q('a//b', c).", ""]);
        let escaped = r"p('a\'//b', 'c''//d').";
        assert_eq!(translate(escaped).text, escaped);
    }

    #[test]
    fn options_after_a_mode_are_dropped() {
        assert_eq!(translate("mode: s(+car, #shape)   maxPerInputVars=1.").text.trim(), "s(+car, #shape).");
        assert_eq!(translate("mode: p(+a)\nmode: q(+a)").text, "     p(+a).\n     q(+a).");
    }
}
