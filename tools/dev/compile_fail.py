"""test/compile_fail/<ROW>_<claim>.cpp must not compile, for the reason in its first line, `// expect: <regex>`.

With -DCONTROL it must compile: so it is the one forbidden thing that stops it, not a missing include.
"""
import re
from dataclasses import dataclass
from pathlib import Path

import house
import proc

NAME = re.compile(r"([A-Z]\d+|[a-z]+)_([a-z0-9_]+)")


@dataclass
class Case:
    row: str
    name: str
    file: Path


def cases(root=None):
    found = []
    for file in sorted(((root or house.ROOT) / "test" / "compile_fail").glob("*.cpp")):
        name = NAME.fullmatch(file.stem)
        found.append(Case(name[1] if name else "dev", name[2] if name else file.stem, file))
    return found


def complaint(case, flags):
    """Why the case fails its test; empty if it does not."""
    text = case.file.read_text()
    expect = re.match(r"// expect: (.+)\n", text)
    if not NAME.fullmatch(case.file.stem):
        return f"{case.file.name}: the name of a case is <ROW>_<claim>.cpp"
    if not expect:
        return "its first line is not `// expect: <regex>`"
    if not re.search(r"^\s*#\s*if.*\bCONTROL\b", text, re.M):
        return "it has no `#ifdef CONTROL` variant that compiles"
    compile = ["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags]
    control = proc.run([*compile, "-DCONTROL", case.file], silence=house.SILENCE_SECONDS)
    if control.code:
        return f"the control variant does not compile:\n{control.out}"
    broken = proc.run([*compile, case.file], silence=house.SILENCE_SECONDS)
    if not broken.code:
        return "it compiles"
    if not re.search(expect[1], broken.out):
        return f"the error does not match /{expect[1]}/:\n{broken.out}"
    return ""
