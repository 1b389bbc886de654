"""The feature table is the test report: ./dev features over a planted docs/features.md and results.jsonl."""
import json
import xml.etree.ElementTree

from claims import claim, equal, has, matches
from planted import House

TABLE = """# Features

| id | feature | source | best peer | works means | home |
|---|---|---|---|---|---|
| A1 | all pass | Y | - | a test | core |
| A2 | one of two fails | Y | - | a test | core |
| A3 | no test | Y | - | a \\| test | core |
| A4 | skipped without a reason | Y | - | a test | house |
| A5 | skipped with a reason, the rest passes | Y | - | a test | house |
| A6 | skipped with a reason, nothing else | Y | - | a test | house |
| A7 | another claim has the reason | Y | - | a test | house |

## Allowed skips

| id | claim | reason |
|---|---|---|
| A5 | needs_a_kernel | the kernel lacks it |
| A6 | * | no machine has it |
| A7 | something_else | why |
"""
STATES = {"A1": "passed", "A2": "failed", "A3": "untested", "A4": "failed", "A5": "passed", "A6": "untested", "A7": "failed"}


def line(row, claim_, state, seconds=0.5, preset="release"):
    return json.dumps({"row": row, "claim": claim_, "preset": preset, "workers": 2, "seed": 7, "state": state, "seconds": seconds})


RESULTS = "\n".join([
    line("A1", "x", "passed", 1.25), line("A1", "x", "passed", 1.0, "tsan"), line("A2", "x", "failed"), line("A2", "x", "passed"),
    line("A4", "x", "skipped"), line("A4", "y", "passed"), line("A5", "needs_a_kernel", "skipped"), line("A5", "y", "passed"),
    line("A6", "z", "skipped"), line("A7", "x", "skipped"), line("base", "rooms_have_no_row", "failed")]) + "\n"


def planted(box):
    return House(box, {"docs/features.md": TABLE, "build/report/results.jsonl": RESULTS})


@claim("U19", "the_table_gives_each_row_the_state_its_tests_left")
def _(box):
    house = planted(box)
    out = house.dev("features").out
    got = dict(text.split()[:2] for text in out.splitlines())
    equal(got, STATES)
    matches(out, r"^A1 +passed +2\.2 +all pass$")
    equal([text.split()[0] for text in house.dev("features", "--home", "core").out.splitlines()], ["A1", "A2", "A3"])


@claim("U19", "json_says_the_same_as_the_table")
def _(box):
    rows = json.loads(planted(box).dev("features", "--json").out)
    equal({row["id"]: row["state"] for row in rows}, STATES)
    equal(rows[0], {"id": "A1", "state": "passed", "seconds": 2.25, "title": "all pass", "home": "core", "tests": 2})


@claim("U19", "the_badge_counts_the_passed_rows")
def _(box):
    badge = box.dir / "badge.svg"
    planted(box).dev("features", "--badge", badge)
    text = " ".join(xml.etree.ElementTree.parse(badge).getroot().itertext())
    has(text, "features")
    has(text, "2/7")


@claim("U19", "a_row_of_the_list_may_appear_only_once_and_a_torn_line_of_the_report_is_told")
def _(box):
    house = planted(box)
    house.write("build/report/results.jsonl", RESULTS + '{"row":"A1","cla\n')
    has(house.dev("features", expect=1).err, "results.jsonl:12")
    house.write("docs/features.md", TABLE.replace("| A2 |", "| A1 |"))
    has(house.dev("features", expect=1).err, "row A1 is there twice")


@claim("U19", "the_committed_badge_and_list_belong_together")
def _(box):
    rows = json.loads(House(box).dev("features", "--json").out)
    has((box.root / "docs" / "badge.svg").read_text(), f"/{len(rows)}<")
    has((box.root / "README.md").read_text(), "docs/badge.svg")
