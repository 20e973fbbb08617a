//! To make a page or a figure of a run that has ended.
//!
//! To compare runs over the same folds, under short names: as much of the end of each path as distinguishes it from the
//! others.

use std::path::{Component, Path, PathBuf};

use gleaner_data::{decoded_name, folder_name};
use gleaner_lang::syntax::marks::Wording;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};

use crate::experiment::comparing::compare::{CompareAnswer, compare_runs, known_metrics};
use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::{FinishedRun, curves};
use crate::experiment::records::run_record::{NamedRun, RunRecord};
use crate::report::figures::{self, Figure, Wins};
use crate::report::page;

use super::failure::Failure;
use super::files::{RECORD, read_run, record_place, text_if_there};
use super::run_folder::COMPARISON;

/// A page that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Folders of runs, or the records in them: of several, those over the same folds.
    pub(crate) runs: Vec<PathBuf>,
}

impl Report {
    /// The page of the run, or of the comparison of several, which names settings as `say` does.
    pub(crate) fn run(&self, say: Wording) -> Result<String, Failure> {
        let paths = single_runs(&self.runs);
        if let [run] = paths.as_slice() {
            return Ok(page::of_run(&finished(run)?, say));
        }
        let several = Several::read(paths)?;
        Ok(page::of_runs(&several.named(), &several.answer, say))
    }
}

/// Several runs over the same folds.
struct Several {
    answer: CompareAnswer,
    runs: Vec<FinishedRun>,
}

impl Several {
    fn read(paths: Vec<PathBuf>) -> Result<Self, Failure> {
        let runs = paths.iter().map(|run| finished(run)).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Self { answer: Compare { runs: paths, metrics: Vec::new() }.run()?, runs })
    }

    /// The runs, each with the short name that tells it from the others.
    fn named(&self) -> Vec<(&str, &FinishedRun)> {
        self.answer.variants.iter().map(|variant| variant.name.as_str()).zip(&self.runs).collect()
    }
}

/// The runs, where a folder of variants stands for those in it.
fn single_runs(paths: &[PathBuf]) -> Vec<PathBuf> {
    let of_path = |path: &PathBuf| match variants_in(path) {
        Some(variants) if !path.join(RECORD).exists() => variants,
        _ => vec![path.clone()],
    };
    paths.iter().flat_map(of_path).collect()
}

/// The folders of the variants beside a comparison, in its order; none where there is no comparison.
fn variants_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let compared = std::fs::read_to_string(folder.join(COMPARISON)).ok()?;
    let names: Vec<String> = compared_names(&compared).iter().map(|name| folder_name(name)).collect();
    let place = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        // Names in a comparison are short: without the settings' own where the values tell them apart.
        let values: Vec<&str> =
            name.split(' ').map(|part| part.split_once('=').map_or(part, |(_, value)| value)).collect();
        let values = values.join(" ");
        names.iter().position(|known| *known == name || *known == values)
    };
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let mut variants: Vec<PathBuf> = entries.filter(|path| path.join(RECORD).is_file()).collect();
    variants.sort_by_cached_key(|path| (place(path).unwrap_or(usize::MAX), path.clone()));
    Some(variants)
}

/// The names of a comparison's runs, in the order in which its pairs have them.
fn compared_names(comparison: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for pair in csv::Reader::from_reader(comparison.as_bytes()).records().filter_map(Result::ok) {
        for name in [pair.get(1), pair.get(2)].into_iter().flatten() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// A figure that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    /// The run's folder, or the record in it; several, for a figure that compares.
    pub(crate) runs: Vec<PathBuf>,
    pub(crate) figure: FigureName,
}

/// The figures of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum FigureName {
    /// Precision by recall on test: each fold, their mean, the share of positives.
    Pr,
    /// ROC on test.
    Roc,
    /// Gleaner: the whole curve of each theory, and the decisions.
    Theories,
    /// Where the evaluated clauses lie, by recall and precision.
    Density,
    /// The area by clauses evaluated.
    Learning,
    /// Gleaner: how different the clauses of each bin are.
    Diversity,
    /// Gleaner: which theory decides in which bin.
    Origins,
    /// The share of positives by probability.
    Reliability,
    /// The curve through the corners of the hull, beside all thresholds and straight lines.
    Achievable,
    /// The least cost by what mistakes cost.
    Costs,
    /// Links of a graph: the share of answers among the first k.
    Hits,
    /// Of several runs with other --train-share: the area by labelled positives.
    Labels,
    /// Of several runs, or folders of variants: which is better than which.
    Wins,
}

