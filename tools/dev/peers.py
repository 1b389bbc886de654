"""Peers of ./dev bench: what there is, and building those that CMake does not: Rust with cargo, Go with go.

    bench/peers/<bench>_<who>.cpp               by CMake, if <who> is installed: cmake/bench.cmake
    bench/peers/rust/src/bin/<bench>_<who>.rs   offline, from the crates that Debian packages
    bench/peers/go/<bench>/main.go              offline, standard library only
"""
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import house
import proc
from builds import locked
from talk import Progress

# By full path: others may stand first in PATH, and only these know Debian's crates.
CARGO, RUSTC, GO = Path("/usr/bin/cargo"), Path("/usr/bin/rustc"), Path("/usr/bin/go")
CRATES = Path("/usr/share/cargo/registry")


@dataclass(frozen=True)
class Peer:
    bench: str
    who: str
    language: str  # cpp, rust, go

    @property
    def name(self):
        return f"{self.bench}_{self.who}"

    @property
    def program(self):
        directory = {"cpp": house.BUILD / "release", "rust": rust_out(), "go": go_out()}[self.language]
        return directory / {"cpp": f"bench_{self.name}", "rust": self.name, "go": self.bench}[self.language]


def rust_out():
    return house.BUILD / "peers" / "rust" / "target" / "release"


def go_out():
    return house.BUILD / "peers" / "go" / "bin"


def found(benches):
    """Every peer that has a source, of these benches."""
    root = house.ROOT / "bench" / "peers"
    stems = [(file.stem, "cpp") for file in root.glob("*.cpp")] + [(file.stem, "rust") for file in root.glob("rust/src/bin/*.rs")]
    stems += [(f"{file.parent.name}_go", "go") for file in root.glob("go/*/main.go")]
    peers = []
    for stem, language in stems:
        # The longest name that fits: bench `a` has no peer `b_who` where there is a bench `a_b`.
        bench = max((name for name in benches if stem.startswith(name + "_")), key=len, default=None)
        if bench:
            peers.append(Peer(bench, stem[len(bench) + 1:], language))
    return sorted(peers, key=lambda p: (p.bench, p.who))


def build(peers):
    """Builds those of `peers` that are Rust or Go and whose tools are installed. What went wrong, in words."""
    failures = []
    rust = [p for p in peers if p.language == "rust"]
    if rust and CARGO.exists() and RUSTC.exists() and all(any(CRATES.glob(f"{crate}-[0-9]*")) for crate in ("rayon", "tokio")):
        failures += build_rust(rust)
    go = [p for p in peers if p.language == "go"]
    if go and GO.exists():
        failures += build_go(go)
    return failures


def build_rust(peers):
    """In a copy: cargo writes its lock file beside the manifest, and the versions in it are the machine's."""
    directory = house.BUILD / "peers" / "rust"
    with locked(directory, "builds"), Progress("build peers in Rust") as progress:
        mirror(house.ROOT / "bench" / "peers" / "rust", directory)
        words = [CARGO, "build", "--release", "--offline", *(w for p in peers for w in ("--bin", p.name))]
        env = {"RUSTC": str(RUSTC), "CARGO_HOME": str(directory / "cargo_home"), "CARGO_TARGET_DIR": str(directory / "target"),
               "RUSTFLAGS": "", "RUSTC_WRAPPER": "", "CARGO_TERM_COLOR": "never"}
        done = proc.run(words, cwd=directory, env=env, on_line=lambda line: progress.now(line.strip()))
    return [f"peers in Rust: {done.how}\n{done.out[-4000:]}"] if done.code else []


def build_go(peers):
    directory = house.BUILD / "peers" / "go"
    with locked(directory, "builds"), Progress("build peers in Go"):
        go_out().mkdir(exist_ok=True)
        env = {"GO111MODULE": "on", "GOFLAGS": "-mod=mod -buildvcs=false", "GOPROXY": "off", "GOWORK": "off", "GOENV": "off",
               "GOCACHE": str(directory / "cache"), "GOPATH": str(directory / "path")}
        done = proc.run([GO, "build", "-o", f"{go_out()}{os.sep}", *(f"./{p.bench}" for p in peers)],
                        cwd=house.ROOT / "bench" / "peers" / "go", env=env)
    return [f"peers in Go: {done.how}\n{done.out[-4000:]}"] if done.code else []


def mirror(source, target):
    """A copy in which only what changed is written, and so built again; its src has nothing else."""
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    for path in wanted:
        there, here = source / path, target / path
        here.parent.mkdir(parents=True, exist_ok=True)
        if not here.exists() or here.read_bytes() != there.read_bytes():
            shutil.copyfile(there, here)
    for old in (target / "src").rglob("*.rs"):
        if old.relative_to(target) not in wanted:
            old.unlink()
