//! tokio: a task spawns a thousand, then awaits them in the order of their birth.
use peers::{ns_each, parse, report, require, tokio_runtime};

const BATCH: usize = 1000;

async fn batches(count: usize) -> u64 {
    let mut handles = Vec::with_capacity(BATCH);
    let mut sum = 0;
    for _ in 0..count {
        for k in 0..BATCH as u64 {
            handles.push(tokio::spawn(async move { k }));
        }
        for handle in handles.drain(..) {
            sum += handle.await.unwrap();
        }
    }
    sum
}

fn main() {
    let o = parse();
    let rt = tokio_runtime(&o);
    report(&o, "spawn", "tokio", "ns", "lower", || {
        ns_each(&o, |n| {
            let sum = rt.block_on(rt.spawn(batches(n))).unwrap();
            require(sum == (n * (BATCH * (BATCH - 1) / 2)) as u64, "sum of what the tasks gave");
        }) / BATCH as f64
    });
}
