use super::{ALL, SYNTAX};

#[test]
fn codes_ascend_and_show_three_digits() {
    assert!(ALL.is_sorted_by(|a, b| a.0 < b.0), "no code is used twice");
    assert_eq!(SYNTAX.to_string(), "G001");
    assert_eq!(SYNTAX.title(), "syntax error");
}
