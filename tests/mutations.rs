//! Damaged input of every layout: no panic, no run over two seconds, no more memory than ten times the
//! input and 64 MB. What is wrong is told by coded messages.
//!
//! `GLEANER_MUTANTS=10000` asks for more mutants of each reader than the few hundred of every run.

#[path = "mutations/corpus.rs"]
mod corpus;
#[path = "mutations/meter.rs"]
mod meter;
#[path = "mutations/mutate.rs"]
mod mutate;
#[path = "mutations/specials.rs"]
mod specials;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::MutexGuard;
use std::time::Duration;

use gleaner_base::random::{Purpose, stream};
use gleaner_data::{LoadPurpose, LoadRequest, load};
use gleaner_lang::program::TargetName;
use gleaner_lang::syntax::{Diagnostic, Severity, Sources, render};

use corpus::Sample;
use meter::{ALONE, Measured, measure};
use mutate::{Files, mutate};

/// Bytes that a load may hold.
const fn most_bytes(n_input: usize) -> usize {
    10 * n_input + 64 * (1 << 20)
}

/// How long a load may take; unoptimised code on a busy machine gets more.
const MOST_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 2 });

/// Beyond this a load is given up.
const HANGS: Duration = Duration::from_secs(120);

fn alone() -> MutexGuard<'static, ()> {
    // A test that failed holds nothing that others need.
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What a load said: the codes of its messages, and whether one of them is an error.
struct Said {
    is_loaded: bool,
    codes: Vec<String>,
    shown: String,
}

fn said(request: &LoadRequest) -> Said {
    let mut sources = Sources::new();
    let outcome = load(request, &mut sources);
    let (is_loaded, messages) = match outcome {
        Ok(loaded) => (true, loaded.warnings),
        Err(faults) => (false, faults),
    };
    let is_error = |message: &Diagnostic| message.severity() == Severity::Error;
    assert_ne!(is_loaded, messages.iter().any(is_error), "a refusal has an error, and only a refusal");
    let shown = render(&messages[..messages.len().min(50)], &sources, false);
    assert!(messages.is_empty() || shown.contains("[G"), "{shown}");
    Said { is_loaded, codes: messages.iter().map(|message| message.code().to_string()).collect(), shown }
}

fn write(folder: &Path, files: &Files) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, bytes).expect("the file can be written");
    }
}

fn request(sample: &Sample, folder: &Path, idx: u64) -> LoadRequest {
    LoadRequest {
        path: folder.join(sample.entry),
        format: (!idx.is_multiple_of(3)).then_some(sample.format),
        target: sample.target.map(|name| TargetName { name: name.to_owned(), arity: None }),
        modes: sample.modes.map(|name| folder.join(name)),
        background: sample.background.map(|name| folder.join(name)).into_iter().collect(),
        purpose: if idx.is_multiple_of(2) { LoadPurpose::Inspect } else { LoadPurpose::Learn },
        ..LoadRequest::default()
    }
}

/// What came of the mutants of one reader.
#[derive(Default)]
struct Outcomes {
    n_loaded: usize,
    n_refused: usize,
    time: Duration,
    most_time: Duration,
    most_bytes: usize,
    codes: BTreeMap<String, usize>,
}

impl Outcomes {
    fn add(&mut self, measured: &Measured<Said>) {
        self.n_loaded += usize::from(measured.outcome.is_loaded);
        self.n_refused += usize::from(!measured.outcome.is_loaded);
        self.time += measured.time;
        self.most_time = self.most_time.max(measured.time);
        self.most_bytes = self.most_bytes.max(measured.n_bytes);
        for code in &measured.outcome.codes {
            *self.codes.entry(code.clone()).or_default() += 1;
        }
    }
}

fn n_mutants() -> u64 {
    let asked = std::env::var("GLEANER_MUTANTS").ok();
    asked.map_or(200, |asked| asked.parse().expect("GLEANER_MUTANTS is a number"))
}

#[expect(clippy::print_stderr, reason = "the figures are for those who ask")]
fn mutate_reader(name: &str) {
    let _alone = alone();
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations").join(name);
    let mut samples = corpus::written();
    samples.retain(|sample| sample.name == name);
    let mut outcomes = Outcomes::default();
    let mut faults = Vec::new();
    for sample in &samples {
        write(&folder, &sample.files);
        let said = said(&request(sample, &folder, 0));
        assert!(said.is_loaded, "{name} does not load whole:\n{}", said.shown);
    }
    // Of cuts some do not load even as they are.
    samples
        .extend(corpus::converted().into_iter().chain(corpus::public()).filter(|sample| sample.name == name));
    for idx in 0..n_mutants() {
        let sample = &samples[usize::try_from(idx).expect("few") % samples.len()];
        let mut files = sample.files.clone();
        mutate(&mut files, &mut stream(7, Purpose::Generate, &[idx]));
        write(&folder, &files);
        let request = request(sample, &folder, idx / 2);
        let n_input = files.iter().map(|(_, bytes)| bytes.len()).sum();
        let problem = match measure(HANGS, move || said(&request)) {
            Ok(measured) => {
                outcomes.add(&measured);
                let Measured { time, n_bytes, .. } = measured;
                let is_within = time <= MOST_TIME && n_bytes <= most_bytes(n_input);
                (!is_within).then(|| format!("took {time:?} and {n_bytes} bytes for {n_input}"))
            }
            Err(problem) => Some(problem),
        };
        if let Some(problem) = problem {
            // The files stay for whoever looks into it.
            write(&folder.with_file_name(format!("{name}-{idx}")), &files);
            faults.push(format!("{name}: mutant {idx}: {problem}"));
        }
    }
    let Outcomes { n_loaded, n_refused, time, most_time, most_bytes, codes } = outcomes;
    eprintln!(
        "{name}: {} mutants of {} problems: {n_loaded} loaded, {n_refused} refused; {time:.1?}, at most {most_time:.3?} \
         and {:.1} MB; {codes:?}",
        n_mutants(),
        samples.len(),
        most_bytes as f64 / 1e6,
    );
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

macro_rules! readers {
    ($($test:ident $name:literal;)*) => { $(#[test] fn $test() { mutate_reader($name); })* };
}

readers! {
    own "own";
    aleph "aleph";
    aleph_single "aleph single";
    boostsrl "boostsrl";
    popper "popper";
    progol "progol";
    cplint "cplint";
    alchemy "alchemy";
    triples "triples";
    csv "csv";
    json_lines "json-lines";
}
