"""hopsack demo: every answer right, pleasant on 80 columns, and well-behaved with pipes, terminals and Ctrl-C."""
import errno
import functools
import os
import pty
import re
import select
import signal
import subprocess
import time

import builds
import house
from claims import claim, equal, has, has_not, matches

STEPS = ["switch", "migrate", "parked", "trim", "guard", "join", "spawn", "block", "log", "record"]
ERASE = "\r\x1b[K"


@functools.cache
def program():
    return builds.build("release", targets=["hopsack"]) / "hopsack"


def verdicts(text):
    """{step: verdict} of the closing table."""
    lines = text.splitlines()
    top = next(i for i, line in enumerate(lines) if re.match(r"step +what +figure +verdict$", line))
    rows = lines[top + 2:lines.index("", top)]
    return {row.split()[0]: row.split()[-1] for row in rows}


@claim("apps", "every_step_of_the_demo_is_right_and_the_table_says_so")
def _(box):
    text = box.run([program(), "demo"]).out
    equal(verdicts(text), dict.fromkeys(STEPS, "right"))
    matches(text.splitlines()[-1], rf"^{len(STEPS)} right, 0 wrong, [\d.]+ \w+$")
    equal([line for line in text.splitlines() if len(line) > 80], [], "lines of more than 80 columns")
    has_not(text, "\x1b")  # no terminal, no colours
    for number, name in enumerate(STEPS, 1):
        has(text, f"[{number}/{len(STEPS)}] {name}: ")
    has(text, "100,000 fibers waited")
    has(text, "stack overflow in fiber 'greedy'")
    has(text, "status 134")
    matches(text, r"^ +[\d.]+ \w+ +step_begin +step 10$")  # the ring that ran along
    has(text, "Counted: switches 2,000,000, migrations 40,000")


@claim("apps", "quick_is_smaller_and_a_step_can_be_named")
def _(box):
    text = box.run([program(), "demo", "--quick"]).out
    equal(verdicts(text), dict.fromkeys(STEPS, "right"))
    has(text, "20,000 fibers waited")
    for name in STEPS:
        equal(verdicts(box.run([program(), "demo", "--quick", name]).out), {name: "right"})
    equal(list(verdicts(box.run([program(), "demo", "log", "switch", "--quick"]).out)), ["log", "switch"], "order")
    equal([line.split()[0] for line in box.run([program(), "demo", "--list"]).out.splitlines()], STEPS)


@claim("apps", "a_wrong_word_is_named_with_the_nearest_right_one_and_status_2")
def _(box):
    for words, wrong, right in [(["dmo"], "dmo", "demo"), (["--vresion"], "--vresion", "--version"), (["demo", "swich"], "swich", "switch"),
                                (["demo", "Guard"], "Guard", "guard"), (["demo", "--quik"], "--quik", "--quick"),
                                (["demo", "switch", "prked"], "prked", "parked"), (["demo", "--list", "lgo"], "lgo", "log")]:
        out = box.run([program(), *words], expect=2)
        equal(out.out, "", "stdout")
        has(out.err, f"'{wrong}'; did you mean {right}? Known: ")
        equal(out.err.count("\n"), 1, "lines of the message")
    for words in [["demo", "zzzzzzzz"], ["demo", "-x"], ["demo", "--quick=maybe"], ["-"], ["overflow"]]:
        out = box.run([program(), *words], expect=2)
        equal(out.out, "", "stdout")
        matches(out.err, r"\Ahopsack.*\n\Z")


@claim("apps", "help_and_version_go_to_stdout_with_status_0")
def _(box):
    matches(box.run([program(), "--version"]).out, r"\Ahopsack \d+\.\d+\.\d+\n\Z")
    equal(box.run([program()]).out, box.run([program(), "--help"]).out)
    has(box.run([program(), "--help"]).out, "demo")
    has_not(box.run([program(), "--help"]).out, "overflow-a-stack")  # for the demo's own use
    has(box.run([program(), "demo", "--help"]).out, "--quick")


