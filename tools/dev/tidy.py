"""./dev tidy: run the checks of tools/tidy, one file each, and print what they find."""
import importlib
import sys
import time

import house
from talk import Progress, data, say

sys.path.insert(0, str(house.TOOL / "tidy"))
from tree import Tree  # noqa: E402

CHECKS = ("format", "rooms_check", "orders", "banned", "length", "words", "links", "headers", "clang")  # cheap ones first
NAMES = {name.removesuffix("_check"): name for name in CHECKS}


def run(options):
    chosen = [NAMES[word] for word in options.checks] or CHECKS
    tree = Tree(house.ROOT)
    found, began = 0, time.monotonic()
    with Progress("tidy") as progress:
        for name in chosen:
            progress.now(name.removesuffix("_check"))
            check = importlib.import_module(name)
            if options.fix and hasattr(check, "fix"):
                check.fix(tree)
            for finding in check.findings(tree):
                if finding.note:
                    say(str(finding))
                else:
                    data(str(finding))
                    found += 1
    say(f"tidy: {found} findings, {time.monotonic() - began:.1f} s" if found else f"tidy: nothing found, {time.monotonic() - began:.1f} s")
    return 1 if found else 0
