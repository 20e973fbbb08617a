//! A chart as SVG: marks between two axes.
//!
//! Colours are those of Okabe and Ito, which people who confuse red and green tell apart. Texts stay texts.

use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, Polygon, Rectangle};
use plotters::prelude::{Cartesian2d, DashedLineSeries, DrawingBackend, LineSeries, SVGBackend};
use plotters::style::{Color, RGBColor, TextStyle};

/// The size of a chart, in units of its own.
const SIZE: (u32, u32) = (560, 420);

/// The size of its letters, in these units; the backend makes them smaller by a quarter.
const LETTERS: u32 = 21;

/// Marks between two axes.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// From the lowest to the highest.
    pub(crate) layers: Vec<Layer>,
}

/// An axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What is along it, with its unit.
    pub(crate) name: String,
    /// Its ends.
    pub(crate) range: Range<f64>,
    /// Whether its steps are powers of ten.
    pub(crate) is_log: bool,
    /// What stands at 0, 1, 2 and so on in the place of numbers; empty of an axis of numbers.
    pub(crate) names: Vec<String>,
}

/// Marks of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) ink: Ink,
    pub(crate) marks: Marks,
    /// What it is; none for what the name of another layer says.
    pub(crate) name: Option<String>,
}

/// Marks at places by both axes.
#[derive(Clone, Debug)]
pub(crate) enum Marks {
    /// A line through points.
    Line(Vec<[f64; 2]>),
    /// A thin line through points.
    Thin(Vec<[f64; 2]>),
    /// A line of dashes.
    Dashes(Vec<[f64; 2]>),
    /// An area: at each x the least and the greatest y.
    Band(Vec<[f64; 3]>),
    /// Points.
    Dots(Vec<[f64; 2]>),
    /// Rectangles with their strengths, 0 to 1: left, right, lower, upper.
    Cells(Vec<([f64; 4], f64)>),
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Blue,
    Orange,
    Green,
    Red,
    Purple,
    Sky,
    Grey,
}

/// The colours of texts and of the grid.
const TEXT: RGBColor = RGBColor(0x22, 0x22, 0x22);
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

impl Ink {
    /// Those for several things of one kind.
    pub(crate) const SEVERAL: [Self; 6] =
        [Self::Blue, Self::Orange, Self::Green, Self::Red, Self::Purple, Self::Sky];

    const fn colour(self) -> RGBColor {
        match self {
            Self::Blue => RGBColor(0x00, 0x72, 0xb2),
            Self::Orange => RGBColor(0xe6, 0x9f, 0x00),
            Self::Green => RGBColor(0x00, 0x9e, 0x73),
            Self::Red => RGBColor(0xd5, 0x5e, 0x00),
            Self::Purple => RGBColor(0xcc, 0x79, 0xa7),
            Self::Sky => RGBColor(0x56, 0xb4, 0xe9),
            Self::Grey => RGBColor(0x99, 0x99, 0x99),
        }
    }

    /// Its name, as style sheets have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::Green => "green",
            Self::Red => "red",
            Self::Purple => "purple",
            Self::Sky => "sky",
            Self::Grey => "grey",
        }
    }
}

/// The colours in hexadecimal, as they stand in SVG, each with its name in style sheets.
pub(crate) fn colours() -> Vec<(String, &'static str)> {
    let inks = [Ink::Blue, Ink::Orange, Ink::Green, Ink::Red, Ink::Purple, Ink::Sky, Ink::Grey];
    let named = inks.map(|ink| (ink.colour(), ink.name()));
    let all = named.into_iter().chain([(TEXT, "ink"), (GRID, "line")]);
    all.map(|(RGBColor(red, green, blue), name)| (format!("#{red:02X}{green:02X}{blue:02X}"), name)).collect()
}

impl Axis {
    /// An axis of numbers.
    pub(crate) fn new(name: &str, range: Range<f64>) -> Self {
        Self { name: name.to_owned(), range, is_log: false, names: Vec::new() }
    }

    /// An axis of numbers above 0 by their powers of ten.
    pub(crate) fn log(name: &str, range: Range<f64>) -> Self {
        Self { is_log: true, ..Self::new(name, range) }
    }

    /// An axis of shares, from 0 to 1.
    pub(crate) fn share(name: &str) -> Self {
        Self::new(name, 0.0..1.0)
    }

