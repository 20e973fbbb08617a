//! Exports of DuckDB: any text as `schema.sql` is one, or is refused.

#![no_main]

mod read_as;

use libfuzzer_sys::fuzz_target;
use read_as::read_as;

fuzz_target!(|bytes: &[u8]| {
    read_as(
        &[
            ("schema.sql", bytes),
            ("load.sql", b"COPY customers FROM 'customers.csv' (FORMAT 'csv', header 1);"),
            ("customers.csv", b"id,age,churned\n7,30,yes\n9,41,no\n"),
        ],
        Some("customers.churned"),
    );
});
