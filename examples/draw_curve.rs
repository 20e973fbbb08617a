//! Draws `docs/curve.svg`: precision against recall on test data, the mean over the folds of the generated
//! university, of Gleaner, of one covering theory, and of a random ranking.
//!
//! `cargo run --release --example draw_curve > docs/curve.svg`

use std::error::Error;
use std::fmt::Write as _;

use gleaner::experiment::{SplitRequest, default_settings, load, run, splits};
use gleaner_base::{Budget, Forgetful};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::syntax::Sources;
use gleaner_learn::{RunContext, Silent};
use gleaner_stats::eval::{PrCurve, Ranking};

/// Precision at each of these steps of recall.
const N_STEPS: usize = 100;

/// The field that curves are drawn in: left, top, width, height.
const FIELD: [f64; 4] = [64.0, 24.0, 480.0, 320.0];

/// One line of the drawing: precisions at recall 0, 0.01, … 1.
struct Line {
    name: String,
    colour: &'static str,
    precisions: Vec<f64>,
}

/// The mean test curve over the folds of a learner, its mean area, and the mean prevalence.
fn mean_curve(problem: &Problem, learner: &str) -> Result<(Vec<f64>, f64, f64), Box<dyn Error>> {
    let mut settings = default_settings();
    settings.set("learner", learner)?;
    let request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    let budget = Budget::unlimited();
    let context = RunContext {
        budget: &budget,
        rng_seed: 1,
        monitor: &Silent,
        cover_bytes: 256 << 20,
        keeper: &Forgetful,
    };
    let folds = splits(problem, &request)?;
    let (mut precisions, mut area, mut prevalence) = (vec![0.0; N_STEPS + 1], 0.0, 0.0);
    for fold in &folds {
        let result = run(problem, &settings, fold, &context);
        let scored = result
            .scored
            .iter()
            .map(|example| (example.score, problem.examples().is_positive(example.example)));
        let ranking = Ranking::new(scored)?;
        let curve = PrCurve::from_ranking(&ranking);
        for (step, precision) in precisions.iter_mut().enumerate() {
            let recall = step as f64 / N_STEPS as f64;
            *precision += curve.precision_at(recall).ok_or("a fold without positives")? / folds.len() as f64;
        }
        area += curve.auc_pr().ok_or("a fold without positives")? / folds.len() as f64;
        prevalence += ranking.prevalence().ok_or("a fold without examples")? / folds.len() as f64;
    }
    Ok((precisions, area, prevalence))
}

fn x(recall: f64) -> f64 {
    FIELD[0] + recall * FIELD[2]
}

fn y(precision: f64) -> f64 {
    FIELD[1] + (1.0 - precision) * FIELD[3]
}

/// The drawing: a frame with a grid, the lines, and their names beside them.
fn svg(lines: &[Line]) -> Result<String, std::fmt::Error> {
    let mut svg = String::new();
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 410" width="720" height="410""#
    )?;
    writeln!(svg, r##" font-family="sans-serif" font-size="14" fill="#333333">"##)?;
    writeln!(svg, r##"<rect width="720" height="410" fill="#ffffff"/>"##)?;
    for step in 0..=5 {
        let value = f64::from(step) / 5.0;
        let (left, right, bottom) = (x(0.0), x(1.0), y(0.0));
        let (across, up) = (y(value), x(value));
        writeln!(
            svg,
            r##"<path d="M{left} {across:.1}H{right}M{up:.1} {bottom}V{}" stroke="#dddddd"/>"##,
            y(1.0)
        )?;
        writeln!(
            svg,
            r#"<text x="{}" y="{:.1}" text-anchor="end">{value:.1}</text>"#,
            left - 8.0,
            across + 5.0
        )?;
        writeln!(svg, r#"<text x="{up:.1}" y="{}" text-anchor="middle">{value:.1}</text>"#, bottom + 20.0)?;
    }
    writeln!(svg, r#"<text x="{}" y="{}" text-anchor="middle">recall</text>"#, x(0.5), y(0.0) + 44.0)?;
    writeln!(
        svg,
        r#"<text transform="translate(20 {}) rotate(-90)" text-anchor="middle">precision</text>"#,
        y(0.5)
    )?;
    for (row, line) in lines.iter().enumerate() {
        let last = (line.precisions.len() - 1) as f64;
        let points = line.precisions.iter().enumerate();
        let points: Vec<String> =
            points.map(|(step, &p)| format!("{:.1},{:.1}", x(step as f64 / last), y(p))).collect();
        let colour = line.colour;
        let points = points.join(" ");
        writeln!(svg, r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>"#)?;
        let at = FIELD[1] + 14.0 + 26.0 * row as f64;
        let left = x(1.0) + 16.0;
        writeln!(svg, r#"<path d="M{left} {}h20" stroke="{colour}" stroke-width="2.5"/>"#, at - 5.0)?;
        writeln!(svg, r#"<text x="{}" y="{at}">{}</text>"#, left + 27.0, line.name)?;
    }
    writeln!(svg, "</svg>")?;
    Ok(svg)
}

#[expect(clippy::print_stdout, reason = "the drawing is what it prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let request = LoadRequest { path: "fixtures/university".into(), ..LoadRequest::default() };
    let problem = load(&request, &mut Sources::new()).map_err(|_| "the fixture does not load")?.problem;
    let (gleaner, gleaner_area, prevalence) = mean_curve(&problem, "gleaner")?;
    let (theory, theory_area, _) = mean_curve(&problem, "aleph")?;
    let lines = [
        Line { name: format!("Gleaner {gleaner_area:.2}"), colour: "#1b6ca8", precisions: gleaner },
        Line { name: format!("one theory {theory_area:.2}"), colour: "#d1661f", precisions: theory },
        Line { name: format!("random {prevalence:.2}"), colour: "#999999", precisions: vec![prevalence; 2] },
    ];
    print!("{}", svg(&lines)?);
    Ok(())
}
