"""./dev test accounts for every test: one that fails, crashes, skips, leaves no line, does not build."""
import json

from claims import claim, equal, has, has_not, matches
from planted import House

PASSES = '#include "support/hop_test.hpp"\nHOP_TEST(C1, passes) { EXPECT_EQ(1, 1); }\n'
SOURCE = {"src/base/a.cpp": "int hop_a();\nint hop_a() { return 1; }\n"}


def planted(box, tests, **more):
    return House(box, {**SOURCE, "test/unit/base/a_test.cpp": tests, **more})


def results(house):
    return [json.loads(text) for text in (house.root / "build/report/results.jsonl").read_text().splitlines()]


def states(house):
    return {entry["claim"]: entry["state"] for entry in results(house)}


@claim("dev", "a_passing_row_is_reported_in_every_preset_and_the_last_line_counts")
def _(box):
    house = planted(box, PASSES)
    out = house.dev("test", "--row", "C1")
    equal(out.out.splitlines()[-1], "3 passed, 0 failed")
    matches(out.out, r"^C1 +passed ")
    equal(sorted(entry["preset"] for entry in results(house)), ["asan", "release", "tsan"])
    equal({entry["workers"] for entry in results(house)}, {1}, "a room without a runtime runs once")
    out = house.dev("test", "--row", "C1", "--preset", "release", "--seed", "77", "--workers", "8")
    equal([(e["preset"], e["seed"], e["workers"]) for e in results(house)], [("release", 77, 8)])
    matches(house.dev("features").out, r"^C1 +passed ")
    has(house.dev("test", "--list").out, "C1    passes  (test/unit/base)")


@claim("dev", "a_room_with_a_runtime_runs_at_1_2_and_8_workers")
def _(box):
    house = House(box, {**SOURCE, "test/unit/sched/a_test.cpp": '#include "support/hop_test.hpp"\n'
                        "HOP_TEST(C1, has_workers) { EXPECT_NE(hop::test::workers(), 0u); }\n"})
    house.dev("test", "--row", "C1", "--preset", "release")
    equal(sorted(entry["workers"] for entry in results(house)), [1, 2, 8])


BAD = '''#include <csignal>
#include <cstdio>
#include <cstdlib>
#include "support/hop_test.hpp"
HOP_TEST(C1, passes_first) { SUCCEED(); }
HOP_TEST(C1, fails) { EXPECT_EQ(hop::test::seed(), 0u) << "these words"; }
HOP_TEST(C2, crashes) { std::raise(SIGSEGV); }
HOP_TEST(C2, leaves) { std::exit(0); }
HOP_TEST(C4, passes_last) { std::printf("no newline"); }
HOP_TEST(C5, skips) { GTEST_SKIP() << "no such machine"; }
HOP_TEST(base, needs_no_row) { SUCCEED(); }
HOP_TEST(attic, is_no_room) { SUCCEED(); }
'''


@claim("dev", "a_test_that_fails_crashes_or_leaves_does_not_hide_the_others")
def _(box):
    house = planted(box, BAD)
    out = house.dev("test", "--room", "base", "--preset", "release", expect=1)
    equal(states(house), {"passes_first": "passed", "fails": "failed", "crashes": "failed", "leaves": "failed", "passes_last": "passed",
                          "skips": "skipped", "needs_no_row": "passed", "is_no_room": "passed"})
    # Three that fail, a skip nobody allowed, and a suite that is neither a row nor a room.
    equal(out.out.splitlines()[-1], "4 passed, 5 failed")
    for words in ["these words", "SIGSEGV", "no such machine", "'attic' is neither a row of docs/features.md nor a room", "--row C1 --seed"]:
        has(out.out, words)
    matches(out.out, r"^C4 +passed ")
    matches(out.out, r"^C5 +failed ")
    matches(out.out, r"^base +passed ")
    has_not(out.err, "Traceback")


@claim("dev", "a_program_that_fails_after_its_tests_passed_has_failed")
def _(box):
    house = planted(box, '#include <unistd.h>\n#include "support/hop_test.hpp"\nstatic bool ran = false;\nstatic struct late {\n'
                    "  ~late() {\n    if (ran) _exit(9);\n  }\n} at_exit;\nHOP_TEST(C1, passes) { ran = true; }\n")
    out = house.dev("test", "--room", "base", "--preset", "release", expect=1)
    equal(states(house), {"passes": "passed", "test_base_ends_well": "failed"})
    has(out.out, "exit status 9")


@claim("dev", "a_source_that_does_not_compile_fails_the_run_and_the_last_line_still_counts")
def _(box):
    house = planted(box, PASSES + "int x = gone;\n")
    out = house.dev("test", "--room", "base", "--preset", "release", expect=1)
    has(out.out, "gone")
    equal(out.out.splitlines()[-1], "0 passed, 1 failed")


@claim("dev", "a_row_without_a_test_is_not_a_success")
def _(box):
    house = planted(box, PASSES)
    out = house.dev("test", "--row", "E31", expect=1)
    has(out.err, "no test for E31")
    equal(out.out.splitlines()[-1], "0 passed, 0 failed")


@claim("dev", "tests_in_python_and_cases_that_must_not_compile_are_counted_too")
def _(box):
    control = "// expect: no match for .operator\\+.\nstruct a {};\n#ifdef CONTROL\na b;\n#else\nauto b = a() + a();\n#endif\n"
    house = planted(box, PASSES, **{
        "test/e2e/x.py": "from claims import claim, Skip\n@claim('C2', 'it_holds')\ndef _(box):\n    box.run(['true'])\n"
                         "@claim('C2', 'it_does_not')\ndef _(box):\n    box.run(['false'])\n"
                         "@claim('C2', 'only_in_full', full=True)\ndef _(box):\n    pass\n"
                         "@claim('C2', 'it_skips')\ndef _(box):\n    raise Skip('not here')\n",
        "test/compile_fail/C2_adding.cpp": control,
        "test/compile_fail/C2_that_compiles.cpp": "// expect: x\n#ifdef CONTROL\n#endif\nint b;\n",
        "test/compile_fail/C2_wrong_reason.cpp": control.replace("no match", "no luck"),
        "test/compile_fail/C2_broken_control.cpp": control.replace("a b;", "gone b;")})
    out = house.dev("test", "--row", "C2", expect=1)
    equal(states(house), {"it_holds": "passed", "it_does_not": "failed", "it_skips": "skipped", "adding": "passed",
                          "that_compiles": "failed", "wrong_reason": "failed", "broken_control": "failed"})
    equal(out.out.splitlines()[-1], "2 passed, 5 failed")


@claim("dev", "a_leak_and_a_race_fail_in_asan_and_tsan")
def _(box):
    house = planted(box, '#include "support/hop_test.hpp"\n#include <thread>\n'
                    "int* volatile kept = nullptr;\nHOP_TEST(C1, leaks) {\n  kept = new int(1);\n  kept = nullptr;\n}\n"
                    "int shared = 0;\nHOP_TEST(C2, races) {\n  std::thread t([] { ++shared; });\n  ++shared;\n  t.join();\n}\n")
    equal(house.dev("test", "--row", "C1", "--preset", "asan", expect=1).out.splitlines()[-1], "1 passed, 1 failed")
    has(house.dev("test", "--row", "C2", "--preset", "tsan", expect=1).out, "data race")
