#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folders are rooms, includes are arrows, and arrows run down.

    rooms.py        fails if an include runs up, from a room to one above it, and is not listed here; or if a header of
                    asm/ declares a function that is not defined in its room, or a room within it

ROOMS is the house from the ground up: a room includes what stands before it. UP lists the arrows that run the other way,
with the reason; one that is not there any more fails, too. The last line is "N passed, N failed", in arrows.
"""

import collections
import glob
import os
import re
import sys

ROOMS = """
    include/xas
    objwriter objwriter/read objwriter/metadata
    targets targets/x86 targets/aarch64 targets/arm targets/isagen
    asm/text asm/diagnostics asm/options
    asm/program
    asm/layout asm/unwind asm/debug
    asm/object asm/listing
    asm/read asm/read/cache asm/directives asm/directives/coff
    asm
    asm/cli asm/dump
    asm/corpus asm/corpus/instructions asm/corpus/instructions/agreement asm/corpus/objects asm/corpus/texts
    asm/lsp
""".split()

UP = {
    ("objwriter", "objwriter/metadata"): "the builder makes sections of metadata",
    ("asm/read", "asm/directives"): "statements look directives up in the table of all handlers",
    ("asm/read", "asm/read/cache"): "the cache is a part of the Reader",
    ("asm/read/cache", "asm/directives"): "the lines of some directives are known by their spelling",
    ("asm/corpus/instructions", "asm/corpus/instructions/agreement"): "tables, a part of the room",
}


def arrows():
    """(from, to) of every include of another room's file, with the files."""
    found = collections.defaultdict(list)
    for folder in ("asm", "objwriter", "targets", "include"):
        for path in glob.glob(f"{folder}/**/*", recursive=True):
            if not path.endswith((".h", ".hpp", ".cpp", ".c")):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
                target = next((p for p in (name, f"include/{name}") if os.path.exists(p)), None)
                if target and os.path.dirname(target) != os.path.dirname(path):
                    found[os.path.dirname(path), os.path.dirname(target)].append((path, target))
    return found


FUNCTION = re.compile(
    r"""^(?!(?:inline|constexpr|template|using|static|friend|struct|class|enum|namespace|return|extern)\b)
        [A-Za-z_][\w:<>,&*\[\] ]*[ &*]     # the result's type; members and lambdas are indented, or have a ::
        (\w+) \( [^;{}]* \) (?:[ ]const)?   # the name, the parameters
        \s* ([;{])""", re.MULTILINE | re.VERBOSE)


def strangers():
    """(header, function, rooms that define it) for each one that a header of another room declares."""
    declared, defined = set(), collections.defaultdict(set)
    for path in glob.glob("asm/**/*.h", recursive=True) + glob.glob("asm/**/*.cpp", recursive=True):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        for name, end in FUNCTION.findall(text):
            if path.endswith(".h") and end == ";":
                declared.add((path, name))
            elif path.endswith(".cpp") and end == "{":
                defined[name].add(os.path.dirname(path))
    for path, name in sorted(declared):
        room = os.path.dirname(path)
        if defined[name] and not any(f"{other}/".startswith(f"{room}/") for other in defined[name]):
            yield path, name, sorted(defined[name])


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    found = arrows()
    failed = 0
    for (room, other), files in sorted(found.items()):
        unknown = [r for r in (room, other) if r not in ROOMS]
        if unknown:
            failed += 1
            print(f"{unknown[0]} is not in ROOMS: say where it stands")
        elif ROOMS.index(other) > ROOMS.index(room) and (room, other) not in UP:
            failed += 1
            print(f"{room} stands below {other}, but {files[0][0]} includes {files[0][1]}")
    for path, name, rooms in strangers():
        failed += 1
        print(f"{path} declares {name}, which {', '.join(rooms)} defines")
    for arrow in UP.keys() - found.keys():
        failed += 1
        print(f"no file of {arrow[0]} includes one of {arrow[1]}: take it out of UP")
    up = sum(ROOMS.index(b) > ROOMS.index(a) for a, b in found if a in ROOMS and b in ROOMS)
    print(f"{len({room for arrow in found for room in arrow})} rooms, {len(found)} arrows, {up} of them up")
    print(f"{len(found)} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
