//! Prolog text of a generated problem: facts, directives, and the end of `modes.pl`.

use std::fmt::Write;

/// Facts written one after another, with their number.
#[derive(Debug, Default)]
pub(super) struct FactText {
    /// One fact on each line.
    pub(super) text: String,
    /// Facts written so far.
    pub(super) n_facts: usize,
}

impl FactText {
    /// An empty text with room for `n_bytes`.
    pub(super) fn with_capacity(n_bytes: usize) -> Self {
        Self { text: String::with_capacity(n_bytes), n_facts: 0 }
    }

    /// Appends one fact; the arguments must be atoms as Prolog writes them.
    pub(super) fn fact(&mut self, predicate: &str, arguments: &[&str]) {
        self.text.push_str(predicate);
        for (position, argument) in arguments.iter().enumerate() {
            self.text.push(if position == 0 { '(' } else { ',' });
            self.text.push_str(argument);
        }
        self.text.push_str(").\n");
        self.n_facts += 1;
    }
}

/// The text of `modes.pl`: the head's mode, the body modes, one determination for each predicate, the depth, and the
/// planted clauses as a comment. `modes` must have modes of one predicate together.
pub(super) fn modes_text(head: &str, modes: &[String], planted: &[String]) -> String {
    let mut text = format!(":- modeh(1, {head}).\n");
    for mode in modes {
        push_line(&mut text, format_args!(":- modeb({mode})."));
    }
    let target = signature(head);
    let mut previous = String::new();
    for mode in modes {
        let (_, literal) = mode.split_once(", ").unwrap_or(("", mode));
        let body = signature(literal);
        if body != previous {
            push_line(&mut text, format_args!(":- determination({target}, {body})."));
        }
        previous = body;
    }
    text.push_str(":- set(i, 2).\n% Planted clauses:\n");
    for clause in planted {
        push_line(&mut text, format_args!("% {clause}"));
    }
    text
}

/// `name/arity` of a literal without nested terms.
fn signature(literal: &str) -> String {
    let name = literal.split('(').next().unwrap_or(literal);
    format!("{name}/{}", literal.matches(',').count() + 1)
}

/// Appends a line; writing to a string cannot fail.
pub(super) fn push_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}
