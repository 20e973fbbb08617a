//! The levels: queries of one literal, of two, and so on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::coverage::component::Interrupted;
use crate::coverage::{ComponentEngine, CoverStore};
use crate::datalog::Background;
use gleaner_base::statistics::information_on_classes;
use gleaner_base::{Budget, ExampleSet, FixedMap, FixedSet, StopReason, TypeId, VariableId};
use gleaner_lang::program::clause::{ObjectIdentity, distinct};
use gleaner_lang::program::mode::Modes;
use gleaner_lang::program::{Clause, Literal};

use super::extensions::{Extensions, Implications, reached_worlds};
use super::language::{Addition, Query, QueryLanguage};
use super::{Condense, FrequencyIn, MiningConfig};

/// Queries that grow between two checks of the number of candidates.
const BLOCK: usize = 64;

/// Products of candidates and examples that mining aims at where no number of candidates is given: about half a
/// minute.
const USUAL_LOOKS: u64 = 200_000_000;
const FEWEST_CANDIDATES: u64 = 20_000;
const MOST_CANDIDATES: u64 = 1_000_000;

/// The most literals of one engine, so that their positions fit into 16 bits.
const MOST_LITERALS: usize = 60_000;

/// A frequent query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinedQuery {
    /// The query, with the literals that object identity demands written out.
    pub clause: Clause,
    /// How many literals it has without those.
    pub length: usize,
    /// How many examples of each class it covers.
    pub support: Support,
}

/// How many examples of each class a query covers: positives and negatives, or those of each of many classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support(pub Box<[usize]>);

impl Support {
    /// Examples of all classes.
    pub fn n_covered(&self) -> usize {
        self.0.iter().sum()
    }
}

/// The counts of mining at one length of queries.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Level {
    /// The length of the queries.
    pub length: usize,
    /// Candidates whose cover was found.
    pub n_candidates: u64,
    /// Candidates whose cover was spared, as a part of them is not frequent.
    pub n_infrequent_part: u64,
    /// Candidates whose cover was spared, as the facts imply one of their literals.
    pub n_implied: u64,
    /// Frequent queries.
    pub n_frequent: u64,
    /// Shorter queries that were not lengthened, as the limit of candidates was reached.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_not_lengthened: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
const fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Level {
    fn add(&mut self, other: &Self) {
        self.n_candidates += other.n_candidates;
        self.n_infrequent_part += other.n_infrequent_part;
        self.n_implied += other.n_implied;
        self.n_frequent += other.n_frequent;
        self.n_not_lengthened += other.n_not_lengthened;
    }
}

/// The result of mining.
#[derive(Clone, Debug, Default)]
pub struct Mined {
    /// The queries, by length and then in canonical order.
    pub queries: Vec<MinedQuery>,
    /// The levels begun.
    pub levels: Vec<Level>,
    /// The reason for an early stop; `None` where no query is left to grow, or queries have the greatest length.
    pub stop: Option<StopReason>,
}

/// The inputs of mining.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a, 's> {
    /// The facts, by world id.
    pub worlds: &'a [Background],
    /// The language bias.
    pub modes: &'a Modes,
    /// Covers on the examples.
    pub store: &'a Arc<CoverStore<'s>>,
    /// By class: its examples, by position, where classes are many.
    pub classes: Option<&'a [ExampleSet]>,
}

/// Mines frequent queries, level by level. It reports each level to `progress` as the level grows.
///
/// **Cost**: the covers of all candidates. **Memory**: the frequent queries, and the covers that the store keeps.
pub fn mine(
    ground: Ground<'_, '_>,
    config: &MiningConfig,
    budget: &Budget,
    progress: &(dyn Fn(&Level) + Sync),
) -> Mined {
    let totals = ground.store.universe().totals();
    let all = totals.weighted();
    let modes = config.negation.language(ground.modes).modes;
    let met = reached_worlds(ground.worlds, &modes, ground.store.universe(), config.max_length);
    let worlds = worlds_of(ground).into_iter().zip(&met).collect();
    let miner = Miner {
        ground,
        config,
        language: QueryLanguage::new(&modes, &met.iter().collect::<Vec<_>>(), config.n_cut_points),
        implications: Implications::new(worlds),
        of_all: match ground.classes {
            Some(classes) => classes.iter().map(|class| as_weight(class.count())).collect(),
            None => vec![all.positives, all.negatives],
        },
        negative_weight: totals.negative_weight.ratio(),
        budget,
    };
    miner.mined(progress)
}

