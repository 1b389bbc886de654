"""./dev test: choose, build, run, account."""
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import builds
import features
import groups
import house
import report
import rooms
from choice import Choice
from talk import Progress, data, say


class Group:
    """Work that runs side by side on all cores: [(label, function(progress))]."""

    def __init__(self, title, jobs, width=house.CORES):
        self.title, self.jobs, self.width = title, jobs, width

    def run(self):
        if not self.jobs:
            return
        began, finished = time.monotonic(), 0
        with Progress(self.title) as progress, ThreadPoolExecutor(self.width) as pool:
            def hear(text):
                progress.now(f"[{finished}/{len(self.jobs)}] {text}")
            try:
                futures = [pool.submit(job, hear) for job in self.jobs]
                for future in as_completed(futures):
                    future.result()
                    finished += 1
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        say(f"{self.title}: {len(self.jobs)} jobs, {time.monotonic() - began:.0f} s")


def run(options):
    choice = Choice(options)
    if options.list:
        for row, claim, where in groups.listed(choice):
            data(f"{row:<5} {claim}  ({where})")
        return 0
    began = time.monotonic()
    with builds.locked(report_directory(), "tests"):
        report.start()
        expected = []  # (test, preset, workers) that must have left a line
        outputs = {}
        for prepare in groups.ALL:
            try:
                for title, jobs, width in prepare(choice, expected, outputs):
                    Group(title, jobs, width).run()
            except builds.BuildFailed as error:  # the other groups may still say something useful
                say(f"failed: {error}")
                report.append(report.line("dev", str(error).replace(" ", "_"), state="failed", detail=error.output[-4000:]))
        account(expected)
        entries, complaints = report.read()
    return summary(choice, entries, complaints, outputs, time.monotonic() - began)


def report_directory():
    return house.REPORT.parent


def account(expected):
    """A test that was listed and left no line has failed, whatever its program says."""
    seen = {(f"{e['row']}.{e['claim']}", e.get("preset"), e.get("workers")) for e in report.read()[0]}
    for test, preset, workers in expected:
        if (test, preset, workers) not in seen:
            row, claim = test.split(".", 1)
            report.append(report.line(row, claim, preset, workers, 0, "failed", detail="it was listed and left no line in the report"))


def summary(choice, entries, complaints, outputs, seconds):
    table = features.joined(entries)
    known_rooms = set(rooms.names())
    by_room = {}
    for entry in entries:
        if entry["row"] not in table.rows:
            by_room.setdefault(entry["row"], features.Row(entry["row"], "claims without a row", "")).lines.append(entry)
            if entry["row"] not in known_rooms:
                complaints.append(f"{entry['claim']}: {entry['row']!r} is neither a row of docs/features.md nor a room")
    for row in [*table.rows.values(), *(by_room[name] for name in sorted(by_room))]:
        if row.lines:
            data(features.table_line(row.id, table.state(row), row.seconds, row.title))

    verdicts = [table.verdict(entry) for entry in entries]
    for entry, verdict in zip(entries, verdicts):
        if verdict == "failed":
            data(failure(entry, outputs))
    for complaint in complaints:
        data(f"\nfailed: {complaint}")
    failed = verdicts.count("failed") + len(complaints)
    passed = verdicts.count("passed")
    say(f"{seconds:.0f} s, {verdicts.count('skipped')} allowed skips; details in {house.relative(house.REPORT)}")
    if not entries and not complaints:
        say(f"nothing to run: no test for {choice.words}")
    data(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def failure(entry, outputs):
    where = f"{entry.get('preset')}, {entry.get('workers')} workers, seed {entry.get('seed')}"
    text = outputs.get((f"{entry['row']}.{entry['claim']}", entry.get("preset"), entry.get("workers"))) or entry.get("detail", "")
    if entry["state"] == "skipped":
        text = f"skipped, and docs/features.md allows no skip here: {text}"
    return f"\nfailed: {entry['row']} {entry['claim']} ({where})\n" + "\n".join("  " + line for line in text.strip().splitlines()[-80:])
