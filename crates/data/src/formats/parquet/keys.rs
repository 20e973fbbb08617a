//! Keys in the metadata of a file: what RelBench 1 and 2 write beside each table.

use parquet::file::metadata::FileMetaData;
use serde_json::Value;

use crate::tables::given::Says;
use crate::tables::schema::Kind;

/// The names of the metadata.
const KEY: &str = "pkey_col";
const TIME: &str = "time_col";
const FOREIGN_KEYS: &str = "fkey_col_to_pkey_table";

/// What the metadata say of columns; none without such metadata. Each is a text of JSON.
pub(super) fn keys(metadata: &FileMetaData) -> Option<Vec<(String, Says)>> {
    let pairs = metadata.key_value_metadata()?;
    let value = |name: &str| -> Option<Value> {
        let text = pairs.iter().find(|pair| pair.key == name)?.value.as_ref()?;
        serde_json::from_str(text).ok()
    };
    let Value::Object(foreign) = value(FOREIGN_KEYS)? else { return None };
    let mut says: Vec<(String, Says)> = Vec::new();
    for (column, table) in foreign {
        says.push((column, Says::PointsTo(table.as_str()?.to_owned())));
    }
    for (name, kind) in [(KEY, Says::Is(Kind::Key)), (TIME, Says::RowTime)] {
        if let Some(Value::String(column)) = value(name) {
            says.push((column, kind));
        }
    }
    Some(says)
}
