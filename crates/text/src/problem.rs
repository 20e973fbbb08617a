//! The problem of a corpus: its files, a fold of documents after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rand::seq::SliceRandom;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_base::random::{Purpose, stream};
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use crate::analysis::{AnalysedSentence, Analyser};
use crate::candidates::{Candidates, DocumentExamples, Scheme};
use crate::corpus::{Corpus, Document, Entity, UnreadKey};
use crate::facts::{Facts, FoldPart, Text, TextFact};
use crate::program::{Extent, is_own};

/// The directive that says how many positives of a fold are no examples.
const LOST_POSITIVES: &str = "lost_positives";

/// What is asked of a corpus.
#[derive(Clone, Debug)]
pub struct TextRequest {
    /// What the arguments are.
    pub candidates: Candidates,
    /// Within how many sentences in a row both arguments stand; at least one.
    pub window: usize,
    /// The kind of relations that are positive; all if none is named.
    pub relation: Option<String>,
    /// Whether both orders of a pair are examples, in a corpus without relations or with relations that give their ends in an
    /// order, as unified XML does; else the relations tell.
    pub is_directed: bool,
    /// How many folds the documents make; by default the sets of the corpus, else ten, or fewer so that each has five documents, but
    /// two at least.
    pub n_folds: Option<usize>,
    /// Lists of words by their names, in lower case.
    pub dictionaries: BTreeMap<String, BTreeSet<String>>,
    /// The seed of the division into folds.
    pub rng_seed: u64,
}

impl TextRequest {
    /// Pairs of entities or phrases of all relations, in folds by the seed 1.
    pub const fn usual(candidates: Candidates) -> Self {
        let dictionaries = BTreeMap::new();
        Self {
            candidates,
            window: 1,
            relation: None,
            is_directed: false,
            n_folds: None,
            dictionaries,
            rng_seed: 1,
        }
    }
}

/// The problem of a corpus.
#[derive(Debug)]
pub struct TextProblem<'c> {
    corpus: &'c Corpus,
    request: TextRequest,
    scheme: Scheme,
    target: String,
    /// The folds, each with its name and its documents in the order of the corpus.
    folds: Vec<TextFold<'c>>,
    /// Whether names of entities are those of their documents with theirs.
    names_documents: bool,
    /// Whether sentences are called as the corpus calls them.
    keeps_names: bool,
    /// Whether the corpus says of no pair that it is related.
    is_unlabelled: bool,
    /// What is odd.
    warnings: Vec<Diagnostic>,
}

/// A fold: its name, and its documents in the order of the corpus.
#[derive(Debug)]
struct TextFold<'c> {
    name: String,
    documents: Vec<&'c Document>,
}

impl TextFold<'_> {
    fn has_relation(&self) -> bool {
        self.documents.iter().any(|document| !document.relations.is_empty())
    }
}

/// What a fold's files hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldTexts {
    /// The facts.
    pub background: String,
    /// The positive examples.
    pub positives: String,
    /// The negative examples.
    pub negatives: String,
    /// What was counted.
    pub summary: TextSummary,
}

/// What a corpus gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextSummary {
    /// Documents.
    pub documents: usize,
    /// Sentences, and of these those with examples.
    pub sentences: usize,
    /// Sentences with examples; only these have facts.
    pub with_examples: usize,
    /// Tokens of all sentences.
    pub tokens: usize,
    /// Mentions that are arguments of examples.
    pub mentions: usize,
    /// Facts.
    pub facts: usize,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// Relations of the corpus that are no example: their ends are in different sentences or in one phrase.
    pub lost: usize,
    /// Pairs that are no examples, since the corpus says of them that they are part of one event, and not that they are related.
    pub unclear: usize,
}

impl TextSummary {
    /// Warns of relations that are no examples.
    pub fn lost_relations(&self) -> Option<Diagnostic> {
        let Self { lost, positives, .. } = *self;
        let what = format!(
            "{lost} of {} relations are no examples: their ends are too far apart, or in one phrase",
            lost + positives
        );
        let warning = Diagnostic::warning(codes::LOST_RELATIONS, what)
            .with_help("no model can find them: measures count them as missed");
        (lost > 0).then_some(warning)
    }

