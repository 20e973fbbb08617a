//! The confusion matrix of many classes.

use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value};

/// The most characters of a class on an axis.
const MOST_CHARACTERS: usize = 12;

/// How often each class, by rows, is predicted as each class, by columns.
pub(crate) fn matrix(names: &[String], rows: &[Vec<u64>]) -> Option<Figure> {
    #[expect(clippy::cast_precision_loss, reason = "places and shares")]
    let place = |number: usize| number as f64;
    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    let n = names.len();
    let mut cells = Vec::new();
    let mut numbers = Vec::new();
    for (truth, row) in rows.iter().enumerate() {
        let of: u64 = row.iter().sum();
        for (said, &count) in row.iter().enumerate() {
            let words = [truth, said].map(|class| Value::Word(names[class].clone()));
            let counts = [Value::Number(Some(share(count, 1))), Value::Number(Some(share(count, of)))];
            numbers.push(words.into_iter().chain(counts).collect());
            // The first class stands at the top.
            let (x, y) = (place(said), place(n - 1 - truth));
            if count > 0 {
                cells.push(([x - 0.5, x + 0.5, y - 0.5, y + 0.5], 0.1 + 0.9 * share(count, of)));
            }
        }
    }
    let short: Vec<String> = names.iter().map(|name| name.chars().take(MOST_CHARACTERS).collect()).collect();
    (n > 1 && !cells.is_empty()).then(|| Figure {
        id: "matrix",
        title: "Which class is predicted as which",
        caption: "Each row is a class, each column a prediction; the darker, the more of the class's test examples."
            .to_owned(),
        chart: Chart {
            x: Axis::of_names("predicted", short.clone()),
            y: Axis::of_names("is", short.into_iter().rev().collect()),
            layers: vec![Layer {
                ink: Ink::Blue,
                marks: Marks::Cells(cells),
                name: Some("share of the class".to_owned()),
            }],
        },
        header: ["class", "predicted", "examples", "share"].map(str::to_owned).to_vec(),
        rows: numbers,
    })
}
