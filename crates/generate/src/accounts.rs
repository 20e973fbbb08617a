//! Accounts of three kinds that differ in the accounts they follow and the posts they write: many classes, each with
//! planted rules.
//!
//! Each community is a fold with its own accounts, posts and links. Every account has a hidden kind, for which its
//! facts are more often typical. The [`RULES`] that cover the account, not its hidden kind, decide its class.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use gleaner_base::random::{Purpose, stream};

use super::{FactText, GenerateError, Generated, GeneratedFile, modes_text, nearest};

/// The settings of generated accounts.
#[derive(Clone, Debug, PartialEq)]
pub struct AccountsConfig {
    /// Accounts over all communities. Range: 20 for each community to 100,000. Default 600.
    pub accounts: usize,
    /// Communities, each a fold. Range: 1 to 100. Default 5.
    pub communities: usize,
    /// The fraction of accounts whose class differs from that of the rules. Range: 0 to 0.5. Default 0.1.
    pub noise: f64,
    /// Seed of the random stream; any number. Default 1.
    pub seed: u64,
}

impl Default for AccountsConfig {
    fn default() -> Self {
        Self { accounts: 600, communities: 5, noise: 0.1, seed: 1 }
    }
}

impl AccountsConfig {
    /// Checks every setting.
    ///
    /// # Errors
    ///
    /// The first setting out of its range, with its value and the range.
    pub fn check(&self) -> Result<(), GenerateError> {
        GenerateError::check_count("communities", self.communities, 1, 100)?;
        GenerateError::check_count("accounts", self.accounts, 20 * self.communities, 100_000)?;
        GenerateError::check_fraction("noise", self.noise, 0.0, 0.5)
    }
}

/// The classes; what no rule covers is of the last.
const CLASSES: [&str; 3] = ["club", "shop", "person"];
/// How many accounts in a hundred are meant to be of each class.
const SHARES: [usize; 3] = [15, 25, 60];
const PERSON: usize = 2;

/// The planted clauses, each with the class that it is for. Where rules of several classes cover an account, the first counts.
const RULES: [(usize, &str); 5] = [
    (0, "kind(A,club) :- wrote(A,B), about(B,match)."),
    (0, "kind(A,club) :- follows(B,A), likes(B,cheering)."),
    (1, "kind(A,shop) :- sells(A,B), costs(B,low)."),
    (1, "kind(A,shop) :- wrote(A,B), about(B,parcel)."),
    (2, "kind(A,person) :- follows(A,B), follows(B,A)."),
];

/// Body modes: every planted clause is legal under them at depth 2.
const MODES: [&str; 9] = [
    "*, wrote(+account,-post)",
    "*, about(+post,#topic)",
    "*, likes(+account,#topic)",
    "*, follows(+account,-account)",
    "*, follows(-account,+account)",
    "*, sells(+account,-thing)",
    "*, costs(+thing,#price)",
    "*, repeats(+post,-post)",
    "1, joined(+account,#year)",
];

/// Topics of posts that no rule reads.
const TOPICS: [&str; 6] = ["weather", "music", "travel", "food", "news", "work"];
const PRICES: [&str; 3] = ["low", "middle", "high"];
const YEARS: [&str; 5] = ["2018", "2019", "2020", "2021", "2022"];