    /// Warns of pairs that are no examples, since what is said of them is no relation.
    pub fn unclear_pairs(&self) -> Option<Diagnostic> {
        let (pairs, are) =
            if self.unclear == 1 { ("pair", "is no example") } else { ("pairs", "are no examples") };
        let what = format!(
            "{} {pairs} of entities {are}: both are part of an event, but not as who acts and upon whom, or names of one thing",
            self.unclear
        );
        let warning = Diagnostic::warning(codes::LOST_RELATIONS, what)
            .with_help(format!("they count neither as related nor as not; {RELATES}"));
        (self.unclear > 0).then_some(warning)
    }

    /// Adds what another part gave.
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.sentences += other.sentences;
        self.with_examples += other.with_examples;
        self.tokens += other.tokens;
        self.mentions += other.mentions;
        self.facts += other.facts;
        self.positives += other.positives;
        self.negatives += other.negatives;
        self.lost += other.lost;
        self.unclear += other.unclear;
    }
}

/// How a file of annotations relates two entities.
const RELATES: &str = "a line `R1`, a tab and `binds Arg1:T1 Arg2:T2` relates two";

/// Warns of a corpus that says something of pairs, but of none that it is related.
fn nothing_related(corpus: &Corpus) -> Option<Diagnostic> {
    let n = corpus.documents.iter().map(|document| document.unclear.len()).sum::<usize>();
    let what = format!(
        "no two entities are related: {n} times two are part of an event, but not as who acts and upon whom, or names of \
         one thing; so pairs have no labels"
    );
    let warning = Diagnostic::warning(codes::LOST_RELATIONS, what).with_help(RELATES);
    (n > 0).then_some(warning)
}

/// Warns of what the documents hold that is not read, once for each key.
fn unread(corpus: &Corpus) -> Vec<Diagnostic> {
    let mut keys: BTreeMap<&UnreadKey, (usize, Place)> = BTreeMap::new();
    for (key, at) in corpus.documents.iter().flat_map(|document| &document.unread) {
        keys.entry(key).or_insert((0, *at)).0 += 1;
    }
    let warning = |(key, (n, place)): (&UnreadKey, (usize, Place))| {
        let what = format!("{} of {} is not read, {n} times: nobody knows what it means", key.key, key.of);
        let known = format!("{} has {}", key.of, key.known);
        Diagnostic::warning(codes::BAD_CORPUS, what).at(place, "the first").with_help(known)
    };
    keys.into_iter().map(warning).collect()
}

