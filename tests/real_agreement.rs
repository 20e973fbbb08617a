//! The component engine against the reference on whole data sets: random legal clauses and their
//! neighbours, over stores that forget and stores that do not, for one thread and for two.
//!
//! The reference goes through every row for every substitution. A prover of this file, the same but for
//! indices, says beforehand what that would cost, is held against the reference wherever it is
//! affordable, and stands for it where it is not.
//!
//! A sample runs with the other tests. All of it, for as many seconds of the reference a set:
//!
//! ```text
//! GLEANER_DATA=... GLEANER_AGREE_SECONDS=600 [GLEANER_AGREE_SETS=uwcse,cora] \
//!     cargo test --release --test real_agreement -- --ignored --nocapture
//! ```
//!
//! With `GLEANER_AGREE_ANSWERS=FOLDER` what the reference says is kept there, and asked once only.
#![expect(clippy::print_stderr, reason = "a skipped set says so, and a run shows its table")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::answers::Answers;
use crate::support::prover::{self, Twin};
use crate::support::weights::{random_weights, weighs_as};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId, ExampleSet, FixedSet};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe, reference};
use gleaner_generate::{Generated, SentencesConfig, UniversityConfig, sentences, university};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::program::{Clause, Literal, PredicateName};
use gleaner_lang::syntax::{Sources, render};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