/// The worlds of the examples. Mining must not use facts of other folds.
fn worlds_of<'a>(ground: Ground<'a, '_>) -> Vec<&'a Background> {
    let universe = ground.store.universe();
    let of_example = |(_, example)| universe.examples().world(example).index();
    let worlds: BTreeSet<usize> = universe.iter().map(of_example).collect();
    worlds.into_iter().map(|world| &ground.worlds[world]).collect()
}

struct Miner<'a, 's> {
    ground: Ground<'a, 's>,
    config: &'a MiningConfig,
    language: QueryLanguage,
    implications: Implications<'a>,
    /// By class: the total weight of its examples.
    of_all: Vec<f64>,
    negative_weight: f64,
    budget: &'a Budget,
}

/// Frequent queries of one length that may grow.
type Growing = FixedSet<Query>;

/// The results of the level before, which all queries of a level use as they grow.
#[derive(Clone, Copy)]
struct Known<'l> {
    growing: &'l Growing,
    extensions: &'l Extensions,
}

/// The counts and the frequent queries that grew from one query.
#[derive(Default)]
struct Grown {
    level: Level,
    frequent: Vec<(Query, Support)>,
}

/// The frequent queries of one length, and which of them are kept.
struct LevelQueries {
    queries: Vec<(Query, Support)>,
    is_kept: Vec<bool>,
}

impl LevelQueries {
    /// The query without literals, which covers all examples and is not kept.
    fn of_shortest(miner: &Miner<'_, '_>) -> Self {
        let everything = match miner.ground.classes {
            Some(classes) => classes.iter().map(ExampleSet::count).collect(),
            None => {
                let totals = miner.ground.store.universe().totals();
                Box::from([totals.n_positives, totals.n_negatives])
            }
        };
        Self { queries: vec![(miner.language.shortest(), Support(everything))], is_kept: vec![false] }
    }

    /// The queries of one length, in order. The function also marks the queries that condensing drops, of this length
    /// and of the one before. A part of a query covers at least what the query covers, so equal supports mean equal
    /// covers.
    fn of(queries: Vec<(Query, Support)>, before: &mut Self, condense: Condense) -> Self {
        let mut is_kept = vec![true; queries.len()];
        if condense != Condense::None {
            let parts: FixedMap<&Query, usize> =
                before.queries.iter().enumerate().map(|(at, (query, _))| (query, at)).collect();
            for (at, (query, support)) in queries.iter().enumerate() {
                for position in 0..query.len() {
                    let part = parts.get(&query.without(position)).copied();
                    if let Some(part) = part.filter(|&part| before.queries[part].1 == *support) {
                        match condense {
                            Condense::Free => is_kept[at] = false,
                            Condense::Closed => before.is_kept[part] = false,
                            Condense::None => {}
                        }
                    }
                }
            }
        }
        Self { queries, is_kept }
    }

    fn kept(&self) -> impl Iterator<Item = &(Query, Support)> {
        self.queries.iter().zip(&self.is_kept).filter(|(_, is_kept)| **is_kept).map(|(found, _)| found)
    }
}

impl Miner<'_, '_> {
    fn mined(&self, progress: &(dyn Fn(&Level) + Sync)) -> Mined {
        let mut mined = Mined::default();
        let mut n_left = self.config.most_candidates.unwrap_or_else(|| self.usual_candidates());
        let mut growing: Growing = std::iter::once(self.language.shortest()).collect();
        let mut before = LevelQueries::of_shortest(self);
        for length in 1..=self.config.max_length {
            let mut level = Level { length, ..Level::default() };
            let parents = self.most_telling_first(&before, &growing);
            let mut found: Vec<(Query, Support)> = Vec::new();
            let extensions = Extensions::of(&self.language, growing.iter());
            let known = Known { growing: &growing, extensions: &extensions };
            for (n_before, block) in (0..).step_by(BLOCK).zip(parents.chunks(BLOCK)) {
                let grown: Result<Vec<Grown>, Interrupted> =
                    block.par_iter().map(|query| self.grown(query, known)).collect();
                match grown {
                    Ok(grown) => {
                        for one in grown {
                            level.add(&one.level);
                            found.extend(one.frequent);
                        }
                    }
                    Err(Interrupted(reason)) => mined.stop = Some(reason),
                }
                progress(&level);
                let n_not_lengthened = parents.len() - n_before - block.len();
                if mined.stop.is_none() && level.n_candidates >= n_left && n_not_lengthened > 0 {
                    mined.stop = Some(StopReason::ClausesEvaluated);
                    level.n_not_lengthened = n_not_lengthened as u64;
                }
                if mined.stop.is_some() {
                    break;
                }
            }
            n_left = n_left.saturating_sub(level.n_candidates);
            found.sort_unstable_by(|left, right| left.0.cmp(&right.0));
            mined.levels.push(level);
            let may_grow = found.iter().filter(|(query, support)| !self.holds_always(query, support));
            growing = may_grow.map(|(query, _)| query.clone()).collect();
            let found = LevelQueries::of(found, &mut before, self.config.condense);
            mined.queries.extend(before.kept().map(|(query, support)| self.mined_query(query, support)));
            before = found;
            if mined.stop.is_some() || growing.is_empty() {
                break;
            }
        }
        mined.queries.extend(before.kept().map(|(query, support)| self.mined_query(query, support)));
        mined
    }