/// Prepares the problem of a corpus.
///
/// # Errors
///
/// A relation that no document has.
pub fn problem(corpus: &Corpus, request: TextRequest) -> Result<TextProblem<'_>, Diagnostic> {
    let kinds: BTreeSet<&str> = corpus
        .documents
        .iter()
        .flat_map(|document| &document.relations)
        .map(|related| related.kind.as_str())
        .collect();
    let is_unlabelled = kinds.is_empty();
    let is_unknown = |asked: &&str| !is_unlabelled && !kinds.contains(asked);
    if let Some(asked) = request.relation.as_deref().filter(is_unknown) {
        let known: Vec<&str> = kinds.into_iter().collect();
        let known = format!("there are {}", known.join(", "));
        return Err(Diagnostic::error(codes::BAD_ANNOTATION, format!("no relation is called {asked}"))
            .with_help(known));
    }
    let mut scheme = Scheme::of(corpus, request.relation.as_deref(), request.is_directed);
    scheme.is_directed |= is_unlabelled && request.is_directed;
    let mut warnings = unread(corpus);
    warnings.extend(nothing_related(corpus).filter(|_| is_unlabelled));
    if !scheme.roles.is_empty() && request.candidates == Candidates::Entities {
        let roles: Vec<&str> = scheme.roles.iter().map(String::as_str).collect();
        let what = format!("the types {} of entities say which end of a relation each is", roles.join(", "));
        warnings.push(
            Diagnostic::warning(codes::ROLES_LEFT_OUT, what)
                .with_help("they are left out: nobody knows them before the relations; all entities take part in some, which helps, too"),
        );
    }
    let named = request.relation.as_deref().or_else(|| kinds.first().copied().filter(|_| kinds.len() == 1));
    let target = named.and_then(target_name).unwrap_or_else(|| "related".to_owned());
    // Without labels there is nothing to divide.
    let folds = if is_unlabelled {
        numbered(vec![corpus.documents.iter().collect()])
    } else if request.n_folds.is_some() {
        numbered(folds(corpus, &request))
    } else {
        match given_sets(corpus) {
            Ok(sets) => sets,
            Err(why) => {
                let folds = numbered(folds(corpus, &request));
                warnings.extend(why.map(|why| why.warning(folds.len())));
                folds
            }
        }
    };
    let mut names = BTreeSet::new();
    let names_documents = !corpus
        .documents
        .iter()
        .flat_map(|document| &document.entities)
        .all(|entity| names.insert(entity.id.as_str()));
    // Names such as `1` may begin anew in each document.
    let mut names = BTreeSet::new();
    let mut sentences = corpus.documents.iter().flat_map(|document| &document.sentences);
    let keeps_names = sentences.all(|of| of.id.as_deref().is_some_and(|id| names.insert(id)));
    Ok(TextProblem {
        corpus,
        request,
        scheme,
        target,
        folds,
        names_documents,
        keeps_names,
        is_unlabelled,
        warnings,
    })
}

/// How many pairs of noun phrases the sentences of a corpus have.
pub fn pairs_of_phrases(corpus: &Corpus) -> usize {
    problem(corpus, TextRequest::usual(Candidates::Phrases)).map_or(0, |problem| problem.n_pairs())
}

/// A predicate's name from that of a relation; none where nothing of it is left.
fn target_name(kind: &str) -> Option<String> {
    let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '_' };
    let name: String = kind.chars().map(sign).collect();
    let name = name.trim_matches(|sign: char| sign == '_' || sign.is_ascii_digit()).to_owned();
    (!name.is_empty() && !is_own(&name)).then_some(name)
}

/// Ten folds, or fewer so that each has five documents: folds without a positive cannot be tested.
fn usual_folds(n_documents: usize) -> usize {
    (n_documents / 5).clamp(2, 10)
}

/// The sets of one run, each with the words by which corpora call it.
const SETS: [(&str, &[&str]); 3] = [
    ("train", &["train", "training"]),
    ("tune", &["dev", "devel", "development", "valid", "validation", "tune"]),
    ("test", &["test", "testing"]),
];

/// Why the sets that a corpus says are no division, and the document that shows it.
struct NoSets<'c> {
    why: String,
    document: &'c Document,
}

impl NoSets<'_> {
    fn warning(&self, n_folds: usize) -> Diagnostic {
        let what = format!(
            "the sets of the corpus are not kept, and its documents make {n_folds} folds: {}",
            self.why
        );
        let warning = Diagnostic::warning(codes::SETS_NOT_KEPT, what).with_help(
            "give each document set=\"train\" or \"test\", or some \"devel\", and each of these sets a relation; \
             `gleaner text CORPUS -o DIR ⁅folds=N⁆` deals the documents out without this message",
        );
        warning.at(self.document.at, "this document")
    }
}

