//! Confusion matrices: how often each class is predicted as each class.

use serde::{Deserialize, Serialize};

use gleaner_base::ClassId;

/// How many examples of each true class have each predicted class.
///
/// **Shape**: a row for each true class, a column for each predicted class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfusionMatrix {
    rows: Vec<Vec<u64>>,
}

impl ConfusionMatrix {
    /// The matrix of no examples.
    pub fn new(n_classes: usize) -> Self {
        Self { rows: vec![vec![0; n_classes]; n_classes] }
    }

    /// Counts an example.
    ///
    /// # Panics
    ///
    /// When there is no such class.
    pub fn add(&mut self, truth: ClassId, said: ClassId) {
        self.rows[truth.index()][said.index()] += 1;
    }

    /// Counts the examples of another matrix of the same classes.
    pub fn add_all(&mut self, other: &Self) {
        let cells = self.rows.iter_mut().flatten().zip(other.rows.iter().flatten());
        cells.for_each(|(sum, count)| *sum += count);
    }

    /// The rows, by true class.
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }

    /// Examples of a class.
    pub fn n_of(&self, class: ClassId) -> u64 {
        self.rows[class.index()].iter().sum()
    }

    /// Examples predicted as a class.
    pub fn n_said(&self, class: ClassId) -> u64 {
        self.rows.iter().map(|row| row[class.index()]).sum()
    }

    fn n_right(&self, class: ClassId) -> u64 {
        self.rows[class.index()][class.index()]
    }

    fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.rows.len()).map(ClassId::new)
    }

    /// The share of examples whose class is predicted; 0 to 1, and `None` without examples.
    pub fn accuracy(&self) -> Option<f64> {
        let all = self.rows.iter().flatten().sum();
        share(self.ids().map(|class| self.n_right(class)).sum(), all)
    }

    /// The share of true examples among those predicted as a class; `None` where none is predicted.
    pub fn precision(&self, class: ClassId) -> Option<f64> {
        share(self.n_right(class), self.n_said(class))
    }

    /// The share of a class's examples that are predicted as this class; `None` where the class has no examples.
    pub fn recall(&self, class: ClassId) -> Option<f64> {
        share(self.n_right(class), self.n_of(class))
    }

    /// F1: twice the correct predictions of a class, divided by the sum of its examples and its predictions. `None`
    /// where there are neither.
    pub fn f1(&self, class: ClassId) -> Option<f64> {
        share(2 * self.n_right(class), self.n_of(class) + self.n_said(class))
    }

    /// The mean of F1 over the classes where it is defined, with equal weights.
    pub fn macro_f1(&self) -> Option<f64> {
        let defined: Vec<f64> = self.ids().filter_map(|class| self.f1(class)).collect();
        #[expect(clippy::cast_precision_loss, reason = "classes are few")]
        let n_defined = defined.len() as f64;
        (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / n_defined)
    }

    /// F1 of the summed counts of all classes. As each example has one class and one prediction, it equals the
    /// accuracy.
    pub fn micro_f1(&self) -> Option<f64> {
        let right: u64 = self.ids().map(|class| self.n_right(class)).sum();
        let both = self.ids().map(|class| self.n_of(class) + self.n_said(class)).sum();
        share(2 * right, both)
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of examples are below 2^53")]
fn share(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::ConfusionMatrix;
    use gleaner_base::ClassId;

    /// Ten examples, by hand; scikit-learn 1.9.1 gives the same accuracy, precision, recall and F1.
    #[test]
    fn worked_by_hand() {
        let mut matrix = ConfusionMatrix::new(4);
        let pairs = [(0, 0), (0, 0), (0, 1), (0, 0), (1, 1), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)];
        for (truth, said) in pairs {
            matrix.add(ClassId::new(truth), ClassId::new(said));
        }
        let [first, second, third, never] = [0, 1, 2, 3].map(ClassId::new);
        assert_eq!(matrix.rows()[0], [3, 1, 0, 0]);
        assert_eq!(matrix.accuracy(), Some(0.6));
        assert_eq!((matrix.precision(first), matrix.recall(first)), (Some(0.6), Some(0.75)));
        assert_eq!((matrix.precision(second), matrix.recall(second)), (Some(0.5), Some(2.0 / 3.0)));
        assert_eq!((matrix.precision(third), matrix.recall(third)), (Some(1.0), Some(1.0 / 3.0)));
        // The last class neither occurs nor is said.
        assert_eq!((matrix.precision(never), matrix.recall(never), matrix.f1(never)), (None, None, None));
        let macro_f1 = (6.0 / 9.0 + 4.0 / 7.0 + 2.0 / 4.0) / 3.0;
        assert!((matrix.macro_f1().unwrap() - macro_f1).abs() < 1e-15);
        assert_eq!(matrix.micro_f1(), Some(0.6));
        let mut twice = matrix.clone();
        twice.add_all(&matrix);
        assert_eq!((twice.n_of(first), twice.n_said(second)), (8, 8));
        assert_eq!(ConfusionMatrix::new(3).accuracy(), None);
    }
}