    /// The most candidates where no number is given.
    fn usual_candidates(&self) -> u64 {
        let n_examples = self.ground.store.universe().all().count() as u64;
        (USUAL_LOOKS / n_examples.max(1)).clamp(FEWEST_CANDIDATES, MOST_CANDIDATES)
    }

    /// The queries that may grow, those that tell most about an example's class first; equals are in canonical order.
    fn most_telling_first<'q>(&self, shorter: &'q LevelQueries, growing: &Growing) -> Vec<&'q Query> {
        let told = |support: &Support| {
            let mut held: Vec<f64> = support.0.iter().map(|&count| as_weight(count)).collect();
            if self.ground.classes.is_none() {
                held[1] *= self.negative_weight;
            }
            information_on_classes(&held, &self.of_all)
        };
        let of_growing = shorter.queries.iter().filter(|(query, _)| growing.contains(query));
        let mut parents: Vec<(f64, &Query)> =
            of_growing.map(|(query, support)| (told(support), query)).collect();
        parents.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(right.1)));
        parents.into_iter().map(|(_, query)| query).collect()
    }

    fn mined_query(&self, query: &Query, support: &Support) -> MinedQuery {
        let mut clause = query.clause.clone();
        clause.body.extend(self.distinctions(query));
        MinedQuery { clause, length: query.len(), support: support.clone() }
    }

    fn distinctions(&self, query: &Query) -> Vec<Literal> {
        if self.config.object_identity == ObjectIdentity::On {
            self.distinct(&query.types, query)
        } else {
            Vec::new()
        }
    }

    /// The inequalities of object identity among variables of these types and the constants of a query.
    fn distinct(&self, types: &[TypeId], query: &Query) -> Vec<Literal> {
        let variables: Vec<(VariableId, TypeId)> =
            types.iter().enumerate().map(|(at, &type_id)| (VariableId::new(at), type_id)).collect();
        distinct(&variables, &self.language.constants_of(query))
    }

    /// Whether the query is one literal over the target's arguments that all examples satisfy. Such a literal adds
    /// nothing to other queries.
    fn holds_always(&self, query: &Query, support: &Support) -> bool {
        query.len() == 1
            && query.types.len() == query.clause.head.arguments.len()
            && support.n_covered() == self.ground.store.universe().all().count()
    }

    fn grown(&self, query: &Query, known: Known<'_>) -> Result<Grown, Interrupted> {
        self.budget.check().map_err(Interrupted)?;
        let mut grown = Grown::default();
        let mut children: BTreeMap<Query, Addition> = BTreeMap::new();
        let refusing = known.extensions.refusing(&self.language, query);
        let mut met: FixedSet<Literal> = FixedSet::default();
        self.language.visit_additions(query, &mut |addition| {
            if refusing.iter().any(|part| part.refuses(&addition)) {
                grown.level.n_infrequent_part += 1;
            } else if met.insert(addition.literal.clone()) {
                if self.implications.is_idle(query, &addition) {
                    grown.level.n_implied += 1;
                } else {
                    children.entry(query.with(&addition)).or_insert(addition);
                }
            }
        });
        children.retain(|child, _| match self.parentage(query, child, known.growing) {
            Parentage::This => true,
            Parentage::Other => false,
            Parentage::Infrequent => {
                grown.level.n_infrequent_part += 1;
                false
            }
        });
        grown.level.n_candidates = children.len() as u64;
        self.evaluate(query, children, &mut grown.frequent)?;
        grown.level.n_frequent = grown.frequent.len() as u64;
        Ok(grown)
    }

    /// Which of a candidate's parts makes it. These parts are one literal shorter and are queries by themselves. The
    /// least one makes the candidate, if all of them are frequent.
    fn parentage(&self, query: &Query, child: &Query, growing: &Growing) -> Parentage {
        let mut parentage = Parentage::This;
        for position in 0..child.len() {
            let part = child.without(position);
            if part == *query || !self.language.admits(&part) {
                continue;
            }
            if !growing.contains(&part) {
                return Parentage::Infrequent;
            }
            if part < *query {
                parentage = Parentage::Other;
            }
        }
        parentage
    }

    /// Adds to `frequent` the frequent ones among the candidates that a query makes.
    fn evaluate(
        &self,
        query: &Query,
        children: BTreeMap<Query, Addition>,
        frequent: &mut Vec<(Query, Support)>,
    ) -> Result<(), Interrupted> {
        let mut table = LiteralTable::of(query);
        let mut bodies: Vec<(Query, Vec<u16>)> = Vec::new();
        for (child, addition) in children {
            if table.literals.len() + MOST_LITERALS / 8 > MOST_LITERALS {
                self.count(&table, &mut bodies, frequent)?;
                table = LiteralTable::of(query);
            }
            let types = [&query.types[..], &addition.new_types].concat();
            let distinctions = if self.config.object_identity == ObjectIdentity::On {
                self.distinct(&types, &child)
            } else {
                Vec::new()
            };
            let body = table.body(std::iter::once(addition.literal).chain(distinctions));
            bodies.push((child, body));
        }
        self.count(&table, &mut bodies, frequent)
    }

    fn count(
        &self,
        table: &LiteralTable,
        bodies: &mut Vec<(Query, Vec<u16>)>,
        frequent: &mut Vec<(Query, Support)>,
    ) -> Result<(), Interrupted> {
        if bodies.is_empty() {
            return Ok(());
        }
        let head = self.language.shortest().clause.head;
        let mut engine =
            ComponentEngine::sharing(self.ground.store, head, table.literals.clone(), self.budget.clone());
        for (child, body) in bodies.drain(..) {
            let support = self.support(&mut engine, &body)?;
            if self.is_frequent(&support) {
                frequent.push((child, support));
            }
        }
        Ok(())
    }

    fn support(&self, engine: &mut ComponentEngine<'_>, body: &[u16]) -> Result<Support, Interrupted> {
        let by_class: Box<[usize]> = match self.ground.classes {
            Some(classes) => {
                let cover = engine.cover(body)?;
                let n_words = cover.words().len();
                classes.iter().map(|class| class.count_both(&cover, 0..n_words)).collect()
            }
            None => {
                let counts = engine.count(body, 0)?.expect("a clause covers at least 0 positives");
                Box::new([counts.true_positives, counts.false_positives])
            }
        };
        Ok(Support(by_class))
    }

    fn is_frequent(&self, support: &Support) -> bool {
        let least = self.config.min_frequency;
        let is_least = |covered: f64, all: f64| covered > 0.0 && covered >= least * all;
        let covered = || support.0.iter().enumerate().map(|(class, &n)| as_weight(n) * self.weight_of(class));
        match self.config.frequency_in {
            FrequencyIn::All => is_least(covered().sum(), self.of_all.iter().sum()),
            FrequencyIn::AnyClass => {
                covered().zip(&self.of_all).any(|(covered, &all)| is_least(covered, all))
            }
        }
    }

    /// The weight of an example of a class.
    const fn weight_of(&self, class: usize) -> f64 {
        if self.ground.classes.is_none() && class == 1 { self.negative_weight } else { 1.0 }
    }
}

