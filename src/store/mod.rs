//! Files that last: saved models, and writing whole files or none.

pub mod atomic;
pub mod model_file;

pub use atomic::{WholeFile, write_new_folder, write_whole};
pub use model_file::{ModelError, ModelFile};
