//! The codes of all messages. A code is never reused or renumbered: users search for it.
//!
//! The manual of codes: a page for each code, from `codes.md`, which is part of the program.
//!
//! `tests/manual.rs` loads the examples of the pages, and checks that each gives the code of its page.

use std::fmt;

/// The stable number of a kind of message, shown as `G012`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// The number.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The subject of messages with this code, in a few words.
    pub fn title(self) -> &'static str {
        ALL.iter().find(|(code, _)| *code == self).map_or("", |(_, title)| title)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "G{:03}", self.0)
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        $(#[doc = concat!("`G", stringify!($number), "`: ", $title, ".")] pub const $name: Code = Code($number);)*
        /// All codes in order, each with its title.
        pub const ALL: &[(Code, &str)] = &[$(($name, $title)),*];
    };
}

codes! {
    SYNTAX = 1, "syntax error";
    UNTERMINATED = 2, "unterminated quote or comment";
    NUMBER_RANGE = 3, "number out of range";
    TOO_DEEP = 4, "term nested too deeply";
    UNREADABLE_FILE = 5, "file cannot be read";
    NOT_UTF8 = 6, "file is not UTF-8";
    NO_FULL_STOP = 7, "last statement has no full stop";
    REPLACED_BYTES = 8, "bytes that are not UTF-8 replaced";
    TOO_LONG = 9, "statement or line without an end";
    BAD_DECLARATION = 10, "malformed mode or determination";
    NO_MODES = 11, "no mode for the head or the body";
    EMPTY_PREDICATE = 12, "predicate without facts or rules";
    UNUSED_DECLARATION = 13, "declaration without effect";
    UNSAFE_RULE = 14, "rule with a variable that gets no value";
    UNSTRATIFIABLE = 15, "negation through recursion";
    UNSUPPORTED = 16, "construct outside the language";
    RULES_FAILED = 17, "rules without a fixpoint within the limits";
    IGNORED_DIRECTIVE = 18, "directive without meaning here";
    UNREACHABLE_MODE = 19, "mode that nothing can reach";
    NO_EXAMPLES = 20, "no examples of a class";
    BOTH_CLASSES = 21, "example in both classes";
    REPEATED_EXAMPLES = 22, "repeated examples";
    BAD_EXAMPLE = 23, "example that is no ground atom";
    SEVERAL_TARGETS = 24, "examples of several predicates";
    EMPTY_FOLD = 25, "fold without examples of a class";
    TARGET_IN_BACKGROUND = 26, "target predicate in the background";
    SHARED_EXAMPLES = 27, "example in two folds";
    OTHER_EXAMPLES = 28, "examples of other predicates";
    LEFT_OUT = 29, "predicates left out with rules outside the language";
    NO_SUCH_PATH = 30, "data that does not exist";
    UNKNOWN_LAYOUT = 31, "data in no known layout";
    MISSING_FILE = 32, "layout with a missing file";
    ODD_LINE = 33, "line that is neither an atom nor a triple";
    FALSE_FACTS = 34, "facts said to be false";
    HIDDEN_FACTS = 35, "facts kept back for tests";
    CLASSES_BY_COMMENT = 36, "classes told apart by a comment";
    NEGATIVES_MADE = 37, "negatives that are not listed";
    PROPOSED_MODES = 38, "modes proposed from the data";
    EMPTY_TYPE = 39, "type without a constant";
    UNKNOWN_SETTING = 40, "unknown setting";
    SETTING_VALUE = 41, "setting outside its range";
    UNUSED_SETTING = 42, "setting without effect here";
    UNREACHED_FACTS = 43, "facts that no mode reaches";
    MIXED_ARGUMENT = 44, "argument that mixes numbers and others";
    SEVERAL_ARITIES = 45, "one name with several arities";
    REPEATED_FACTS = 46, "repeated facts";
    UNKNOWN_CONSTANTS = 47, "example with an unknown constant";
    SEPARATING_NUMBERS = 48, "numbers that tell the classes apart";
    SHARED_ENTITIES = 49, "things in several folds";
    BAD_CLAUSE = 50, "malformed clause or restriction";
    OTHER_HEAD = 51, "clause whose head is not the target";
    FACT_WITH_VARIABLES = 52, "fact with variables";
    COMPRESSED_TWIN = 53, "file that exists compressed, too";
    READ_AS_COMPARISON = 54, "rules read as a comparison";
    INDEX_COLUMN = 55, "column of row numbers";
    MISSING_CELLS = 56, "cells without a value";
    SEPARATING_LITERAL = 57, "literal or argument that tells the classes apart";
    CHOSEN_DIRECTIONS = 58, "directions chosen from the data";
    SETTINGS_APART = 59, "settings that do not go together";
    BAD_MODEL = 60, "model file that cannot be read";
    MODEL_VERSION = 61, "model file of an unknown version";
    WRONG_TARGET = 62, "model and data of different targets";
    OTHER_FORM = 63, "form that a model does not have";
    BAD_SCORES = 70, "malformed table of scores";
    WRITE_FAILED = 80, "file that cannot be written";
    BAD_FOLD = 81, "fold that does not exist";
    TOO_FEW_EXAMPLES = 82, "too few examples to divide";
    FOLDER_IN_USE = 83, "folder that holds something else";
    MEMORY_LIMIT = 84, "more memory needed than allowed";
    EARLIER_RESULT = 85, "folder that holds an earlier result";
    FOLDER_BUSY = 86, "folder that another command writes";
    UNFINISHED_RUN = 87, "run that did not end";
    TIME_LIMIT = 88, "ended before there was a result";
    OTHER_REQUEST = 89, "run of another request";
    MALFORMED_TABLE = 90, "malformed table";
    MALFORMED_LINE = 91, "malformed line of JSON";
    FOLDS_NOT_SAID = 92, "folds that a layout cannot express";
    MODES_NOT_SAID = 93, "modes that a layout cannot express";
    SETTINGS_NOT_SAID = 94, "settings that a layout cannot express";
    EXAMPLES_NOT_SAID = 95, "examples that a layout cannot express";
    FACTS_NOT_SAID = 96, "facts that a layout cannot express";
    BAD_RUN = 97, "run record that cannot be read";
    RUN_VERSION = 98, "run record of an unknown version";
    OTHER_RUN = 99, "runs that cannot be compared";
    UNKNOWN_EXAMPLE = 100, "example that is not listed";
    BAD_SETTINGS_FILE = 101, "malformed file of settings";
    BAD_CLASSES = 102, "classes that cannot be told apart";
    NEGATIVES_LEFT_OUT = 103, "negative examples beside many classes";
    NEW_ENTITIES = 104, "entities of test without known links";
    UNREAD_DATA = 105, "table read without the tables beside it";
    NO_REPORT = 106, "Markdown of a command without a report";
    NOTHING_LEARNT = 107, "search that kept no clause";
    BAD_TIME = 115, "time that cannot be read";
    NO_CUT_OFF = 116, "facts with a time without a cut-off";
    TOO_MANY_CUT_OFFS = 117, "more cut-offs than fit";
    ROWS_WITHOUT_TIME = 118, "rows without a time";
    KEYS_WITHOUT_TYPE = 119, "keys of rows with a time under no or another type";
    BAD_NUMBERS = 120, "numbers that cannot be told";
    NOT_A_NUMBER = 121, "value that is no number";
    WITHOUT_NUMBER = 122, "examples without a number";
    NUMBERS_AS_CLASSES = 123, "numbers that are taken as classes";
    NO_NUMBER_LEARNER = 124, "learner that learns no numbers";
    MONOTONE_NUMBERS = 125, "numbers that can have no order";
    NO_LABEL_COLUMN = 126, "tables without a column of labels";
    TABLE_ALONE = 127, "table that no key joins to the examples";
    POSITIVE_LABEL = 128, "words as labels, of which the rarer one is positive";
    BAD_SCHEMA = 129, "schema that does not fit its tables";
    KEYS_WITHOUT_ROW = 130, "foreign keys without a row";
    UNUSED_KEY = 140, "key that a source gives and that is not used";
    BROKEN_FILE = 141, "file that is not what its name says";
    TABLES_AS_FACTS = 142, "folder of tables that may be read in two ways";
    ROWS_LEFT_OUT = 143, "rows of the table of labels that are left out";
    BAD_SPLIT = 144, "division of rows that cannot be made";
    NO_HORIZON = 145, "split by time that does not say when labels are known";
    KNOWN_AFTERWARDS = 146, "column or table that may be known only afterwards";
    TELLS_CLASS = 147, "column that tells the class alone";
    ID_AS_NUMBER = 148, "id that is compared as a number";
    NEARLY_A_KEY = 149, "column that is a key but for few rows";
    VALUES_NOT_READ = 150, "cells that are not read as what their column holds";
    KEY_WITHOUT_FILE = 151, "key that columns name and no table has";
    NOT_THE_SAME = 152, "run that is not the same again";
    BAD_CORPUS = 153, "corpus that cannot be read";
    BAD_ANNOTATION = 154, "annotation that does not fit its text";
    ROLES_LEFT_OUT = 155, "types of entities that tell who is related";
    LOST_RELATIONS = 156, "relations that are no examples";
    NO_CANDIDATES = 157, "corpus without examples";
    TRAIN_IN_RULES = 158, "rules about train examples that cannot be run";
    OTHER_NOTATION = 165, "columns of dates or numbers in another notation";
    COLUMNS_LEFT_OUT = 166, "columns that clauses do not see";
    PROBABILITY = 171, "statements with probabilities";
    FILES_BY_NAME = 172, "files that are read by their names";
    SETS_NOT_KEPT = 173, "sets of a corpus that are not kept";
    NUMBERS_AS_ENTITIES = 175, "numbers that are taken for entities";
    OPEN_FOREIGN_KEY = 176, "foreign key by few numbers alone";
    TEST_GIVES_VALUES = 177, "test that stands for the values of a variable";
    FLATTERING = 190, "figures that flatter";
    UNLABELLED = 191, "examples without a label";
    IN_PLACE = 192, "output that is written in place";
    FORMULA_CELLS = 193, "cells that a spreadsheet would run";
    BAD_PLAN = 194, "folder that is no plan";
    UNFINISHED_PLAN = 195, "runs of a plan that are not done";
}

