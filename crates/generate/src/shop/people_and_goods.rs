//! Shoppers: what their table says, and what the rest of the shop must know of them.
//!
//! Suppliers and products. Both tables are small and held whole.
//!
//! Draws by weights.

use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};

use super::calendar::Day;
use super::schema::{CATEGORIES, COUNTRIES, REGIONS, SEGMENTS, draw_remark, draw_share};
use super::{DOMAIN, GOODS, SHOPPERS, Sizes};

/// The days of the first and the last order.
pub(super) const FIRST_ORDER: Day = Day::of(2023, 1, 1);

pub(super) const LAST_ORDER: Day = Day::of(2024, 12, 31);

/// The cut-offs: three ends of a quarter. All shoppers joined before the first.
const CUT_OFFS: [Day; 3] = [Day::of(2024, 3, 31), Day::of(2024, 6, 30), Day::of(2024, 9, 30)];

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
fn heavy_tail(least: u64, rng: &mut impl Rng) -> u64 {
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

/// Suppliers are older than any order, so that each exists at every cut-off.
const FIRST_SUPPLIER: Day = Day::of(2004, 1, 1);

const LAST_SUPPLIER: Day = Day::of(2022, 12, 31);

#[derive(Debug)]
pub(super) struct Supplier {
    pub(super) country: u8,
    pub(super) rating: Option<u8>,
    pub(super) since: Day,
}

#[derive(Debug)]
pub(super) struct Product {
    /// From 0; from 1 in the table.
    pub(super) vendor: usize,
    pub(super) category: u8,
    /// Hundredths of a kilogram.
    pub(super) weight: u32,
    /// Hundredths of the currency.
    pub(super) list_price: u32,
}

/// All suppliers and products, numbered from 0 here and from 1 in the tables.
#[derive(Debug)]
pub(super) struct Goods {
    pub(super) suppliers: Vec<Supplier>,
    pub(super) products: Vec<Product>,
    pub(super) popularity: Weighted,
}

impl Goods {
    pub(super) fn draw(seed: u64, sizes: &Sizes) -> Self {
        let mut rng = stream(seed, Purpose::Generate, &[DOMAIN, GOODS]);
        let suppliers: Vec<Supplier> = (0..sizes.suppliers).map(|_| Supplier::draw(&mut rng)).collect();
        let products: Vec<Product> =
            (0..sizes.products).map(|_| Product::draw(suppliers.len(), &mut rng)).collect();
        let mut popularity = Weighted::with_capacity(products.len());
        for _ in &products {
            popularity.push(heavy_tail(30, &mut rng));
        }
        Self { suppliers, products, popularity }
    }

    /// The country of a product's supplier.
    pub(super) fn country(&self, product: usize) -> u8 {
        self.suppliers[self.products[product].vendor].country
    }
}

impl Supplier {
    fn draw(rng: &mut Pcg64) -> Self {
        Self {
            country: draw_share(&COUNTRIES, rng),
            rating: rng.random_bool(0.9).then(|| rng.random_range(1..=5)),
            since: FIRST_SUPPLIER.after(rng.random_range(0..LAST_SUPPLIER.days_since(FIRST_SUPPLIER))),
        }
    }
}

impl Product {
    fn draw(n_suppliers: usize, rng: &mut Pcg64) -> Self {
        // Cubes of equal steps: most products are cheap and light.
        let cube = |rng: &mut Pcg64| rng.random_range(1_u32..=100).pow(3);
        Self {
            vendor: rng.random_range(0..n_suppliers),
            category: draw_share(&CATEGORIES, rng),
            weight: 5 + cube(rng) / 400 + rng.random_range(0..20),
            list_price: 150 + cube(rng) / 25 + rng.random_range(0..350),
        }
    }
}

/// Positions, each drawn in proportion to its whole weight. Whole numbers give the same draws on every processor.
#[derive(Debug)]
pub(super) struct Weighted {
    /// The sums of the weights up to each position, that one too; ascending.
    ends: Vec<u64>,
}

impl Weighted {
    pub(super) fn with_capacity(len: usize) -> Self {
        Self { ends: Vec::with_capacity(len) }
    }

    /// Adds a position. At least one weight must be positive before the first draw.
    pub(super) fn push(&mut self, weight: u64) {
        self.ends.push(self.ends.last().copied().unwrap_or(0) + weight);
    }

    /// **Cost**: logarithmic in the positions.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> usize {
        let total = self.ends.last().copied().unwrap_or(0);
        let at = rng.random_range(0..total);
        self.ends.partition_point(|&end| end <= at)
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::random::{Purpose, stream};

    use super::*;

    #[test]
    fn draws_follow_the_weights() {
        let mut weighted = Weighted::with_capacity(3);
        for weight in [1, 0, 3] {
            weighted.push(weight);
        }
        let mut rng = stream(1, Purpose::Generate, &[]);
        let mut n_drawn = [0_u32; 3];
        for _ in 0..4_000 {
            n_drawn[weighted.draw(&mut rng)] += 1;
        }
        // A share of 1/4 of 4,000 has the standard deviation 27.
        assert!((900..1_100).contains(&n_drawn[0]) && n_drawn[1] == 0, "{n_drawn:?}");
    }
}
