//! `gleaner generate DOMAIN -o DIR`: a synthetic problem, and what its planted theory reaches itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;
use serde_json::json;

use crate::base::{Budget, ExampleId};
use crate::coverage::Universe;
use crate::coverage::component::cover_clause;
use crate::coverage::votes::VoteCounter;
use crate::eval::{Metrics, Ranking, metrics};
use crate::generate::{Generated, SentencesConfig, UniversityConfig, sentences, university};
use crate::problem::LoadRequest;
use crate::report::metric;
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
    let (found, per_rule) = planted_theory(&folder, &generated, output)?;
    let mut text = String::new();
    for (name, value) in &generated.summary {
        text.push_str(&format!("{name}: {value}\n"));
    }
    text.push_str(&format!(
        "\nplanted theory (score: rules that cover; prevalence {}): auc_pr {}\n",
        metric(found.prevalence),
        metric(found.auc_pr)
    ));
    for (rule, (true_positives, false_positives)) in generated.planted.iter().zip(&per_rule) {
        text.push_str(&format!("{true_positives:>6} TP {false_positives:>6} FP  {rule}\n"));
    }
    output.text(&text)?;
    output.event(&json!({
        "event": "done",
        "version": 1,
        "positives": generated.n_positives,
        "negatives": generated.n_negatives,
        "planted": generated.planted,
        "metrics": found,
    }))
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

/// What the planted rules reach on the written data: an example's score is the number that cover it.
fn planted_theory(
    folder: &Path,
    generated: &Generated,
    output: &Output,
) -> Result<(Metrics, Vec<(usize, usize)>), Failure> {
    let request = LoadRequest {
        path: folder.to_path_buf(),
        clauses: generated.planted.clone(),
        ..LoadRequest::default()
    };
    let (problem, _) = load_problem(&request, output)?;
    let all: Vec<ExampleId> = problem.examples.ids().collect();
    let universe = Universe::new(Arc::clone(&problem.examples), &all);
    let budget = Budget::unlimited();
    let mut votes = VoteCounter::new(universe.len());
    let mut per_rule = Vec::new();
    for clause in &problem.clauses {
        let covered = cover_clause(&problem.worlds, clause, &universe, &budget)
            .expect("an unlimited budget never interrupts");
        per_rule.push(universe.counts(&covered));
        votes.add(&covered);
    }
    #[expect(clippy::cast_precision_loss, reason = "votes are few")]
    let pairs = universe
        .iter()
        .map(|(position, id)| (votes.votes(position) as f64, problem.examples.is_positive(id)));
    let ranking = Ranking::new(pairs).expect("votes are finite");
    Ok((metrics(&ranking), per_rule))
}
