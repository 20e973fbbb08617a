//! Faults of clauses. They keep the lines that they point into, while the stream drops the rest of the text.

use gleaner_lang::syntax::{Code, Diagnostic, Sources, Span, SyntaxFault, codes};

use super::stream::Block;

/// The most faults to look for: a text with more is probably no text of clauses.
pub(super) const MOST_FAULTS: usize = 100;

/// A fault at a place of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseFault {
    code: Code,
    message: String,
    span: Span,
    label: String,
    help: Vec<String>,
}

impl ClauseFault {
    /// A fault of this code at a place.
    pub fn new(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self { code, message: message.into(), span, label: String::new(), help: Vec::new() }
    }

    /// The same fault with a label below its place.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same fault with one more help text.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The fault of a text that breaks the grammar.
    pub fn syntax(fault: &SyntaxFault) -> Self {
        let file = Sources::new().add("", "");
        let said = fault.to_diagnostic(file, 0);
        let plain = Self::new(said.code(), said.message(), fault.span());
        Self { help: said.help().to_vec(), ..plain }
    }

    /// The byte that is not UTF-8.
    pub fn bad_byte(byte: u8, at: usize) -> Self {
        let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
        Self::new(codes::NOT_UTF8, format!("byte 0x{byte:02X} is not UTF-8"), span)
            .with_label("first such byte")
            .with_help("save the clauses as UTF-8; what comes after was not read")
    }

    /// The offset of the fault in its block.
    pub const fn start(&self) -> usize {
        self.span.start
    }

    /// The same fault with its span moved by `by` bytes towards the end.
    pub fn moved(mut self, by: usize) -> Self {
        self.span = Span::new(self.span.start + by, self.span.end + by);
        self
    }
}

/// The faults of a text of clauses, with their sources.
#[derive(Debug)]
pub struct ClauseFaults {
    /// The messages.
    pub diagnostics: Vec<Diagnostic>,
    /// The lines that the messages point into.
    pub sources: Sources,
}

impl ClauseFaults {
    /// One fault without a place.
    pub fn one(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], sources: Sources::new() }
    }

    /// The faults of a text that was read as a whole, under this name.
    pub fn of_text(name: &str, text: String, faults: Vec<ClauseFault>) -> Self {
        let mut log = FaultLog::new(name.to_owned());
        log.add(&Block::whole(text), faults);
        log.into_faults()
    }
}

/// The faults found so far.
///
/// **Memory**: the blocks with faults, and a byte for each line before the last of them, so that lines
/// have their numbers.
#[derive(Debug)]
pub(super) struct FaultLog {
    name: String,
    text: String,
    n_lines: usize,
    /// The end of the last added block, as an offset in the whole text.
    end: usize,
    faults: Vec<ClauseFault>,
}

impl FaultLog {
    /// An empty log for the text with this name.
    pub(super) fn new(name: String) -> Self {
        Self { name, text: String::new(), n_lines: 0, end: 0, faults: Vec::new() }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Adds the faults of a block. Blocks come in the order of the text; the first lines of one may repeat the last
    /// lines of the one before.
    pub(super) fn add(&mut self, block: &Block, faults: Vec<ClauseFault>) {
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

    /// All faults with the lines that they point into.
    pub(super) fn into_faults(self) -> ClauseFaults {
        let mut sources = Sources::new();
        let file = sources.add(self.name, self.text);
        let to_diagnostic = |fault: ClauseFault| {
            let diagnostic =
                Diagnostic::error(fault.code, fault.message).with_label(file, fault.span, fault.label);
            fault.help.into_iter().fold(diagnostic, Diagnostic::with_help)
        };
        let diagnostics = self.faults.into_iter().map(to_diagnostic).collect();
        ClauseFaults { diagnostics, sources }
    }
}
