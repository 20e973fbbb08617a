//! The rows of all tables. Each table is written from its own streams, row by row.

use std::io::{self, Write};

use rand::RngExt;
use rand::seq::IndexedRandom;

use gleaner_base::random::{Purpose, stream};

use super::calendar::{Calendar, Day};
use super::config::Sizes;
use super::goods::Goods;
use super::histories::Return;
use super::people::{People, shoppers};
use super::row::Row;
use super::schema::{Names, Table};
use super::streams::{DOMAIN, STORES};
use super::trade::{Lines, Orders};
use super::vocabulary::{CATEGORIES, CHANNELS, CITIES, COUNTRIES, REASONS, REGIONS, SEGMENTS, Shares};

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
