#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""expected.py TEXTS [LLVM-MC]: what expected.jsonl says of the texts of `xas-corpus texts` is what GNU as and llvm-mc do.

Both must take and refuse the same texts. Where a text is refused, an error of the reference has a line of which
expected.jsonl has an error too; llvm-mc tells no line of what a macro made. What crashes it is passed over. The last line is "N passed, N failed".
"""
import json, re, subprocess, sys, tempfile
from pathlib import Path


def refused_at(command, text):
    """None if the text is taken, else the lines of errors; "crash" if the assembler breaks off."""
    done = subprocess.run([*command, text], capture_output=True)
    if done.returncode < 0 or done.returncode > 127:
        return "crash"
    if done.returncode == 0:
        return None
    said = done.stderr.decode(errors="replace")
    return {int(m[1]) for m in re.finditer(rf"^{re.escape(str(text))}:(\d+):.*[Ee]rror:", said, re.M)}


def main():
    place, llvm_mc = Path(sys.argv[1]), (sys.argv[2:] or ["llvm-mc-22"])[0]
    passed = failed = 0
    with tempfile.NamedTemporaryFile() as out:
        for expected in sorted(place.glob("*/*/expected.jsonl")):
            folder = expected.parent
            name = folder / "assembler"
            command = [llvm_mc, "-filetype=obj"] if folder.parent.name == "llvm" else [
                name.read_text().strip() if name.exists() else "as"]
            command += (folder / "options").read_text().split() + ["-o", out.name]
            for line in expected.read_text().splitlines():
                made = json.loads(line)
                lines = refused_at(command, folder / made["text"])
                if lines == "crash":
                    continue
                ours = {e["line"] for e in made["errors"]}
                good = made["accepted"] == (lines is None) and (not lines or bool(lines & ours))
                passed, failed = passed + good, failed + (not good)
                if not good:
                    print(f"FAIL: {folder / made['text']}: {sorted(ours)}, the reference: {lines and sorted(lines)}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
