//! The place that a path leads to, how to write it without replacing it by something else, and the names that commands put
//! beside their outputs while they write.
//!
//! Makes written files durable.
//!
//! Many threads wait for the disk at once: a file system then syncs many files in little more time than one. Of 600
//! files in 75 folders, on ext4: one after another 3.1 to 4.2 s, on 8 threads 0.6 s.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The beginning of all temporary names.
pub(super) const PREFIX: &str = ".gleaner-";
/// The end of a temporary file's name.
pub(super) const TEMPORARY: &str = ".tmp";
/// The file of the lock.
pub(super) const LOCK: &str = "lock";
/// Where new files go, in a folder of ours.
pub(super) const NEW: &str = "new";
/// Where the old entries go.
pub(super) const OLD: &str = "old";
/// The name that `new` gets once all old entries are out.
pub(super) const READY: &str = "ready";

/// The folder that holds a path; the current one of a bare name.
pub(super) fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// How a path is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// This process's standard output: the printing code writes it.
    StandardOutput,
    /// A device, a FIFO or another open file: it takes the content as it comes.
    Through(PathBuf),
    /// A file that another file cannot replace: it has several names, or is mounted there. Its content is replaced,
    /// which is not atomic.
    InPlace(PathBuf),
    /// A file of one name, or none yet: another takes its place.
    Beside(PathBuf),
}

impl Place {
    /// Where a path leads; links are followed, though nothing be there.
    ///
    /// # Errors
    ///
    /// When a folder stands there, or no file system takes the path.
    pub fn of(path: &Path) -> io::Result<Self> {
        /// The number of links that Linux follows.
        const MOST_LINKS: usize = 40;
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            if let Some(descriptor) = descriptor(&path) {
                return Ok(if descriptor == "1" { Self::StandardOutput } else { Self::Through(path) });
            }
            let Ok(to) = std::fs::read_link(&path) else { break };
            path = parent_of(&path).join(to);
        }
        if path.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
        }
        match std::fs::metadata(&path) {
            Ok(there) if there.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
            Ok(there) if !there.is_file() => Ok(Self::Through(path)),
            Ok(there) if is_fixed(&there, &path) => Ok(Self::InPlace(path)),
            Ok(_) => Ok(Self::Beside(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Beside(path)),
            Err(error) => Err(error),
        }
    }

    /// Whether a write that fails may leave a part of the content there.
    pub const fn may_be_half_written(&self) -> bool {
        match self {
            Self::StandardOutput | Self::Through(_) | Self::InPlace(_) => true,
            Self::Beside(_) => false,
        }
    }
}

/// The number of a file that this process holds open, if the path is in `/proc/self/fd` or leads there by its folder,
/// as `/dev/fd` does.
fn descriptor(path: &Path) -> Option<String> {
    let number = path.file_name()?.to_str()?;
    let folder = parent_of(path).canonicalize().ok()?;
    let own = Path::new("/proc").join(std::process::id().to_string());
    (folder.starts_with(own) && folder.ends_with("fd")).then(|| number.to_owned())
}

/// Whether no other file can take its place: it has other names, is mounted there, or its folder takes no file.
#[cfg(unix)]
fn is_fixed(there: &Metadata, path: &Path) -> bool {
    use rustix::fs::{Access, access};
    use std::os::unix::fs::MetadataExt;
    let folder = parent_of(path);
    let is_mounted = std::fs::metadata(folder).is_ok_and(|folder| folder.dev() != there.dev());
    there.nlink() > 1 || is_mounted || access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err()
}

#[cfg(not(unix))]
fn is_fixed(_there: &Metadata, _path: &Path) -> bool {
    false
}

/// Opens a place that takes content as it comes; a file that is open already, at its end.
pub(super) fn open_through(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Threads that wait.
const N_WAITING: usize = 8;

/// Makes a folder last with all that is in it and below.
pub(super) fn sync_all_below(folder: &Path) -> io::Result<()> {
    let mut found = Found::default();
    found.add(folder)?;
    // A name is synced after the file or folder that it names.
    in_parallel(&found.files, sync_file)?;
    in_parallel(&found.folders, sync_folder)
}

/// The files and folders below a folder.
#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Found {
    fn add(&mut self, folder: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                self.add(&entry.path())?;
            } else {
                self.files.push(entry.path());
            }
        }
        self.folders.push(folder.to_owned());
        Ok(())
    }
}

/// Makes each of these last; the first fault that a thread met, if one did.
fn in_parallel(paths: &[PathBuf], sync: fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            sync(path)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        // Where no more threads can be started, this one does it all.
        let helpers: Vec<_> = (1..N_WAITING.min(paths.len()))
            .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let own = work();
        let helped =
            helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        helped.fold(own, Result::and)
    })
}

fn sync_file(path: &Path) -> io::Result<()> {
    // Some systems sync only files that may be written.
    OpenOptions::new().write(true).open(path)?.sync_all()
}

/// Makes the names in a folder last.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems sync no folders.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature as on unix")]
pub(super) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{in_parallel, sync_all_below};

    #[test]
    fn all_is_visited_once_and_a_fault_is_told() {
        let place = tempfile::tempdir().expect("a folder");
        for number in 0..40 {
            let folder = place.path().join(format!("{}/below", number % 7));
            std::fs::create_dir_all(&folder).expect("it can be made");
            std::fs::write(folder.join(format!("{number}")), "text").expect("it can be written");
        }
        sync_all_below(place.path()).expect("all can be synced");
        let paths: Vec<_> = (0..40).map(|number| place.path().join(format!("made-{number}"))).collect();
        // No folder can be made twice.
        in_parallel(&paths, |path| std::fs::create_dir(path)).expect("each is made once");
        assert!(paths.iter().all(|path| path.is_dir()));
        let fault = in_parallel(&paths[39..], |path| std::fs::create_dir(path)).expect_err("it is there");
        assert_eq!(fault.kind(), std::io::ErrorKind::AlreadyExists);
        assert!(sync_all_below(&place.path().join("nothing")).is_err());
    }
}
