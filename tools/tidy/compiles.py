"""Syntax checks by a compiler, remembered: a clean result holds while the command and every file it read are the same."""
import hashlib
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import house


class Memory:
    """build/tidy/<name>.json: {source: {"command": hash, "files": {path: hash}}} of the clean ones."""

    def __init__(self, name):
        self.path = house.BUILD / "tidy" / f"{name}.json"
        self.hashes = {}
        try:
            self.clean = json.loads(self.path.read_text())
        except (OSError, ValueError):
            self.clean = {}

    def hash(self, path):
        if path not in self.hashes:
            try:
                with open(path, "rb") as file:
                    self.hashes[path] = hashlib.sha1(file.read()).hexdigest()
            except OSError:
                self.hashes[path] = "gone"
        return self.hashes[path]

    def holds(self, key, command):
        known = self.clean.get(key)
        return bool(known) and known["command"] == digest(command) and all(self.hash(p) == h for p, h in known["files"].items())

    def keep(self, key, command, files):
        self.clean[key] = {"command": digest(command), "files": {p: self.hash(p) for p in files}}

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.path.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(self.clean))
        aside.replace(self.path)


def digest(command):
    return hashlib.sha1("\0".join(command).encode()).hexdigest()


def check(name, jobs):
    """jobs: [(key, command)]; yields (key, output) of those that fail. The command must end with the source."""
    memory = Memory(name)
    todo = [(key, command) for key, command in jobs if not memory.holds(key, command)]

    def one(job):
        key, command = job
        done = subprocess.run([*command[:-1], "-MMD", "-MF", "/dev/stderr", "-MT", "deps", command[-1]], capture_output=True,
                              text=True, errors="replace", cwd=house.ROOT, stdin=subprocess.DEVNULL)
        return key, command, done
    try:
        with ThreadPoolExecutor(house.CORES) as pool:
            for key, command, done in pool.map(one, todo):
                rule = re.search(r"^deps:((?:.|\\\n)*?)(?<!\\)\n", done.stderr + "\n", re.M)
                if done.returncode:
                    memory.clean.pop(key, None)
                    yield key, done.stderr.replace(rule[0], "") if rule else done.stderr
                elif rule:
                    memory.keep(key, command, paths(rule[1]))
    finally:
        memory.save()


def paths(rule):
    """File names of a make rule: spaces in a name are escaped."""
    words = re.findall(r"(?:\\.|[^\s\\])+", rule.replace("\\\n", " "))
    return [str(house.ROOT / re.sub(r"\\(.)", r"\1", word)) for word in words]
