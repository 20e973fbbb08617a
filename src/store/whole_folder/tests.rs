use super::*;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_folder_appears_whole_and_leaves_nothing_beside_it() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("some/run");
    let folder = WholeFolder::claim(&target).unwrap();
    folder.write("a/b.txt", b"b").unwrap();
    folder.write("c.txt", b"c").unwrap();
    assert!(!target.exists());
    folder.finish().unwrap();
    drop(folder);
    assert_eq!((read(&target.join("a/b.txt")), read(&target.join("c.txt"))), ("b".into(), "c".into()));
    assert_eq!(names(&place.path().join("some")), ["run"]);
}

#[test]
fn one_that_is_given_up_leaves_what_was_there() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("run");
    drop(WholeFolder::claim(&target).unwrap());
    assert_eq!(names(place.path()), Vec::<String>::new());
    std::fs::create_dir(&target).unwrap();
    std::fs::write(target.join("old.txt"), "old").unwrap();
    let folder = WholeFolder::claim(&target).unwrap();
    folder.write("new.txt", b"new").unwrap();
    folder.finish().unwrap_err();
    drop(folder);
    assert_eq!((names(place.path()), names(&target)), (vec!["run".to_owned()], vec!["old.txt".to_owned()]));
}

#[test]
fn what_is_replaced_is_replaced_whole() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("run");
    for name in ["one", "two"] {
        let folder = WholeFolder::claim(&target).unwrap();
        folder.write(name, b"").unwrap();
        folder.replace().unwrap();
        drop(folder);
        assert_eq!((names(place.path()), names(&target)), (vec!["run".to_owned()], vec![name.to_owned()]));
    }
}

#[test]
fn a_second_writer_is_told() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("run");
    let folder = WholeFolder::claim(&target).unwrap();
    assert!(matches!(WholeFolder::claim(&place.path().join("./run/")), Err(ClaimError::Busy)));
    folder.finish().unwrap();
    drop(folder);
    drop(WholeFolder::claim(&target).unwrap());
}

/// A command was killed after the first of two steps: the old folder comes back, and may then be replaced.
#[test]
fn a_swap_that_was_cut_in_two_is_undone() {
    let place = tempfile::tempdir().unwrap();
    let (target, stage) = (place.path().join("run"), place.path().join(".gleaner-run"));
    for part in [NEW, OLD] {
        std::fs::create_dir_all(stage.join(part)).unwrap();
        std::fs::write(stage.join(part).join("which"), part).unwrap();
    }
    std::fs::write(stage.join(LOCK), "").unwrap();
    // Another command leaves these alone.
    drop(WholeFolder::claim(&place.path().join("another")).unwrap());
    drop(WholeFolder::claim(&target).unwrap());
    assert_eq!((names(place.path()), read(&target.join("which"))), (vec!["run".to_owned()], OLD.to_owned()));
}

#[test]
fn what_a_killed_command_left_is_removed_by_the_next() {
    let place = tempfile::tempdir().unwrap();
    let left = place.path().join(".gleaner-other");
    std::fs::create_dir_all(left.join(NEW).join("fold1")).unwrap();
    std::fs::write(left.join(LOCK), "").unwrap();
    std::fs::create_dir(place.path().join(".gleaner-unlocked")).unwrap();
    let living = WholeFolder::claim(&place.path().join("living")).unwrap();
    drop(WholeFolder::claim(&place.path().join("run")).unwrap());
    assert_eq!(names(place.path()), [".gleaner-living"]);
    drop(living);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_modes_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("run");
    std::fs::create_dir(&target).unwrap();
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o750)).unwrap();
    symlink("run", place.path().join("link")).unwrap();
    let folder = WholeFolder::claim(&place.path().join("link")).unwrap();
    folder.write("file", b"").unwrap();
    folder.finish().unwrap();
    drop(folder);
    assert_eq!(names(&target), ["file"]);
    assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o750);
    symlink("not_yet", place.path().join("dangling")).unwrap();
    WholeFolder::claim(&place.path().join("dangling")).unwrap().finish().unwrap();
    assert_eq!(names(place.path()), ["dangling", "link", "not_yet", "run"]);
}

/// A command was killed in the first of two passes, when the folder could not be swapped. The next one finds the old
/// entries.
#[test]
fn what_was_cut_off_in_place_is_mended_by_the_next() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("run");
    let stage = target.join(in_place::STAGE);
    std::fs::create_dir_all(stage.join(OLD)).unwrap();
    std::fs::write(stage.join(OLD).join("which"), "old").unwrap();
    std::fs::write(stage.join(LOCK), "").unwrap();
    let folder = WholeFolder::claim(&target).unwrap();
    assert!(!folder.is_in_place());
    assert_eq!((names(&target), read(&target.join("which"))), (vec!["which".to_owned()], "old".to_owned()));
    folder.finish().unwrap_err();
    drop(folder);
    assert_eq!(names(place.path()), ["run"]);
}
