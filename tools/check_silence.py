#!/usr/bin/env python3
"""The library is silent: what its objects must not ask the linker for, and why.

    tools/check_silence.py NM LIBRARY

Only undefined symbols of our own objects count. What a shared library does inside (fmt, TBB, …)
is not ours; snprintf writes to memory and is allowed; std::terminate belongs to noexcept.
"""

import re
import subprocess
import sys

REASONS = {
    r"std::w?(cout|cerr|clog)": "only the program talks; report through a callback",
    r"(__)?(v|f|vf|d|vd)?w?printf(_chk)?": "only the program talks; report through a callback",
    r"(f|_IO_)?put(s|c|char|wc|ws|char_unlocked)(_unlocked)?": "only the program talks",
    r"perror|psignal|syslog": "only the program talks; throw Error with a sentence",
    r"fmt::v\d+::v?print\(.*": "only the program talks; fmt::format is the silent one",
    r"abort|exit|_exit|_Exit|quick_exit": "the library never ends its caller; throw",
    r"__assert_fail|__assert": "assert aborts; use expect() of core/fail.h",
    r"s?rand|rand_r|s?random|[dlm]rand48|std::random_device::.*":
        "numbers come from core/random.h, so that a seed decides them",
}


def problems(nm_output: str) -> list[str]:
    """`nm_output`: lines of `nm -C -A --undefined-only`, '<archive>:<object>: U <symbol>'."""
    found = []
    for line in nm_output.splitlines():
        match = re.match(r"(.*?):\s+[Uw] (.*?)(@.*)?$", line)
        for pattern, reason in REASONS.items():
            if match and re.fullmatch(pattern, match[2]):
                found.append(f"{match[1]} uses {match[2]}: {reason}")
    return found


if __name__ == "__main__":
    nm, library = sys.argv[1:]
    command = [nm, "-C", "-A", "--undefined-only", library]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if " U " not in output:
        sys.exit(f"{library}: nm lists no undefined symbol, so nothing was checked")
    sys.exit("\n".join(problems(output)) or 0)
