"""Words that say something about one machine, or promise work without a place to find it again."""
import re

from tree import Finding

TEXT = (".hpp", ".cpp", ".h", ".py", ".cmake", ".txt", ".md", ".sh", ".json", ".in", ".dag", ".yml", ".svg")
# Spelt in pieces, so that this file does not find itself.
MACHINE = re.compile(r"(?<![\w.$}])/(" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + r"me/\w+", "Us" + r"ers/\w+"]) + r")(?=/|\b(?![\w-]))")
LATER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) + r")\b")
BARE = {"dev", ".ci/run", "CMakeLists.txt"}


def findings(tree):
    for file in tree.all:
        if not file.endswith(TEXT) and file not in BARE:
            continue
        product = file.startswith(("include/", "src/", "apps/"))
        for number, text in enumerate(tree.text(file).splitlines(), 1):
            machine = MACHINE.search(text)
            if machine:
                yield Finding(file, number, f"'{machine[0]}' is a path of one machine; make it relative or configurable")
            later = product and LATER.search(text)
            if later:
                yield Finding(file, number, f"{later[0]} in product code; do it, or say in the room's README what is left and why")
