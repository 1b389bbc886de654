"""./dev says what is wrong with what it was told, works from anywhere, and looks after its packages."""
import os
import signal
import subprocess
import time

from claims import Skip, claim, equal, has, has_not, matches
from planted import NO_BUILD_ROOT, House


@claim("dev", "help_is_printed_without_a_verb_and_for_every_verb")
def _(box):
    house = House(box)
    equal(house.dev().out, house.dev("--help").out)
    verbs = [line.split()[0] for line in house.dev().out.splitlines() if line.startswith("  ")]
    equal(verbs, ["setup", "build", "run", "test", "features", "bench", "model", "tidy"])
    for verb in verbs:
        has(house.dev(verb, "--help").out, f"./dev {verb}")


@claim("dev", "a_wrong_word_is_named_with_the_nearest_right_one")
def _(box):
    house = House(box)
    for words, wrong, right in [(["tset"], "tset", "test"), (["test", "--prest", "x"], "--prest", "--preset"),
                                (["test", "--row", "Z99"], "Z99", "9"), (["test", "--row", "c10"], "c10", "C10"),
                                (["test", "--preset", "tsna"], "tsna", "tsan"), (["test", "--home", "cor"], "cor", "core"),
                                (["test", "--room", "fibre"], "fibre", "fiber"), (["build", "debug"], "debug", "dev"),
                                (["tidy", "formt"], "formt", "format"), (["features", "--home", "x"], "x", "core")]:
        out = house.dev(*words, expect=2)
        equal(out.out, "", "stdout")
        has(out.err, repr(wrong))
        has(out.err, right)
        has_not(out.err, "Traceback")
    for words in [["test", "--workers", "0"], ["test", "--seed", "-1"], ["test", "--workers", "two"], ["bench", "--rounds"], ["test", "--row"]]:
        has_not(house.dev(*words, expect=2).err, "Traceback")


@claim("dev", "it_works_from_any_directory_through_a_link_and_with_a_space_in_its_path")
def _(box):
    house = House(box)
    link = box.dir / "short"
    link.symlink_to(house.root / "dev")
    out = box.run([link, "features", "--home", "house"], cwd="/", env=NO_BUILD_ROOT)
    matches(out.out, r"^E38 +untested ")


def without_packages(box):
    """A PATH whose dpkg-query knows no package and whose apt-get writes down what it is asked."""
    fake = box.dir / "fake"
    box.write("fake/dpkg-query", "#!/bin/bash\nexit 1\n").chmod(0o755)
    box.write("fake/apt-get", f"#!/bin/bash\necho \"$@\" >>'{box.dir}/asked'\n").chmod(0o755)
    return {"PATH": f"{fake}:{os.environ['PATH']}"}


@claim("dev", "missing_packages_are_installed_by_root")
def _(box):
    if os.geteuid() != 0:
        raise Skip("needs root")
    house = House(box)
    out = house.dev("tidy", "rooms", env=without_packages(box))
    asked = (box.dir / "asked").read_text().splitlines()
    equal(len(asked), 2, "calls of apt-get")
    matches(asked[0], r"\bupdate$")
    matches(asked[1], r"\binstall -y --no-install-recommends g\+\+ .*\bclang-format-14\b")
    has_not(asked[1], "libboost-fiber")
    has(out.err, "setup: installing")
    house.dev("setup", "--peers", env=without_packages(box))
    has((box.dir / "asked").read_text(), "libboost-fiber1.81-dev")


@claim("dev", "without_root_the_apt_line_is_printed_and_the_status_is_3")
def _(box):
    house = House(box)
    os.chmod(box.dir, 0o755)
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    out = box.run([*drop, house.root / "dev", "run"], expect=3, env={**NO_BUILD_ROOT, **without_packages(box)})
    matches(out.err, r"^  sudo apt-get install -y --no-install-recommends g\+\+ cmake ")
    has_not(out.err, "libgtest")  # ./dev run needs no tests
    equal(out.out, "", "stdout")


@claim("dev", "a_misspelt_option_of_setup_installs_nothing")
def _(box):
    out = House(box).dev("setup", "--pears", expect=2, env=without_packages(box))
    has(out.err, "--peers")
    equal((box.dir / "asked").exists(), False, "apt-get was called")


def sleepers(root):
    """Living processes that stand somewhere below root and sleep."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/cwd").startswith(str(root)):
                found += [entry] * ("sleep" in open(f"/proc/{entry}/comm").read())
        except OSError:
            pass  # it has ended since, or is a zombie
    return found


def wait_until(true):
    for _ in range(600):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("nothing of the kind within 30 s")


@claim("dev", "ctrl_c_stops_the_children_and_exits_130_without_a_traceback")
def _(box):
    house = House(box)
    # A build step that never ends stands for any long child.
    house.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.22)\nproject(slow NONE)\nadd_custom_target(hopsack ALL COMMAND sleep 987)\n")
    child = subprocess.Popen([house.root / "dev", "run"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                             env={k: v for k, v in os.environ.items() if k not in NO_BUILD_ROOT})
    wait_until(lambda: sleepers(house.root))
    os.kill(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=30)
    equal(child.returncode, 130, "exit status")
    has_not(err, "Traceback")
    has(err, "stopped")
    wait_until(lambda: not sleepers(house.root))


@claim("dev", "ci_calls_dev_test_and_nothing_else")
def _(box):
    lines = [line for line in (box.root / ".ci" / "run").read_text().splitlines() if line and not line.startswith("#")]
    equal(lines, ["exec ./dev test"])
