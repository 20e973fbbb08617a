//! Settings of naive Bayes over bags of words.

use gleaner_lang::program::settings::{Form, Refusal, Setting, SettingType, Value, settings};

use crate::shared_config::M_ESTIMATE;

/// The predicates whose modes are bags; none stands for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BagNames(pub Vec<String>);

/// The word for all bags.
const ALL: &str = "all";

impl SettingType for BagNames {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted((): &()) -> String {
        "all, or names of predicates separated by commas, as word_inside,word_between".to_owned()
    }

    /// Blanks around names mean nothing, nor does a name that stands there twice.
    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        if text.trim() == ALL {
            return Ok(Self::default());
        }
        let mut names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err(Refusal::NotAccepted);
        }
        names.sort_unstable();
        names.dedup();
        Ok(Self(names))
    }

    /// The names without blanks, ascending.
    fn kept(&self, _: &str) -> Value {
        Value::Word(if self.0.is_empty() { ALL.to_owned() } else { self.0.join(",") })
    }
}

settings! {
    /// Settings of naive Bayes over bags of words.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BagOfWordsConfig {
        /// The predicates whose modes are bags.
        pub bags: BagNames = Setting::new("bags", ALL)
            .help("Predicates whose modes of one constant are bags of words, for ⁅learner=bag-of-words⁆")
            .source("[GLEANER §5.7]")
            .recorded_where_changed(),
        /// The weight of the prior of a word's share.
        pub m_estimate: f64 = &M_ESTIMATE,
    }
}
