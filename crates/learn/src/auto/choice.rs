//! The choice among candidates and means of them, by areas on inner folds.

use serde::{Deserialize, Serialize};

use super::config::Prefer;
use super::held_out::HeldOutTable;

/// The choice, with its reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The learners that are tried, those that are easier to read first.
    pub candidates: Vec<String>,
    /// Inner folds, or parts of tune, that all candidates were tried on.
    pub folds: usize,
    /// Why there are no inner folds, or fewer than the data have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<CutShort>,
    /// The options that were weighed: each candidate, then the means of several, in the order of the candidates.
    pub options: Vec<Weighed>,
    /// The learners whose model is wanted.
    pub chosen: Vec<String>,
    /// Why it is these, where options were weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// Why an option was chosen among those that were weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It makes no mistake.
    NoMistake,
    /// Its area is the largest.
    Largest,
    /// Within one standard error of the best it is of most learners.
    MostLearners,
    /// Within one standard error of the best it says the classes better than the option of most learners.
    SaysMore,
    /// Within one standard error of the best it is the easiest to read.
    Readable,
}

impl Reason {
    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoMistake => "it makes no mistake on held-out examples",
            Self::Largest => "its area is the largest",
            Self::MostLearners => "within one standard error of the best, it is the mean of most learners",
            Self::SaysMore => {
                "within one standard error of the best, its cross entropy is lower than that of the mean of most learners"
            }
            Self::Readable => "within one standard error of the best, it is the easiest to read",
        }
    }
}

/// Why there are no inner folds, or fewer than there could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutShort {
    /// There is one candidate.
    OneCandidate,
    /// There are too few examples.
    FewExamples,
    /// There are few examples, and one clause makes no mistake on them.
    OneClause,
    /// The data are tables of a database, and tune decided.
    OnTune,
    /// An outer stop came.
    Stopped,
}

/// A candidate, or the mean of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// The learners.
    pub learners: Vec<String>,
    /// The mean area on inner folds.
    pub area: f64,
    /// How far its area is behind the best, on the mean over the folds.
    pub behind: f64,
    /// The standard error of that difference.
    pub error: f64,
}

/// A candidate, or several, with the areas of each fold.
#[derive(Clone, Debug)]
struct Tried {
    members: Vec<usize>,
    areas: Vec<f64>,
    /// The mean cross entropy in each fold.
    cross_entropies: Vec<f64>,
}

impl Choice {
    /// The choice where nothing was weighed: one of the candidates, by its number.
    pub fn unweighed(candidates: Vec<String>, chosen: usize, cut_short: CutShort) -> Self {
        let chosen = candidates.get(chosen).cloned().into_iter().collect();
        Self { candidates, folds: 0, cut_short: Some(cut_short), options: Vec::new(), chosen, reason: None }
    }

    /// The choice by mean areas over inner folds; in a mean each candidate counts by its weight. A candidate of weight
    /// 0 is an option only by itself.
    ///
    /// An option is *near* if its mean area lies within one standard error of the best. `accuracy` takes the near
    /// option of most learners; of several with as many, that of the largest area. But the log-odds of another near
    /// option may say the classes better, in cross entropy by more than its standard error. Then `accuracy` takes the
    /// first such option. An option that counts in no mean comes before all others here, as it is easier to read.
    /// Options of one learner come before those of several. [`Prefer::Readable`] takes the near option of fewest
    /// learners; of several, the first in the order of the candidates. An option that ranks all inner folds without a
    /// mistake is taken before both.
    ///
    /// Rules of choice were compared on inner folds: chosen on all folds but one, measured on that one, over 13 sets with five seeds.
    /// Mean area: most learners of `rdn-boost` and `srl` .7792, their mean in any case .7788, the larger area of both .7781,
    /// `srl` in any case .7727. With tuned boosting and `gleaner` beside them most learners have .7775.
    pub fn of(candidates: Vec<String>, weights: &[f64], table: &HeldOutTable, prefer: Prefer) -> Self {
        let log_odds = table.cross_fitted();
        let option = |members: Vec<usize>| Tried {
            areas: table.areas(&members, weights, &log_odds),
            cross_entropies: table.cross_entropies(&members, weights, &log_odds),
            members,
        };
        let counts = |members: &Vec<usize>| members.len() == 1 || members.iter().all(|&of| weights[of] > 0.0);
        let options: Vec<Tried> = subsets(candidates.len()).into_iter().filter(counts).map(option).collect();
        let none_counts = weights.iter().take(candidates.len()).all(|&weight| weight <= 0.0);
        let is_wanted = |option: &Tried| {
            prefer == Prefer::Readable || none_counts || option.members.iter().all(|&of| weights[of] > 0.0)
        };
        let wanted: Vec<bool> = options.iter().map(is_wanted).collect();
        Self { folds: table.folds.len(), ..Self::among(candidates, &options, &wanted, prefer) }
    }

