//! Laws of generated shops, read back from their texts.
//!
//! Tables read back, by code that shares nothing with what wrote them.
//!
//! The covers of the planted rules, found again from the tables: for each shopper plain loops over all rows.

use std::collections::BTreeSet;

use crate::shop::{Shop, ShopConfig, shop};

use super::*;

fn small(seed: u64) -> ShopConfig {
    ShopConfig { lines: 8_000, seed, ..ShopConfig::default() }
}

/// The texts of all files, in the order of [`Shop::files`].
fn texts(shop: &Shop) -> Vec<String> {
    let text = |file: String| {
        let mut bytes = Vec::new();
        shop.write(&file, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    shop.files().map(text).collect()
}

/// Fails unless the cells of a key are 1 to their number.
fn check_key(csv: &Csv, key: &str) {
    assert!(csv.column(key).enumerate().all(|(row, cell)| *cell == (row + 1).to_string()), "{key}");
}

/// Fails unless every cell is the key of a row.
fn check_reference(csv: &Csv, column: &str, to: &Csv) {
    assert!(!csv.rows.is_empty());
    let is_there = |cell: &String| (1..=to.rows.len()).contains(&cell.parse().unwrap());
    assert!(csv.column(column).all(is_there), "{column}");
}

/// The share of the cells that are missing.
fn missing(csv: &Csv, column: &str) -> f64 {
    csv.column(column).filter(|cell| cell.is_empty()).count() as f64 / csv.rows.len() as f64
}

#[test]
fn keys_are_unique_and_references_have_their_rows() {
    for seed in [1, 2, 3] {
        let shop = shop(&small(seed)).unwrap();
        let [shoppers, orders, lines, products, suppliers, returns, labels, stores] = read(&shop);
        for (csv, key) in [
            (&shoppers, "shopper_no"),
            (&orders, "order_id"),
            (&products, "product_code"),
            (&suppliers, "id"),
            (&returns, "return_id"),
            (&labels, "shopper"),
            (&stores, "store_no"),
        ] {
            check_key(csv, key);
        }
        for (csv, column, to) in [
            (&orders, "buyer", &shoppers),
            (&lines, "order_ref", &orders),
            (&lines, "item", &products),
            (&products, "vendor", &suppliers),
            (&returns, "of_order", &orders),
            (&returns, "what", &products),
            (&labels, "shopper", &shoppers),
        ] {
            check_reference(csv, column, to);
        }
        // What is returned was bought in that order.
        let bought: BTreeSet<(&String, &String)> =
            lines.column("order_ref").zip(lines.column("item")).collect();
        let mut returned = returns.column("of_order").zip(returns.column("what"));
        assert!(returned.all(|pair| bought.contains(&pair)));
        let filled: BTreeSet<&String> = lines.column("order_ref").collect();
        assert_eq!(filled.len(), orders.rows.len(), "every order has a line");
    }
}

#[test]
fn tables_have_their_sizes_and_shares() {
    let shop = shop(&ShopConfig { lines: 40_000, ..ShopConfig::default() }).unwrap();
    let [shoppers, orders, lines, products, suppliers, returns, labels, _] = read(&shop);
    let sizes = [&shoppers, &orders, &lines, &products, &suppliers, &labels].map(|csv| csv.rows.len());
    assert_eq!(sizes, [5_000, 16_000, 40_000, 200, 20, 5_000]);
    assert!((1_440..1_760).contains(&returns.rows.len()), "{}", returns.rows.len());
    for (csv, column, share) in [
        (&shoppers, "birth_year", 0.05),
        (&shoppers, "remark", 0.7),
        (&orders, "shipping", 0.02),
        (&lines, "discount", 0.7),
    ] {
        // At least five standard deviations.
        assert!((missing(csv, column) - share).abs() < 0.035, "{column}: {}", missing(csv, column));
    }
    for (csv, column, n_values) in [
        (&shoppers, "region", 8),
        (&shoppers, "segment", 4),
        (&orders, "channel", 4),
        (&lines, "quantity", 9),
        (&products, "category", 12),
        (&returns, "reason", 6),
        (&labels, "as_of", 3),
        (&labels, "label", 2),
    ] {
        assert_eq!(csv.column(column).collect::<BTreeSet<_>>().len(), n_values, "{column}");
    }
    // One in a hundred has far more than one in a hundred of the orders, as of the lines.
    for (csv, column, n_things) in [(&orders, "buyer", 5_000), (&lines, "item", 200)] {
        let mut counts = vec![0_usize; n_things];
        csv.column(column).for_each(|cell| counts[cell.parse::<usize>().unwrap() - 1] += 1);
        counts.sort_unstable();
        let most: usize = counts[n_things - n_things / 100..].iter().sum();
        assert!(most as f64 > 0.06 * csv.rows.len() as f64, "{column}: {most}");
    }
}

#[test]
fn orders_follow_joining_and_returns_follow_orders() {
    let shop = shop(&small(4)).unwrap();
    let [shoppers, orders, _, _, suppliers, returns, labels, _] = read(&shop);
    let joined: Vec<i64> = shoppers.column("joined").map(|cell| days_of(cell)).collect();
    let placed: Vec<i64> = orders.column("placed_at").map(|cell| days_of(cell)).collect();
    for (buyer, day) in orders.column("buyer").zip(&placed) {
        assert!(joined[buyer.parse::<usize>().unwrap() - 1] < *day);
    }
    let times: Vec<&String> = orders.column("placed_at").collect();
    assert!(times.is_sorted(), "orders are numbered by time");
    for (order, day) in returns.column("of_order").zip(returns.column("returned_on")) {
        assert!(placed[order.parse::<usize>().unwrap() - 1] < days_of(day));
    }
    // Shoppers and suppliers are older than every cut-off and every order, so that none is unknown.
    let first_cut_off = labels.column("as_of").map(|cell| days_of(cell)).min().unwrap();
    assert!(joined.iter().all(|&day| day < first_cut_off));
    assert!(suppliers.column("since").all(|cell| days_of(cell) < placed[0]));
    for cut_off in labels.column("as_of") {
        assert!(["2024-03-31", "2024-06-30", "2024-09-30"].contains(&cut_off.as_str()));
        assert!(placed.iter().any(|&day| day > days_of(cut_off)), "orders go on");
    }
}

#[test]
fn few_are_positive_for_any_seed_and_size() {
    for lines in [4_000, 5_001, 12_345] {
        for seed in 0..40 {
            let shop = shop(&ShopConfig { lines, seed, ..ShopConfig::default() }).unwrap();
            let n_positives = shop.examples().filter(|example| example.is_positive).count();
            assert!(n_positives > 0 && 200 * n_positives <= 3 * (lines / 8), "{lines} {seed}: {n_positives}");
            for rule in 0..N_RULES {
                let n_covered = shop.examples().filter(|example| example.covered_by[rule]).count();
                assert!(n_covered > 0, "{lines} {seed}: rule {rule}");
            }
        }
    }
    // A large shop comes near to the share that a rule should cover.
    let large = shop(&ShopConfig { lines: 200_000, ..ShopConfig::default() }).unwrap();
    for rule in 0..N_RULES {
        let n_covered = large.examples().filter(|example| example.covered_by[rule]).count();
        assert!((75..=125).contains(&n_covered), "rule {rule}: {n_covered}");
    }
}

#[test]
fn noise_exchanges_its_share_of_the_positives() {
    let shop = |noise| shop(&ShopConfig { lines: 80_000, noise, ..ShopConfig::default() }).unwrap();
    let counts = |shop: &Shop| {
        let count = |holds: &dyn Fn(&ShopExample) -> bool| shop.examples().filter(|each| holds(each)).count();
        let lost = count(&|each| each.is_covered() && !each.is_positive);
        let gained = count(&|each| !each.is_covered() && each.is_positive);
        (count(&|each| each.is_covered()), lost, gained)
    };
    let (n_covered, lost, gained) = counts(&shop(0.0));
    assert_eq!((lost, gained), (0, 0));
    let (covered_too, lost, gained) = counts(&shop(0.25));
    assert_eq!(covered_too, n_covered, "noise changes labels alone");
    assert_eq!((lost, gained), ((n_covered + 2) / 4, (n_covered + 2) / 4), "a quarter, rounded");
}

#[test]
fn facts_after_the_cut_off_tell_who_is_positive() {
    let shop = shop(&ShopConfig { lines: 40_000, ..ShopConfig::default() }).unwrap();
    let [_, orders, _, _, _, returns, labels, _] = read(&shop);
    let buyers: Vec<&String> = orders.column("buyer").collect();
    let cut_offs: Vec<i64> = labels.column("as_of").map(|cell| days_of(cell)).collect();
    let mut told = BTreeSet::new();
    for row in 0..returns.rows.len() {
        let cell = |column| returns.cell(row, column);
        let shopper: usize = buyers[cell("of_order").parse::<usize>().unwrap() - 1].parse().unwrap();
        let age = days_of(cell("returned_on")) - cut_offs[shopper - 1];
        if cell("reason") == "chargeback" && (1..=30).contains(&age) {
            told.insert(shopper - 1);
        }
    }
    let is_positive: Vec<bool> = shop.examples().map(|example| example.is_positive).collect();
    let n_positives = is_positive.iter().filter(|&&label| label).count();
    let n_right = told.iter().filter(|&&shopper| is_positive[shopper]).count();
    // Three in five of about 60, and hardly anyone else.
    assert!(2 * n_right > n_positives - 10 && n_right < n_positives, "{n_right} of {n_positives}");
    assert!(told.len() - n_right < n_right / 4, "{} told wrongly", told.len() - n_right);
}

#[test]
fn bytes_follow_the_seed() {
    let of = |seed| texts(&shop(&small(seed)).unwrap());
    let first = of(3);
    assert_eq!(first, of(3));
    for (text, other) in first.iter().zip(of(4)) {
        assert_ne!(*text, other);
    }
    let shop = shop(&small(3)).unwrap();
    assert_eq!(texts(&shop), texts(&shop), "written twice");
    assert_eq!(shop.write("none.csv", &mut Vec::new()).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn random_names_change_no_cell() {
    let config = small(5);
    let plain = shop(&config).unwrap();
    let named = shop(&ShopConfig { random_names: Some(9), ..config }).unwrap();
    let mut relations = BTreeSet::new();
    for (file, (text, other)) in named.files().zip(texts(&plain).iter().zip(texts(&named))) {
        let (csv, other) = (Csv::parse(text), Csv::parse(&other));
        // Columns as lists of cells: the same, in any order.
        let columns = |csv: &Csv| {
            let mut columns: Vec<Vec<String>> =
                csv.header.iter().map(|column| csv.column(column).map(String::to_owned).collect()).collect();
            columns.sort();
            columns
        };
        assert_eq!(columns(&csv), columns(&other), "{file}");
        if file == "labels.csv" {
            assert_eq!(other.header[2], "label");
        } else {
            assert!(csv.header.iter().all(|column| !other.header.contains(column)), "{file}");
        }
        let table = file.strip_suffix(".csv").unwrap();
        relations.extend(other.header.iter().map(|column| format!("{table}_{column}")));
    }
    assert!(plain.examples().eq(named.examples()));
    let mut n_atoms = 0;
    for clause in named.planted() {
        assert!(clause.starts_with("labels(A,B) :- "));
        for atom in clause.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_') {
            let relation = atom.strip_suffix("_age").unwrap_or(atom);
            if relation.contains('_')
                && !["aggregate_all", "wrong_item", "too_small", "changed_mind"].contains(&relation)
            {
                assert!(relations.contains(relation), "{relation} in {clause}");
                n_atoms += 1;
            }
        }
    }
    assert_eq!(n_atoms, 7 + 3 + 5, "the literals but those that compare");
}

#[test]
fn settings_out_of_range_are_named() {
    let message = |config: ShopConfig| shop(&config).map(drop).unwrap_err().to_string();
    let config = ShopConfig::default;
    assert_eq!(
        message(ShopConfig { lines: 3_999, ..config() }),
        "`lines` is 3999, but must lie between 4000 and 50000000"
    );
    assert_eq!(
        message(ShopConfig { noise: 0.51, ..config() }),
        "`noise` is 0.51, but must lie between 0 and 0.5"
    );
    let none = choose_rules(&vec![trade::History::default(); 600], false).unwrap_err();
    assert_eq!(
        none.to_string(),
        "no constants make planted rule 1 cover between 1 and 3 shoppers: ask for more lines, or take another seed"
    );
}

/// A table of texts.
struct Csv {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Csv {
    fn parse(text: &str) -> Self {
        let mut lines = text.lines().map(cells);
        let header = lines.next().expect("a header");
        let rows: Vec<Vec<String>> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == header.len()), "every row has a cell for each column");
        Self { header, rows }
    }

    fn place(&self, column: &str) -> usize {
        self.header.iter().position(|name| name == column).unwrap_or_else(|| panic!("no column {column}"))
    }

    fn column(&self, column: &str) -> impl Iterator<Item = &String> {
        let place = self.place(column);
        self.rows.iter().map(move |row| &row[place])
    }

    fn cell(&self, row: usize, column: &str) -> &str {
        &self.rows[row][self.place(column)]
    }
}

/// The cells of a line, letter by letter. No text holds an end of line.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let (mut quoted, mut letters) = (false, line.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(letter),
        }
    }
    cells
}

