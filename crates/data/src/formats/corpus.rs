//! A corpus of sentences with entities and relations, as `gleaner text` makes a problem of it: pairs of entities, in the sets of
//! the corpus or ten folds of documents. Texts of the problem stay in memory. [GLEANER §4]

use std::path::Path;

use gleaner_base::ConstantId;
use gleaner_lang::syntax::{Diagnostic, Place, Sources, Span, codes, quote_atom};
use gleaner_text::{
    Candidates, FactValue, FoldPart, TextFact, TextProblem, TextRequest, TextSummary, is_plainly_corpus,
    pairs_of_phrases, problem, read,
};

use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::gather::{DataFile, FileReader, FileReading, Files, Habits, Program, Role, read_text};

/// The layout of corpora.
#[derive(Debug)]
pub(super) struct Corpus;

impl FileFormat for Corpus {
    fn about(&self) -> About {
        About {
            name: "corpus",
            files_in_words: "sentences in unified XML, BioC, brat, CoNLL-U or JSON lines",
            habits: Habits::default(),
            clue: Clue::Cells,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        is_plainly_corpus(path)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let reader = || -> Box<dyn FileReader> { Box::new(Reader) };
        let file = || Files::undivided(vec![DataFile::read_by(asked.path.to_owned(), reader)]);
        Ok(asked.path.exists().then(file))
    }
}

/// The documents that the sources hold.
pub(super) fn held() -> Files {
    Files::undivided(vec![DataFile::read_by("".into(), || Box::new(Reader)).named()])
}

/// Reads all files of a corpus.
struct Reader;

impl FileReader for Reader {
    fn is_program(&self) -> bool {
        false
    }

    fn file(
        &mut self,
        path: &Path,
        sources: &mut Sources,
        reading: &mut FileReading<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        let corpus = match read(path, sources) {
            Ok(corpus) => corpus,
            Err(faults) => {
                faults.into_iter().for_each(|fault| reading.tell(fault));
                return Ok(Vec::new());
            }
        };
        let request = TextRequest::usual(Candidates::Entities);
        let problem = problem(&corpus, request)?;
        if problem.is_unlabelled() {
            return Err(without_relations(path, &corpus, problem.n_pairs()));
        }
        problem.warnings().iter().for_each(|warning| reading.tell(warning.clone()));
        // The rules and the modes are of all corpora, and have no place in this one.
        reading.line = Some(Span::default());
        for (text, role) in problem.program().iter().zip([Role::Background, Role::Modes]) {
            reading.role = role;
            read_text(text, &mut Program, reading);
        }
        let mut summary = TextSummary::default();
        for fold in 0..problem.n_folds() {
            reading.fold = Some(reading.fold_named(problem.fold_name(fold)));
            summary.add(&take_fold(&problem, fold, reading));
        }
        reading.messages.extend(summary.lost_relations());
        reading.messages.extend(summary.unclear_pairs());
        Ok(Vec::new())
    }
}

/// Takes the facts and examples of a fold: the positives before the negatives, as files have them.
fn take_fold(problem: &TextProblem<'_>, fold: usize, reading: &mut FileReading<'_>) -> TextSummary {
    let mut examples: [Vec<(Vec<ConstantId>, Place)>; 2] = Default::default();
    let mut row = Vec::new();
    let of_fold = reading.fold;
    let summary = problem.facts(fold, &mut |fact: &TextFact<'_>| {
        let symbols = &mut reading.statements.symbols;
        row.clear();
        row.extend(fact.values.iter().map(|value| match *value {
            FactValue::Name(name) => symbols.constant(&quote_atom(name), None),
            FactValue::Number(number) => symbols.whole(i64::try_from(number).unwrap_or(i64::MAX)),
        }));
        match fact.part {
            FoldPart::Background => reading.fact_row(fact.predicate, &row, of_fold, fact.place),
            FoldPart::Positives => examples[0].push((row.clone(), fact.place)),
            FoldPart::Negatives => examples[1].push((row.clone(), fact.place)),
        }
    });
    for (of_class, is_positive) in examples.iter().zip([true, false]) {
        for (row, place) in of_class {
            reading.example_row(problem.target(), row, is_positive, of_fold, *place);
        }
    }
    let lost = std::iter::repeat_n(of_fold, summary.lost);
    reading.statements.declarations.lost_positives.extend(lost);
    summary
}

/// A corpus without relations has no examples to learn from; it may have so many pairs to score.
fn without_relations(path: &Path, corpus: &gleaner_text::Corpus, n_pairs: usize) -> Diagnostic {
    let path = if path.as_os_str().is_empty() { Path::new("CORPUS") } else { path }.display();
    let what = format!("{path} says of no pair that it is related");
    let fault = Diagnostic::error(codes::NO_CANDIDATES, what);
    let scored = "then gleaner predict MODEL DIR ⁅examples-file=DIR/pairs.txt⁆";
    if n_pairs > 0 {
        return fault.with_help(format!("a model can score its pairs: gleaner text {path} -o DIR, {scored}"));
    }
    fault.with_help(match pairs_of_phrases(corpus) {
        0 => "no sentence has two entities or noun phrases: mark entities, and relations between them".to_owned(),
        _ => format!(
            "no sentence has two entities, but some have two noun phrases, which a model can score: gleaner text {path} \
             ⁅candidates=phrases⁆ -o DIR, {scored}"
        ),
    })
}
