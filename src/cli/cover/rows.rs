//! Where the rows go: standard output, a file that appears whole, or events.

use crate::cli::file_output::FileOutput;
use crate::cli::output::Output;
use crate::experiment::cover::CoveredClause;
use crate::jobs::Failure;
use crate::report::covered;
use crate::store::WholeFile;

/// Rows as they are written.
#[derive(Debug)]
pub(super) struct Rows<'o> {
    output: &'o Output,
    file: Option<WholeFile>,
    has_examples: bool,
    /// Whether the header is still to come: it waits for the first row, so that a fault of the first
    /// clauses leaves nothing behind.
    wants_header: bool,
    n_written: u64,
    /// Nobody reads the events, but the file is still wanted.
    is_deaf: bool,
}

impl<'o> Rows<'o> {
    /// No rows yet, for a file or standard output.
    pub(super) fn begin(
        output: &'o Output,
        file: Option<&FileOutput>,
        has_examples: bool,
    ) -> Result<Self, Failure> {
        let file = file.map(FileOutput::begin).transpose()?.flatten();
        Ok(Self { output, file, has_examples, wants_header: true, n_written: 0, is_deaf: false })
    }

    /// How many rows were written.
    pub(super) const fn n_written(&self) -> u64 {
        self.n_written
    }

    /// Writes the rows of some clauses, and their events.
    pub(super) fn write(&mut self, clauses: &[CoveredClause]) -> Result<(), Failure> {
        if self.file.is_some() || !self.output.is_json() {
            let header = if self.wants_header { covered::header(self.has_examples) } else { String::new() };
            self.wants_header = false;
            self.table(&(header + &covered::rows(clauses)))?;
        }
        if self.output.is_json() && !self.is_deaf {
            let events: String =
                clauses.iter().map(|clause| format!("{}\n", covered::clause_event(clause))).collect();
            match self.output.data(&events) {
                Err(Failure::ClosedPipe) if self.file.is_some() => self.is_deaf = true,
                said => said?,
            }
        }
        self.n_written += clauses.len() as u64;
        Ok(())
    }

    fn table(&mut self, text: &str) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return self.output.data(text) };
        let written = file.write(text.as_bytes());
        written.map_err(|error| Failure::write(file.path(), &error))
    }

    /// Ends the table; how many rows it has.
    pub(super) fn finish(mut self) -> Result<u64, Failure> {
        if self.wants_header {
            self.write(&[])?;
        }
        if let Some(file) = self.file {
            let path = file.path().to_owned();
            file.finish().map_err(|error| Failure::write(&path, &error))?;
        }
        Ok(self.n_written)
    }
}
