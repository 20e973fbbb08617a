use super::average_precision;
use crate::eval::Ranking;

#[test]
fn worked_by_hand() {
    // Precision 1/1 at the first positive, 2/3 at the second: their mean.
    let ranking = Ranking::new([(4.0, true), (3.0, false), (2.0, true), (1.0, false)]).unwrap();
    assert!((average_precision(&ranking).unwrap() - 5.0 / 6.0).abs() < 1e-15);
    // All tied: the one threshold has the prevalence as its precision.
    let tied = Ranking::new([(1.0, true), (1.0, false), (1.0, false)]).unwrap();
    assert!((average_precision(&tied).unwrap() - 1.0 / 3.0).abs() < 1e-15);
    assert_eq!(average_precision(&Ranking::new([(1.0, true)]).unwrap()), None);
}
