#!/usr/bin/env python3
"""Says what a program or a shared object (*.so) lacks of: addresses drawn at random, tables that cannot be rewritten,
a stack that cannot run, guards behind arrays, and checked copies.

    check_hardening.py READELF PROGRAM
"""

import re
import subprocess
import sys


def missing(readelf: str, program: str) -> list:
    def told(*options: str) -> str:
        return subprocess.run([readelf, "-W", *options, program], check=True, capture_output=True, text=True).stdout

    head, segments, dynamic, symbols = told("-h"), told("-l"), told("-d"), told("--dyn-syms")
    placed = "INTERP" in segments or ".so" in program.rpartition("/")[2]  # a shared object names no interpreter
    stack = re.search(r"GNU_STACK.*?(R\S*)\s+0x", segments)
    found = {
        "position independence (-pie)": re.search(r"Type:\s+DYN", head) and placed,
        "read-only relocations (-z relro)": "GNU_RELRO" in segments,
        "binding at start (-z now)": re.search(r"BIND_NOW|Flags: .*NOW", dynamic),
        "a stack without code (-z noexecstack)": stack and "E" not in stack.group(1),
        "stack guards (-fstack-protector-strong)": "__stack_chk_fail" in symbols,
        "checked copies (-D_FORTIFY_SOURCE)": re.search(r"__\w+_chk\b", symbols.replace("__stack_chk", "")),
    }
    return [name for name, is_there in found.items() if not is_there]


def main():
    lacks = missing(*sys.argv[1:3])
    for name in lacks:
        print(f"{sys.argv[2]} lacks {name}.", file=sys.stderr)
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main())