/// Shoppers, orders, lines, products, suppliers, returns, labels, stores.
fn read(shop: &Shop) -> [Csv; 8] {
    let names = ["shoppers", "orders", "lines", "products", "suppliers", "returns", "labels", "stores"];
    names.map(|name| {
        let mut bytes = Vec::new();
        shop.write(&format!("{name}.csv"), &mut bytes).unwrap();
        Csv::parse(std::str::from_utf8(&bytes).unwrap())
    })
}

/// The number of the day that a date or date-time begins with, by the formula of Fliegel and Van Flandern (*Communications
/// of the ACM* 11, 1968). Times of day are left out.
fn days_of(text: &str) -> i64 {
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let before_march = (month - 14) / 12;
    day - 32_075 + 1_461 * (year + 4_800 + before_march) / 4 + 367 * (month - 2 - before_march * 12) / 12
        - 3 * ((year + 4_900 + before_march) / 100) / 4
}

/// Seconds from the same origin, of a date-time.
fn seconds_of(text: &str) -> i64 {
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
    86_400 * days_of(text) + 3_600 * number(11, 13) + 60 * number(14, 16) + number(17, 19)
}

/// The text between two others in a clause.
fn between<'c>(clause: &'c str, before: &str, after: &str) -> &'c str {
    let (_, rest) = clause.split_once(before).unwrap_or_else(|| panic!("{before} in {clause}"));
    rest.split_once(after).unwrap_or_else(|| panic!("{after} in {clause}")).0
}

