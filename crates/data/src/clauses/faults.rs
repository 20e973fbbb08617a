//! Faults of clauses, kept with the lines they point into while the rest of the text goes by.

use gleaner_lang::syntax::{Code, Diagnostic, Sources, Span, SyntaxFault, codes};

use super::stream::Block;

/// More faults than these are not looked for: the text is of another kind.
pub(super) const MOST_FAULTS: usize = 100;

/// A fault at a place of a block.
#[derive(Clone, Debug)]
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

    /// The same, with words below the place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same, with a remedy more.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// A fault of the text as such.
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

    /// Where it begins in its block.
    pub const fn start(&self) -> usize {
        self.span.start
    }

    /// The same fault, counted from `by` bytes before.
    pub fn moved(mut self, by: usize) -> Self {
        self.span = Span::new(self.span.start + by, self.span.end + by);
        self
    }
}

/// What is wrong with a text of clauses.
#[derive(Debug)]
pub struct ClauseFaults {
    /// What is told.
    pub diagnostics: Vec<Diagnostic>,
    /// The lines that it points into.
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
    /// Where in the whole text the block that was added last ends.
    end: usize,
    faults: Vec<ClauseFault>,
}

impl FaultLog {
    /// No faults, of the text with this name.
    pub(super) fn new(name: String) -> Self {
        Self { name, text: String::new(), n_lines: 0, end: 0, faults: Vec::new() }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Adds the faults of a block, which comes after those that were added before; its first lines may
    /// be the last ones of the one before.
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

    /// All of them with the lines that they point into.
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
