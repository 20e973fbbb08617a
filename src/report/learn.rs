//! What `learn` found, as text.

use crate::experiment::learn::LearnAnswer;

use super::{Answer, model_text, text};

impl Answer for LearnAnswer<'_> {
    fn text(&self) -> String {
        let mut text = text::problem_line(&self.problem);
        text.push('\n');
        text.push_str(&text::search_lines(&self.result.search));
        text.push_str(&model_text::model(
            &*self.result.model,
            self.symbols,
            &self.result.reading,
            self.extent,
        ));
        if !self.result.scored.is_empty() {
            let metrics = text::metric_lines(&self.result.metrics);
            text.push_str(&format!("\non the test set {}:\n{metrics}", self.run.fold));
            let n_tested = self.result.sizes[2].n_positives;
            text.push_str(&text::filtered_line(n_tested, self.result.split.filtered));
        }
        text
    }
}
