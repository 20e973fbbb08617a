use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::{NotOwn, OwnError, OwnFolder, Strange, check_own, open_own_file};
use crate::store::whole_folder::clear_left_behind;
use crate::store::{ClaimError, WholeFolder};

/// A folder that holds all that a command removes or moves in its own.
fn precious(at: &Path) {
    for folder in ["new", "ready", "old"] {
        std::fs::create_dir_all(at.join(folder)).expect("it can be made");
        std::fs::write(at.join(folder).join("kept"), folder).expect("it can be written");
    }
    std::fs::write(at.join("lock"), "mine").expect("it can be written");
}

fn is_untouched(at: &Path) -> bool {
    let is_there = |folder: &&str| {
        std::fs::read_to_string(at.join(folder).join("kept")).is_ok_and(|text| text == **folder)
    };
    ["new", "ready", "old"].iter().all(is_there)
        && std::fs::read_to_string(at.join("lock")).is_ok_and(|text| text == "mine")
}

fn fifo(at: &Path) {
    mknodat(CWD, at, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("a FIFO can be made");
}

/// The error of a claim that fails because something else stands at a name of ours.
fn strange(claimed: Result<WholeFolder, ClaimError>) -> NotOwn {
    match claimed {
        Err(ClaimError::NotOwn(strange)) => strange,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_planted_link_is_not_followed() {
    let place = tempfile::tempdir().expect("a folder");
    let (mine, target) = (place.path().join("precious"), place.path().join("o"));
    precious(&mine);
    // As the name of the stage, with a relative and an absolute path; and within the output.
    for to in [Path::new("precious"), &mine] {
        symlink(to, place.path().join(".gleaner-o")).expect("a link");
        let said = strange(WholeFolder::claim(&target));
        assert_eq!(
            (said.path.file_name().expect("a name"), said.strange),
            (".gleaner-o".as_ref(), Strange::Link)
        );
        assert!(is_untouched(&mine));
        std::fs::remove_file(place.path().join(".gleaner-o")).expect("the link is there");
    }
    std::fs::create_dir(&target).expect("a folder");
    symlink(&mine, target.join(".gleaner-folder")).expect("a link");
    assert_eq!(strange(WholeFolder::claim(&target)).strange, Strange::Link);
    assert!(is_untouched(&mine));
    std::fs::remove_file(target.join(".gleaner-folder")).expect("the link is there");
    // Beside the output and in it, by any name of ours: it is passed by.
    for (folder, name) in
        [(place.path(), ".gleaner-other"), (place.path(), ".gleaner-x.tmp"), (&target, ".gleaner-y")]
    {
        symlink(&mine, folder.join(name)).expect("a link");
    }
    symlink(mine.join("lock"), place.path().join(".gleaner-z.tmp")).expect("a link");
    drop(WholeFolder::claim(&target).expect("nothing is in its way"));
    clear_left_behind(place.path());
    assert!(is_untouched(&mine));
}

#[test]
fn a_planted_fifo_does_not_wait() {
    let place = tempfile::tempdir().expect("a folder");
    let stage = place.path().join(".gleaner-o");
    fifo(&stage);
    assert_eq!(strange(WholeFolder::claim(&place.path().join("o"))).strange, Strange::NoFolder);
    std::fs::remove_file(&stage).expect("it is there");
    std::fs::create_dir(&stage).expect("a folder");
    fifo(&stage.join("lock"));
    let said = strange(WholeFolder::claim(&place.path().join("o")));
    assert_eq!(
        (said.path, said.strange),
        (stage.canonicalize().expect("a path").join("lock"), Strange::NoFile)
    );
    fifo(&place.path().join(".gleaner-x.tmp"));
    clear_left_behind(place.path());
    assert!(stage.join("lock").exists() && place.path().join(".gleaner-x.tmp").exists());
    open_own_file(&stage.join("lock"), false).expect_err("it is no file");
    open_own_file(&stage.join("lock"), true).expect_err("it is no file");
}

/// Within a folder of our own, too.
#[test]
fn planted_names_within_are_told() {
    let mine = tempfile::tempdir().expect("a folder");
    precious(mine.path());
    for name in ["new", "ready", "old", "lock"] {
        let place = tempfile::tempdir().expect("a folder");
        let stage = place.path().join(".gleaner-o");
        std::fs::create_dir(&stage).expect("a folder");
        symlink(mine.path().join(name), stage.join(name)).expect("a link");
        let said = strange(WholeFolder::claim(&place.path().join("o")));
        assert!(said.path.ends_with(format!(".gleaner-o/{name}")) && said.strange == Strange::Link, "{said}");
        clear_left_behind(place.path());
        assert!(
            is_untouched(mine.path()) && stage.join(name).is_symlink() && !place.path().join("o").exists()
        );
    }
    // A folder with something else in it was never ours.
    let place = tempfile::tempdir().expect("a folder");
    let stage = place.path().join(".gleaner-o");
    precious(&stage);
    std::fs::write(stage.join("letters.txt"), "").expect("it can be written");
    let said = strange(WholeFolder::claim(&place.path().join("o")));
    assert_eq!(said.strange, Strange::Holds("letters.txt".to_owned()));
    clear_left_behind(place.path());
    assert!(is_untouched(&stage));
}

#[test]
fn what_is_put_in_its_place_later_is_not_touched() {
    let place = tempfile::tempdir().expect("a folder");
    let (mine, target) = (place.path().join("precious"), place.path().join("o"));
    precious(&mine);
    let folder = WholeFolder::claim(&target).expect("nothing is there");
    let mode = std::fs::metadata(place.path().join(".gleaner-o")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "nobody else plants anything in it");
    std::fs::rename(place.path().join(".gleaner-o"), place.path().join("moved")).expect("it can be moved");
    symlink(&mine, place.path().join(".gleaner-o")).expect("a link");
    folder.write("a/b.txt", b"b").expect("it is written where it was begun");
    folder.clear().expect("it is cleared there");
    folder.write("a/b.txt", b"b").expect("it is written");
    drop(folder);
    assert!(is_untouched(&mine) && std::fs::read_dir(mine.join("new")).expect("it is there").count() == 1);
    assert!(!target.exists());
}

#[test]
fn all_below_is_removed_and_links_are_not_followed() {
    let place = tempfile::tempdir().expect("a folder");
    let (mine, stage) = (place.path().join("precious"), place.path().join("stage"));
    precious(&mine);
    let folder = OwnFolder::made_at(&stage).expect("it can be made");
    folder.make_all(Path::new("new/a/b/c")).expect("they can be made");
    folder.new_file(Path::new("new/a/b/file")).expect("it can be made");
    symlink(&mine, stage.join("new/a/link")).expect("a link");
    symlink("nowhere", stage.join("new/a/b/dangling")).expect("a link");
    folder.remove("new").expect("it can be removed");
    folder.remove("new").expect("nothing is there");
    assert!(!stage.join("new").exists() && is_untouched(&mine));
    symlink(&mine, place.path().join("run.partial")).expect("a link");
    assert!(matches!(check_own(&place.path().join("run.partial")), Err(OwnError::NotOwn(_))));
    check_own(&stage).expect("it is ours");
    check_own(&place.path().join("nothing")).expect("nothing is there");
}
