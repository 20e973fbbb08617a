//! The score that a network would have with one clause more.

use crate::network::{Network, Svm, WeightedRow};
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Classes, Counts, ExampleSet, FixedMap, NegativeWeight};
use gleaner_engine::coverage::Universe;
use gleaner_stats::eval::{PrCurve, Ranking};
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::ColumnPairs;

use super::grouping::{GroupPart, Grouping, NetworkForm};
use super::{NetworkKind, NetworkScore};

/// The covers of a clause.
#[derive(Clone, Debug)]
pub struct ClauseCovers {
    /// On train.
    pub train: ExampleSet,
    /// The cover on tune; unused where the score is one of train.
    pub tune: ExampleSet,
}

/// A network that grows, with its score.
///
/// The numbers are those of train. DIVERGENCE: the sources do not say what the empty network scores. Here it ranks all
/// examples alike, so its area is the prevalence, and its likelihood that of the classes.
#[derive(Debug)]
pub struct Judge {
    form: NetworkForm,
    score: NetworkScore,
    train: Grouping,
    tune: Grouping,
    /// The covers of the clauses so far on train, for TAN.
    covers: Vec<ExampleSet>,
    grown: Grown,
    /// The score of each group that is judged.
    scores: Vec<f64>,
    value: f64,
    /// The scores of networks with one clause more, by the fingerprints of its covers: most clauses of a search have
    /// the covers of another one.
    known: FixedMap<(u128, u128), f64>,
}

/// The network so far, in the form in which it grows.
#[derive(Clone, Debug)]
enum Grown {
    NaiveBayes(NaiveBayes),
    Tan(ColumnPairs),
    Svm(Svm),
}

impl Judge {
    /// A network without clauses.
    pub fn new(form: NetworkForm, score: NetworkScore, train: &Universe, tune: &Universe) -> Self {
        Self::of_classes(form, score, [train, tune].map(|universe| (universe.classes(), universe.len())))
    }

    /// A network without clauses, for the classes and positions of train and tune.
    fn of_classes(form: NetworkForm, score: NetworkScore, sets: [(Classes, usize); 2]) -> Self {
        let [train, tune] = sets.map(|(classes, len)| Grouping::new(classes, len));
        let all = train.classes().totals.weighted();
        let grown = match form.kind {
            NetworkKind::NaiveBayes => Grown::NaiveBayes(NaiveBayes::of_classes(all, form.smoothing)),
            NetworkKind::Tan => Grown::Tan(ColumnPairs::new(all)),
            NetworkKind::Svm | NetworkKind::PolynomialSvm => {
                let row = WeightedRow { row: Vec::new(), weights: all };
                Grown::Svm(Svm::fit(form.svm(), 0, &[row], None))
            }
        };
        let mut judge = Self {
            form,
            score,
            train,
            tune,
            covers: Vec::new(),
            grown,
            scores: Vec::new(),
            value: 0.0,
            known: FixedMap::default(),
        };
        judge.score_groups();
        judge
    }

    /// The network's score.
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// Whether the score looks at tune.
    pub const fn looks_at_tune(&self) -> bool {
        matches!(self.score, NetworkScore::TuneAucPr | NetworkScore::TuneLikelihood)
    }

    /// Whether a clause could raise the score, by its counts on the two sets alone. Under naive Bayes the area of tune cannot
    /// where it moves nothing, only positives down, or only negatives up.
    pub fn may_rise(&self, train: Counts, tune: Counts) -> bool {
        if !(matches!(self.grown, Grown::NaiveBayes(_)) && self.score == NetworkScore::TuneAucPr) {
            return true;
        }
        let totals = self.train.classes().totals;
        let held = train.weighted(totals.negative_weight);
        let added = NaiveBayes::added_by(totals.weighted(), held, self.form.smoothing);
        if added > 0.0 { tune.true_positives > 0 } else { added < 0.0 && tune.false_positives > 0 }
    }

    /// The network's score with a clause of these covers. **Cost**: a visit of each covered example, a score for each
    /// group, and a sort of these. TAN also takes a pass over the words of each cover; a support vector machine is
    /// fitted.
    pub fn value_with(&mut self, covers: &ClauseCovers) -> f64 {
        let key = (covers.train.fingerprint(), covers.tune.fingerprint());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let network = self.network_with(&covers.train);
        let cover = if self.looks_at_tune() { &covers.tune } else { &covers.train };
        let value = self.value_of(&self.scored_parts(&network, cover));
        self.known.insert(key, value);
        value
    }

