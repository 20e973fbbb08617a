//! The answer of `learn`.

use crate::experiment::learn::LearnAnswer;

use super::{Answer, Document, Events, model_text, text};

impl Events for LearnAnswer<'_> {}

impl Answer for LearnAnswer<'_> {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.lines(&text::problem_line(&self.problem));
        document.lines(&text::search_lines(&self.result.search));
        document.extend(model_text::model(
            &*self.result.model,
            self.symbols,
            &self.result.reading,
            self.extent,
        ));
        if !self.result.scored.is_empty() {
            document.gap();
            document.line(format!("on the test set {}:", self.run.fold));
            document.table(text::metric_table(&self.result.metrics));
            let n_tested = self.result.sizes[2].n_positives;
            text::filtered_line(&mut document, n_tested, self.result.split.filtered);
        }
        document
    }
}
