"""The benches of ours run, say what they must and have right answers; the peers in Rust and Go can be built. No time is judged."""
import functools
import json

import bench
import builds
import house
import peers
from claims import Skip, claim, equal, has, matches

WHO = {"hop", "serial", "plain_call", "std", "boost_context", "swapcontext", "tbb", "openmp", "pstl", "rayon", "tokio", "go",
       "boost_fiber", "beast", "nginx", "pigz", "beanstalkd", "redis", "cjson", "simdjson", "lmdb", "sqlite", "epoll", "futex", "eventfd"}
FIELDS = {"bench": str, "workers": int, "who": str, "value": (int, float), "unit": str, "better": str, "rounds": int}


def names():
    return sorted(file.stem for file in (house.ROOT / "bench").glob("*.cpp"))


@functools.cache
def directory():
    return builds.build("release", only="|".join(f"bench_{name}" for name in names()))


def valid(out, name, workers):
    """The lines of one run; every one is whole and about this bench."""
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    for line in lines:
        for field, kind in FIELDS.items():
            equal(isinstance(line.get(field), kind), True, f"{field} of {line} is a {kind}")
        equal((line["bench"], line["workers"]), (name, workers), "bench and workers")
        has(WHO, line["who"])
        has(("lower", "higher"), line["better"])
        equal(line["value"] >= 0 and line["unit"] != "", True, f"{line} has a value and a unit")
        equal(set(line) - set(FIELDS) - {"variant"}, set(), "fields that nobody knows")
    keys = [(line["who"], line.get("variant")) for line in lines]
    equal(len(keys), len(set(keys)), "figures of their own")
    return lines


@claim("dev", "every_bench_of_ours_runs_with_quick_and_has_right_answers")
def _(box):
    for name in names():
        for workers in bench.rules().WORKERS.get(name, (1,)):
            out = box.run([directory() / f"bench_{name}", "--quick", "--workers", workers], timeout=120)
            lines = valid(out.out, name, workers)
            has([line["who"] for line in lines], "hop")


@claim("dev", "a_bench_names_a_wrong_argument_with_status_2")
def _(box):
    for words in (["--quik"], ["--workers"], ["--workers", "0"], ["--workers", "two"]):
        out = box.run([directory() / "bench_fork_join", *words], expect=2)
        equal(out.out, "", "stdout")
        has(out.err, words[0])


@claim("dev", "every_check_is_about_a_bench_and_a_peer_that_exist")
def _(box):
    sources = {name: (house.ROOT / "bench" / f"{name}.cpp").read_text() for name in names()}
    known = {(peer.bench, peer.who) for peer in peers.found(names())}
    for rule in bench.rules().CHECKS:
        has(names(), rule["bench"])
        of = rule.get("of")
        measured_by_ours = of is not None and f'"{of}"' in sources[rule["bench"]]
        equal(of is None or measured_by_ours or (rule["bench"], of) in known, True, f"{rule} has its peer")
        equal("workers" not in rule or rule["workers"] in bench.rules().WORKERS[rule["bench"]], True, f"{rule} is measured")
    for name in bench.rules().WORKERS:
        has(names(), name)


@claim("dev", "dev_bench_without_peers_prints_a_table_and_writes_its_lines")
def _(box):
    file = box.dir / "lines.json"
    out = box.run([house.ROOT / "dev", "bench", "yield", "--no-peers", "--rounds", "2", "--json", file])
    matches(out.out, r"^bench +variant +workers +who +median +unit +hop/this +spread$")
    equal([(line["workers"], line["rounds"]) for line in map(json.loads, file.read_text().splitlines())], [(1, 2), (2, 2)], "lines")


@claim("dev", "every_peer_in_rust_and_go_builds_and_has_right_answers", full=True)
def _(box):
    others = [peer for peer in peers.found(names()) if peer.language in ("rust", "go")]
    equal({peer.language for peer in others}, {"rust", "go"}, "languages")
    missing = [str(tool) for tool in (peers.CARGO, peers.RUSTC, peers.GO, peers.CRATES) if not tool.exists()]
    if missing:
        raise Skip(f"not installed: {', '.join(missing)} (./dev setup --peers)")
    equal(peers.build(others), [], "failures")
    for peer in others:
        for workers in bench.rules().WORKERS[peer.bench]:
            lines = valid(box.run([peer.program, "--quick", "--workers", workers], timeout=120).out, peer.bench, workers)
            equal([line["who"] for line in lines], [peer.who], "who")
        box.run([peer.program, "--quik"], expect=2)
