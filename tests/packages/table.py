#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/packages.md from what rebuild.sh has found.

    table.py DATE DIR > docs/packages.md      DIR has results-bookworm.tsv, results-trixie.tsv, and what replay.sh printed,
                                              replayed-bookworm.txt, replayed-trixie.txt

Packages are in the order and under the headings of list.txt. explained.txt says in a line `PACKAGE: why` what is behind a package
that differs or cannot be built; table.py fails if one of them has no such line.
"""

import collections
import datetime
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RELEASES = {"bookworm": "Debian 12, GNU as 2.40", "trixie": "Debian 13, GNU as 2.44"}
OUTCOMES = {
    "same": "the same, bit for bit",
    "differs": "**differs**",
    "varies": "varies: two builds with GNU as differ",
    "fails": "**fails** with xas",
    "unbuilt": "cannot be built here, with GNU as neither (sources that the mirror lacks)",
}
FIELDS = "package version outcome debs calls seconds differing".split()


def headings():
    """Heading of each package of list.txt."""
    found, heading = {}, "others"
    with open(os.path.join(HERE, "list.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("# "):
                heading = line[2:].strip()
            elif line.strip():
                found[line.strip()] = heading
    return found


def results(path):
    with open(path, encoding="utf-8") as file:
        return [dict(zip(FIELDS, line.rstrip("\n").split("\t"))) for line in file]


def replay(path):
    """What replay.sh has printed, in a sentence."""
    with open(path, encoding="utf-8") as file:
        *packages, total = file.read().splitlines()
    passed, failed = (int(word) for word in total.replace(",", "").split()[::2])
    count = sum(line.endswith(" not") for line in packages)
    day = datetime.date.fromtimestamp(os.path.getmtime(path))
    return (f"On {day}, `tests/packages/replay.sh` asked xas what the builds of {count} packages had asked GNU as:\n"
            f"{passed:,} of {passed + failed:,} objects are the same.")


def explanations():
    with open(os.path.join(HERE, "explained.txt"), encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(": ", 1) for line in file if ": " in line and not line.startswith("#"))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    date, directory = sys.argv[1:]
    heading_of, why = headings(), explanations()
    order = list(heading_of)
    failed = False
    print("# Debian's packages, built with xas\n")
    print("`tests/packages/rebuild.sh` builds a source package with GNU as and with xas in its place, and compares the .debs, those\n"
          "with debugging information too, bit for bit. Only amd64; the packages' own tests do not run. Made by\n"
          f"`tests/packages/table.py` on {date}.")
    for release, name in RELEASES.items():
        path = os.path.join(directory, f"results-{release}.tsv")
        if not os.path.exists(path):
            continue
        rows = results(path)
        count = collections.Counter(row["outcome"] for row in rows)
        objects = sum(int(row["calls"]) for row in rows if row["outcome"] == "same")
        print(f"\n## {name}\n")
        print("; ".join(f"{count[outcome]} {text.replace('**', '').split(':')[0]}" for outcome, text in OUTCOMES.items() if count[outcome])
              + f".\nThe same ones called the assembler {objects:,} times.")
        replayed = os.path.join(directory, f"replayed-{release}.txt")
        if os.path.exists(replayed):
            print(f"\n{replay(replayed)}")
        for heading in dict.fromkeys(heading_of.get(row["package"], "others") for row in sorted(
                rows, key=lambda r: order.index(r["package"]) if r["package"] in order else len(order))):
            print(f"\n### {heading}\n\n| package | version | objects | |\n|---|---|---|---|")
            for row in rows:
                if heading_of.get(row["package"], "others") != heading:
                    continue
                text = OUTCOMES[row["outcome"]]
                if row["outcome"] in ("differs", "fails"):
                    if row["package"] not in why:
                        print(f"table.py: {row['package']} has no explanation", file=sys.stderr)
                        failed = True
                    text += ": " + why.get(row["package"], "")
                print(f"| {row['package']} | {row['version']} | {row['calls']} | {text} |")
    return failed


if __name__ == "__main__":
    sys.exit(main())
