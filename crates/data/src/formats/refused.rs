//! The reader of files that a build without some feature cannot read.

use std::path::Path;

use crate::faults;
use crate::gather::{FileReader, FileReading};
use gleaner_lang::syntax::{Diagnostic, Sources};

/// Refuses a file, and names the feature that reads it.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) feature: &'static str,
}

impl FileReader for Refused {
    fn is_program(&self) -> bool {
        false
    }

    fn file(
        &mut self,
        path: &Path,
        _sources: &mut Sources,
        _reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        Err(faults::without_feature(path, self.feature))
    }
}
