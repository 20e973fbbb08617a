use std::collections::BTreeMap;

use crate::experiment::comparing::compare::{OwnSetting, RunVariant};
use crate::experiment::comparing::comparison::{ComparedMetric, ComparedMetrics};
use crate::experiment::metrics::mean_curve::NamedCurve;
use crate::experiment::runs::result::LearningPoint;
use crate::experiment::{Reached, RunMetrics, compare_variants, mean_curve};
use crate::report::Document;

use super::{
    csv, curve_tables, decimals, mean_tables, pair_notes, pair_table, probability, reached_table,
    variant_table, win_matrix,
};

/// The first is the best by far, the others equal but for noise.
fn compared(name: &str, n_variants: u32) -> ComparedMetric {
    let variants: Vec<_> = (0..n_variants)
        .map(|position| {
            let level = if position == 0 { 0.8 } else { 0.4 };
            let values = (0..5_u32).map(|fold| {
                (fold != 4 || position != 1).then(|| level + f64::from((fold * 7 + position * 3) % 5) / 100.0)
            });
            (format!("a learner with a long name {position}"), values.collect())
        })
        .collect();
    ComparedMetric { name: name.to_owned(), comparison: compare_variants(&variants) }
}

fn means(metrics: &[ComparedMetric]) -> String {
    let mut document = Document::new();
    mean_tables(metrics).into_iter().for_each(|table| document.table(table));
    document.text()
}

fn fits(text: &str) {
    let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:#?}");
    assert!(text.is_empty() || text.ends_with('\n'));
}

#[test]
fn tables_fit_a_terminal() {
    let names = ["auc_pr", "a_metric_with_a_long_name", "mean_cross_entropy", "f1", "g", "h", "i"];
    let many: Vec<ComparedMetric> = names.iter().map(|name| compared(name, 30)).collect();
    fits(&means(&many));
    fits(&pair_table(&many[1]).text());
    fits(&win_matrix(&many[1]).text());
    fits(&pair_notes().text());
    let large = [-123_456.0, 98_765.4, 1e300].map(Some).to_vec();
    let variants = [("large".to_owned(), large), ("small".to_owned(), [0.5, -0.25, 3.0].map(Some).to_vec())];
    let large = ComparedMetric { name: "count".to_owned(), comparison: compare_variants(&variants) };
    fits(&means(std::slice::from_ref(&large)));
    fits(&pair_table(&large).text());
}

#[test]
fn a_pair_is_a_row_and_what_it_lacks_is_told() {
    let text = pair_table(&compared("auc_pr", 3)).text();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 6, "{text}");
    assert_eq!(rows[1][..4], ["1", "-", "2", "0.3950"], "{text}");
    assert_eq!((rows[1].last(), rows[2].last()), (Some(&"4"), Some(&"5")), "{text}");
    assert!(
        text.ends_with(
            "1 - 2: 1 run is left out, undefined in one or both\n\
                            2 - 3: 1 run is left out, undefined in one or both\n"
        ),
        "{text}"
    );
}

#[test]
fn the_matrix_shows_who_wins() {
    assert!(win_matrix(&compared("auc_pr", 3)).is_empty());
    let expected = "auc_pr: > row better than column, < worse (p of t < 0.05)\n     1  2  3  4\n  \
                    1     >  >  >\n  2  <     .  .\n  3  <  .     .\n  4  <  .  .\n";
    assert_eq!(win_matrix(&compared("auc_pr", 4)).text(), expected);
}

#[test]
fn numbers_keep_their_columns() {
    assert_eq!(decimals(-0.012_34, 4), "-0.0123");
    assert_eq!(decimals(1234.5678, 4), "1234.6");
    assert_eq!(decimals(1e17, 2), "1e17");
    assert_eq!(probability(Some(0.000_012_34)), "1.2e-5");
    assert_eq!(
        (probability(Some(0.04)), probability(Some(0.0)), probability(None)),
        ("0.0400".into(), "0.0000".into(), "n/a".into())
    );
}

