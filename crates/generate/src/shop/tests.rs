//! Laws of generated shops, read back from their texts.

use std::collections::BTreeSet;

use super::*;

mod read;
mod twin;

use read::{Csv, days_of, read};

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
    let none = choose_rules(&vec![histories::History::default(); 600]).unwrap_err();
    assert_eq!(
        none.to_string(),
        "no constants make planted rule 1 cover between 1 and 3 shoppers: ask for more lines, or take another seed"
    );
}
