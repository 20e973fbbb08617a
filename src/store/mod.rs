//! Files that last: saved models, and writing whole files and folders or none.

pub mod checkpoint;
mod claim;
pub mod class_models;
mod in_place;
pub mod label_header;
pub mod model_file;
pub mod own_folder;
pub mod own_model;
pub mod place;
mod run_note;
pub mod whole_file;
pub mod whole_folder;

pub use checkpoint::{Checkpoint, NotWritten};
pub use claim::Claim;
pub use class_models::ClassModels;
pub use model_file::{ModelError, ModelFile};
pub use own_folder::{NotOwn, OwnError, Strange, read_own};
pub use own_model::{OwnModel, aggregate_definition};
pub use place::Place;
pub use run_note::RunNote;
pub use whole_file::{WholeFile, WriteError, check_place, write_whole};
pub use whole_folder::{ClaimError, WholeFolder, write_elsewhere};
