//! The lexer and the grammar: any text gives statements or faults, and every fault lies within the text.

#![no_main]

use gleaner_lang::syntax::read_statements;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut n_statements = 0_usize;
    let faults = read_statements(text, &mut |_| n_statements += 1);
    assert!(n_statements <= text.len(), "a statement takes a byte");
    assert!(faults.len() <= text.len() + 1, "a fault takes a byte");
});
