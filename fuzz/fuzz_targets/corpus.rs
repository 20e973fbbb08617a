//! Corpora: any bytes as a file of each format are sentences, or are refused.

#![no_main]

mod read_as;

use libfuzzer_sys::fuzz_target;
use read_as::read_as;

fuzz_target!(|bytes: &[u8]| {
    for name in ["corpus.xml", "corpus.jsonl", "corpus.conllu", "corpus.json"] {
        read_as(&[(name, bytes)], None);
    }
    // The text of brat, and what is written beside it.
    read_as(&[("a.txt", b"Ann met Bob.\nBob met Cid.\n"), ("a.ann", bytes)], None);
});
