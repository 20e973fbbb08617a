//! Loads bytes as a file of some data.

use std::path::Path;

use gleaner_data::{LabelName, LoadRequest, load};
use gleaner_lang::syntax::{Sources, render};

/// Loads a folder with these files as a user would; a refusal has messages with texts.
pub fn read_as(files: &[(&str, &[u8])], label: Option<&str>) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be made");
        std::fs::write(path, bytes).expect("it is written");
    }
    read(folder.path(), label);
}

fn read(path: &Path, label: Option<&str>) {
    let label: Option<LabelName> = label.map(|name| name.parse().expect("it is a name"));
    let request = LoadRequest { path: path.to_owned(), label, ..LoadRequest::default() };
    let mut sources = Sources::new();
    if let Err(faults) = load(&request, &mut sources) {
        assert!(!faults.is_empty(), "a refusal says why");
        assert!(!render(&faults, &sources, false).is_empty(), "a message has a text");
    }
}
