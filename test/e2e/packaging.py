"""An installed hopsack serves other people's projects (test/consumers): with CMake, with pkg-config, static and shared."""
import re
import shutil

import builds
import house
from claims import Skip, claim, equal, has, has_not, matches

CONSUMERS = house.ROOT / "test" / "consumers"
NAMES = ("hopsack_static", "hopsack_shared", "hopsack")  # the targets that get installed


def version():
    """As the header has it: everything else must agree."""
    text = (house.ROOT / "include/hop/version.hpp").read_text()
    return ".".join(matches(text, rf"^#define HOP_VERSION_{part} (\d+)$")[1] for part in ("MAJOR", "MINOR", "PATCH"))


def install(box, prefix="tree", env=None):
    """A release build in a tree of its own; where it is."""
    directory = builds.build("release", targets=NAMES)
    box.run(["cmake", "--install", directory, "--prefix", box.dir / prefix], env=env)
    return box.dir / prefix


def cached(box):
    """Every box is another directory; ccache may overlook that."""
    return {"CCACHE_BASEDIR": str(box.dir), "CCACHE_NOHASHDIR": "1"}


def configure(box, project, *words, expect=0):
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    return box.run(["cmake", "-G", "Ninja", "-S", CONSUMERS / project, "-B", box.dir / "build", "-DCMAKE_BUILD_TYPE=Release", *launcher, *words],
                   expect=expect, env=cached(box))


def compile(box, *targets):
    box.run(["ninja", "-C", box.dir / "build", *targets], env=cached(box))
    return box.dir / "build"


def dynamic(box, file):
    """What the loader reads: NEEDED, SONAME, flags."""
    return box.run(["readelf", "-dW", file]).out


def speaks(box, program, env=None):
    """The consumer's program did everything it should."""
    major, minor, patch = (int(n) for n in version().split("."))
    equal(box.run([program], env=env).out.splitlines(), [
        f"hopsack {version()} ({major * 10000 + minor * 100 + patch})", "on a stack of its own: 42", "back in main",
        "caught guest: a line from a fiber", "half of 7: invalid"], "what the consumer printed")


@claim("E38", "find_package_gives_the_static_library_and_either_by_its_name")
def _(box):
    configure(box, "find_package", f"-DCMAKE_PREFIX_PATH={install(box)}")
    built = compile(box, "with_hopsack", "with_static", "with_shared")
    for form in ("hopsack", "static", "shared"):
        speaks(box, built / f"with_{form}")
        (has if form == "shared" else has_not)(dynamic(box, built / f"with_{form}"), "[libhopsack.so.0]")


@claim("E38", "find_package_gives_the_shared_library_to_a_project_that_builds_shared_ones")
def _(box):
    configure(box, "find_package", f"-DCMAKE_PREFIX_PATH={install(box)}", "-DBUILD_SHARED_LIBS=ON")
    built = compile(box, "with_hopsack")
    speaks(box, built / "with_hopsack")
    has(dynamic(box, built / "with_hopsack"), "[libhopsack.so.0]")


@claim("E38", "either_library_fits_into_a_plugin_and_the_shared_one_stays_when_the_plugin_goes")
def _(box):
    configure(box, "find_package", f"-DCMAKE_PREFIX_PATH={install(box)}")
    built = compile(box, "plugin_host", "plugin_static", "plugin_shared")
    out = box.run([built / "plugin_host", built / "libplugin_static.so", built / "libplugin_shared.so"]).out
    equal(out.splitlines(), ["answer 42", "libhopsack.so.0 is not there", "answer 42", "libhopsack.so.0 stays"])


@claim("E38", "find_package_refuses_a_version_that_is_not_this_one")
def _(box):
    tree = install(box)
    major, minor, patch = (int(n) for n in version().split("."))
    good = ["", f"{major}.{minor}", version()]
    bad = [f"{major}.{minor + 1}", f"{major + 1}.0", f"{major}.{minor}.{patch + 1}"] + [f"{major}.{minor - 1}"] * (minor > 0)
    for wanted in bad:
        out = configure(box, "find_package", f"-DCMAKE_PREFIX_PATH={tree}", f"-DWANTED_VERSION={wanted}", expect=1)
        has(out.err, f'compatible with requested version "{wanted}"')
    for wanted in good:
        has(configure(box, "find_package", f"-DCMAKE_PREFIX_PATH={tree}", f"-DWANTED_VERSION={wanted}").out, f"package version {version()}")


