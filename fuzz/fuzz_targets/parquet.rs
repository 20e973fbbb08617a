//! Parquet files: any bytes are a table or are refused.

#![no_main]

mod read_as;

use libfuzzer_sys::fuzz_target;
use read_as::read_as;

fuzz_target!(|bytes: &[u8]| {
    read_as(&[("customers.parquet", bytes)], Some("customers.churned"));
});
