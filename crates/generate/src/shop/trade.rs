//! Orders and their lines, drawn one after the other by time. Two streams give them again as often as they are needed, so
//! that none is kept.
//!
//! What each shopper did before the cut-off, as far as the planted rules ask, and the returns. One pass over all orders.

use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};

use super::calendar::{DAY_SECONDS, Day};
use super::people_and_goods::{FIRST_ORDER, Goods, LAST_ORDER, People};
use super::schema::{CATEGORIES, CHANNELS, COUNTRIES, DISCOUNTS, REASONS, draw_note, draw_share};
use super::{DOMAIN, LINES, ORDERS, RETURNS, Sizes};

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

/// The windows of the planted rules, in days before the cut-off.
pub(super) const LONG_WINDOW: u16 = 60;

pub(super) const SHORT_WINDOW: u16 = 30;

/// One row of the table of returns. Returns are in the order of their days, and then of the other fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Return {
    pub(super) day: Day,
    /// From 0, as the product; from 1 in the table.
    pub(super) order: u32,
    pub(super) product: u16,
    pub(super) reason: u8,
}

/// A product of a shopper's last order before the cut-off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bought {
    pub(super) order: u32,
    pub(super) product: u16,
}

/// The history of one shopper before the cut-off.
///
/// **Memory**: 128 bytes; a shop has eight lines for each shopper.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct History {
    /// Pairs of a category and a supplier's country bought within [`LONG_WINDOW`]: [`pair`] gives the bits.
    pub(super) pairs: u128,
    /// By channel, the greatest price of a line within [`SHORT_WINDOW`]; 0 without an order.
    pub(super) dearest: [u32; CHANNELS.len()],
    /// By reason, the returns.
    pub(super) n_returns: [u8; REASONS.len()],
    pub(super) last: Option<Bought>,
    /// By category, the sum of the prices of lines within [`LONG_WINDOW`].
    pub(super) spent: [u32; CATEGORIES.len()],
    /// By channel, the orders.
    pub(super) n_orders: [u16; CHANNELS.len()],
    /// By channel, the seconds from the latest order to the cut-off; 0 without an order.
    pub(super) quiet: [u32; CHANNELS.len()],
}

/// The bit of a pair in [`History::pairs`].
pub(super) fn pair(category: usize, country: usize) -> u128 {
    1 << (category * COUNTRIES.len() + country)
}

/// All histories, by shopper, and all returns but those that tell who is positive; not sorted.
pub(super) struct Past {
    pub(super) histories: Vec<History>,
    pub(super) returns: Vec<Return>,
}

/// Goes through all orders once.
pub(super) fn past(seed: u64, sizes: &Sizes, people: &People, goods: &Goods) -> Past {
    let mut rng = stream(seed, Purpose::Generate, &[DOMAIN, RETURNS]);
    let mut histories = vec![History::default(); people.len()];
    let mut returns = Vec::new();
    let (mut all_lines, mut lines) = (Lines::new(seed, sizes, goods), Vec::new());
    for (number, order) in (0..).zip(Orders::new(seed, sizes, people)) {
        all_lines.next_order(&mut lines);
        let cut_off = people.cut_off(order.buyer);
        let history = &mut histories[order.buyer];
        if order.day < cut_off {
            history.add(&order, number, &lines, cut_off, goods);
        }
        for line in &lines {
            let returns_much = people.returns_much(order.buyer);
            let Some(returned) = draw_return(&order, number, line, returns_much, &mut rng) else { continue };
            if returned.day < cut_off {
                let count = &mut history.n_returns[usize::from(returned.reason)];
                *count = count.saturating_add(1);
            }
            returns.push(returned);
        }
    }
    Past { histories, returns }
}

impl History {
    /// Adds an order before the cut-off.
    fn add(&mut self, order: &Order, number: u32, lines: &[Line], cut_off: Day, goods: &Goods) {
        // The cut-off is the beginning of its day.
        let age = u32::from(cut_off.days_since(order.day)) * DAY_SECONDS - order.second;
        let is_within = |days: u16| age <= u32::from(days) * DAY_SECONDS;
        if is_within(LONG_WINDOW) {
            for line in lines {
                let category = goods.products[line.product].category;
                self.pairs |= pair(usize::from(category), usize::from(goods.country(line.product)));
                self.spent[usize::from(category)] += line.unit_price;
            }
        }
        if is_within(SHORT_WINDOW) {
            let dearest = &mut self.dearest[usize::from(order.channel)];
            *dearest = lines.iter().map(|line| line.unit_price).fold(*dearest, u32::max);
        }
        let channel = usize::from(order.channel);
        self.n_orders[channel] = self.n_orders[channel].saturating_add(1);
        // Orders come by time.
        self.quiet[channel] = age;
        self.last = lines.first().map(|line| Bought { order: number, product: short(line.product) });
    }
}

/// A line's return, if it comes back before the table ends. A line in 25 does.
fn draw_return(
    order: &Order,
    number: u32,
    line: &Line,
    returns_much: bool,
    rng: &mut impl Rng,
) -> Option<Return> {
    /// With one shopper in twelve of the first kind, the mean is about 0.041; some come back too late.
    const RATES: [f64; 2] = [0.175, 0.029];
    if !rng.random_bool(RATES[usize::from(!returns_much)]) {
        return None;
    }
    let day = order.day.after(2 + rng.random_range(0..=12) + rng.random_range(0..=25));
    let reason = draw_share(&REASONS, rng);
    (day <= LAST_ORDER).then(|| Return { day, order: number, product: short(line.product), reason })
}

fn short(product: usize) -> u16 {
    u16::try_from(product).expect("there are at most 5,000 products")
}
