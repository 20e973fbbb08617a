//! Faults of clauses, kept with the lines they point into while the rest of the text goes by.

use crate::syntax::{Code, Diagnostic, Sources, Span, SyntaxFault, codes};

use super::stream::Block;
use crate::cli::failure::Failure;

/// More faults than these are not looked for: the text is of another kind.
pub(in crate::cli) const MOST_FAULTS: usize = 100;

/// A fault at a place of a block.
#[derive(Clone, Debug)]
pub(in crate::cli) struct ClauseFault {
    code: Code,
    message: String,
    span: Span,
    label: String,
    help: Vec<String>,
}

impl ClauseFault {
    pub(in crate::cli) fn new(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self { code, message: message.into(), span, label: String::new(), help: Vec::new() }
    }

    pub(in crate::cli) fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(in crate::cli) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// A fault of the text as such.
    pub(in crate::cli) fn syntax(fault: &SyntaxFault) -> Self {
        let file = Sources::new().add("", "");
        let said = fault.to_diagnostic(file, 0);
        let plain = Self::new(said.code(), said.message(), fault.span());
        Self { help: said.help().to_vec(), ..plain }
    }

    /// The byte that is not UTF-8.
    pub(in crate::cli) fn bad_byte(byte: u8, at: usize) -> Self {
        let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
        Self::new(codes::NOT_UTF8, format!("byte 0x{byte:02X} is not UTF-8"), span)
            .with_label("first such byte")
            .with_help("save the clauses as UTF-8; what comes after was not read")
    }

    /// Where it begins in its block.
    pub(in crate::cli) const fn start(&self) -> usize {
        self.span.start
    }

    /// The same fault, counted from `by` bytes before.
    pub(in crate::cli) fn moved(mut self, by: usize) -> Self {
        self.span = Span::new(self.span.start + by, self.span.end + by);
        self
    }
}

/// The faults found so far.
///
/// **Memory**: the blocks with faults, and a byte for each line before the last of them, so that lines
/// have their numbers.
#[derive(Debug)]
pub(in crate::cli) struct FaultLog {
    name: String,
    text: String,
    n_lines: usize,
    /// Where in the whole text the block that was added last ends.
    end: usize,
    faults: Vec<ClauseFault>,
}

impl FaultLog {
    /// No faults, of the text with this name.
    pub(in crate::cli) fn new(name: String) -> Self {
        Self { name, text: String::new(), n_lines: 0, end: 0, faults: Vec::new() }
    }

    pub(in crate::cli) const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    pub(in crate::cli) const fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Adds the faults of a block, which comes after those that were added before; its first lines may
    /// be the last ones of the one before.
    pub(in crate::cli) fn add(&mut self, block: &Block, faults: Vec<ClauseFault>) {
        if faults.is_empty() {
            return;
        }
        let n_known = if self.text.is_empty() { 0 } else { self.end.saturating_sub(block.start) };
        for _ in self.n_lines + 1..block.first_line {
            self.text.push('\n');
            self.n_lines += 1;
        }
        let base = self.text.len() - n_known.min(self.text.len());
        let fresh = block.text.get(n_known..).unwrap_or_default();
        self.text.push_str(fresh);
        self.n_lines += fresh.matches('\n').count();
        self.end = block.start + block.text.len();
        self.faults.extend(faults.into_iter().map(|fault| fault.moved(base)));
    }

    /// All of them as the command's failure.
    pub(in crate::cli) fn into_failure(self) -> Failure {
        let mut sources = Sources::new();
        let file = sources.add(self.name, self.text);
        let to_diagnostic = |fault: ClauseFault| {
            let diagnostic =
                Diagnostic::error(fault.code, fault.message).with_label(file, fault.span, fault.label);
            fault.help.into_iter().fold(diagnostic, Diagnostic::with_help)
        };
        let diagnostics = self.faults.into_iter().map(to_diagnostic).collect();
        Failure::Data(diagnostics, sources)
    }
}
