//! CSV files: any bytes are a table, beside another one, or are refused.

#![no_main]

mod read_as;

use libfuzzer_sys::fuzz_target;
use read_as::read_as;

fuzz_target!(|bytes: &[u8]| {
    read_as(&[("customers.csv", bytes), ("orders.csv", b"id,customer\n1,7\n2,9\n")], Some("customers.churned"));
});
