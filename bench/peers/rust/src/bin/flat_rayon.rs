//! Rayon: one scope, all tasks spawned by one thread of the pool.
use peers::{parse, problems::Flat, rayon_pool, report};

fn main() {
    let o = parse();
    let flat = Flat::new(&o);
    let pool = rayon_pool(&o);
    report(&o, "flat", "rayon", "x", "higher", || {
        flat.speed_up(&o, || {
            pool.scope(|scope| {
                for _ in 0..flat.tasks {
                    scope.spawn(|_| flat.task());
                }
            })
        })
    });
}
