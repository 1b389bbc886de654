"""./dev tidy format, length, words, links, headers, clang: planted trees with one thing wrong."""
from claims import claim, equal, has, has_not, matches
from planted import House

SOURCE = "#include <hop/base/a.hpp>\n\nint hop_a() { return hop::a(); }\n"
HEADER = "#pragma once\n\n#include <string>\n\nnamespace hop {\ninline int a() { return static_cast<int>(std::string(\"a\").size()); }\n}  // namespace hop\n"
CLEAN = {"include/hop/base/a.hpp": HEADER, "src/base/a.cpp": "int hop_a();\n" + SOURCE}


@claim("dev", "tidy_formats_what_it_finds_unformatted")
def _(box):
    house = House(box, {**CLEAN, "src/base/b.cpp": "int  b( ){return 1;}\n"})
    matches(house.dev("tidy", "format", expect=1).out, r"^src/base/b\.cpp:1: not formatted")
    house.dev("tidy", "--fix", "format")
    equal((house.root / "src/base/b.cpp").read_text(), "int b() { return 1; }\n")
    equal(house.dev("tidy", "format").out, "")


@claim("dev", "tidy_notes_a_long_file_and_wants_a_reason_for_a_very_long_one")
def _(box):
    house = House(box, {"src/base/a.cpp": "\n" * 460, "src/base/b.cpp": "// long: one table\n" + "\n" * 900, "src/base/c.cpp": "\n" * 800})
    out = house.dev("tidy", "length")
    equal(out.out, "")
    has(out.err, "src/base/a.cpp:460: note:")
    house.write("src/base/c.cpp", "\n" * 801)
    matches(house.dev("tidy", "length", expect=1).out, r"^src/base/c\.cpp:801: ")


@claim("dev", "tidy_finds_paths_of_one_machine_and_promises_in_product_code")
def _(box):
    later, place = "TO" + "DO", "/ro" + "ot/x"
    house = House(box, {"src/base/a.cpp": f"// {later}: more\n", "test/unit/base/a_test.cpp": f"// {later} is fine here\n", "docs/x.md": f"see {place}\n",
                        "docs/y.md": "a wo" + "rk/ful path, include/ro" + "ot/x, $X/ro" + "ot\n"})
    out = house.dev("tidy", "words", expect=1).out
    equal([line.split(": ")[0] for line in out.splitlines()], ["docs/x.md:1", "src/base/a.cpp:1"])


@claim("dev", "tidy_finds_dead_links_and_dead_anchors")
def _(box):
    good = "# One `word` & more\n[a](y.md) [b](y.md#two-words) [c](#one-word--more) [d](https://example.org/x) ![e](../dev)\n"
    bad = "[a](gone.md)\n\n[b](y.md#three)\n[c](#four)\n```\n[not](a-link.md)\n```\n`[nor](this.md)`\n[ref]: gone.md\n"
    house = House(box, {"docs/x.md": good, "docs/y.md": "## Two words\n"})
    equal(house.dev("tidy", "links").out, "")
    house.write("docs/z.md", bad)
    out = house.dev("tidy", "links", expect=1).out
    equal([line.split(": ")[0] for line in out.splitlines()], ["docs/z.md:1", "docs/z.md:3", "docs/z.md:4", "docs/z.md:9"])


@claim("dev", "tidy_compiles_each_public_header_alone")
def _(box):
    house = House(box, CLEAN)
    equal(house.dev("tidy", "headers").out, "")
    house.write("include/hop/base/b.hpp", "#pragma once\ninline std::string b() { return {}; }\n")
    matches(house.dev("tidy", "headers", expect=1).out, r"^include/hop/base/b\.hpp:2: <hop/base/b\.hpp> does not compile alone: .*string")
    house.write("include/hop/base/b.hpp", "inline int b() { return 1; }\n")  # no guard
    has(house.dev("tidy", "headers", expect=1).out, "b.hpp:1:")


@claim("dev", "tidy_forgets_a_clean_result_when_an_included_file_changes")
def _(box):
    house = House(box, {**CLEAN, "include/hop/base/b.hpp": "#pragma once\n#include <hop/base/a.hpp>\ninline int b() { return hop::a(); }\n"})
    equal(house.dev("tidy", "headers").out, "")
    house.write("include/hop/base/a.hpp", HEADER.replace("int a()", "int c()"))
    has(house.dev("tidy", "headers", expect=1).out, "<hop/base/b.hpp> does not compile alone")


GUARDED = """struct __attribute__((capability("mutex"))) lock {
  void take() __attribute__((acquire_capability())) {}
  void give() __attribute__((release_capability())) {}
};
lock l;
int value __attribute__((guarded_by(l)));
int hop_read();
"""


@claim("dev", "tidy_has_clang_find_a_guarded_value_read_without_its_lock")
def _(box):
    house = House(box, {"src/base/a.cpp": GUARDED + "int hop_read() {\n  l.take();\n  int v = value;\n  l.give();\n  return v;\n}\n"})
    equal(house.dev("tidy", "clang").out, "")
    house.write("src/base/a.cpp", GUARDED + "int hop_read() { return value; }\n")
    matches(house.dev("tidy", "clang", expect=1).out, r"^src/base/a\.cpp:8: clang: reading variable 'value' requires holding mutex 'l'")


@claim("dev", "tidy_reads_the_sources_in_the_meaning_of_the_model_checker_too")
def _(box):
    house = House(box, {**CLEAN, "src/model/main.cpp": "#ifdef HOP_MODEL\nint main() { return gone; }\n#endif\n"})
    out = house.dev("tidy", "clang", expect=1).out
    matches(out, r"^src/model/main\.cpp:2: clang: use of undeclared identifier 'gone'")
    has_not(out, "src/base/a.cpp")
