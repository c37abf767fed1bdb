#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What share of a whole build assembling takes, with GNU as and with xas.

    builds.py [--runs N] [--xas XAS] [--report FILE] SOURCES    SOURCES: build/corpus/src, made by tests/corpus/fetch.sh

The libraries of Lua and zlib are built by make with gcc, one job at a time; the assemblers take turns. gcc says what each of
its programs took (-time=FILE). Shown are medians: seconds of the whole make, seconds of processor time in assemblers, and the
share of that in all that gcc has started. --report adds a line of tab-separated values for each build and assembler.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FLAGS = ("-O2", "-O2 -g", "-O2 -pipe")
PROGRAMS = {  # folder of the sources, where in it, the library that is made
    "lua": ("lua5.4", "src", "liblua.a"),
    "zlib": ("zlib", ".", "libz.a"),
}


def prepare(sources, folder):
    """Copies of the sources with makefiles that need no configuring."""
    for source, where, library in PROGRAMS.values():
        shutil.copytree(os.path.join(sources, source), os.path.join(folder, source))
        directory = os.path.join(folder, source, where)
        objects = sorted(name[:-2] + ".o" for name in os.listdir(directory)
                         if name.endswith(".c") and name not in ("lua.c", "luac.c"))
        with open(os.path.join(directory, "bench.mk"), "w", encoding="utf-8") as makefile:
            makefile.write(f"{library}: {' '.join(objects)}\n\tar rcs $@ $^\n")


def processor_seconds(times):
    """Of assemblers and of all programs, from what gcc's -time has written."""
    assembler = everything = 0.0
    with open(times, encoding="utf-8") as file:
        for line in file:
            user, system, program = line.split()[:3]
            used = float(user) + float(system)
            everything += used
            if os.path.basename(program) == "as":
                assembler += used
    return assembler, everything


def build(folder, program, flags, assemblers):
    """Seconds of make, of the assembler, of everything. `assemblers`: the folder in which gcc finds `as`."""
    source, where, _ = PROGRAMS[program]
    directory = os.path.join(folder, source, where)
    for name in os.listdir(directory):
        if name.endswith((".o", ".a")):
            os.remove(os.path.join(directory, name))
    times = os.path.join(folder, "times")
    open(times, "w", encoding="utf-8").close()
    start = time.perf_counter()
    done = subprocess.run(["make", "-s", "-f", "bench.mk", f"CC=gcc -B{assemblers}/ -time={times}",
                           f"CFLAGS={flags} -w -DHAVE_UNISTD_H -DLUA_USE_POSIX"],
                          cwd=directory, stdout=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"builds.py: {program} could not be built")
    return (seconds, *processor_seconds(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xas", default="build/test/xas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--report")
    parser.add_argument("sources")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        prepare(options.sources, folder)
        assemblers = {}
        for name, program in (("xas", os.path.abspath(options.xas)), ("as", shutil.which("as"))):
            assemblers[name] = os.path.join(folder, name)
            os.mkdir(assemblers[name])
            os.symlink(program, os.path.join(assemblers[name], "as"))
        print(f"{'':18} {'assembler':9} {'whole make':>11} {'assembling':>11} {'share':>7}")
        for program in PROGRAMS:
            for flags in FLAGS:
                figures = {name: [] for name in assemblers}
                for _ in range(options.runs):
                    for name, where in assemblers.items():
                        figures[name].append(build(folder, program, flags, where))
                for name, runs in figures.items():
                    whole, assembling, everything = (statistics.median(column) for column in zip(*runs))
                    print(f"{program + ' ' + flags:18} {name:9} {whole:9.2f} s {assembling:9.3f} s "
                          f"{100 * assembling / everything:5.1f} %")
                    rows.append((f"{program} {flags}", name, f"{whole:.4f}", f"{assembling:.4f}", f"{everything:.4f}"))
    if options.report:
        with open(options.report, "w", encoding="utf-8") as report:
            report.writelines("\t".join(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
