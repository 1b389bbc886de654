//! Rayon: ThreadPool::spawn from outside.
use peers::{parse, problems::WakeProbe, rayon_pool, report};

fn main() {
    let o = parse();
    let pool = rayon_pool(&o);
    let probe: &'static WakeProbe = Box::leak(Box::default());
    report(&o, "wake", "rayon", "us", "lower", || probe.p50(&o, || pool.spawn(|| probe.started())));
}
