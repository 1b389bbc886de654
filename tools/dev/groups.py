"""The groups of ./dev test, in order. Each yields (title, jobs, how many side by side), after building what it needs.

A group adds to `expected` what must have left a line in the report, and to `outputs` what a failed test printed.
"""
import re
import sys

import builds
import claims
import compile_fail
import flags
import gtests
import house
import proc
import report

SOURCE_TEST = re.compile(r"^HOP_TEST(?:_F\(\s*\w+\s*,|\()\s*(\w+)\s*,\s*(\w+)\s*\)", re.M)


# --- what exists, from the sources alone -------------------------------------------------------------------------------

def unit_rooms():
    return sorted(d.name for d in (house.ROOT / "test" / "unit").glob("*") if any(d.glob("*.cpp")))


def source_tests(directory):
    return [m.groups() for file in sorted(directory.glob("*.cpp")) for m in SOURCE_TEST.finditer(file.read_text())]


def wanted_room(choice, room):
    """Has this room a test that the choice takes? Asked before building anything."""
    return any(choice.takes(row, room) for row, _ in source_tests(house.ROOT / "test" / "unit" / room))


def e2e_claims(choice):
    found = []
    for file in sorted((house.ROOT / "test" / "e2e").glob("*.py")):
        found += [c for c in claims.load(file) if choice.takes(c.row) and (choice.full or not c.full)]
    return found


def listed(choice):
    """(row, claim, where) of everything ./dev test would run."""
    for room in unit_rooms():
        for row, claim in source_tests(house.ROOT / "test" / "unit" / room):
            if choice.takes(row, room):
                yield row, claim, f"test/unit/{room}"
    for case in compile_fail.cases():
        if choice.takes(case.row):
            yield case.row, case.name, "test/compile_fail"
    for one in e2e_claims(choice):
        yield one.row, one.name, house.relative(one.file)
    for row, claim in source_tests(house.ROOT / "test" / "timing"):
        if choice.takes(row):
            yield row, claim, "test/timing"


# --- the groups --------------------------------------------------------------------------------------------------------

def tidy(choice, expected, outputs):
    if not choice.takes("dev") or not choice.presets(["release"]) or choice.workers:
        return

    def job(hear):
        done = proc.run([sys.executable, house.TOOL / "dev" / "cli.py", "tidy"], on_line=hear, silence=house.SILENCE_SECONDS)
        record("dev", "tidy_finds_nothing", done, outputs)
    yield "tidy", [job], 1


def record(row, claim, done, outputs, state=None):
    state = state or ("failed" if done.code else "passed")
    text = f"{done.how}\n{done.hung}\n{done.out}" if state == "failed" else done.out
    outputs[f"{row}.{claim}", "release", 1] = text
    report.append(report.line(row, claim, state=state, seconds=done.seconds, detail="" if state == "passed" else text[-4000:]))


def programs(choice, preset, rooms, workers_of, expected, outputs):
    """Jobs of the test programs of `rooms` in a built preset."""
    jobs = []
    for room in rooms:
        program = house.BUILD / preset / f"test_{room}"
        try:
            tests = [t for t in gtests.list_tests(program) if choice.takes(t.split(".")[0], room)]
        except (RuntimeError, OSError) as error:
            report.append(report.line(room, f"test_{room}_lists_its_tests", preset, state="failed", detail=str(error)))
            continue
        for workers in [choice.workers] if choice.workers else workers_of(room):
            if not tests:
                continue
            expected += [(test, preset, workers) for test in tests]
            jobs.append(gtests.Job(program, room, preset, workers, tests, choice.seed, choice.full))

    def runner(job):
        def go(hear):
            gtests.run(job, hear)
            outputs.update({(test, job.preset, job.workers): text for test, text in job.output.items()})
        return go
    return [runner(job) for job in jobs]


def unit(preset):
    def group(choice, expected, outputs):
        rooms = [r for r in unit_rooms() if wanted_room(choice, r) and (r == "model") == (preset == "model")]
        if not rooms or preset not in choice.presets([preset]):
            return
        if preset == "dev" and choice.preset != "dev":
            return  # asan and tsan have the same asserts; dev is for those who ask
        # A full run proves that everything builds; a narrow one builds what it runs.
        if preset == "release" and not choice.narrowed:
            builds.build(preset)
        else:
            builds.build(preset, only="|".join(f"test_{room}" for room in rooms))
        yield f"unit tests, {preset}", programs(choice, preset, rooms, house.workers_of, expected, outputs), house.CORES
    return group


