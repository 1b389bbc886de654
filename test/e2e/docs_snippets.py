"""Docs are compiled: every cpp block with a main in README and docs is built against the library and run."""
import re

import builds
import flags
import house
from claims import claim, equal

BLOCK = re.compile(r"^```cpp\n(.*?)^```\n(?:\nIt prints:\n\n```text\n(.*?)^```\n)?", re.M | re.S)


def snippets():
    files = [house.ROOT / "README.md", house.ROOT / "CONTRIBUTING.md", *sorted((house.ROOT / "docs").rglob("*.md"))]
    for file in files:
        text = file.read_text()
        for number, match in enumerate(BLOCK.finditer(text), 1):
            if re.search(r"\bmain\s*\(", match[1]):
                yield f"{file.stem}_{number}", match[1], match[2]


@claim("dev", "every_program_in_the_docs_compiles_runs_and_prints_what_it_says")
def _(box):
    directory = builds.build("release", targets=["hopsack_static"])
    found = list(snippets())
    equal(bool(found), True, "a program in the README")
    for name, code, printed in found:
        source = box.write(f"{name}.cpp", code)
        box.run(["g++", "-O1", "-Wall", "-Wextra", "-Werror", *flags.public(directory), source, directory / "libhopsack.a",
                 "-lboost_context", "-ldl", "-o", box.dir / name])
        out = box.run([box.dir / name])
        if printed is not None:
            equal(out.out, printed, f"output of {name}")
