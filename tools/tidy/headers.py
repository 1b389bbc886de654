"""Every public header compiles alone, and twice, with nothing but include/ on its path."""
import re
import sys

import house

sys.path.insert(0, str(house.TOOL / "dev"))
import builds  # noqa: E402
import compiles  # noqa: E402
import flags  # noqa: E402
from tree import Finding  # noqa: E402

WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast", "-Werror"]


def findings(tree):
    headers = tree.files("include")
    if not headers:
        return
    words = flags.public(builds.configure("release"))
    place = house.BUILD / "tidy" / "headers"
    place.mkdir(parents=True, exist_ok=True)
    jobs = []
    for file in headers:
        name = file.removeprefix("include/")
        alone = place / (re.sub(r"[/.]", "_", name) + ".cpp")
        text = f"#include <{name}>\n#include <{name}>\n"
        if not alone.exists() or alone.read_text() != text:
            alone.write_text(text)
        jobs.append((file, ["g++", "-fsyntax-only", *WARN, *words, str(alone)]))
    for file, output in compiles.check("headers", jobs):
        first = re.search(rf"(include/\S+?):(\d+):\d+: (?:fatal )?error: (.*)", output)
        where, line, what = (first[1], int(first[2]), first[3]) if first else (file, 1, output.strip()[:300])
        yield Finding(where, line, f"<{file.removeprefix('include/')}> does not compile alone: {what}")
