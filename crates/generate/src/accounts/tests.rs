use std::collections::BTreeMap;

use super::super::naive::{Facts, file};
use super::*;

fn small(noise: f64, seed: u64) -> AccountsConfig {
    AccountsConfig { accounts: 150, communities: 3, noise, seed }
}

#[test]
fn bytes_follow_the_seed() {
    let problem = accounts(&small(0.1, 3)).unwrap();
    assert_eq!(problem, accounts(&small(0.1, 3)).unwrap());
    assert_ne!(problem, accounts(&small(0.1, 4)).unwrap());
}

/// For each account, its class, and the class of the first planted clause, read as text, that covers it.
fn proved(problem: &Generated, n_folds: usize) -> Vec<(String, Option<String>)> {
    let mut proved = Vec::new();
    for fold in 1..=n_folds {
        let mut facts = Facts::default();
        facts.read(file(problem, &format!("fold{fold}/background.pl")));
        facts.count_distinct();
        for line in file(problem, &format!("fold{fold}/pos.pl")).lines() {
            let example = line.trim_end_matches('.');
            let class = example.split([',', ')']).nth(1).unwrap().to_owned();
            let covering = problem.planted.iter().find(|clause| facts.covers(clause, example));
            let said = covering.map(|clause| clause.split([',', ')']).nth(1).unwrap().to_owned());
            proved.push((class, said));
        }
    }
    proved
}

#[test]
fn without_noise_the_first_rule_says_the_class() {
    let problem = accounts(&small(0.0, 1)).unwrap();
    let proved = proved(&problem, 3);
    assert_eq!(proved.len(), 150);
    assert!(proved.iter().all(|(class, said)| said.as_deref().unwrap_or("person") == class));
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    proved.iter().for_each(|(class, _)| *sizes.entry(class).or_default() += 1);
    assert!(sizes.len() == 3 && sizes.values().all(|&n| n > 15), "{sizes:?}");
}

#[test]
fn noise_changes_the_stated_share_of_classes() {
    let problem = accounts(&AccountsConfig::default()).unwrap();
    let proved = proved(&problem, 5);
    let n_changed =
        proved.iter().filter(|(class, said)| said.as_deref().unwrap_or("person") != class).count();
    assert_eq!(n_changed, 60);
    let stated = |name: &str| &problem.summary.iter().find(|(known, _)| known == name).unwrap().1;
    for class in CLASSES {
        let n = proved.iter().filter(|(own, _)| own == class).count();
        assert_eq!(*stated(&format!("of the class {class}")), n.to_string());
    }
}

#[test]
fn settings_have_ranges() {
    for (config, setting) in [
        (AccountsConfig { accounts: 99, ..AccountsConfig::default() }, "accounts"),
        (AccountsConfig { communities: 0, ..AccountsConfig::default() }, "communities"),
        (AccountsConfig { noise: 0.6, ..AccountsConfig::default() }, "noise"),
    ] {
        assert_eq!(accounts(&config).unwrap_err().setting(), Some(setting));
    }
}