#[expect(clippy::cast_precision_loss, reason = "examples are fewer than 2^53")]
const fn as_weight(n: usize) -> f64 {
    n as f64
}

enum Parentage {
    This,
    Other,
    Infrequent,
}

/// The literals of candidates, by number.
struct LiteralTable {
    literals: Vec<Literal>,
    numbers: FixedMap<Literal, u16>,
    /// The numbers of the literals of the query that candidates share.
    shared: Vec<u16>,
}

impl LiteralTable {
    fn of(query: &Query) -> Self {
        let mut table = Self { literals: Vec::new(), numbers: FixedMap::default(), shared: Vec::new() };
        table.shared = query.clause.body.iter().map(|literal| table.number(literal.clone())).collect();
        table
    }

    fn number(&mut self, literal: Literal) -> u16 {
        let next = u16::try_from(self.literals.len()).expect("a table is begun anew before it is full");
        *self.numbers.entry(literal).or_insert_with_key(|literal| {
            self.literals.push(literal.clone());
            next
        })
    }

    /// The numbers of the shared literals and these, ascending.
    fn body(&mut self, literals: impl Iterator<Item = Literal>) -> Vec<u16> {
        let mut body = self.shared.clone();
        body.extend(literals.map(|literal| self.number(literal)));
        body.sort_unstable();
        body.dedup();
        body
    }
}
