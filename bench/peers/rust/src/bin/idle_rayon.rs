//! Rayon: forks and spawned tasks, then nothing.
use peers::problems::{idle_cpu_percent, Countdown};
use peers::{parse, rayon_pool, report, require};

fn leaves(depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (a, b) = rayon::join(|| leaves(depth - 1), || leaves(depth - 1));
    a + b
}

fn main() {
    let o = parse();
    let pool = rayon_pool(&o);
    report(&o, "idle", "rayon", "%", "lower", || {
        require(pool.install(|| leaves(18)) == 1 << 18, "leaves of the warm-up");
        let done: &'static Countdown = Box::leak(Box::new(Countdown::new(1000)));
        for _ in 0..1000 {
            pool.spawn(|| done.arrive());
        }
        done.wait();
        idle_cpu_percent(&o)
    });
}
