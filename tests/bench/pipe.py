#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long an object takes after the compiler's last byte, when it writes its text into a pipe (gcc -pipe).

    pipe.py [--runs N] [--xas XAS] -- COMPILER...    a command that writes assembler text to its standard output
    pipe.py --xas build/test/xas -- gcc -O2 -S -o - sqlite3.c

The assemblers take turns. Shown is the median of N runs, with the least and the most, in milliseconds.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time


def seconds_after_compiler(compiler, assembler):
    """Runs both, connected by a pipe; the time from the compiler's end to the assembler's."""
    first = subprocess.Popen(compiler, stdout=subprocess.PIPE)
    second = subprocess.Popen(assembler, stdin=first.stdout)
    first.stdout.close()
    if first.wait() != 0:
        sys.exit(f"{compiler[0]} has failed")
    end = time.perf_counter()
    if second.wait() != 0:
        sys.exit(f"{assembler[0]} has failed")
    return time.perf_counter() - end


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xas", default="build/test/xas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "object.o")
        assemblers = {"xas": [options.xas, "-o", output, "-"], "GNU as": ["as", "-o", output, "-"]}
        times = {name: [] for name in assemblers}
        for _ in range(options.runs):
            for name, command in assemblers.items():
                times[name].append(1000 * seconds_after_compiler(options.compiler, command))
    for name, ms in times.items():
        print(f"{name:8} {statistics.median(ms):8.1f} ms   ({min(ms):.1f} to {max(ms):.1f})")


if __name__ == "__main__":
    main()
