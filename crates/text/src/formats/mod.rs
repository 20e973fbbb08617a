//! The formats of corpora, a file each, and how one is recognised.

mod bioc;
mod bioc_xml;
mod brat;
mod conllu;
mod json_lines;
mod shared;
#[cfg(test)]
mod tests;
mod unified_xml;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{Diagnostic, Sources, check_within, codes, unreadable};

use crate::corpus::{Corpus, Document};

/// Reads one file, or, of a format whose documents are several files, the file that names it.
type ReadFile = fn(&Path, &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>>;

/// A format of corpora.
struct Format {
    /// What files of it are called, in words.
    in_words: &'static str,
    /// The ending of its files.
    ending: &'static str,
    /// What the first bytes of a file hold one of, where others have the same ending.
    signs: &'static [&'static str],
    read: ReadFile,
}

/// The formats, in the order in which they are tried.
const FORMATS: [Format; 6] = [
    Format {
        in_words: "NAME.xml, the unified XML of interactions",
        ending: "xml",
        signs: &["<corpus"],
        read: unified_xml::read,
    },
    Format {
        in_words: "NAME.xml, a collection of BioC",
        ending: "xml",
        signs: &["<collection"],
        read: bioc_xml::read,
    },
    Format {
        in_words: "NAME.jsonl, a document in each line",
        ending: "jsonl",
        signs: &[],
        read: json_lines::read,
    },
    Format {
        in_words: "NAME.json, BioC",
        ending: "json",
        signs: &["\"documents\"", "\"passages\""],
        read: bioc::read,
    },
    Format {
        in_words: "NAME.conllu, sentences in CoNLL-U",
        ending: "conllu",
        signs: &[],
        read: conllu::read,
    },
    Format {
        in_words: "NAME.ann beside NAME.txt, standoff of brat",
        ending: "ann",
        signs: &[],
        read: brat::read,
    },
];

/// The bytes of a file in which its sign is looked for.
const HEAD: u64 = 4096;

/// Whether a file or folder is a corpus that can be read.
pub fn is_corpus(path: &Path) -> bool {
    matches!(files(path, &Sources::new()).as_deref(), Ok([_, ..]))
}

/// Whether a file or folder is a corpus for sure: lines of JSON are one only if the first ones have a text and entities.
pub fn is_plainly_corpus(path: &Path) -> bool {
    let is_sure = |(file, format): &(PathBuf, &Format)| {
        let head = if format.ending == "jsonl" { head(file, &Sources::new()) } else { return true };
        head.contains("\"text\"") && head.contains("\"entities\"")
    };
    files(path, &Sources::new()).is_ok_and(|files| files.first().is_some_and(is_sure))
}

/// Reads a corpus: a file, or all files of a folder that have the same format, ascending by name; without a path, the
/// texts that the sources hold.
///
/// # Errors
///
/// A path that holds no corpus, and the faults of its files.
pub fn read(path: &Path, sources: &mut Sources) -> Result<Corpus, Vec<Diagnostic>> {
    let files = files(path, sources).map_err(|error| vec![unreadable(path, &error)])?;
    if files.is_empty() {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.in_words).collect();
        return Err(vec![
            Diagnostic::error(codes::BAD_CORPUS, format!("{} no corpus", holder(path)))
                .with_help(format!("a corpus is {}; or a folder of such files", known.join("; "))),
        ]);
    }
    let (mut documents, mut faults) = (Vec::new(), Vec::new());
    for (file, format) in files {
        let mut read = || (format.read)(&file, sources);
        let is_held = path.as_os_str().is_empty();
        let checked = if is_held { Ok(()) } else { check_within(&file, path) };
        match checked.map_err(|fault| vec![fault]).and_then(|()| read()) {
            Ok(found) => {
                let is_only = found.len() == 1;
                documents.extend(found.into_iter().map(|document| document.named_by_content(is_only)));
            }
            Err(found) => faults.extend(found),
        }
    }
    // Folds and streams follow names, and never the order of documents in a file: `d2` comes before `d10`.
    let key = |document: &Document| (document.id.len(), document.id.clone(), document.number);
    documents.sort_by_cached_key(key);
    documents.iter_mut().for_each(Document::add_number);
    let mut known = BTreeSet::new();
    for document in &documents {
        if !known.insert(document.id.as_str()) {
            let what = format!("two documents are called {}", document.id);
            faults.push(
                Diagnostic::error(codes::BAD_ANNOTATION, what)
                    .with_help("give each document a name of its own"),
            );
        }
    }
    if faults.is_empty() { Ok(Corpus { documents }) } else { Err(faults) }
}

/// What holds documents, in words.
fn holder(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        "the documents are".to_owned()
    } else {
        format!("{} holds", path.display())
    }
}

/// The files of the first format that there are files of.
fn files(path: &Path, sources: &Sources) -> std::io::Result<Vec<(PathBuf, &'static Format)>> {
    let mut all = vec![path.to_owned()];
    if path.as_os_str().is_empty() {
        all = sources.held().map(Path::to_owned).collect();
        all.sort();
    } else if path.is_dir() {
        all = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        all.sort();
    }
    for format in &FORMATS {
        let own: Vec<PathBuf> = all.iter().filter(|file| format.has(file, sources)).cloned().collect();
        if !own.is_empty() {
            return Ok(own.into_iter().map(|file| (file, format)).collect());
        }
    }
    Ok(Vec::new())
}

impl Format {
    fn has(&self, file: &Path, sources: &Sources) -> bool {
        let has_ending = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(self.ending));
        let is_file = || sources.held_text(file).is_some() || file.is_file();
        has_ending && is_file() && (self.signs.is_empty() || self.has_sign(file, sources))
    }

    fn has_sign(&self, file: &Path, sources: &Sources) -> bool {
        let head = head(file, sources);
        self.signs.iter().any(|sign| head.contains(sign))
    }
}

/// The first bytes of a file, or of a text that is held, as text.
fn head(file: &Path, sources: &Sources) -> String {
    if let Some(text) = sources.held_text(file) {
        let bytes = text.as_bytes();
        #[expect(clippy::cast_possible_truncation, reason = "it is a small constant")]
        let n_bytes = bytes.len().min(HEAD as usize);
        return String::from_utf8_lossy(&bytes[..n_bytes]).into_owned();
    }
    let mut bytes = Vec::new();
    // What cannot be read shows no sign of a format.
    if let Ok(file) = fs::File::open(file) {
        drop(file.take(HEAD).read_to_end(&mut bytes));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
