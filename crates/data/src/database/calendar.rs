//! What the calendar says of the times of examples: sales follow seasons and weekdays.

use std::fmt;

use gleaner_base::{FixedMap, FixedSet};
use jiff::civil::Date;

use super::star::{Seen, Star};
use super::times::RowTimes;
use crate::provisional::Provisional;
use crate::tables::store::{LONG, MISSING, number_cell};
use crate::texts::Time;
use gleaner_lang::program::Number;

/// A part of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CalendarPart {
    /// From 1 to 12.
    Month,
    /// From 1 for Monday to 7 for Sunday.
    Weekday,
    /// From 0 to 23, in UTC; none of a date without a time of day.
    Hour,
}

impl fmt::Display for CalendarPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Month => "month",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
        })
    }
}

impl CalendarPart {
    const ALL: [Self; 3] = [Self::Month, Self::Weekday, Self::Hour];

    /// The name of the relation between rows and this part of what they see.
    pub(super) fn relation(self, seen: &Seen) -> String {
        format!("{}_{self}", seen.name)
    }

    /// The part of a time.
    fn of(self, time: Time) -> Option<i64> {
        let moment = time.moment()?;
        Some(match self {
            Self::Month => i64::from(moment.month()),
            Self::Weekday => i64::from(moment.weekday().to_monday_one_offset()),
            Self::Hour if time.is_day() => return None,
            Self::Hour => i64::from(moment.hour()),
        })
    }

    /// The cells of the part of some times.
    pub(super) fn cells(self, times: &[u32], symbols: &mut Provisional) -> Vec<u32> {
        // Many examples have the same time.
        let mut known: FixedMap<u32, u32> = FixedMap::default();
        let mut of_cell = |&cell: &u32| {
            *known.entry(cell).or_insert_with(|| {
                let part = read(cell, symbols).and_then(|time| self.of(time));
                part.map_or(MISSING, |part| number_cell(Number::Integer(part), symbols))
            })
        };
        times.iter().map(&mut of_cell).collect()
    }

    /// Whether some times differ in this part, and its values recur: each on two dates on average. A month that has one date says no
    /// more than that date, which no later example has.
    pub(super) fn recurs(self, times: &[u32], symbols: &Provisional) -> bool {
        let distinct: FixedSet<u32> = times.iter().copied().collect();
        let on_date = |time: Time| Some((self.of(time)?, time.moment()?.date()));
        let on_dates: FixedSet<(i64, Date)> =
            distinct.into_iter().filter_map(|cell| on_date(read(cell, symbols)?)).collect();
        let parts: FixedSet<i64> = on_dates.iter().map(|(part, _)| *part).collect();
        parts.len() >= 2 && on_dates.len() >= 2 * parts.len()
    }
}

/// The time that a cell says.
fn read(cell: u32, symbols: &Provisional) -> Option<Time> {
    Time::read((cell < LONG).then(|| symbols.constants().text(cell))?, None)
}

/// The parts of a time of examples that are relations: of a column of their own, if no other relation has the name.
pub(super) fn parts_of<'s>(seen: &'s Seen, star: &'s Star) -> impl Iterator<Item = CalendarPart> + 's {
    let is_own = seen.table == star.examples && seen.path.is_empty();
    let is_free = move |part: &CalendarPart| {
        let name = part.relation(seen);
        star.seen.iter().flatten().all(|other| other.name != name)
    };
    CalendarPart::ALL.into_iter().filter(move |_| is_own).filter(is_free)
}

/// Whether examples know a time whenever they are looked at: it is that of the look, or nothing is hidden from them.
pub(super) fn is_known(seen: &Seen, times: Option<&RowTimes>) -> bool {
    times.is_none_or(|times| seen.end.1 == times.cut_off)
}

#[cfg(test)]
mod tests {
    use super::CalendarPart;
    use crate::texts::Time;

    /// By `date --utc -d TIME '+%-m %u %-H'`.
    #[test]
    fn parts_are_those_of_the_calendar() {
        for (text, month, weekday, hour) in [
            ("'1970-01-01'", 1, 4, None),
            ("'1969-12-28'", 12, 7, None),
            ("'2024-02-29 23:59:59'", 2, 4, Some(23)),
            ("'2023-12-31T22:30:00-02:00'", 1, 1, Some(0)),
            ("'1969-12-31T05:00:00Z'", 12, 3, Some(5)),
        ] {
            let time = Time::read(text, None).expect("a time");
            assert_eq!(CalendarPart::Month.of(time), Some(month), "{text}");
            assert_eq!(CalendarPart::Weekday.of(time), Some(weekday), "{text}");
            assert_eq!(CalendarPart::Hour.of(time), hour, "{text}");
        }
    }
}
