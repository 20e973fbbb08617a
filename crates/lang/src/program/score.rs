//! The scores that a search may maximise, by the names that users write. `search` has the code that computes them.
//!
//! They are here, and not beside that code, because a setting is checked when it is made, and the table of settings
//! belongs to the language.

mod formula;

use std::fmt;
use std::sync::Arc;

use gleaner_base::real_number;

use super::settings::{Form, Refusal, SettingType, nearest};
pub use formula::{BinaryOperator, Formula, FormulaFault, Node, UnaryOperator, Variable};

/// The function of a clause's counts that a search maximises; higher is better.
///
/// `TP` and `FP` are the covered positives and negatives. `P` and `N` are all positives and negatives, of the
/// population where the examples are a sample. `p = TP/(TP+FP)`, `r = TP/P`, and `L` is the number of literals, head
/// included.
#[derive(Clone, Debug, PartialEq)]
pub enum Score {
    /// `p·r`, Gleaner's own. [GLEANER §3.1.1]
    PrecisionRecall,
    /// `p`.
    Precision,
    /// [`Score::FBeta`] with `b = 1`.
    F1,
    /// `(1 + b)·p·r / (b·p + r)`, from 0 to 1. [GLEANER §2.2.1]
    ///
    /// DIVERGENCE from the usual definition, which squares `b`: this is the thesis's. `b` is at least 0.
    FBeta(f64),
    /// `TP - FP`. [GLEANER §3.2]
    Coverage,
    /// `TP - FP - L`. [GLEANER §3.2]
    Compression,
    /// `(TP + 1) / (TP + FP + 2)`. [GLEANER §3.2]
    Laplace,
    /// `(TP + m·P/(P+N)) / (TP + FP + m)`, `m` at least 0. [Cestnik 1990]
    MEstimate(f64),
    /// `(TP + m) / (TP + FP + 2m)`, the thesis's m-estimate. It is [`Score::MEstimate`] of `2m` for classes of equal
    /// size, and Laplace's with `m = 1`. `m` is at least 0. [GLEANER §3.2]
    ThesisMEstimate(f64),
    /// `(TP + TN) / (P + N)`.
    Accuracy,
    /// Weighted relative accuracy, `(TP+FP)/(P+N) · (p - P/(P+N))`. [Lavrač 1999]
    WeightedRelativeAccuracy,
    /// FOIL's gain over the clause with an empty body, `TP·(log2 p - log2(P/(P+N)))`, in bits; 0 where only negatives
    /// are covered. [Quinlan 1990]
    FoilGain,
    /// The mutual information of coverage and class, 0 to 1 bit. A clause that
    /// covers mostly negatives tells as much as its opposite. [Quinlan 1986]
    InformationGain,
    /// Minus the entropy of the class among the covered examples, -1 to 0 bits. It is also 0 where only negatives are
    /// covered.
    Entropy,
    /// The area under the precision-recall curve through the clause's point: at `p` up to its recall, from
    /// there to `(P, N)` as counts interpolate. 0 to 1. [GLEANER §2.2.3]
    PrArea,
    /// A formula of the user.
    Custom(Arc<Formula>),
}

/// Scores without a parameter.
static PLAIN: [(&str, Score); 12] = [
    ("precision-recall", Score::PrecisionRecall),
    ("precision", Score::Precision),
    ("f1", Score::F1),
    ("coverage", Score::Coverage),
    ("compression", Score::Compression),
    ("laplace", Score::Laplace),
    ("accuracy", Score::Accuracy),
    ("wracc", Score::WeightedRelativeAccuracy),
    ("foil-gain", Score::FoilGain),
    ("information-gain", Score::InformationGain),
    ("entropy", Score::Entropy),
    ("pr-area", Score::PrArea),
];