def compile_fails(choice, expected, outputs):
    cases = [case for case in compile_fail.cases() if choice.takes(case.row)]
    if not cases or not choice.presets(["release"]) or choice.workers:
        return
    words = flags.public(builds.configure("release"))

    def runner(case):
        def go(hear):
            hear(case.file.name)
            why = compile_fail.complaint(case, words)
            done = proc.Done(1 if why else 0, why, 0.0)
            record(case.row, case.name, done, outputs)
        return go
    yield "compile_fail", [runner(case) for case in cases], house.CORES


def e2e(choice, expected, outputs):
    found = e2e_claims(choice)
    if not found or not choice.presets(["release"]) or choice.workers:
        return

    def runner(one):
        def go(hear):
            hear(f"{one.file.name} {one.name}")
            done = proc.run([sys.executable, house.TOOL / "dev" / "claims.py", one.file, one.name], cwd=house.ROOT,
                            env={"HOP_REPORT": ""}, silence=3 * house.SILENCE_SECONDS)
            record(one.row, one.name, done, outputs, "skipped" if done.code == claims.SKIPPED else None)
        return go
    yield "e2e", [runner(one) for one in found], house.CORES


def model(choice, expected, outputs):
    """The checker appends its own lines; what it cannot do itself is to say that it crashed."""
    files = sorted((house.ROOT / "test" / "model").glob("*.cpp"))
    rows = {"model"}.union(*(re.findall(r'\.row = "(\w+)"', file.read_text()) for file in files))
    if not files or not choice.presets(["model"]) or choice.workers or not any(choice.takes(row, "model") for row in rows):
        return
    directory = builds.build("model", only="hop_model")
    program = directory / "hop_model"
    pieces = model_pieces(program, choice)
    expected += [(f"{row}.{name}: {claim}", "model", 1) for name, row, _, claim in pieces]

    def runner(row, words):
        def go(hear):
            hear("hop_model " + " ".join(words))
            done = proc.run([program, *words], env={"HOP_REPORT": str(house.REPORT)}, silence=house.SILENCE_SECONDS, on_line=hear)
            mine = [e for e in report.read()[0] if e["row"] == row and e["claim"].startswith(words[0] + ":")]
            failed = [e for e in mine if e["state"] == "failed"]
            for entry in failed:
                outputs[f"{row}.{entry['claim']}", "model", 1] = done.out
            if done.code and not failed:
                record(row, "hop_model_" + "_".join(w.strip("-") for w in words), done, outputs)
        return go
    seed = ["--seed", str(choice.seed)] if choice.seed is not None else []
    jobs = [runner(row, [name, *extra, *seed]) for extra in ([], ["--mutants"]) for name, row, *_ in pieces]
    if jobs:
        yield "model", jobs, house.CORES


def model_pieces(program, choice):
    """[name, row, strategy, claim] of each piece that the choice takes, as `hop_model --list` prints them."""
    done = proc.run([program, "--list"], silence=house.SILENCE_SECONDS)
    if done.code:
        raise builds.BuildFailed("hop_model --list", done.out)
    found = [line.split(None, 3) for line in done.out.splitlines() if line.strip()]
    return [words for words in found if len(words) == 4 and choice.takes(words[1], "model")]


def timing(choice, expected, outputs):
    directory = house.ROOT / "test" / "timing"
    if not choice.presets(["release"]) or not any(choice.takes(row) for row, _ in source_tests(directory)):
        return
    builds.build("release", only="test_timing")
    for go in programs(choice, "release", ["timing"], lambda _: house.TIMING_WORKERS, expected, outputs):
        yield "timing, alone", [go], 1


def bench(choice, expected, outputs):
    if not choice.full or choice.narrowed:
        return

    def job(hear):
        done = proc.run([sys.executable, house.TOOL / "dev" / "cli.py", "bench", "--check"], on_line=hear, silence=house.SILENCE_SECONDS)
        record("dev", "bench_checks_hold", done, outputs)
    yield "bench --check", [job], 1


ALL = [tidy, unit("release"), unit("dev"), compile_fails, e2e, unit("asan"), unit("tsan"), unit("model"), model, timing, bench]
