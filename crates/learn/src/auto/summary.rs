//! The choice for a person.

use std::fmt::Write;

use crate::explanation::Noun;
use crate::shown::{Extent, Summary, Table, metric, threshold_line};
use gleaner_lang::program::Symbols;

use super::choice::{Choice, CutShort, Weighed};
use super::model::AutoModel;

/// Options that are shown beside the candidates.
const N_SHOWN_MEANS: usize = 3;

/// Learners in words: `gleaner`, or `mean of gleaner and srl`.
pub(super) fn names_text(learners: &[String]) -> String {
    match learners {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("mean of {} and {last}", first.join(", ")),
    }
}

/// The choice and its reasons, in lines.
pub(super) fn choice_lines(choice: &Choice) -> String {
    let mut text = format!("auto chose: {}\n", names_text(&choice.chosen));
    let folds = Noun { one: "inner fold", many: "inner folds" }.counted(choice.folds);
    match (choice.cut_short, choice.folds) {
        (Some(CutShort::OneCandidate), _) => text.push_str("it is the only candidate\n"),
        (Some(CutShort::FewExamples), _) => {
            text.push_str("it is the first candidate: there are too few examples for inner folds\n");
        }
        (Some(CutShort::OneClause), _) => {
            text.push_str(
                "one clause makes no mistake on train and tune, which are too few for inner folds\n",
            );
        }
        (Some(CutShort::Stopped), 0) => {
            text.push_str("a stop came before the first inner fold was done\n");
        }
        (Some(CutShort::Stopped), _) => {
            let _ = writeln!(text, "a stop came after {folds} of train and tune");
        }
        (None, _) => {}
    }
    if choice.folds == 0 {
        return text;
    }
    let _ = writeln!(text, "mean auc_pr on {folds} of train and tune, and how far behind the best:");
    for option in shown(choice) {
        let mark = if option.learners == choice.chosen { "*" } else { " " };
        let _ = writeln!(
            text,
            " {mark} {:.4}  {:.4} +- {}  {}",
            option.area,
            option.behind,
            metric(Some(option.error).filter(|error| *error < 1.0)),
            names_text(&option.learners)
        );
    }
    text
}

/// The candidates, the best means, and the choice, the largest areas first.
fn shown(choice: &Choice) -> Vec<&Weighed> {
    let mut all: Vec<&Weighed> = choice.options.iter().collect();
    all.sort_by(|left, right| right.area.total_cmp(&left.area));
    let mut n_means = 0;
    all.retain(|option| {
        n_means += usize::from(option.learners.len() > 1);
        option.learners.len() == 1 || n_means <= N_SHOWN_MEANS || option.learners == choice.chosen
    });
    all
}

/// The choice and its reasons, then each learner's model as it shows itself.
pub(super) fn summary(model: &AutoModel, symbols: &Symbols, extent: Extent) -> Summary {
    let mut head = choice_lines(&model.choice);
    if model.only().is_none() {
        head.push_str("a score is the mean of the learners' log-odds");
        for member in model.members.iter().filter(|member| member.weight > 1.0) {
            let _ = write!(head, "; {} counts {} times", member.learner, member.weight);
        }
        head.push('\n');
        head.push_str(&threshold_line(model.threshold, model.chosen_on));
    }
    let mut tables = Vec::new();
    for member in &model.members {
        let Summary { head, tables: of_member } = member.model.summary(symbols, extent);
        let lead = format!("\n== {}\n{head}", member.learner);
        tables.push(Table { lead, ..Table::default() });
        tables.extend(of_member);
    }
    Summary { head, tables }
}
