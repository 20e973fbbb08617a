//! The answer of `learn`; or the reason why nothing was learnt, and the remedy.
//!
//! A saved model, as it was printed when it was learnt.

use gleaner_base::StopReason;
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::Model;
use gleaner_learn::shown::Extent;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::experiment::runs::learn::{LearnAnswer, NothingLearnt, Stage};
use crate::store::ModelFile;

use super::text::{self, cut_name, funnel, seed_funnels, stop_name};
use super::{Answer, Document, Events, model_text, stopped};

impl Events for LearnAnswer<'_> {}

impl Answer for LearnAnswer<'_> {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.lines(&text::narrow(&text::problem_line(&self.problem)));
        document.lines(&text::search_lines(&self.result.search));
        document.extend(model_text::model(
            &*self.result.model,
            self.symbols,
            &self.result.reading,
            self.extent,
        ));
        if !self.result.scored.is_empty() {
            document.gap();
            document.line(format!("on the test set {}:", self.run.fold));
            document.table(text::metric_table(&self.result.metrics));
            let n_tested = self.result.sizes[2].n_positives;
            text::filtered_line(&mut document, n_tested, self.result.split.filtered);
        }
        document
    }
}

/// Advice that helps whatever the stage is.
const ASK_WHY: &str = "ask `gleaner why DATA 'CLAUSE'` about a clause that should have been learnt";

/// Why nothing was learnt, and what helps, where no clauses were searched.
const NO_GIVEN_CLAUSE: [&str; 2] = [
    "no given clause covers some examples and leaves out others",
    "`gleaner cover DATA CLAUSES` shows what each clause of a file covers",
];
const NO_TEST: [&str; 2] = [
    "no test is passed by ⁅min-leaf⁆ examples or more, and failed by as many",
    "lower ⁅min-leaf⁆, or look at the modes by `gleaner inspect`",
];
const NO_QUERY: [&str; 2] = [
    "no query that enough examples satisfy tells their classes apart",
    "`gleaner mine DATA -o FILE` writes the frequent queries; look at the modes by `gleaner inspect`",
];

impl NothingLearnt {
    /// The stage that lost the clauses, and the remedy.
    pub fn diagnostic(&self) -> Diagnostic {
        let owned = |[why, help]: [&str; 2]| (why.to_owned(), help.to_owned());
        let (why, help) = match self.stage {
            Stage::Stopped => self.stopped(),
            Stage::NoGivenClause => owned(NO_GIVEN_CLAUSE),
            Stage::NoTest => owned(NO_TEST),
            Stage::NoQuery => owned(NO_QUERY),
            Stage::NoClause => (
                "no clause was evaluated, because the bottom clauses hold no literal".to_owned(),
                format!("raise ⁅depth⁆, look at the modes and types by `gleaner inspect`, or {ASK_WHY}"),
            ),
            Stage::NotAcceptable => self.not_acceptable(),
            Stage::LostOnTune => self.lost_on_tune(),
        };
        let cut = self.cut_bottoms().map_or_else(String::new, |(cut, _)| format!("; {cut}"));
        let raise = self.cut_bottoms().map_or_else(String::new, |(_, raise)| format!("{raise}; "));
        let code = if self.stage == Stage::Stopped { codes::TIME_LIMIT } else { codes::NOTHING_LEARNT };
        Diagnostic::error(code, format!("nothing was learnt: {why}{cut}")).with_help(format!("{raise}{help}"))
    }

    /// Where the candidates went; empty where no clauses were searched.
    pub fn candidates(&self) -> Document {
        let mut document = Document::new();
        if matches!(self.stage, Stage::NoGivenClause | Stage::NoTest | Stage::NoQuery) {
            return document;
        }
        document.line("the candidates went:".to_owned());
        document.table(funnel(&self.funnel));
        document.extend(seed_funnels(&self.seeds));
        document
    }

    fn stopped(&self) -> (String, String) {
        let reason = self.stop.unwrap_or(StopReason::Interrupted);
        let acceptable = self.funnel.acceptable;
        let so_far = match acceptable {
            0 => String::new(),
            _ => format!(" before the {acceptable} acceptable clauses were combined to a model"),
        };
        let help = match reason {
            StopReason::MemoryLimit | StopReason::Interrupted => reason.remedy(),
            _ => "give the search more ⁅time⁆, or fewer ⁅seeds⁆ or ⁅clauses⁆",
        };
        (format!("{}{so_far}", stop_name(reason)), help.to_owned())
    }

