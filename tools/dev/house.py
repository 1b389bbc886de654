"""Where things are, and the few tables that say how the house is run."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# HOP_BUILD_ROOT: a second set of build directories, so that two runs in one checkout do not wait for each other.
BUILD = Path(os.environ.get("HOP_BUILD_ROOT") or ROOT / "build").resolve()
REPORT = BUILD / "report" / "results.jsonl"
FEATURES = ROOT / "docs" / "features.md"
TOOL = ROOT / "tools"

PRESETS = ("release", "dev", "asan", "tsan", "model")
TEST_PRESETS = ("release", "asan", "tsan")  # where the unit tests of every room run
CORES = os.cpu_count() or 1

# How many workers a room's tests run with. What has no runtime runs once; everything above it with all of these.
WORKERS = (1, 2, 8)
TIMING_WORKERS = (1, 2)
ROOM_WORKERS = {"base": (1,), "obs": (1,), "fiber": (1,), "model": (1,)}

# A program that says nothing for this long hangs, and that is a bug to report: no test waits on purpose for minutes.
SILENCE_SECONDS = 600


def workers_of(room):
    return ROOM_WORKERS.get(room, WORKERS)


def relative(path):
    """A path as a reader of the project would write it."""
    try:
        return str(Path(path).relative_to(ROOT))
    except ValueError:
        return str(path)
