"""./dev bench: ours and the peers in turn, several rounds, medians, ratios, checks."""
import importlib.util
import json
import os
import statistics
from dataclasses import dataclass, field

import builds
import house
import peers
import proc
from talk import Progress, data, say
from usage import Usage, nearest

SILENCE_SECONDS = 180  # a bench is done within ten on a quiet machine


@dataclass
class Figure:
    """What one contestant reached in one discipline."""
    bench: str
    variant: str
    workers: int
    who: str
    unit: str
    better: str
    values: list = field(default_factory=list)

    @property
    def median(self):
        return statistics.median(self.values)

    def line(self):
        out = {"bench": self.bench, "workers": self.workers, "who": self.who, "value": self.median, "unit": self.unit,
               "better": self.better, "rounds": len(self.values)}
        if self.variant:
            out["variant"] = self.variant
        return json.dumps(out)


def run(options):
    names = sorted(file.stem for file in (house.ROOT / "bench").glob("*.cpp"))
    for name in options.names:
        if name not in names:
            raise Usage(f"./dev bench: no bench {name!r}{nearest(name, names)}")
    chosen = options.names or names
    theirs = "" if options.no_peers else "(?:_[a-z_]+)?"
    directory = builds.build("release", only="|".join(f"bench_{name}{theirs}" for name in chosen) or "none")
    others = [] if options.no_peers else [p for p in peers.found(names) if p.bench in chosen]
    failed = peers.build(others)
    contestants = line_up(directory, chosen, others)
    absent = [p.name for p in others if not p.program.exists()]
    warn_if_busy()
    figures, notes = measure(contestants, options, failed)
    table(figures)
    for text in notes:
        data(f"note: {text}")
    if absent:
        say(f"not installed, so not compared: {', '.join(absent)} (./dev setup --peers)")
    if options.json:
        with open(options.json, "w") as file:
            file.writelines(figure.line() + "\n" for figure in figures)
    for text in failed:
        data(f"failed: {text}")
    bad = check(figures, chosen, options.no_peers) if options.check else 0
    return 1 if failed or bad else 0


def line_up(directory, names, others):
    """[(bench, program)]: of each bench ours first, then its peers that could be built."""
    contestants = []
    for name in names:
        contestants.append((name, directory / f"bench_{name}"))
        contestants += [(name, p.program) for p in others if p.bench == name and p.program.exists()]
    return contestants


def warn_if_busy():
    load = os.getloadavg()[0]
    if load > 0.5 * house.CORES:
        say(f"the machine is busy (load {load:.1f} on {house.CORES} cores): believe no time, and ratios only by half")


def measure(contestants, options, failed):
    """In turn and not one after the other: what the machine does meanwhile then hits everyone alike."""
    figures, notes, bad = {}, {}, {}
    with Progress("bench") as progress:
        for turn in range(options.rounds):
            for bench, program, workers in turns(contestants, options):
                progress.now(f"round {turn + 1}/{options.rounds} {program.name}")
                done = proc.run([program, *workers], silence=SILENCE_SECONDS)
                if done.code:
                    bad[f"{program.name}: {done.how}\n{done.out[-2000:]}{done.hung}"] = None
                    continue
                for text in done.out.splitlines():
                    try:
                        take(figures, notes, text)
                    except (ValueError, KeyError, TypeError) as error:
                        bad[f"{program.name}: {error!r} in its output: {text[:200]}"] = None
    failed += bad
    return list(figures.values()), list(notes)


def turns(contestants, options):
    """(bench, program, words) of one round: at each number of workers all contestants of a bench."""
    counts = rules().WORKERS
    for bench in dict.fromkeys(name for name, _ in contestants):
        for workers in [options.workers] if options.workers else counts.get(bench, [None]):
            words = ["--workers", str(workers)] if workers else []
            yield from ((bench, program, words) for name, program in contestants if name == bench)


def take(figures, notes, text):
    if text.startswith("note: "):
        notes[text.removeprefix("note: ")] = None
    if not text.startswith("{"):
        return  # talk of the program
    got = json.loads(text)
    if got["better"] not in ("lower", "higher"):
        raise ValueError("better must be lower or higher")
    figure = Figure(got["bench"], got.get("variant") or "", int(got.get("workers", 1)), got["who"], got["unit"], got["better"])
    key = (figure.bench, figure.variant, figure.workers, figure.who)
    figures.setdefault(key, figure).values.append(float(got["value"]))


def ours(figures, figure):
    for other in figures:
        if other.who == "hop" and (other.bench, other.variant, other.workers) == (figure.bench, figure.variant, figure.workers):
            return other
    return None


def ratio(figure, hop):
    """hop measured in units of the peer: below 1 is better for us where lower is better."""
    return hop.median / figure.median if hop and figure.median else None


def table(figures):
    rows = [("bench", "variant", "workers", "who", "median", "unit", "hop/this", "spread")]
    for f in sorted(figures, key=lambda f: (f.bench, f.variant, f.workers, f.who != "hop", f.who)):
        r = ratio(f, ours(figures, f))
        spread = f"{min(f.values):.4g}..{max(f.values):.4g}"
        rows.append((f.bench, f.variant, str(f.workers), f.who, f"{f.median:.4g}", f.unit, f"{r:.3f}" if r else "-", spread))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        data("  ".join(cell.rjust(w) if i in (2, 4, 6) else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))).rstrip())


def rules():
    spec = importlib.util.spec_from_file_location("checks", house.ROOT / "bench" / "checks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judge(rule, figures):
    """[(words, True, False or None)]: None where nothing was measured that could decide."""
    verdicts = []
    for hop in figures:
        wanted = (rule["bench"], rule.get("variant", hop.variant), rule.get("workers", hop.workers))
        if hop.who != "hop" or (hop.bench, hop.variant, hop.workers) != wanted:
            continue
        value, unit = hop.median, hop.unit
        if "of" in rule:
            same = [f for f in figures if f.who == rule["of"] and (f.bench, f.workers) == (hop.bench, hop.workers)]
            peer = next((f for f in same if f.variant == hop.variant), same[0] if len(same) == 1 else None)
            value, unit = ratio(peer, hop) if peer else None, f"of {rule['of']}"
        bound = rule.get("at_most", rule.get("at_least"))
        good = None if value is None else value <= bound if "at_most" in rule else value >= bound
        name = " ".join(filter(None, [hop.bench, hop.variant, f"{hop.workers}w"]))
        shown = "not measured" if value is None else f"{value:.4g}"
        verdicts.append((f"{name}: {shown} {'<=' if 'at_most' in rule else '>='} {bound} {unit}", good))
    return verdicts or [(f"{rule['bench']}: nothing measured", None)]


def check(figures, names, no_peers):
    bad = 0
    for rule in rules().CHECKS:
        if rule["bench"] not in names:
            continue
        for words, good in judge(rule, figures):
            skipped = good is None and no_peers and "of" in rule
            data(f"{'ok     ' if good else 'skipped' if skipped else 'FAILED '}  {words}")
            bad += not good and not skipped
    return bad
