//! What the template of a page shows.

use minijinja::HtmlEscape;
use serde::Serialize;

use super::documents::BlockView;
use crate::report::figures::{Figure, Marks, Value};
use crate::report::metric;

/// The most characters of a cell or a line: names in the data may be of any length.
const MOST_CHARACTERS: usize = 2000;

/// The most rows of the numbers below a figure.
const MOST_ROWS: usize = 60;

/// A part of a page below a title.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Part {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) lines: Vec<String>,
    pub(super) slider: Option<Slider>,
    pub(super) figures: Vec<FigureView>,
    pub(super) tables: Vec<TableView>,
    /// A document, below the figures.
    pub(super) blocks: Vec<BlockView>,
    pub(super) code: Option<String>,
}

/// The slider over thresholds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Slider {
    /// Threshold, true and false positives, the greatest threshold first.
    pub(super) thresholds: Vec<[f64; 3]>,
    /// Positives and negatives.
    pub(super) totals: [f64; 2],
    pub(super) last: usize,
    pub(super) start: usize,
}

/// A figure on a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FigureView {
    id: &'static str,
    title: &'static str,
    caption: String,
    svg: String,
    /// The left, right, upper and lower edge of the plot, in units of the drawing.
    places: String,
    legend: Vec<LegendEntry>,
    table: Option<TableView>,
}

#[derive(Clone, Debug, Serialize)]
struct LegendEntry {
    ink: &'static str,
    mark: &'static str,
    name: String,
}

/// A table on a page.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct TableView {
    pub(super) id: String,
    pub(super) caption: String,
    pub(super) columns: Vec<ColumnView>,
    pub(super) rows: Vec<Vec<CellView>>,
    /// What stands below each row; none if nothing does.
    pub(super) below: Vec<Why>,
    pub(super) class: &'static str,
    /// Whether a field searches it, and whether it is shown only when asked for.
    pub(super) is_searched: bool,
    pub(super) is_folded: bool,
}

/// A column of a table.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct ColumnView {
    title: String,
    meaning: String,
    is_number: bool,
    is_code: bool,
    is_text: bool,
    is_head: bool,
}

/// A cell: its text, and the number that it is if the text is shorter.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CellView {
    text: String,
    exact: Option<String>,
}

/// What explains an example's score.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Why {
    /// The parts of the model that speak for it, the heaviest first.
    pub(super) reasons: Vec<ReasonView>,
    /// What else there is to say.
    pub(super) lines: Vec<String>,
}

/// A part of the model with its share of the score, in whole percent, or with what it adds to the score.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReasonView {
    pub(super) percent: Option<String>,
    pub(super) amount: Option<String>,
    pub(super) text: String,
}

impl Part {
    /// Whether there is more than a title and lines.
    pub(super) fn is_filled(&self) -> bool {
        !(self.figures.is_empty() && self.tables.is_empty() && self.blocks.is_empty() && self.code.is_none())
    }

    /// The same with no text longer than so many characters, but for the code.
    pub(super) fn with_texts_to(&self, most: usize) -> Self {
        let mut part = self.clone();
        shorten(&mut part.lines, most);
        for figure in &mut part.figures {
            figure.caption = shortened_to(&figure.caption, most);
            figure.table.iter_mut().for_each(|table| table.shorten(most));
        }
        part.tables.iter_mut().for_each(|table| table.shorten(most));
        part.blocks.iter_mut().for_each(|block| block.shorten(most));
        part
    }
}

/// Shortens texts.
pub(super) fn shorten(texts: &mut [String], most: usize) {
    texts.iter_mut().for_each(|text| *text = shortened_to(text, most));
}

impl ColumnView {
    pub(super) fn head(title: &str) -> Self {
        Self { title: title.to_owned(), is_head: true, ..Self::default() }
    }

    pub(super) fn word(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A column of sentences.
    pub(super) fn text(title: &str) -> Self {
        Self { title: title.to_owned(), is_text: true, ..Self::default() }
    }

    pub(super) fn code(title: &str) -> Self {
        Self { title: title.to_owned(), is_code: true, ..Self::default() }
    }

    pub(super) fn number(title: &str, meaning: &str) -> Self {
        Self { title: title.to_owned(), meaning: meaning.to_owned(), is_number: true, ..Self::default() }
    }
}

impl CellView {
    pub(super) fn word(text: &str) -> Self {
        Self { text: shortened(text), exact: None }
    }

    /// A number to four digits behind the point; the table decides whether whole ones have any.
    pub(super) fn number(value: Option<f64>) -> Self {
        Self { text: metric(value), exact: value.map(|value| value.to_string()) }
    }

    pub(super) fn count(value: usize) -> Self {
        Self { text: value.to_string(), exact: Some(value.to_string()) }
    }

