//! What the values of a column mean: physical and logical type to the notation of cells.
//!
//! Numbers are numbers. Dates and times are written as other programs write them in CSV, so that a table has the same
//! constants in both. [Apache Parquet, LogicalTypes.md]

use std::borrow::Cow;

use jiff::Span;
use jiff::civil::Time;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as PhysicalType};
use parquet::data_type::Int96;
use parquet::schema::types::ColumnDescriptor;

use crate::rows::{CellValue, Refusal};
use crate::texts::moment::{InstantNotation, NANOSECONDS_OF_DAY, date_text, instant_text};

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Boolean,
    Integer,
    /// A whole number without a sign.
    Unsigned,
    Float,
    HalfFloat,
    /// A decimal stored as a whole number, with this many digits after the point.
    Decimal(u32),
    /// Days since 1970.
    Date,
    /// The time of a day, in parts of a second of which this many nanoseconds are one.
    TimeOfDay(i64),
    /// A time since 1970, in parts of so many nanoseconds.
    Instant {
        nanoseconds: i64,
        notation: InstantNotation,
    },
    Text,
    /// Bytes that no type tells.
    Bytes,
    Uuid,
}

impl Meaning {
    /// What the values of a column are; none for a type that is not read.
    pub(super) fn of(column: &ColumnDescriptor) -> Option<Self> {
        let physical = column.physical_type();
        let meaning = match column.logical_type_ref() {
            Some(logical) => Self::of_logical(logical)?,
            None => Self::of_converted(column.converted_type(), physical, column)?,
        };
        meaning.fits(physical, column.type_length()).then_some(meaning)
    }

    fn of_logical(logical: &LogicalType) -> Option<Self> {
        Some(match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Self::Text,
            LogicalType::Decimal(decimal) => Self::Decimal(u32::try_from(decimal.scale).ok()?),
            LogicalType::Date => Self::Date,
            LogicalType::Time(time) => Self::TimeOfDay(nanoseconds(time.unit)),
            LogicalType::Timestamp(time) => Self::Instant {
                nanoseconds: nanoseconds(time.unit),
                notation: if time.is_adjusted_to_u_t_c {
                    InstantNotation::Utc
                } else {
                    InstantNotation::Local
                },
            },
            LogicalType::Integer(integer) if integer.is_signed => Self::Integer,
            LogicalType::Integer(_) => Self::Unsigned,
            // A column without any value.
            LogicalType::Unknown => Self::Integer,
            LogicalType::Uuid => Self::Uuid,
            LogicalType::Float16 => Self::HalfFloat,
            _ => return None,
        })
    }

    fn of_converted(
        converted: ConvertedType,
        physical: PhysicalType,
        column: &ColumnDescriptor,
    ) -> Option<Self> {
        let of_unit = |nanoseconds| Self::Instant { nanoseconds, notation: InstantNotation::Utc };
        Some(match converted {
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            ConvertedType::DECIMAL => Self::Decimal(u32::try_from(column.type_scale()).ok()?),
            ConvertedType::DATE => Self::Date,
            ConvertedType::TIME_MILLIS => Self::TimeOfDay(1_000_000),
            ConvertedType::TIME_MICROS => Self::TimeOfDay(1_000),
            ConvertedType::TIMESTAMP_MILLIS => of_unit(1_000_000),
            ConvertedType::TIMESTAMP_MICROS => of_unit(1_000),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Self::Unsigned,
            ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 | ConvertedType::INT_64 => {
                Self::Integer
            }
            ConvertedType::NONE => match physical {
                PhysicalType::BOOLEAN => Self::Boolean,
                PhysicalType::INT32 | PhysicalType::INT64 => Self::Integer,
                PhysicalType::INT96 => Self::Instant { nanoseconds: 1, notation: InstantNotation::Local },
                PhysicalType::FLOAT | PhysicalType::DOUBLE => Self::Float,
                PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY => Self::Bytes,
            },
            _ => return None,
        })
    }

    /// Whether values of this physical type can mean it.
    const fn fits(self, physical: PhysicalType, length: i32) -> bool {
        use PhysicalType as P;
        match self {
            Self::Boolean => matches!(physical, P::BOOLEAN),
            Self::Integer | Self::Unsigned | Self::TimeOfDay(_) => matches!(physical, P::INT32 | P::INT64),
            Self::Float => matches!(physical, P::FLOAT | P::DOUBLE),
            Self::HalfFloat => matches!(physical, P::FIXED_LEN_BYTE_ARRAY) && length == 2,
            Self::Decimal(scale) => {
                scale <= 76
                    && matches!(physical, P::INT32 | P::INT64 | P::BYTE_ARRAY | P::FIXED_LEN_BYTE_ARRAY)
            }
            Self::Date => matches!(physical, P::INT32),
            Self::Instant { .. } => matches!(physical, P::INT64 | P::INT96),
            Self::Text | Self::Bytes => matches!(physical, P::BYTE_ARRAY | P::FIXED_LEN_BYTE_ARRAY),
            Self::Uuid => matches!(physical, P::FIXED_LEN_BYTE_ARRAY) && length == 16,
        }
    }

    /// The cell of a whole number of up to 64 bits.
    pub(super) fn of_integer(self, value: i64, is_short: bool) -> CellValue<'static> {
        match self {
            Self::Unsigned => {
                let mask = if is_short { u64::from(u32::MAX) } else { u64::MAX };
                let value = value.cast_unsigned() & mask;
                i64::try_from(value).map_or_else(|_| owned(value.to_string()), CellValue::Integer)
            }
            Self::Decimal(scale) => decimal(i128::from(value), scale),
            Self::Date => CellValue::of_time(date_text(value), "a date"),
            Self::TimeOfDay(nanoseconds) => {
                CellValue::of_time(time_of_day(i128::from(value) * i128::from(nanoseconds)), "a time of day")
            }
            Self::Instant { nanoseconds, notation } => CellValue::of_time(
                instant_text(i128::from(value) * i128::from(nanoseconds), notation),
                "a time",
            ),
            _ => CellValue::Integer(value),
        }
    }

    /// The cell of an old form of times: a Julian day, and nanoseconds since it began.
    pub(super) fn of_julian_day(self, value: &Int96) -> CellValue<'static> {
        let Self::Instant { notation, .. } = self else { return CellValue::Missing };
        CellValue::of_time(instant_text(julian_nanoseconds(value), notation), "a time")
    }

    /// The cell of bytes.
    pub(super) fn of_bytes(self, bytes: &[u8]) -> CellValue<'_> {
        match self {
            Self::Decimal(scale) => match big_endian(bytes) {
                Some(value) => decimal(value, scale),
                None => odd("a decimal of more than 38 digits", "store it as a float"),
            },
            Self::Uuid => owned(uuid(bytes)),
            Self::HalfFloat => match bytes {
                &[low, high] => CellValue::Float(half_float(u16::from_le_bytes([low, high]))),
                _ => CellValue::Missing,
            },
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => CellValue::String(Cow::Borrowed(text)),
                Err(_) => odd("bytes that are no text", "store texts as UTF-8, or leave the column out"),
            },
        }
    }
}

