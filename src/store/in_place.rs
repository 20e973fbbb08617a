//! A folder that cannot be swapped for another: something is mounted there, the process works in it, or its parent
//! takes no folder. Then its entries are moved, one by one, in two passes. First the old ones go out to `old`, then
//! those of `ready` come in.
//!
//! The next command that writes there undoes a kill in the first pass, and completes the second pass after a later
//! kill.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::own_folder::OwnFolder;
use super::place::{NEW, OLD, READY};

/// The folder, within the written one, that holds entries not in their places.
pub(super) const STAGE: &str = ".gleaner-folder";

/// A folder without it is not taken for a run: it goes out first and comes in last.
const RECORD: &str = "run.json";

/// Whether no other folder can take the place of this one.
pub(super) fn is_fixed(folder: &Path) -> bool {
    if !folder.exists() {
        return false;
    }
    let holds_work = std::env::current_dir().is_ok_and(|work| work.starts_with(folder));
    holds_work || folder.parent().is_none_or(|parent| cannot_take(parent, folder))
}

/// Whether the parent takes no folder, or the folder is of another file system.
#[cfg(unix)]
fn cannot_take(parent: &Path, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{Access, access};
    let device = |path: &Path| std::fs::metadata(path).ok().map(|found| found.dev());
    device(parent) != device(folder) || access(parent, Access::WRITE_OK | Access::EXEC_OK).is_err()
}

#[cfg(not(unix))]
fn cannot_take(_parent: &Path, _folder: &Path) -> bool {
    false
}

/// Replaces the entries of the folder by those of `new`.
pub(super) fn replace(stage: &OwnFolder, folder: &Path) -> io::Result<()> {
    let moved = move_out(stage, folder).and_then(|()| move_in(stage, READY, folder));
    if moved.is_err() {
        recover(stage, folder)?;
    }
    moved
}

/// Undoes a first pass that was cut off, and completes a second one.
pub(super) fn recover(stage: &OwnFolder, folder: &Path) -> io::Result<()> {
    if stage.has_folder(READY) {
        return move_in(stage, READY, folder);
    }
    if stage.has_folder(OLD) { move_in(stage, OLD, folder) } else { Ok(()) }
}

fn move_out(stage: &OwnFolder, folder: &Path) -> io::Result<()> {
    stage.make(OLD)?;
    let there = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
    for name in in_order(there.collect::<io::Result<_>>()?).iter().rev() {
        stage.move_in(&folder.join(name), &Path::new(OLD).join(name))?;
    }
    stage.rename(NEW, READY)
}

fn move_in(stage: &OwnFolder, from: &str, folder: &Path) -> io::Result<()> {
    for name in in_order(stage.names_in(from)?) {
        stage.move_out(&Path::new(from).join(&name), &folder.join(&name))?;
    }
    Ok(())
}

/// The names of a folder's entries, the record last, without the stage.
fn in_order(mut names: Vec<OsString>) -> Vec<OsString> {
    names.retain(|name| name != STAGE);
    names.sort_by_key(|name| (name == RECORD, name.clone()));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [&str; 3] = ["a", "b", RECORD];

    /// A folder cut off while it was replaced. Of its old entries, all but the first `n_in` are out; `new_in` new ones
    /// are in.
    fn cut_off(folder: &Path, n_in: usize, new_in: Option<usize>) {
        let stage = folder.join(STAGE);
        let new = stage.join(if new_in.is_some() { READY } else { NEW });
        for made in [&new, &stage.join(OLD)] {
            std::fs::create_dir_all(made).unwrap();
        }
        for (at, name) in ENTRIES.into_iter().enumerate() {
            let old = if at < n_in { folder } else { &stage.join(OLD) };
            std::fs::write(old.join(name), "old").unwrap();
            let place = if new_in.is_some_and(|n| at < n) { folder } else { &new };
            std::fs::write(place.join(name), "new").unwrap();
        }
    }

    fn contents(folder: &Path) -> Vec<String> {
        ENTRIES.map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).to_vec()
    }

    #[test]
    fn a_kill_is_undone_in_the_first_pass_and_completed_in_the_second() {
        for n_in in 0..=3 {
            let folder = tempfile::tempdir().unwrap();
            cut_off(folder.path(), n_in, None);
            recover(&OwnFolder::at(&folder.path().join(STAGE)).unwrap(), folder.path()).unwrap();
            assert_eq!(contents(folder.path()), ["old"; 3]);
            let folder = tempfile::tempdir().unwrap();
            cut_off(folder.path(), 0, Some(n_in));
            recover(&OwnFolder::at(&folder.path().join(STAGE)).unwrap(), folder.path()).unwrap();
            assert_eq!(contents(folder.path()), ["new"; 3]);
        }
    }

    #[test]
    fn all_that_was_there_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let stage = folder.path().join(STAGE);
        std::fs::create_dir_all(stage.join(NEW)).unwrap();
        std::fs::write(folder.path().join("old"), "").unwrap();
        std::fs::write(stage.join(NEW).join("new"), "").unwrap();
        replace(&OwnFolder::at(&stage).unwrap(), folder.path()).unwrap();
        let names =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(in_order(names), ["new"]);
    }
}
