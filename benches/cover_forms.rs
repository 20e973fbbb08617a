//! Covers as dense words, as roaring bitmaps, and mixed. It measures what each form takes to intersect two
//! covers, to count them by class and to count votes, and the bytes held. Times are CPU time of one thread.
//!
//! `cargo bench --bench cover_forms`, seconds; `GLEANER_BENCH_LARGE=1` adds 28 million examples, minutes.
//!
//! | operation | dense | roaring | mixed |
//! |---|---|---|---|
//! | `and` | words into a new set | `&` | values that a dense set has, as a new bitmap |
//! | `and-kept` | words into a set that is there already | as `and` | as `and` |
//! | `count` | bits shared with the positives | `intersection_len` | values that are positives |
//! | `split` | bits of the first words, and of the rest | `rank` and `len` | |
//! | `votes` | bit slices | a `u16` for each example | each cover by its density |
//!
//! One example in a hundred is positive. In `split` they stand first, as in a universe; in `count`, anywhere.
//! Votes ask for at least half of all covers. Their microseconds are those of all covers together, others
//! those of one cover or one pair. Every result of a form is held against the others before it is timed.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ExampleSet, kernels};
use gleaner_engine::coverage::votes::VoteCounter;
use rand::RngExt;
use rand_pcg::Pcg64;
use roaring::RoaringBitmap;

/// How many examples there are, and how many covers of them.
const SIZES: [(usize, usize); 2] = [(281_040, 64), (28_000_000, 16)];
const DENSITIES: [f64; 6] = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5];
const POSITIVE_SHARE: f64 = 0.01;
/// Neighbours that are covered together.
const RUN_LEN: usize = 64;
/// Of these the median is taken.
const N_REPETITIONS: usize = 5;
/// A repetition lasts at least as long.
const LEAST_TIME: Duration = Duration::from_millis(1);
/// Mixed votes keep a cover as a bitmap if fewer than one in so many examples is covered.
const SPARSE_SHARE: usize = 256;
/// Bytes of a bitmap's container beside what it points to.
const CONTAINER_BYTES: u64 = 32;
/// Bytes of a container with a bit for each of its 65,536 values.
const BITSET_BYTES: u64 = 8_192;

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// Each example by itself.
    Uniform,
    /// Runs of examples, in bitmaps as they are made: arrays and bits.
    Runs,
    /// The same, after `optimize`, which may list runs.
    Optimized,
}

impl Layout {
    const ALL: [Self; 3] = [Self::Uniform, Self::Runs, Self::Optimized];

    const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Runs => "runs",
            Self::Optimized => "runs-opt",
        }
    }

    /// A set whose share of the examples is `density`, in the mean of many sets.
    fn set(self, n_examples: usize, density: f64, rng: &mut Pcg64) -> ExampleSet {
        let run_len = if self == Self::Uniform { 1 } else { RUN_LEN };
        let mut set = ExampleSet::empty(n_examples);
        let mean_gap = run_len as f64 * (1.0 - density) / density;
        let mut at = gap(mean_gap, rng);
        while at < n_examples {
            let len = run_len.min(n_examples - at);
            set.insert_run(at, len);
            at += len + gap(mean_gap, rng);
        }
        set
    }

    fn bitmap(self, set: &ExampleSet) -> RoaringBitmap {
        let mut bitmap = bitmap(set.iter().map(|at| u32::try_from(at).expect("few examples")));
        if self == Self::Optimized {
            bitmap.optimize();
        }
        // A clone has no room to spare.
        bitmap.clone()
    }
}

/// A geometric number with this mean.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is finite and not below 0")]
fn gap(mean: f64, rng: &mut Pcg64) -> usize {
    let uniform = 1.0 - rng.random::<f64>();
    (uniform.ln() / (mean / (mean + 1.0)).ln()) as usize
}

fn bitmap(ascending: impl IntoIterator<Item = u32>) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(ascending).expect("they ascend")
}

/// One set in both forms.
struct Cover {
    dense: ExampleSet,
    bitmap: RoaringBitmap,
}

impl Cover {
    fn new(layout: Layout, n_examples: usize, density: f64, rng: &mut Pcg64) -> Self {
        let dense = layout.set(n_examples, density, rng);
        Self { bitmap: layout.bitmap(&dense), dense }
    }
}

/// Covers of one layout, and the positives.
struct Cell {
    n_examples: usize,
    layout: Layout,
    density: String,
    covers: Vec<Cover>,
    positives: Cover,
}

/// Microseconds of each form.
struct Times {
    operation: &'static str,
    dense: f64,
    bitmap: f64,
    mixed: Option<f64>,
}

