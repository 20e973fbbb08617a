//! Which of several settings is better than which, on how many data sets.

use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value};

/// The most characters of a name on an axis.
const MOST_CHARACTERS: usize = 12;

/// How often each of some settings is better than each other. [GLEANER §8.2, Figure 8.5]
#[derive(Clone, Debug, Default)]
pub(crate) struct Wins {
    pub(crate) names: Vec<String>,
    /// For each pair, by the positions of winner and loser, on how many data sets.
    pub(crate) counts: Vec<Vec<u32>>,
    pub(crate) n_data_sets: u32,
}

impl Wins {
    /// With those of another data set, for the settings that both have.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let both = |name: &&String| other.names.contains(name);
        let names: Vec<String> = self.names.iter().filter(both).cloned().collect();
        let place = |wins: &Self, name: &String| wins.names.iter().position(|known| known == name);
        let count = |wins: &Self, row: &String, column: &String| {
            place(wins, row).zip(place(wins, column)).map_or(0, |(row, column)| wins.counts[row][column])
        };
        let sum = |row: &String, column: &String| count(self, row, column) + count(other, row, column);
        let counts = names.iter().map(|row| names.iter().map(|column| sum(row, column)).collect()).collect();
        Self { counts, n_data_sets: self.n_data_sets + other.n_data_sets, names }
    }

    /// From the least dominated to the most.
    fn order(&self) -> Vec<usize> {
        let lost = |column: usize| self.counts.iter().map(|row| row[column]).sum::<u32>();
        let won = |row: usize| self.counts[row].iter().sum::<u32>();
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|&at| (lost(at), std::cmp::Reverse(won(at)), at));
        order
    }
}

/// The names without what all of them begin with up to a `=`.
fn own_parts(names: &[String]) -> Vec<&str> {
    let setting = names.first().and_then(|name| name.split_once('=')).map(|(setting, _)| setting);
    let value = |name: &'_ String| Some(name.len() - name.strip_prefix(setting?)?.strip_prefix('=')?.len());
    let starts: Option<Vec<usize>> = names.iter().map(value).collect();
    let starts = starts.unwrap_or_else(|| vec![0; names.len()]);
    names.iter().zip(starts).map(|(name, start)| &name[start..]).collect()
}

/// Each cell: on what share of the data sets its row is better than its column.
pub(crate) fn wins(wins: &Wins) -> Option<Figure> {
    let order = wins.order();
    if order.len() < 2 || wins.n_data_sets == 0 {
        return None;
    }
    let (mut cells, mut rows) = (Vec::new(), Vec::new());
    #[expect(clippy::cast_precision_loss, reason = "places on an axis")]
    let place = |at: usize| at as f64;
    for (row, &winner) in order.iter().enumerate() {
        for (column, &loser) in order.iter().enumerate().filter(|&(_, &loser)| loser != winner) {
            let count = wins.counts[winner][loser];
            let share = f64::from(count) / f64::from(wins.n_data_sets);
            let words = [winner, loser].map(|at| Value::Word(wins.names[at].clone()));
            rows.push(
                words.into_iter().chain([Some(f64::from(count)), Some(share)].map(Value::Number)).collect(),
            );
            let (x, y) = (place(column), place(order.len() - 1 - row));
            if count > 0 {
                cells.push(([x - 0.5, x + 0.5, y - 0.5, y + 0.5], share));
            }
        }
    }
    let named = own_parts(&wins.names);
    // The numbers are those of the tables beside it.
    let numbered = |&at: &usize| -> String {
        format!("{} {}", at + 1, named[at]).chars().take(MOST_CHARACTERS).collect()
    };
    let rows_named: Vec<String> = order.iter().map(numbered).collect();
    let columns_named = order.iter().map(|at| (at + 1).to_string()).collect();
    let caption = match wins.n_data_sets {
        1 => "A dark cell: its row has the greater mean area than its column, with p below .05.".to_owned(),
        n => format!(
            "The darker a cell, the more often its row has the greater mean area than its column, with p below .05, of {n} \
             data sets."
        ),
    };
    Some(Figure {
        id: "wins",
        title: "Which is better than which",
        caption,
        chart: Chart {
            x: Axis::of_names("is beaten", columns_named),
            y: Axis::of_names("is better", rows_named.into_iter().rev().collect()),
            layers: vec![Layer {
                ink: Ink::Blue,
                marks: Marks::Cells(cells),
                name: Some("share of the data sets".to_owned()),
            }],
        },
        header: ["better", "worse", "data_sets", "share"].map(str::to_owned).to_vec(),
        rows,
    })
}
