//! The note of a model that is written together with its run folder: no system replaces two places at once.
//!
//! The folder, which holds the model too, is replaced first. The file, whole by then, follows right after. Until both
//! are in place, the note `.gleaner-NAME.run` is in the folder of the file. It holds the folder and the hashes of both models.
//! After a kill between the two it stays there, and a command that reads the file warns.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::own_folder::read_own;
use super::place::{PREFIX, parent_of};
use super::whole_folder::{followed, hidden_name};

/// The end of a note's name.
const SUFFIX: &str = ".run";

/// The run that a file is about to belong to.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunNote {
    /// The run folder, by its one path.
    run: PathBuf,
    /// The SHA-256 of the file as it will be.
    model: String,
    /// The SHA-256 of each model in the folder, by the model's path below it.
    models: BTreeMap<String, String>,
}

impl RunNote {
    /// The note of a file of this content and a run folder with these models, by their paths below it.
    pub fn new<'m>(content: &str, run: &Path, models: impl IntoIterator<Item = (String, &'m str)>) -> Self {
        Self {
            run: run.to_owned(),
            model: hash(content.as_bytes()),
            models: models.into_iter().map(|(path, text)| (path, hash(text.as_bytes()))).collect(),
        }
    }

    /// Puts it beside the file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let path = Self::place(file);
        let mut note =
            tempfile::Builder::new().prefix(PREFIX).suffix(".tmp").tempfile_in(parent_of(&path))?;
        serde_json::to_writer(&mut note, self)?;
        note.flush()?;
        note.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes the note beside a file, if there is one: both places are written, or one of them anew.
    pub fn remove(file: &Path) {
        let _ = std::fs::remove_file(Self::place(file));
    }

    /// The run folder that was replaced when this file was not, if a command was killed between the two.
    pub fn left_behind(file: &Path) -> Option<PathBuf> {
        let note: Self = serde_json::from_slice(&read_own(&Self::place(file)).ok()?).ok()?;
        let is_of = |path: &Path, hashed: &str| read_own(path).is_ok_and(|text| hash(&text) == hashed);
        let is_replaced = note.models.iter().all(|(path, hashed)| is_of(&note.run.join(path), hashed));
        (is_replaced && !is_of(&followed(file), &note.model)).then_some(note.run)
    }

    fn place(file: &Path) -> PathBuf {
        let file = followed(file);
        let mut name: OsString = hidden_name(&file);
        name.push(SUFFIX);
        parent_of(&file).join(name)
    }
}

fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::RunNote;

    /// At each moment of a command: before it, with the note, with the folder, with both.
    #[test]
    fn only_what_was_left_between_the_two_is_told() {
        let place = tempfile::tempdir().expect("a folder");
        let (file, run) = (place.path().join("model.json"), place.path().join("run"));
        std::fs::create_dir(&run).expect("a folder");
        let write = |path, text: &str| std::fs::write(path, text).expect("it can be written");
        write(file.clone(), "old");
        write(run.join("model.json"), "old");
        assert_eq!(RunNote::left_behind(&file), None);
        let note = RunNote::new("new", &run, [("model.json".to_owned(), "new")]);
        note.write(&file).expect("it can be written");
        assert_eq!(RunNote::left_behind(&file), None, "both are old");
        write(run.join("model.json"), "new");
        assert_eq!(RunNote::left_behind(&file), Some(run.clone()));
        write(file.clone(), "new");
        assert_eq!(RunNote::left_behind(&file), None, "both are new");
        RunNote::remove(&file);
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 2);
        // A note of somebody else's making is no model's.
        write(place.path().join(".gleaner-model.json.run"), "{\"run\": 1}");
        assert_eq!(RunNote::left_behind(&file), None);
    }
}
