"""A small house of one's own: the tools of this project around planted sources, in a directory with a space in its name."""
import shutil

TOOLS = ["dev", "tools", "cmake", "CMakeLists.txt", "CMakePresets.json", ".clang-format", "docs/features.md", "test/support",
         "include/hop/version.hpp", "bench/checks.py"]
NO_BUILD_ROOT = {"HOP_BUILD_ROOT": None, "HOP_REPORT": None}


class House:
    def __init__(self, box, files=()):
        self.box, self.root = box, box.dir / "a house"
        for name in TOOLS:
            source, target = box.root / name, self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, target)
        for path, text in dict(files).items():
            self.write(path, text)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def dev(self, *words, expect=0, cwd=None, env=None):
        """./dev of the house, called from somewhere else by its full path."""
        # Every house stands in another directory; ccache may overlook that.
        cache = {"CCACHE_BASEDIR": str(self.root), "CCACHE_NOHASHDIR": "1"}
        return self.box.run([self.root / "dev", *words], expect=expect, cwd=cwd, env={**NO_BUILD_ROOT, **cache, **(env or {})})