    /// The scores of the parts that one clause more splits the groups into, by the network with that clause.
    fn scored_parts(&self, network: &Network, cover: &ExampleSet) -> Vec<(f64, Counts)> {
        let mut row = Vec::new();
        let mut score_of = |part: &GroupPart| match (network, &self.grown) {
            // One column more changes all groups alike: no sum over the other columns is made again.
            (Network::NaiveBayes(with), Grown::NaiveBayes(without)) => {
                let added = with.added.last().copied().unwrap_or_default();
                self.scores[part.group_idx] + with.base - without.base + if part.holds { added } else { 0.0 }
            }
            (
                Network::NaiveBayes(_)
                | Network::OneOfMany(_)
                | Network::Tan(_)
                | Network::Svm(_)
                | Network::Similarity(_),
                _,
            ) => {
                row.clear();
                row.extend_from_slice(&self.judged().groups()[part.group_idx].row);
                row.push(part.holds);
                network.score_of(&row)
            }
        };
        let parts = self.judged().split_by(cover);
        parts.iter().map(|part| (score_of(part), part.counts)).collect()
    }

    /// Adds a clause.
    pub fn add(&mut self, covers: &ClauseCovers) {
        match self.network_with(&covers.train) {
            Network::NaiveBayes(bayes) => self.grown = Grown::NaiveBayes(bayes),
            Network::Svm(svm) => self.grown = Grown::Svm(svm),
            // Nothing of the last kind grows.
            Network::OneOfMany(_) | Network::Tan(_) | Network::Similarity(_) => {
                self.push_pairs(&covers.train)
            }
        }
        self.covers.push(covers.train.clone());
        self.train.add(&covers.train);
        if self.looks_at_tune() {
            self.tune.add(&covers.tune);
        }
        self.known.clear();
        self.score_groups();
    }

    /// Scores the groups by the network so far.
    fn score_groups(&mut self) {
        let network = self.network();
        let groups = self.judged().groups();
        let scored: Vec<(f64, Counts)> =
            groups.iter().map(|group| (network.score_of(&group.row), group.counts)).collect();
        self.value = self.value_of(&scored);
        self.scores = scored.into_iter().map(|(score, _)| score).collect();
    }

    /// The network as it is.
    pub fn network(&self) -> Network {
        match &self.grown {
            Grown::NaiveBayes(bayes) => Network::NaiveBayes(bayes.clone()),
            Grown::Tan(pairs) => Network::Tan(pairs.tree(self.form.smoothing)),
            Grown::Svm(svm) => Network::Svm(svm.clone()),
        }
    }

    fn network_with(&mut self, cover: &ExampleSet) -> Network {
        let classes = self.train.classes();
        let totals = classes.totals;
        match &self.grown {
            Grown::NaiveBayes(bayes) => {
                let mut bayes = bayes.clone();
                let held = classes.counts(cover).weighted(totals.negative_weight);
                bayes.add(totals.weighted(), held, self.form.smoothing);
                Network::NaiveBayes(bayes)
            }
            Grown::Tan(_) => {
                self.push_pairs(cover);
                let network = self.network();
                if let Grown::Tan(pairs) = &mut self.grown {
                    pairs.pop();
                }
                network
            }
            Grown::Svm(svm) => {
                let groups = self.train.groups();
                let row = |part: &GroupPart| WeightedRow {
                    row: [&groups[part.group_idx].row[..], &[part.holds]].concat(),
                    weights: part.counts.weighted(totals.negative_weight),
                };
                let rows: Vec<WeightedRow> = self.train.split_by(cover).iter().map(row).collect();
                Network::Svm(Svm::fit(self.form.svm(), svm.weights.len() + 1, &rows, Some(svm)))
            }
        }
    }

    fn push_pairs(&mut self, cover: &ExampleSet) {
        let Grown::Tan(pairs) = &mut self.grown else { return };
        let classes = self.train.classes();
        let weight = classes.totals.negative_weight;
        let both = self.covers.iter().map(|other| classes.common(cover, other).weighted(weight));
        pairs.push(classes.counts(cover).weighted(weight), both);
    }

    const fn judged(&self) -> &Grouping {
        if self.looks_at_tune() { &self.tune } else { &self.train }
    }

    fn value_of(&self, scored: &[(f64, Counts)]) -> f64 {
        let Classes { totals, .. } = self.judged().classes();
        match self.score {
            NetworkScore::TuneAucPr | NetworkScore::TrainAucPr => area(scored, totals.negative_weight),
            NetworkScore::TrainLikelihood | NetworkScore::TuneLikelihood => {
                log_likelihood(scored, totals.negative_weight)
            }
        }
    }
}

/// The area under the precision-recall curve; 0 where one class is missing, as no clause can raise it.
fn area(scored: &[(f64, Counts)], negative_weight: NegativeWeight) -> f64 {
    let weighed = scored.iter().flat_map(|&(score, counts)| {
        let weights = counts.weighted(negative_weight);
        [(score, true, weights.positives), (score, false, weights.negatives)]
    });
    let ranking = Ranking::weighted(weighed).expect("scores and weights are finite");
    PrCurve::from_ranking(&ranking).auc_pr().unwrap_or(0.0)
}

