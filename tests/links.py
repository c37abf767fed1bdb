#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dead links in Markdown.

    links.py FOLDER    fails for each link of a page in FOLDER (not in its build/) to a file or an anchor that does not exist;
                       and, if FOLDER has the sources, for each path of a source file that a page names and is not there

The last line is "N passed, N failed", in links and paths.
"""

import glob
import os
import re
import sys

FENCE = re.compile(r"^ *```.*?^ *```", re.M | re.S)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^][]*\]\(([^()\s]+)\)")
# A path from the top of the sources: `asm/assemble.cpp`, tests/cases/instructions-*.txt
PATH = re.compile(r"(?<![\w./-])(?:asm|objwriter|targets|include|tests|docs|examples|cmake)/[\w./*-]*[\w*/]")


def pages(folder):
    for path, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if f[0] != "." and f != "build"]
        yield from (os.path.join(path, f) for f in sorted(files) if f.endswith(".md"))


def anchors(text):
    """The names that GitHub gives to headings."""
    seen = {}
    for heading in re.findall(r"^#+ +(.*?) *$", FENCE.sub("", text), re.M):
        heading = LINK.sub(lambda link: link[0][1 : link[0].index("]")], heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        yield f"{name}-{count}" if count else name


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def is_dead(page, target):
    if re.match(r"[a-z]+:", target):
        return False
    file, _, anchor = target.partition("#")
    file = os.path.join(os.path.dirname(page), file) if file else page
    if not os.path.exists(file):
        return True
    return anchor != "" and (not file.endswith(".md") or anchor not in anchors(read(file)))


def main():
    folder = sys.argv[1]
    has_sources = os.path.exists(os.path.join(folder, "CMakeLists.txt"))
    passed = failed = 0
    for page in pages(folder):
        text = read(page)
        said = LINK.findall(CODE.sub("", FENCE.sub("", text)))
        dead = [target for target in said if is_dead(page, target)]
        if has_sources:
            paths = PATH.findall(re.sub(r"\]\(.*?\)", "]", text))
            said += paths
            dead += [path for path in paths if not glob.glob(os.path.join(folder, path))]
        for target in dead:
            print(f"FAIL: {page}: {target} is not there")
        passed += len(said) - len(dead)
        failed += len(dead)
    if not passed:
        print(f"FAIL: no links in {folder}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
