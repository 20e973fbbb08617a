//! Writing a folder whole or not at all: it is built beside its place, and then swapped in.
//!
//! A command that writes the folder `NAME` works in `.gleaner-NAME` beside it. There are `lock` (a lock of the operating
//! system, which a kill releases), `new` with the files so far, and, during a swap in two steps, `old`.
//! The next command that writes there removes leftovers of a killed one. A folder that cannot be swapped holds all this
//! itself (`in_place`).

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::claim::{lock_file, lock_left_behind, lock_left_in};
use super::in_place;
use super::own_folder::{NotOwn, OwnError, OwnFolder};
use super::place::{LOCK, NEW, OLD, PREFIX, READY, TEMPORARY, parent_of, sync_all_below, sync_folder};

/// Names longer than this are digested: file systems take 255 bytes.
const LONGEST_NAME: usize = 200;

/// Bytes gathered for one write, where a content comes piece by piece.
const BUFFER: usize = 1 << 16;

/// Why a folder cannot be written now.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another process writes it.
    #[error("another command writes it now")]
    Busy,
    /// Something else stands where a command keeps files that are not in place yet.
    #[error(transparent)]
    NotOwn(NotOwn),
    /// The folder, or the one beside it, cannot be made.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<OwnError> for ClaimError {
    fn from(error: OwnError) -> Self {
        match error {
            OwnError::NotOwn(strange) => Self::NotOwn(strange),
            OwnError::Io(error) => Self::Io(error),
        }
    }
}

/// A folder that is written file by file, and stands at its path once it is whole. Until then nobody else can write it.
///
/// Dropped before [`WholeFolder::finish`], it leaves the old folder.
#[derive(Debug)]
pub struct WholeFolder {
    target: PathBuf,
    stage: Stage,
    /// Whether the target cannot be swapped: the stage stands within it.
    in_place: bool,
    /// In that case the place beside the folder is held too, if possible: others may see the folder as one to be
    /// swapped.
    _beside: Option<Stage>,
}

/// A temporary folder, beside the target or within it; it is removed at the end.
#[derive(Debug)]
struct Stage {
    folder: OwnFolder,
    /// Held open: closing it unlocks it.
    _lock: File,
}

impl WholeFolder {
    /// An empty folder for `path`, locked. Makes parents and follows links. Removes leftovers of killed commands, and
    /// undoes a swap that a kill cut in two.
    ///
    /// # Errors
    ///
    /// When another process writes it, nothing can be written beside it, or something there is none of ours.
    pub fn claim(path: &Path) -> Result<Self, ClaimError> {
        let target = resolved(path)?;
        let in_place = in_place::is_fixed(&target);
        let within = target.join(in_place::STAGE);
        let beside = Stage::claim(&parent_of(&target).join(hidden_name(&target)));
        let (stage, beside) = match beside {
            Err(ClaimError::Io(_)) if in_place => (Stage::claim(&within)?, None),
            beside if in_place => (Stage::claim(&within)?, Some(beside?)),
            beside => (beside?, None),
        };
        if in_place {
            stage.complete_or_undo(&target)?;
        } else {
            stage.recover(&target)?;
            let within = target.join(in_place::STAGE);
            if std::fs::symlink_metadata(&within).is_ok() {
                // The folder was fixed when the command that left it was killed.
                Stage::claim(&within)?.complete_or_undo(&target)?;
            }
            clear_left_behind(parent_of(&target));
        }
        clear_left_behind(&target);
        stage.folder.make(NEW)?;
        Ok(Self { target, stage, in_place, _beside: beside })
    }

    /// Whether the entries are moved one by one, as the folder itself cannot be swapped. Meanwhile, and after a kill
    /// until the next command writes there, a reader finds only a part of them.
    pub const fn is_in_place(&self) -> bool {
        self.in_place
    }

    /// The folder that it will stand at, by its one path.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Whether the file system takes folders of this path below it.
    ///
    /// # Errors
    ///
    /// When it does not, or two such paths are one to it.
    pub fn check_name(&self, path: &str) -> io::Result<()> {
        self.stage.folder.make_all(&Path::new(NEW).join(path))
    }

    /// Writes a file; its path is below the folder, with `/` between folders, which are made. The file is synced with
    /// the folder.
    ///
    /// # Errors
    ///
    /// When it is there already, or cannot be written.
    pub fn write(&self, path: &str, content: &[u8]) -> io::Result<()> {
        self.new_file(path)?.write_all(content)
    }

    /// As [`WholeFolder::write`], of a content that comes piece by piece. **Memory**: a buffer, whatever the content's size.
    ///
    /// # Errors
    ///
    /// As for [`WholeFolder::write`], and those of `content`.
    pub fn write_by(
        &self,
        path: &str,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(BUFFER, self.new_file(path)?);
        content(&mut file)?;
        file.flush()
    }

    fn new_file(&self, path: &str) -> io::Result<File> {
        let path = Path::new(NEW).join(path);
        self.stage.folder.make_all(parent_of(&path))?;
        self.stage.folder.new_file(&path)
    }

