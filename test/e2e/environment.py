"""HOP_* variables and compile-time options of the scheduler, as a user of the program sees them."""
import re

import builds
from claims import claim, equal, has, matches


def program():
    return builds.build("release", only="hopsack") / "hopsack"


def table(err):
    """The statistics table as {counter: total}; every line of it must have the same form."""
    lines = err.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("hopsack statistics, "))
    rows = {}
    for line in lines[start + 1:]:
        found = re.match(r"(\w+)\s+(\w+)\s+(\d+)(?: \(([\d ]+)\))?  \S", line)
        assert found, f"not a line of the table: {line!r}"
        if found[4]:
            equal(sum(int(n) for n in found[4].split()), int(found[3]), f"shares of {found[2]}")
        rows[found[2]] = int(found[3])
    return rows


@claim("E26", "statistics_are_printed_at_exit_and_balance")
def _(box):
    out = box.run([program(), "demo", "spawn", "--quick"], env={"HOP_STATS": "1", "HOP_WORKERS": "2"})
    rows = table(out.err)
    equal(rows["tasks_spawned"], rows["tasks_finished"], "spawned tasks that ended")
    equal(rows["tasks_spawned"], 10_000)
    equal(rows["parks"], rows["unparks"], "parked fibers that went on")
    equal(box.run([program(), "demo", "spawn", "--quick"], env={"HOP_STATS": "0"}).err, "", "what is said without it")


@claim("E26", "the_number_of_workers_is_taken_from_the_environment_and_told_when_asked")
def _(box):
    for n in (1, 3):
        out = box.run([program(), "demo", "join", "--quick"], env={"HOP_WORKERS": str(n), "HOP_VERBOSE": "1"})
        matches(out.err, rf"^hopsack \S+: {n} workers, at most 64 further threads; stacks of 262144 and 8388608 bytes$")
        has(out.out, f"on {n} workers")
    out = box.run([program(), "demo", "join", "--quick"], env={"HOP_THREADS_MAX": "5", "HOP_VERBOSE": "yes"})
    has(out.err, "at most 5 further threads")


@claim("E26", "a_wrong_value_names_the_variable_the_value_and_what_is_allowed")
def _(box):
    for name, value, allowed in [("HOP_WORKERS", "0", "1 to 4096"), ("HOP_WORKERS", "two", "1 to 4096"), ("HOP_STATS", "maybe", "on"),
                                 ("HOP_VERBOSE", "2", "on"), ("HOP_THREADS_MAX", "-1", "1 to 10000"), ("HOP_LOG", "loud", "debug")]:
        out = box.run([program(), "demo", "log" if name == "HOP_LOG" else "join", "--quick"], env={name: value}, expect=2)
        has(out.err, name)
        has(out.err, f"'{value}'")
        has(out.err, allowed)


@claim("E27", "the_tests_pass_with_other_stacks_queues_and_switch", full=True)
def _(box):
    for options in (["-DHOP_QUEUE_SLOTS=64", "-DHOP_STACK_BYTES=131072"], ["-DHOP_SWITCH=boost", "-DHOP_QUEUE_SLOTS=16384"],
                    ["-DHOP_LARGE_STACK_BYTES=16777216", "-DHOP_STACK_BYTES=524288"]):
        directory = box.dir / "build"
        box.run(["cmake", "-S", box.root, "-B", directory, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHOP_BUILD_BENCH=OFF", *options])
        box.run(["ninja", "-C", directory, "test_sched", "test_sync"])
        for program_ in ("test_sched", "test_sync"):
            box.run([directory / program_, "--gtest_brief=1"], env={"HOP_TEST_WORKERS": "2"})
        box.run(["rm", "-rf", directory])


@claim("E27", "a_wrong_option_names_what_is_allowed")
def _(box):
    for option, words in (("-DHOP_QUEUE_SLOTS=1000", "power of two from 16 to 16384"), ("-DHOP_STACK_BYTES=1", "multiple of 4096"),
                          ("-DHOP_SWITCH=slow", "fast, boost")):
        out = box.run(["cmake", "-S", box.root, "-B", box.dir / "b", "-G", "Ninja", option], expect=1)
        has(" ".join(out.err.split()), words)
        box.run(["rm", "-rf", box.dir / "b"])
