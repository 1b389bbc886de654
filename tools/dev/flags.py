"""Compiler flags as CMake decided them, for those who compile outside of it: compile_fail, tidy."""
import json
import shlex

import house

DROP_WITH_VALUE = {"-o", "-MF", "-MT", "-MQ", "-include"}
DROP = {"-c", "-MD", "-MMD", "-Winvalid-pch", "-fpch-preprocess"}


def commands(directory):
    """[(source, compiler arguments)] of a build directory; without outputs, launcher and precompiled headers."""
    found, file = [], directory / "compile_commands.json"
    for entry in json.loads(file.read_text()) if file.exists() else []:  # a build without sources has none
        words = shlex.split(entry["command"])
        source = entry["file"]
        if "/cmake_pch" in source:
            continue
        while words and not words[0].rsplit("/", 1)[-1].startswith(("c++", "g++", "clang", "x86_64", "aarch64")):
            words.pop(0)  # env VAR=... ccache
        kept, skip = [], False
        for word in words[1:]:
            if skip:
                skip = False
            elif word in DROP_WITH_VALUE:
                skip = True
            elif word not in DROP and word != source:
                kept.append(word)
        found.append((source, kept))
    return found


def public(directory):
    """What a user of the library compiles with: the public definitions and the include directory."""
    wanted = ("-DHOP_CHECKED=", "-DHOP_SWITCH_BOOST=", "-DHOP_STACK_BYTES=", "-DHOP_LARGE_STACK_BYTES=", "-DHOP_QUEUE_SLOTS=")
    for source, words in commands(directory):
        if "/src/" in source:
            return [w for w in words if w.startswith(wanted)] + ["-std=c++20", "-pthread", f"-I{house.ROOT / 'include'}"]
    raise RuntimeError(f"{directory}: no source of the library in compile_commands.json")
