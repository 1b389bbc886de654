"""Tests written in Python: test/e2e/*.py. A test is a function with a claim; it gets a Box to work in.

    from claims import claim, equal, has

    @claim("E38", "pkg_config_knows_the_version")
    def _(box):
        out = box.run(["pkg-config", "--modversion", "hopsack"])
        equal(out.out.strip(), "0.1.0")

It passes if it returns, is skipped if it raises Skip, and fails otherwise. Each runs in a process of its own.
"""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import house

SKIPPED = 77  # exit status of a skipped claim


class Skip(Exception):
    pass


@dataclass
class Claim:
    row: str
    name: str
    full: bool
    file: Path
    body: object = None


@dataclass
class Out:
    code: int
    out: str
    err: str


_found = []


def claim(row, name, full=False):
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"a claim is words_in_snake_case, not {name!r}")

    def keep(body):
        _found.append(Claim(row, name, full, Path(body.__code__.co_filename), body))
        return body
    return keep


class Box:
    """A temporary directory and a way to run things in it."""
    root = house.ROOT

    def __init__(self, directory):
        self.dir = Path(directory)

    def run(self, command, cwd=None, env=None, expect=0, timeout=1200, input=None):
        """Run and return Out; any other exit status than `expect` fails the claim (None: any will do)."""
        full = {k: v for k, v in {**os.environ, **(env or {})}.items() if v is not None}
        done = subprocess.run([str(c) for c in command], cwd=cwd or self.dir, env=full, input=input, text=True, errors="replace",
                              capture_output=True, timeout=timeout, stdin=None if input is not None else subprocess.DEVNULL)
        if expect is not None and done.returncode != expect:
            words = " ".join(str(c) for c in command)
            raise AssertionError(f"exit status {done.returncode}, expected {expect}: {words}\n{done.stdout[-3000:]}{done.stderr[-5000:]}")
        return Out(done.returncode, done.stdout, done.stderr)

    def write(self, path, text):
        path = self.dir / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def equal(got, wanted, what="value"):
    if got != wanted:
        raise AssertionError(f"{what} is {got!r}, expected {wanted!r}")


def has(text, part):
    if part not in text:
        raise AssertionError(f"expected {part!r} in:\n{text}")


def has_not(text, part):
    if part in text:
        raise AssertionError(f"did not expect {part!r} in:\n{text}")


def matches(text, pattern):
    found = re.search(pattern, text, re.M)
    if not found:
        raise AssertionError(f"nothing matches {pattern!r} in:\n{text}")
    return found


def load(file):
    """The claims of one file."""
    del _found[:]
    spec = importlib.util.spec_from_file_location(f"e2e_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(file.parent))
    return list(_found)


def _run_one(file, name):
    found = [c for c in load(Path(file)) if c.name == name]
    if len(found) != 1:
        raise SystemExit(f"{file}: {len(found)} claims are called {name}")
    with tempfile.TemporaryDirectory(prefix="hop-") as directory:
        try:
            found[0].body(Box(directory))
        except Skip as reason:
            print(reason)
            return SKIPPED
    return 0


if __name__ == "__main__":
    sys.modules["claims"] = sys.modules["__main__"]  # one registry, whichever name a test imports
    sys.exit(_run_one(*sys.argv[1:3]))
