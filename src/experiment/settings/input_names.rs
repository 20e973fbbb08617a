//! The names of files that were read, without the path of the data: records of equal runs are equal.

use std::path::Path;

/// The name of a file below the data's folder, with `/` between folders; of a file that is not there, its own name.
pub fn input_name(path: &str, data: &Path) -> String {
    let path = Path::new(path);
    let below = path.strip_prefix(data).ok().filter(|below| !below.as_os_str().is_empty());
    match below {
        Some(below) => below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"),
        None => path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    }
}
