//! A shop's database, as pandas writes its tables: who will charge back a payment?
//!
//! Tables are CSV files with keys and foreign keys of different names. All ids are whole numbers from 1, so that ids of
//! different tables overlap. Each shopper is an example with a cut-off: the day `as_of`, which is one of three ends of a
//! quarter. Three rules are planted. They speak of facts before the cut-off alone:
//!
//! 1. three joins and a window: within 60 days the shopper bought a product of one category from a supplier of one country;
//! 2. a count: the shopper has at least some number of returns for one reason;
//! 3. a window and a threshold: within 30 days there is an order by one channel with a line of at least some price.
//!
//! With [`ShopConfig::conditions`] the rules are others: a sum over the lines of one category within 60 days; a share of the orders by
//! one channel; so many orders by one channel, the latest of which is long ago.
//!
//! Their constants are chosen from the generated data, so that each covers about 4 shoppers in 1,000. Facts go on after the
//! cut-off, and some of them tell who is positive: a learner that reads them learns from the future.
//!
//! Orders and lines are drawn one after the other, and again when they are written. So memory does not grow with them, but
//! with shoppers and returns.
//!
//! The random streams of a shop: one for each table, so that a table can be written again without the others.
//!
//! The settings of a generated shop, and the sizes that follow from them.

mod calendar;
mod people_and_goods;
mod planting;
mod schema;
mod tables;
mod trade;

use std::io::{self, Write};

use crate::generated::{GenerateError, nearest};

use calendar::Calendar;
use people_and_goods::{Goods, People};
use planting::{N_RULES, choose_rules, covers, label};
use schema::{Names, Table};
use tables::Tables;
use trade::{Past, past};

/// A generated shop. Its files are not held as texts: [`Shop::write`] makes each of them.
#[derive(Debug)]
pub struct Shop {
    noise: f64,
    tables: Tables,
    planted: [String; N_RULES],
    /// By shopper, a bit for each planted rule that covers.
    covers: Vec<u8>,
}

/// An example of a generated shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShopExample {
    /// Whether its label is 1.
    pub is_positive: bool,
    /// For each planted rule, whether it covers the shopper.
    pub covered_by: [bool; N_RULES],
}

/// Generates a shop.
///
/// **Shape**: for `n` lines there are `n / 8` shoppers, `n / 2.5` orders, `n / 200` products (50 to 5,000), a supplier for
/// 20 products (at least 20), and about `n / 25` returns. At most 1.5 in 100 shoppers are positive.
///
/// **Cost**: linear in the lines, here and in [`Shop::write`]. **Memory**: about 20 bytes for each line.
///
/// # Errors
///
/// A setting is out of its range ([`ShopConfig::check`]), or no constant gives a rule its share of the shoppers.
///
/// # Example
///
/// ```
/// use gleaner_generate::{ShopConfig, shop};
///
/// let shop = shop(&ShopConfig { lines: 8_000, ..ShopConfig::default() })?;
/// assert_eq!(shop.examples().count(), 1_000);
/// assert!(shop.planted()[1].starts_with("labels(A,B) :- aggregate_all(count, (orders_buyer(C,A), "));
/// let mut orders = Vec::new();
/// shop.write("orders.csv", &mut orders)?;
/// assert!(orders.starts_with(b"order_id,buyer,placed_at,channel,shipping,basket_note\n1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shop(config: &ShopConfig) -> Result<Shop, GenerateError> {
    config.check()?;
    let (seed, sizes) = (config.seed, config.sizes());
    let people = People::draw(seed, sizes.shoppers);
    let goods = Goods::draw(seed, &sizes);
    let Past { histories, mut returns } = past(seed, &sizes, &people, &goods);
    let rules = choose_rules(&histories, config.conditions)?;
    let covers = covers(&rules, &histories);
    let positive = label(seed, config.noise, &covers, &people, (&histories, &mut returns));
    returns.sort_unstable();
    let names = Names::new(config.random_names);
    let planted = rules.map(|rule| rule.clause(&names));
    let calendar = Calendar::new();
    let tables = Tables { seed, sizes, people, goods, returns, positive, names, calendar };
    Ok(Shop { noise: config.noise, tables, planted, covers })
}

impl Shop {
    /// The files, by their paths in the folder.
    pub fn files(&self) -> impl Iterator<Item = String> {
        Table::ALL.into_iter().map(|table| self.tables.names.file(table))
    }