    /// An axis of things, each at the middle of its place.
    pub(crate) fn of_names(name: &str, names: Vec<String>) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a place")]
        let end = names.len() as f64 - 0.5;
        Self { names, ..Self::new(name, -0.5..end) }
    }

    /// How many steps it has at most.
    fn n_labels(&self) -> usize {
        self.names.len().clamp(6, 24)
    }

    /// The place on the drawn axis.
    fn place(&self, value: f64) -> f64 {
        if self.is_log { value.max(f64::MIN_POSITIVE).log10() } else { value }
    }

    fn drawn(&self) -> Range<f64> {
        self.place(self.range.start)..self.place(self.range.end)
    }

    fn label(&self, place: f64) -> String {
        if !self.names.is_empty() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a step's place is small"
            )]
            let at = place.round().max(0.0) as usize;
            let is_middle = (place - place.round()).abs() < 1e-6;
            return self.names.get(at).filter(|_| is_middle).cloned().unwrap_or_default();
        }
        if self.is_log {
            // Between powers of ten a line alone is enough.
            if (place - place.round()).abs() > 1e-6 {
                return String::new();
            }
            let value = 10_f64.powf(place);
            return if (0.001..1e4).contains(&value) { short(value) } else { format!("1e{place:.0}") };
        }
        short(place)
    }
}

/// A number without zeros at its end.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Why a backend cannot draw.
type Fault<D> = DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>;

/// A drawn chart, with the places of its axes: from the left, from the top, in units of the drawing.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) svg: String,
    pub(crate) x: Range<i32>,
    pub(crate) y: Range<i32>,
}

impl Chart {
    /// Draws it.
    pub(crate) fn draw(&self) -> Drawn {
        let mut svg = String::new();
        let [x, y] = self.draw_on(SVGBackend::with_string(&mut svg, SIZE)).expect("texts take any drawing");
        Drawn { svg, x, y }
    }

    fn draw_on<D: DrawingBackend>(&self, backend: D) -> Result<[Range<i32>; 2], Fault<D>> {
        let root = backend.into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(self.x.drawn(), self.y.drawn())?;
        let style = TextStyle::from(("sans-serif", LETTERS)).color(&TEXT);
        chart
            .configure_mesh()
            .x_desc(&self.x.name)
            .y_desc(&self.y.name)
            .x_labels(self.x.n_labels())
            .y_labels(self.y.n_labels())
            .x_label_formatter(&|place| self.x.label(*place))
            .y_label_formatter(&|place| self.y.label(*place))
            .max_light_lines(0)
            .bold_line_style(GRID)
            .axis_style(TEXT)
            .label_style(style.clone())
            .axis_desc_style(style)
            .draw()?;
        for layer in &self.layers {
            self.draw_layer(layer, &mut chart)?;
        }
        let (x, y) = chart.plotting_area().get_pixel_range();
        drop(chart);
        root.present()?;
        Ok([x, y])
    }

    fn draw_layer<D: DrawingBackend>(
        &self,
        layer: &Layer,
        chart: &mut ChartContext<'_, D, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    ) -> Result<(), Fault<D>> {
        let colour = layer.ink.colour();
        let place = |&[x, y]: &[f64; 2]| (self.x.place(x), self.y.place(y));
        match &layer.marks {
            Marks::Line(points) => {
                chart.draw_series(LineSeries::new(points.iter().map(place), colour.stroke_width(3)))?;
            }
            Marks::Thin(points) => {
                chart.draw_series(LineSeries::new(
                    points.iter().map(place),
                    colour.mix(0.7).stroke_width(1),
                ))?;
            }
            Marks::Dashes(points) => {
                chart.draw_series(DashedLineSeries::new(
                    points.iter().map(place),
                    6,
                    5,
                    colour.stroke_width(2),
                ))?;
            }
            Marks::Band(points) => {
                let upper = points.iter().map(|&[x, _, y]| place(&[x, y]));
                let lower = points.iter().rev().map(|&[x, y, _]| place(&[x, y]));
                chart.draw_series([Polygon::new(upper.chain(lower).collect::<Vec<_>>(), colour.mix(0.2))])?;
            }
            Marks::Dots(points) => {
                chart
                    .draw_series(points.iter().map(|point| Circle::new(place(point), 4, colour.filled())))?;
            }
            Marks::Cells(cells) => {
                chart.draw_series(cells.iter().map(|&([left, right, lower, upper], strength)| {
                    Rectangle::new(
                        [place(&[left, lower]), place(&[right, upper])],
                        colour.mix(strength).filled(),
                    )
                }))?;
            }
        }
        Ok(())
    }
}
