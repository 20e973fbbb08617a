//! Missing values have a branch of their own: a rule that turns on them is learnt from a table.

use std::fmt::Write as _;
use std::path::Path;

use gleaner_base::random::{Purpose, stream};
use rand::RngExt;
use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner, write};

/// Three columns of whole numbers below 500, a quarter of which is missing. The last alone decides.
struct Planted {
    decides: fn(Option<u32>) -> bool,
    /// Whether a value is drawn for each missing one once it has decided, so that nothing tells it any more.
    is_filled: bool,
}

impl Planted {
    fn write(&self, folder: &Path) {
        let mut random = stream(7, Purpose::Generate, &[72]);
        let mut text = "id,height,weight,income,label\n".to_owned();
        for row in 0..400 {
            let mut value = || (random.random_range(0..4) != 0).then(|| random.random_range(0..500_u32));
            let values = [value(), value(), value()];
            let label = u32::from((self.decides)(values[2]));
            let cell = |value: Option<u32>| match value {
                None if self.is_filled => random.random_range(0..500_u32).to_string(),
                value => value.map_or_else(String::new, |value| value.to_string()),
            };
            let cells = values.map(cell).join(",");
            let _ = writeln!(text, "r{row},{cells},{label}");
        }
        write(folder, "people.csv", &text);
    }

    /// The area under the ROC curve of examples that were held out.
    fn area(&self, folder: &Path, learner: &str) -> f64 {
        self.write(folder);
        let asked = ["cv", ".", "--label", "people.label", "--learner", learner, "--folds", "3"];
        let (code, printed, told) = gleaner(folder, &[&asked[..], &["--json", "--quiet"]].concat());
        assert_eq!(code, Some(0), "{told}");
        let last: Json = serde_json::from_str(printed.lines().last().expect("an event")).expect("JSON");
        last["metrics"]["auc_roc"]["mean"].as_f64().expect("an area")
    }
}

/// The rule itself has an area of 1, as labels have no noise. No value that stands for the missing ones could serve the second
/// rule by one threshold unless it is great, nor the third unless it is small.
#[test]
fn rules_on_missing_values_are_learnt() {
    let folder = fresh_folder("trees_missing");
    let rules: [fn(Option<u32>) -> bool; 3] = [
        |value| value.is_none(),
        |value| value.is_none_or(|value| value >= 350),
        |value| value.is_none_or(|value| value < 150),
    ];
    for (number, decides) in rules.into_iter().enumerate() {
        for learner in ["rdn-boost", "tree"] {
            let area = Planted { decides, is_filled: false }.area(&folder, learner);
            assert!(area >= 0.985, "rule {number}, {learner}: {area}");
        }
    }
}

/// The same labels where values were drawn for the missing ones: no table of these numbers tells the first rule.
#[test]
fn what_fills_missing_values_hides_the_rule() {
    let folder = fresh_folder("trees_filled");
    let planted = Planted { decides: |value| value.is_none(), is_filled: true };
    let area = planted.area(&folder, "rdn-boost");
    assert!(area < 0.7, "{area}");
}