/// The sets that the corpus says: each document is in one, some in train and some in test, and no set lacks relations.
/// Else why they are none, if the corpus says any.
fn given_sets(corpus: &Corpus) -> Result<Vec<TextFold<'_>>, Option<NoSets<'_>>> {
    let said = |document: &Document| document.set.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let n_said = corpus.documents.iter().filter(|document| !said(document).is_empty()).count();
    let Some(first) = corpus.documents.first().filter(|_| n_said > 0) else { return Err(None) };
    let mut sets = SETS.map(|(name, _)| TextFold { name: name.to_owned(), documents: Vec::new() });
    for document in &corpus.documents {
        let said = said(document);
        let is_called =
            |(_, words): &(&str, &[&str])| words.iter().any(|word| said.eq_ignore_ascii_case(word));
        let Some(at) = SETS.iter().position(is_called) else {
            let why = match &*said {
                "" => {
                    let n = corpus.documents.len();
                    format!("{} of {n} documents say no set, as {}", n - n_said, document.id)
                }
                said => {
                    format!("{} is of the set `{said}`, and known are train, devel and test", document.id)
                }
            };
            return Err(Some(NoSets { why, document }));
        };
        sets[at].documents.push(document);
    }
    let no_sets = |why: String, document| Err(Some(NoSets { why, document }));
    for set in &sets {
        let name = &set.name;
        match set.documents.first() {
            None if name == "tune" => {}
            None => return no_sets(format!("no document is of {name}"), first),
            Some(_) if set.has_relation() => {}
            Some(document) => return no_sets(format!("no document of {name} has a relation"), document),
        }
    }
    Ok(sets.into_iter().filter(|set| !set.documents.is_empty()).collect())
}

/// Folds that are called by their numbers.
fn numbered(folds: Vec<Vec<&Document>>) -> Vec<TextFold<'_>> {
    let name = |at: usize| format!("fold{}", at + 1);
    folds.into_iter().enumerate().map(|(at, documents)| TextFold { name: name(at), documents }).collect()
}

/// The documents of each fold: shuffled, then dealt out.
fn folds<'c>(corpus: &'c Corpus, request: &TextRequest) -> Vec<Vec<&'c Document>> {
    let mut order: Vec<usize> = (0..corpus.documents.len()).collect();
    order.shuffle(&mut stream(request.rng_seed, Purpose::Folds, &[]));
    let mut fold_of = vec![0; order.len()];
    let n_folds = request.n_folds.unwrap_or_else(|| usual_folds(order.len()));
    for (at, document) in order.into_iter().enumerate() {
        fold_of[document] = at % n_folds;
    }
    let mut folds = vec![Vec::new(); n_folds.min(corpus.documents.len()).max(1)];
    for (document, fold) in corpus.documents.iter().zip(fold_of) {
        folds[fold].push(document);
    }
    folds
}