    /// Whether it is a number with a part behind the point.
    fn has_fraction(&self) -> bool {
        self.exact.as_deref().is_some_and(|exact| exact.contains(['.', 'e', 'E']))
    }
}

impl TableView {
    /// A table whose columns of whole numbers show them as such.
    pub(super) fn new(
        id: &str,
        caption: &str,
        columns: Vec<ColumnView>,
        mut rows: Vec<Vec<CellView>>,
    ) -> Self {
        for column in 0..columns.len() {
            if rows.iter().filter_map(|row| row.get(column)).any(CellView::has_fraction) {
                continue;
            }
            for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
                if let Some(exact) = cell.exact.take() {
                    cell.text = exact;
                }
            }
        }
        Self { id: id.to_owned(), caption: shortened(caption), columns, rows, ..Self::default() }
    }

    /// Shortens the texts; numbers stay.
    pub(super) fn shorten(&mut self, most: usize) {
        self.caption = shortened_to(&self.caption, most);
        self.columns.iter_mut().for_each(|column| column.title = shortened_to(&column.title, most));
        self.rows.iter_mut().flatten().for_each(|cell| cell.text = shortened_to(&cell.text, most));
        for why in &mut self.below {
            why.reasons.iter_mut().for_each(|reason| reason.text = shortened_to(&reason.text, most));
            shorten(&mut why.lines, most);
        }
    }
}

/// A text that is too long without its end. Signs that turn the direction of writing are shown as codes.
pub(super) fn shortened(text: &str) -> String {
    shortened_to(text, MOST_CHARACTERS)
}

/// The same, to so many characters.
pub(super) fn shortened_to(text: &str, most: usize) -> String {
    let mut short = String::new();
    for (at, sign) in text.chars().enumerate() {
        if at == most {
            short.push('…');
            break;
        }
        match sign {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
                short.push_str(&sign.escape_unicode().to_string());
            }
            sign if sign.is_control() => short.push_str(&sign.escape_unicode().to_string()),
            sign => short.push(sign),
        }
    }
    short
}

impl From<Figure> for FigureView {
    fn from(figure: Figure) -> Self {
        let drawn = figure.chart.draw();
        let mut svg = without_defaults(&drawn.svg.trim().replace('\n', ""));
        let words = HtmlEscape(&format!("{}. {}", figure.title, shortened(&figure.caption))).to_string();
        let label = format!("<svg role=\"img\" aria-label=\"{words}\" ");
        svg = svg.replacen("<svg ", &label, 1);
        for (colour, name) in crate::report::figures::colours() {
            svg = svg.replace(&colour, &format!("var(--{name})"));
        }
        let legend = figure.chart.layers.iter().filter_map(|layer| {
            let mark = match layer.marks {
                Marks::Line(_) => "line",
                Marks::Thin(_) => "thin",
                Marks::Dashes(_) => "dashes",
                Marks::Band(_) => "band",
                Marks::Dots(_) => "dots",
                Marks::Cells(_) => "cells",
            };
            Some(LegendEntry { ink: layer.ink.name(), mark, name: layer.name.clone()? })
        });
        let legend = legend.collect();
        let places = format!("{} {} {} {}", drawn.x.start, drawn.x.end, drawn.y.start, drawn.y.end);
        let table = (figure.rows.len() <= MOST_ROWS).then(|| table_of(&figure));
        let Figure { id, title, caption, .. } = figure;
        Self { id, title, caption, svg, places, legend, table }
    }
}

/// A drawing without attributes that say what holds anyway, and with numbers to a tenth: half of a figure is such words.
fn without_defaults(svg: &str) -> String {
    const DEFAULTS: [&str; 4] =
        [" opacity=\"1\"", " stroke-width=\"1\"", " stroke=\"none\"", " font-family=\"sans-serif\""];
    let mut svg = DEFAULTS.iter().fold(svg.to_owned(), |svg, default| svg.replace(default, ""));
    // The style sheet says so.
    svg = svg.replace("<polyline fill=\"none\"", "<polyline");
    let mut at = 0;
    while let Some(found) = svg[at..].find(" font-size=\"") {
        let start = at + found + " font-size=\"".len();
        let len = svg[start..].find('"').unwrap_or(0);
        if let Ok(size) = svg[start..start + len].parse::<f64>() {
            svg.replace_range(start..start + len, &format!("{size:.1}"));
        }
        at = start;
    }
    svg
}

/// The numbers of a figure.
fn table_of(figure: &Figure) -> TableView {
    let is_word = |at: usize| figure.rows.iter().any(|row| matches!(row.get(at), Some(Value::Word(_))));
    let column = |(at, title): (usize, &String)| {
        if is_word(at) { ColumnView::word(title) } else { ColumnView::number(title, "") }
    };
    let cell = |value: &Value| match value {
        Value::Number(number) => CellView::number(*number),
        Value::Word(word) => CellView::word(word),
    };
    let columns = figure.header.iter().enumerate().map(column).collect();
    let rows = figure.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    TableView::new("", figure.title, columns, rows)
}
