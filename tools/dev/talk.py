"""What is said while work goes on: to stderr, one rewritten line on a terminal, plain lines elsewhere."""
import shutil
import sys
import threading
import time

_tty = sys.stderr.isatty()
_lock = threading.Lock()
_drawn = False
EVERY_SECONDS = 15  # how often a log that nobody watches gets a sign of life


def _wipe():
    global _drawn
    if _drawn:
        sys.stderr.write("\r\x1b[K")
        _drawn = False


def say(text):
    with _lock:
        _wipe()
        print(text, file=sys.stderr, flush=True)


def data(text=""):
    """Results go to stdout; the progress line makes way for them."""
    with _lock:
        _wipe()
        sys.stderr.flush()
        print(text, flush=True)


class Progress:
    """`with Progress("build release") as p: p.now("12/80 ring.cpp")`; says when it took long."""

    def __init__(self, label):
        self.label, self.text = label, ""
        self.began = self.spoke = time.monotonic()
        self._stop = threading.Event()

    def __enter__(self):
        if not _tty:
            say(f"{self.label} ...")
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        with _lock:
            _wipe()

    def now(self, text):
        self.text = text

    @property
    def seconds(self):
        return time.monotonic() - self.began

    def _tick(self):
        global _drawn
        while not self._stop.wait(0.2 if _tty else 1.0):
            line = f"{self.label} {self.seconds:.0f} s  {self.text}"
            if _tty:
                with _lock:
                    sys.stderr.write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])
                    sys.stderr.flush()
                    _drawn = True
            elif time.monotonic() - self.spoke >= EVERY_SECONDS:
                self.spoke = time.monotonic()
                say(line)
