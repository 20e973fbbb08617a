//! The classes of the rows of examples, and what is filled for some of them alone.

use std::fmt::Write as _;

use gleaner_base::FixedMap;

use crate::tables::store::StoredColumn;

/// The fewest examples of each side of a share: fewer prove nothing.
pub(super) const FEWEST: usize = 20;

/// The most classes that words name one by one.
const MOST_NAMED: usize = 3;

/// Two classes, by their positions.
const TWO: [&str; 2] = ["negatives", "positives"];

/// The class of each row of examples.
#[derive(Clone, Debug, Default)]
pub(super) struct RowClasses {
    /// The names of many classes, ascending; empty if there are negatives and positives.
    names: Vec<String>,
    /// By row, the position of its class; none where its class is not known.
    pub(super) of_rows: Vec<Option<usize>>,
}

/// How many examples of each class, and how many without one, have something, and how many there are.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    filled: Vec<usize>,
    pub(super) all: Vec<usize>,
    pub(super) unlabelled: [usize; 2],
}

/// Examples of some classes, and how many of them have something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::database) struct Side {
    /// The classes in words, as `the positives`.
    pub(in crate::database) words: String,
    pub(in crate::database) filled: usize,
    pub(in crate::database) all: usize,
}

impl RowClasses {
    /// Two classes: whether each row is positive, if that is known.
    pub(super) fn of_two(are_positive: impl Iterator<Item = Option<bool>>) -> Self {
        Self { names: Vec::new(), of_rows: are_positive.map(|class| class.map(usize::from)).collect() }
    }

    /// Many classes: each label of the column is one, with the name that `name` gives its cell.
    pub(super) fn of_many(column: &StoredColumn, name: impl Fn(u32) -> String) -> Self {
        let mut labels: Vec<(String, u32)> = Vec::new();
        let mut known: FixedMap<u32, usize> = FixedMap::default();
        for cell in column.values() {
            known.entry(cell).or_insert_with(|| {
                labels.push((name(cell), cell));
                0
            });
        }
        labels.sort();
        for (class, (_, cell)) in labels.iter().enumerate() {
            known.insert(*cell, class);
        }
        let of_rows = column.cells.iter().map(|cell| known.get(cell).copied()).collect();
        Self { names: labels.into_iter().map(|(name, _)| name).collect(), of_rows }
    }

    /// The number of classes.
    pub(super) const fn n_classes(&self) -> usize {
        if self.are_two() { TWO.len() } else { self.names.len() }
    }

    /// Whether there are a positive and a negative class.
    pub(super) const fn are_two(&self) -> bool {
        self.names.is_empty()
    }

    /// How many examples have something. **Cost**: a pass over the rows.
    pub(super) fn filled(&self, is_filled: impl Fn(usize) -> bool) -> Filled {
        let none = vec![0; self.n_classes()];
        let mut found = Filled { filled: none.clone(), all: none, unlabelled: [0, 0] };
        for (row, class) in self.of_rows.iter().enumerate() {
            let is_filled = usize::from(is_filled(row));
            match class {
                Some(class) => {
                    found.filled[*class] += is_filled;
                    found.all[*class] += 1;
                }
                None => {
                    found.unlabelled[0] += is_filled;
                    found.unlabelled[1] += 1;
                }
            }
        }
        found
    }

    /// The classes whose examples alone have it, before the others. A class stands alone, or against all others, or the
    /// classes of which most examples have it stand together. If there are two classes, positives come first.
    pub(super) fn only(&self, filled: &Filled) -> Option<[Side; 2]> {
        let n = self.n_classes();
        let one = |class: usize| vec![class];
        let others = |class: usize| (0..n).filter(|&other| other != class).collect();
        let mut owners: Vec<Vec<usize>> = (0..n).rev().map(one).collect();
        if !self.are_two() {
            owners.reverse();
            owners.extend((0..n).map(others));
            owners.push((0..n).filter(|&class| 2 * filled.filled[class] > filled.all[class]).collect());
        }
        owners.into_iter().map(|own| self.sides(&own, filled)).find(|[own, other]| are_apart(own, other))
    }

    /// These classes and the others.
    fn sides(&self, own: &[usize], filled: &Filled) -> [Side; 2] {
        let sum = |of: &[usize]| own.iter().map(|&class| of[class]).sum::<usize>();
        let (own_filled, own_all) = (sum(&filled.filled), sum(&filled.all));
        let [own_words, other_words] = self.in_words(own);
        [
            Side { words: own_words, filled: own_filled, all: own_all },
            Side {
                words: other_words,
                filled: filled.filled.iter().sum::<usize>() - own_filled,
                all: filled.all.iter().sum::<usize>() - own_all,
            },
        ]
    }

