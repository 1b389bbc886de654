"""The files a check looks at, and what it finds in them."""
import re
from dataclasses import dataclass
from pathlib import Path

SKIP = {".git", "build", "__pycache__", ".cache"}
CPP = (".hpp", ".cpp", ".h")


@dataclass
class Finding:
    file: str
    line: int
    what: str
    note: bool = False  # worth a look, not worth a failure

    def __str__(self):
        return f"{self.file}:{self.line}: {'note: ' if self.note else ''}{self.what}"


class Tree:
    def __init__(self, root):
        self.root = Path(root)
        self._texts, self._codes = {}, {}
        self.all = sorted(self._walk(self.root))

    def _walk(self, directory):
        for path in directory.iterdir():
            if path.is_symlink() or path.name in SKIP or (path.name.startswith("build-") and path.is_dir()):
                continue
            if path.is_dir():
                yield from self._walk(path)
            else:
                yield str(path.relative_to(self.root))

    def files(self, *prefixes, ends=CPP):
        """Paths below one of the prefixes ("src/base", ...), as strings relative to the root."""
        return [f for f in self.all if f.endswith(ends) and (not prefixes or f.startswith(tuple(p + "/" for p in prefixes)))]

    def text(self, file):
        if file not in self._texts:
            self._texts[file] = (self.root / file).read_text(errors="replace")
        return self._texts[file]

    def code(self, file):
        """The text with comments and string contents blanked out, line numbers kept."""
        if file not in self._codes:
            self._codes[file] = blank(self.text(file))
        return self._codes[file]


_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S)


def blank(text):
    def hide(match):
        token = match[0]
        # An include's "file" is no string to hide: the rooms check reads it.
        if token.startswith('"') and re.search(r"#\s*include\s*$", text[text.rfind("\n", 0, match.start()) + 1:match.start()]):
            return token
        return re.sub(r"[^\n]", " ", token)
    return _TOKEN.sub(hide, text)


def room_of(file):
    """include/hop/<room>/..., src/<room>/..., apps/... ; None for what stands outside of the rooms."""
    parts = file.split("/")
    if parts[0] == "apps":
        return "apps"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ["include", "hop"] and len(parts) > 3:
        return parts[2]
    return None
