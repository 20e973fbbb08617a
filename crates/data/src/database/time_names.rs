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

/// Whether a column is called as one of times.
pub(super) fn is_called_time(name: &str) -> bool {
    has_word(name, &TIMES)
}

/// Whether a column is called as one of days.
pub(super) fn is_called_day(name: &str) -> bool {
    has_word(name, &DAYS)
}

fn has_word(name: &str, known: &[&str]) -> bool {
    let words = words(name);
    let is_known =
        |word: &str| known.contains(&word) || known.iter().any(|end| end.len() > 3 && word.ends_with(end));
    let cut_off = words.windows(2).any(|pair| pair[0] == "cut" && pair[1] == "off");
    cut_off || words.iter().any(|word| is_known(word))
}

/// The words of a name, in small letters: those of `statusId` and of `status_id` are `status` and `id`.
pub(super) fn words(name: &str) -> Vec<String> {
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
    use super::{is_called_day, is_called_time};

    #[test]
    fn names_say_what_is_a_time() {
        for name in ["when", "created_at", "createdAt", "orderdate", "Cut-off", "ts", "event time", "EndDate"]
        {
            assert!(is_called_time(name), "{name}");
        }
        for name in ["rate", "amount", "phone", "attendance", "weekend_id", "n", "lifetime_value_of"] {
            assert!(!is_called_day(name), "{name}");
        }
        assert!(!is_called_day("run_time") && is_called_day("trade_date"));
    }
}
