//! tokio: spawn from outside.
use peers::{parse, problems::WakeProbe, report, tokio_runtime};

fn main() {
    let o = parse();
    let rt = tokio_runtime(&o);
    let probe: &'static WakeProbe = Box::leak(Box::default());
    report(&o, "wake", "tokio", "us", "lower", || {
        probe.p50(&o, || drop(rt.spawn(async { probe.started() })))
    });
}
