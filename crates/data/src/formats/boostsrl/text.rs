//! Translates BoostSRL's texts to the common grammar byte by byte, so that places stay true.
//!
//! Blanks of the same length replace `//` comments and the keyword lines of background files (`mode:`, `setParam:`, …).
//! The rest is read as any other program.
//!
//! WILL's constants in the common grammar: constants that WILL reads without quotes get them here.
//!
//! Constants may begin with a digit (`162_s43`, `5_cyclic`) and, in facts, with an underscore. After
//! `useLeadingQuestionMarkVariables: true.` variables are written `?x`, and capitals begin constants. After
//! `useStdLogicVariables: true.` capitals begin constants, and small letters the variables of rules.

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

/// A text with quotes around its constants, and the positions of the added quotes, ascending.
#[derive(Debug)]
pub(super) struct Quoted {
    pub(super) text: String,
    pub(super) insertions: Vec<usize>,
}

/// Puts quotes around constants that the common grammar would not read as such. Comments are blank by now.
/// Cost: one pass.
pub(super) fn quote_constants(text: &str, style: VariableStyle) -> Quoted {
    let mut quoter = Quoter { style, ..Quoter::new(text) };
    while let Some(&byte) = quoter.bytes().get(quoter.at) {
        quoter.step(byte);
    }
    quoter.finish()
}

/// The state of the quoting.
struct Quoter<'t> {
    source: &'t str,
    style: VariableStyle,
    at: usize,
    /// The number of bytes of the source that are copied.
    n_copied: usize,
    depth: usize,
    /// Whether the current statement is a fact, as far as known; found at its beginning.
    is_fact: bool,
    is_begun: bool,
    text: String,
    insertions: Vec<usize>,
}

impl<'t> Quoter<'t> {
    fn new(source: &'t str) -> Self {
        Self {
            source,
            style: VariableStyle::default(),
            at: 0,
            n_copied: 0,
            depth: 0,
            is_fact: false,
            is_begun: false,
            text: String::new(),
            insertions: Vec::new(),
        }
    }

    const fn bytes(&self) -> &'t [u8] {
        self.source.as_bytes()
    }

    /// Reads the token that begins with this byte.
    fn step(&mut self, byte: u8) {
        if !self.is_begun && !byte.is_ascii_whitespace() {
            self.is_begun = true;
            self.depth = 0;
            self.is_fact = !has_neck(&self.bytes()[self.at..]);
        }
        match byte {
            b'"' | b'\'' => self.at += quoted_len(&self.bytes()[self.at..]),
            b'(' | b'[' => {
                self.depth += 1;
                self.at += 1;
            }
            b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.at += 1;
            }
            b'.' => {
                self.is_begun = !self.bytes().get(self.at + 1).is_none_or(u8::is_ascii_whitespace);
                self.at += 1;
            }
            b'?' if self.style == VariableStyle::QuestionMarks && self.is_word_next() => {
                self.copy_to(self.at);
                self.text.push('_');
                self.at += 1;
                self.n_copied = self.at;
                self.at += word_len(&self.bytes()[self.at..]);
            }
            byte if byte.is_ascii_digit() => self.number(),
            byte if is_of_word(byte) => self.word(byte),
            _ => self.at += 1,
        }
    }

    fn is_word_next(&self) -> bool {
        self.bytes().get(self.at + 1).is_some_and(|&next| is_of_word(next))
    }

    /// A number, or a name that begins with a digit.
    fn number(&mut self) {
        let rest = &self.bytes()[self.at..];
        let n_number = number_len(rest);
        let n_word = word_len(rest);
        if n_word > n_number && !rest[..n_number].contains(&b'.') {
            self.quote(n_word);
        } else {
            self.at += n_number.max(n_word);
        }
    }

    fn word(&mut self, first: u8) {
        let len = word_len(&self.bytes()[self.at..]);
        let is_functor = self.bytes().get(self.at + len) == Some(&b'(');
        // A name after the sign of a mode is a type.
        let before = self.bytes()[..self.at].iter().rfind(|byte| !byte.is_ascii_whitespace());
        let is_type = matches!(before, Some(b'+' | b'-' | b'#' | b'`'));
        let is_capital = self.source[self.at..].chars().next().is_some_and(char::is_uppercase);
        let is_argument = !is_functor && !is_type && self.depth > 0;
        let is_constant = match (first, self.style) {
            (b'_', VariableStyle::QuestionMarks) => len > 1,
            (b'_', _) => len > 1 && self.is_fact,
            (_, style) => is_capital && style != VariableStyle::Capitals,
        };
        let is_variable =
            self.style == VariableStyle::SmallLetters && !self.is_fact && first.is_ascii_lowercase();
        if is_argument && is_constant {
            self.quote(len);
        } else if is_argument && is_variable {
            self.copy_to(self.at);
            self.insertions.push(self.text.len());
            self.text.push('_');
            self.n_copied = self.at;
            self.at += len;
        } else {
            self.at += len;
        }
    }

    fn copy_to(&mut self, end: usize) {
        self.text.push_str(&self.source[self.n_copied..end]);
        self.n_copied = end;
    }

    /// Puts the next bytes between quotes.
    fn quote(&mut self, len: usize) {
        self.copy_to(self.at);
        self.at += len;
        self.insertions.push(self.text.len());
        self.text.push('\'');
        self.copy_to(self.at);
        self.insertions.push(self.text.len());
        self.text.push('\'');
    }

    fn finish(mut self) -> Quoted {
        self.copy_to(self.source.len());
        Quoted { text: self.text, insertions: self.insertions }
    }
}