@claim("E38", "add_subdirectory_builds_the_library_alone")
def _(box):
    configure(box, "add_subdirectory", f"-DHOPSACK={house.ROOT}")
    built = compile(box, "consumer")
    speaks(box, built / "consumer")
    has_not(dynamic(box, built / "consumer"), "libhopsack")
    programs = re.findall(r"^(\S+): CXX_EXECUTABLE_LINKER", box.run(["ninja", "-C", built, "-t", "targets", "all"]).out, re.M)
    equal(programs, ["consumer"], "programs of the build")  # no tests, benches or programs of ours
    box.run(["cmake", "--install", built, "--prefix", box.dir / "nothing"])
    equal([p.name for p in box.dir.glob("nothing/**/*") if p.is_file()], [], "installed files")


@claim("E38", "add_subdirectory_builds_the_shared_library_with_the_portable_switch")
def _(box):
    configure(box, "add_subdirectory", f"-DHOPSACK={house.ROOT}", "-DBUILD_SHARED_LIBS=ON", "-DHOP_BUILD_SHARED=ON", "-DHOP_SWITCH=boost")
    built = compile(box, "consumer")
    speaks(box, built / "consumer")
    for library in ("libhopsack.so.0", "libboost_context.so"):  # the switch is inline: the consumer itself calls Boost's
        has(dynamic(box, built / "consumer"), f"[{library}")


def with_pkg_config(box, compiler):
    if shutil.which(compiler) is None:
        raise Skip(f"{compiler} is not installed")
    env = {"PKG_CONFIG_PATH": str(install(box) / "lib/pkgconfig"), "CXX": compiler}
    for form in ("static", "shared"):
        box.run([CONSUMERS / "pkg_config/build.sh", form, box.dir / form], env=env)
        speaks(box, box.dir / form)
        (has if form == "shared" else has_not)(dynamic(box, box.dir / form), "[libhopsack.so.0]")


@claim("E38", "a_compiler_and_pkg_config_are_enough")
def _(box):
    with_pkg_config(box, "g++")


@claim("E38", "clang_and_pkg_config_are_enough")
def _(box):
    with_pkg_config(box, "clang++-14")


@claim("E38", "header_pkg_config_file_and_names_of_the_library_say_the_same_version")
def _(box):
    tree = install(box)
    pkg = {"PKG_CONFIG_PATH": str(tree / "lib/pkgconfig")}
    equal(box.run(["pkg-config", "--modversion", "hopsack"], env=pkg).out.strip(), version(), "pkg-config's version")
    real = tree / f"lib/libhopsack.so.{version()}"
    equal((tree / "lib/libhopsack.so").resolve(), real.resolve(), "where libhopsack.so leads")
    major = version().split(".")[0]
    equal((tree / f"lib/libhopsack.so.{major}").resolve(), real.resolve(), "where the soname leads")
    equal(re.findall(r"\(SONAME\).*\[(.*)\]", dynamic(box, real)), [f"libhopsack.so.{major}"], "soname")
    equal(box.run([tree / "bin/hopsack", "--version"]).out, f"hopsack {version()}\n", "hopsack --version")


@claim("E38", "the_shared_library_stays_loaded_and_needs_nothing_but_the_language_and_the_kernel")
def _(box):
    text = dynamic(box, install(box) / "lib/libhopsack.so")
    matches(text, r"\(FLAGS_1\).*\bNODELETE\b")
    needed = set(re.findall(r"\(NEEDED\).*\[(\w+(?:\+\+)?)[^\]]*\]", text))
    allowed = {"libstdc++", "libgcc_s", "libm", "libc", "ld", "libdl", "libpthread"}
    equal(needed - allowed, set(), "further libraries")
    has_not(text, "RUNPATH")
    has_not(text, "RPATH")


@claim("E38", "only_names_of_hopsack_leave_the_shared_library")
def _(box):
    listed = box.run(["nm", "-D", "--defined-only", "-C", install(box) / "lib/libhopsack.so"]).out.splitlines()
    names = [line.split(maxsplit=2)[2] for line in listed]
    ours = re.compile(r"((typeinfo|typeinfo name|vtable) for )?hop::|hop_\w+$")
    equal([name for name in names if not ours.match(name)], [], "foreign names")
    for wanted in ("hop::set_log_sink(", "hop::fiber::fiber::create(", "hop::base::panic(", "hop_thread_word"):
        has("\n".join(names), wanted)