/// A score with a parameter: its name, and its constructor.
type Parametric = (&'static str, fn(f64) -> Score);

/// Scores with a parameter, which is at least 0.
static PARAMETRIC: [Parametric; 3] = [
    ("f-beta", Score::FBeta),
    ("m-estimate", Score::MEstimate),
    ("thesis-m-estimate", Score::ThesisMEstimate),
];

/// The `m` of an m-estimate without a parameter.
const DEFAULT_M: f64 = 2.0;

/// Aleph's values of `evalfn` whose names differ from ours: `(Aleph's, ours)`. Its `accuracy` is that among covered
/// examples. Aleph has no `gain`, but users write it for FOIL's gain.
const ALEPH_NAMES: [(&str, &str); 3] =
    [("accuracy", "precision"), ("mestimate", "m-estimate"), ("gain", "foil-gain")];

impl Score {
    /// The names of scores as the help lists them, with capitals for parameters.
    pub const NAMES: [&'static str; 15] = [
        "precision-recall",
        "precision",
        "f1",
        "f-beta:B",
        "coverage",
        "compression",
        "laplace",
        "m-estimate:M",
        "thesis-m-estimate:M",
        "accuracy",
        "wracc",
        "foil-gain",
        "information-gain",
        "entropy",
        "pr-area",
    ];

    /// The accepted texts of a score, in words.
    pub fn accepted() -> String {
        format!("{}, or a formula over TP FP P N L, as TP - 2*FP", Self::NAMES.join(", "))
    }

    /// The score that a text names, or the formula it is.
    ///
    /// # Errors
    ///
    /// [`ScoreFault`] when it is neither.
    pub fn parse(written: &str) -> Result<Self, ScoreFault> {
        let text = written.trim();
        if let Some((_, score)) = PLAIN.iter().find(|(name, _)| *name == text) {
            return Ok(score.clone());
        }
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        if let Some((name, make)) = PARAMETRIC.iter().find(|(known, _)| *known == name) {
            return parameter_of(name, parameter).map(make);
        }
        if let (Some((name, _)), Some(_)) = (PLAIN.iter().find(|(known, _)| *known == name), parameter) {
            return Err(ScoreFault::NeedlessParameter(name));
        }
        // It parses the text with leading blanks; else columns in messages would be wrong.
        match Formula::parse(written) {
            Ok(formula) => Ok(Self::Custom(Arc::new(formula))),
            Err(fault) => Err(mistaken(name, fault)),
        }
    }

    /// Our name of the score with this name in Aleph's `evalfn`; the same name where both agree.
    pub fn of_aleph(name: &str) -> &str {
        ALEPH_NAMES.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, ours)| ours)
    }
}

impl SettingType for Score {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "SCORE";
    const IS_LISTED: bool = true;

    fn accepted(_: &()) -> String {
        Self::accepted()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        Self::parse(text).map_err(|fault| Refusal::Because {
            // A word that names no score needs no further reason.
            why: (!matches!(fault, ScoreFault::Name(_))).then(|| fault.to_string()),
            help: fault.help(),
        })
    }

    fn of_aleph(text: &str) -> &str {
        Self::of_aleph(text)
    }
}

/// The text that a user would write; [`Score::parse`] reads it back.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FBeta(b) => write!(f, "f-beta:{b}"),
            Self::MEstimate(m) => write!(f, "m-estimate:{m}"),
            Self::ThesisMEstimate(m) => write!(f, "thesis-m-estimate:{m}"),
            Self::Custom(formula) => formula.fmt(f),
            plain => {
                let name = PLAIN.iter().find(|(_, score)| score == plain).map(|(name, _)| *name);
                f.write_str(name.expect("every score without a parameter is listed"))
            }
        }
    }
}

fn parameter_of(name: &'static str, text: Option<&str>) -> Result<f64, ScoreFault> {
    let value = match text {
        None if name != "f-beta" => Some(DEFAULT_M),
        None => None,
        Some(text) => real_number(text).filter(|value| value.is_finite() && *value >= 0.0),
    };
    value.ok_or(ScoreFault::Parameter(name))
}

/// The fault of a text that is no score. A word near a score's name is taken for a misspelling of it.
fn mistaken(word: &str, fault: FormulaFault) -> ScoreFault {
    let is_name = |extra: &[char]| {
        word.starts_with(char::is_alphabetic)
            && word.chars().all(|c| c.is_alphanumeric() || extra.contains(&c))
    };
    if is_name(&['-', '_']) {
        let names = PLAIN.iter().map(|(name, _)| *name).chain(PARAMETRIC.iter().map(|(name, _)| *name));
        if let Some(name) = nearest(&word.to_lowercase().replace('_', "-"), names) {
            return ScoreFault::Name(Some(name));
        }
    }
    if is_name(&['_']) && !fault.has_suggestion() {
        return ScoreFault::Name(None);
    }
    ScoreFault::Formula(fault)
}