/// Names go on with letters of any script.
const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn word_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_of_word(**byte)).count()
}

/// The length of the number that bytes begin with: digits, perhaps a fraction and an exponent.
fn number_len(bytes: &[u8]) -> usize {
    let n_digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut len = n_digits(0);
    if bytes.get(len) == Some(&b'.') && n_digits(len + 1) > 0 {
        len += 1 + n_digits(len + 1);
    }
    if matches!(bytes.get(len), Some(b'e' | b'E')) {
        let signed = len + 1 + usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        let n_exponent = bytes.get(signed).map_or(0, |_| n_digits(signed));
        if n_exponent > 0 {
            len = signed + n_exponent;
        }
    }
    len
}

/// The length of the quoted text at the beginning, or of the quote alone if it is not closed on its line.
fn quoted_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => break,
            b'\\' => at += 1,
            byte if byte == bytes[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

/// Whether the statement that bytes begin with is a rule or a directive.
fn has_neck(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at += quoted_len(&bytes[at..]),
            b':' if bytes.get(at + 1) == Some(&b'-') => return true,
            b'.' if bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) => return false,
            _ => at += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::gather::VariableStyle;

    use super::{quote_constants, translate};

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

    #[test]
    fn names_with_digits_first_get_quotes_and_numbers_none() {
        let quoted = |text: &str| quote_constants(text, VariableStyle::Capitals).text;
        assert_eq!(quoted("p(162_s43, 5_cyclic, 7)."), "p('162_s43', '5_cyclic', 7).");
        for same in ["p(1e10, 2E-3, 1.5, 1.5e3, a1, b_2, -3).", "p('1_a', \"2_b\", 'c''3_d').", "p(a).q(b)."]
        {
            assert_eq!(quoted(same), same);
        }
        assert_eq!(quoted("p(1e10x)."), "p('1e10x').");
        assert_eq!(quoted("p(3é)."), "p('3é').");
    }

    #[test]
    fn underscores_begin_constants_of_facts_and_variables_of_rules() {
        let quoted = quote_constants("p(_a, _).\nq(_x) :- p(_x, _).\np(_b, c).", VariableStyle::Capitals);
        assert_eq!(quoted.text, "p('_a', _).\nq(_x) :- p(_x, _).\np('_b', c).");
        assert_eq!(quoted.insertions, [2, 5, 33, 36]);
    }

    #[test]
    fn question_marks_begin_variables_where_it_is_set() {
        let text = "P(?x, Ann) :- q(?x, +Type, '?y'), R(_z, ?).";
        assert_eq!(
            quote_constants(text, VariableStyle::QuestionMarks).text,
            "P(_x, 'Ann') :- q(_x, +Type, '?y'), R('_z', ?)."
        );
        assert_eq!(quote_constants(text, VariableStyle::Capitals).text, text);
    }

    #[test]
    fn small_letters_begin_variables_of_rules_where_it_is_set() {
        let text = "friends(Ann, bob).\nage(+Person, -Float).\nn(x, Ann) :- p(x, f(y)), \\+ q(y, 'z', 3).";
        let expected =
            "friends('Ann', bob).\nage(+Person, -Float).\nn(_x, 'Ann') :- p(_x, f(_y)), \\+ q(_y, 'z', 3).";
        assert_eq!(quote_constants(text, VariableStyle::SmallLetters).text, expected);
    }
}
