//! Manifests: any text beside two tables is one, or is refused.

#![no_main]

mod read_as;

use libfuzzer_sys::fuzz_target;
use read_as::read_as;

fuzz_target!(|bytes: &[u8]| {
    read_as(
        &[
            ("schema.toml", bytes),
            ("customers.csv", b"id,age,churned\n7,30,yes\n9,41,no\n"),
            ("orders.csv", b"id,customer,day\n1,7,2024-01-02\n2,9,2024-02-03\n"),
        ],
        Some("customers.churned"),
    );
});
