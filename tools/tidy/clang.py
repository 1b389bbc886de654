"""clang reads every source: a second opinion on the syntax, and its thread-safety analysis, in the product's meaning of
base:: and in the model checker's."""
import re
import shutil
import sys

import house

sys.path.insert(0, str(house.TOOL / "dev"))
import builds  # noqa: E402
import compiles  # noqa: E402
import flags  # noqa: E402
from tree import Finding  # noqa: E402

EXTRA = ["-fsyntax-only", "-Wthread-safety", "-Werror", "-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"]
ERROR = re.compile(r"^(\S.*?):(\d+):\d+: (?:fatal )?error: (.*)$", re.M)


def findings(tree):
    if not tree.files("src"):
        return
    tool = shutil.which("clang++-14") or "clang++"
    jobs, seen = [], set()
    for preset in ("release", "model"):
        for source, words in flags.commands(builds.configure(preset)):
            defines = tuple(w for w in words if w.startswith("-D") and not w.endswith("_EXPORTS"))
            if (source, defines) not in seen:  # the shared library compiles the same again
                seen.add((source, defines))
                jobs.append((f"{preset} {source}", [tool, *EXTRA, *words, source]))
    told = set()
    for _, output in compiles.check("clang", jobs):
        errors = ERROR.findall(output) or [(tool, "1", output.strip()[:500])]
        for file, line, what in errors[:5]:
            finding = Finding(house.relative(file), int(line), f"clang: {what}")
            if str(finding) not in told:
                told.add(str(finding))
                yield finding
