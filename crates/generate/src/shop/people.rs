//! Shoppers: what their table says, and what the rest of the shop must know of them.

use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};

use super::calendar::Day;
use super::streams::{DOMAIN, SHOPPERS};
use super::vocabulary::{REGIONS, SEGMENTS, draw_remark, draw_share};
use super::weighted::Weighted;

/// The days of the first and the last order.
pub(super) const FIRST_ORDER: Day = Day::of(2023, 1, 1);
pub(super) const LAST_ORDER: Day = Day::of(2024, 12, 31);

/// The cut-offs: three ends of a quarter. All shoppers joined before the first.
pub(super) const CUT_OFFS: [Day; 3] = [Day::of(2024, 3, 31), Day::of(2024, 6, 30), Day::of(2024, 9, 30)];

const FIRST_JOINED: Day = Day::of(2020, 1, 1);
const LAST_JOINED: Day = Day::of(2024, 2, 29);

/// One row of the table of shoppers.
#[derive(Debug)]
pub(super) struct Shopper {
    pub(super) joined: Day,
    pub(super) region: u8,
    pub(super) birth_year: Option<u16>,
    pub(super) segment: u8,
    pub(super) newsletter: bool,
    pub(super) points: u32,
    pub(super) remark: Option<String>,
    /// Not in the table: how often the shopper orders, in any unit.
    weight: u64,
    /// Not in the table: whether the shopper returns much.
    returns_much: bool,
    /// The place of the cut-off in [`CUT_OFFS`]; in the table of labels.
    cut_off: u8,
}

/// The rows of the table, always the same for a seed.
pub(super) fn shoppers(seed: u64, n_shoppers: usize) -> impl Iterator<Item = Shopper> {
    let mut rng = stream(seed, Purpose::Generate, &[DOMAIN, SHOPPERS]);
    (0..n_shoppers).map(move |_| Shopper::draw(&mut rng))
}

impl Shopper {
    fn draw(rng: &mut Pcg64) -> Self {
        // Two in three joined before the first order of all.
        let (first, last) =
            if rng.random_bool(0.65) { (FIRST_JOINED, FIRST_ORDER) } else { (FIRST_ORDER, LAST_JOINED) };
        let tenth = rng.random_range(0..10);
        Self {
            joined: first.after(rng.random_range(0..last.days_since(first))),
            region: draw_share(&REGIONS, rng),
            birth_year: rng
                .random_bool(0.95)
                .then(|| 1940 + rng.random_range(0..=34) + rng.random_range(0..=34)),
            segment: draw_share(&SEGMENTS, rng),
            newsletter: rng.random_bool(0.4),
            // Most have few points.
            points: rng.random_range(0..=200) * (1 + rng.random_range(0..=tenth)),
            remark: rng.random_bool(0.3).then(|| draw_remark(rng)),
            weight: heavy_tail(20, rng),
            returns_much: rng.random_bool(0.08),
            cut_off: rng.random_range(0..3),
        }
    }
}

/// A weight whose density falls as its inverse square, from 1 to about `1000 / least`, in units of 1000.
pub(super) fn heavy_tail(least: u64, rng: &mut impl Rng) -> u64 {
    1_000_000 / (least + rng.random_range(0..1_000))
}

/// What orders, returns and labels ask of all shoppers. Shoppers are numbered from 0 here, and from 1 in the tables.
#[derive(Debug)]
pub(super) struct People {
    joined: Vec<Day>,
    returns_much: Vec<bool>,
    cut_off: Vec<u8>,
    buyers: Weighted,
}

impl People {
    /// **Memory**: 12 bytes a shopper.
    pub(super) fn draw(seed: u64, n_shoppers: usize) -> Self {
        let mut people = Self {
            joined: Vec::with_capacity(n_shoppers),
            returns_much: Vec::with_capacity(n_shoppers),
            cut_off: Vec::with_capacity(n_shoppers),
            buyers: Weighted::with_capacity(n_shoppers),
        };
        for shopper in shoppers(seed, n_shoppers) {
            people.joined.push(shopper.joined);
            people.returns_much.push(shopper.returns_much);
            people.cut_off.push(shopper.cut_off);
            people.buyers.push(shopper.weight);
        }
        people
    }

    pub(super) fn len(&self) -> usize {
        self.joined.len()
    }

    /// Facts of this day and later do not exist for the shopper's example.
    pub(super) fn cut_off(&self, shopper: usize) -> Day {
        CUT_OFFS[usize::from(self.cut_off[shopper])]
    }

    pub(super) fn returns_much(&self, shopper: usize) -> bool {
        self.returns_much[shopper]
    }

    /// A shopper who had joined before this day. Two in three had joined before the first order, so a few draws are enough.
    pub(super) fn draw_buyer(&self, day: Day, rng: &mut impl Rng) -> usize {
        loop {
            let shopper = self.buyers.draw(rng);
            if self.joined[shopper] < day {
                return shopper;
            }
        }
    }
}
