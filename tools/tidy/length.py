"""A file is one noun. Past 450 lines it is worth a look, past 800 it needs a reason at its head."""
import re

from tree import Finding

LOOK, REASON = 450, 800
WRITTEN = re.compile(r"^(//|#)\s*long: \S", re.M)


def findings(tree):
    for file in tree.files("include", "src", "apps", "test", "bench", "tools", ends=(".hpp", ".cpp", ".h", ".py", ".cmake")):
        count = tree.text(file).count("\n")
        head = "\n".join(tree.text(file).splitlines()[:12])
        if count > REASON and not WRITTEN.search(head):
            yield Finding(file, count, f"{count} lines; split it, or write `// long: <reason>` at its head")
        elif LOOK < count <= REASON:
            yield Finding(file, count, f"{count} lines; is it still one noun?", note=True)
