use super::*;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn what_a_killed_command_left_is_removed_and_what_a_living_one_writes_stays() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".gleaner-killed.tmp"), "half").unwrap();
    std::fs::write(folder.path().join("notes.tmp"), "mine").unwrap();
    let mut living = WholeFile::create(&folder.path().join("one")).unwrap();
    living.write(b"one").unwrap();
    write_whole(&folder.path().join("two"), b"two").unwrap();
    living.finish().unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["notes.tmp", "one", "two"]);
    assert_eq!(read(&folder.path().join("one")), "one");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn the_mode_of_what_is_replaced_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("private");
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!((read(&path).as_str(), mode(&path)), ("new", 0o600));
        // The same as any new file's: the permissions that `create` gives under the mask of the tests.
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_whole(&ours, b"").unwrap();
        File::create(&plain).unwrap();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("below")).unwrap();
        std::fs::write(at("below/target"), "old").unwrap();
        symlink("below/target", at("link")).unwrap();
        symlink("link", at("link_of_link")).unwrap();
        symlink("below/none_yet", at("dangling")).unwrap();
        for (link, target) in [("link_of_link", "below/target"), ("dangling", "below/none_yet")] {
            write_whole(&at(link), b"new").unwrap();
            assert!(at(link).is_symlink(), "{link}");
            assert_eq!(read(&at(target)), "new");
        }
    }

    #[test]
    fn a_file_of_several_names_stays_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::fs::write(&one, "what was there is longer").unwrap();
        std::fs::hard_link(&one, &other).unwrap();
        assert_eq!(check_place(&one).unwrap(), Place::InPlace(one.clone()));
        write_whole(&one, b"new").unwrap();
        assert_eq!((read(&other).as_str(), std::fs::metadata(&one).unwrap().nlink()), ("new", 2));
    }

    #[test]
    fn devices_are_written_through() {
        for path in ["/dev/null", "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
            let place = check_place(Path::new(path)).unwrap();
            assert!(matches!(place, Place::Through(_)), "{path}: {place:?}");
        }
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            assert_eq!(check_place(Path::new(path)).unwrap(), Place::StandardOutput, "{path}");
        }
        write_whole(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_name_that_no_file_system_takes_is_found_before() {
        let folder = tempfile::tempdir().unwrap();
        check_place(&folder.path().join("a".repeat(256))).unwrap_err();
        check_place(&folder.path().join("a".repeat(255))).unwrap();
        check_place(Path::new("")).unwrap_err();
    }
}