/// The tables that the rules read.
struct Twin {
    orders: Csv,
    lines: Csv,
    products: Csv,
    suppliers: Csv,
    returns: Csv,
    labels: Csv,
}

impl Twin {
    fn new(shop: &Shop) -> Self {
        let [_, orders, lines, products, suppliers, returns, labels, _] = read(shop);
        Self { orders, lines, products, suppliers, returns, labels }
    }

    /// The first second of the shopper's cut-off.
    fn cut_off(&self, shopper: usize) -> i64 {
        86_400 * days_of(self.labels.cell(shopper, "as_of"))
    }

    /// The rows of the shopper's orders that are at most so many days older than the cut-off.
    fn orders_within(&self, shopper: usize, days: &str) -> Vec<usize> {
        let longest = 86_400 * days.parse::<i64>().unwrap();
        let of_shopper = |&order: &usize| self.orders.cell(order, "buyer") == (shopper + 1).to_string();
        let age = |order: usize| self.cut_off(shopper) - seconds_of(self.orders.cell(order, "placed_at"));
        (0..self.orders.rows.len())
            .filter(of_shopper)
            .filter(|&order| age(order) > 0 && age(order) <= longest)
            .collect()
    }

    fn lines_of(&self, order: usize) -> impl Iterator<Item = usize> {
        let id = self.orders.cell(order, "order_id");
        (0..self.lines.rows.len()).filter(move |&line| self.lines.cell(line, "order_ref") == id)
    }

