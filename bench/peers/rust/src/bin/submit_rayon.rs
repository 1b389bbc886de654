//! Rayon: ThreadPool::spawn from outside.
use peers::{parse, problems::submit_ns_per_task, rayon_pool, report};

fn main() {
    let o = parse();
    let pool = rayon_pool(&o);
    report(&o, "submit", "rayon", "ns", "lower", || {
        submit_ns_per_task(&o, |n, done| {
            for _ in 0..n {
                pool.spawn(move || done.arrive());
            }
        })
    });
}
