//! The covers of the planted rules, found again from the tables: for each shopper plain loops over all rows.

use super::read::{Csv, days_of, read, seconds_of};
use crate::shop::{Shop, ShopConfig, shop};

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
