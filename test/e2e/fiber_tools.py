"""Debuggers, valgrind and sanitizers know fibers; an overflow ends with status 134."""
from claims import claim, equal, has, has_not, matches
from fiber_build import compile_with

PROGRAM = "test/e2e/fiber_programs/planted.cpp"


def build(box, flags, boost=False, checked=False, compiler="g++"):
    out = box.dir / "planted"
    compile_with(box, compiler, flags, PROGRAM, out, boost, checked)
    return out


@claim("C2", "an_overflow_is_named_and_the_shell_sees_134")
def _(box):
    out = build(box, ["-O1"])
    seen = box.run(["bash", "-c", f"ulimit -c 0; {out} overflow; exit $?"], expect=134)
    has(seen.err, "hopsack: stack overflow in fiber 'greedy' (id ")
    has(seen.err, "stack of 262144 bytes (class small) exhausted at 0x")
    has(seen.err, "use the large class (8388608 bytes) or raise HOP_STACK_BYTES")


def backtrace(box, flags, boost):
    out = build(box, ["-g", *flags], boost)
    seen = box.run(["gdb", "-nx", "-q", "-batch", "-ex", "set debuginfod enabled off", "-ex", "break innermost", "-ex", "run",
                    "-ex", "backtrace", "--args", out, "backtrace"])
    frames = [line for line in seen.out.splitlines() if line.startswith("#")]
    matches("\n".join(frames), r"middle \(n=(n@entry=)?41\)")
    text = seen.out + seen.err
    has_not(text, "corrupt stack")
    has_not(text, "Backtrace stopped")
    has_not("\n".join(frames), "??")
    has(frames[-1], "first_frame")  # the trampoline of the room; nothing below it


@claim("E39", "gdb_ends_the_backtrace_of_a_fiber_cleanly")
def _(box):
    backtrace(box, ["-O2"], boost=False)


@claim("E39", "gdb_ends_the_backtrace_of_a_fiber_without_optimisation")
def _(box):
    backtrace(box, ["-O0"], boost=False)


@claim("E39", "gdb_ends_the_backtrace_of_a_fiber_with_the_portable_switch")
def _(box):
    backtrace(box, ["-O1"], boost=True)


def memcheck(box, boost):
    out = build(box, ["-g", "-O1"], boost)
    seen = box.run(["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", out, "clean"])
    equal(seen.out, "clean\n", "output")
    equal(seen.err, "", "what valgrind says")


@claim("E39", "memcheck_is_silent_on_fibers")
def _(box):
    memcheck(box, boost=False)


@claim("E39", "memcheck_is_silent_on_fibers_with_the_portable_switch")
def _(box):
    memcheck(box, boost=True)


@claim("C5", "asan_finds_a_buffer_overflow_inside_a_fiber")
def _(box):
    out = build(box, ["-g", "-O1", "-fsanitize=address"], checked=True)
    seen = box.run([out, "buffer_overflow"], expect=1)
    has(seen.err, "AddressSanitizer: stack-buffer-overflow")
    has(seen.err, "write_past")
    equal(box.run([out, "clean"]).err, "", "what asan says of a clean program")


@claim("C5", "tsan_finds_a_race_between_fibers_on_two_threads")
def _(box):
    out = build(box, ["-g", "-O1", "-fsanitize=thread"], checked=True)
    seen = box.run([out, "race"], expect=66)
    has(seen.err, "ThreadSanitizer: data race")
    has(seen.err, "shared_by_mistake")
    equal(box.run([out, "clean"]).err, "", "what tsan says of a clean program")
