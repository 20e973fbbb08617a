//! Files that last: saved models, and writing whole files and folders or none.

pub mod atomic;
mod lock;
pub mod model_file;
mod own_names;
pub mod whole_folder;

pub use atomic::{WholeFile, write_whole};
pub use model_file::{ModelError, ModelFile};
pub use own_names::OwnModel;
pub use whole_folder::{ClaimError, WholeFolder, write_elsewhere};
