"""hop_model at the command line: a failing schedule is printed and replays, nonsense is refused, every planted name is declared."""
import functools
import re

import builds
import features
import house
import rooms
from claims import claim, equal, has, matches

# Which piece and which mutant the claims below use: a known bug, and a defect planted in the product.
KNOWN_BUG = "dekker_no_fence"
MUTANTS = "seqlock"


@functools.cache
def hop_model():
    return builds.build("model", only="hop_model") / "hop_model"


def run(box, *words, expect=0):
    return box.run([hop_model(), *words], expect=expect, env={"HOP_REPORT": ""})


def steps(text):
    """The numbered lines of a run."""
    return [line for line in text.splitlines() if re.match(r" *\d+ +\w+  ", line)]


def finding(text):
    return matches(text, r"^finding: (.*)$")[1]


@claim("model", "a_failing_schedule_is_printed_line_by_line_and_replays_from_its_file")
def _(box):
    out = run(box, KNOWN_BUG, "--show", "--save", "kept").out
    has(out, "race: ")
    shown = steps(out)
    matches("\n".join(shown), r"store #\d+ relaxed = 1 +mutual_exclusion\.cpp:\d+ \S+: mine\.store\(1, memory_order_relaxed\);")
    matches("\n".join(shown), r"load  #\d+ relaxed -> 0 \(stale\) ")
    file = matches(out, r"^replay:  \./dev model \S+ --schedule (\S+)$")[1]
    equal((box.dir / file).read_text().splitlines()[:2], ["hop model schedule 1", f"piece {KNOWN_BUG}"], "head of the file")
    again = run(box, KNOWN_BUG, "--schedule", file, expect=1).out
    equal(steps(again), shown, "the replayed run")
    equal(finding(again), finding(out), "its finding")


@claim("model", "a_run_with_a_planted_mutant_replays_with_the_mutant")
def _(box):
    out = run(box, MUTANTS, "--mutants", "--show", "--save", "kept").out
    files = re.findall(r"^replay:  \./dev model \S+ --schedule (\S+)$", out, re.M)
    findings = re.findall(r"^finding: (.*)$", out, re.M)
    equal(len(files), len(set(files)), "files of their own")
    has((box.dir / files[0]).read_text(), "\nmutant write: ")
    for file, wanted in zip(files, findings, strict=True):
        equal(finding(run(box, MUTANTS, "--schedule", file, expect=1).out), wanted, "finding")


@claim("model", "a_schedule_that_is_none_ends_with_status_2_and_a_sentence")
def _(box):
    def refused(text, sentence, *words):
        seen = run(box, *words, "--schedule", box.write("s", text), expect=2)
        has(seen.err, sentence)
    head = "hop model schedule 1\n"
    refused("hello\n", "is no schedule: its first line is not 'hop model schedule 1'")
    refused(head + "choices 1 two\n", ":2: 'choices 1 two' is not piece, mutant, seed or choices")
    refused(head + "piece nothing\nchoices 0\n", "no piece 'nothing'; see --list")
    refused(head + f"piece {MUTANTS}\nmutant nobody\nchoices 0\n", "no mutant 'nobody'")
    refused(head + f"piece {KNOWN_BUG}\nchoices 0 7 7\n", "does not fit the program any more")
    refused(head + f"piece {KNOWN_BUG}\nchoices 0\n", f"is a run of '{KNOWN_BUG}', not of 'dekker'", "dekker")
    has(run(box, "--schedule", "nowhere", expect=2).err, "nowhere cannot be read")


@claim("model", "an_unknown_piece_or_option_ends_with_status_2")
def _(box):
    has(run(box, "no_such_piece", expect=2).err, "no piece 'no_such_piece'; see --list")
    run(box, "--no-such-option", expect=2)


@claim("model", "mutants_prints_a_table_with_a_verdict_for_each")
def _(box):
    lines = run(box, MUTANTS, "--mutants").out.splitlines()
    equal(lines[-1], f"mutants: {len(lines) - 1} passed, 0 failed", "last line")
    for line in lines[:-1]:
        matches(line, rf"^{MUTANTS} +\S.* (caught|harmless) +\d+\.\d\d s  \S")
    has(run(box, "treiber_publishes", "--mutants").out, " harmless ")


@claim("model", "every_piece_has_a_row_of_the_features_or_a_room")
def _(box):
    known = set(features.load().rows) | set(rooms.names())
    listed = [line.split(None, 3) for line in run(box, "--list").out.splitlines()]
    equal([words for words in listed if len(words) != 4 or words[1] not in known], [], "pieces without a row")
    equal(len({words[0] for words in listed}), len(listed), "different names")


@claim("model", "every_mutant_named_in_the_product_is_declared_by_a_piece")
def _(box):
    planted = {}
    for top in ("include", "src", "test/model"):
        for file in sorted((house.ROOT / top).rglob("*.[ch]pp")):
            if "src/model" in str(file) or file.name == "mutant.hpp":
                continue
            planted.update({name: house.relative(file) for name in re.findall(r'HOP_MUTANT\(\s*"([^"]+)"', file.read_text())})
    declared = set()
    for file in sorted((house.ROOT / "test" / "model").rglob("*.cpp")):
        for names in re.findall(r"\.code_mutants\s*=\s*\{([^}]*)\}", file.read_text()):
            declared.update(re.findall(r'"([^"]+)"', names))
    equal({n: f for n, f in planted.items() if n not in declared}, {}, "mutants that no piece declares")