#[test]
fn what_is_not_shared_stands_beside_the_name() {
    let variant = |name: &str, own: &[(&str, &str)]| RunVariant {
        name: name.to_owned(),
        learner: String::new(),
        seed: 1,
        differs: BTreeMap::new(),
        own: own
            .iter()
            .map(|(name, value)| OwnSetting { name: (*name).to_owned(), value: (*value).to_owned() })
            .collect(),
    };
    let own = |value| [("score", value), ("seed", "1")];
    let text = variant_table(&[variant("a", &own("f1")), variant("b", &own("precision-recall"))]).text();
    assert_eq!(text, "  1 a  score f1  seed 1\n  2 b  score precision-recall  seed 1\n");
    let text = variant_table(&[variant("a", &[("a-long-setting", "1000000"); 12])]).text();
    fits(&text);
    assert_eq!(text.matches("a-long-setting 1000000").count(), 12);
    let alike = variant_table(&[variant("a", &[]), variant("b", &[])]).text();
    assert!(alike.ends_with("the records show no setting in which they differ\n"));
}

#[test]
fn curves_stand_side_by_side() {
    let fold = |clauses, auc_pr| {
        let test = RunMetrics::of_values(&[("auc_pr".to_owned(), auc_pr)].into());
        let tune = RunMetrics::default();
        vec![LearningPoint { point: "100 per seed".to_owned(), clauses, test, tune }]
    };
    let curve = |shift: f64| {
        let folds = [fold(90, Some(0.25 + shift)), fold(110, Some(0.75 + shift))];
        mean_curve(&[folds[0].as_slice(), &folds[1]])
    };
    let variants = [("a", 0.0), ("b", 0.125), ("c", 0.25)]
        .map(|(name, shift)| NamedCurve { name: name.to_owned(), points: curve(shift) });
    let text = curve_tables(&variants).text();
    fits(&text);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("  1 a ") && lines[0].ends_with("  2 b"), "{text}");
    assert_eq!(lines[2].split_whitespace().filter(|&word| word == "100").count(), 4, "{text}");
    assert!(lines[2].contains("0.5000  0.3536") && lines[2].contains("0.6250  0.3536"), "{text}");
    assert!(curve_tables(&[NamedCurve { name: "a".to_owned(), points: Vec::new() }]).is_empty());
}

#[test]
fn csv_and_json_have_every_pair() {
    let metrics = [compared("auc_pr", 3), compared("f1", 3)];
    let text = csv(&metrics);
    assert_eq!(text.lines().count(), 7);
    assert!(text.starts_with("metric,first,second,first_mean,"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert!(reader.records().all(|record| record.expect("a row").len() == 17));
    let json = serde_json::to_value(ComparedMetrics(metrics.to_vec())).expect("plain data");
    assert_eq!(json["f1"]["pairs"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["f1"]["pairs"][0]["left_out"], 1);
    assert_eq!(json["auc_pr"]["variants"][1]["folds"][4], serde_json::Value::Null);
    assert!(json["auc_pr"]["pairs"][1]["t_test"]["p"].is_f64());
}

#[test]
fn clauses_stand_beside_the_area_that_they_reach() {
    let row = |area, clauses: &[Option<f64>]| Reached { area, clauses: clauses.to_vec() };
    let text =
        reached_table(&[row(0.1, &[Some(99.6), Some(12_345_678_901.0)]), row(0.9, &[None, Some(2.5e11)])])
            .text();
    let expected = "clauses evaluated until the mean test area is reached
  auc_pr           1           2
     0.1         100 12345678901
     0.9           -    2.500e11
";
    assert_eq!(text, expected);
    assert!(reached_table(&[]).is_empty());
    let many = vec![Some(99_999_999_999.0); 20];
    let text = reached_table(&[row(0.5, &many), row(0.6, &many)]).text();
    fits(&text);
    assert_eq!(text.lines().count(), 1 + 4 * 3);
}