impl Cell {
    /// Covers whose densities are these, in turn.
    fn new((n_examples, n_covers): (usize, usize), layout: Layout, densities: &[f64]) -> Self {
        let mut rng = stream(1, Purpose::Generate, &[11]);
        let density = if let [density] = densities { format!("{density:e}") } else { "varied".to_owned() };
        let covers = densities.iter().cycle().take(n_covers);
        let covers = covers.map(|&density| Cover::new(layout, n_examples, density, &mut rng)).collect();
        let positives = Cover::new(Layout::Uniform, n_examples, POSITIVE_SHARE, &mut rng);
        Self { n_examples, layout, density, covers, positives }
    }

    /// Each cover with the next one.
    fn pairs(&self) -> impl Iterator<Item = (&Cover, &Cover)> {
        self.covers.iter().zip(self.covers.iter().cycle().skip(1))
    }

    fn n_positive_words(&self) -> usize {
        self.n_examples / 64 / 100
    }

    fn dense(&self) -> Vec<&ExampleSet> {
        self.covers.iter().map(|cover| &cover.dense).collect()
    }

    fn bitmaps(&self) -> Vec<&RoaringBitmap> {
        self.covers.iter().map(|cover| &cover.bitmap).collect()
    }

    /// The covers that mixed votes keep dense, and those that they keep as bitmaps.
    fn by_density(&self) -> (Vec<&ExampleSet>, Vec<&RoaringBitmap>) {
        let is_dense = |cover: &&Cover| cover.dense.count() * SPARSE_SHARE >= self.n_examples;
        let (dense, sparse): (Vec<&Cover>, Vec<&Cover>) = self.covers.iter().partition(is_dense);
        (
            dense.into_iter().map(|cover| &cover.dense).collect(),
            sparse.into_iter().map(|cover| &cover.bitmap).collect(),
        )
    }

    /// Panics when two forms give different results.
    fn check(&self) {
        for (left, right) in self.pairs() {
            let expected = and(&left.dense, &right.dense);
            assert!(is_same(&expected, &(&left.bitmap & &right.bitmap)), "and");
            assert!(is_same(&expected, &mixed_and(&left.dense, &right.bitmap)), "mixed and");
            let mut kept = right.dense.clone();
            kernels::intersect_into(kept.words_mut(), left.dense.words(), right.dense.words());
            assert!(kept == expected, "and-kept");
        }
        for cover in &self.covers {
            assert!(is_same(&cover.dense, &cover.bitmap), "covers");
            let expected = count(&cover.dense, &self.positives.dense);
            assert_eq!(expected as u64, cover.bitmap.intersection_len(&self.positives.bitmap));
            assert_eq!(expected, mixed_count(&cover.bitmap, &self.positives.dense));
            let (low, high) = cover.dense.count_split(self.n_positive_words());
            assert_eq!((low as u64, high as u64), split(&cover.bitmap, self.n_positive_words()));
        }
        let (dense, sparse) = self.by_density();
        for threshold in [1, 2, self.covers.len() / 2] {
            let expected = VoteCounter::of(self.n_examples, self.dense()).at_least(threshold);
            assert!(is_same(&expected, &votes(self.n_examples, &self.bitmaps(), threshold)), "votes");
            assert!(mixed_votes(self.n_examples, &dense, &sparse, threshold) == expected, "mixed votes");
        }
    }

    fn measure(&self) -> [Times; 5] {
        let n_covers = self.covers.len();
        let bitmap_and = microseconds(n_covers, || {
            self.pairs().for_each(|(left, right)| drop(black_box(&left.bitmap & &right.bitmap)));
        });
        let mixed_and = microseconds(n_covers, || {
            self.pairs().for_each(|(left, right)| drop(black_box(mixed_and(&left.dense, &right.bitmap))));
        });
        let both = Times {
            operation: "and",
            dense: microseconds(n_covers, || {
                self.pairs().for_each(|(left, right)| drop(black_box(and(&left.dense, &right.dense))));
            }),
            bitmap: bitmap_and,
            mixed: Some(mixed_and),
        };
        let mut kept = ExampleSet::empty(self.n_examples);
        let both_kept = Times {
            operation: "and-kept",
            dense: microseconds(n_covers, || {
                for (left, right) in self.pairs() {
                    let words = kept.words_mut();
                    black_box(kernels::intersect_into(words, left.dense.words(), right.dense.words()));
                }
            }),
            ..both
        };
        let [counted, split] = self.measure_counts();
        [both, both_kept, counted, split, self.measure_votes()]
    }

