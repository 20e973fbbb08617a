use super::{PARAMETRIC, PLAIN, Score, ScoreFault};

#[test]
fn every_name_is_listed_and_read_back() {
    for listed in Score::NAMES {
        let text = listed.replace(":B", ":0.5").replace(":M", ":3");
        let score = Score::parse(&text).expect("a listed name");
        assert_eq!(score.to_string(), text);
        assert!(!matches!(score, Score::Custom(_)), "{text}");
    }
    assert_eq!(PLAIN.len() + PARAMETRIC.len(), Score::NAMES.len());
    assert_eq!(Score::parse("m-estimate"), Ok(Score::MEstimate(2.0)));
    assert_eq!(Score::parse("thesis-m-estimate"), Ok(Score::ThesisMEstimate(2.0)));
    assert_eq!(Score::parse(" wracc "), Ok(Score::WeightedRelativeAccuracy));
    let formula = Score::parse("TP-2*FP").expect("a formula");
    assert!(matches!(formula, Score::Custom(_)));
    assert_eq!(formula.to_string(), "TP - 2 * FP");
}

#[test]
fn faults_say_what_was_probably_meant() {
    let cases = [
        ("lapalce", ScoreFault::Name(Some("laplace"))),
        ("Laplace", ScoreFault::Name(Some("laplace"))),
        ("information_gain", ScoreFault::Name(Some("information-gain"))),
        ("pr-aera", ScoreFault::Name(Some("pr-area"))),
        ("f-bta:2", ScoreFault::Name(Some("f-beta"))),
        ("best", ScoreFault::Name(None)),
        ("posonly", ScoreFault::Name(None)),
        ("f-beta", ScoreFault::Parameter("f-beta")),
        ("f-beta:-1", ScoreFault::Parameter("f-beta")),
        ("m-estimate:inf", ScoreFault::Parameter("m-estimate")),
        ("m-estimate:", ScoreFault::Parameter("m-estimate")),
        ("laplace:1", ScoreFault::NeedlessParameter("laplace")),
    ];
    for (text, fault) in cases {
        assert_eq!(Score::parse(text), Err(fault), "{text}");
    }
    for text in ["tp", "TP/", "", "sqrt", "L", "3"] {
        assert!(matches!(Score::parse(text), Err(ScoreFault::Formula(_))), "{text}");
    }
    assert_eq!(Score::parse("lapalce").expect_err("a fault").help(), "did you mean laplace?");
    let help = Score::parse("best").expect_err("a fault").help();
    assert!(help.starts_with("score takes precision-recall, ") && help.contains("TP FP P N L"), "{help}");
}

#[test]
fn aleph_names_its_scores_otherwise() {
    let ours = |name| Score::parse(Score::of_aleph(name));
    assert_eq!(ours("accuracy"), Ok(Score::Precision));
    assert_eq!(ours("mestimate"), Ok(Score::MEstimate(2.0)));
    assert_eq!(ours("gain"), Ok(Score::FoilGain));
    for same in ["coverage", "compression", "laplace", "wracc", "entropy"] {
        assert_eq!(ours(same).expect("a score").to_string(), same);
    }
    for other in ["posonly", "gini", "pbayes", "auto_m", "mse", "sd", "user"] {
        assert!(ours(other).is_err(), "{other}");
    }
}