/// The cell of a float of 32 bits, by the shortest decimal that means it: `0.1` as in other notations.
pub(super) fn short_float(value: f32) -> CellValue<'static> {
    CellValue::Float(value.to_string().parse().unwrap_or_else(|_| f64::from(value)))
}

/// The nanoseconds since 1970 of a Julian day and nanoseconds in it.
pub(super) fn julian_nanoseconds(value: &Int96) -> i128 {
    const JULIAN_DAY_OF_1970: i128 = 2_440_588;
    let &[low, high, day] = value.data() else { return 0 };
    let in_day = (u64::from(high) << 32 | u64::from(low)).cast_signed();
    (i128::from(day) - JULIAN_DAY_OF_1970) * NANOSECONDS_OF_DAY + i128::from(in_day)
}

const fn nanoseconds(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000_000,
        TimeUnit::MICROS => 1_000,
        TimeUnit::NANOS => 1,
    }
}

fn owned(text: String) -> CellValue<'static> {
    CellValue::String(Cow::Owned(text))
}

fn odd(what: &str, accepted: &'static str) -> CellValue<'static> {
    CellValue::Odd(Refusal { what: what.to_owned(), accepted })
}

fn time_of_day(nanoseconds: i128) -> Option<String> {
    let nanoseconds = i64::try_from(nanoseconds).ok().filter(|at| i128::from(*at) < NANOSECONDS_OF_DAY)?;
    let since = Span::new().try_nanoseconds(nanoseconds).ok()?;
    Some(Time::midnight().checked_add(since).ok()?.to_string())
}

/// The cell of a whole number with a point before its last digits.
fn decimal(unscaled: i128, scale: u32) -> CellValue<'static> {
    if let (0, Ok(whole)) = (scale, i64::try_from(unscaled)) {
        return CellValue::Integer(whole);
    }
    // A text of decimal digits is rounded once, as CSV is.
    match format!("{unscaled}e-{scale}").parse() {
        Ok(value) => CellValue::Float(value),
        Err(_) => odd("a decimal that is no number", "store it as a float"),
    }
}

/// A number in big-endian bytes with a sign; none if it has more than 128 bits.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let fill = if bytes.first().is_some_and(|first| first & 0x80 != 0) { 0xFF } else { 0 };
    let n_extra = bytes.len().saturating_sub(16);
    let (extra, rest) = bytes.split_at(n_extra);
    let keeps_sign = rest.first().is_none_or(|first| (first & 0x80 != 0) == (fill == 0xFF));
    if !extra.iter().all(|&byte| byte == fill) || n_extra > 0 && !keeps_sign {
        return None;
    }
    let mut whole = [fill; 16];
    whole[16 - rest.len()..].copy_from_slice(rest);
    Some(i128::from_be_bytes(whole))
}

