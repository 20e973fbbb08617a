//! What examples see of the rows that they point to: nothing of what came to be after their cut-offs.

use std::fmt::Write;

use gleaner_data::{ColumnPlace, SeenColumn};

use super::freezing::Freezing;
use super::tables::{Database, Form};

/// When an example, whose row is `r`, sees a row that came to be `since` a moment.
#[derive(Debug)]
pub(super) struct Sight {
    /// The moment from which on rows do not exist for it.
    before: String,
    /// The moment of its cut-off, and the end of that.
    cut_off: [String; 2],
    /// The condition under which it sees rows of that moment; none if it always does.
    sees_same: Option<String>,
}

impl Sight {
    /// By the column of the cut-offs, and that of folds if it says what is frozen.
    pub(super) fn new(
        database: &Database<'_>,
        freezing: &Freezing,
        (cut_off, fold): (ColumnPlace, Option<ColumnPlace>),
    ) -> Self {
        let begin = format!("r.{}", database.column(cut_off, Form::Value));
        let end = format!("r.{}", database.end_column(cut_off));
        let fold = fold.map(|fold| format!("r.{}", database.column(fold, Form::Text)));
        let before = freezing.before(&begin, fold.as_deref());
        let sees_same = freezing.is_later(&begin, fold.as_deref());
        Self { before, cut_off: [begin, end], sees_same }
    }

    /// The joins that find when the rows on a path came to be, whose aliases are `r_0` and so on; and the conditions under
    /// which the example sees all of them.
    pub(super) fn of_path(&self, seen: &SeenColumn, database: &Database<'_>) -> (String, String) {
        let (mut joins, mut conditions) = (String::new(), String::new());
        for (number, &step) in seen.path.iter().enumerate() {
            let Some(to) = database.schema.points_to(step) else { continue };
            if database.schema.sight_sources(to).is_empty() {
                continue;
            }
            let (row, time) = (format!("r_{number}"), format!("t_{number}"));
            let times = database.time_table(to);
            let _ = write!(joins, "\n    LEFT JOIN {times} AS {time} ON {time}.position = {row}.g_position");
            let Self { before, cut_off: [begin, end], sees_same } = self;
            let is_far = number > 0 && database.schema.parts(step).next().is_some();
            let same = (!is_far).then(|| {
                let is_free = sees_same.as_ref().map(|it| format!(" AND {it}")).unwrap_or_default();
                format!(" OR {time}.moment <= {begin} AND {time}.since <= {end}{is_free}")
            });
            let same = same.unwrap_or_default();
            let _ = write!(conditions, "\n      AND ({time}.since IS NULL OR {time}.since < {before}{same})");
        }
        (joins, conditions)
    }
}