    /// Writes one of [`Shop::files`]: UTF-8, each line ended by one newline. The bytes are the same each time.
    ///
    /// **Cost**: linear in the rows; orders and lines are drawn again.
    ///
    /// # Errors
    ///
    /// There is no such file, or it cannot be written.
    pub fn write(&self, file: &str, to: &mut dyn Write) -> io::Result<()> {
        let table = Table::ALL.into_iter().find(|&table| self.tables.names.file(table) == file);
        self.tables.write(table.ok_or(io::ErrorKind::NotFound)?, to)
    }

    /// The planted rules as clauses, each ended by a full stop. Their relations are `TABLE_COLUMN(Key, Value)`; the key of
    /// a table without one is the number of the row, from 1. `orders_placed_at_age(C,D)` says that order `C` is `D` days
    /// older than the cut-off, which is the beginning of its day. The head has the shopper and the cut-off.
    pub fn planted(&self) -> &[String] {
        &self.planted
    }

    /// The examples, by shopper.
    pub fn examples(&self) -> impl Iterator<Item = ShopExample> {
        self.tables.positive.iter().zip(&self.covers).map(|(&is_positive, &rules)| ShopExample {
            is_positive,
            covered_by: std::array::from_fn(|rule| rules >> rule & 1 == 1),
        })
    }

    /// The properties of the shop, as pairs of a name and a value, in the order in which to show them.
    pub fn summary(&self) -> Vec<(String, String)> {
        let Tables { sizes, returns, positive, .. } = &self.tables;
        let n_positives = positive.iter().filter(|&&label| label).count();
        let n_uncovered =
            self.examples().filter(|example| example.is_positive && !example.is_covered()).count();
        [
            ("shoppers", sizes.shoppers.to_string()),
            ("orders", sizes.orders.to_string()),
            ("lines", sizes.lines.to_string()),
            ("products", sizes.products.to_string()),
            ("suppliers", sizes.suppliers.to_string()),
            ("returns", returns.len().to_string()),
            ("noise", self.noise.to_string()),
            ("positives", n_positives.to_string()),
            ("negatives", (positive.len() - n_positives).to_string()),
            ("positives no rule covers", n_uncovered.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

impl ShopExample {
    /// Whether a planted rule covers the shopper.
    pub fn is_covered(self) -> bool {
        self.covered_by.contains(&true)
    }
}

/// The first number of the path of every stream: the shop among the generated domains.
const DOMAIN: u64 = 4;

/// The second numbers.
const SHOPPERS: u64 = 1;

const GOODS: u64 = 2;

const ORDERS: u64 = 3;

const LINES: u64 = 4;

const RETURNS: u64 = 5;

const LABELS: u64 = 6;

const STORES: u64 = 7;

/// With the seed of the names instead of that of the cells.
const NAMES: u64 = 8;

/// The settings of a generated shop.
#[derive(Clone, Debug, PartialEq)]
pub struct ShopConfig {
    /// Rows of `lines.csv`. Range: 4,000 to 50,000,000. Default 100,000.
    pub lines: usize,
    /// The fraction of the positives that are exchanged for random negatives. Range: 0 to 0.5. Default 0.05.
    pub noise: f64,
    /// Seed of the random streams of cells and labels; any number. Default 1.
    pub seed: u64,
    /// The seed of random names of tables and columns, and of the order of columns. Default: none, and plain names.
    pub random_names: Option<u64>,
    /// Whether the rules are sums, shares and times since the last of rows that meet conditions. Default: no.
    pub conditions: bool,
}

impl Default for ShopConfig {
    fn default() -> Self {
        Self { lines: 100_000, noise: 0.05, seed: 1, random_names: None, conditions: false }
    }
}

impl ShopConfig {
    /// Checks every setting.
    ///
    /// # Errors
    ///
    /// The first setting out of its range, with its value and the range.
    pub fn check(&self) -> Result<(), GenerateError> {
        GenerateError::check_count("lines", self.lines, 4_000, 50_000_000)?;
        GenerateError::check_fraction("noise", self.noise, 0.0, 0.5)
    }

    /// How many rows the tables have that are drawn row by row.
    fn sizes(&self) -> Sizes {
        let lines = self.lines;
        let products = (lines / 200).clamp(50, 5_000);
        Sizes {
            shoppers: lines / 8,
            orders: nearest(lines as f64 / 2.5),
            lines,
            products,
            suppliers: (products / 20).max(20),
        }
    }
}

/// How many rows the tables have.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    shoppers: usize,
    /// Never more than `lines`: every order has a line.
    orders: usize,
    lines: usize,
    products: usize,
    suppliers: usize,
}

#[cfg(test)]
mod tests;