impl FigureName {
    /// The figures by their names, as the command line has them.
    const NAMED: [(&str, Self); 13] = [
        ("pr", Self::Pr),
        ("roc", Self::Roc),
        ("theories", Self::Theories),
        ("density", Self::Density),
        ("learning", Self::Learning),
        ("diversity", Self::Diversity),
        ("origins", Self::Origins),
        ("reliability", Self::Reliability),
        ("achievable", Self::Achievable),
        ("costs", Self::Costs),
        ("hits", Self::Hits),
        ("labels", Self::Labels),
        ("wins", Self::Wins),
    ];

    /// The figure of a name.
    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, figure)| *figure).ok_or_else(|| {
            let names = Self::NAMED.map(|(known, _)| known).join(", ");
            Failure::usage(codes::SETTING_VALUE, format!("there is no figure {name}"))
                .with_help(format!("there are {names}"))
        })
    }
}

impl Plot {
    /// The figure.
    pub(crate) fn run(&self) -> Result<Figure, Failure> {
        let figure = match self.figure {
            FigureName::Wins => wins(&self.runs)?,
            _ => match single_runs(&self.runs).as_slice() {
                [run] => self.of_run(&finished(run)?),
                runs => self.of_several(runs.to_vec())?,
            },
        };
        figure.ok_or_else(|| {
            let runs: Vec<String> = self.runs.iter().map(|run| run.display().to_string()).collect();
            let what = format!("{}: no numbers for this figure", runs.join(", "));
            let help = "a run of cv has pr, roc, reliability, achievable, costs; its learner decides about the others; \
                        one over links has hits; several runs have pr, learning, labels, wins";
            Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help))
        })
    }

    fn of_run(&self, run: &FinishedRun) -> Option<Figure> {
        match self.figure {
            FigureName::Pr => figures::mean_pr(run),
            FigureName::Roc => figures::roc(run),
            FigureName::Theories => figures::theories(run),
            FigureName::Density => figures::density(run, 1),
            FigureName::Learning => figures::learning(run),
            FigureName::Diversity => figures::diversity(run),
            FigureName::Origins => figures::origins(run),
            FigureName::Reliability => figures::reliability(run),
            FigureName::Achievable => figures::achievable(&ThresholdTable::of(run)),
            FigureName::Costs => figures::costs(run, &ThresholdTable::of(run)),
            FigureName::Hits => figures::hits(&run.links()),
            FigureName::Labels | FigureName::Wins => None,
        }
    }

    fn of_several(&self, runs: Vec<PathBuf>) -> Result<Option<Figure>, Failure> {
        let several = Several::read(runs)?;
        Ok(match self.figure {
            FigureName::Pr => figures::compared_pr(&several.named()),
            FigureName::Learning => figures::compared_learning(&several.answer.learning_curves),
            FigureName::Labels => figures::labels(&several.named()),
            _ => None,
        })
    }
}

/// Which setting is better than which: of folders of variants, each over a data set of its own, on how many of them.
fn wins(paths: &[PathBuf]) -> Result<Option<Figure>, Failure> {
    let folders: Option<Vec<Vec<PathBuf>>> = paths.iter().map(|path| variants_in(path)).collect();
    let groups = folders.unwrap_or_else(|| vec![paths.to_vec()]);
    let mut all: Option<Wins> = None;
    for runs in groups {
        let one = Compare { runs, metrics: Vec::new() }.run()?.wins();
        all = Some(all.map_or_else(|| one.clone(), |all| all.and(&one)));
    }
    let all = all.unwrap_or_default();
    if all.names.len() < 2 {
        let what = "no two settings are in all of these folders";
        let help = "give runs over the same folds, or folders of `cv ⁅vary⁆` of the same settings over several data sets";
        return Err(Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help)));
    }
    Ok(figures::wins(&all))
}

/// Reads a run with its tables.
fn finished(path: &Path) -> Result<FinishedRun, Failure> {
    let place = record_place(path)?;
    let record = read_run(path, &place)?;
    let folder = place.parent().unwrap_or(Path::new("")).to_owned();
    FinishedRun::read(record, "", &|name| text_if_there(&folder.join(name))).map_err(|error| {
        let what = format!("{}: {error}", path.display());
        let help = "a run is a folder that `gleaner cv DATA ⁅run=DIR⁆` wrote, with its tables as they were";
        Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help))
    })
}

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
