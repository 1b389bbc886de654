"""clang-format, at the version of .clang-format: another version would move lines that nobody touched."""
import re
import shutil
import subprocess

from tree import Finding

PLACES = ("include", "src", "apps", "test", "bench", "examples")


def tool():
    return shutil.which("clang-format-14") or "clang-format"


def sources(tree):
    return tree.files(*PLACES)


def findings(tree):
    files = sources(tree)
    if not files:
        return
    done = subprocess.run([tool(), "--dry-run", *files], cwd=tree.root, capture_output=True, text=True, errors="replace")
    seen = set()
    for file, line in re.findall(r"^(.+?):(\d+):\d+: warning: code should be clang-formatted", done.stderr, re.M):
        if file not in seen:  # the first place of a file; --fix mends them all
            seen.add(file)
            yield Finding(file, int(line), "not formatted; run ./dev tidy --fix")
    if done.returncode and not seen:
        yield Finding(".clang-format", 1, f"clang-format failed: {done.stderr.strip()[:500]}")


def fix(tree):
    files = sources(tree)
    if files:
        subprocess.run([tool(), "-i", *files], cwd=tree.root, check=True)
        tree.__init__(tree.root)  # texts have changed
