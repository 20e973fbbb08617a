//! Loading generated sentences, from texts to a frozen, indexed problem, at two sizes (in the names).
//! Criterion shows mebibytes of text or facts a second, by the group.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gleaner::experiment::load;
use gleaner_data::{LoadRequest, Problem};
use gleaner_generate::{SentencesConfig, sentences};
use gleaner_lang::syntax::Sources;

/// Sentences of the smaller problem, about 90,000 facts; the larger has ten times as many.
const N_SENTENCES: usize = 100;

/// Writes a problem of so many sentences; its folder and the bytes in it.
fn generate(n_sentences: usize) -> (PathBuf, u64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("loading_{n_sentences}"));
    let config = SentencesConfig { sentences: n_sentences, ..SentencesConfig::default() };
    let generated = sentences(&config).expect("the configuration is in range");
    let mut n_bytes = 0;
    for file in &generated.files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().expect("files are in the folder"))
            .expect("folders can be made");
        std::fs::write(&path, &file.text).expect("files can be written");
        n_bytes += file.text.len() as u64;
    }
    (folder, n_bytes)
}

fn problem(folder: &Path) -> Problem {
    let request = LoadRequest { path: folder.to_owned(), ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("generated problems load").problem
}

fn loading(criterion: &mut Criterion) {
    for n_sentences in [N_SENTENCES, 10 * N_SENTENCES] {
        let (folder, n_bytes) = generate(n_sentences);
        let n_facts: usize = problem(&folder).profile().iter().map(|predicate| predicate.n_facts).sum();
        for (unit, throughput) in
            [("bytes", Throughput::Bytes(n_bytes)), ("facts", Throughput::Elements(n_facts as u64))]
        {
            let mut group = criterion.benchmark_group(format!("load/{unit}"));
            group.sample_size(10).throughput(throughput);
            group.bench_function(BenchmarkId::from_parameter(format!("{n_facts}_facts")), |bencher| {
                bencher.iter(|| black_box(problem(&folder)));
            });
        }
    }
}

criterion_group!(benches, loading);
criterion_main!(benches);