/// The manual in Markdown.
const TEXT: &str = include_str!("codes.md");

/// The text that begins a page.
const HEADING: &str = "\n## ";

/// The line that opens or closes a block of a page.
const FENCE: &str = "```";

/// One code's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The heading: `G012: title`.
    pub heading: &'static str,
    /// The text below the heading.
    pub text: &'static str,
}

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagePart {
    /// Paragraphs.
    Prose(&'static str),
    /// A fenced block: its label, as `modes.pl`, `modes.pl instead` or `console`, and its lines.
    Block(&'static str, &'static str),
}

impl Page {
    /// The page's parts in order.
    pub fn parts(&self) -> Vec<PagePart> {
        // Fences separate prose and blocks, which alternate; prose is first.
        let mut parts = Vec::new();
        for (position, part) in self.text.split(FENCE).enumerate() {
            if position % 2 == 1 {
                let (label, lines) = part.split_once('\n').unwrap_or((part, ""));
                parts.push(PagePart::Block(label.trim(), lines));
            } else if !part.trim().is_empty() {
                parts.push(PagePart::Prose(part.trim_matches('\n')));
            }
        }
        parts
    }
}

/// All pages in the order of the manual.
pub fn pages() -> impl Iterator<Item = Page> {
    TEXT.split(HEADING).skip(1).map(|page| {
        let (heading, text) = page.split_once('\n').unwrap_or((page, ""));
        Page { heading: heading.trim(), text: text.trim_matches('\n') }
    })
}

/// The page of a code.
pub fn page(code: Code) -> Option<Page> {
    let start = format!("{code}:");
    pages().find(|page| page.heading.starts_with(&start))
}

/// The code that a user means by `G012`, `g012` or `12`; `None` where there is no such code.
///
/// # Example
///
/// ```
/// use gleaner_lang::syntax::codes::{self, find_code};
/// assert_eq!(find_code("g012"), Some(codes::EMPTY_PREDICATE));
/// assert_eq!(find_code("012"), find_code("12"));
/// assert_eq!(find_code("G999"), None);
/// ```
pub fn find_code(text: &str) -> Option<Code> {
    let number = code_number(text)?;
    ALL.iter().map(|(code, _)| *code).find(|code| u64::from(code.number()) == number)
}

/// The codes nearest to a text that names none: the next below and the next above its number, where they exist.
pub fn nearest_codes(text: &str) -> Vec<Code> {
    let Some(number) = code_number(text) else { return Vec::new() };
    let codes = || ALL.iter().map(|(code, _)| *code);
    let below = codes().rfind(|code| u64::from(code.number()) < number);
    let above = codes().find(|code| u64::from(code.number()) > number);
    below.into_iter().chain(above).collect()
}

fn code_number(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.strip_prefix(['G', 'g']).unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{ALL, SYNTAX};

    #[test]
    fn codes_ascend_and_show_three_digits() {
        assert!(ALL.is_sorted_by(|a, b| a.0 < b.0), "no code is used twice");
        assert_eq!(SYNTAX.to_string(), "G001");
        assert_eq!(SYNTAX.title(), "syntax error");
    }
}
