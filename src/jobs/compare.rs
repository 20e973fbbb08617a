//! To compare runs over the same folds, under short names: as much of the end of each path as distinguishes it from the
//! others.

use std::path::{Component, Path, PathBuf};

use crate::experiment::comparing::compare::{CompareAnswer, compare_runs, known_metrics};
use crate::experiment::records::finished_run::curves;
use crate::experiment::records::run_record::{NamedRun, RunRecord};
use gleaner_data::decoded_name;
use gleaner_lang::syntax::{Sources, codes};

use super::failure::Failure;
use super::files::{RECORD, read_run, record_place, text_if_there};

/// Runs that are to be compared.
#[derive(Clone, Debug)]
pub(crate) struct Compare {
    /// Run folders, or the records in them.
    pub(crate) runs: Vec<PathBuf>,
    /// Names of metrics; the usual ones where there are none.
    pub(crate) metrics: Vec<String>,
}

impl Compare {
    /// Reads the records and compares them.
    pub(crate) fn run(&self) -> Result<CompareAnswer, Failure> {
        let (runs, folders) = read_runs(&self.runs)?;
        let asked = asked_metrics(&runs, &self.metrics)?;
        let mut answer =
            compare_runs(&runs, asked).map_err(|faults| Failure::Data(faults, Sources::new()))?;
        let of_run = |(run, folder): (&NamedRun, &PathBuf)| {
            curves(&run.record, &|name| text_if_there(&folder.join(name)))
        };
        // Curves that are not there, or that someone has edited, are not compared.
        let curves: Option<Vec<_>> = runs.iter().zip(&folders).map(|of| of_run(of).ok()).collect();
        if let Some(curves) = curves {
            answer.find_dominance(&runs, |run, result| &curves[run][result]);
        }
        Ok(answer)
    }
}

/// The records of all runs, named, and the folders that they are in.
fn read_runs(paths: &[PathBuf]) -> Result<(Vec<NamedRun>, Vec<PathBuf>), Failure> {
    let mut places: Vec<PathBuf> = Vec::new();
    for path in paths {
        let place = record_place(path)?;
        if places.contains(&place) {
            return Err(Failure::usage(
                codes::SETTING_VALUE,
                format!("{} is given twice: give each run once", path.display()),
            ));
        }
        places.push(place);
    }
    let files = paths.iter().zip(&places).map(|(path, place)| read_run(path, place));
    let files = files.collect::<Result<Vec<RunRecord>, Failure>>()?;
    let folders: Vec<PathBuf> = places.iter().map(|place| folder_of(place)).collect();
    let named = shortest_names(&folders).into_iter().zip(files);
    let runs = named.map(|(name, record)| NamedRun { name, record }).collect();
    let beside = places.iter().map(|place| place.parent().unwrap_or(Path::new("")).to_owned());
    Ok((runs, beside.collect()))
}

/// The path that names a run: its folder, or the record where that has a name of its own.
fn folder_of(place: &Path) -> PathBuf {
    let folder = place.parent().filter(|_| place.file_name().is_some_and(|name| name == RECORD));
    folder.unwrap_or(place).to_owned()
}

/// The metrics asked for, each once; one that no run has is wrong usage.
fn asked_metrics(runs: &[NamedRun], asked: &[String]) -> Result<Vec<String>, Failure> {
    let known = known_metrics(runs);
    let mut wanted: Vec<String> = Vec::new();
    for name in asked {
        if !known.contains(&name.as_str()) {
            return Err(Failure::usage(codes::SETTING_VALUE, format!("⁅metric={name}⁆: no run has it"))
                .with_help(format!("there are {}", known.join(", "))));
        }
        if !wanted.contains(name) {
            wanted.push(name.clone());
        }
    }
    Ok(wanted)
}

/// The shortest trailing part of each path that no other path ends in; whole where there is none.
fn shortest_names(paths: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<String>> = paths.iter().map(|path| names(path)).collect();
    let is_own = |own: usize, n_parts: usize| {
        let end = tail(&parts[own], n_parts);
        parts.iter().enumerate().all(|(other, parts)| other == own || tail(parts, n_parts) != end)
    };
    (0..paths.len())
        .map(|own| {
            let most = parts[own].len();
            let n_parts = (1..=most).find(|&n_parts| is_own(own, n_parts)).unwrap_or(most);
            let end = tail(&parts[own], n_parts);
            if end.is_empty() { paths[own].display().to_string() } else { end.join("/") }
        })
        .collect()
}

fn tail(parts: &[String], n_parts: usize) -> &[String] {
    &parts[parts.len().saturating_sub(n_parts)..]
}

fn names(path: &Path) -> Vec<String> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(decoded_name(&name.to_string_lossy())),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::shortest_names;

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let names = |paths: &[&str]| shortest_names(&paths.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(names(&["/runs/a", "/runs/b"]), ["a", "b"]);
        assert_eq!(names(&["/x/cv", "/y/cv", "/y/b"]), ["x/cv", "y/cv", "b"]);
        assert_eq!(names(&["/cv", "/y/cv"]), ["cv", "y/cv"]);
        assert_eq!(names(&["/p/x/cv", "/q/x/cv"]), ["p/x/cv", "q/x/cv"]);
        assert_eq!(names(&["/", "/a"]), ["/", "a"]);
    }
}
