"""Wrong usage: name the word, and what is allowed instead."""
import argparse
import difflib


def nearest(word, allowed):
    """`; did you mean X? Known: ...`"""
    known = list(allowed)
    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), folded, 1, 0.3)
    hint = f"; did you mean {folded[close[0]]}?" if close else "."
    shown = ", ".join(known[:24]) + (f", ... ({len(known)} in all)" if len(known) > 24 else "")
    return f"{hint} Known: {shown}"


class Usage(Exception):
    """Wrong usage: the message names the word and what is allowed."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(f"./dev {self.prog.split()[-1]}: {message}")

    def parse(self, words):
        known, extra = self.parse_known_args(words)
        if extra:
            options = [o for action in self._actions for o in action.option_strings]
            raise Usage(f"./dev {self.prog.split()[-1]}: unknown {extra[0]!r}{nearest(extra[0], options)}")
        return known


def one_of(what, allowed):
    def check(word):
        if word not in allowed:
            raise argparse.ArgumentTypeError(f"no {what} {word!r}{nearest(word, list(allowed))}")
        return word
    return check


def count(low, high):
    def check(word):
        if not word.isdigit() or not low <= int(word) <= high:
            raise argparse.ArgumentTypeError(f"{word!r} is no whole number from {low} to {high}")
        return int(word)
    return check
