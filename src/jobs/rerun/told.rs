//! What the files of a run say of its command, its data and its places. A run may be a stranger's, so each word of it is
//! checked before it becomes a word of a command: only flags of reading, only settings, only files whose content the run
//! knows.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use gleaner_lang::syntax::{Sources, check_regular};

use crate::experiment::catalog;
use crate::experiment::records::run_record::{RunInput, RunRecord};
use crate::experiment::settings::asked::{Files, READING_FLAGS, files_beside};

use super::super::feature_clauses::file_name;
use super::super::files::RECORD;
use super::files_below;

/// The file of a run that no two runs share.
pub(super) const TIMING: &str = "timing.json";

/// The model of a run, in the folder of its fold.
const MODEL: &str = "model.json";

/// The commands that write runs.
const COMMANDS: [&str; 2] = ["cv", "learn"];

/// Bytes that are read at once.
const BLOCK: usize = 1 << 16;

/// `timing.json` holds a few paths; a longer file is none of ours.
const MOST_BYTES: u64 = 1 << 20;

/// The paths that `timing.json` holds.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Told {
    pub(super) data: Option<PathBuf>,
    /// Older releases did not tell.
    #[serde(default)]
    pub(super) files: Files<PathBuf>,
    /// The hash of the content of each file of clauses; the record has only the hash of its clauses.
    #[serde(default)]
    clauses_sha256: Vec<Option<String>>,
}

impl Told {
    pub(super) fn by(folder: &Path) -> Self {
        let path = folder.join(TIMING);
        let is_ours = fs::symlink_metadata(&path).is_ok_and(|is| is.is_file() && is.len() <= MOST_BYTES);
        let text = is_ours.then(|| fs::read_to_string(path).ok()).flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// The first file of a flag whose content is not what the run read. A path that leads nowhere is left to the command,
    /// which says so.
    pub(super) fn unknown_file(&self, flag: &str, record: &RunRecord) -> Option<&Path> {
        let inputs = &record.request.inputs;
        let is_known = |at: usize, path: &Path| match flag {
            "feature-clauses" => {
                let known = self.clauses_sha256.get(at).and_then(Option::as_deref);
                known.is_some() && content_hash(path).as_deref() == known
            }
            _ => inputs.iter().any(|input| input.name == file_name(path) && has_hash(path, &input.sha256)),
        };
        let paths = self.files.get(flag).into_iter().flatten().enumerate();
        let mut paths = paths.filter(|(_, path)| path.exists());
        paths.find(|(at, path)| !is_known(*at, path)).map(|(_, path)| &**path)
    }
}

/// What a record asks that is none of a run: any command, flag, setting or file could stand there.
pub(super) fn strange_word(record: &RunRecord) -> Option<String> {
    let request = &record.request;
    if !COMMANDS.contains(&&*request.command) {
        return Some(format!("the command {:?}", request.command));
    }
    if let Some(flag) = request.flags.keys().find(|flag| !READING_FLAGS.contains(&&***flag)) {
        return Some(format!("the flag {flag:?}, which is none of reading"));
    }
    let is_setting = |name: &str| catalog().iter().any(|setting| setting.about().name == name);
    if let Some(name) = record.settings.keys().find(|name| !is_setting(name)) {
        return Some(format!("the setting {name:?}, which there is not"));
    }
    let outside = request.inputs.iter().find(|input| !stays_below(&input.name));
    outside.map(|input| format!("the file {:?}, which is outside of the data's folder", input.name))
}

/// Whether a name leads to a place below the folder that it is taken from.
fn stays_below(name: &str) -> bool {
    name == "-" || Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// A file that the run read, below the data's folder; none if it is a link that leaves the folder.
fn input_path(data: &Path, name: &str) -> Option<PathBuf> {
    if !data.is_dir() {
        return Some(data.to_owned());
    }
    let path = data.join(name).canonicalize().ok()?;
    data.canonicalize().is_ok_and(|folder| path.starts_with(folder)).then_some(path)
}

/// Whether these are the file that the run read, or one of the files beside the data is.
pub(super) fn is_unchanged(input: &RunInput, data: &Path, beside: &[&PathBuf]) -> bool {
    let named = beside.iter().filter(|path| file_name(path) == input.name);
    let below = input_path(data, &input.name);
    below.iter().chain(named.copied()).any(|path| has_hash(path, &input.sha256))
}

/// A file that the run read in its data and that is another one now, by its name; no name if it read none there. Files that
/// the command names beside the data need not lie there.
pub(super) fn unknown_input<'r>(record: &'r RunRecord, data: &Path, beside: &[&PathBuf]) -> Option<&'r str> {
    let inputs = &record.request.inputs;
    let is_there = |name: &str| match input_path(data, name) {
        Some(_) if data.is_dir() => true,
        Some(path) => file_name(&path) == name || file_name(data) == name,
        None => false,
    };
    let named = files_beside(record);
    let is_beside = |name: &String| {
        ["modes", "background"].iter().any(|flag| named.get(*flag).is_some_and(|names| names.contains(name)))
    };
    let (there, others): (Vec<&RunInput>, Vec<&RunInput>) =
        inputs.iter().partition(|input| is_there(&input.name));
    let changed = there.iter().find(|input| !is_unchanged(input, data, beside));
    let lost = || others.iter().find(|input| !is_beside(&input.name));
    let name = changed.or_else(lost).map(|input| &*input.name);
    name.or_else(|| there.is_empty().then_some(""))
}

/// Whether a file has the hash of what was read. A table that is no text has that of its bytes. Any other has that of its
/// text, which a compressed file only holds.
fn has_hash(path: &Path, known: &str) -> bool {
    let mut sources = Sources::new();
    check_regular(path).is_ok()
        && (file_hash(path).is_some_and(|hash| hash == known)
            || sources.load_data(path).is_ok_and(|file| super::sha256(&sources.get(file).content()) == known))
}

/// The hash of a regular file's bytes.
fn file_hash(path: &Path) -> Option<String> {
    check_regular(path).ok()?;
    let (mut file, mut hash) = (File::open(path).ok()?, Sha256::new());
    let mut block = vec![0; BLOCK];
    loop {
        match file.read(&mut block).ok()? {
            0 => break,
            n_read => hash.update(&block[..n_read]),
        }
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The hash of a file of clauses, or of a run folder that holds some; none of what can be read only once.
pub(crate) fn content_hash(path: &Path) -> Option<String> {
    if !path.is_dir() {
        return file_hash(path);
    }
    let is_read = |name: &&String| [RECORD, MODEL].iter().any(|read| Path::new(name).ends_with(read));
    let mut names: Vec<String> = files_below(path, "").ok()?.iter().filter(is_read).cloned().collect();
    names.sort();
    let lines = names.iter().map(|name| Some(format!("{name} {}\n", file_hash(&path.join(name))?)));
    Some(super::sha256(lines.collect::<Option<String>>()?.as_bytes()))
}
