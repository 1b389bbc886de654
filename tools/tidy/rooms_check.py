"""Includes follow tools/rooms.dag: a room sees what stands before it, so that one can read the house from the bottom."""
import re
import sys

import house

sys.path.insert(0, str(house.TOOL / "dev"))
import rooms  # noqa: E402
from tree import Finding, room_of  # noqa: E402

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<hop/([^>]+)>|"(?:hop/)?([^"]+)")', re.M)


def single(sees, room, file):
    """The room of a file, or the file itself where rooms.dag names it apart."""
    alone = f"{room}/{file.rsplit('/', 1)[-1].removesuffix('.hpp')}"
    return alone if alone in sees else room


def findings(tree):
    try:
        sees = rooms.below(rooms.load(tree.root))
    except (rooms.BadDag, OSError) as error:
        yield Finding("tools/rooms.dag", 1, f"{error}; put the arrows in order")
        return
    for file in tree.files("include", "src", "apps"):
        room = room_of(file)
        if room is None:
            continue  # <hop.hpp> and <hop/version.hpp> stand outside of the rooms
        room = single(sees, room, file)
        if room not in sees:
            yield Finding(file, 1, f"room '{room}' is not in tools/rooms.dag; add its arrows or move the file")
            continue
        code = tree.code(file)
        for match in INCLUDE.finditer(code):
            target = match[1] or match[2]
            line = code.count("\n", 0, match.start(1) if match[1] else match.start(2)) + 1
            if "/" not in target:
                continue  # a neighbour in the same directory, or a header outside of the rooms
            other = single(sees, target.split("/")[0], target)
            if other not in sees and not (tree.root / file).parent.joinpath(target).exists():
                yield Finding(file, line, f"includes '{target}' of room '{other}', which is not in tools/rooms.dag")
            elif other in sees and other not in sees[room]:
                yield Finding(file, line, f"room '{room}' includes '{target}', but '{other}' does not stand before it in tools/rooms.dag; "
                              "turn the arrow round with an interface of the lower room")
