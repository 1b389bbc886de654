//! The problems of bench/harness, in Rust.
use crate::{median, require, seconds_each, Options};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// harness/fib.hpp
pub struct Fib {
    pub n: usize,
    answer: u64,
    forks: f64,
}

impl Fib {
    pub fn new(o: &Options) -> Fib {
        let n = if o.count != 0 { o.count } else if o.quick { 25 } else { 35 };
        require(n < 48, "--count for fib is at most 47");
        let (mut answer, mut next) = (0u64, 1u64);
        for _ in 0..n {
            (answer, next) = (next, answer + next);
        }
        Fib { n, answer, forks: (next - 1) as f64 }
    }
    pub fn ns_per_fork(&self, o: &Options, run: impl Fn(usize) -> u64) -> f64 {
        require(run(15) == 610, "fib(15)");
        1e9 / self.forks * seconds_each(o, || require(run(self.n) == self.answer, "fib(n)"))
    }
}

/// harness/nqueens.hpp
#[derive(Clone)]
pub struct Queens {
    size: usize,
    rows: usize,
    column: [i32; 16],
}

impl Queens {
    pub fn new(size: usize) -> Queens {
        Queens { size, rows: 0, column: [0; 16] }
    }
    pub fn complete(&self) -> bool {
        self.rows == self.size
    }
    fn attacked(&self, column: i32) -> bool {
        self.column[..self.rows].iter().enumerate().any(|(row, &there)| {
            let across = there - column;
            let down = (self.rows - row) as i32;
            across == 0 || across == down || across == -down
        })
    }
    pub fn free_columns(&self) -> ([i32; 16], usize) {
        let (mut free, mut count) = ([0; 16], 0);
        for column in 0..self.size as i32 {
            if !self.attacked(column) {
                free[count] = column;
                count += 1;
            }
        }
        (free, count)
    }
    pub fn with(&self, column: i32) -> Queens {
        let mut next = self.clone();
        next.column[next.rows] = column;
        next.rows += 1;
        next
    }
}

pub struct QueensProblem {
    n: usize,
}

impl QueensProblem {
    const ANSWERS: [u64; 15] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596];
    pub fn new(o: &Options) -> QueensProblem {
        let n = if o.count != 0 { o.count } else if o.quick { 9 } else { 12 };
        require((4..15).contains(&n), "--count for nqueens is from 4 to 14");
        QueensProblem { n }
    }
    pub fn ms(&self, o: &Options, run: impl Fn(usize) -> u64) -> f64 {
        require(run(8) == Self::ANSWERS[8], "eight queens");
        1e3 * seconds_each(o, || require(run(self.n) == Self::ANSWERS[self.n], "number of solutions"))
    }
}

/// harness/wake_probe.hpp
pub struct WakeProbe {
    zero: Instant,
    at: AtomicI64,
}

impl WakeProbe {
    pub fn new() -> WakeProbe {
        WakeProbe { zero: Instant::now(), at: AtomicI64::new(0) }
    }
    fn now(&self) -> i64 {
        self.zero.elapsed().as_nanos() as i64
    }
    pub fn started(&self) {
        self.at.store(self.now(), Ordering::Release);
    }
    /// The median in microseconds.
    pub fn p50(&self, o: &Options, submit: impl Fn()) -> f64 {
        let samples = if o.count != 0 { o.count } else if o.quick { 15 } else { 150 };
        median((0..samples).map(|_| self.once(&submit)).collect())
    }
    fn once(&self, submit: &impl Fn()) -> f64 {
        self.at.store(0, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(10));
        let begin = self.now();
        submit();
        let mut look = 0;
        while self.at.load(Ordering::Acquire) == 0 {
            require(look < 10_000, "the task was started within ten seconds");
            look += 1;
            std::thread::sleep(Duration::from_millis(1));
        }
        (self.at.load(Ordering::Relaxed) - begin) as f64 * 1e-3
    }
}

impl Default for WakeProbe {
    fn default() -> Self {
        Self::new()
    }
}

/// harness/countdown.hpp
pub struct Countdown {
    left: AtomicUsize,
    ended: Mutex<bool>,
    end: Condvar,
}

impl Countdown {
    pub fn new(n: usize) -> Countdown {
        Countdown { left: AtomicUsize::new(n), ended: Mutex::new(false), end: Condvar::new() }
    }
    pub fn arrive(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            *self.ended.lock().unwrap() = true;
            self.end.notify_one();
        }
    }
    pub fn wait(&self) {
        let mut ended = self.ended.lock().unwrap();
        while !*ended {
            ended = self.end.wait(ended).unwrap();
        }
        require(self.left.load(Ordering::Acquire) == 0, "every task ran once");
    }
}

/// ns per task of submit(tasks, done): every task calls done.arrive(). What is counted down is never freed, as tasks of
/// these libraries may not borrow; the others have it on a stack.
pub fn submit_ns_per_task(o: &Options, submit: impl Fn(usize, &'static Countdown)) -> f64 {
    let tasks = if o.count != 0 { o.count } else if o.quick { 20_000 } else { 1_000_000 };
    let all = |n: usize| {
        let done: &'static Countdown = Box::leak(Box::new(Countdown::new(n)));
        submit(n, done);
        done.wait();
    };
    all(1000);
    1e9 / tasks as f64 * seconds_each(o, || all(tasks))
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}
extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}
const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

/// harness/idle_cpu.hpp
pub fn idle_cpu_percent(o: &Options) -> f64 {
    let used = || {
        let mut t = Timespec { seconds: 0, nanoseconds: 0 };
        require(unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut t) } == 0, "clock_gettime");
        t.seconds as f64 + 1e-9 * t.nanoseconds as f64
    };
    std::thread::sleep(Duration::from_millis(200));
    let before = used();
    let begin = Instant::now();
    std::thread::sleep(Duration::from_millis(if o.quick { 250 } else { 2000 }));
    let seconds = begin.elapsed().as_secs_f64();
    100.0 * (used() - before) / seconds
}

/// harness/flat.hpp
pub struct Flat {
    pub tasks: usize,
    ran: AtomicUsize,
}

impl Flat {
    pub fn new(o: &Options) -> Flat {
        let tasks = if o.count != 0 { o.count } else if o.quick { 64 } else { 256 };
        Flat { tasks, ran: AtomicUsize::new(0) }
    }
    pub fn task(&self) {
        std::thread::sleep(Duration::from_millis(5));
        self.ran.fetch_add(1, Ordering::Relaxed);
    }
    pub fn speed_up(&self, o: &Options, run: impl Fn()) -> f64 {
        let seconds = seconds_each(o, || {
            let before = self.ran.load(Ordering::SeqCst);
            run();
            require(self.ran.load(Ordering::SeqCst) - before == self.tasks, "every task ran once");
        });
        0.005 * self.tasks as f64 / seconds
    }
}