@claim("apps", "dev_run_builds_and_runs_it")
def _(box):
    has(box.run([house.ROOT / "dev", "run", "--", "demo", "--quick", "switch"]).out, "1 right, 0 wrong")
    box.run([house.ROOT / "dev", "run", "--", "demo", "swich"], expect=2)


@claim("apps", "a_step_without_what_it_needs_is_wrong_the_others_go_on_and_the_status_is_1")
def _(box):
    # Too little address space for so many stacks.
    out = box.run(["bash", "-c", f"ulimit -v 400000; exec '{program()}' demo --quick parked switch"], expect=1)
    equal(verdicts(out.out), {"parked": "WRONG", "switch": "right"})
    has(out.out, "a fiber was refused: no stack; ")
    has(out.out, "1 right, 1 wrong")


@claim("apps", "a_full_disk_is_an_error")
def _(box):
    out = box.run(["bash", "-c", f"exec '{program()}' demo --quick switch >/dev/full"], expect=1)
    has(out.err, "cannot write its output: No space left on device")


@claim("apps", "a_reader_who_leaves_ends_the_demo_quietly")
def _(box):
    for ignored in ("", "trap '' PIPE;"):
        out = box.run(["bash", "-c", f"{ignored} '{program()}' demo --quick | head -n 1; echo ${{PIPESTATUS[0]}}"])
        equal(out.err, "", "stderr")
        lines = out.out.splitlines()
        matches(lines[0], r"^hopsack \d")
        has(["0", "141"], lines[1])  # it had finished, or SIGPIPE


def sessions(text):
    """What a terminal would show in the end: a line that is erased is gone."""
    return [line.rsplit(ERASE, 1)[-1] for line in text.replace("\r\n", "\n").split("\n")]


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, words, env=None):
        self.text = ""
        where = str(program())
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(where, [where, *words], {**os.environ, "TERM": "xterm", "NO_COLOR": "", **(env or {})})

    def read_until(self, seen=None, seconds=60):
        """Reads until `seen` is there, or to the end."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if seen and re.search(seen, self.text):
                return self.text
            if not select.select([self.fd], [], [], 0.1)[0]:
                continue
            try:
                part = os.read(self.fd, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                part = b""
            if not part:
                return self.text
            self.text += part.decode()
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"not within {seconds} s: {seen or 'the end'}; so far:\n{self.text}")

    def status(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@claim("apps", "a_terminal_sees_progress_that_leaves_no_trace")
def _(box):
    terminal = Terminal(["demo"])
    text = terminal.read_until()
    equal(terminal.status(), 0, "status")
    matches(text, r"\r\x1b\[K +\d+ %  [\d,]+ of 100,000 fibers parked")
    shown = "\n".join(sessions(text))
    has_not(shown, " %  ")
    has(shown, "\x1b[32mright\x1b[0m")
    equal(max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in sessions(text)) <= 80, True, "80 columns")
    plain = Terminal(["demo", "--quick"], {"NO_COLOR": "1"}).read_until()
    has_not(plain.replace(ERASE, ""), "\x1b")
    has_not(Terminal(["demo", "--quick"], {"TERM": "dumb"}).read_until(), "\x1b")


LONG = ["demo", *["parked"] * 200]


@claim("apps", "ctrl_c_on_a_terminal_ends_it_at_once_with_130_and_a_clean_line")
def _(box):
    terminal = Terminal(LONG)
    terminal.read_until(r"\d+ %  ")
    os.write(terminal.fd, b"\x03")
    text = terminal.read_until(seconds=10)
    equal(terminal.status(), 130, "status")
    equal(re.sub(r"\^C", "", sessions(text)[-2]), "stopped", "the last line")
    equal(sessions(text)[-1], "", "what follows it")


@claim("apps", "a_signal_to_a_piped_demo_ends_it_at_once_with_128_and_its_number")
def _(box):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        child = subprocess.Popen([program(), *LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        child.stdout.readline()
        child.send_signal(number)
        _, err = child.communicate(timeout=10)
        equal(child.returncode, 128 + number, "status")
        equal(err, "stopped\n", "stderr")
