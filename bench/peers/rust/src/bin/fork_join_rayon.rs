//! Rayon: join.
use peers::{parse, problems::Fib, rayon_pool, report};

fn forked(n: usize) -> u64 {
    if n < 2 {
        return n as u64;
    }
    let (a, b) = rayon::join(|| forked(n - 1), || forked(n - 2));
    a + b
}

fn main() {
    let o = parse();
    let fib = Fib::new(&o);
    let pool = rayon_pool(&o);
    report(&o, "fork_join", "rayon", "ns/fork", "lower", || fib.ns_per_fork(&o, |n| pool.install(|| forked(n))));
}
