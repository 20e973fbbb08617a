//! Names of columns that hold times. Numbers are dates only where the name of their column says so.

/// The words of names of times. Their numbers may count seconds.
const TIMES: [&str; 33] = [
    "date",
    "dates",
    "day",
    "time",
    "datetime",
    "timestamp",
    "ts",
    "when",
    "at",
    "on",
    "epoch",
    "dt",
    "moment",
    "cutoff",
    "since",
    "until",
    "created",
    "updated",
    "modified",
    "posted",
    "opened",
    "closed",
    "started",
    "ended",
    "start",
    "end",
    "birth",
    "birthday",
    "dob",
    "due",
    "expires",
    "datum",
    "zeit",
];

/// The words that a number of days or six digits need: `end` and `time` are also lengths and amounts.
const DAYS: [&str; 12] = [
    "date",
    "dates",
    "day",
    "datetime",
    "timestamp",
    "when",
    "cutoff",
    "birthday",
    "dob",
    "datum",
    "dt",
    "on",
];

/// The words of names of months, quarters, weeks and years.
const PERIODS: [&str; 23] = [
    "month",
    "months",
    "mth",
    "period",
    "ym",
    "yyyymm",
    "yearmonth",
    "quarter",
    "qtr",
    "yearquarter",
    "week",
    "wk",
    "isoweek",
    "yearweek",
    "year",
    "yr",
    "season",
    "monat",
    "quartal",
    "woche",
    "jahr",
    "kw",
    "saison",
];

/// The words of names of dates, whose numbers may count days since 1970.
const DATES: [&str; 8] = ["date", "dates", "day", "epochday", "birthday", "dob", "datum", "cutoff"];

/// The words of names of births and of makes: their years say nothing of when a row came to be.
const BIRTHS: [&str; 8] = ["birth", "birthday", "birthdate", "dob", "born", "built", "model", "founded"];

/// The words of names of times at which a row changes or ends, which may be long after others name it.
const CHANGES: [&str; 24] = [
    "updated",
    "update",
    "modified",
    "changed",
    "change",
    "edited",
    "synced",
    "refreshed",
    "last",
    "latest",
    "end",
    "ended",
    "until",
    "closed",
    "expires",
    "expired",
    "expiry",
    "discontinued",
    "deleted",
    "removed",
    "retired",
    "cancelled",
    "canceled",
    "terminated",
];

/// Whether a column is called as the time of a change or of an end.
pub(crate) fn is_called_change(name: &str) -> bool {
    words(name).iter().any(|word| CHANGES.contains(&word.as_str()))
}

/// Whether a column is called as one of times.
pub(crate) fn is_called_time(name: &str) -> bool {
    has_word(name, &TIMES)
}

/// Whether a column is called as one of days.
pub(crate) fn is_called_day(name: &str) -> bool {
    has_word(name, &DAYS)
}

/// Whether a column is called as one of dates.
pub(crate) fn is_called_date(name: &str) -> bool {
    words(name).iter().any(|word| DATES.contains(&word.as_str()))
}

/// Whether a column is called as one of months, quarters, weeks or years.
pub(crate) fn is_called_period(name: &str) -> bool {
    words(name).iter().any(|word| PERIODS.contains(&word.as_str()))
}

/// Whether a column is called as one of births.
pub(crate) fn is_called_birth(name: &str) -> bool {
    words(name).iter().any(|word| BIRTHS.contains(&word.as_str()))
}

fn has_word(name: &str, known: &[&str]) -> bool {
    let words = words(name);
    let is_known =
        |word: &str| known.contains(&word) || known.iter().any(|end| end.len() > 3 && word.ends_with(end));
    let cut_off =
        words.windows(2).any(|pair| matches!([&*pair[0], &*pair[1]], ["cut", "off"] | ["as", "of"]));
    cut_off || words.iter().any(|word| is_known(word))
}

/// The words of a name, in small letters: those of `statusId` and of `status_id` are `status` and `id`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_small {
            words.push(String::new());
        }
        was_small = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{is_called_date, is_called_day, is_called_period, is_called_time};

    #[test]
    fn names_say_what_is_a_time() {
        for name in [
            "when",
            "created_at",
            "createdAt",
            "orderdate",
            "Cut-off",
            "as_of",
            "ts",
            "event time",
            "EndDate",
        ] {
            assert!(is_called_time(name), "{name}");
        }
        for name in ["rate", "amount", "phone", "attendance", "weekend_id", "n", "lifetime_value_of"] {
            assert!(!is_called_day(name), "{name}");
        }
        for name in ["month", "billing_period", "isoWeek", "YYYYMM"] {
            assert!(is_called_period(name), "{name}");
        }
        for name in ["weekend", "headquarter", "product_code", "monthly", "candidate"] {
            assert!(!is_called_period(name) && !is_called_date(name), "{name}");
        }
        assert!(!is_called_day("run_time") && is_called_day("trade_date"));
    }
}
