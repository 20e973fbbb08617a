//! The score that a network would have with one clause more.

use crate::network::{Network, Svm, WeightedRow};
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Classes, Counts, ExampleSet, FixedMap, NegativeWeight};
use gleaner_engine::coverage::Universe;
use gleaner_stats::eval::{PrCurve, Ranking};
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::ColumnPairs;

use super::config::{NetworkKind, NetworkScore};
use super::grouping::{GroupPart, Grouping};
use super::network_form::NetworkForm;

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
mod tests;
