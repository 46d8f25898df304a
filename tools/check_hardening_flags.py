#!/usr/bin/env python3
"""Says which of our files are compiled without a hardening flag. A program shows that some object has guards and
checked copies; only the commands show that every one has.

    check_hardening_flags.py BUILD SOURCES

reads BUILD/compile_commands.json, and wants every *.cc below SOURCES to be there. What is compiled for tests,
fuzzers and benchmarks reaches no user and is left out.
"""

import json
import pathlib
import platform
import re
import shlex
import sys

NOT_SHIPPED = ("tests/", "fuzz/", "bench/")

# src/CMakeLists.txt has the reason: arrays of registers, never indexed by data.
UNGUARDED = "/src/kernels/"


def last(words: list, pattern: str) -> str:
    """The word that decides: of flags that contradict each other, compilers take the last."""
    return next((word for word in reversed(words) if re.fullmatch(pattern, word)), "")


def lacking(file: str, words: list, machine: str) -> list:
    found = {
        "-fstack-protector-strong": UNGUARDED in file
        or re.search("-strong|-all", last(words, "-f(no-)?stack-protector.*")),
        "-fstack-clash-protection": last(words, "-f(no-)?stack-clash-protection") == "-fstack-clash-protection",
        "-D_FORTIFY_SOURCE=2": re.fullmatch("-D_FORTIFY_SOURCE=[23]", last(words, "-[DU]_FORTIFY_SOURCE.*")),
        "-O, without which copies are not checked": re.fullmatch("-O[123s]", last(words, "-O.*")),
        "-fPIC": re.fullmatch("-f(PIC|PIE|pic|pie)", last(words, "-f(no-)?(PIC|PIE|pic|pie)")),
        "-fcf-protection": machine != "x86_64"
        or re.fullmatch("-fcf-protection(=full)?", last(words, "-fcf-protection.*")),
    }
    return [flag for flag, is_there in found.items() if not is_there]


def problems(commands: list, sources: pathlib.Path, machine: str = platform.machine()) -> list:
    found, seen = [], set()
    for command in commands:
        words = shlex.split(command["command"])
        if words[words.index("-o") + 1].startswith(NOT_SHIPPED):
            continue
        seen.add(pathlib.Path(command["file"]).resolve())
        found += [f"{command['file']} is compiled without {flag}." for flag in lacking(command["file"], words, machine)]
    ours = sorted(sources.resolve().rglob("*.cc"))
    if not ours:
        found.append(f"{sources} has no sources.")
    return found + [f"{source} is not among the commands of the build." for source in ours if source not in seen]


def main():
    build, sources = (pathlib.Path(argument) for argument in sys.argv[1:3])
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    found = problems(commands, sources)
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
