//! Texts in, clauses with spans out, and clauses printed back; messages that point into the text.
//!
//! A program is read statement by statement ([`read_statements`]): the lexer cuts the text into
//! tokens up to a full stop, and those go to the parser generated from `grammar/program.lalrpop`, or,
//! when they are a ground fact, straight into a term. One bad statement is reported and reading goes
//! on after its full stop, so all faults of a file come out together. What the terms mean (modes,
//! settings, facts, rules) is for the rooms above. `Display` of [`Term`] and [`Statement`] prints
//! what reads back as the same.

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
