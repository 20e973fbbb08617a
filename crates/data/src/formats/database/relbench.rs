//! RelBench's folders: the tables of a database below `db`, and below `tasks` a folder of examples for each task.
//!
//! The files of a task are its parts: `train`, `val` and `test`. All tasks are of one database, so one is read and the
//! others are left out. The tables are CSV, or since RelBench 3 Parquet with a [`super::manifest`]. [Robinson and others, RelBench, NeurIPS 2024 Datasets and Benchmarks]

use std::path::{Path, PathBuf};

use super::as_database;
use super::manifest::{read_database, read_task};
use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::{entries, stem_name};
use crate::gather::{DataFile, Division, Files, Habits, MakeReader, part_rank, whole};
use gleaner_lang::syntax::Diagnostic;

/// The folder of the database's tables, and that of the tasks.
const DATABASE: &str = "db";
const TASKS: &str = "tasks";

/// The file that says the keys of the tables, or the columns of a task.
const MANIFEST: &str = "manifest.yaml";

/// The layout of RelBench's folders.
#[derive(Debug)]
pub(in crate::formats) struct Relbench;

impl FileFormat for Relbench {
    fn about(&self) -> About {
        About {
            name: "relbench",
            files_in_words: "db/NAME.csv, tasks/NAME/train.csv",
            habits: Habits::DATABASE,
            clue: Clue::PairOfNames,
        }
    }

    /// The folder that holds database and tasks, or that of one task.
    fn is_recognised(&self, path: &Path) -> bool {
        Place::of(path).is_some()
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let Some(place) = Place::of(asked.path) else { return Ok(None) };
        let database = tables(&place.root.join(DATABASE), asked.reader_of_tables).into_iter();
        let mut named: Vec<(String, Vec<DataFile>)> = database
            .map(|(path, reader)| (stem_name(&path), vec![DataFile::read_by(path, reader)]))
            .collect();
        let mut found = Files::default();
        let manifest = place.root.join(MANIFEST);
        let mut manifests: Vec<DataFile> = Vec::new();
        if manifest.is_file() {
            manifests.push(DataFile::read_by(manifest, || whole(read_database)));
        }
        if let Some(task) = place.task(asked, &named).map_err(|fault| vec![fault])? {
            let parts = parts(&task, asked.reader_of_tables).map_err(|fault| vec![fault])?;
            found = divided(&parts);
            let manifest = task.join(MANIFEST);
            if manifest.is_file() {
                manifests.push(DataFile::read_by(manifest, || whole(read_task)).of_table(folder_name(&task)));
            }
            named.push((folder_name(&task), parts.into_iter().map(|(_, file)| file).collect()));
        }
        // The order of tables is that of their names, wherever they lie.
        named.sort_by(|left, right| left.0.cmp(&right.0));
        found.files = manifests.into_iter().chain(named.into_iter().flat_map(|(_, files)| files)).collect();
        Ok(as_database(found, place.root))
    }
}

/// Where the folders are, and which task the path names.
struct Place<'p> {
    root: &'p Path,
    task: Option<PathBuf>,
}

impl<'p> Place<'p> {
    fn of(path: &'p Path) -> Option<Self> {
        let is_root = |path: &Path| {
            path.join(DATABASE).is_dir() && (path.join(TASKS).is_dir() || path.join(MANIFEST).is_file())
        };
        if is_root(path) {
            return Some(Self { root: path, task: None });
        }
        let tasks = path.parent().filter(|tasks| path.is_dir() && tasks.ends_with(TASKS))?;
        let root = tasks.parent().filter(|root| is_root(&root.join(".")))?;
        Some(Self { root, task: Some(path.to_owned()) })
    }

    /// The folder of the task to read: that which the path names, else that of the label's table, else the only one. None
    /// if the label is of one of the database's tables, `named`, or nothing needs examples.
    fn task(
        &self,
        asked: &Asked<'_>,
        named: &[(String, Vec<DataFile>)],
    ) -> Result<Option<PathBuf>, Diagnostic> {
        if self.task.is_some() {
            return Ok(self.task.clone());
        }
        let mut tasks = entries(&self.root.join(TASKS));
        tasks.retain(|task| task.is_dir());
        match asked.label.filter(|label| !label.table.is_empty()) {
            Some(label) => {
                let task = tasks.iter().find(|task| folder_name(task) == label.table);
                let is_table = named.iter().any(|(name, _)| *name == label.table);
                match task {
                    None if !is_table => Err(faults::no_task(&label.table, &tasks)),
                    task => Ok(task.cloned()),
                }
            }
            None if tasks.len() == 1 => Ok(tasks.pop()),
            None if asked.needs_no_labels || tasks.is_empty() => Ok(None),
            None => Err(faults::several_tasks(self.root, &tasks)),
        }
    }
}

/// The tables of a folder, ascending by name, with the reader of each.
fn tables(folder: &Path, reader: fn(&Path) -> Option<MakeReader>) -> Vec<(PathBuf, MakeReader)> {
    entries(folder).into_iter().filter_map(|path| reader(&path).map(|reader| (path, reader))).collect()
}

/// The parts of a task, train first: the name of each, and its file.
fn parts(
    task: &Path,
    reader: fn(&Path) -> Option<MakeReader>,
) -> Result<Vec<(String, DataFile)>, Diagnostic> {
    let mut found: Vec<(usize, String, PathBuf, MakeReader)> = tables(task, reader)
        .into_iter()
        .filter_map(|(path, reader)| Some((part_rank(&stem_name(&path))?, stem_name(&path), path, reader)))
        .collect();
    found.sort_by_key(|(rank, ..)| *rank);
    if found.first().is_none_or(|(rank, ..)| *rank > 0) {
        return Err(faults::missing_file(&task.join("train.csv"), "the examples to learn from"));
    }
    found.dedup_by_key(|(rank, ..)| *rank);
    let table = folder_name(task);
    let file = |(fold, (_, name, path, reader)): (usize, (usize, String, PathBuf, MakeReader))| {
        (name, DataFile::read_by(path, reader).of_table(table.as_str()).in_fold(Some(fold)))
    };
    Ok(found.into_iter().enumerate().map(file).collect())
}

/// The division that these parts make: the last one is the test.
fn divided(parts: &[(String, DataFile)]) -> Files {
    let division = match parts.len() {
        0 | 1 => return Files::default(),
        2 => Division::TrainTest,
        _ => Division::TrainTuneTest,
    };
    let fold_names = parts.iter().map(|(name, _)| name.clone()).collect();
    Files { fold_names, division, ..Files::default() }
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
