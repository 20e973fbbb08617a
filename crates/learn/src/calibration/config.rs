//! Settings of calibration, checked.

use gleaner_lang::program::settings::{Setting, settings, words};
use gleaner_stats::eval::calibration::Method;

words! {
    /// The way from scores to probabilities.
    pub enum CalibrationWay {
        /// Isotonic regression and a sigmoid together.
        ///
        /// DIVERGENCE: [GLEANERSRL §2.4] has isotonic regression alone, whose highest step says 1 after a few examples.
        Blend = "blend",
        /// The rising step function that fits best.
        Isotonic = "isotonic",
        /// A sigmoid.
        Platt = "platt",
        /// A curve of the beta family.
        Beta = "beta",
        /// Frequencies in bins of equal weight.
        Binning = "binning",
        /// Nothing: there are no probabilities.
        None = "none",
    }
}

words! {
    /// Where isotonic regression lies between two steps.
    pub enum Interpolation {
        /// On the lower one.
        None = "none",
        /// On a line from the one to the other.
        Linear = "linear",
    }
}

words! {
    /// The examples that calibrators are fitted to.
    pub enum CalibrationSet {
        /// Tune.
        Tune = "tune",
        /// Tune, its classes weighed so that its prevalence is that of train and tune.
        WeightedTune = "weighted-tune",
        /// Train and tune.
        TrainAndTune = "train-and-tune",
    }
}

settings! {
    /// The settings of calibration.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CalibrationConfig {
        /// The way from scores to probabilities.
        pub way: CalibrationWay = Setting::new("calibration", "blend")
            .help("How scores become probabilities: a blend of isotonic regression and Platt's sigmoid, either one, \
                 a beta curve, or bins")
            .source("our own, by experiment; isotonic: [GLEANERSRL §2.4]"),
        /// The examples that the calibrator is fitted to. `None` for those with scores by models that did not learn
        /// from them, if the learner has such scores. Without these, `None` means tune if it has 50 positives, else
        /// train and tune.
        pub set: Option<CalibrationSet> = Setting::auto("calibration-set", (), |_| None)
            .only("calibration", &["blend", "isotonic", "platt", "beta", "binning"])
            .help(
                "Examples that calibration is fitted to; auto: those that the learner holds out, else tune if it \
                 has 50 positives, else train and tune",
            )
            .source("our own; [GLEANERSRL §2.4]: tune"),
        /// Bins of `binning`.
        pub n_bins: usize = Setting::within("calibration-bins", 2..=10_000, "10")
            .only("calibration", &["binning"])
            .unit("bins")
            .help("Bins of ⁅calibration=binning⁆")
            .source("[Zadrozny, Elkan 2001]"),
        /// Where isotonic regression lies between two steps.
        ///
        /// DIVERGENCE: on a line, where the paper takes the lower step. Calibration scores are those of other classifiers than the
        /// last one, so a test score may lie just above a step that says 0. Cross entropy with the lower step and with the line,
        /// IMDb, `srl`: .097 and .034; `prankboost-clause`: .238 and .168; on UW-CSE and `WebKB` the same to .0003.
        pub interpolation: Interpolation = Setting::new("interpolate", "linear")
            .only("calibration", &["isotonic"])
            .help("Value between two steps of isotonic regression: the lower step, or a line between them")
            .source("our own, by experiment; [GLEANERSRL §2.4]: none"),
        /// The probability whose precision and recall are measured.
        pub at_probability: f64 = Setting::within("at-probability", 0.0..=1.0, "0.5")
            .only("calibration", &["blend", "isotonic", "platt", "beta", "binning"])
            .help("Least probability that is called positive when precision and recall are measured")
            .source("our own"),
    }
}

impl CalibrationConfig {
    /// How probabilities are made; `None` where there are none.
    pub fn method(&self) -> Option<Method> {
        let is_interpolated = self.interpolation == Interpolation::Linear;
        match self.way {
            CalibrationWay::Blend => Some(Method::Blend),
            CalibrationWay::Isotonic => Some(Method::Isotonic { is_interpolated }),
            CalibrationWay::Platt => Some(Method::Platt),
            CalibrationWay::Beta => Some(Method::Beta),
            CalibrationWay::Binning => Some(Method::Binning { n_bins: self.n_bins }),
            CalibrationWay::None => None,
        }
    }
}
