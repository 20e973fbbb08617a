//! `gleaner generate DOMAIN -o DIR`: a synthetic problem, and what its planted theory reaches itself.

use std::path::PathBuf;

use clap::ArgMatches;

use crate::experiment::planted::{GenerateAnswer, PlantedTheory, planted_theory};
use crate::generate::{Generated, SentencesConfig, UniversityConfig, sentences, university};
use crate::problem::LoadRequest;
use crate::store::write_whole;

use super::failure::Failure;
use super::output::Output;
use super::run_folder::check_no_remains;
use super::session::load_problem;

pub(super) fn generate(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let folder = matches.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    let generated = generated(matches)?;
    // What was left there by another problem would be loaded with this one.
    let written = generated.files.iter().map(|file| file.path.split('/').next().unwrap_or(&file.path));
    check_no_remains(&folder, written.chain(["SOURCE.md"]))?;
    for file in &generated.files {
        let path = folder.join(&file.path);
        write_whole(&path, file.text.as_bytes()).map_err(|error| Failure::write(&path, &error))?;
    }
    let request = LoadRequest { path: folder, clauses: generated.planted.clone(), ..LoadRequest::default() };
    let (problem, _) = load_problem(&request, output)?;
    let PlantedTheory { metrics, counts } = planted_theory(&problem);
    output.answer(&GenerateAnswer {
        positives: generated.n_positives,
        negatives: generated.n_negatives,
        planted: generated.planted,
        metrics,
        counts,
        summary: generated.summary,
    })
}

fn generated(matches: &ArgMatches) -> Result<Generated, Failure> {
    let usage = |error: crate::generate::GenerateError| Failure::Usage(error.to_string());
    let size =
        |name: &str| matches.get_one::<u64>(name).map(|&value| usize::try_from(value).unwrap_or(usize::MAX));
    let share = |name: &str, default: f64| matches.get_one::<f64>(name).copied().unwrap_or(default);
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(1);
    let is_university = matches.get_one::<String>("domain").is_some_and(|domain| domain == "university");
    let foreign: &[&str] = if is_university {
        &["sentences", "positives", "predicates", "rules", "scale"]
    } else {
        &["people", "areas"]
    };
    if let Some(flag) = foreign.iter().find(|flag| matches.contains_id(flag)) {
        return Err(Failure::Usage(format!("--{flag} has no effect on this domain")));
    }
    if is_university {
        let default = UniversityConfig::default();
        let config = UniversityConfig {
            people: size("people").unwrap_or(default.people),
            areas: size("areas").unwrap_or(default.areas),
            noise: share("noise", default.noise),
            seed,
        };
        return university(&config).map_err(usage);
    }
    let default = SentencesConfig::default();
    let config = SentencesConfig {
        sentences: size("sentences").unwrap_or(default.sentences),
        positives: size("positives").or(default.positives),
        predicates: size("predicates").unwrap_or(default.predicates),
        rules: size("rules").unwrap_or(default.rules),
        noise: share("noise", default.noise),
        scale: share("scale", default.scale),
        seed,
    };
    sentences(&config).map_err(usage)
}