/// Why a text is no score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreFault {
    /// A word that names no score; with the nearest name of a score, if one is near.
    #[error("no score has this name")]
    Name(Option<&'static str>),
    /// The parameter of this score is missing, or no number of at least 0.
    #[error("{0} needs a number")]
    Parameter(&'static str),
    /// This score has no parameter.
    #[error("{0} takes no number")]
    NeedlessParameter(&'static str),
    /// The text is neither a score's name nor a formula.
    #[error("{0}")]
    Formula(FormulaFault),
}

impl ScoreFault {
    /// What would be accepted.
    pub fn help(&self) -> String {
        match self {
            Self::Name(Some(nearest)) => format!("did you mean {nearest}?"),
            Self::Name(None) => format!("score takes {}", Score::accepted()),
            Self::Parameter(name) => {
                format!("{name} takes a number of at least 0 after a colon, as {name}:0.5")
            }
            Self::NeedlessParameter(name) => format!("write {name}"),
            Self::Formula(fault) => fault.help(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PARAMETRIC, PLAIN, Score, ScoreFault};

    #[test]
    fn every_name_is_listed_and_read_back() {
        for listed in Score::NAMES {
            let text = listed.replace(":B", ":0.5").replace(":M", ":3");
            let score = Score::parse(&text).expect("a listed name");
            assert_eq!(score.to_string(), text);
            assert!(!matches!(score, Score::Custom(_)), "{text}");
        }
        assert_eq!(PLAIN.len() + PARAMETRIC.len(), Score::NAMES.len());
        assert_eq!(Score::parse("m-estimate"), Ok(Score::MEstimate(2.0)));
        assert_eq!(Score::parse("thesis-m-estimate"), Ok(Score::ThesisMEstimate(2.0)));
        assert_eq!(Score::parse(" wracc "), Ok(Score::WeightedRelativeAccuracy));
        let formula = Score::parse("TP-2*FP").expect("a formula");
        assert!(matches!(formula, Score::Custom(_)));
        assert_eq!(formula.to_string(), "TP - 2 * FP");
    }

    #[test]
    fn faults_say_what_was_probably_meant() {
        let cases = [
            ("lapalce", ScoreFault::Name(Some("laplace"))),
            ("Laplace", ScoreFault::Name(Some("laplace"))),
            ("information_gain", ScoreFault::Name(Some("information-gain"))),
            ("pr-aera", ScoreFault::Name(Some("pr-area"))),
            ("f-bta:2", ScoreFault::Name(Some("f-beta"))),
            ("best", ScoreFault::Name(None)),
            ("posonly", ScoreFault::Name(None)),
            ("f-beta", ScoreFault::Parameter("f-beta")),
            ("f-beta:-1", ScoreFault::Parameter("f-beta")),
            ("m-estimate:inf", ScoreFault::Parameter("m-estimate")),
            ("m-estimate:", ScoreFault::Parameter("m-estimate")),
            ("laplace:1", ScoreFault::NeedlessParameter("laplace")),
        ];
        for (text, fault) in cases {
            assert_eq!(Score::parse(text), Err(fault), "{text}");
        }
        for text in ["tp", "TP/", "", "sqrt", "L", "3"] {
            assert!(matches!(Score::parse(text), Err(ScoreFault::Formula(_))), "{text}");
        }
        assert_eq!(Score::parse("lapalce").expect_err("a fault").help(), "did you mean laplace?");
        let help = Score::parse("best").expect_err("a fault").help();
        assert!(help.starts_with("score takes precision-recall, ") && help.contains("TP FP P N L"), "{help}");
    }

    #[test]
    fn aleph_names_its_scores_otherwise() {
        let ours = |name| Score::parse(Score::of_aleph(name));
        assert_eq!(ours("accuracy"), Ok(Score::Precision));
        assert_eq!(ours("mestimate"), Ok(Score::MEstimate(2.0)));
        assert_eq!(ours("gain"), Ok(Score::FoilGain));
        for same in ["coverage", "compression", "laplace", "wracc", "entropy"] {
            assert_eq!(ours(same).expect("a score").to_string(), same);
        }
        for other in ["posonly", "gini", "pbayes", "auto_m", "mse", "sd", "user"] {
            assert!(ours(other).is_err(), "{other}");
        }
    }
}
