//! The only place that prints.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::Once;

use serde_json::Value as Json;

use crate::report::answer::versioned;
use crate::report::csv_tables::{formulas, without_formulas};
use crate::report::fitted::fitted;
use crate::report::{Answer, Document, Events};
use gleaner_base::StopReason;
use gleaner_lang::syntax::marks::{Wording, worded};
use gleaner_lang::syntax::{Diagnostic, Sources, codes, render, visible};

use super::conduct::EndSignal;
use super::flags::{OutputFlags, TableFlags};
use super::progress;
use super::setting_flags::as_flag;
use crate::jobs::kinds::OutputItem;
use crate::jobs::{Failure, Listener};

/// What clap says of the arguments: help to standard output, faults to standard error. Arguments may come from
/// a list of files that others named.
pub(super) fn wrong_usage(error: &clap::Error) {
    let plain = error.render().to_string();
    // What is asked for in place of a value, as `--preset list`; clap would call it an error.
    if let Some(asked) = plain.strip_prefix("error: ").filter(|_| !error.use_stderr()) {
        let _ = io::stdout()
            .lock()
            .write_all(asked.trim_end().as_bytes())
            .and_then(|()| io::stdout().write_all(b"\n"));
        return;
    }
    // A closed pipe is no fault of ours.
    let _ = match visible(&worded(&plain, as_flag)) {
        Cow::Borrowed(_) => error.print(),
        Cow::Owned(shown) => io::stderr().lock().write_all(shown.as_bytes()),
    };
}

/// The event of a command that the time limit left without a result.
#[derive(serde::Serialize)]
struct OutOfTime {
    stop: StopReason,
}

/// Names of data are kept as they are by default: tables are joined by them.
const RUN_BY_SPREADSHEETS: &str = "a cell of the CSV begins with =, +, - or @ and is no number: a spreadsheet would run it; \
                                   --csv-safe puts ' before such cells";

/// The columns of a usual terminal; also taken where standard output is no terminal.
const USUAL_WIDTH: usize = 80;

/// Columns of standard output.
fn width() -> usize {
    match terminal_size::terminal_size_of(io::stdout()) {
        Some((terminal_size::Width(columns), _)) if columns > 0 => usize::from(columns),
        Some(_) | None => USUAL_WIDTH,
    }
}

/// Messages as text, which names settings as flags.
pub(super) fn rendered(messages: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let messages: Vec<Diagnostic> = messages.iter().map(|message| message.clone().worded(as_flag)).collect();
    render(&messages, sources, colour)
}

/// Standard output and standard error, with what the user asked of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    json: bool,
    markdown: bool,
    quiet: bool,
    colour: bool,
    /// Columns that text may take.
    width: usize,
    /// Whether standard output is for data alone.
    is_for_data: bool,
    /// Whether a spreadsheet may read tables without running their cells.
    are_tables_safe: bool,
}

