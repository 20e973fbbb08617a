//! The tables and their columns, and the names that these have in a generated shop.
//!
//! The values of categories with their shares, and the free texts.

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use gleaner_base::random::{Purpose, stream};

use super::{DOMAIN, NAMES};

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

/// A category's values, each with how often it is drawn, in any unit.
pub(super) type Shares = [(&'static str, u32)];

pub(super) const REGIONS: [(&str, u32); 8] = [
    ("north", 20),
    ("south", 18),
    ("east", 14),
    ("west", 14),
    ("coast", 12),
    ("lakes", 9),
    ("hills", 8),
    ("islands", 5),
];

pub(super) const SEGMENTS: [(&str, u32); 4] =
    [("private", 60), ("student", 18), ("business", 15), ("club", 7)];

pub(super) const CHANNELS: [(&str, u32); 4] = [("web", 50), ("app", 27), ("store", 13), ("phone", 10)];

pub(super) const CATEGORIES: [(&str, u32); 12] = [
    ("books", 15),
    ("clothes", 13),
    ("kitchen", 11),
    ("garden", 10),
    ("toys", 9),
    ("sports", 9),
    ("music", 8),
    ("tools", 7),
    ("phones", 6),
    ("travel", 5),
    ("pets", 4),
    ("art", 3),
];

pub(super) const COUNTRIES: [(&str, u32); 10] = [
    ("china", 18),
    ("germany", 14),
    ("italy", 13),
    ("poland", 12),
    ("india", 11),
    ("france", 9),
    ("turkey", 8),
    ("kenya", 6),
    ("chile", 5),
    ("norway", 4),
];

/// The last reason tells who is positive, but only after the cut-off.
pub(super) const REASONS: [(&str, u32); 6] = [
    ("too_small", 30),
    ("changed_mind", 26),
    ("broken", 18),
    ("wrong_item", 14),
    ("late", 11),
    ("chargeback", 1),
];

pub(super) const CHARGEBACK: u8 = 5;

pub(super) const DISCOUNTS: [u32; 5] = [5, 10, 15, 20, 30];

pub(super) const CITIES: [&str; 10] =
    ["arden", "brook", "calder", "dunmore", "elm", "fairley", "grange", "holt", "ives", "kirk"];

/// The place of a value that is drawn by its share.
pub(super) fn draw_share(values: &Shares, rng: &mut impl Rng) -> u8 {
    let total: u32 = values.iter().map(|(_, share)| share).sum();
    let mut at = rng.random_range(0..total);
    for (place, &(_, share)) in (0..).zip(values) {
        if at < share {
            return place;
        }
        at -= share;
    }
    unreachable!("the draw is below the sum of the shares")
}

/// A remark on a shopper: a free text that says nothing on the label. Most differ.
pub(super) fn draw_remark(rng: &mut impl Rng) -> String {
    const WHOM: [&str; 4] = ["Called us", "Wrote to us", "Came by", "Was asked"];
    const WHAT: [&str; 6] = [
        "about a parcel",
        "about the bill",
        "for a catalogue",
        "about sizes",
        "for a gift card",
        "about nothing",
    ];
    const END: [&str; 5] =
        [", was friendly", ", said \"never mind\"", "", "; call again", ", prefers letters, not mail"];
    let pick = |from: &[&'static str], rng: &mut _| *from.choose(rng).expect("there are texts");
    let (whom, what, end) = (pick(&WHOM, rng), pick(&WHAT, rng), pick(&END, rng));
    format!("{whom} {what}{end} (ticket {})", rng.random_range(1_000..100_000))
}

/// A note on a basket: a free text that says nothing on the label.
pub(super) fn draw_note(rng: &mut impl Rng) -> String {
    const NOTES: [&str; 6] = [
        "leave at the door",
        "ring twice, please",
        "gift wrap, no price tag",
        "for the neighbour",
        "call before delivery",
        "card says \"well done\"",
    ];
    let note = NOTES.choose(rng).expect("there are notes");
    format!("{note} {}", rng.random_range(1..1_000))
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
