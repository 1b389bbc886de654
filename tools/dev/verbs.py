"""build, run, model: build something and hand over to it."""
import os
import signal

import builds
import house
from talk import say


def hand_over(program, words):
    """Become the program: its output, its exit status, its Ctrl-C."""
    if not program.exists():
        say(f"{house.relative(program)} is not there: this tree has no sources for it")
        return 1
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and an ignored signal would be inherited
    os.execv(program, [str(program), *words])


def build(options):
    directory = builds.build(options.preset)
    say(f"built {house.relative(directory)}")
    return 0


def run(options):
    directory = builds.build("release", only="hopsack")
    return hand_over(directory / "hopsack", options.arguments or ["demo"])


def model(options):
    directory = builds.build("model", only="hop_model")
    words = [options.piece] if options.piece else []
    words += ["--mutants"] * options.mutants + ["--list"] * options.list
    words += ["--schedule", os.path.abspath(options.schedule)] if options.schedule else []
    words += ["--seed", str(options.seed)] if options.seed is not None else []
    words += ["--save", str(house.REPORT.parent / "model")]
    return hand_over(directory / "hop_model", words)
