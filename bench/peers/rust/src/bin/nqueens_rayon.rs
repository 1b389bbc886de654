//! Rayon: join for each fork.
use peers::{parse, problems::Queens, problems::QueensProblem, rayon_pool, report};

fn count(q: &Queens) -> u64 {
    if q.complete() {
        return 1;
    }
    let (free, found) = q.free_columns();
    if found == 0 {
        0
    } else {
        over(q, &free[..found])
    }
}

fn over(q: &Queens, free: &[i32]) -> u64 {
    if free.len() == 1 {
        return count(&q.with(free[0]));
    }
    let (left, right) = free.split_at(free.len() / 2);
    let (a, b) = rayon::join(|| over(q, left), || over(q, right));
    a + b
}

fn main() {
    let o = parse();
    let problem = QueensProblem::new(&o);
    let pool = rayon_pool(&o);
    report(&o, "nqueens", "rayon", "ms", "lower", || problem.ms(&o, |n| pool.install(|| count(&Queens::new(n)))));
}
