//! Folds of a database's examples that a model froze: rows from a time on do not exist for them.

use gleaner_data::{FrozenFold, TimeSplit, microseconds};

use super::text::text;

/// The frozen folds, and what says the fold of an example.
#[derive(Debug, Default)]
pub(super) struct Freezing {
    frozen: Vec<FrozenFold>,
    /// The times at which sets begin, if the cut-offs say the folds.
    begins: Vec<String>,
}

impl Freezing {
    /// Folds by a split of the examples, else by their column of folds.
    pub(super) fn of(frozen: Vec<FrozenFold>, split: Option<&TimeSplit>) -> Self {
        let begins = split.map(|split| split.times.to_string());
        let begins = begins.iter().flat_map(|times| times.split(',')).map(str::to_owned).collect();
        Self { frozen, begins }
    }

    /// Whether the column of folds has to say them.
    pub(super) const fn needs_column(&self) -> bool {
        !self.frozen.is_empty() && self.begins.is_empty()
    }

    /// The moment from which on rows do not exist for an example: its cut-off, or the earlier one at which its fold is
    /// frozen. `fold` is the cell that says its fold.
    pub(super) fn before(&self, cut_off: &str, fold: Option<&str>) -> String {
        let case = |freeze: &FrozenFold| {
            let is_of_fold = self.is_of_fold(&freeze.fold, cut_off, fold)?;
            let moment = moment(&freeze.time);
            Some(format!(" WHEN {is_of_fold} AND {moment} < {cut_off} THEN {moment}"))
        };
        let cases: String = self.frozen.iter().filter_map(case).collect();
        if cases.is_empty() { cut_off.to_owned() } else { format!("CASE{cases} ELSE {cut_off} END") }
    }

    /// The condition that an example's fold is frozen later than its cut-off, or never; none where no fold is.
    pub(super) fn is_later(&self, cut_off: &str, fold: Option<&str>) -> Option<String> {
        let frozen = self.frozen.iter().filter_map(|freeze| {
            let is_of_fold = self.is_of_fold(&freeze.fold, cut_off, fold)?;
            Some(format!("{is_of_fold} AND {} <= {cut_off}", moment(&freeze.time)))
        });
        let frozen = frozen.collect::<Vec<_>>().join(" OR ");
        // A row without a fold is not frozen.
        (!frozen.is_empty()).then(|| format!("CASE WHEN {frozen} THEN 0 ELSE 1 END = 1"))
    }

    fn is_of_fold(&self, name: &str, cut_off: &str, fold: Option<&str>) -> Option<String> {
        let names: &[&str] = match self.begins.len() {
            0 => return Some(format!("{} = {}", fold?, text(name))),
            1 => &["train", "test"],
            _ => &["train", "tune", "test"],
        };
        let at = names.iter().position(|known| *known == name)?;
        let from = at.checked_sub(1).and_then(|before| self.begins.get(before));
        let from = from.map(|begin| format!("{cut_off} >= {}", moment(begin)));
        let to = self.begins.get(at).map(|begin| format!("{cut_off} < {}", moment(begin)));
        Some(from.into_iter().chain(to).collect::<Vec<_>>().join(" AND "))
    }

    /// What to say of it above the examples.
    pub(super) fn remark(&self, has_fold: bool) -> String {
        let frozen: Vec<String> = self.frozen.iter().map(ToString::to_string).collect();
        let frozen = frozen.join(" and ");
        match (self.frozen.is_empty(), has_fold || !self.begins.is_empty()) {
            (true, _) => ": to freeze a fold, make it earlier there".to_owned(),
            (false, true) => format!(": the model froze {frozen}"),
            (false, false) => format!(": the model froze {frozen}, so make it earlier there for that fold"),
        }
    }
}

/// A time in microseconds since 1970.
fn moment(written: &str) -> String {
    microseconds(written).map_or_else(|| "NULL".to_owned(), |it| it.to_string())
}

#[cfg(test)]
mod tests {
    use super::Freezing;

    #[test]
    fn the_earlier_moment_counts() {
        let frozen = || vec!["test=2010-01-01".parse().expect("a fold")];
        let before = |of: &Freezing, fold| of.before("r.day", fold);
        // The first moments of 2010-05-01, 2005-01-01 and 2010-01-01, by `date --utc +%s`.
        let [begin, tune, freeze] =
            [1_272_672_000, 1_104_537_600, 1_262_304_000].map(|it: i64| it * 1_000_000);
        assert_eq!(before(&Freezing::default(), Some("r.fold")), "r.day");
        let by_column = Freezing::of(frozen(), None);
        let expected = format!("CASE WHEN r.fold = 'test' AND {freeze} < r.day THEN {freeze} ELSE r.day END");
        assert_eq!(before(&by_column, Some("r.fold")), expected);
        assert_eq!(before(&by_column, None), "r.day");
        let split =
            |times: &str| gleaner_data::TimeSplit { times: times.parse().expect("times"), horizon: None };
        for (times, fold, is_of_fold) in [
            ("2010-05-01", "test", format!("r.day >= {begin}")),
            ("2010-05-01", "train", format!("r.day < {begin}")),
            ("2005-01-01,2010-05-01", "test", format!("r.day >= {begin}")),
            ("2005-01-01,2010-05-01", "tune", format!("r.day >= {tune} AND r.day < {begin}")),
        ] {
            let frozen = vec![format!("{fold}=2010-01-01").parse().expect("a fold")];
            let expected =
                format!("CASE WHEN {is_of_fold} AND {freeze} < r.day THEN {freeze} ELSE r.day END");
            assert_eq!(before(&Freezing::of(frozen, Some(&split(times))), None), expected, "{times} {fold}");
        }
        // A fold that the split does not make.
        let other = vec!["late=2010-01-01".parse().expect("a fold")];
        assert_eq!(before(&Freezing::of(other, Some(&split("2010-05-01"))), None), "r.day");
    }
}
