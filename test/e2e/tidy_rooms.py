"""./dev tidy rooms, orders, banned: planted trees with one thing wrong."""
from claims import claim, equal, has, matches
from planted import House

DAG = "base < obs < fiber;  # a comment; with a semicolon < arrow\nobs < sched;\nfiber < serve;\n"
CLEAN = {"tools/rooms.dag": DAG, "include/hop/base/a.hpp": "#pragma once\n", "src/fiber/b.cpp": '#include <hop/base/a.hpp>\n#include "obs/c.hpp"\n',
         "src/obs/c.hpp": "#pragma once\n"}


def tidy(box, check, files, expect):
    return House(box, {**CLEAN, **files}).dev("tidy", check, expect=expect).out


@claim("dev", "tidy_accepts_includes_that_follow_the_arrows")
def _(box):
    equal(tidy(box, "rooms", {}, 0), "")


@claim("dev", "tidy_finds_an_upward_include")
def _(box):
    matches(tidy(box, "rooms", {"src/obs/c.hpp": "#pragma once\n// why\n#include <hop/fiber/x.hpp>\n"}, 1),
            r"^src/obs/c\.hpp:3: room 'obs' includes 'fiber/x\.hpp'")


@claim("dev", "tidy_finds_an_include_between_neighbours_that_no_arrow_joins")
def _(box):
    matches(tidy(box, "rooms", {"src/sched/s.cpp": '#include "fiber/x.hpp"\n'}, 1), r"^src/sched/s\.cpp:1: ")


@claim("dev", "tidy_ignores_an_include_in_a_comment")
def _(box):
    equal(tidy(box, "rooms", {"src/obs/c.hpp": "/* #include <hop/fiber/x.hpp> */\n// #include <hop/fiber/x.hpp>\n"}, 0), "")


@claim("dev", "tidy_finds_an_unknown_room")
def _(box):
    out = tidy(box, "rooms", {"src/attic/a.cpp": "\n", "src/fiber/b.cpp": "#include <hop/cellar/a.hpp>\n"}, 1)
    matches(out, r"^src/attic/a\.cpp:1: room 'attic' is not in tools/rooms\.dag")
    matches(out, r"^src/fiber/b\.cpp:1: includes 'cellar/a\.hpp' of room 'cellar'")


@claim("dev", "tidy_finds_a_cycle_in_the_arrows_and_shows_the_way_round")
def _(box):
    out = tidy(box, "rooms", {"tools/rooms.dag": DAG + "fiber < base;\n"}, 1)
    matches(out, r"^tools/rooms\.dag:1: .*cycle: \w+ < \w+ < \w+ < \w+")


@claim("dev", "tidy_knows_a_single_header_that_stands_apart_from_its_room")
def _(box):
    dag = DAG + "base/word < model < base;\n"
    equal(tidy(box, "rooms", {"tools/rooms.dag": dag, "src/model/m.cpp": "#include <hop/base/word.hpp>\n", "include/hop/base/word.hpp": "\n",
                              "include/hop/base/a.hpp": '#include "model/m.hpp"\n#include <hop/base/word.hpp>\n'}, 0), "")


@claim("dev", "tidy_does_not_let_the_room_behind_a_single_header_in")
def _(box):
    dag = DAG + "base/word < model < base;\n"
    out = tidy(box, "rooms", {"tools/rooms.dag": dag, "src/model/m.cpp": "#include <hop/base/a.hpp>\n"}, 1)
    matches(out, r"^src/model/m\.cpp:1: room 'model' includes 'base/a\.hpp'")


ORDERED = """// order: relaxed; the fence above orders it
int a = x.load(std::memory_order_relaxed);
int b = x.load(std::memory_order_acquire);  // pairs: y.cpp push()
"""


@claim("dev", "tidy_wants_a_reason_within_five_lines_of_a_memory_order")
def _(box):
    equal(tidy(box, "orders", {"src/obs/o.cpp": ORDERED}, 0), "")


@claim("dev", "tidy_finds_a_memory_order_without_a_reason_except_in_model")
def _(box):
    bare = "\n" * 6 + "x.store(1, std::memory_order_release);\n"
    out = tidy(box, "orders", {"src/obs/o.cpp": ORDERED + bare, "src/model/m.cpp": bare, "src/fiber/f.hpp": "f(std::memory_order::seq_cst);\n",
                               "src/obs/s.cpp": "const char* s = \"order: x\";\nx.store(1, std::memory_order_release);\n"}, 1)
    matches(out, r"^src/obs/o\.cpp:10: memory_order_release without a reason")
    matches(out, r"^src/fiber/f\.hpp:1: memory_order_seq_cst")
    equal([line.split(":")[0] for line in out.splitlines()], ["src/fiber/f.hpp", "src/obs/o.cpp", "src/obs/s.cpp"])


@claim("dev", "tidy_finds_the_ways_round_base_below_serve")
def _(box):
    words = ["std::mutex m;", "std::thread t;", "std::shared_ptr<int> p;", "std::stop_token s;", "std::future<int> f;", "std::promise<int> p;",
             "std::call_once(f);", "std::condition_variable c;", "auto i = pthread_self();", "auto i = __rdtsc();", "sched_yield();",
             "std::random_device d;", "std::chrono::steady_clock::now();", "std::atomic<int> a;", "thread_local int t;"]
    out = tidy(box, "banned", {"src/fiber/b.cpp": "\n".join(words) + "\n"}, 1)
    equal([int(line.split(":")[1]) for line in out.splitlines()], list(range(1, len(words) + 1)), "lines found")


@claim("dev", "tidy_allows_a_banned_word_with_a_reason_in_base_in_comments_and_above_serve")
def _(box):
    equal(tidy(box, "banned", {
        "src/base/a.cpp": "std::mutex m;\n", "src/serve/a.cpp": "std::mutex m;\n",
        "src/fiber/b.cpp": "// std::mutex is not for us\nconst char* s = \"std::mutex\";\n"
                           "// tidy: allow std::thread: the one that watches\nstd::thread a;\nstd::thread b;\n"
                           "\nint c = gettid();  // tidy: allow gettid: printed, never compared\n"}, 0), "")


@claim("dev", "tidy_wants_the_reason_of_an_allowed_word")
def _(box):
    out = tidy(box, "banned", {"src/fiber/b.cpp": "// tidy: allow std::thread:\nstd::thread a;\n\nstd::thread b;\n"}, 1)
    equal(len(out.splitlines()), 2, "findings")
    has(out, "tidy: allow std::thread: <reason>")
