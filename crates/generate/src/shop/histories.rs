//! What each shopper did before the cut-off, as far as the planted rules ask, and the returns. One pass over all orders.

use rand::{Rng, RngExt};

use gleaner_base::random::{Purpose, stream};

use super::calendar::{DAY_SECONDS, Day};
use super::config::Sizes;
use super::goods::Goods;
use super::people::{LAST_ORDER, People};
use super::streams::{DOMAIN, RETURNS};
use super::trade::{Line, Lines, Order, Orders};
use super::vocabulary::{CHANNELS, COUNTRIES, REASONS, draw_share};

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
/// **Memory**: 56 bytes; a shop has eight lines for each shopper.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct History {
    /// Pairs of a category and a supplier's country bought within [`LONG_WINDOW`]: [`pair`] gives the bits.
    pub(super) pairs: u128,
    /// By channel, the greatest price of a line within [`SHORT_WINDOW`]; 0 without an order.
    pub(super) dearest: [u32; CHANNELS.len()],
    /// By reason, the returns.
    pub(super) n_returns: [u8; REASONS.len()],
    pub(super) last: Option<Bought>,
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
            }
        }
        if is_within(SHORT_WINDOW) {
            let dearest = &mut self.dearest[usize::from(order.channel)];
            *dearest = lines.iter().map(|line| line.unit_price).fold(*dearest, u32::max);
        }
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
