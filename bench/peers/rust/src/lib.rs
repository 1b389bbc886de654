//! What the peers in Rust share: the same arguments, repetition, checks and lines as bench/harness has.
use std::process::exit;
use std::time::Instant;

pub mod problems;

pub struct Options {
    pub rounds: usize,
    pub workers: usize,
    pub count: usize, // size of the problem; 0: the bench's own
    pub quick: bool,
}

fn usage(what: &str) -> ! {
    eprintln!("{what}\nusage: [--rounds N] [--workers N] [--count N] [--quick]");
    exit(2);
}

pub fn parse() -> Options {
    let mut o = Options { rounds: 1, workers: 1, count: 0, quick: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let target = match word.as_str() {
            "--quick" => {
                o.quick = true;
                continue;
            }
            "--rounds" => &mut o.rounds,
            "--workers" => &mut o.workers,
            "--count" => &mut o.count,
            _ => usage(&format!("unknown argument '{word}'")),
        };
        match words.next().and_then(|text| text.parse::<usize>().ok()) {
            Some(n) if n > 0 => *target = n,
            _ => usage(&format!("{word} takes a whole number above 0")),
        }
    }
    o
}

/// A wrong answer is no result.
pub fn require(right: bool, what: &str) {
    if !right {
        eprintln!("wrong answer: {what}");
        exit(1);
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let half = values.len() / 2;
    if values.len() % 2 != 0 {
        values[half]
    } else {
        (values[half - 1] + values[half]) / 2.0
    }
}

fn seconds_of(body: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    body();
    begin.elapsed().as_secs_f64()
}

/// Runs body(n), which does the thing n times, with a growing n until one sample takes 50 ms (5 ms when quick), then
/// takes the median of 5 samples (1 when quick). Nanoseconds for one.
pub fn ns_each(o: &Options, mut body: impl FnMut(usize)) -> f64 {
    let enough = if o.quick { 0.005 } else { 0.050 };
    let mut n = 16;
    let mut took = seconds_of(|| body(n));
    while took < enough {
        let factor = (1.2 * enough / took.max(1e-9)).clamp(1.5, 10.0);
        n = (n as f64 * factor) as usize + 1;
        took = seconds_of(|| body(n));
    }
    let samples = (0..if o.quick { 1 } else { 5 }).map(|_| seconds_of(|| body(n))).collect();
    median(samples) * 1e9 / n as f64
}

/// Seconds of body(): the median of 5 runs, or of as many as fit into a second; one when quick.
pub fn seconds_each(o: &Options, mut body: impl FnMut()) -> f64 {
    let mut samples = Vec::new();
    let mut spent = 0.0;
    while samples.is_empty() || (!o.quick && samples.len() < 5 && spent < 1.0) {
        let took = seconds_of(&mut body);
        samples.push(took);
        spent += took;
    }
    median(samples)
}

/// `once` measures and gives the value; the median of all rounds is printed.
pub fn report(o: &Options, bench: &str, who: &str, unit: &str, better: &str, mut once: impl FnMut() -> f64) {
    let value = median((0..o.rounds).map(|_| once()).collect());
    println!(
        r#"{{"bench":"{bench}","workers":{},"who":"{who}","value":{value:.6},"unit":"{unit}","better":"{better}","rounds":{}}}"#,
        o.workers, o.rounds
    );
}

/// A pool of Rayon's.
pub fn rayon_pool(o: &Options) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(o.workers).build().expect("threads")
}

/// A runtime of tokio's: its scheduler for several threads at any number of them.
pub fn tokio_runtime(o: &Options) -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(o.workers).build().expect("threads")
}
