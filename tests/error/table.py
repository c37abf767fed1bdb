#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Typical mistakes, and what GNU as, llvm-mc and xas say of them: the tables *.txt beside this file.

    table.py XAS            fails if xas does not say what the tables say
    table.py XAS --record   asks all three, and writes their texts into the tables
    table.py XAS --count    the grades of each table

A row is a mistake's lines, indented, and then what each assembler says: the column, if it tells one, and the text; a
message about another line than the last begins with that line. A grade (better, same, worse) compares xas with the
better of the others; it is given by hand in the row's last line, and is asked for again (`?`) when a text of the row
has changed.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
X86 = (["as", "--64"], "x86_64-linux-gnu")
ARM = (["arm-linux-gnueabihf-as"], "arm-linux-gnueabihf")

# A table's name: GNU as, the triple for llvm-mc and xas, and the lines that stand before each row.
TABLES = {
    "general": (*X86, []),
    "x86-att": (*X86, []),
    "x86-intel": (*X86, [".intel_syntax noprefix"]),
    "aarch64": (["aarch64-linux-gnu-as"], "aarch64-linux-gnu", []),
    "arm": (ARM[0], "armv7a-linux-gnueabihf", [".syntax unified", ".arm"]),
    "thumb": (ARM[0], "armv7a-linux-gnueabihf", [".syntax unified", ".thumb"]),
}
WHO = ("gnu", "llvm", "xas")
GRADES = ("better", "same", "worse")
GNU_MESSAGE = re.compile(r"[^:]*:(\d+): (Error|Warning|Fatal error|Info): (.*)")
MESSAGE = re.compile(r"[^:]*:(\d+):(\d+): (error|warning|note): (.*)")


class Row:
    def __init__(self, lines):
        self.lines, self.said, self.grade = lines, {who: [] for who in WHO}, "?"


def read_table(name):
    """The head of a table, and its rows."""
    head, rows, row = [], [], None
    with open(os.path.join(HERE, name + ".txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("    "):
                if row is None:
                    rows.append(row := Row([]))
                row.lines.append(line[4:])
            elif not line:
                row = None
            elif row is None:
                head.append(line)
            elif line.startswith("= "):
                row.grade = line[2:]
            else:
                who, text = line.split(":", 1)
                row.said[who.strip()].append(text[1:])
    return head, rows


def write_table(name, head, rows):
    with open(os.path.join(HERE, name + ".txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(head) + "\n")
        for row in rows:
            file.write("\n" + "".join(f"    {line}\n" for line in row.lines))
            for who in WHO:
                file.writelines(f"{who:4}: {text}\n" for text in row.said[who])
            file.write(f"= {row.grade}\n")


def messages(output, pattern, first, last):
    """What stands in an assembler's output; lines count from the row's first one."""
    said = []
    for match in filter(None, map(pattern.fullmatch, output.splitlines())):
        column = match[2] + ": " if pattern is MESSAGE else ""
        kind = "" if match[match.lastindex - 1] in ("error", "Error") else match[match.lastindex - 1].lower() + ": "
        line = int(match[1]) - first
        place = f"line {line}, {column}" if column and line != last else f"line {line}: " if line != last else column
        said.append(place + kind + match[match.lastindex])
    return said or ["(takes it)" if not output.strip() else output.strip().splitlines()[0]]


def ask(who, table, row, xas):
    gnu, triple, before = TABLES[table]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.s"), "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in before + row.lines))
        command = {
            "gnu": [*gnu, "-o", "t.o", "t.s"],
            "llvm": ["llvm-mc-22", "-filetype=obj", "-triple=" + triple, "-o", "t.o", "t.s"],
            "xas": [xas, "-triple=" + triple, "-o", "t.o", "t.s"],
        }[who]
        run = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    output = run.stderr.decode("utf-8", "replace")
    return messages(output, GNU_MESSAGE if who == "gnu" else MESSAGE, len(before), len(row.lines))


def count(tables):
    total = dict.fromkeys((*GRADES, "?"), 0)
    for name, (_, rows) in tables.items():
        grades = [row.grade.split()[0] for row in rows]
        for grade in grades:
            total[grade] += 1
        print(f"{name:10} {len(rows):4} rows: " + ", ".join(f"{grades.count(g)} {g}" for g in GRADES))
    grades = ", ".join(f"{n} {grade}" for grade, n in total.items() if n or grade != "?")
    print(f"{'all':10} {sum(total.values()):4} rows: {grades}")


def main():
    xas, record = os.path.abspath(sys.argv[1]), "--record" in sys.argv
    tables = {name: read_table(name) for name in TABLES}
    if "--count" in sys.argv:
        return count(tables)
    jobs = [(who, name, row) for name, (_, rows) in tables.items() for row in rows
            for who in (WHO if record else WHO[-1:])]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda job: ask(*job, xas), jobs))
    changed = 0
    for (who, name, row), answer in zip(jobs, answers):
        if answer == row.said[who]:
            continue
        changed += 1
        if not record:
            print(f"{name}: {row.lines}\n  table: {row.said[who]}\n  xas:   {answer}")
        row.said[who], row.grade = answer, "?"
    if record:
        for name, (head, rows) in tables.items():
            write_table(name, head, rows)
    print(f"{len(jobs) - changed} passed, {changed} {'recorded' if record else 'failed'}")
    return 1 if changed and not record else 0


if __name__ == "__main__":
    sys.exit(main())
