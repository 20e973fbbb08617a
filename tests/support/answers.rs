//! What the reference said of clauses, kept in a folder of the user's between runs: it is slow, and does not
//! change while the engines do.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use gleaner_base::FixedMap;

/// The fingerprints of the covers of one set's clauses.
pub(crate) struct Answers {
    file: Option<PathBuf>,
    known: FixedMap<String, u128>,
}

impl Answers {
    /// Those of a set, of its name; none where `GLEANER_AGREE_ANSWERS` names no folder.
    pub(crate) fn of(set: &str) -> Self {
        let folder = std::env::var_os("GLEANER_AGREE_ANSWERS").map(PathBuf::from);
        let file = folder.map(|folder| folder.join(set.replace([' ', ','], "_") + ".tsv"));
        let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let known = text.lines().filter_map(|line| {
            let (answer, clause) = line.split_once('\t')?;
            Some((clause.to_owned(), u128::from_str_radix(answer, 16).ok()?))
        });
        let known = known.collect();
        Self { file, known }
    }

    pub(crate) fn get(&self, clause: &str) -> Option<u128> {
        self.known.get(clause).copied()
    }

    pub(crate) fn keep(&mut self, clause: &str, answer: u128) {
        let Some(file) = &self.file else { return };
        let mut file =
            OpenOptions::new().create(true).append(true).open(file).expect("the file of answers opens");
        writeln!(file, "{answer:032x}\t{clause}").expect("the file of answers takes a line");
        self.known.insert(clause.to_owned(), answer);
    }
}
