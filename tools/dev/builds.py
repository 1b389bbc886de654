"""Configure and build a preset."""
import fcntl
import re
from contextlib import contextmanager

import house
import proc
from talk import Progress, say


class BuildFailed(Exception):
    def __init__(self, what, output):
        super().__init__(what)
        self.output = output


@contextmanager
def locked(directory, why):
    """One ./dev at a time in a directory; the second one says that it waits."""
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{house.relative(directory)}: another ./dev {why} here, waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def configure(preset):
    directory = house.BUILD / preset
    # Every time: it takes half a second and sees a changed preset or a package that has been installed since.
    done = proc.run(["cmake", "--preset", preset, "-B", directory], cwd=house.ROOT)
    if done.code:
        raise BuildFailed(f"configure {preset}", done.out)
    return directory


def targets_of(directory, pattern):
    """Names of the programs that this build can make."""
    done = proc.run(["ninja", "-C", directory, "-t", "targets", "all"])
    return sorted(set(re.findall(rf"^((?:{pattern})): (?:phony|CXX_EXECUTABLE_LINKER\S*)$", done.out, re.M)))


def build(preset, targets=(), only=None):
    """Build all, or `targets`, or the programs whose name matches the pattern `only`. Returns the build directory."""
    with locked(house.BUILD / preset, "builds"):
        directory = configure(preset)
        if only is not None:
            targets = targets_of(directory, only)
            if not targets:
                return directory
        with Progress(f"build {preset}") as progress:
            def hear(line):
                step = re.match(r"(\[\d+/\d+\]) \S+ \S+ (?:object |executable )?(.*)", line)
                if step:
                    progress.now(f"{step[1]} {step[2].rsplit('/', 1)[-1]}")
            done = proc.run(["ninja", "-C", directory, *targets], on_line=hear)
        if done.code:
            raise BuildFailed(f"build {preset}", _failures(done.out))
        if done.seconds > 3:
            say(f"build {preset}: {done.seconds:.0f} s")
    return directory


def _failures(out):
    """ninja's output without the steps that went well."""
    kept = [line for line in out.splitlines() if not re.match(r"\[\d+/\d+\] |ninja: Entering", line)]
    return "\n".join(kept[-400:])
