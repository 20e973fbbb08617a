//! Suppliers and products. Both tables are small and held whole.

use rand::RngExt;
use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};

use super::calendar::Day;
use super::config::Sizes;
use super::people::heavy_tail;
use super::streams::{DOMAIN, GOODS};
use super::vocabulary::{CATEGORIES, COUNTRIES, draw_share};
use super::weighted::Weighted;

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
