"""Below `serve` everything that touches another thread, the clock, chance or the end of memory goes through base::, where
it has a second meaning for the model checker and the simulator. These are the ways round it.

A reason may stand on the line, `// tidy: allow <word>: <reason>`, or above it, and then holds up to the next blank line.
<word> may end in *: pthread_*.
"""
import fnmatch
import re

from tree import Finding, room_of

FREE_ROOMS = {"base", "model"}  # they make the words
ABOVE = {"serve", "task", "dist", "capi", "apps"}  # not below serve

INSTEAD = {  # regex: (word, what to use)
    r"std::(atomic|atomic_flag|atomic_ref)\b": "base::atomic",
    r"std::atomic_(thread|signal)_fence\b": "base::fence_seq_cst and its kin",
    r"std::(recursive_|timed_|shared_|recursive_timed_|shared_timed_)?mutex\b": "base::mutex or base::ranked_mutex",
    r"std::(lock_guard|unique_lock|scoped_lock|shared_lock)\b": "base::lock_guard",
    r"std::condition_variable(_any)?\b": "a park, or base::futex_wait",
    r"std::(counting_semaphore|binary_semaphore|latch|barrier)\b": "hop::semaphore, hop::event",
    r"std::j?thread\b": "base::thread",
    r"std::this_thread\b": "base::os_yield or a park; no thread ids",
    r"std::(shared_ptr|weak_ptr|make_shared|allocate_shared|enable_shared_from_this)\b": "an owner, or an intrusive count",
    r"std::stop_(token|source|callback)\b": "cancel_scope",
    r"std::(future|shared_future|promise|packaged_task|async)\b": "hop::future or a waiter",
    r"std::(call_once|once_flag)\b": "a state word of base::atomic",
    r"std::(random_device|mt19937(_64)?|default_random_engine|minstd_rand0?)\b": "base::prng",
    r"\bs?rand\s*\(": "base::prng",
    r"std::chrono::\w+_clock\b": "base::clock",
    r"\b(clock_gettime|gettimeofday|timespec_get)\s*\(": "base::clock",
    r"\b(__)?(builtin_ia32_)?rdtscp?\b": "base::clock",
    r"\b(pthread_self|gettid|pthread_getthreadid_np|thrd_current)\b": "base::thread_word; a fiber changes threads",
    r"\bpthread_\w+\b": "base::thread, base::mutex",
    r"\bthread_local\b|\b__thread\b": "base::thread_word; a compiler keeps its address across a switch",
    r"\b(sched_yield|pthread_yield)\b": "base::os_yield",
    r"\b(_mm_pause|__builtin_ia32_pause)\b": "base::spin_hint",
    r"\b(nanosleep|usleep|clock_nanosleep)\s*\(": "a timed park, or base::futex_wait with a deadline",
    r"\b(SYS|__NR)_futex\w*\b": "base::futex_wait, base::futex_wake",
    r"\b(fork|vfork)\s*\(\s*\)": "nothing: a forked child has no workers",
}
PATTERNS = [(re.compile(pattern), instead) for pattern, instead in INSTEAD.items()]
ALLOW = re.compile(r"//\s*tidy: allow ([^\s:]+(?:::[^\s:]+)*):\s*\S")


def allowed(word, lines, number):
    first = number
    while first > 0 and lines[first - 1].strip():
        first -= 1
    near = [text for text in lines[first:number] if text.lstrip().startswith("//")] + [lines[number]]
    return any(fnmatch.fnmatchcase(word, m[1]) for text in near for m in ALLOW.finditer(text))


def findings(tree):
    for file in tree.files("include", "src"):
        if room_of(file) in FREE_ROOMS | ABOVE:
            continue
        lines = tree.text(file).splitlines()
        for number, text in enumerate(tree.code(file).splitlines()):
            taken = set()
            for pattern, instead in PATTERNS:
                for match in pattern.finditer(text):
                    word = match[0].rstrip("( )").strip()
                    if match.start() in taken or allowed(word, lines, number):
                        continue
                    taken.add(match.start())
                    yield Finding(file, number + 1, f"{word} is not for product code below serve; use {instead}, or write "
                                  f"`// tidy: allow {word}: <reason>`")
