"""Links in *.md lead somewhere: relative paths exist, #anchors are headings of the file they point into."""
import re
from pathlib import PurePosixPath
from urllib.parse import unquote

from tree import Finding

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$")
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:|^//")


def prose(text):
    """The lines without fenced code and `code`."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fence = None if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence:
            yield number, re.sub(r"`[^`]*`", "", line)


def anchors(text):
    """As GitHub makes them: lower case, punctuation out, spaces to dashes, -1, -2 for the same again."""
    found, seen = set(), {}
    fence = None
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fence = None if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = None if fence else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            again = seen.get(slug, 0)
            seen[slug] = again + 1
            found.add(f"{slug}-{again}" if again else slug)
        found.update(re.findall(r"<a\s+(?:name|id)=\"([^\"]+)\"", line))
    return found


def findings(tree):
    for file in tree.files(ends=(".md",)):
        for number, line in prose(tree.text(file)):
            for target in LINK.findall(line) + REFERENCE.findall(line):
                why = dead(tree, file, target)
                if why:
                    yield Finding(file, number, f"dead link '{target}': {why}")


def dead(tree, file, target):
    if OUTSIDE.match(target):
        return ""
    path, _, anchor = unquote(target).partition("#")
    base = PurePosixPath(file).parent if not path.startswith("/") else PurePosixPath()
    full = (tree.root / base / path.lstrip("/")).resolve() if path else tree.root / file
    if not full.exists():
        return "no such file"
    if not full.is_relative_to(tree.root.resolve()) and path:
        return "it leads out of the project"
    if anchor and full.suffix == ".md" and anchor.lower() not in anchors(full.read_text()):
        return f"no heading '#{anchor}' there"
    return ""