    fn bought(&self, clause: &str, shopper: usize) -> bool {
        let category = between(clause, "products_category(F,", ")");
        let country = between(clause, "suppliers_country(G,", ")");
        self.orders_within(shopper, between(clause, "D =< ", ",")).into_iter().any(|order| {
            self.lines_of(order).any(|line| {
                let item = self.lines.cell(line, "item");
                (0..self.products.rows.len())
                    .filter(|&product| self.products.cell(product, "product_code") == item)
                    .filter(|&product| self.products.cell(product, "category") == category)
                    .any(|product| {
                        let vendor = self.products.cell(product, "vendor");
                        (0..self.suppliers.rows.len()).any(|supplier| {
                            self.suppliers.cell(supplier, "id") == vendor
                                && self.suppliers.cell(supplier, "country") == country
                        })
                    })
            })
        })
    }

    fn returned(&self, clause: &str, shopper: usize) -> bool {
        let reason = between(clause, "returns_reason(D,", ")");
        let least: usize = between(clause, "E >= ", ".").parse().unwrap();
        let count = (0..self.returns.rows.len())
            .filter(|&row| self.returns.cell(row, "reason") == reason)
            // A day counts as its end, the cut-off as its beginning.
            .filter(|&row| {
                86_400 * (days_of(self.returns.cell(row, "returned_on")) + 1) <= self.cut_off(shopper)
            })
            .filter(|&row| {
                let order: usize = self.returns.cell(row, "of_order").parse().unwrap();
                self.orders.cell(order - 1, "buyer") == (shopper + 1).to_string()
            })
            .count();
        count >= least
    }