@claim("E38", "installed_is_what_users_need_and_nothing_else")
def _(box):
    tree = install(box)
    include = house.ROOT / "include"
    headers = {f"include/{p.relative_to(include)}": p.read_bytes() for p in include.glob("**/*.h*")}
    libraries = {f"lib/{name}" for name in ("libhopsack.a", "libhopsack.so", f"libhopsack.so.{version().split('.')[0]}", f"libhopsack.so.{version()}")}
    package = {f"lib/cmake/hopsack/{name}" for name in (
        "hopsackConfig.cmake", "hopsackConfigVersion.cmake", "hopsack_targets.cmake", "hopsack_targets-release.cmake")}
    there = {str(p.relative_to(tree)) for p in tree.glob("**/*") if not p.is_dir()}
    equal(sorted(there), sorted(headers.keys() | libraries | package | {"lib/pkgconfig/hopsack.pc", "bin/hopsack"}), "installed files")
    equal([name for name, text in headers.items() if (tree / name).read_bytes() != text], [], "headers that differ from include/")
    has(headers.keys(), "include/hop.hpp")


@claim("E38", "the_tree_can_be_moved_and_names_no_directory_of_the_machine_it_was_built_on")
def _(box):
    tree = install(box)
    moved = tree.rename(box.dir / "moved tree")
    places = [str(p).encode() for p in (tree, house.ROOT, house.BUILD)]
    for file in (p for p in moved.glob("**/*") if p.is_file()):
        for place in places:
            equal(place in file.read_bytes(), False, f"{place.decode()} in {file.relative_to(moved)}")
    configure(box, "find_package", f"-DCMAKE_PREFIX_PATH={moved}")
    built = compile(box, "with_static", "with_shared")
    speaks(box, built / "with_static")
    speaks(box, built / "with_shared")
    pkg = {"PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")}
    has(box.run(["pkg-config", "--cflags", "hopsack"], env=pkg).out.replace("\\", ""), f"-I{moved}/lib/pkgconfig/../../include")
    equal(box.run([moved / "bin/hopsack", "demo", "--quick", "guard"]).out.splitlines()[-1].split(",")[0], "1 right", "last line")


@claim("E38", "destdir_puts_the_tree_where_a_packager_wants_it")
def _(box):
    stage = box.dir / "stage"
    directory = builds.build("release", targets=NAMES)
    box.run(["cmake", "--install", directory, "--prefix", "/opt/hop-sack"], env={"DESTDIR": str(stage)})
    equal([p.name for p in stage.iterdir()], ["opt"], "what is in the stage")
    tree = stage / "opt/hop-sack"
    env = {"PKG_CONFIG_PATH": str(tree / "lib/pkgconfig")}
    box.run([CONSUMERS / "pkg_config/build.sh", "static", box.dir / "program"], env=env)
    speaks(box, box.dir / "program")
    for file in (p for p in tree.glob("**/*") if p.is_file()):
        equal(str(stage).encode() in file.read_bytes(), False, f"{stage} in {file.name}")


@claim("C4", "the_library_compiles_for_aarch64_with_the_portable_switch", full=True)
def _(box):
    compiler = "aarch64-linux-gnu-g++"
    if shutil.which(compiler) is None:
        raise Skip(f"{compiler} is not installed")
    sources = [p for p in sorted((box.root / "src").glob("*/*.cpp")) if p.parent.name in ("base", "obs", "fiber")]
    for source in sources:
        box.run([compiler, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", "-DFMT_HEADER_ONLY=1",
                 "-DHOP_SWITCH_BOOST=1", f"-I{box.root}/include", f"-I{box.root}/src", "-c", source,
                 "-o", box.dir / f"{source.parent.name}_{source.stem}.o"])
    made = sorted(box.dir.glob("*.o"))
    equal(len(made), len(sources), "objects")
    has(box.run(["readelf", "-h", made[0]]).out, "AArch64")
    context = box.run(["nm", "-u", box.dir / "fiber_fiber.o"]).out
    has(context, "jump_fcontext")  # Boost's switch, which knows this processor
