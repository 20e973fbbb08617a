//! Orders and their lines, drawn one after the other by time. Two streams give them again as often as they are needed, so
//! that none is kept.

use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};

use super::calendar::{DAY_SECONDS, Day};
use super::config::Sizes;
use super::goods::Goods;
use super::people::{FIRST_ORDER, LAST_ORDER, People};
use super::streams::{DOMAIN, LINES, ORDERS};
use super::vocabulary::{CHANNELS, DISCOUNTS, draw_note, draw_share};

/// How many orders each hour of the day has, in any unit.
const HOURS: [u32; 24] = [2, 1, 1, 1, 1, 2, 3, 5, 6, 7, 8, 8, 9, 8, 7, 7, 8, 9, 10, 11, 10, 8, 5, 3];

/// One row of the table of orders.
#[derive(Debug)]
pub(super) struct Order {
    /// From 0; from 1 in the table.
    pub(super) buyer: usize,
    pub(super) day: Day,
    /// Second of the day.
    pub(super) second: u32,
    pub(super) channel: u8,
    /// Hundredths of the currency.
    pub(super) shipping: Option<u32>,
    pub(super) note: Option<String>,
}

/// All orders, by time.
#[derive(Debug)]
pub(super) struct Orders<'p> {
    people: &'p People,
    rng: Pcg64,
    n_orders: usize,
    next: usize,
}

impl<'p> Orders<'p> {
    pub(super) fn new(seed: u64, sizes: &Sizes, people: &'p People) -> Self {
        let rng = stream(seed, Purpose::Generate, &[DOMAIN, ORDERS]);
        Self { people, rng, n_orders: sizes.orders, next: 0 }
    }
}

impl Iterator for Orders<'_> {
    type Item = Order;

    fn next(&mut self) -> Option<Order> {
        if self.next == self.n_orders {
            return None;
        }
        let (day, second) = time_of(self.next, self.n_orders, &mut self.rng);
        self.next += 1;
        let rng = &mut self.rng;
        let channel = draw_share(&CHANNELS, rng);
        // Nothing is sent from the store.
        let is_store = CHANNELS[usize::from(channel)].0 == "store";
        Some(Order {
            buyer: self.people.draw_buyer(day, rng),
            day,
            second,
            channel,
            shipping: rng
                .random_bool(0.98)
                .then(|| if is_store { 0 } else { 290 + 50 * rng.random_range(0..12) }),
            note: rng.random_bool(0.1).then(|| draw_note(rng)),
        })
    }
}

/// The time of an order: orders divide all days evenly, each at a random place of its part, so that times ascend.
fn time_of(order: usize, n_orders: usize, rng: &mut impl Rng) -> (Day, u32) {
    /// Parts of a day's orders. A product with the number of orders stays far below 2^64.
    const PARTS: u64 = 1_000_000;
    let n_days = u64::from(LAST_ORDER.days_since(FIRST_ORDER)) + 1;
    let (order, n_orders) = (order as u64, n_orders as u64);
    let jitter = rng.random_range(0..PARTS);
    let at = (order * PARTS + jitter) * n_days / n_orders;
    let day = u16::try_from(at / PARTS).expect("the days of two years are few");
    let part = u32::try_from(at % PARTS).expect("a part is below a million");
    (FIRST_ORDER.after(day), second_of(part))
}

/// The second of a day before which this share of its orders, in millionths, is placed.
fn second_of(part: u32) -> u32 {
    let total: u32 = HOURS.iter().sum();
    // In units of a millionth of the hours' unit, below 2^32.
    let mut at = part * total;
    for (hour, share) in (0..).zip(HOURS) {
        if at < share * 1_000_000 {
            return hour * 3_600 + at / (share * 1_000_000 / 3_600 + 1);
        }
        at -= share * 1_000_000;
    }
    DAY_SECONDS - 1
}

/// One row of the table of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// From 0; from 1 in the table.
    pub(super) product: usize,
    pub(super) quantity: u32,
    /// Hundredths of the currency.
    pub(super) unit_price: u32,
    /// Hundredths of the price.
    pub(super) discount: Option<u32>,
}

/// The lines of all orders.
#[derive(Debug)]
pub(super) struct Lines<'g> {
    goods: &'g Goods,
    rng: Pcg64,
    /// Orders whose lines are not drawn yet, and how many lines they have.
    n_orders: usize,
    n_lines: usize,
}

impl<'g> Lines<'g> {
    pub(super) fn new(seed: u64, sizes: &Sizes, goods: &'g Goods) -> Self {
        let rng = stream(seed, Purpose::Generate, &[DOMAIN, LINES]);
        Self { goods, rng, n_orders: sizes.orders, n_lines: sizes.lines }
    }

    /// Draws the lines of the next order: at least one. False after the last order.
    pub(super) fn next_order(&mut self, lines: &mut Vec<Line>) -> bool {
        lines.clear();
        if self.n_orders == 0 {
            return false;
        }
        let n_more = self.draw_more();
        for _ in 0..=n_more {
            lines.push(self.draw_line());
        }
        self.n_orders -= 1;
        self.n_lines -= 1 + n_more;
        true
    }

    /// How many lines the next order has after its first: a geometric number, whose mean shares what is left evenly. The
    /// last order takes the rest, so that the sum is exact.
    fn draw_more(&mut self) -> usize {
        let left = self.n_lines - self.n_orders;
        if self.n_orders == 1 {
            return left;
        }
        let mean = left as f64 / self.n_orders as f64;
        let mut n_more = 0;
        while n_more < left && self.rng.random_bool(mean / (1.0 + mean)) {
            n_more += 1;
        }
        n_more
    }

    fn draw_line(&mut self) -> Line {
        let rng = &mut self.rng;
        let product = self.goods.popularity.draw(rng);
        let percent = rng.random_range(85..=115);
        // Three in five lines have one piece.
        let quantity = if rng.random_bool(0.6) { 1 } else { rng.random_range(1..=9) };
        Line {
            product,
            quantity,
            unit_price: self.goods.products[product].list_price * percent / 100,
            discount: rng.random_bool(0.3).then(|| DISCOUNTS[rng.random_range(0..DISCOUNTS.len())]),
        }
    }
}