    fn among(candidates: Vec<String>, options: &[Tried], is_wanted: &[bool], prefer: Prefer) -> Self {
        let best = best_of(options, is_wanted);
        let weighed: Vec<Weighed> = options
            .iter()
            .map(|option| {
                let (behind, error) = difference(&options[best].areas, &option.areas);
                let learners = option.members.iter().map(|&member| candidates[member].clone()).collect();
                Weighed { learners, area: mean(&option.areas), behind, error }
            })
            .collect();
        let is_near = |option: &Weighed| option.behind <= option.error;
        let n_learners = |option: &usize| weighed[*option].learners.len();
        let mut near = (0..weighed.len()).filter(|&option| is_wanted[option] && is_near(&weighed[option]));
        let (chosen, reason) = match prefer {
            Prefer::Accuracy | Prefer::Readable if weighed[best].area >= 1.0 => (best, Reason::NoMistake),
            Prefer::Readable => (near.next().unwrap_or(best), Reason::Readable),
            Prefer::Accuracy => {
                let most = near
                    .rev()
                    .max_by(|one, other| {
                        let by_area = weighed[*one].area.total_cmp(&weighed[*other].area);
                        n_learners(one).cmp(&n_learners(other)).then(by_area)
                    })
                    .unwrap_or(best);
                let says_more = |&option: &usize| {
                    let (ahead, error) =
                        difference(&options[most].cross_entropies, &options[option].cross_entropies);
                    is_near(&weighed[option]) && ahead > error
                };
                let more = (0..weighed.len()).find(says_more).map(|option| (option, Reason::SaysMore));
                more.unwrap_or((most, Reason::MostLearners))
            }
        };
        let reason =
            Some(if chosen == best && reason != Reason::NoMistake { Reason::Largest } else { reason });
        let chosen = weighed[chosen].learners.clone();
        Self { candidates, folds: 0, cut_short: None, options: weighed, chosen, reason }
    }

    /// The numbers of the candidates that were chosen, ascending.
    pub fn members(&self) -> Vec<usize> {
        let is_chosen = |candidate: &usize| self.chosen.contains(&self.candidates[*candidate]);
        (0..self.candidates.len()).filter(is_chosen).collect()
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    pub fn is_sound(&self) -> bool {
        !self.chosen.is_empty() && self.members().len() == self.chosen.len()
    }
}

/// The option of largest mean area among the wanted ones, the first of equals.
fn best_of(options: &[Tried], is_wanted: &[bool]) -> usize {
    let area = |option: usize| mean(&options[option].areas);
    let wanted = (0..options.len()).rev().filter(|&option| is_wanted[option]);
    wanted.max_by(|&one, &other| area(one).total_cmp(&area(other))).unwrap_or(0)
}

/// All subsets that are not empty: the smaller ones first, those of equal size by their members.
fn subsets(n: usize) -> Vec<Vec<usize>> {
    let of_bits = |bits: usize| (0..n).filter(|member| bits >> member & 1 == 1).collect::<Vec<_>>();
    let mut all: Vec<Vec<usize>> = (1..1 << n).map(of_bits).collect();
    all.sort_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
    all
}

#[expect(clippy::cast_precision_loss, reason = "there are few folds")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// How much larger the mean of `one` is over the same folds, and the standard error of that difference. The error is
/// infinite for a single fold.
fn difference(one: &[f64], other: &[f64]) -> (f64, f64) {
    let pairs: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
    let difference = mean(&pairs);
    if pairs.len() < 2 {
        return (difference, f64::MAX);
    }
    let squares: Vec<f64> = pairs.iter().map(|pair| (pair - difference).powi(2)).collect();
    #[expect(clippy::cast_precision_loss, reason = "there are few folds")]
    let degrees = (pairs.len() - 1) as f64;
    (difference, (mean(&squares) / degrees).sqrt())
}

#[cfg(test)]
mod tests {
    use super::{Choice, Prefer, Reason, Tried, difference, subsets};
    use crate::auto::held_out::{FoldExample, FoldScores, HeldOutTable};

    fn names() -> Vec<String> {
        vec!["plain".to_owned(), "dense".to_owned()]
    }

    fn chosen(plain: [f64; 4], dense: [f64; 4], mean: [f64; 4]) -> [String; 2] {
        chosen_by([plain, dense, mean], [[0.0; 4]; 3])
    }

    fn chosen_by(areas: [[f64; 4]; 3], cross_entropies: [[f64; 4]; 3]) -> [String; 2] {
        choices(areas, cross_entropies).map(|choice| choice.chosen.join("+"))
    }

    fn choices(areas: [[f64; 4]; 3], cross_entropies: [[f64; 4]; 3]) -> [Choice; 2] {
        let members: [&[usize]; 3] = [&[0], &[1], &[0, 1]];
        let options = [0, 1, 2].map(|option| Tried {
            members: members[option].to_vec(),
            areas: areas[option].to_vec(),
            cross_entropies: cross_entropies[option].to_vec(),
        });
        [Prefer::Accuracy, Prefer::Readable]
            .map(|prefer| Choice::among(names(), &options, &[true; 3], prefer))
    }

