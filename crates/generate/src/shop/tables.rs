//! The rows of all tables. Each table is written from its own streams, row by row.
//!
//! One row of a table, with cells as pandas writes them by `DataFrame.to_csv(index=False)`.

use std::fmt::Write as _;
use std::io::{self, Write};

use rand::RngExt;
use rand::seq::IndexedRandom;

use gleaner_base::random::{Purpose, stream};

use super::calendar::{Calendar, Day};
use super::people_and_goods::{Goods, People, shoppers};
use super::schema::{
    CATEGORIES, CHANNELS, CITIES, COUNTRIES, Names, REASONS, REGIONS, SEGMENTS, Shares, Table,
};
use super::trade::{Lines, Orders, Return};
use super::{DOMAIN, STORES, Sizes};

/// How many stores there are. Nothing refers to them, and no other table has so many rows: equal numbers would say that it does.
const N_STORES: usize = 15;

/// What all tables are written from.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) seed: u64,
    pub(super) sizes: Sizes,
    pub(super) people: People,
    pub(super) goods: Goods,
    /// Ascending.
    pub(super) returns: Vec<Return>,
    /// By shopper.
    pub(super) positive: Vec<bool>,
    pub(super) names: Names,
    pub(super) calendar: Calendar,
}

/// Rows of one table on their way out.
struct Rows<'t> {
    row: Row,
    order: &'t [usize],
    to: &'t mut dyn Write,
}

impl Rows<'_> {
    /// Writes one row of the cells that `fill` gives.
    fn add(&mut self, fill: impl FnOnce(&mut Row)) -> io::Result<()> {
        self.row.clear();
        fill(&mut self.row);
        self.row.write(self.order, self.to)
    }
}

impl Tables {
    /// Writes a table with its header.
    pub(super) fn write(&self, table: Table, to: &mut dyn Write) -> io::Result<()> {
        let header: Vec<&str> = self.names.header(table).collect();
        to.write_all(header.join(",").as_bytes())?;
        to.write_all(b"\n")?;
        let mut rows = Rows { row: Row::default(), order: self.names.order(table), to };
        match table {
            Table::Shoppers => self.shoppers(&mut rows),
            Table::Orders => self.orders(&mut rows),
            Table::Lines => self.lines(&mut rows),
            Table::Products => self.products(&mut rows),
            Table::Suppliers => self.suppliers(&mut rows),
            Table::Returns => self.returned(&mut rows),
            Table::Labels => self.labels(&mut rows),
            Table::Stores => self.stores(&mut rows),
        }
    }

    fn shoppers(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        for (id, shopper) in (1..).zip(shoppers(self.seed, self.sizes.shoppers)) {
            rows.add(|row| {
                row.integer(id);
                row.date(&self.calendar, shopper.joined);
                row.text(word(&REGIONS, shopper.region));
                row.hundredths(shopper.birth_year.map(|year| 100 * u32::from(year)));
                row.text(word(&SEGMENTS, shopper.segment));
                row.boolean(shopper.newsletter);
                row.integer(shopper.points);
                row.text(shopper.remark.as_deref());
            })?;
        }
        Ok(())
    }

    fn orders(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        for (id, order) in (1..).zip(Orders::new(self.seed, &self.sizes, &self.people)) {
            rows.add(|row| {
                row.integer(id);
                row.integer(order.buyer + 1);
                row.date_time(&self.calendar, order.day, order.second);
                row.text(word(&CHANNELS, order.channel));
                row.hundredths(order.shipping);
                row.text(order.note.as_deref());
            })?;
        }
        Ok(())
    }

    fn lines(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        let (mut all_lines, mut lines) = (Lines::new(self.seed, &self.sizes, &self.goods), Vec::new());
        for order in 1.. {
            if !all_lines.next_order(&mut lines) {
                break;
            }
            for line in &lines {
                rows.add(|row| {
                    row.integer(order);
                    row.integer(line.product + 1);
                    row.integer(line.quantity);
                    row.hundredths(line.unit_price);
                    row.hundredths(line.discount);
                })?;
            }
        }
        Ok(())
    }

    fn products(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        for (id, product) in (1..).zip(&self.goods.products) {
            rows.add(|row| {
                row.integer(id);
                row.integer(product.vendor + 1);
                row.text(word(&CATEGORIES, product.category));
                row.hundredths(product.weight);
                row.hundredths(product.list_price);
            })?;
        }
        Ok(())
    }

    fn suppliers(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        for (id, supplier) in (1..).zip(&self.goods.suppliers) {
            rows.add(|row| {
                row.integer(id);
                row.text(word(&COUNTRIES, supplier.country));
                row.hundredths(supplier.rating.map(|rating| 100 * u32::from(rating)));
                row.date(&self.calendar, supplier.since);
            })?;
        }
        Ok(())
    }

    fn returned(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        for (id, returned) in (1..).zip(&self.returns) {
            rows.add(|row| {
                row.integer(id);
                row.integer(u64::from(returned.order) + 1);
                row.integer(u32::from(returned.product) + 1);
                row.date(&self.calendar, returned.day);
                row.text(word(&REASONS, returned.reason));
            })?;
        }
        Ok(())
    }

    fn labels(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        for (shopper, &positive) in self.positive.iter().enumerate() {
            rows.add(|row| {
                row.integer(shopper + 1);
                row.date(&self.calendar, self.people.cut_off(shopper));
                row.integer(u8::from(positive));
            })?;
        }
        Ok(())
    }

    fn stores(&self, rows: &mut Rows<'_>) -> io::Result<()> {
        const FIRST: Day = Day::of(2000, 1, 1);
        let mut rng = stream(self.seed, Purpose::Generate, &[DOMAIN, STORES]);
        for id in 1..=N_STORES {
            let city = CITIES.choose(&mut rng).expect("there are cities");
            let opened = FIRST.after(rng.random_range(0..8_000));
            rows.add(|row| {
                row.integer(id);
                row.text(*city);
                row.date(&self.calendar, opened);
            })?;
        }
        Ok(())
    }
}

fn word(values: &Shares, place: u8) -> &'static str {
    values[usize::from(place)].0
}

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

    fn date_time(&mut self, calendar: &Calendar, day: Day, second: u32) {
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
