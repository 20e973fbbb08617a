//! What learners of words and sentences need of the data.

use gleaner_data::Problem;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::Learner;
use gleaner_learn::bag_of_words::{BagOfWords, BagOfWordsConfig, bag_names};
use gleaner_learn::text_hmm::{TEXT_PREDICATES, TextHmm, TextPredicates};

use super::failure::Failure;

/// Refuses to learn words or sentences from data that have none.
pub(crate) fn check_learner_data(problem: &Problem, settings: &Settings) -> Result<(), Failure> {
    let name = settings.learner();
    let refusal = if name == BagOfWords::NAMES[0].name {
        without_bags(problem, settings)
    } else if name == TextHmm::NAMES[0].name {
        without_sentences(problem)
    } else {
        None
    };
    match refusal {
        Some((message, help)) => {
            Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help(help)))
        }
        None => Ok(()),
    }
}

/// Why there are not the bags of words that are asked for, and the remedy.
fn without_bags(problem: &Problem, settings: &Settings) -> Option<(String, String)> {
    let asked = BagOfWordsConfig::of(settings, DataSummary::default()).bags;
    let known = bag_names(problem.modes(), problem.symbols());
    let unknown = asked.0.iter().find(|name| !known.contains(name));
    let message = match unknown {
        Some(name) => format!("⁅bags⁆: no mode makes {name} a bag of words"),
        None if known.is_empty() => "⁅learner=bag-of-words⁆: no mode makes a bag of words".to_owned(),
        None => return None,
    };
    let help = if known.is_empty() {
        "a bag is a mode with one constant (#) and otherwise inputs (+) of the target's types".to_owned()
    } else {
        format!("bags are {}", known.join(", "))
    };
    Some((message, help))
}

/// Why there are no pairs in sentences, and the remedy.
fn without_sentences(problem: &Problem) -> Option<(String, String)> {
    let n_arguments = problem.modes().head.arguments.len();
    let message = match TextPredicates::of(problem.symbols()) {
        Ok(_) if n_arguments == 2 => return None,
        Ok(_) => format!("⁅learner=text-hmm⁆ learns pairs, and {} is none", problem.target()),
        Err(missing) => format!("⁅learner=text-hmm⁆ reads sentences, and there is no {missing}"),
    };
    let facts = TEXT_PREDICATES.map(|(name, arity)| format!("{name}/{arity}")).join(", ");
    Some((message, format!("gleaner text CORPUS writes what it reads: {facts}")))
}
