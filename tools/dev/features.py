"""docs/features.md joined with the report: ./dev features."""
import json
import re
from dataclasses import dataclass, field

import house
import report
from talk import data, say

ROW = re.compile(r"^\|\s*([A-Z]\d+)\s*\|")
SKIP = re.compile(r"^\|\s*([A-Z]\d+)\s*\|\s*([a-z0-9_]+|\*)\s*\|\s*(\S.*?)\s*\|$")


@dataclass
class Row:
    id: str
    title: str
    home: str
    lines: list = field(default_factory=list)  # of the report

    @property
    def seconds(self):
        return sum(float(entry.get("seconds", 0)) for entry in self.lines)


@dataclass
class Table:
    rows: dict  # id -> Row, in the order of the document
    skips: dict  # (id, claim or "*") -> reason

    @property
    def homes(self):
        return sorted({row.home for row in self.rows.values()})

    def skip_reason(self, entry):
        return self.skips.get((entry["row"], entry["claim"])) or self.skips.get((entry["row"], "*"))

    def verdict(self, entry):
        """passed, failed or skipped; a skip without a written reason is a failure."""
        if entry["state"] == "skipped":
            return "skipped" if self.skip_reason(entry) else "failed"
        return entry["state"]

    def state(self, row):
        verdicts = [self.verdict(entry) for entry in row.lines]
        if "failed" in verdicts:
            return "failed"
        return "passed" if "passed" in verdicts else "untested"


def cells(text):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", text.strip().strip("|"))]


def load(path=None):
    """Rows are the table lines that begin with an id; the first cells are id and title, the last is the home."""
    rows, skips, in_skips = {}, {}, False
    for number, text in enumerate((path or house.FEATURES).read_text().splitlines(), 1):
        if text.startswith("## "):
            in_skips = text.strip() == "## Allowed skips"
        elif in_skips and SKIP.match(text):
            row, claim, reason = SKIP.match(text).groups()
            skips[row, claim] = reason
        elif ROW.match(text):
            parts = cells(text)
            if parts[0] in rows:
                raise SystemExit(f"docs/features.md:{number}: row {parts[0]} is there twice")
            rows[parts[0]] = Row(parts[0], parts[1], parts[-1])
    return Table(rows, skips)


def joined(entries, table=None):
    table = table or load()
    for entry in entries:
        if entry["row"] in table.rows:
            table.rows[entry["row"]].lines.append(entry)
    return table


def table_line(id, state, seconds, title):
    return f"{id:<5} {state:<8} {seconds:>8.1f}  {title}"


def badge(passed, total):
    """A small SVG, drawn here because it is twenty lines and the README must not depend on a web service."""
    left, right = 62, 8 + 7 * len(f"{passed}/{total}")
    colour = "#2f8f4e" if passed == total else "#3572b0"
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="features {passed}/{total}">
  <title>features {passed}/{total}</title>
  <rect width="{left}" height="20" fill="#444"/>
  <rect x="{left}" width="{right}" height="20" fill="{colour}"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="{left / 2}" y="14">features</text>
    <text x="{left + right / 2}" y="14">{passed}/{total}</text>
  </g>
</svg>
"""


def run(options):
    entries, complaints = report.read()
    for complaint in complaints:
        say(complaint)
    if not entries:
        say(f"no results in {house.relative(house.REPORT)}: run ./dev test first")
    table = joined(entries)
    rows = [row for row in table.rows.values() if options.home in (None, row.home)]
    if options.json:
        objects = [{"id": row.id, "state": table.state(row), "seconds": round(row.seconds, 3), "title": row.title, "home": row.home,
                    "tests": len(row.lines)} for row in rows]
        data("[" + ",\n ".join(json.dumps(o) for o in objects) + "]")
    else:
        for row in rows:
            data(table_line(row.id, table.state(row), row.seconds, row.title))
    passed = sum(table.state(row) == "passed" for row in rows)
    say(f"{passed} of {len(rows)} rows passed")
    if options.badge:
        with open(options.badge, "w") as file:
            file.write(badge(passed, len(rows)))
    return 1 if complaints else 0
