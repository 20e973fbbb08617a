//! Tables read back, by code that shares nothing with what wrote them.

use crate::shop::Shop;

/// A table of texts.
pub(super) struct Csv {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Csv {
    pub(super) fn parse(text: &str) -> Self {
        let mut lines = text.lines().map(cells);
        let header = lines.next().expect("a header");
        let rows: Vec<Vec<String>> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == header.len()), "every row has a cell for each column");
        Self { header, rows }
    }

    fn place(&self, column: &str) -> usize {
        self.header.iter().position(|name| name == column).unwrap_or_else(|| panic!("no column {column}"))
    }

    pub(super) fn column(&self, column: &str) -> impl Iterator<Item = &String> {
        let place = self.place(column);
        self.rows.iter().map(move |row| &row[place])
    }

    pub(super) fn cell(&self, row: usize, column: &str) -> &str {
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
pub(super) fn read(shop: &Shop) -> [Csv; 8] {
    let names = ["shoppers", "orders", "lines", "products", "suppliers", "returns", "labels", "stores"];
    names.map(|name| {
        let mut bytes = Vec::new();
        shop.write(&format!("{name}.csv"), &mut bytes).unwrap();
        Csv::parse(std::str::from_utf8(&bytes).unwrap())
    })
}

/// The number of the day that a date or date-time begins with, by the formula of Fliegel and Van Flandern (*Communications
/// of the ACM* 11, 1968). Times of day are left out.
pub(super) fn days_of(text: &str) -> i64 {
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let before_march = (month - 14) / 12;
    day - 32_075 + 1_461 * (year + 4_800 + before_march) / 4 + 367 * (month - 2 - before_march * 12) / 12
        - 3 * ((year + 4_900 + before_march) / 100) / 4
}

/// Seconds from the same origin, of a date-time.
pub(super) fn seconds_of(text: &str) -> i64 {
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
    86_400 * days_of(text) + 3_600 * number(11, 13) + 60 * number(14, 16) + number(17, 19)
}