    /// By hand: ahead by .4, .2, .4, .2, so .3 on the mean; the squares of .1 four times, over 4 and over 3 more.
    #[test]
    fn errors_are_of_the_differences() {
        let (behind, error) = difference(&[0.9, 0.8, 0.6, 0.5], &[0.5, 0.6, 0.2, 0.3]);
        assert!((behind - 0.3).abs() < 1e-12 && (error - (0.01_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    /// The dense one is ahead by .1 in each fold, with no error; then by .3 once and behind by .1 once, so .05 with an error of
    /// .087.
    #[test]
    fn within_one_error_the_more_readable_is_taken() {
        let low = [0.1; 4];
        assert_eq!(chosen([0.5; 4], [0.6; 4], low), ["dense", "dense"]);
        assert_eq!(chosen([0.5; 4], [0.8, 0.4, 0.5, 0.5], low), ["dense", "plain"]);
        assert_eq!(chosen([0.5; 4], [0.8, 0.4, 0.5, 0.5], [0.5; 4]), ["plain+dense", "plain"]);
        assert_eq!(chosen([1.0; 4], [1.0; 4], [1.0; 4]), ["plain", "plain"], "no mistakes: the first");
        assert_eq!(chosen([0.5; 4], [0.6; 4], [0.7, 0.7, 0.8, 0.8]), ["plain+dense", "plain+dense"]);
    }

    /// All are as near in area. The dense one has a cross entropy lower than the mean's by .1 in each fold, without error; then by .3 once, and
    /// by .1 higher once, with an error of .087 at .05.
    #[test]
    fn of_those_near_one_that_says_the_classes_better_is_taken() {
        let areas = [[0.5; 4]; 3];
        let dense_then = |dense: [f64; 4]| chosen_by(areas, [[0.4; 4], dense, [0.4; 4]])[0].clone();
        assert_eq!(dense_then([0.3; 4]), "dense");
        assert_eq!(dense_then([0.1, 0.5, 0.4, 0.4]), "plain+dense");
        let far = [[0.5; 4], [0.4; 4], [0.5; 4]];
        assert_eq!(chosen_by(far, [[0.4; 4], [0.3; 4], [0.4; 4]])[0], "plain+dense");
    }

    /// The choices of the tests above, each with its reason.
    #[test]
    fn a_choice_has_its_reason() {
        let reasons = |areas, cross_entropies| choices(areas, cross_entropies).map(|choice| choice.reason);
        let (low, even, uneven) = ([0.1; 4], [0.5; 4], [0.8, 0.4, 0.5, 0.5]);
        let largest = Some(Reason::Largest);
        assert_eq!(reasons([even, [0.6; 4], low], [[0.0; 4]; 3]), [largest; 2]);
        assert_eq!(reasons([even, uneven, low], [[0.0; 4]; 3]), [largest, Some(Reason::Readable)]);
        let of_mean = [Some(Reason::MostLearners), Some(Reason::Readable)];
        assert_eq!(reasons([even, uneven, even], [[0.0; 4]; 3]), of_mean);
        assert_eq!(reasons([[1.0; 4]; 3], [[0.0; 4]; 3]), [Some(Reason::NoMistake); 2]);
        let says_more = reasons([[0.4; 4], even, even], [[0.4; 4], [0.3; 4], [0.4; 4]]);
        assert_eq!(says_more[0], largest, "it is the first of the largest area");
        let says_more = reasons([even, even, even], [[0.4; 4], [0.3; 4], [0.4; 4]]);
        assert_eq!(says_more[0], Some(Reason::SaysMore));
    }

    #[test]
    fn small_subsets_come_first() {
        let expected: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        assert_eq!(subsets(3), expected);
    }

    /// Each learner puts one negative of three above the positives in each fold, never the same one: the mean makes no mistake.
    #[test]
    fn learners_that_err_apart_are_averaged() {
        let example = |number: usize| FoldExample { number, is_positive: number % 5 < 2, weight: 1.0 };
        let fold = |first: usize| FoldScores {
            examples: (first..first + 5).map(example).collect(),
            scores: vec![vec![3.0, 2.5, 4.0, 0.0, 0.5], vec![30.0, 28.0, 0.0, 5.0, 41.0]],
            n_clauses: vec![3, 8],
        };
        let table = HeldOutTable { folds: vec![fold(0), fold(5), fold(10)] };
        let choice = Choice::of(names(), &[1.0, 1.0], &table, Prefer::Accuracy);
        assert_eq!(choice.chosen, names());
        let areas: Vec<f64> = choice.options.iter().map(|option| option.area).collect();
        assert!(areas[0] < 0.7 && areas[1] < 0.7 && areas[2] > 0.999, "{areas:?}");
        assert_eq!((choice.members(), choice.folds), (vec![0, 1], 3));
    }
}
