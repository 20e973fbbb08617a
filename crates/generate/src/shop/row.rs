//! One row of a table, with cells as pandas writes them by `DataFrame.to_csv(index=False)`.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::calendar::{Calendar, Day};

/// The cells of a row in the order in which they were drawn. The buffers are used again for every row.
#[derive(Debug, Default)]
pub(super) struct Row {
    text: String,
    /// Where each cell ends in `text`.
    ends: Vec<usize>,
}

impl Row {
    /// Forgets the cells.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// A cell without a value.
    pub(super) fn missing(&mut self) {
        self.ends.push(self.text.len());
    }

    pub(super) fn integer(&mut self, value: impl std::fmt::Display) {
        write!(self.text, "{value}").expect("a string takes any text");
        self.missing();
    }

    /// A text, in quotes if it holds a comma or a quote.
    pub(super) fn text<'v>(&mut self, value: impl Into<Option<&'v str>>) {
        let value = value.into().unwrap_or_default();
        if value.contains([',', '"', '\n', '\r']) {
            self.text.push('"');
            self.text.push_str(&value.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(value);
        }
        self.missing();
    }

    pub(super) fn boolean(&mut self, value: bool) {
        self.text(if value { "True" } else { "False" });
    }

    /// A float of two decimals, in its shortest form with a point: 500 is `5.0`, and 495 is `4.95`.
    pub(super) fn hundredths(&mut self, value: impl Into<Option<u32>>) {
        if let Some(value) = value.into() {
            push_shortest(&mut self.text, value);
        }
        self.missing();
    }

    pub(super) fn date(&mut self, calendar: &Calendar, day: Day) {
        self.text(calendar.date(day));
    }

    pub(super) fn date_time(&mut self, calendar: &Calendar, day: Day, second: u32) {
        calendar.push_date_time(&mut self.text, day, second);
        self.missing();
    }

    /// Writes the cells as one line, in the order of these positions.
    pub(super) fn write(&self, order: &[usize], to: &mut dyn Write) -> io::Result<()> {
        debug_assert_eq!(order.len(), self.ends.len(), "every cell has a column");
        for (place, &cell) in order.iter().enumerate() {
            if place > 0 {
                to.write_all(b",")?;
            }
            let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
            to.write_all(&self.text.as_bytes()[start..self.ends[cell]])?;
        }
        to.write_all(b"\n")
    }
}

/// A number of hundredths as the shortest decimal with a point.
pub(super) fn shortest(hundredths: u32) -> String {
    let mut text = String::new();
    push_shortest(&mut text, hundredths);
    text
}

fn push_shortest(text: &mut String, hundredths: u32) {
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    let written = if rest.is_multiple_of(10) {
        write!(text, "{whole}.{}", rest / 10)
    } else {
        write!(text, "{whole}.{rest:02}")
    };
    written.expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected line was written by pandas 2.3.3, from a frame of the same values.
    #[test]
    fn cells_are_those_of_pandas() {
        let calendar = Calendar::new();
        let mut row = Row::default();
        row.integer(7);
        row.hundredths(500);
        row.hundredths(490);
        row.hundredths(405);
        row.missing();
        row.boolean(true);
        row.date(&calendar, Day::of(2024, 3, 1));
        row.date_time(&calendar, Day::of(2024, 3, 1), 37_351);
        row.text("said \"hm\", left");
        row.text("plain");
        let mut line = Vec::new();
        row.write(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &mut line).unwrap();
        let expected =
            "7,5.0,4.9,4.05,,True,2024-03-01,2024-03-01 10:22:31,\"said \"\"hm\"\", left\",plain\n";
        assert_eq!(String::from_utf8(line).unwrap(), expected);
        let mut line = Vec::new();
        row.write(&[9, 0, 4, 5, 1, 2, 3, 6, 7, 8], &mut line).unwrap();
        assert!(String::from_utf8(line).unwrap().starts_with("plain,7,,True,5.0,"));
    }
}
