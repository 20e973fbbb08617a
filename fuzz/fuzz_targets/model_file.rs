//! Model files: any text is a model or is refused, and what is read is written as it was.

#![no_main]

use gleaner::store::ModelFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(file) = ModelFile::from_json(text) {
        let written = file.to_json();
        let read = ModelFile::from_json(&written).expect("what is written can be read");
        assert_eq!(read.to_json(), written);
    }
});
