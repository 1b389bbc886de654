"""Test programs made with GoogleTest: list, run, and account for every test that was listed."""
import re
from dataclasses import dataclass, field

import house
import proc
import report

RUN = re.compile(r"^\[ RUN      \] (\S+)")
END = re.compile(r"\[(?:       OK |  FAILED  |  SKIPPED )\] ([^\s,]+) \(\d+ ms\)")  # may follow a test's own unfinished line
CRASHES = 8  # after so many the rest of a program is not tried


@dataclass
class Job:
    """One program, once: at a preset and a number of workers."""
    program: object
    room: str
    preset: str
    workers: int
    tests: list  # ["C10.claim", ...]
    seed: int | None = None
    full: bool = False
    output: dict = field(default_factory=dict)  # test -> what it printed

    @property
    def label(self):
        return f"{self.preset} {self.program.name} --workers {self.workers}"

    def environment(self):
        env = {"HOP_REPORT": str(house.REPORT), "HOP_TEST_PRESET": self.preset, "HOP_TEST_WORKERS": str(self.workers),
               "HOP_TEST_FULL": "1" if self.full else "0"}
        if self.seed is not None:
            env["HOP_TEST_SEED"] = str(self.seed)
        return env


def list_tests(program):
    """["Row.claim", ...], or what it printed instead as an error."""
    done = proc.run([program, "--gtest_list_tests"], silence=house.SILENCE_SECONDS)
    if done.code:
        raise RuntimeError(f"{program.name} --gtest_list_tests: {done.how}\n{done.out[-2000:]}")
    suite, tests = "", []
    for text in done.out.splitlines():
        if text.startswith("  "):
            tests.append(suite + text.split("#")[0].strip())
        elif re.match(r"\S+\.\s*(#.*)?$", text):
            suite = text.split("#")[0].strip()
    return tests


def run(job, on_test=None):
    """Run all of job.tests. A test that ends the program is recorded as failed and the rest is run again without it."""
    left = list(job.tests)
    for _ in range(CRASHES):
        finished, running, done = _once(job, left, on_test)
        missing = [test for test in left if test not in finished]
        if not missing:
            if done.code and not _failed(job, left):  # a leak found at exit, a crash in a static destructor
                _record(job, [f"{job.room}.{job.program.name}_ends_well"], f"{done.how} after all tests passed\n{done.out[-3000:]}")
            return
        if running:
            _record(job, [running], f"{done.how} in this test\n{done.hung}\n{job.output.get(running, '')[-3000:]}")
            missing.remove(running)
        elif not finished:  # it does not even start
            break
        left = missing
        if not left:
            return
    _record(job, left, f"did not run: the program ended with {done.how}\n{done.out[-2000:]}")


def _once(job, tests, on_test):
    finished, running = set(), None

    def hear(line):
        nonlocal running
        begin, end = RUN.match(line), END.search(line)
        if begin:
            running = begin[1]
            job.output[running] = ""
            if on_test:
                on_test(f"{job.label} {running}")
        elif end:
            finished.add(end[1])
            running = None
        elif running:
            job.output[running] += line + "\n"

    done = proc.run([job.program, "--gtest_color=no", "--gtest_filter=" + ":".join(tests)], env=job.environment(),
                    on_line=hear, silence=house.SILENCE_SECONDS)
    return finished, running, done


def key(entry):
    return f"{entry['row']}.{entry['claim']}", entry.get("preset"), entry.get("workers")


def _failed(job, tests):
    wanted = {(test, job.preset, job.workers) for test in tests}
    return any(key(e) in wanted and e["state"] != "passed" for e in report.read()[0])


def _record(job, tests, why):
    for test in tests:
        row, claim = test.split(".", 1)
        job.output[test] = why
        report.append(report.line(row, claim, job.preset, job.workers, job.seed or 0, "failed", detail=why))
