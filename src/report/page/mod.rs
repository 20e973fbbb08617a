//! A run as one HTML page: what was learnt from what, how good it is, where to decide, by which clauses.
//!
//! The page asks no address for anything. Figures are SVG and tables are rows: scripts only sort, search and move the
//! slider. It holds no times and no paths, so equal runs have equal pages.

mod classes;
mod comparison;
mod documents;
mod examples;
mod links;
mod results;
mod views;

use minijinja::value::Serde;
use minijinja::{Environment, HtmlEscape, Value, context};

use crate::experiment::classes::validation::ClassAnswer;
use crate::experiment::comparing::compare::CompareAnswer;
use crate::experiment::loading::inspect::DataProfile;
use crate::experiment::records::finished_run::FinishedRun;
use crate::report::reasons::MistakeTexts;
use gleaner_lang::syntax::marks::{Wording, worded};

use views::Part;

/// The template of a page, its style sheet and its script.
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page of a run.
pub(crate) fn of_run(run: &FinishedRun, say: Wording) -> String {
    let record = &run.record;
    let (title, lead, parts) = if record.is_of_links() {
        ("Links of a graph".to_owned(), links::lead(run), links::of_run(run, say))
    } else {
        (
            format!("{} by {}", record.target, record.learner),
            documents::lead(run),
            documents::of_run(run, say),
        )
    };
    Page { title: &title, lead: &lead, version: &record.gleaner_version, say }.html(&parts)
}

/// The page of runs over the same folds, each with its name.
pub(crate) fn of_runs(runs: &[(&str, &FinishedRun)], answer: &CompareAnswer, say: Wording) -> String {
    let title = format!("{}: {} runs side by side", answer.target, runs.len());
    let version = runs.first().map_or("", |(_, run)| run.record.gleaner_version.as_str());
    Page { title: &title, lead: &comparison::lead(answer), version, say }
        .html(&comparison::of_runs(runs, answer))
}

/// The page of a cross-validation of many classes.
pub(crate) fn of_classes(
    answer: &ClassAnswer,
    mistakes: &[MistakeTexts],
    profile: &DataProfile,
    say: Wording,
) -> String {
    let title = format!("{}: {} classes", answer.problem.target, answer.problem.classes.len());
    let parts = classes::of_classes(answer, mistakes, profile);
    Page { title: &title, lead: &classes::lead(answer), version: env!("CARGO_PKG_VERSION"), say }.html(&parts)
}

/// The bytes that a page has at most. [`SHORTER`] sees to it, as the numbers of rows, points and lines are limited.
const MOST_BYTES: usize = 1_000_000;

/// The most characters of a text, where the page would be too large: names in the data may be of any length.
const SHORTER: [usize; 2] = [200, 50];

/// What a page has beside its parts.
struct Page<'p> {
    title: &'p str,
    lead: &'p [String],
    version: &'p str,
    say: Wording,
}

impl Page<'_> {
    /// The page, whose texts are shorter where it would be too large.
    fn html(&self, parts: &[Part]) -> String {
        SHORTER.iter().fold(self.rendered(parts), |page, &most| {
            if page.len() < MOST_BYTES {
                return page;
            }
            self.rendered(&parts.iter().map(|part| part.with_texts_to(most)).collect::<Vec<Part>>())
        })
    }

    fn rendered(&self, parts: &[Part]) -> String {
        let say = self.say;
        let mut environment = Environment::new();
        environment.add_filter("whole", whole);
        environment.add_filter("worded", move |text: &str| worded(text, say).into_owned());
        environment.add_template("page.html", TEMPLATE).expect("the template is sound");
        let page = environment.get_template("page.html").expect("it was added");
        let minified = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        let title = views::shortened(self.title);
        let (lead, parts, version) = (Serde(self.lead), Serde(parts), self.version);
        let context =
            context! { title, lead, parts, version, style => minified(STYLE), script => minified(SCRIPT) };
        page.render(context).expect("a page of texts can be made")
    }
}

/// A text for HTML whose comparisons no line break comes into.
fn whole(text: &str) -> Value {
    let mut escaped = HtmlEscape(text).to_string();
    for operator in ["=&lt;", "&gt;=", "\\="] {
        escaped = escaped.replace(operator, &format!("<span class=\"o\">{operator}</span>"));
    }
    Value::from_safe_string(escaped)
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn comparisons_are_unbroken_and_texts_escaped() {
        let text = whole("p(A) :- q(A,B), B =< 3, <b> >= 2.").to_string();
        let own = |operator: &str| format!("<span class=\"o\">{operator}</span>");
        assert_eq!(text, format!("p(A) :- q(A,B), B {} 3, &lt;b&gt; {} 2.", own("=&lt;"), own("&gt;=")));
    }
}
