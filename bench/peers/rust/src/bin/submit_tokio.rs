//! tokio: spawn from outside.
use peers::{parse, problems::submit_ns_per_task, report, tokio_runtime};

fn main() {
    let o = parse();
    let rt = tokio_runtime(&o);
    report(&o, "submit", "tokio", "ns", "lower", || {
        submit_ns_per_task(&o, |n, done| {
            for _ in 0..n {
                drop(rt.spawn(async move { done.arrive() }));
            }
        })
    });
}
