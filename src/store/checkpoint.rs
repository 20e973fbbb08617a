//! A checkpoint: a folder with a file for each finished part, so that a killed command can go on from there.
//!
//! Its `request.json` holds the request; without it there is no checkpoint. A file `NAME.kept` has the hash of its text
//! in the first line: a torn or changed file is not used. Files are renamed into place but not synced, since the hash
//! detects losses of a failing machine. `work.json` holds the amount of work so far. The folder is made when the first
//! part is finished. Only the process that holds the run folder may touch its checkpoint.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use gleaner_base::{Keeper, PartText};

use super::own_folder::{OwnError, check_own, read_own};
use gleaner_lang::syntax::{Code, codes};

use super::place::{PREFIX, parent_of};

const REQUEST: &str = "request.json";
/// How much was worked so far: no result depends on it.
const WORK: &str = "work.json";
/// Begins the names of files with the work of one of several processes.
const WORK_BESIDE: &str = "work-";
const SUFFIX: &str = ".kept";

/// Warns the user.
pub type Teller<'t> = Box<dyn Fn(Code, &str) + Send + Sync + 't>;

/// A folder of finished work.
pub struct Checkpoint<'t> {
    folder: PathBuf,
    /// The request of the work.
    request: String,
    /// What kept texts are bound to, beside their content; empty where the folder is of one process.
    salt: String,
    /// Parts of unfinished runs are written as often as this.
    keep_every: Duration,
    /// Those that are not written yet.
    parts: Mutex<Parts>,
    /// Whether the folder is made.
    is_made: Mutex<bool>,
    tell: Teller<'t>,
    /// Whether the user was told that nothing can be kept.
    has_failed: AtomicBool,
}

/// What cannot be written in a checkpoint.
#[derive(Debug)]
pub struct NotWritten {
    /// The file or folder.
    pub path: PathBuf,
    /// Why not.
    pub error: io::Error,
}

/// Finished parts of unfinished runs, by their names.
#[derive(Default)]
struct Parts {
    texts: BTreeMap<String, PartText>,
    /// How long they took, together.
    seconds: f64,
}

