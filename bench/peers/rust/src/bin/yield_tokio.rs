//! tokio: two tasks and yield_now.
use peers::{ns_each, parse, report, require, tokio_runtime};

async fn yields(n: usize) -> usize {
    let mut done = 0;
    while done < n {
        tokio::task::yield_now().await;
        done += 1;
    }
    done
}

fn main() {
    let o = parse();
    let rt = tokio_runtime(&o);
    report(&o, "yield", "tokio", "ns", "lower", || {
        ns_each(&o, |n| {
            let each = (n + 1) / 2;
            let both = rt.spawn(async move {
                let a = tokio::spawn(yields(each));
                let b = tokio::spawn(yields(each));
                (a.await.unwrap(), b.await.unwrap())
            });
            require(rt.block_on(both).unwrap() == (each, each), "yields of both sides");
        })
    });
}
