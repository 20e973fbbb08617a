//! The reader of problems: any bytes as the background of a small problem load, or are refused by coded messages.

#![no_main]

use gleaner_data::{LoadRequest, load};
use gleaner_lang::syntax::{Sources, render};
use libfuzzer_sys::fuzz_target;

const MODES: &str = ":- modeh(1, t(+x)). :- modeb(*, p(+x, -x)). :- modeb(1, p(+x, #x)).";

fuzz_target!(|background: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write =
        |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("it is written");
    write("background.pl", background);
    write("modes.pl", MODES.as_bytes());
    write("pos.pl", b"t(a). t(b).");
    write("neg.pl", b"t(c). t(d).");
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let mut sources = Sources::new();
    if let Err(faults) = load(&request, &mut sources) {
        assert!(!faults.is_empty(), "a refusal says why");
        assert!(!render(&faults, &sources, false).is_empty(), "a message has a text");
    }
});