    fn measure_counts(&self) -> [Times; 2] {
        let (positives, n_words) = (&self.positives, self.n_positive_words());
        let each =
            |run: &dyn Fn(&Cover)| microseconds(self.covers.len(), || self.covers.iter().for_each(run));
        let counted = Times {
            operation: "count",
            dense: each(&|cover| {
                black_box(count(&cover.dense, &positives.dense));
            }),
            bitmap: each(&|cover| {
                black_box(cover.bitmap.intersection_len(&positives.bitmap));
            }),
            mixed: Some(each(&|cover| {
                black_box(mixed_count(&cover.bitmap, &positives.dense));
            })),
        };
        let split = Times {
            operation: "split",
            dense: each(&|cover| {
                black_box(cover.dense.count_split(n_words));
            }),
            bitmap: each(&|cover| {
                black_box(split(&cover.bitmap, n_words));
            }),
            mixed: None,
        };
        [counted, split]
    }

    fn measure_votes(&self) -> Times {
        let (n_examples, threshold) = (self.n_examples, self.covers.len() / 2);
        let (all_dense, bitmaps, (dense, sparse)) = (self.dense(), self.bitmaps(), self.by_density());
        Times {
            operation: "votes",
            dense: microseconds(1, || {
                let counter = VoteCounter::of(n_examples, all_dense.iter().copied());
                drop(black_box(counter.at_least(threshold)));
            }),
            bitmap: microseconds(1, || drop(black_box(votes(n_examples, &bitmaps, threshold)))),
            mixed: Some(microseconds(1, || {
                drop(black_box(mixed_votes(n_examples, &dense, &sparse, threshold)));
            })),
        }
    }

    fn print(&self, times: &[Times]) {
        let n_covers = self.covers.len() as u64;
        let dense = self.n_examples.div_ceil(64) * 8;
        let bitmaps = self.covers.iter().map(|cover| held(&cover.bitmap)).sum::<u64>() / n_covers;
        for times in times {
            let mixed = times.mixed.map_or("-".to_owned(), |mixed| format!("{mixed:.3}"));
            println!(
                "{:>8} {:<8} {:>7} {:<8} {:>10.3} {:>10.3} {mixed:>10} {:>8.2} {dense:>8} {bitmaps:>8}",
                self.n_examples,
                self.layout.name(),
                self.density,
                times.operation,
                times.dense,
                times.bitmap,
                times.dense / times.bitmap,
            );
        }
    }

    /// A line of the table of bytes, in the mean of the covers.
    fn bytes(&self) -> String {
        let mean = |of: &dyn Fn(&RoaringBitmap) -> u64| {
            let sum = self.covers.iter().map(|cover| of(&cover.bitmap)).sum::<u64>();
            sum as f64 / self.covers.len() as f64
        };
        format!(
            "{:>8} {:<8} {:>7} {:>11.1} {:>8} {:>10.0} {:>9.0} {:>10.0} {:>6.1} {:>6.1} {:>6.1}",
            self.n_examples,
            self.layout.name(),
            self.density,
            mean(&RoaringBitmap::len),
            self.n_examples.div_ceil(64) * 8,
            mean(&|bitmap| bitmap.serialized_size() as u64),
            mean(&held),
            mean(&told),
            mean(&|bitmap| bitmap.statistics().n_array_containers.into()),
            mean(&|bitmap| bitmap.statistics().n_run_containers.into()),
            mean(&|bitmap| bitmap.statistics().n_bitset_containers.into()),
        )
    }
}

/// Bytes in memory, without what the allocator adds.
fn held(bitmap: &RoaringBitmap) -> u64 {
    let statistics = bitmap.statistics();
    // It counts 4 bytes for each value of an array, which takes 2.
    let arrays = statistics.n_bytes_array_containers / 2;
    let bitsets = u64::from(statistics.n_bitset_containers) * BITSET_BYTES;
    let containers = u64::from(statistics.n_containers) * CONTAINER_BYTES;
    arrays + bitsets + statistics.n_bytes_run_containers + containers
}

/// Bytes as `statistics` gives them.
fn told(bitmap: &RoaringBitmap) -> u64 {
    let told = bitmap.statistics();
    told.n_bytes_array_containers + told.n_bytes_run_containers + told.n_bytes_bitset_containers
}

fn is_same(set: &ExampleSet, bitmap: &RoaringBitmap) -> bool {
    set.iter().eq(bitmap.iter().map(|at| at as usize))
}

/// Visits the values in ascending order, a block at a time: one at a time takes several times as long.
fn each_value(bitmap: &RoaringBitmap, mut visit: impl FnMut(u32)) {
    let (mut values, mut block) = (bitmap.iter(), [0; 256]);
    loop {
        let block = values.next_many(&mut block);
        if block.is_empty() {
            return;
        }
        block.iter().for_each(|&at| visit(at));
    }
}

fn and(left: &ExampleSet, right: &ExampleSet) -> ExampleSet {
    let mut both = ExampleSet::empty(left.universe());
    kernels::intersect_into(both.words_mut(), left.words(), right.words());
    both
}

fn mixed_and(left: &ExampleSet, right: &RoaringBitmap) -> RoaringBitmap {
    let mut both = Vec::new();
    each_value(right, |at| {
        if left.contains(at as usize) {
            both.push(at);
        }
    });
    bitmap(both)
}