impl TextProblem<'_> {
    /// What is odd about the corpus.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Whether the corpus has no relations: its pairs can be scored, and all count as negatives.
    pub const fn is_unlabelled(&self) -> bool {
        self.is_unlabelled
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// How many folds there are.
    pub fn n_folds(&self) -> usize {
        self.folds.len()
    }

    /// How many pairs there are, related or not. **Cost**: all documents are analysed.
    pub fn n_pairs(&self) -> usize {
        let of_fold = |fold| self.facts(fold, &mut |_| {});
        (0..self.n_folds()).map(of_fold).map(|summary| summary.positives + summary.negatives).sum()
    }

    /// The name of a fold: `fold1`, or that of a set of the corpus, as `train`.
    pub fn fold_name(&self, fold: usize) -> &str {
        &self.folds[fold].name
    }

    /// The names of the folds that are sets of one run, as the corpus says; none where folds are made.
    pub fn sets(&self) -> impl Iterator<Item = &str> {
        let is_set = |name: &&str| SETS.iter().any(|(known, _)| known == name);
        self.folds.iter().map(|fold| &*fold.name).filter(is_set)
    }

    /// The rules and the modes.
    pub fn program(&self) -> [String; 2] {
        let all = || self.corpus.documents.iter();
        let kinds: BTreeSet<&str> =
            all().flat_map(|document| &document.entities).map(|entity| self.scheme.kind(entity)).collect();
        let extent = Extent {
            has_dictionaries: !self.request.dictionaries.is_empty(),
            has_arcs: all().flat_map(|document| &document.tokens).any(|token| token.arc.is_some()),
            has_kinds: kinds.len() > 1 && self.request.candidates == Candidates::Entities,
            is_directed: self.scheme.is_directed,
            is_windowed: self.request.window > 1,
        };
        [extent.rules(), extent.modes(&self.target)]
    }

    /// The texts of a fold. **Cost**: its documents are analysed, in parallel; the order of facts is that of the corpus.
    pub fn fold(&self, fold: usize) -> FoldTexts {
        let mut texts = FoldTexts::default();
        let summary = self.facts(fold, &mut |fact| {
            let text = match fact.part {
                FoldPart::Background => &mut texts.background,
                FoldPart::Positives => &mut texts.positives,
                FoldPart::Negatives => &mut texts.negatives,
            };
            let _ = write!(text, "{fact}");
        });
        texts.summary = summary;
        if summary.lost > 0 {
            let _ = writeln!(texts.background, ":- {LOST_POSITIVES}({}).", summary.lost);
        }
        texts
    }

    /// Gives `take` the facts and examples of a fold, in the order of the corpus. **Cost**: its documents are analysed, in
    /// parallel.
    pub fn facts(&self, fold: usize, take: &mut dyn FnMut(&TextFact<'_>)) -> TextSummary {
        /// So many documents are analysed at once.
        const DOCUMENTS: usize = 256;
        let mut summary = TextSummary::default();
        for documents in self.folds[fold].documents.chunks(DOCUMENTS) {
            let analysed: Vec<Analysed> =
                documents.par_iter().map(|document| self.analysed(document)).collect();
            for (document, analysed) in documents.iter().zip(&analysed) {
                let mut facts = Facts { take: &mut *take, place: document.at, n_facts: 0 };
                summary.add(&self.document(document, analysed, &mut facts));
            }
        }
        summary
    }

    fn analysed(&self, document: &Document) -> Analysed {
        let candidates = self.request.candidates;
        let sentences =
            Analyser::new(candidates == Candidates::Entities, self.keeps_names).sentences(document);
        let name = |entity: &Entity| {
            if self.names_documents { format!("{}.{}", document.id, entity.id) } else { entity.id.clone() }
        };
        let of_request = (candidates, self.request.window);
        let examples = self.scheme.examples(document, &sentences, of_request, &name);
        Analysed { sentences, examples }
    }

    /// Makes the facts and examples of a document.
    fn document(&self, document: &Document, analysed: &Analysed, facts: &mut Facts<'_>) -> TextSummary {
        let Analysed { sentences, examples } = analysed;
        let TextRequest { candidates, dictionaries, .. } = &self.request;
        let text = Text { document, sentences, candidates: *candidates, dictionaries };
        let mut summary = TextSummary {
            documents: 1,
            sentences: sentences.len(),
            tokens: sentences.iter().map(|sentence| sentence.tokens.len()).sum(),
            lost: examples.lost,
            unclear: examples.unclear,
            ..TextSummary::default()
        };
        let mut count = |is_positive: bool| {
            summary.positives += usize::from(is_positive);
            summary.negatives += usize::from(!is_positive);
        };
        for (number, sentence) in
            sentences.iter().enumerate().filter(|(number, _)| examples.has_facts(*number))
        {
            let of_sentence = &examples.of_sentences[number];
            summary.with_examples += 1;
            summary.mentions += of_sentence.mentions.len();
            facts.sentence(&text, sentence, of_sentence, self.request.window > 1);
            for &(pair, is_positive) in &of_sentence.pairs {
                facts.example(&self.target, pair.map(|at| &of_sentence.mentions[at]), is_positive);
                count(is_positive);
            }
        }
        for crossing in &examples.crossing {
            facts.crossing(&text, examples, crossing);
            for &(pair, is_positive) in &crossing.pairs {
                facts.example(&self.target, pair.map(|place| examples.mention(place)), is_positive);
                count(is_positive);
            }
        }
        summary.facts = facts.n_facts;
        summary
    }
}

/// A document with its sentences and examples.
struct Analysed {
    sentences: Vec<AnalysedSentence>,
    examples: DocumentExamples,
}
