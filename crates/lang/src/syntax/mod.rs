//! Reads texts into clauses with spans, prints clauses, and makes messages that point into the text.
//!
//! A program is read statement by statement ([`read_statements`]). The lexer cuts the text into tokens up to a full
//! stop. The tokens of a ground fact become a term at once; others go to the parser generated from
//! `grammar/program.lalrpop`. After a bad statement, reading goes on behind its full stop, so a user sees all faults of
//! a file together. The rooms above give terms their meaning (modes, settings, facts, rules). `Display` of [`Term`] and
//! [`Statement`] prints a text that reads back as the same.

pub mod ast;
pub mod codes;
mod diagnostic;
mod files;
mod lexer;
pub mod marks;
mod printer;
mod reader;
mod render;
mod source;
mod stream;

lalrpop_util::lalrpop_mod!(
    #[expect(
        unused_qualifications,
        clippy::all,
        clippy::allow_attributes,
        clippy::allow_attributes_without_reason,
        clippy::cast_sign_loss,
        clippy::too_many_lines,
        clippy::unwrap_used,
        reason = "generated code"
    )]
    program
);

pub use ast::{Span, Statement, Term, TermKind};
pub use codes::Code;
pub use diagnostic::{
    Diagnostic, FileId, Label, MAX_DEPTH, Place, Severity, SyntaxFault, with_probabilities,
};
pub use files::{
    MAX_STATEMENT_BYTES, STANDARD_INPUT, check_readable, check_regular, check_within, read_content,
    read_head, unreadable,
};
pub use printer::{quote_atom, quote_name, quote_text};
pub use reader::{read_arithmetic, read_clause, read_conjunction, read_statements};
pub use render::{render, visible};
pub use source::{SourceFile, Sources, TableInMemory, not_utf8};
pub use stream::{PlainConstant, PlainFact, ProgramSink, plain_constant, read_program};