fn uuid(bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default().to_owned();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

/// The value of a float of 16 bits: a sign, five bits of exponent, ten of fraction. [IEEE 754-2019, 3.6]
fn half_float(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1F);
    let fraction = f64::from(bits & 0x3FF) / 1024.0;
    sign * match exponent {
        0 => fraction * 2.0_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2.0_f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::{InstantNotation, Meaning, big_endian, decimal, half_float, short_float, uuid};
    use crate::rows::CellValue;

    fn text(cell: &CellValue<'_>) -> String {
        match cell {
            CellValue::String(text) => text.to_string(),
            CellValue::Integer(value) => value.to_string(),
            CellValue::Float(value) => format!("{value:?}"),
            CellValue::Odd(refusal) => format!("odd: {}", refusal.what),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn times_are_written_as_in_csv() {
        let at = |nanoseconds, notation| Meaning::Instant { nanoseconds, notation };
        // 2020-01-02 begins 18,263 days after 1970.
        let seconds = 18_263 * 86_400;
        for (meaning, value, expected) in [
            (Meaning::Date, 18_263, "2020-01-02"),
            (Meaning::Date, -1, "1969-12-31"),
            (Meaning::Date, i64::from(i32::MAX), "odd: a date that no calendar has"),
            (at(1_000_000, InstantNotation::Local), seconds * 1_000, "2020-01-02 00:00:00"),
            (at(1_000_000, InstantNotation::Days), seconds * 1_000, "2020-01-02"),
            (at(1_000, InstantNotation::Local), seconds * 1_000_000 + 1_500_000, "2020-01-02 00:00:01.5"),
            (
                at(1, InstantNotation::Utc),
                seconds * 1_000_000_000 + 60_000_000_000,
                "2020-01-02 00:01:00+00:00",
            ),
            (at(1_000_000, InstantNotation::Local), i64::MAX, "odd: a time that no calendar has"),
            (Meaning::TimeOfDay(1_000), 3_600_000_000, "01:00:00"),
            (Meaning::TimeOfDay(1_000), -1, "odd: a time of day that no calendar has"),
            (Meaning::TimeOfDay(1), 86_400_000_000_000, "odd: a time of day that no calendar has"),
        ] {
            assert_eq!(text(&meaning.of_integer(value, false)), expected, "{meaning:?} {value}");
        }
    }

    #[test]
    fn numbers_are_what_their_decimals_mean() {
        assert_eq!(text(&Meaning::Unsigned.of_integer(-1, true)), "4294967295");
        assert_eq!(text(&Meaning::Unsigned.of_integer(-1, false)), "18446744073709551615");
        assert_eq!(text(&Meaning::Decimal(2).of_integer(150, true)), "1.5");
        assert_eq!(text(&decimal(-5, 3)), "-0.005");
        assert_eq!(text(&decimal(7, 0)), "7");
        assert_eq!(text(&short_float(0.1)), "0.1");
        assert_eq!(text(&short_float(f32::NAN)), "NaN");
        assert_eq!(big_endian(&[0x01, 0x00]), Some(256));
        assert_eq!(big_endian(&[0xFF, 0x38]), Some(-200));
        assert_eq!(big_endian(&[]), Some(0));
        assert_eq!(big_endian(&[[0xFF; 4].as_slice(), &[0xFF; 16]].concat()), Some(-1));
        assert_eq!(big_endian(&[[0; 4].as_slice(), &[0xFF; 16]].concat()), None);
        assert_eq!(text(&Meaning::Decimal(1).of_bytes(&[0xFF, 0x38])), "-20.0");
    }

    #[test]
    fn halves_are_read_as_ieee_says() {
        // 0x3C00 is 1, 0x3555 the nearest to a third, 0x0001 the least above 0, 0x7BFF the greatest, 0xC000 is -2.
        for (bits, expected) in [
            (0x3C00, 1.0),
            (0x3555, 0.333_251_953_125),
            (0x0001, 5.960_464_477_539_063e-8),
            (0x7BFF, 65_504.0),
            (0xC000, -2.0),
        ] {
            assert_eq!(half_float(bits).to_bits(), f64::to_bits(expected), "{bits:#x}");
        }
        assert!(half_float(0x7E00).is_nan());
        assert_eq!(uuid(&(0..16).collect::<Vec<u8>>()), "00010203-0405-0607-0809-0a0b0c0d0e0f");
        assert!(matches!(Meaning::Text.of_bytes(b"\xFF"), CellValue::Odd(_)));
    }
}