impl std::fmt::Debug for Checkpoint<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoint").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl<'t> Checkpoint<'t> {
    /// The checkpoint of this work in this folder, which need not exist. Parts of unfinished runs that took less than
    /// `keep_every`, together, are kept when all ends.
    pub fn at(folder: PathBuf, request: String, keep_every: Duration, tell: Teller<'t>) -> Self {
        Self {
            folder,
            request,
            salt: String::new(),
            keep_every,
            parts: Mutex::default(),
            is_made: Mutex::new(false),
            tell,
            has_failed: AtomicBool::new(false),
        }
    }

    /// A folder that several processes keep runs of one request in. None of them removes what is kept. A text of another
    /// request or name is not used, as that of a process whose plan was replaced by another one.
    pub fn shared(folder: PathBuf, request: String, keep_every: Duration, tell: Teller<'t>) -> Self {
        let made = Self::at(folder, String::new(), keep_every, tell);
        Self { salt: request, is_made: Mutex::new(true), ..made }
    }

    /// The first line of a kept text.
    fn stamp(&self, name: &str, text: &str) -> String {
        if self.salt.is_empty() { hash(&[text]) } else { hash(&[&self.salt, "\n", name, "\n", text]) }
    }

    /// Makes the folder with its first file, if nothing is in it. Else it returns the name of what is.
    ///
    /// # Errors
    ///
    /// When it cannot be made, or something else stands there.
    pub fn begin(&self, name: &str, text: &str) -> Result<Option<String>, OwnError> {
        std::fs::create_dir_all(&self.folder)?;
        self.check_own()?;
        let there = self.names().into_iter().min();
        if there.is_none() {
            self.write(name, &[text])?;
        }
        Ok(there)
    }

    /// Where the checkpoint of a folder is: beside it, its name with `.partial` at the end.
    pub fn beside(folder: &Path) -> PathBuf {
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        folder.with_file_name(name)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Refuses anything but a folder of this user, before anything in it is read, written or removed. Others who may
    /// write beside the run folder could have put a link or a forged checkpoint there.
    ///
    /// # Errors
    ///
    /// When something else stands there.
    pub fn check_own(&self) -> Result<(), OwnError> {
        check_own(&self.folder)
    }

    /// The description of the kept work; none if nothing is kept.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be read.
    pub fn earlier_request(&self) -> io::Result<Option<String>> {
        match self.read(REQUEST) {
            Ok(text) => Ok(Some(text).filter(|_| !self.kept_names().is_empty())),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The last note on the amount of work.
    pub fn work(&self) -> Option<String> {
        self.read(WORK).ok()
    }

    /// Notes the work of a process beside that of others. If that fails, only times are lost, without a message.
    pub fn note_work_beside(&self, text: &str) {
        let made = tempfile::Builder::new().prefix(WORK_BESIDE).suffix(".json").tempfile_in(&self.folder);
        let _ = made.map(|mut file| file.write_all(text.as_bytes()).map(|()| file.keep()));
    }

    /// The notes of all processes that noted their work beside that of others.
    pub fn works(&self) -> Vec<String> {
        let names = self.names().into_iter().filter(|name| name.starts_with(WORK_BESIDE));
        names.filter_map(|name| self.read(&name).ok()).collect()
    }

    fn read(&self, name: &str) -> io::Result<String> {
        String::from_utf8(read_own(&self.folder.join(name))?).map_err(io::Error::other)
    }

    /// Notes how much was worked so far, if anything is kept. If that fails, only times are lost, without a message.
    pub fn note_work(&self, text: &str) {
        if self.is_made.lock().is_ok_and(|is_made| *is_made) {
            let _ = self.write(WORK, &[text]);
        }
    }

    /// Something in the folder that is of no checkpoint, by its name.
    pub fn stranger(&self) -> Option<String> {
        let mut strangers: Vec<String> = self.names().into_iter().filter(|name| !is_own(name)).collect();
        strangers.sort();
        strangers.into_iter().next()
    }

    /// The names of all that is kept, ascending.
    pub fn kept_names(&self) -> Vec<String> {
        let names = self.names();
        let mut kept: Vec<String> =
            names.iter().filter_map(|name| name.strip_suffix(SUFFIX)).map(str::to_owned).collect();
        kept.sort();
        kept
    }

    /// Goes on with the kept parts; removes files that a killed process was writing.
    pub fn go_on(&self) {
        self.remove(|name| name.starts_with(PREFIX));
        if let Ok(mut is_made) = self.is_made.lock() {
            *is_made = true;
        }
    }

    /// Removes the files of the checkpoint; other files stay.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        // First the file that makes it a checkpoint: anything that a kill leaves behind is then none.
        match std::fs::remove_file(self.folder.join(REQUEST)) {
            Err(error) if !is_absent(&error) => return Err(error),
            _ => {}
        }
        self.remove(is_own);
        match std::fs::remove_dir(&self.folder) {
            Err(error) if !is_absent(&error) => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes the folder, if it is not made yet.
    fn make(&self) -> io::Result<()> {
        let Ok(mut is_made) = self.is_made.lock() else { return Ok(()) };
        if !*is_made {
            std::fs::create_dir_all(parent_of(&self.folder))?;
            match std::fs::create_dir(&self.folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) => check_own(&self.folder).map_err(io::Error::other)?,
                Ok(()) => {}
            }
            self.write(REQUEST, &[&self.request])?;
            *is_made = true;
        }
        Ok(())
    }

    /// Tries whether texts can be kept under these names.
    ///
    /// # Errors
    ///
    /// The folder, if no file can be written in it; else the first that is something else than a file.
    pub fn check_written<'n>(&self, names: impl Iterator<Item = &'n str>) -> Result<(), NotWritten> {
        let tried = tempfile::Builder::new().prefix(PREFIX).tempfile_in(&self.folder);
        let written = tried.and_then(|mut file| file.write_all(self.salt.as_bytes()));
        written.map_err(|error| NotWritten { path: self.folder.clone(), error })?;
        let mut paths = names.map(|name| self.folder.join(Self::file_name(name)));
        match paths.find(|path| path.symlink_metadata().is_ok_and(|there| !there.is_file())) {
            Some(path) => Err(NotWritten { path, error: io::Error::other("it is no file") }),
            None => Ok(()),
        }
    }

    /// Adds a part of an unfinished run. Returns whether it was written, with all others that were not.
    pub fn add_part(&self, name: &str, text: PartText, seconds: f64) -> bool {
        let mut parts = self.parts();
        parts.texts.insert(name.to_owned(), text);
        parts.seconds += seconds;
        drop(parts);
        let is_due = self.is_worth(0.0);
        if is_due {
            self.keep_parts();
        }
        is_due
    }

    /// Writes the parts of unfinished runs that are not written yet.
    pub fn keep_parts(&self) {
        let parts = std::mem::take(&mut *self.parts());
        let texts = parts.texts.iter().filter_map(|(name, text)| Some((name, text()?)));
        texts.for_each(|(name, text)| self.keep(name, &text));
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    fn remove(&self, is_removed: impl Fn(&str) -> bool) {
        for name in self.names().iter().filter(|name| is_removed(name)) {
            let _ = std::fs::remove_file(self.folder.join(name));
        }
    }

    fn write(&self, name: &str, parts: &[&str]) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(&self.folder)?;
        parts.iter().try_for_each(|part| file.write_all(part.as_bytes()))?;
        file.persist(self.folder.join(name)).map_err(|error| error.error)?;
        Ok(())
    }

    fn file_name(name: &str) -> String {
        format!("{name}{SUFFIX}")
    }
}

/// Whether a file of this name is of a checkpoint.
fn is_own(name: &str) -> bool {
    name == REQUEST || name == WORK || name.ends_with(SUFFIX) || name.starts_with(PREFIX)
}

/// Whether nothing is there.
fn is_absent(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    parts.iter().for_each(|part| digest.update(part.as_bytes()));
    digest.finalize().iter().fold(String::new(), |mut hash, byte| {
        let _ = write!(hash, "{byte:02x}");
        hash
    })
}

impl Keeper for Checkpoint<'_> {
    fn kept(&self, name: &str) -> Option<String> {
        if let Some(text) = self.parts().texts.get(name) {
            return text();
        }
        let read = read_own(&self.folder.join(Self::file_name(name)));
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) if is_absent(&error) => return None,
            Err(error) => {
                self.reject(name, &error.to_string());
                return None;
            }
        };
        let text = String::from_utf8(bytes).ok();
        let parts = text.as_deref().and_then(|text| text.split_once('\n'));
        match parts {
            Some((said, text)) if said == self.stamp(name, text) => Some(text.to_owned()),
            _ => {
                let or_other = if self.salt.is_empty() { "" } else { " or of another plan" };
                self.reject(name, &format!("it is damaged{or_other}"));
                None
            }
        }
    }

    fn keep(&self, name: &str, text: &str) {
        let written = self
            .make()
            .and_then(|()| self.write(&Self::file_name(name), &[&self.stamp(name, text), "\n", text]));
        if let Err(error) = written
            && !self.has_failed.swap(true, Ordering::Relaxed)
        {
            let what = format!(
                "{} cannot be written ({error}): a kill loses all work from now on",
                self.folder.display()
            );
            (self.tell)(codes::WRITE_FAILED, &what);
        }
    }

    fn keep_part(&self, name: &str, text: PartText, seconds: f64) {
        self.add_part(name, text, seconds);
    }

    fn forget(&self, beginning: &str) {
        let mut parts = self.parts();
        parts.texts.retain(|name, _| !name.starts_with(beginning));
        if parts.texts.is_empty() {
            parts.seconds = 0.0;
        }
        drop(parts);
        self.remove(|name| name.starts_with(beginning) && name.ends_with(SUFFIX));
    }

    fn reject(&self, name: &str, why: &str) {
        let path = self.folder.join(Self::file_name(name));
        let what = format!("{} is not used, {why}: that run is done again", path.display());
        (self.tell)(codes::UNFINISHED_RUN, &what);
    }

    fn is_worth(&self, seconds: f64) -> bool {
        seconds + self.parts().seconds >= self.keep_every.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::Checkpoint;
    use gleaner_base::Keeper;

    #[test]
    fn damage_is_found_and_told() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Checkpoint::beside(&place.path().join("run"));
        let messages: Mutex<Vec<String>> = Mutex::default();
        let tell = |_, text: &str| messages.lock().expect("no thread panicked").push(text.to_owned());
        let checkpoint =
            Checkpoint::at(folder.clone(), "{}".to_owned(), Duration::from_secs(60), Box::new(tell));
        assert_eq!(
            [59.9, 60.0, f64::INFINITY].map(|seconds| checkpoint.is_worth(seconds)),
            [false, true, true]
        );
        assert!(checkpoint.earlier_request().expect("no fault").is_none() && !folder.exists());
        let text = "two lines\nof \u{1F980}\n";
        for name in ["run-1", "run-2", "run-3", "run-10", "seed-1"] {
            checkpoint.keep(name, text);
        }
        // The hash of "a\n" by `printf 'a\n' | sha256sum`.
        let whole = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7\na\n";
        for (name, content) in [("run-1", whole), ("run-2", &whole[..66]), ("run-3", "")] {
            std::fs::write(folder.join(format!("{name}.kept")), content).expect("it can be written");
        }
        let kept = ["run-1", "run-2", "run-3", "run-4", "run-10"].map(|name| checkpoint.kept(name));
        assert_eq!(kept, [Some("a\n".to_owned()), None, None, None, Some(text.to_owned())]);
        let messages = messages.lock().expect("no thread panicked");
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[0].contains("run-2.kept is not used, it is damaged"), "{messages:?}");
        checkpoint.forget("run-1");
        assert_eq!(checkpoint.kept_names(), ["run-2", "run-3", "seed-1"]);
        assert_eq!(checkpoint.earlier_request().expect("no fault").as_deref(), Some("{}"));
    }

    /// Parts of 40, 19 and 1 seconds: the last makes a minute, which all three are written for.
    #[test]
    fn parts_are_written_together_or_at_the_end() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Checkpoint::beside(&place.path().join("run"));
        let checkpoint = || {
            let tell = Box::new(|_, text: &str| panic!("{text}"));
            Checkpoint::at(folder.clone(), "{}".to_owned(), Duration::from_secs(60), tell)
        };
        let own = checkpoint();
        let add = |name: &str, seconds: f64| {
            let text = format!("text of {name}");
            own.add_part(name, Box::new(move || Some(text.clone())), seconds)
        };
        assert!(!add("seed-1-1-1-1", 40.0) && !add("seed-1-1-2-1", 19.0));
        assert_eq!(own.kept("seed-1-1-1-1").as_deref(), Some("text of seed-1-1-1-1"));
        assert!(own.is_worth(1.0) && !own.is_worth(0.9) && !folder.exists());
        assert!(add("seed-1-1-2-2", 1.0));
        assert_eq!(own.kept_names(), ["seed-1-1-1-1", "seed-1-1-2-1", "seed-1-1-2-2"]);
        assert!(!add("seed-1-1-3-1", 59.0) && !add("seed-1-1-4-1", 0.5));
        // The third run is finished.
        own.forget("seed-1-1-3-");
        own.keep_parts();
        assert_eq!(checkpoint().kept("seed-1-1-3-1"), None);
        assert_eq!(checkpoint().kept("seed-1-1-4-1").as_deref(), Some("text of seed-1-1-4-1"));
    }

    #[test]
    fn what_is_of_no_checkpoint_stays() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("run.partial");
        let checkpoint = || {
            Checkpoint::at(
                folder.clone(),
                "{}".to_owned(),
                Duration::ZERO,
                Box::new(|_, text| panic!("{text}")),
            )
        };
        let (first, checkpoint) = (checkpoint(), checkpoint());
        first.note_work("before anything is kept");
        assert_eq!(first.work(), None);
        first.keep("run-1", "text");
        first.note_work("some");
        assert_eq!(checkpoint.work().as_deref(), Some("some"));
        std::fs::write(folder.join(".gleaner-torn"), "").expect("it can be written");
        assert_eq!(checkpoint.stranger(), None);
        checkpoint.clear().expect("it can be removed");
        assert!(!folder.exists());
        checkpoint.clear().expect("nothing is there");
        checkpoint.keep("run-1", "text");
        std::fs::write(folder.join("notes.txt"), "mine").expect("it can be written");
        assert_eq!(checkpoint.stranger().as_deref(), Some("notes.txt"));
        assert!(checkpoint.clear().is_err(), "the notes are in it");
        assert_eq!(std::fs::read_to_string(folder.join("notes.txt")).expect("the notes"), "mine");
    }
}