/// The log-likelihood of the classes, with the logistic of each score as the probability of the positive class.
fn log_likelihood(scored: &[(f64, Counts)], negative_weight: NegativeWeight) -> f64 {
    // ln(1 + e^x), which overflows for no x.
    let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
    let of_group = |&(score, counts): &(f64, Counts)| {
        let weights = counts.weighted(negative_weight);
        -weights.positives * softplus(-score) - weights.negatives * softplus(score)
    };
    compensated_sum(scored.iter().map(of_group))
}

#[cfg(test)]
mod tests {
    use gleaner_base::{Classes, Counts, ExampleSet, NegativeWeight, Totals};
    use gleaner_stats::ml::PseudoCounts;

    use super::{ClauseCovers, Judge, NetworkForm, NetworkKind, NetworkScore};

    /// Two positives at 0 and 1, two negatives at 64 and 65.
    fn classes() -> Classes {
        let totals = Totals { n_positives: 2, n_negatives: 2, negative_weight: NegativeWeight::ONE };
        Classes { totals, n_positive_words: 1 }
    }

    const LEN: usize = 66;

    fn judge(kind: NetworkKind, score: NetworkScore) -> Judge {
        let form = NetworkForm { kind, smoothing: PseudoCounts::ClassSizes, cost: 1.0 };
        Judge::of_classes(form, score, [(classes(), LEN); 2])
    }

    fn covers(train: &[usize], tune: &[usize]) -> ClauseCovers {
        let set = |positions: &[usize]| ExampleSet::from_positions(LEN, positions.iter().copied());
        ClauseCovers { train: set(train), tune: set(tune) }
    }

    /// On train the clause covers the positives, on tune one of them. First it alone, then the others: the area is 1/2 up to
    /// recall 1/2, and beyond, with `FP = 2 (x - 1)`, the integral of `x / (3x - 2)` from 1 to 2 over 2, where the integral is
    /// `1/3 + 2/9 ln 4`.
    #[test]
    fn an_area_on_tune_by_hand() {
        let expected = 0.5 + (1.0 / 3.0 + 2.0 / 9.0 * 4.0_f64.ln()) / 2.0;
        for kind in [NetworkKind::NaiveBayes, NetworkKind::Tan, NetworkKind::Svm, NetworkKind::PolynomialSvm]
        {
            let mut judge = judge(kind, NetworkScore::TuneAucPr);
            assert!((judge.value() - 0.5).abs() < 1e-12, "{kind:?}: the empty network ranks nothing");
            let clause = covers(&[0, 1], &[0]);
            assert!((judge.value_with(&clause) - expected).abs() < 1e-12, "{kind:?}");
            assert!((judge.value_with(&clause) - expected).abs() < 1e-12, "{kind:?}: as it was known");
            judge.add(&clause);
            assert!((judge.value() - expected).abs() < 1e-12, "{kind:?}");
            // A second clause tells the other positive from the negatives.
            judge.add(&covers(&[0], &[1]));
            assert!((judge.value() - 1.0).abs() < 1e-12, "{kind:?}");
        }
    }

    /// Two positives and two negatives share `m = 2`, one to each cell of a class: 3/4 over 1/4 where the clause covers, 1/4
    /// over 3/4 where not. So each example has a probability of 3/4 of its class, and had 1/2.
    #[test]
    fn a_likelihood_by_hand() {
        let mut judge = judge(NetworkKind::NaiveBayes, NetworkScore::TrainLikelihood);
        assert!((judge.value() - 4.0 * 0.5_f64.ln()).abs() < 1e-12);
        let clause = covers(&[0, 1], &[]);
        assert!((judge.value_with(&clause) - 4.0 * 0.75_f64.ln()).abs() < 1e-12);
    }

    /// A clause that moves only negatives up, or only positives down, raises no area; nor does one that moves nothing.
    #[test]
    fn what_cannot_rise_is_known_from_counts() {
        let judge = judge(NetworkKind::NaiveBayes, NetworkScore::TuneAucPr);
        let counts = |true_positives, false_positives| Counts { true_positives, false_positives };
        let (speaks_for, speaks_against) = (counts(2, 0), counts(0, 2));
        for (train, tune, may_rise) in [
            (speaks_for, counts(1, 1), true),
            (speaks_for, counts(0, 1), false),
            (speaks_for, counts(0, 0), false),
            (speaks_against, counts(1, 1), true),
            (speaks_against, counts(1, 0), false),
            (counts(1, 1), counts(1, 1), false),
        ] {
            assert_eq!(judge.may_rise(train, tune), may_rise, "{train:?} {tune:?}");
        }
    }
}
