"""build/report/results.jsonl: one line a finished test, whatever its language."""
import json
import os

import house


def line(row, claim, preset="release", workers=1, seed=1, state="passed", seconds=0.0, detail=""):
    out = {"row": row, "claim": claim, "preset": preset, "workers": workers, "seed": seed, "state": state,
           "seconds": round(seconds, 3)}
    if detail:
        out["detail"] = detail[:4000]
    return out


def start():
    house.REPORT.parent.mkdir(parents=True, exist_ok=True)
    house.REPORT.write_text("")


def append(entry, path=None):
    """One write in append mode, as the C++ tests do: lines of programs that run side by side never mix."""
    fd = os.open(path or house.REPORT, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(fd, (json.dumps(entry) + "\n").encode())
    finally:
        os.close(fd)


def read(path=None):
    """(entries, complaints). A line that is no JSON is a complaint, not a crash: its writer has a bug to be told."""
    entries, complaints = [], []
    path = path or house.REPORT
    if not path.exists():
        return entries, complaints
    for number, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if not text.strip():
            continue
        try:
            entry = json.loads(text)
            if not isinstance(entry, dict) or not {"row", "claim", "state"} <= entry.keys():
                raise ValueError("needs row, claim and state")
            if entry["state"] not in ("passed", "failed", "skipped"):
                raise ValueError(f"state {entry['state']!r} is none of passed, failed, skipped")
            entries.append(entry)
        except ValueError as error:
            complaints.append(f"{house.relative(path)}:{number}: {error}")
    return entries, complaints