    /// The message that limits cut bottom clauses, and how to raise them. `None` where that cannot be why no clause was
    /// acceptable.
    fn cut_bottoms(&self) -> Option<(String, String)> {
        if self.n_cut_bottoms == 0 || !matches!(self.stage, Stage::NoClause | Stage::NotAcceptable) {
            return None;
        }
        let cuts: Vec<&str> = self.cuts.iter().map(|cut| cut_name(*cut)).collect();
        let cuts = cuts.join(" and ");
        Some((
            format!(
                "{} of {} bottom clauses were cut by {cuts}, so that literals are missing",
                self.n_cut_bottoms, self.n_seeds
            ),
            format!("raise {cuts}, or lower ⁅depth⁆"),
        ))
    }

    fn not_acceptable(&self) -> (String, String) {
        let funnel = &self.funnel;
        let bounds = &self.bounds;
        let few = format!(
            "{} covered fewer than {} positives (⁅min-pos⁆)",
            funnel.below_min_positives, bounds.min_positives
        );
        let imprecise = format!(
            "{} covered enough, with a precision below {} (⁅min-precision⁆)",
            funnel.below_min_precision, bounds.min_precision
        );
        let too_wide = format!(
            "{} covered more than {} negatives (⁅max-neg⁆)",
            funnel.above_max_negatives,
            bounds.max_negatives.unwrap_or_default()
        );
        let reasons = [
            (funnel.below_min_positives, few),
            (funnel.below_min_precision, imprecise),
            (funnel.above_max_negatives, too_wide),
        ];
        let lost: Vec<String> =
            reasons.into_iter().filter(|(n_lost, _)| *n_lost > 0).map(|(_, reason)| reason).collect();
        let lower = match (funnel.below_min_positives, funnel.below_min_precision) {
            (0, 0) => "",
            (_, 0) => "lower ⁅min-pos⁆, ",
            (0, _) => "lower ⁅min-precision⁆, ",
            _ => "lower ⁅min-precision⁆ or ⁅min-pos⁆, ",
        };
        let wider = if funnel.above_max_negatives > 0 { "⁅max-neg⁆, " } else { "" };
        (
            format!("none of {} clauses was acceptable on train: {}", funnel.evaluated(), lost.join(", ")),
            format!("{lower}raise {wider}⁅depth⁆ or ⁅clauses⁆, or {ASK_WHY}"),
        )
    }

    fn lost_on_tune(&self) -> (String, String) {
        let (acceptable, bounds) = (self.funnel.acceptable, &self.bounds);
        if bounds.min_tune_positives == 0 {
            return (
                format!("{acceptable} clauses were acceptable on train, and none was chosen"),
                format!("look at ⁅score⁆ and ⁅min-precision⁆, or {ASK_WHY}"),
            );
        }
        (
            format!(
                "{acceptable} clauses were acceptable on train, and none on tune: to vote, a clause must cover at least \
                 {} of its {} positives (⁅min-tune-pos⁆)",
                bounds.min_tune_positives, bounds.tune_positives
            ),
            "lower ⁅min-tune-pos⁆, or hold back more for tune by ⁅tune⁆".to_owned(),
        )
    }
}

/// A model with its file. It serialises to `model`, the content of the file.
#[derive(Debug)]
pub struct ShowAnswer<'a> {
    /// The file.
    pub file: &'a ModelFile,
    /// The model over its own names.
    pub model: &'a dyn Model,
    /// The names of the model's clauses.
    pub symbols: &'a Symbols,
    /// How much of it is shown.
    pub extent: Extent,
}

impl Serialize for ShowAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model: Json = serde_json::from_str(&self.file.to_json()).map_err(serde::ser::Error::custom)?;
        json!({ "model": model }).serialize(serializer)
    }
}

impl Events for ShowAnswer<'_> {}

impl Answer for ShowAnswer<'_> {
    fn document(&self) -> Document {
        let mut document =
            model_text::model(self.model, self.symbols, &self.file.header.reading(), self.extent);
        if let Some(reason) = self.file.header.stopped {
            document.line(stopped::of_model(reason));
        }
        document
    }
}

/// The clauses of a model whose positives are exactly the examples that any clause covers. Each stands once, one a
/// line; those with most literals come last.
///
/// # Errors
///
/// The reason, in words, why the model is no such theory.
pub fn theory(model: &dyn Model, symbols: &Symbols) -> Result<String, String> {
    let mut clauses = model.theory()?;
    clauses.sort_by_key(|clause| (clause.n_literals(), *clause));
    clauses.dedup();
    Ok(clauses.iter().map(|clause| clause_text(clause, symbols) + "\n").collect())
}