/// Where a problem comes from; paths are within `GLEANER_DATA`.
enum Origin {
    /// `fixtures/university`.
    Fixture,
    University,
    Sentences,
    /// A folder that loads as it is.
    Folder {
        path: &'static str,
        target: Option<(&'static str, usize)>,
        restriction: Option<&'static str>,
    },
    /// As `Folder`, with modes made of types.
    Typed {
        path: &'static str,
        target: (&'static str, usize),
        head: &'static str,
        body: &'static str,
    },
    /// Files in a layout that is not read: their facts and examples, with modes made of types.
    Files {
        facts: &'static str,
        examples: Labelled,
        head: &'static str,
        body: &'static str,
    },
}

/// Files of examples.
enum Labelled {
    /// Lines `pos(...).` and `neg(...).`
    Wrapped(&'static str),
    /// A file of each class.
    Apart(&'static str, &'static str),
}

struct Set {
    name: &'static str,
    origin: Origin,
    max_literals: usize,
}

const fn set(name: &'static str, max_literals: usize, origin: Origin) -> Set {
    Set { name, origin, max_literals }
}

const fn folder(path: &'static str) -> Origin {
    Origin::Folder { path, target: None, restriction: None }
}

const UWCSE_TYPES: &str = "taughtBy(course,person,quarter) ta(course,person,quarter) student(person) \
    professor(person) inPhase(person,phase!) yearsInProgram(person,years!) courselevel(course,level!) \
    hasPosition(person,position!) tempAdvisedBy(person,person) publication(title,person)";
const TRAINS_TYPES: &str = "has_car(train,car) has_load(car,load) short(car) long(car) two_wheels(car) \
    three_wheels(car) roof_open(car) roof_closed(car) one_load(load) two_load(load) circle(load) \
    triangle(load) rectangle(load)";
const CORA_TYPES: &str = "author(paper,auth) haswordauthor(auth,word) haswordtitle(title,word) \
    haswordvenue(venue,word) title(paper,title) venue(paper,venue)";
const ZENDO_TYPES: &str = "piece(state,piece) contact(piece,piece) coord1(piece,real) coord2(piece,real) \
    size(piece,real) blue(piece) green(piece) red(piece) small(real) medium(real) large(real) lhs(piece) \
    rhs(piece)";
const COINS_TYPES: &str = "does_jump(ex,agent,pos,pos) my_succ(pos,pos) my_true_cell(ex,pos,value) \
    my_pos(pos) different(pos,pos) c_zerocoins(value) c_onecoin(value) c_twocoins(value)";
const BUTTONS_TYPES: &str = "does(ex,agent,action) my_input(agent,action) my_true(ex,prop) \
    my_succ(prop,prop) c_p(prop) c_q(prop) c_r(prop) c_a(action) c_b(action) not_my_true(ex,prop)";
const SCORE_TYPES: &str = "my_true_score(ex,player,int) my_succ(int,int) does(ex,player,action) \
    beats(action,action) player(player) different(player,player)";
const FLIP_TYPES: &str = "in(ex,position,value) my_succ(position,position) empty(ex,position)";
const MUTAGENESIS_TYPES: &str = "atm(drug,atom,element!,kind!,charge) bond(drug,atom,atom,order!) \
    lumo(drug,energy) logp(drug,hydrophob)";

/// The large ones first.
const SETS: &[Set] = &[
    set(
        "uwcse, students and professors",
        5,
        Origin::Folder {
            path: "uwcse/boostsrl",
            target: None,
            restriction: Some("student(A), professor(B)"),
        },
    ),
    set("uwcse, all pairs", 5, folder("uwcse/boostsrl")),
    set(
        "uwcse of popper, camel case",
        5,
        Origin::Files {
            facts: "uwcse/popper/bk_train.pl",
            examples: Labelled::Wrapped("uwcse/popper/exs_train.pl"),
            head: "advisedBy(person,person)",
            body: UWCSE_TYPES,
        },
    ),
    set(
        "cora, authors",
        5,
        Origin::Folder { path: "cora", target: Some(("sameauthor", 2)), restriction: None },
    ),
    set(
        "cora, papers",
        5,
        Origin::Typed {
            path: "cora",
            target: ("samebib", 2),
            head: "samebib(paper,paper)",
            body: CORA_TYPES,
        },
    ),
    set(
        "cora, titles",
        5,
        Origin::Typed {
            path: "cora",
            target: ("sametitle", 2),
            head: "sametitle(title,title)",
            body: CORA_TYPES,
        },
    ),
    set(
        "cora, venues",
        5,
        Origin::Typed {
            path: "cora",
            target: ("samevenue", 2),
            head: "samevenue(venue,venue)",
            body: CORA_TYPES,
        },
    ),
    set(
        "mutagenesis",
        5,
        Origin::Files {
            facts: "mutagenesis/progol_aleph/data/atom_bond.pl mutagenesis/progol_aleph/data/lumo.pl \
                mutagenesis/progol_aleph/data/logp.pl",
            examples: Labelled::Wrapped("mutagenesis/popper/exs.pl"),
            head: "active(drug)",
            body: MUTAGENESIS_TYPES,
        },
    ),
    set(
        "trains, 1,000",
        6,
        Origin::Files {
            facts: "trains/popper_trains1/bk.pl",
            examples: Labelled::Wrapped("trains/popper_trains1/exs.pl"),
            head: "f(train)",
            body: TRAINS_TYPES,
        },
    ),
    set("webkb", 6, folder("webkb")),
    set(
        "imdb",
        6,
        Origin::Folder { path: "imdb/boostsrl", target: Some(("workedUnder", 2)), restriction: None },
    ),
    set(
        "kings and rook",
        6,
        Origin::Files {
            facts: "krk_illegal/chess_facts.txt",
            examples: Labelled::Apart("krk_illegal/chess_pos.txt", "krk_illegal/chess_neg.txt"),
            head: "illegal(index,index,index,index,index,index)",
            body: "lt(index,index) adj(index,index)",
        },
    ),
    set("icml", 5, folder("icml/uppercase")),
    set("upgrade", 5, folder("upgrade")),
    set("zendo, its own bias", 6, folder("popper_examples/zendo1")),
    set("trains, their own bias", 6, folder("trains/popper_trains1")),
    set("sentences, 100", 6, Origin::Sentences),
    set("university, 120 people", 5, Origin::University),
    set("university, the fixture", 6, Origin::Fixture),
    set("calendar", 5, folder("aleph_examples/gcws")),
    set(
        "zendo",
        6,
        Origin::Files {
            facts: "popper_examples/zendo1/bk.pl",
            examples: Labelled::Wrapped("popper_examples/zendo1/exs.pl"),
            head: "zendo(state)",
            body: ZENDO_TYPES,
        },
    ),
    set(
        "coins",
        5,
        Origin::Files {
            facts: "popper_examples/iggp-coins-next-cell/bk.pl",
            examples: Labelled::Wrapped("popper_examples/iggp-coins-next-cell/exs.pl"),
            head: "next_cell(ex,pos,value)",
            body: COINS_TYPES,
        },
    ),
    set(
        "buttons",
        6,
        Origin::Files {
            facts: "popper_examples/iggp-buttons-next/bk.pl",
            examples: Labelled::Wrapped("popper_examples/iggp-buttons-next/exs.pl"),
            head: "next(ex,prop)",
            body: BUTTONS_TYPES,
        },
    ),
    set(
        "scores",
        6,
        Origin::Files {
            facts: "popper_examples/iggp-rps-next-score/bk.pl",
            examples: Labelled::Wrapped("popper_examples/iggp-rps-next-score/exs.pl"),
            head: "next_score(ex,player,int)",
            body: SCORE_TYPES,
        },
    ),
    set(
        "flips",
        5,
        Origin::Files {
            facts: "popper_examples/1d_flip/bk.pl",
            examples: Labelled::Wrapped("popper_examples/1d_flip/exs.pl"),
            head: "out(ex,position,value)",
            body: FLIP_TYPES,
        },
    ),
    set("trains, ten twice", 6, folder("trains/boostsrl")),
    set("trains, ten", 6, folder("trains/aleph")),
    set("cancer", 6, folder("toy_cancer")),
    set("father", 6, folder("toy_father")),
];

/// The folder of the data sets, if it is there.
fn data() -> Option<PathBuf> {
    std::env::var_os("GLEANER_DATA").map(PathBuf::from)
}

fn read(data: &Path, file: &str) -> Option<String> {
    std::fs::read_to_string(data.join(file)).ok()
}

impl Origin {
    /// The problem; none where its files are not there.
    fn load(&self) -> Option<Problem> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        let target = |(name, arity): (&str, usize)| PredicateName::new(name, arity);
        match *self {
            Self::Fixture => {
                request.path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/university");
            }
            Self::University => {
                let config = UniversityConfig { people: 120, areas: 3, ..UniversityConfig::default() };
                write_generated(folder.path(), &university(&config).expect("the settings are in range"));
            }
            Self::Sentences => {
                let config = SentencesConfig { sentences: 100, ..SentencesConfig::default() };
                write_generated(folder.path(), &sentences(&config).expect("the settings are in range"));
            }
            Self::Folder { path, target: name, restriction } => {
                request.path = data()?.join(path);
                request.target = name.map(target).map(Into::into);
                request.restriction = restriction.map(str::to_owned);
            }
            Self::Typed { path, target: name, head, body } => {
                request.path = data()?.join(path);
                request.target = Some(target(name).into());
                let modes = folder.path().join("modes.pl");
                write_file(&modes, &modes_of(head, body));
                request.modes = Some(modes);
            }
            Self::Files { facts, ref examples, head, body } => {
                let data = data()?;
                let facts: Option<Vec<String>> =
                    facts.split_whitespace().map(|file| read(&data, file)).collect();
                let [positives, negatives] = examples.read(&data)?;
                write_file(&folder.path().join("background.pl"), &facts_of(&facts?.concat(), body));
                write_file(&folder.path().join("modes.pl"), &modes_of(head, body));
                write_file(&folder.path().join("pos.pl"), &positives);
                write_file(&folder.path().join("neg.pl"), &negatives);
            }
        }
        if !request.path.exists() {
            return None;
        }
        let mut sources = Sources::new();
        match gleaner::experiment::load(&request, &mut sources) {
            Ok(loaded) => Some(loaded.problem),
            Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
        }
    }
}

impl Labelled {
    fn read(&self, data: &Path) -> Option<[String; 2]> {
        match *self {
            Self::Wrapped(file) => {
                let text = read(data, file)?;
                Some(["pos(", "neg("].map(|class| {
                    let unwrapped =
                        |line: &str| Some(line.trim().strip_prefix(class)?.strip_suffix(").")?.to_owned());
                    text.lines().filter_map(unwrapped).map(|example| example + ".\n").collect()
                }))
            }
            Self::Apart(positives, negatives) => Some([read(data, positives)?, read(data, negatives)?]),
        }
    }
}

fn write_file(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

fn write_generated(folder: &Path, generated: &Generated) {
    generated.files.iter().for_each(|file| write_file(&folder.join(&file.path), &file.text));
}

/// The lines that are facts of the typed predicates.
fn facts_of(text: &str, types: &str) -> String {
    let names: Vec<&str> = types.split_whitespace().filter_map(|atom| atom.split('(').next()).collect();
    let is_fact = |line: &&str| {
        !line.contains(":-") && line.split('(').next().is_some_and(|name| names.contains(&name.trim()))
    };
    text.lines().filter(is_fact).fold(String::new(), |facts, line| facts + line + "\n")
}

/// Every way to call typed predicates with one argument known, or all; a type with `!` gives constants.
fn modes_of(head: &str, body: &str) -> String {
    let moded = |atom: &str, is_input: &dyn Fn(usize) -> bool| {
        let (name, types) = atom.trim_end_matches(')').split_once('(').expect("types are in brackets");
        let arguments = types.split(',').enumerate().map(|(column, kind)| match kind.strip_suffix('!') {
            Some(kind) => format!("#{kind}"),
            None if is_input(column) => format!("+{kind}"),
            None => format!("-{kind}"),
        });
        format!("{name}({})", arguments.collect::<Vec<_>>().join(","))
    };
    let mut modes = format!(":- modeh(1, {}).\n", moded(head, &|_| true));
    for atom in body.split_whitespace() {
        let mut known = vec![moded(atom, &|_| true)];
        known.extend((0..=atom.matches(',').count()).map(|input| moded(atom, &|column| column == input)));
        known.retain(|mode| mode.contains('+'));
        known.dedup();
        for mode in known {
            writeln!(modes, ":- modeb(12, {mode}).").expect("text grows");
        }
    }
    modes
}

/// How much is done.
struct Scale {
    n_clauses: usize,
    n_seeds: usize,
    most_positives: usize,
    most_negatives: usize,
    /// The steps of a proof by indices that a clause may take over all examples.
    most_steps: u64,
    /// The rows that the reference may look at for a clause.
    most_rows: u64,
    /// For the reference, beyond its first clauses.
    seconds: f64,
    /// For the prover with indices, likewise; then what is drawn is left out.
    seconds_by_index: f64,
    /// How many clauses the reference has to say itself, whatever the time.
    n_by_reference: usize,
}

/// What was done.
#[derive(Default)]
struct Tally {
    n_clauses: usize,
    n_by_reference: usize,
    n_too_dear: usize,
    n_selective: usize,
    n_cyclic: usize,
    by_reference: Duration,
    by_index: Duration,
    by_engines: Duration,
    disagreements: Vec<String>,
}

struct Seed {
    bottom: BottomClause,
    literals: Vec<Literal>,
}

/// A clause and what it covers.
struct Task {
    seed: usize,
    candidate: Candidate,
    expected: ExampleSet,
}

#[expect(clippy::disallowed_methods, reason = "a test that is told how long it may take")]
fn now() -> Instant {
    Instant::now()
}

/// Some of the examples: as many of each class as asked for, spread evenly.
fn some_examples(problem: &Problem, scale: &Scale) -> Universe {
    let of_class = |is_positive: bool, most: usize| {
        let all: Vec<ExampleId> = problem
            .examples()
            .ids()
            .filter(|&id| problem.examples().is_positive(id) == is_positive)
            .collect();
        let step = all.len().div_ceil(most).max(1);
        all.into_iter().step_by(step)
    };
    let positives = of_class(true, scale.most_positives);
    let chosen: Vec<ExampleId> = positives.chain(of_class(false, scale.most_negatives)).collect();
    Universe::new(Arc::clone(problem.examples()), &chosen)
}

/// Random starts, and around each what a search looks at: steps from it, and from one of these. Half of
/// the steps that are gone close a cycle where one can: random ones alone hardly ever do. What was seen,
/// from whatever seed, is not drawn again.
fn draw(
    space: &RefinementSpace<'_>,
    n: usize,
    seen: &mut FixedSet<Clause>,
    rng: &mut Pcg64,
) -> Vec<Candidate> {
    let mut drawn = Vec::new();
    let mut n_vain = 0;
    while drawn.len() < n && n_vain < 100 {
        let n_before = drawn.len();
        let mut current = space.draw(rng.random_range(1..space.max_literals()), rng);
        let mut looked_at = vec![current.clone()];
        for _ in 0..4 {
            let mut steps = space.additions(&current);
            steps.shuffle(rng);
            let closing: Vec<Candidate> =
                steps.iter().filter(|step| closes(space.bottom(), &current, step)).take(3).cloned().collect();
            steps.truncate(6);
            steps.extend(space.removals(&current));
            steps.shuffle(rng);
            let next = if rng.random_bool(0.5) { closing.first() } else { None };
            let Some(next) = next.or(steps.first()) else { break };
            current = next.clone();
            looked_at.extend(steps);
            looked_at.extend(closing);
        }
        let is_new = |candidate: &Candidate| seen.insert(space.bottom().clause(candidate.positions()));
        drawn.extend(looked_at.into_iter().filter(is_new));
        n_vain = if drawn.len() == n_before { n_vain + 1 } else { 0 };
    }
    drawn.truncate(n);
    drawn
}

/// Whether a step adds a literal between variables that were there.
fn closes(bottom: &BottomClause, from: &Candidate, to: &Candidate) -> bool {
    let head = bottom.head_variables();
    let is_known = |variable| {
        let mut literals = from.positions().iter().map(|&position| &bottom.literals[usize::from(position)]);
        head.contains(variable) || literals.any(|literal| literal.variables.contains(variable))
    };
    to.positions().iter().filter(|position| !from.positions().contains(position)).all(|&position| {
        let variables = &bottom.literals[usize::from(position)].variables;
        variables.len() > 1 && variables.iter().all(is_known)
    })
}

/// Whether some literal stands between variables that the head and the literals before it have.
fn has_cycle(clause: &Clause) -> bool {
    let mut known: Vec<_> = clause.head.arguments.iter().filter_map(|term| term.variable()).collect();
    clause.body.iter().any(|literal| {
        let mut variables = literal.variables();
        variables.sort_unstable();
        variables.dedup();
        let closes = variables.len() > 1 && variables.iter().all(|variable| known.contains(variable));
        known.extend(variables);
        closes
    })
}

struct Comparison<'a> {
    problem: &'a Problem,
    universe: &'a Universe,
    scale: &'a Scale,
    answers: Answers,
    tally: Tally,
}

impl Comparison<'_> {
    /// What a clause covers; none where it is too dear to say.
    fn expected(&mut self, clause: &Clause, may_refer: bool) -> Option<ExampleSet> {
        let begin = now();
        let twin = prover::cover(self.problem.worlds(), clause, self.universe, self.scale.most_steps);
        self.tally.by_index += begin.elapsed();
        let Twin { cover: Some(by_index), n_rows } = twin else { return None };
        if n_rows > self.scale.most_rows {
            return Some(by_index);
        }
        let text = clause_text(clause, self.problem.symbols());
        let answer = match self.answers.get(&text) {
            Some(answer) => answer,
            None if !may_refer => return Some(by_index),
            None => {
                let begin = now();
                let answer = reference::cover(self.problem.worlds(), clause, self.universe).fingerprint();
                self.tally.by_reference += begin.elapsed();
                self.answers.keep(&text, answer);
                answer
            }
        };
        self.tally.n_by_reference += 1;
        assert!(
            answer == by_index.fingerprint(),
            "the reference and its twin with indices disagree on {text}"
        );
        Some(by_index)
    }

    /// Whether the reference may still be asked, when this share of all is done.
    fn may_refer(&self, share: f64) -> bool {
        self.tally.by_reference.as_secs_f64() < self.scale.seconds * share
            || usize_as_f64(self.tally.n_by_reference) < usize_as_f64(self.scale.n_by_reference) * share
    }

    fn draw_tasks(&mut self, max_literals: usize) -> (Vec<Seed>, Vec<Task>) {
        let mut rng = stream(11, Purpose::Search, &[]);
        let mut positives: Vec<ExampleId> = self.universe.positives().collect();
        positives.shuffle(&mut rng);
        positives.truncate(self.scale.n_seeds);
        let config = SaturationConfig {
            depth: 2,
            max_bottom_literals: 300,
            negation: Negation::Proposed,
            object_identity: ObjectIdentity::Off,
            thresholds: gleaner_lang::program::Thresholds::Seed,
            max_thresholds: usize::MAX,
        };
        let (mut seeds, mut tasks) = (Vec::new(), Vec::new());
        let mut seen = FixedSet::default();
        for (seed, &example) in positives.iter().enumerate() {
            let background = &self.problem.worlds()[self.problem.examples().world(example).index()];
            let bottom = saturate(background, self.problem.modes(), self.problem.examples(), example, config);
            let space = RefinementSpace::new(&bottom, max_literals);
            let n_missing = self.scale.n_clauses - tasks.len();
            let drawn = draw(&space, n_missing.div_ceil(positives.len() - seed), &mut seen, &mut rng);
            for (number, candidate) in drawn.iter().enumerate() {
                let share = usize_as_f64(seed) + usize_as_f64(number + 1) / usize_as_f64(drawn.len());
                let share = share / usize_as_f64(positives.len());
                let may_refer = self.may_refer(share);
                let has_time = self.tally.by_index.as_secs_f64() < self.scale.seconds_by_index * share;
                if !has_time && !may_refer {
                    break;
                }
                let clause = bottom.clause(candidate.positions());
                let Some(expected) = self.expected(&clause, may_refer) else {
                    self.tally.n_too_dear += 1;
                    continue;
                };
                let n_examples = self.universe.n_positives() + self.universe.n_negatives();
                self.tally.n_selective += usize::from(expected.count() < n_examples / 2);
                self.tally.n_cyclic += usize::from(has_cycle(&clause));
                tasks.push(Task { seed, candidate: candidate.clone(), expected });
            }
            let literals = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
            seeds.push(Seed { bottom, literals });
        }
        self.tally.n_clauses = tasks.len();
        (seeds, tasks)
    }

    /// What one thread finds otherwise than expected, when it evaluates clauses in an order: a batch is
    /// counted first, so that covers are known in part only, then all is asked for.
    fn disagreements(
        &self,
        (seeds, tasks): (&[Seed], &[Task]),
        store: &Arc<CoverStore<'_>>,
        order: &[usize],
    ) -> Vec<String> {
        let mut engines: Vec<ComponentEngine<'_>> = seeds
            .iter()
            .map(|seed| {
                let (head, literals) = (seed.bottom.head.clone(), seed.literals.clone());
                ComponentEngine::sharing(store, head, literals, Budget::unlimited())
            })
            .collect();
        let mut rng = stream(13, Purpose::Search, &[]);
        let weights = random_weights(self.universe, &mut rng);
        let mut wrong = Vec::new();
        let mut check = |task: &Task, question: usize, rng: &mut Pcg64| {
            let engine = &mut engines[task.seed];
            let positions = task.candidate.positions();
            let counts = self.universe.counts(&task.expected);
            let true_positives = counts.true_positives;
            let min_positives = if question == 1 { 0 } else { rng.random_range(0..=true_positives + 1) };
            let (agrees, asked) = if question == 0 {
                (engine.cover(positions).as_ref() == Ok(&task.expected), "cover".to_owned())
            } else if rng.random_bool(0.5) {
                let weights = (self.universe, &weights);
                (
                    weighs_as(engine, positions, weights, &task.expected, min_positives),
                    format!("weigh from {min_positives}"),
                )
            } else {
                let expected = (true_positives >= min_positives).then_some(counts);
                (
                    engine.count(positions, min_positives) == Ok(expected),
                    format!("count from {min_positives}"),
                )
            };
            if !agrees {
                let clause = seeds[task.seed].bottom.clause(positions);
                wrong.push(format!("{asked}: {}", clause_text(&clause, self.problem.symbols())));
            }
        };
        for batch in order.chunks(24) {
            for &task in batch {
                check(&tasks[task], 2, &mut rng);
            }
            for &task in batch {
                let mut questions = [0, 1, 2];
                questions.shuffle(&mut rng);
                for question in questions {
                    check(&tasks[task], question, &mut rng);
                }
            }
        }
        wrong
    }

    /// All tasks by a store that forgets and by one that does not, each for one thread and for two.
    fn compare(&mut self, seeds: &[Seed], tasks: &[Task]) {
        let order: Vec<usize> = (0..tasks.len()).collect();
        // Another order within each seed, so that both threads need the same parts at the same time.
        let mut other = order.clone();
        let mut rng = stream(17, Purpose::Search, &[]);
        other
            .chunk_by_mut(|&left, &right| tasks[left].seed == tasks[right].seed)
            .for_each(|tasks| tasks.shuffle(&mut rng));
        let begin = now();
        for (capacity, name) in [(8 << 10, "forgetting"), (1 << 30, "keeping")] {
            let store =
                || Arc::new(CoverStore::with_capacity(self.problem.worlds(), self.universe, capacity));
            let alone = self.disagreements((seeds, tasks), &store(), &order);
            let shared = store();
            let (first, second) = std::thread::scope(|scope| {
                let first = scope.spawn(|| self.disagreements((seeds, tasks), &shared, &order));
                let second = self.disagreements((seeds, tasks), &shared, &other);
                (first.join().expect("no engine panics"), second)
            });
            let wrong = [("alone", alone), ("first of two", first), ("second of two", second)];
            let wrong = wrong
                .into_iter()
                .flat_map(|(who, wrong)| wrong.into_iter().map(move |what| format!("{name}, {who}, {what}")));
            self.tally.disagreements.extend(wrong);
        }
        self.tally.by_engines = begin.elapsed();
    }
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
const fn usize_as_f64(number: usize) -> f64 {
    number as f64
}

/// Holds the engines against the reference on one set; none where its files are not there.
fn agree(set: &Set, scale: &Scale) -> Option<Tally> {
    let problem = set.origin.load()?;
    let universe = some_examples(&problem, scale);
    let answers = Answers::of(set.name);
    let mut comparison =
        Comparison { problem: &problem, universe: &universe, scale, answers, tally: Tally::default() };
    let (seeds, tasks) = comparison.draw_tasks(set.max_literals);
    comparison.compare(&seeds, &tasks);
    let tally = comparison.tally;
    eprintln!(
        "{:<32} {:>4}+{:<4} examples {:>6} clauses {:>6} by reference {:>5} too dear {:>6} selective \
         {:>6} cyclic {:>7.1} s reference {:>6.1} s indices {:>7.1} s engines {} disagreements",
        set.name,
        universe.n_positives(),
        universe.n_negatives(),
        tally.n_clauses,
        tally.n_by_reference,
        tally.n_too_dear,
        tally.n_selective,
        tally.n_cyclic,
        tally.by_reference.as_secs_f64(),
        tally.by_index.as_secs_f64(),
        tally.by_engines.as_secs_f64(),
        tally.disagreements.len()
    );
    tally.disagreements.iter().take(5).for_each(|what| eprintln!("    {what}"));
    Some(tally)
}

/// A number from the environment.
fn setting(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("the setting is a number"))
}

fn run(scale: &Scale) {
    let chosen = std::env::var("GLEANER_AGREE_SETS").unwrap_or_default();
    let is_chosen = |set: &&Set| chosen.split(',').any(|name| set.name.contains(name));
    let mut n_wrong = 0;
    for set in SETS.iter().filter(is_chosen) {
        match agree(set, scale) {
            Some(tally) => {
                n_wrong += tally.disagreements.len();
                assert!(tally.n_clauses > 0, "{}: no clause was drawn", set.name);
            }
            None => eprintln!("{:<32} skipped: GLEANER_DATA has it not", set.name),
        }
    }
    assert_eq!(n_wrong, 0, "clauses on which an engine and the reference disagree");
}

#[test]
fn engines_agree_with_the_reference_on_a_sample_of_each_set() {
    run(&Scale {
        n_clauses: 300,
        n_seeds: 6,
        most_positives: 70,
        most_negatives: 70,
        most_steps: 20_000,
        most_rows: 1_000_000,
        seconds: 0.0,
        seconds_by_index: f64::INFINITY,
        n_by_reference: 30,
    });
}

#[test]
#[ignore = "takes hours: GLEANER_AGREE_SECONDS for the reference on each set"]
fn engines_agree_with_the_reference_on_every_set() {
    let seconds = setting("GLEANER_AGREE_SECONDS", 600.0);
    run(&Scale {
        n_clauses: 10_000,
        n_seeds: 150,
        most_positives: 150,
        most_negatives: 700,
        most_steps: 2_000_000,
        most_rows: 40_000_000,
        seconds,
        seconds_by_index: seconds,
        n_by_reference: 200,
    });
}
