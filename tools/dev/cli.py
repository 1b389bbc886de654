"""Arguments of ./dev, and what every verb shares: exit codes, Ctrl-C, a hint at the word that was meant."""
import argparse
import importlib
import os
import signal
import sys
from pathlib import Path

import builds
import house
import proc
from talk import say
from usage import Parser, Usage, count, nearest, one_of


def row(word):
    import features
    return one_of("row", features.load().rows)(word)


def home(word):
    import features
    return one_of("home", features.load().homes)(word)


def room(word):
    import rooms
    return one_of("room", rooms.names())(word)


def check(word):
    import tidy
    return one_of("check", tidy.NAMES)(word)


SEED = count(0, 2**64 - 1)


def parser_of(verb):
    parser = Parser(prog=f"./dev {verb}", description=HELP[verb], allow_abbrev=False,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    if verb == "setup":
        add("--peers", action="store_true", help="what ./dev bench compares with")
        add("--full", action="store_true", help="the compiler matrix of ./dev test --full")
    elif verb == "build":
        add("preset", nargs="?", default="release", type=one_of("preset", house.PRESETS), help=", ".join(house.PRESETS))
    elif verb == "run":
        add("arguments", nargs="*", help="after --: arguments of the program instead of `demo`")
    elif verb == "test":
        add("--full", action="store_true", help="also the long ones: bigger counts, the compiler matrix, bench --check")
        add("--row", action="append", metavar="ID", type=row, help="tests of this row of docs/features.md; may repeat")
        add("--home", metavar="H", type=home, help="tests of all rows with this home")
        add("--room", metavar="R", type=room, help="tests under test/unit/R, and claims about the room")
        add("--preset", metavar="P", type=one_of("preset", house.PRESETS), help="only in this build")
        add("--workers", metavar="N", type=count(1, 256), help="instead of 1, 2 and 8")
        add("--seed", metavar="N", type=SEED, help="for every random test")
        add("--list", action="store_true", help="print the claims and run nothing")
    elif verb == "features":
        add("--home", metavar="H", type=home, help="rows with this home")
        add("--json", action="store_true", help="an array of objects instead of the table")
        add("--badge", metavar="FILE", help="also write an SVG that says how many rows passed")
    elif verb == "bench":
        add("names", nargs="*", metavar="name", help="benches under bench/ (all)")
        add("--check", action="store_true", help="hold the medians against bench/checks.py; exit 1 where one fails")
        add("--workers", metavar="N", type=count(1, 256), help="instead of each bench's own choice")
        add("--rounds", metavar="N", type=count(1, 1000), default=5, help="ours and the peers in turn, medians (5)")
        add("--json", metavar="FILE", help="also write one object a line")
        add("--no-peers", action="store_true", help="ours alone")
    elif verb == "model":
        add("piece", nargs="?", help="one piece (all)")
        add("--mutants", action="store_true", help="plant each defect; the search must find it")
        add("--schedule", metavar="FILE", help="replay a schedule that an earlier run wrote")
        add("--seed", metavar="N", type=SEED, help="seed of the search")
        add("--list", action="store_true", help="print the pieces")
    elif verb == "tidy":
        add("--fix", action="store_true", help="format the sources")
        add("checks", nargs="*", metavar="check", type=check, help="only these checks (all)")
    return parser


HELP = {
    "setup": "Install the Debian packages of tools/packages.txt that are missing. Other verbs do it when they need to.",
    "build": "Configure and build a preset under build/<preset>.",
    "run": "Build the program and run it: `./dev run` is `hopsack demo`, `./dev run -- --help` shows what else it does.",
    "test": "What CI runs. Closes with `N passed, N failed`; details in build/report/results.jsonl.",
    "features": "One line a row of docs/features.md: id, state, seconds, title. The state comes from the last ./dev test.",
    "bench": "Measure ours and the peers in turn and print medians with their ratio to ours.",
    "model": "Search the interleavings of the pieces under test/model.",
    "tidy": "Look for what reviewers should not have to. Findings on stdout, exit 1 if there are any.",
}
MODULE = {"setup": "setup", "build": "verbs", "run": "verbs", "model": "verbs", "test": "runner", "features": "features",
          "bench": "bench", "tidy": "tidy"}


def dispatch(words):
    verb, rest = words[0], words[1:]
    if verb not in HELP:
        raise Usage(f"./dev: no verb {verb!r}{nearest(verb, list(HELP))}")
    if verb == "run":  # what follows -- is the program's, whatever it looks like
        cut = rest.index("--") if "--" in rest else len(rest)
        options = parser_of(verb).parse(rest[:cut])
        options.arguments += rest[cut + 1:]
    else:
        options = parser_of(verb).parse(rest)
    module = importlib.import_module(MODULE[verb])
    return getattr(module, verb if MODULE[verb] in ("verbs", "setup") else "run")(options)


def interrupted(number, _):
    raise KeyboardInterrupt(number)


def main(words):
    sys.path.insert(0, str(Path(__file__).parent))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    try:
        return dispatch(words) or 0
    except Usage as wrong:
        say(str(wrong))
        return 2
    except KeyboardInterrupt as stop:
        number = stop.args[0] if stop.args else signal.SIGINT
        say("stopped")
        proc.stop_all()
        return 128 + number
    except BrokenPipeError:  # `./dev features | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except builds.BuildFailed as error:
        say(f"{error.output}\nfailed: {error}")
        return 1


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # pool threads may still hold a child's pipe; nothing of theirs matters any more
