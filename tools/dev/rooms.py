"""tools/rooms.dag: the rooms of the house and which may include which."""
import re

import house


class BadDag(Exception):
    pass


def parse(text, name="tools/rooms.dag"):
    """`a < b < c;  b, d < e;` -> {room: set of rooms directly before it}. Comments run from # to the end of the line.

    `base/place` is a single header that stands apart from its room."""
    before = {}
    text = re.sub(r"#.*", "", text)
    for statement in filter(None, (part.strip() for part in text.split(";"))):
        groups = [[word.strip() for word in group.split(",")] for group in statement.split("<")]
        bad = [w for g in groups for w in g if not re.fullmatch(r"[a-z][a-z0-9_]*(/[a-z0-9_]+)?", w)]
        if bad:
            raise BadDag(f"{name}: {bad[0]!r} in '{statement}' is no room name")
        for group in groups:
            for room in group:
                before.setdefault(room, set())
        for lower, upper in zip(groups, groups[1:]):
            for room in upper:
                before[room].update(lower)
    return before


def below(before):
    """{room: every room it may include}; a cycle is an error that shows the way round."""
    closed = {}

    def visit(room, path):
        if room in path:
            raise BadDag("rooms.dag has a cycle: " + " < ".join(path[path.index(room):] + [room]))
        if room not in closed:
            found = {room}
            for lower in sorted(before[room]):
                found |= visit(lower, path + [room])
            closed[room] = found
        return closed[room]

    for room in before:
        visit(room, [])
    return closed


def load(root=None):
    return parse(((root or house.ROOT) / "tools" / "rooms.dag").read_text())


def names():
    return sorted(room for room in load() if "/" not in room) + ["dev"]