/// A community. Accounts, posts and things are numbered from 0 within it.
#[derive(Debug, Default)]
struct Community {
    /// The class after which the generator draws each account's behaviour.
    meant: Vec<usize>,
    joined: Vec<usize>,
    /// Author and topic of each post.
    posts: Vec<(usize, &'static str)>,
    /// Who follows whom; ascending.
    follows: Vec<(usize, usize)>,
    /// Seller and price of each thing.
    things: Vec<(usize, usize)>,
    /// Accounts and the topics that they like; ascending.
    likes: Vec<(usize, &'static str)>,
    /// A post and the earlier one that it repeats.
    repeats: Vec<(usize, usize)>,
}

/// Generates accounts.
///
/// **Cost**: linear in the accounts.
///
/// # Errors
///
/// A setting is out of its range ([`AccountsConfig::check`]).
///
/// # Example
///
/// ```
/// use gleaner_generate::{AccountsConfig, accounts};
///
/// let problem = accounts(&AccountsConfig::default())?;
/// assert_eq!(problem.n_negatives, 0);
/// assert_eq!(problem.classes, ["club", "shop", "person"]);
/// # Ok::<(), gleaner_generate::GenerateError>(())
/// ```
pub fn accounts(config: &AccountsConfig) -> Result<Generated, GenerateError> {
    config.check()?;
    let mut rng = stream(config.seed, Purpose::Generate, &[3]);
    let planted: Vec<String> = RULES.iter().map(|&(_, clause)| clause.to_owned()).collect();
    let modes: Vec<String> = MODES.iter().map(|&mode| mode.to_owned()).collect();
    let mut files = vec![
        GeneratedFile { path: "background.pl".to_owned(), text: String::new() },
        GeneratedFile {
            path: "modes.pl".to_owned(),
            text: modes_text("kind(+account,#kind)", &modes, &planted),
        },
    ];
    let mut names: Vec<usize> = (1..=config.accounts).collect();
    names.shuffle(&mut rng);
    let (mut n_facts, mut totals) = (0, Totals::default());
    for (number, numbers) in parts(&names, config.communities).into_iter().enumerate() {
        let community = community(numbers.len(), &mut rng);
        let covered = covers(&community);
        let classes = labels(&covered, config.noise, &mut rng);
        totals.add(&covered, &classes);
        let facts = background(&community, numbers);
        n_facts += facts.n_facts;
        let mut examples = FactText::default();
        for (account, &class) in classes.iter().enumerate() {
            examples.fact("kind", &[&format!("a{}", numbers[account]), CLASSES[class]]);
        }
        let folder = format!("fold{}", number + 1);
        files.push(GeneratedFile { path: format!("{folder}/background.pl"), text: facts.text });
        files.push(GeneratedFile { path: format!("{folder}/pos.pl"), text: examples.text });
    }
    Ok(Generated {
        files,
        planted,
        n_positives: config.accounts,
        n_negatives: 0,
        classes: CLASSES.map(str::to_owned).to_vec(),
        summary: totals.summary(config, n_facts),
    })
}

/// The names in so many parts, whose sizes differ by at most one.
fn parts(names: &[usize], n_parts: usize) -> Vec<&[usize]> {
    let end = |part: usize| names.len() * part / n_parts;
    (0..n_parts).map(|part| &names[end(part)..end(part + 1)]).collect()
}

/// Draws the facts of a community of so many accounts.
fn community(n_accounts: usize, rng: &mut impl Rng) -> Community {
    let mut community = Community::default();
    for _ in 0..n_accounts {
        let drawn = rng.random_range(0..100);
        let class = if drawn < SHARES[0] { 0 } else { usize::from(drawn >= SHARES[0] + SHARES[1]) + 1 };
        community.meant.push(class);
        community.joined.push(rng.random_range(0..YEARS.len()));
    }
    for account in 0..n_accounts {
        draw_account(account, &mut community, rng);
    }
    for post in 1..community.posts.len() {
        if rng.random_bool(0.2) {
            community.repeats.push((post, rng.random_range(0..post)));
        }
    }
    community.follows.sort_unstable();
    community.follows.dedup();
    community.likes.sort_unstable();
    community.likes.dedup();
    community
}

/// Draws the posts, things and followed accounts of an account: those typical of its class more often than others.
fn draw_account(account: usize, community: &mut Community, rng: &mut impl Rng) {
    let meant = community.meant[account];
    let n_accounts = community.meant.len();
    let often = |class: usize, own: f64| if meant == class { own } else { 0.02 };
    for _ in 0..rng.random_range(1..5) {
        let topic = TOPICS.choose(rng).expect("there are topics");
        community.posts.push((account, topic));
    }
    let mut says = |topic: &'static str, often: f64, rng: &mut dyn FnMut(f64) -> bool| {
        if rng(often) {
            community.posts.push((account, topic));
        }
    };
    says("match", often(0, 0.6), &mut |p| rng.random_bool(p));
    says("parcel", often(1, 0.5), &mut |p| rng.random_bool(p));
    for _ in 0..rng.random_range(0..3) {
        community.things.push((account, 1 + rng.random_range(0..PRICES.len() - 1)));
    }
    if rng.random_bool(often(1, 0.6)) {
        community.things.push((account, 0));
    }
    let mut other = || (account + rng.random_range(1..n_accounts)) % n_accounts;
    let strangers = [other(), other()];
    let (fan, friend) = (other(), other());
    community.follows.extend(strangers.map(|stranger| (account, stranger)));
    if rng.random_bool(if meant == 0 { 0.3 } else { 0.003 }) {
        community.follows.push((fan, account));
        community.likes.push((fan, "cheering"));
    }
    let topic = TOPICS.choose(rng).expect("there are topics");
    community.likes.push((account, topic));
    if rng.random_bool(often(PERSON, 0.5)) {
        community.follows.extend([(account, friend), (friend, account)]);
    }
}

/// Which of [`RULES`] cover each account, by code written apart from their text.
fn covers(community: &Community) -> Vec<[bool; RULES.len()]> {
    let n_accounts = community.meant.len();
    let writes = |wanted: &str| -> Vec<bool> {
        let mut writes = vec![false; n_accounts];
        let authors = community.posts.iter().filter(|(_, topic)| *topic == wanted);
        authors.for_each(|&(author, _)| writes[author] = true);
        writes
    };
    let [of_match, of_parcel] = ["match", "parcel"].map(writes);
    let cheers = |account: usize| community.likes.binary_search(&(account, "cheering")).is_ok();
    let mut covered: Vec<[bool; RULES.len()]> =
        (0..n_accounts).map(|account| [of_match[account], false, false, of_parcel[account], false]).collect();
    for &(follower, followed) in &community.follows {
        covered[followed][1] |= cheers(follower);
        covered[follower][4] |= community.follows.binary_search(&(followed, follower)).is_ok();
    }
    for &(seller, price) in &community.things {
        covered[seller][2] |= price == 0;
    }
    covered
}

/// The class of each account: that of the first rule that covers it, or person without such a rule. Noise changes some
/// classes.
fn labels(covered: &[[bool; RULES.len()]], noise: f64, rng: &mut impl Rng) -> Vec<usize> {
    let by_rules = |covered: &[bool; RULES.len()]| {
        RULES.iter().zip(covered).find(|(_, covers)| **covers).map_or(PERSON, |((class, _), _)| *class)
    };
    let mut classes: Vec<usize> = covered.iter().map(by_rules).collect();
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.shuffle(rng);
    for &account in order.iter().take(nearest(noise * classes.len() as f64)) {
        classes[account] = (classes[account] + rng.random_range(1..CLASSES.len())) % CLASSES.len();
    }
    classes
}

fn background(community: &Community, numbers: &[usize]) -> FactText {
    let mut facts = FactText::default();
    let account = |at: usize| format!("a{}", numbers[at]);
    // Posts and things are named after the first account, whose number no other community has.
    let first = numbers[0];
    for (at, &year) in community.joined.iter().enumerate() {
        facts.fact("joined", &[&account(at), &format!("y{}", YEARS[year])]);
    }
    for (post, &(author, topic)) in community.posts.iter().enumerate() {
        facts.fact("wrote", &[&account(author), &format!("p{first}_{post}")]);
        facts.fact("about", &[&format!("p{first}_{post}"), topic]);
    }
    for &(fan, topic) in &community.likes {
        facts.fact("likes", &[&account(fan), topic]);
    }
    for &(post, earlier) in &community.repeats {
        facts.fact("repeats", &[&format!("p{first}_{post}"), &format!("p{first}_{earlier}")]);
    }
    for &(follower, followed) in &community.follows {
        facts.fact("follows", &[&account(follower), &account(followed)]);
    }
    for (thing, &(seller, price)) in community.things.iter().enumerate() {
        facts.fact("sells", &[&account(seller), &format!("t{first}_{thing}")]);
        facts.fact("costs", &[&format!("t{first}_{thing}"), PRICES[price]]);
    }
    facts
}

/// Counts over all communities.
#[derive(Debug, Default)]
struct Totals {
    of_classes: [usize; CLASSES.len()],
    /// For each rule: how many accounts of its class it covers, and how many others.
    of_rules: [[usize; 2]; RULES.len()],
}

impl Totals {
    fn add(&mut self, covered: &[[bool; RULES.len()]], classes: &[usize]) {
        for (covered, &class) in covered.iter().zip(classes) {
            self.of_classes[class] += 1;
            for (rule, (wanted, _)) in RULES.iter().enumerate().filter(|&(rule, _)| covered[rule]) {
                self.of_rules[rule][usize::from(*wanted != class)] += 1;
            }
        }
    }