impl Output {
    pub(super) fn new(flags: OutputFlags) -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let OutputFlags { json, markdown, quiet } = flags;
        let colour = io::stderr().is_terminal() && !no_colour;
        Self { json, markdown, quiet, colour, width: width(), is_for_data: false, are_tables_safe: false }
    }

    /// The same, with the command's text on standard error: standard output is for its data.
    pub(super) const fn without_text(self) -> Self {
        Self { is_for_data: true, ..self }
    }

    /// The same for a command within this one: its text is no answer.
    pub(super) const fn of_part(self) -> Self {
        Self { json: false, markdown: false, quiet: true, is_for_data: true, ..self }
    }

    /// The same, with tables as the flags say.
    pub(super) const fn with_tables(self, flags: TableFlags) -> Self {
        Self { are_tables_safe: flags.csv_safe, ..self }
    }

    /// A table as it is to be written. Where a spreadsheet would run a cell, and may, a remark says so, once.
    pub(super) fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        static TOLD: Once = Once::new();
        if self.are_tables_safe {
            return without_formulas(text);
        }
        if !TOLD.is_completed() && !formulas(text).is_empty() {
            TOLD.call_once(|| self.warn(codes::FORMULA_CELLS, RUN_BY_SPREADSHEETS));
        }
        Cow::Borrowed(text)
    }

    /// Whether events are asked for instead of text.
    pub(super) const fn is_json(&self) -> bool {
        self.json
    }

    /// Whether reports are asked for as Markdown.
    pub(super) const fn is_markdown(&self) -> bool {
        self.markdown
    }

    /// Whether progress is to be shown: only to a person.
    pub(super) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Data, to standard output: as they are for a program, with escapes [`visible`] for a person.
    #[expect(clippy::unused_self, reason = "printing goes through the one value that may print")]
    pub(super) fn data(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        let shown = if stdout.is_terminal() { visible(text) } else { text.into() };
        stdout.write_all(shown.as_bytes())?;
        stdout.flush()?;
        Ok(())
    }

    /// An event, as a line of JSON, where events are asked for.
    pub(super) fn event(&self, event: &Json) -> Result<(), Failure> {
        if self.json { self.data(&format!("{event}\n")) } else { Ok(()) }
    }

    /// The command's report: to standard output, or to standard error beside events or data. In text clauses are broken
    /// to fit.
    pub(super) fn document(&self, document: &Document) -> Result<(), Failure> {
        let document = document.clone().worded(as_flag);
        let text = if self.markdown { document.markdown() } else { fitted(&document.text(), self.width) };
        if self.json || self.is_for_data {
            self.coloured_note(&visible(text.trim_end()));
            Ok(())
        } else {
            self.data(&visible(&text))
        }
    }

    /// What a job tells, in its order.
    pub(super) fn items(&self, items: Vec<OutputItem>) -> Result<(), Failure> {
        for item in items {
            match item {
                OutputItem::Say(text) => self.say(&text),
                OutputItem::Note(text) => self.note(&text),
                OutputItem::Warning(warning) => self.warnings(&[warning], &Sources::new()),
                OutputItem::Document(document) => self.document(&document)?,
                OutputItem::Event(event) => self.event(&event)?,
            }
        }
        Ok(())
    }

    /// A command's answer, as text and as events.
    pub(super) fn answer(&self, answer: &impl Answer) -> Result<(), Failure> {
        self.document(&answer.document())?;
        self.events(answer)
    }

    /// A command's answer as events, where these are asked for.
    pub(super) fn events(&self, answer: &impl Events) -> Result<(), Failure> {
        if self.json { answer.events().iter().try_for_each(|event| self.event(event)) } else { Ok(()) }
    }

    /// A remark, to standard error; not with `--quiet`.
    pub(super) fn note(&self, text: &str) {
        self.coloured_note(&visible(&worded(text, as_flag)));
    }

    /// What a script has to be told, to standard error; with `--quiet` too.
    #[expect(clippy::unused_self, reason = "printing goes through the one value that may print")]
    pub(super) fn say(&self, text: &str) {
        // Nobody is left to tell when standard error is closed.
        let _ = writeln!(io::stderr().lock(), "{}", visible(&worded(text, as_flag)));
    }

    /// What is [`visible`] but for colours of our own, to standard error; not with `--quiet`.
    fn coloured_note(&self, text: &str) {
        if !self.quiet {
            // Nobody is left to tell when standard error is closed.
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    /// Warnings, to standard error.
    pub(super) fn warnings(&self, warnings: &[Diagnostic], sources: &Sources) {
        if !warnings.is_empty() {
            self.coloured_note(rendered(warnings, sources, self.colour).trim_end());
        }
    }

    /// Says why a command failed; returns the exit code.
    pub(super) fn report(&self, failure: &Failure) -> u8 {
        let message = match failure {
            Failure::Data(diagnostics, sources) => rendered(diagnostics, sources, self.colour),
            Failure::OutOfTime(diagnostic) => {
                // Nobody is left to tell when standard output is closed.
                let stop = EndSignal::first().map_or(StopReason::TimeLimit, |_| StopReason::Interrupted);
                let _ = self.event(&versioned("out_of_time", &OutOfTime { stop }));
                rendered(std::slice::from_ref(diagnostic), &Sources::new(), self.colour)
            }
            Failure::Usage(diagnostic) => {
                rendered(std::slice::from_ref(diagnostic), &Sources::new(), self.colour)
            }
            Failure::NothingLearnt(nothing) => {
                // Nobody is left to tell when standard output is closed.
                let _ = self.event(&versioned("nothing_learnt", &**nothing));
                let told = rendered(&[nothing.diagnostic()], &Sources::new(), self.colour);
                told + &visible(&nothing.candidates().worded(as_flag).text())
            }
            Failure::ClosedPipe => String::new(),
        };
        let _ = io::stderr().lock().write_all(message.as_bytes());
        failure.exit_code()
    }
}

impl Listener for Output {
    fn note(&self, text: &str) {
        self.note(text);
    }

    fn say(&self, text: &str) {
        self.say(text);
    }

    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources) {
        self.warnings(warnings, sources);
    }

    fn begins(&self, headline: &Document) -> Result<(), Failure> {
        self.document(headline)
    }

    fn wording(&self) -> Wording {
        as_flag
    }

    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.table(text)
    }

    fn search_begins(&self, n_seeds: Option<u64>) {
        if !self.quiet {
            progress::begin_search(n_seeds);
        }
    }

    fn seeds_done(&self, n_seeds: usize, are_kept: bool) {
        progress::seeds_done(n_seeds, are_kept);
    }

    fn share_done(&self, share: f64) {
        progress::share_done(share);
    }

    fn search_rate(&self, clauses_per_second: f64, best_score: Option<f64>) {
        progress::search_rate(clauses_per_second, best_score);
    }

    fn search_ends(&self) {
        progress::end_search();
    }
}
