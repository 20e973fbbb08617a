//! The tables and their columns, and the names that these have in a generated shop.

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use gleaner_base::random::{Purpose, stream};

use super::streams::{DOMAIN, NAMES};

/// A table. Its number is its place in [`SCHEMA`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Shoppers,
    Orders,
    Lines,
    Products,
    Suppliers,
    Returns,
    Labels,
    Stores,
}

impl Table {
    pub(super) const ALL: [Self; 8] = [
        Self::Shoppers,
        Self::Orders,
        Self::Lines,
        Self::Products,
        Self::Suppliers,
        Self::Returns,
        Self::Labels,
        Self::Stores,
    ];

    const fn place(self) -> usize {
        self as usize
    }
}

/// The tables with their columns, in the order in which cells are drawn.
pub(super) const SCHEMA: [(&str, &[&str]); 8] = [
    (
        "shoppers",
        &["shopper_no", "joined", "region", "birth_year", "segment", "newsletter", "points", "remark"],
    ),
    ("orders", &["order_id", "buyer", "placed_at", "channel", "shipping", "basket_note"]),
    ("lines", &["order_ref", "item", "quantity", "unit_price", "discount"]),
    ("products", &["product_code", "vendor", "category", "weight", "list_price"]),
    ("suppliers", &["id", "country", "rating", "since"]),
    ("returns", &["return_id", "of_order", "what", "returned_on", "reason"]),
    ("labels", &["shopper", "as_of", "label"]),
    ("stores", &["store_no", "city", "opened"]),
];

/// The names of one table.
#[derive(Debug)]
struct Named {
    table: String,
    /// By place in [`SCHEMA`].
    columns: Vec<String>,
    /// The columns from left to right, by place in [`SCHEMA`].
    order: Vec<usize>,
}

/// The names of all tables and columns.
#[derive(Debug)]
pub(super) struct Names(Vec<Named>);

impl Names {
    /// The names of [`SCHEMA`], or random words and an order of columns for a seed.
    pub(super) fn new(random_names: Option<u64>) -> Self {
        random_names.map_or_else(Self::plain, Self::random)
    }

    fn plain() -> Self {
        let named = |&(table, columns): &(&str, &[&str])| Named {
            table: table.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            order: (0..columns.len()).collect(),
        };
        Self(SCHEMA.iter().map(named).collect())
    }

    /// All words are distinct. The table of labels and its column `label` keep their names, and its columns their order.
    fn random(seed: u64) -> Self {
        let mut rng = stream(seed, Purpose::Generate, &[DOMAIN, NAMES]);
        let mut words = Words::default();
        let mut names = Self::plain();
        for (table, named) in Table::ALL.into_iter().zip(&mut names.0) {
            let is_fixed = table == Table::Labels;
            if !is_fixed {
                named.table = words.draw(&mut rng);
                named.order.shuffle(&mut rng);
            }
            for column in named.columns.iter_mut().filter(|column| *column != "label") {
                *column = words.draw(&mut rng);
            }
        }
        names
    }

    fn of(&self, table: Table) -> &Named {
        &self.0[table.place()]
    }

    /// `orders.csv`
    pub(super) fn file(&self, table: Table) -> String {
        format!("{}.csv", self.of(table).table)
    }

    /// The columns from left to right.
    pub(super) fn header(&self, table: Table) -> impl Iterator<Item = &str> {
        let named = self.of(table);
        named.order.iter().map(|&column| named.columns[column].as_str())
    }

    /// The columns from left to right, by place in [`SCHEMA`].
    pub(super) fn order(&self, table: Table) -> &[usize] {
        &self.of(table).order
    }

    /// The relation from keys to cells of a column, by its name in [`SCHEMA`]: `orders_buyer`.
    pub(super) fn relation(&self, table: Table, column: &str) -> String {
        let (_, columns) = SCHEMA[table.place()];
        let place = columns.iter().position(|&known| known == column).expect("a column of the schema");
        let named = self.of(table);
        format!("{}_{}", named.table, named.columns[place])
    }

    /// The name of the table itself.
    pub(super) fn table(&self, table: Table) -> &str {
        &self.of(table).table
    }
}

/// Pronounceable words, none twice.
#[derive(Debug, Default)]
struct Words(BTreeSet<String>);

impl Words {
    /// Two or three syllables of a consonant and a vowel.
    fn draw(&mut self, rng: &mut impl Rng) -> String {
        const CONSONANTS: [&str; 14] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"];
        const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
        loop {
            let mut word = String::new();
            for _ in 0..rng.random_range(2..=3) {
                word.push_str(CONSONANTS.choose(rng).expect("there are consonants"));
                word.push_str(VOWELS.choose(rng).expect("there are vowels"));
            }
            if self.0.insert(word.clone()) {
                return word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_names_are_distinct_words_and_labels_stay() {
        for seed in 0..50 {
            let names = Names::new(Some(seed));
            let words: BTreeSet<&String> =
                names.0.iter().flat_map(|named| named.columns.iter().chain([&named.table])).collect();
            let n_columns: usize = SCHEMA.iter().map(|(_, columns)| columns.len()).sum();
            assert_eq!(words.len(), SCHEMA.len() + n_columns);
            assert!(words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
            let is_known = |word: &&&String| {
                SCHEMA.iter().any(|(table, columns)| table == *word || columns.contains(&word.as_str()))
            };
            assert_eq!(words.iter().filter(is_known).count(), 2, "`labels` and `label`");
            assert_eq!(names.file(Table::Labels), "labels.csv");
            assert_eq!(names.header(Table::Labels).nth(2), Some("label"));
            for table in Table::ALL {
                let mut order = names.order(table).to_vec();
                order.sort_unstable();
                assert!(order.iter().copied().eq(0..order.len()));
            }
        }
        let header = |seed| Names::new(seed).header(Table::Orders).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(header(None), SCHEMA[1].1);
        assert_ne!(header(Some(1)), header(Some(2)));
    }
}