    fn summary(&self, config: &AccountsConfig, n_facts: usize) -> Vec<(String, String)> {
        let mut summary: Vec<(String, String)> = vec![
            ("accounts".to_owned(), config.accounts.to_string()),
            ("communities".to_owned(), config.communities.to_string()),
            ("facts".to_owned(), n_facts.to_string()),
        ];
        let classes = CLASSES.iter().zip(self.of_classes);
        summary.extend(classes.map(|(class, n)| (format!("of the class {class}"), n.to_string())));
        for (rule, [own, others]) in self.of_rules.iter().enumerate() {
            let covers = format!("{own} of its class, {others} of others");
            summary.push((format!("planted rule {} covers", rule + 1), covers));
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::naive::{Facts, file};

    use super::*;

    fn small(noise: f64, seed: u64) -> AccountsConfig {
        AccountsConfig { accounts: 150, communities: 3, noise, seed }
    }

    #[test]
    fn bytes_follow_the_seed() {
        let problem = accounts(&small(0.1, 3)).unwrap();
        assert_eq!(problem, accounts(&small(0.1, 3)).unwrap());
        assert_ne!(problem, accounts(&small(0.1, 4)).unwrap());
    }

    /// For each account, its class, and the class of the first planted clause, read as text, that covers it.
    fn proved(problem: &Generated, n_folds: usize) -> Vec<(String, Option<String>)> {
        let mut proved = Vec::new();
        for fold in 1..=n_folds {
            let mut facts = Facts::default();
            facts.read(file(problem, &format!("fold{fold}/background.pl")));
            facts.count_distinct();
            for line in file(problem, &format!("fold{fold}/pos.pl")).lines() {
                let example = line.trim_end_matches('.');
                let class = example.split([',', ')']).nth(1).unwrap().to_owned();
                let covering = problem.planted.iter().find(|clause| facts.covers(clause, example));
                let said = covering.map(|clause| clause.split([',', ')']).nth(1).unwrap().to_owned());
                proved.push((class, said));
            }
        }
        proved
    }

    #[test]
    fn without_noise_the_first_rule_says_the_class() {
        let problem = accounts(&small(0.0, 1)).unwrap();
        let proved = proved(&problem, 3);
        assert_eq!(proved.len(), 150);
        assert!(proved.iter().all(|(class, said)| said.as_deref().unwrap_or("person") == class));
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        proved.iter().for_each(|(class, _)| *sizes.entry(class).or_default() += 1);
        assert!(sizes.len() == 3 && sizes.values().all(|&n| n > 15), "{sizes:?}");
    }

    #[test]
    fn noise_changes_the_stated_share_of_classes() {
        let problem = accounts(&AccountsConfig::default()).unwrap();
        let proved = proved(&problem, 5);
        let n_changed =
            proved.iter().filter(|(class, said)| said.as_deref().unwrap_or("person") != class).count();
        assert_eq!(n_changed, 60);
        let stated = |name: &str| &problem.summary.iter().find(|(known, _)| known == name).unwrap().1;
        for class in CLASSES {
            let n = proved.iter().filter(|(own, _)| own == class).count();
            assert_eq!(*stated(&format!("of the class {class}")), n.to_string());
        }
    }

    #[test]
    fn settings_have_ranges() {
        for (config, setting) in [
            (AccountsConfig { accounts: 99, ..AccountsConfig::default() }, "accounts"),
            (AccountsConfig { communities: 0, ..AccountsConfig::default() }, "communities"),
            (AccountsConfig { noise: 0.6, ..AccountsConfig::default() }, "noise"),
        ] {
            assert_eq!(accounts(&config).unwrap_err().setting(), Some(setting));
        }
    }
}
