//! The messages of reading: a long file may cause one for each line.

use gleaner_lang::syntax::{Code, Diagnostic, Severity};

/// The most messages to keep: more than anybody reads, and a few megabytes.
const MOST: usize = 10_000;

/// Messages in the order of their arrival, the first [`MOST`] of them.
#[derive(Debug, Default)]
pub(super) struct Messages {
    kept: Vec<Diagnostic>,
    /// The code of the first message that was not kept.
    code: Option<Code>,
    is_error_left_out: bool,
}

impl Messages {
    pub(super) fn push(&mut self, message: Diagnostic) {
        if self.kept.len() < MOST {
            self.kept.push(message);
        } else {
            self.code.get_or_insert(message.code());
            self.is_error_left_out |= message.severity() == Severity::Error;
        }
    }

    pub(super) fn extend(&mut self, messages: impl IntoIterator<Item = Diagnostic>) {
        messages.into_iter().for_each(|message| self.push(message));
    }

    /// Adds all messages of another collection.
    pub(super) fn append(&mut self, other: Self) {
        self.extend(other.kept);
        self.code = self.code.or(other.code);
        self.is_error_left_out |= other.is_error_left_out;
    }

    /// Whether one of them is an error.
    pub(super) fn have_error(&self) -> bool {
        self.is_error_left_out || self.kept.iter().any(|message| message.severity() == Severity::Error)
    }

    /// Whether no more messages are kept.
    pub(super) const fn is_full(&self) -> bool {
        self.code.is_some()
    }

    /// The messages, and one about the messages that were not kept.
    pub(super) fn into_vec(self) -> Vec<Diagnostic> {
        let mut messages = self.kept;
        if let Some(code) = self.code {
            let text = format!("there are more than {MOST} messages; the others are not shown");
            let is_error = self.is_error_left_out;
            messages.push(if is_error {
                Diagnostic::error(code, text)
            } else {
                Diagnostic::warning(code, text)
            });
        }
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Messages};
    use gleaner_lang::syntax::{Diagnostic, Severity, codes};

    #[test]
    fn what_is_not_kept_is_told() {
        let mut messages = Messages::default();
        messages.extend((0..MOST).map(|_| Diagnostic::warning(codes::UNSAFE_RULE, "odd")));
        messages.push(Diagnostic::warning(codes::BAD_EXAMPLE, "odd"));
        let mut others = Messages::default();
        others.push(Diagnostic::error(codes::SYNTAX, "wrong"));
        messages.append(others);
        let messages = messages.into_vec();
        assert_eq!(messages.len(), MOST + 1);
        let last = messages.last().expect("one more");
        assert_eq!((last.code(), last.severity()), (codes::BAD_EXAMPLE, Severity::Error));
        assert_eq!(last.message(), "there are more than 10000 messages; the others are not shown");
    }
}
