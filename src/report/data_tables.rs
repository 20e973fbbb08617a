//! What a run was learned from, as tables.

use crate::experiment::loading::data_profile::DataProfile;

use super::csv_tables::table;

/// `predicate,facts,distinct,rules,tuples,modes`: a row for each predicate.
pub fn predicates_csv(profile: &DataProfile) -> String {
    let rows = profile.predicates.iter().map(|row| {
        let counts = [row.facts, row.distinct, row.rules, row.tuples].map(|count| count.to_string());
        [row.predicate.clone()].into_iter().chain(counts).chain([row.modes.clone()]).collect()
    });
    table(&["predicate", "facts", "distinct", "rules", "tuples", "modes"], rows)
}

/// `code,message,help,place`: a row for each warning.
pub fn warnings_csv(profile: &DataProfile) -> String {
    let rows = profile
        .warnings
        .iter()
        .map(|row| vec![row.code.clone(), row.message.clone(), row.help.clone(), row.place.clone()]);
    table(&["code", "message", "help", "place"], rows)
}
