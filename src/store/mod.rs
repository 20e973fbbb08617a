//! Files that last: saved models, run records read back, and writing whole files or none.

pub mod atomic;
pub mod model_file;
pub mod run_file;

pub use atomic::{WholeFile, write_new_folder, write_whole};
pub use model_file::{ModelError, ModelFile};
pub use run_file::{CurvePoint, FoldRun, RunFile, RunFileError};