    fn paid(&self, clause: &str, shopper: usize) -> bool {
        let channel = between(clause, "orders_channel(C,", ")");
        let price: f64 = between(clause, "F >= ", ". ").parse().unwrap();
        let price_of = |line: usize| self.lines.cell(line, "unit_price").parse::<f64>().unwrap();
        self.orders_within(shopper, between(clause, "D =< ", ","))
            .into_iter()
            .filter(|&order| self.orders.cell(order, "channel") == channel)
            .any(|order| self.lines_of(order).any(|line| price_of(line) >= price))
    }
}

#[test]
fn the_rules_cover_what_the_generator_says() {
    for (seed, noise) in [(1, 0.0), (2, 0.2), (3, 0.05)] {
        let shop = shop(&ShopConfig { lines: 4_000, noise, seed, ..ShopConfig::default() }).unwrap();
        let twin = Twin::new(&shop);
        let [bought, returned, paid] = shop.planted() else { panic!("three rules") };
        // A last space, so that a number ends before the full stop of the clause.
        let paid = format!("{paid} ");
        for (shopper, example) in shop.examples().enumerate() {
            let found =
                [twin.bought(bought, shopper), twin.returned(returned, shopper), twin.paid(&paid, shopper)];
            assert_eq!(example.covered_by, found, "seed {seed}, shopper {}", shopper + 1);
            let label = twin.labels.cell(shopper, "label");
            assert_eq!(label, if example.is_positive { "1" } else { "0" });
            assert!(noise > 0.0 || example.is_positive == found.contains(&true));
        }
    }
}
