"""Compilers must not carry the address of a thread-local, of errno or of the caught exceptions over a switch."""
from claims import claim, has
from fiber_build import compile_with

FLAGS = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"], "O2_pic": ["-O2", "-fPIC", "-pie"]}


def program(box, compiler, name, flags, boost=False):
    out = box.dir / name
    compile_with(box, compiler, flags, "test/matrix/migrate.cpp", out, boost)
    has(box.run([out]).out, " 0 wrong")


def library(box, compiler):
    shared = box.dir / "migrate.so"
    compile_with(box, compiler, ["-O2", "-fPIC", "-shared", "-DHOP_MATRIX_SHARED=1"], "test/matrix/migrate.cpp", shared)
    host = box.dir / "host"
    box.run([compiler, "-std=c++20", "-O2", box.root / "test/matrix/host.cpp", "-o", host, "-ldl", "-pthread"])
    has(box.run([host, shared]).out, " 0 wrong")


def add(compiler, words, full):
    for name, flags in FLAGS.items():
        @claim("C5", f"a_migrating_fiber_is_right_with_{words}_{name.lower()}", full=full)
        def _(box, name=name, flags=flags):
            program(box, compiler, name, flags)

    @claim("C5", f"a_migrating_fiber_is_right_with_{words}_in_a_shared_library", full=full)
    def _(box):
        library(box, compiler)


add("g++", "gcc", full=False)
add("clang++-14", "clang_14", full=False)
add("clang++-19", "clang_19", full=True)


@claim("C5", "a_migrating_fiber_is_right_with_the_portable_switch")
def _(box):
    program(box, "g++", "boost", ["-O2"], boost=True)