    /// Removes the files written and checked so far.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        self.stage.folder.remove(NEW)?;
        self.stage.folder.make(NEW)
    }

    /// Puts the folder in its place, if nothing or an empty folder stands there.
    ///
    /// # Errors
    ///
    /// When something stands there, or it cannot be put there; then it is as it was.
    pub fn finish(&self) -> io::Result<()> {
        self.complete()?;
        if self.in_place {
            let mut there = std::fs::read_dir(&self.target)?;
            let is_there = there.any(|entry| entry.is_ok_and(|entry| entry.file_name() != in_place::STAGE));
            return if is_there { Err(io::ErrorKind::DirectoryNotEmpty.into()) } else { self.move_entries() };
        }
        if cfg!(not(unix)) && self.target.is_dir() {
            // Here a folder can move only to a free place, on unix also to that of an empty folder.
            std::fs::remove_dir(&self.target)?;
        }
        self.stage.folder.move_out(Path::new(NEW), &self.target)?;
        sync_folder(parent_of(&self.target))
    }

    /// Puts the folder in the place of the old one, which is removed. This happens at once where the system can swap
    /// two folders, else in two steps.
    ///
    /// # Errors
    ///
    /// When the folder cannot be put there; the old one is then still there.
    pub fn replace(&self) -> io::Result<()> {
        if !self.target.exists() {
            return self.finish();
        }
        self.complete()?;
        if self.in_place {
            return self.move_entries();
        }
        let stage = &self.stage.folder;
        if stage.exchange(NEW, &self.target).is_err() {
            stage.move_in(&self.target, Path::new(OLD))?;
            if let Err(error) = stage.move_out(Path::new(NEW), &self.target) {
                stage.move_out(Path::new(OLD), &self.target)?;
                return Err(error);
            }
            self.stage.clear()?;
        }
        sync_folder(parent_of(&self.target))
    }

    fn move_entries(&self) -> io::Result<()> {
        in_place::replace(&self.stage.folder, &self.target)?;
        sync_folder(&self.target)?;
        self.stage.clear()
    }

    /// Makes all of the folder durable, and as accessible as the old one.
    fn complete(&self) -> io::Result<()> {
        if let Ok(there) = std::fs::metadata(&self.target) {
            self.stage.folder.set_permissions(NEW, there.permissions())?;
        }
        sync_all_below(&self.stage.folder.path().join(NEW))
    }
}

impl Stage {
    fn claim(path: &Path) -> Result<Self, ClaimError> {
        let (folder, lock) = lock_file(path, LOCK)?.ok_or(ClaimError::Busy)?;
        Ok(Self { folder, _lock: lock })
    }

    /// Undoes the work of a killed command: the first step of a swap in two steps is reversed.
    fn recover(&self, target: &Path) -> io::Result<()> {
        let was_done = std::fs::read_dir(target).is_ok_and(|mut there| there.next().is_some());
        if self.folder.has_folder(OLD) && !was_done {
            self.folder.move_out(Path::new(OLD), target)?;
        }
        self.clear()
    }

    /// The same of a folder whose entries are moved.
    fn complete_or_undo(&self, target: &Path) -> io::Result<()> {
        in_place::recover(&self.folder, target)?;
        self.clear()
    }

    /// Removes entries that are not in their places, and need not be.
    fn clear(&self) -> io::Result<()> {
        [NEW, OLD, READY].iter().try_for_each(|name| self.folder.remove(name))
    }
}

impl Drop for Stage {
    /// Removes only files of this stage, by name: once the lock file is gone, another process may make its own here.
    /// The old entries stay: if they could not be put back, the next command tries again.
    fn drop(&mut self) {
        let _ = self.folder.remove(NEW);
        let _ = self.folder.remove(LOCK);
        let _ = std::fs::remove_dir(self.folder.path());
    }
}

/// Writes files into a folder of the system's temporary one, where the place they were for failed.
///
/// # Errors
///
/// When that fails too.
pub fn write_elsewhere(
    write: impl FnOnce(&dyn Fn(&str, &str) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let folder = tempfile::Builder::new().prefix("gleaner-").tempdir()?;
    write(&|path, content| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(parent_of(&path))?;
        std::fs::write(path, content)
    })?;
    Ok(folder.keep())
}

/// Removes leftovers of this user's killed commands in a folder. Three things stay: files that a living process holds,
/// files that no command put there, and the old folder of a swap that was cut in two. The next command that writes that
/// folder puts it back.
pub(super) fn clear_left_behind(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        let Some(kind) = entry.file_type().ok().filter(|_| name.starts_with(PREFIX)) else { continue };
        if kind.is_file() && name.ends_with(TEMPORARY) {
            if let Some(_lock) = lock_left_behind(&path) {
                let _ = std::fs::remove_file(path);
            }
        } else if kind.is_dir()
            && let Ok(folder) = OwnFolder::at(&path)
            && !folder.has_folder(OLD)
            && !folder.has_folder(READY)
        {
            if let Some(lock) = lock_left_in(&folder, LOCK) {
                drop(Stage { folder, _lock: lock });
            } else {
                // The folder may have been left before its lock was made. A folder that holds something is not removed.
                let _ = std::fs::remove_dir(path);
            }
        }
    }
}

/// The name of the hidden file or folder beside `target` while that is written.
pub(super) fn hidden_name(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or_default();
    let mut stage = OsString::from(PREFIX);
    if name.len() > LONGEST_NAME {
        let digest = Sha256::digest(name.as_encoded_bytes());
        stage.push(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    } else {
        stage.push(name);
    }
    stage
}

/// The one path of a folder that is or will be: links are followed, parents made.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let path = followed(path);
    match path.canonicalize() {
        Ok(found) if found.is_dir() => return Ok(found),
        Ok(_) => return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is no folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let parent = parent_of(&path);
    std::fs::create_dir_all(parent)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(parent.canonicalize()?.join(name))
}

/// The end of a chain of links, even if nothing is there.
pub(super) fn followed(path: &Path) -> PathBuf {
    /// The number of links that Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = parent_of(&path).join(to);
    }
    path
}

#[cfg(test)]
mod tests;
