"""Every explicit memory order says its partner and its promise, on the line or within five lines above it.

src/model is exempt: it implements the orders, so there they are values and not promises.
"""
import re

from tree import Finding, room_of

ORDER = re.compile(r"\bmemory_order(?:_|::)(relaxed|consume|acquire|release|acq_rel|seq_cst)\b")
REASON = re.compile(r"(?://|/\*|^\s*\*).*\b(order|pairs):")
ABOVE = 5


def findings(tree):
    for file in tree.files("include", "src"):
        if room_of(file) == "model":
            continue
        lines, code = tree.text(file).splitlines(), tree.code(file).splitlines()
        for number, text in enumerate(code):
            order = ORDER.search(text)
            if order and not any(REASON.search(above) for above in lines[max(0, number - ABOVE):number + 1]):
                yield Finding(file, number + 1, f"memory_order_{order[1]} without a reason; write `// order: ... pairs: ...` above it")