    /// These classes and the others, in words.
    fn in_words(&self, own: &[usize]) -> [String; 2] {
        if let (true, [own]) = (self.are_two(), own) {
            return [*own, 1 - own].map(|class| format!("the {}", TWO[class]));
        }
        let others: Vec<usize> = (0..self.n_classes()).filter(|class| !own.contains(class)).collect();
        match (own, &others[..]) {
            (_, [other]) if own.len() > 1 => {
                ["the other classes".to_owned(), format!("the class {}", self.names[*other])]
            }
            ([own], _) => [format!("the class {}", self.names[*own]), "the others".to_owned()],
            _ => [format!("the classes {}", self.listed(own)), "the others".to_owned()],
        }
    }

    fn listed(&self, classes: &[usize]) -> String {
        let mut text = String::new();
        for (at, &class) in classes.iter().take(MOST_NAMED).enumerate() {
            let is_last = at + 1 == classes.len();
            let sign = if at == 0 {
                ""
            } else if is_last {
                " and "
            } else {
                ", "
            };
            let _ = write!(text, "{sign}{}", self.names[class]);
        }
        match classes.len().saturating_sub(MOST_NAMED) {
            0 => text,
            n_more => format!("{text} and {n_more} more"),
        }
    }
}

/// Whether one side alone is filled: nearly all of it and hardly any of the other, or many of it, where it is the rarer
/// one, and hardly any else.
fn are_apart(own: &Side, other: &Side) -> bool {
    let is_nearly_all = 10 * own.filled >= 9 * own.all && 50 * other.filled <= other.all;
    let is_only = own.all <= other.all
        && 50 * other.filled <= own.filled
        && 5 * own.filled >= own.all
        && own.filled >= FEWEST;
    own.all >= FEWEST && other.all >= FEWEST && (is_nearly_all || is_only)
}

impl Filled {
    /// Whether it is filled for rows with a label, and hardly for those without one.
    pub(super) fn is_unlabelled_empty(&self) -> bool {
        let [n_filled, n_unlabelled] = self.unlabelled;
        let [filled, n_labelled] = self.labelled();
        n_unlabelled >= FEWEST
            && n_labelled >= FEWEST
            && 2 * filled >= n_labelled
            && 100 * n_filled <= n_unlabelled
    }

    /// Of all classes, how many have it, and how many there are.
    pub(super) fn labelled(&self) -> [usize; 2] {
        [&self.filled, &self.all].map(|of| of.iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::{RowClasses, Side};

    /// Rows of classes of these sizes, of each of which so many are filled.
    fn only(names: &[&str], all: &[usize], filled: &[usize]) -> Option<[String; 2]> {
        let of_rows = all.iter().enumerate().flat_map(|(class, &n)| vec![Some(class); n]).collect();
        let classes = RowClasses { names: names.iter().map(|&name| name.to_owned()).collect(), of_rows };
        let mut place = vec![0; all.len()];
        let are_filled: Vec<bool> = classes
            .of_rows
            .iter()
            .flatten()
            .map(|&class| {
                place[class] += 1;
                place[class] <= filled[class]
            })
            .collect();
        let found = classes.only(&classes.filled(|row| are_filled[row]))?;
        Some(found.map(|Side { words, filled, all }| format!("{filled}/{all} of {words}")))
    }

    #[test]
    fn classes_that_alone_have_something_are_found() {
        let two = [];
        let found = |own: &str, other: &str| Some([own.to_owned(), other.to_owned()]);
        assert_eq!(only(&two, &[60, 30], &[0, 30]), found("30/30 of the positives", "0/60 of the negatives"));
        assert_eq!(only(&two, &[30, 60], &[29, 0]), found("29/30 of the negatives", "0/60 of the positives"));
        let many = ["ash", "elm", "fir", "oak", "yew"];
        let all = [40; 5];
        for (filled, expected) in [
            ([0, 0, 40, 0, 0], found("40/40 of the class fir", "0/160 of the others")),
            // Some of one class and of no other.
            ([0, 21, 0, 0, 0], found("21/40 of the class elm", "0/160 of the others")),
            ([0, 19, 0, 0, 0], None),
            ([40, 39, 0, 40, 40], found("159/160 of the other classes", "0/40 of the class fir")),
            ([40, 0, 38, 0, 1], found("78/80 of the classes ash and fir", "1/120 of the others")),
            ([40, 0, 38, 0, 9], None),
            ([20, 20, 20, 20, 20], None),
        ] {
            assert_eq!(only(&many, &all, &filled), expected, "{filled:?}");
        }
        let letters = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(
            only(&letters, &[20; 7], &[20, 20, 20, 20, 20, 0, 0]),
            found("100/100 of the classes a, b, c and 2 more", "0/40 of the others")
        );
    }
}