fn count(cover: &ExampleSet, positives: &ExampleSet) -> usize {
    cover.count_both(positives, 0..positives.words().len())
}

fn mixed_count(cover: &RoaringBitmap, positives: &ExampleSet) -> usize {
    let mut n_positives = 0;
    each_value(cover, |at| n_positives += usize::from(positives.contains(at as usize)));
    n_positives
}

/// How many values lie in the first words, and how many beyond.
fn split(cover: &RoaringBitmap, n_words: usize) -> (u64, u64) {
    let end = u32::try_from(n_words * 64).expect("few examples");
    let low = end.checked_sub(1).map_or(0, |last| cover.rank(last));
    (low, cover.len() - low)
}

/// The examples in at least `threshold` bitmaps.
fn votes(n_examples: usize, covers: &[&RoaringBitmap], threshold: usize) -> RoaringBitmap {
    let threshold = u16::try_from(threshold).expect("few covers");
    let mut votes = vec![0_u16; n_examples];
    for cover in covers {
        each_value(cover, |at| votes[at as usize] += 1);
    }
    let mut kept = Vec::new();
    for (start, votes) in (0_u32..).step_by(64).zip(votes.chunks(64)) {
        // Mostly no example of a chunk has the votes: a pass without branches finds that out.
        if !votes.iter().fold(false, |any, &votes| any | (votes >= threshold)) {
            continue;
        }
        let bits = votes.iter().enumerate();
        let mut word = bits.fold(0_u64, |word, (bit, &votes)| word | u64::from(votes >= threshold) << bit);
        while word != 0 {
            kept.push(start + word.trailing_zeros());
            word &= word - 1;
        }
    }
    bitmap(kept)
}

/// The examples in at least `threshold` covers; some covers are dense, the others bitmaps. The dense covers are
/// counted first. Further examples can only be values of bitmaps, so only these are looked at again.
fn mixed_votes(
    n_examples: usize,
    dense: &[&ExampleSet],
    sparse: &[&RoaringBitmap],
    threshold: usize,
) -> ExampleSet {
    let counter = VoteCounter::of(n_examples, dense.iter().copied());
    let mut kept = counter.at_least(threshold);
    if sparse.is_empty() {
        return kept;
    }
    let mut votes = vec![0_u16; n_examples];
    for cover in sparse {
        each_value(cover, |at| votes[at as usize] += 1);
    }
    for cover in sparse {
        each_value(cover, |at| {
            let at = at as usize;
            if counter.votes(at) + usize::from(votes[at]) >= threshold {
                kept.insert(at);
            }
        });
    }
    kept
}

/// Microseconds of one of the `n_each` things that a pass does: the median of the repetitions.
fn microseconds(n_each: usize, mut pass: impl FnMut()) -> f64 {
    let started = ThreadTime::now();
    pass();
    let once = started.elapsed().max(Duration::from_nanos(100));
    let n_passes = LEAST_TIME.as_nanos() / once.as_nanos() + 1;
    let mut taken: Vec<f64> = (0..N_REPETITIONS)
        .map(|_| {
            let started = ThreadTime::now();
            (0..n_passes).for_each(|_| pass());
            started.elapsed().as_secs_f64()
        })
        .collect();
    taken.sort_by(f64::total_cmp);
    taken[N_REPETITIONS / 2] * 1e6 / (n_passes as f64 * n_each as f64)
}

fn main() {
    let is_large = std::env::var_os("GLEANER_BENCH_LARGE").is_some();
    println!(
        "{:>8} {:<8} {:>7} {:<8} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8}",
        "examples",
        "layout",
        "density",
        "does",
        "dense us",
        "roaring us",
        "mixed us",
        "ratio",
        "B dense",
        "B roar"
    );
    let mut bytes = Vec::new();
    for size in SIZES.into_iter().take(1 + usize::from(is_large)) {
        for layout in Layout::ALL {
            for densities in DENSITIES.chunks(1).chain([DENSITIES.as_slice()]) {
                let cell = Cell::new(size, layout, densities);
                cell.check();
                cell.print(&cell.measure());
                bytes.push(cell.bytes());
            }
        }
    }
    println!("\nBytes and containers of a cover, in the mean; `told` is what `statistics` gives.");
    println!(
        "{:>8} {:<8} {:>7} {:>11} {:>8} {:>10} {:>9} {:>10} {:>6} {:>6} {:>6}",
        "examples",
        "layout",
        "density",
        "covered",
        "B dense",
        "serialized",
        "held",
        "told",
        "arrays",
        "runs",
        "bits"
    );
    bytes.iter().for_each(|line| println!("{line}"));
    // Linux alone has this file.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("\nPeak: {line}"));
    }
}
