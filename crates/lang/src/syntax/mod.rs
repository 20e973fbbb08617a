//! Reads texts into clauses with spans, prints clauses, and makes messages that point into the text.
//!
//! A program is read statement by statement ([`read_statements`]). The lexer cuts the text into tokens up to a full
//! stop. The tokens of a ground fact become a term at once; others go to the parser generated from
//! `grammar/program.lalrpop`. After a bad statement, reading goes on behind its full stop, so a user sees all faults of
//! a file together. The rooms above give terms their meaning (modes, settings, facts, rules). `Display` of [`Term`] and
//! [`Statement`] prints a text that reads back as the same.

pub mod ast;
mod blocks;
pub mod codes;
mod diagnostic;
mod facts;
mod fault;
mod lexer;
mod limits;
pub mod manual;
mod opened;
mod place;
mod printer;
mod reader;
mod render;
mod source;
mod stream;
mod tree;
mod visible;

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
pub use diagnostic::{Diagnostic, Label, Severity};
pub use facts::{PlainConstant, PlainFact, plain_constant};
pub use fault::SyntaxFault;
pub use limits::{MAX_DEPTH, MAX_STATEMENT_BYTES};
pub use opened::{STANDARD_INPUT, check_readable, check_regular, read_content, read_head};
pub use place::{FileId, Place};
pub use printer::{quote_atom, quote_name, quote_text};
pub use reader::{read_arithmetic, read_clause, read_conjunction, read_statements};
pub use render::render;
pub use source::{SourceFile, Sources, not_utf8, unreadable};
pub use stream::{ProgramSink, read_program};
pub use visible::visible;
