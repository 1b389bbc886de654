"""Child processes: each in a group of its own, so that Ctrl-C and the watchdog take their children along."""
import os
import selectors
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

_live = set()
_lock = threading.Lock()
_closing = False


@dataclass
class Done:
    code: int
    out: str  # stdout and stderr, as they came
    seconds: float
    hung: str = ""  # the stacks of a program that fell silent; empty if it did not

    @property
    def how(self):
        """The end in words: `exit status 1`, `SIGSEGV`."""
        if self.hung:
            return "hung"
        if self.code < 0:
            return signal.Signals(-self.code).name
        return f"exit status {self.code}"


def _signal_group(child, number):
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def stop_all():
    """Ask, wait two seconds, insist. Called once, on the way out."""
    global _closing
    with _lock:
        _closing = True
        children = list(_live)
    for child in children:
        _signal_group(child, signal.SIGTERM)
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline and any(c.poll() is None for c in children):
        time.sleep(0.02)
    for child in children:
        _signal_group(child, signal.SIGKILL)


def _wait_quietly(child, seconds):
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        pass


def _stacks(pid):
    try:
        gdb = ["gdb", "-q", "-nx", "-batch", "-p", str(pid), "-ex", "thread apply all bt 20"]
        out = subprocess.run(gdb, capture_output=True, text=True, errors="replace", timeout=60, stdin=subprocess.DEVNULL)
        return out.stdout[-8000:]
    except (OSError, subprocess.TimeoutExpired):
        return "(no gdb to show its stacks)"


def run(command, cwd=None, env=None, on_line=None, silence=None):
    """Run to the end, output captured. `on_line` hears each line; `silence` seconds without output is a hang."""
    began = heard = time.monotonic()
    with _lock:
        if _closing:
            raise KeyboardInterrupt
        child = subprocess.Popen([str(c) for c in command], cwd=cwd, env={**os.environ, **(env or {})}, start_new_session=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        _live.add(child)
    parts, rest, hung = [], b"", ""
    try:
        with selectors.DefaultSelector() as waiting:
            waiting.register(child.stdout, selectors.EVENT_READ)
            while True:
                if waiting.select(timeout=1.0):
                    chunk = os.read(child.stdout.fileno(), 65536)
                    if not chunk:
                        break
                    heard = time.monotonic()
                    parts.append(chunk)
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines if on_line else ():
                        on_line(line.decode(errors="replace"))
                elif child.poll() is not None:
                    break  # it ended, but a grandchild keeps the pipe open
                elif silence and time.monotonic() - heard > silence:
                    hung = _stacks(child.pid)
                    break
        if not hung:
            child.wait(timeout=silence)
    except BaseException:  # Ctrl-C, mostly: a compiler gets the time to remove what it half wrote
        _signal_group(child, signal.SIGTERM)
        _wait_quietly(child, 2)
        raise
    finally:
        _signal_group(child, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        with _lock:
            _live.discard(child)
    return Done(child.returncode, b"".join(parts).decode(errors="replace"), time.monotonic() - began, hung)
