//! WILL's constants in the common grammar: constants that WILL reads without quotes get them here.
//!
//! Constants may begin with a digit (`162_s43`, `5_cyclic`) and, in facts, with an underscore. After
//! `useLeadingQuestionMarkVariables: true.` variables are written `?x`, and capitals begin constants. After
//! `useStdLogicVariables: true.` capitals begin constants, and small letters the variables of rules.

use crate::gather::VariableStyle;

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
    use super::quote_constants;
    use crate::gather::VariableStyle;

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
