#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Standard input that comes slowly: the object is the one that GNU as makes of all of it.

    pipe.py XAS

xas reads the lines that have come while more are being written. Each text is written in parts of several sizes, so that
lines, strings, comments, macros and conditionals are cut everywhere. The last line is "N passed, N failed".
"""

import os
import subprocess
import sys
import tempfile

# More than xas waits for before it begins, so that what follows comes in parts.
BEGINNING = "".join(f"f{i}: movl ${i}, %eax\n\tjne f{i // 2}\n\t.long f{i}-f{i // 3}, {i}\n" for i in range(2500))

CASES = {
    "instructions and data": "".join(f"g{i}: addq f{i}(%rip), %r{8 + i % 8}\n .quad g{i // 2}\n" for i in range(600)),
    "strings": "".join(f'\t.ascii "text {i}\\n", "more\\"{i}"\n\t.string "/* {i} */"\n' for i in range(300)),
    "strings over lines": "".join(f'\t.ascii "first {i}\n second\n"\n' for i in range(100)),
    "comments over lines": "".join(f"\tnop /* one {i}\n two */\n/* {'x' * i}\n\n*/ ret # end\n" for i in range(100)),
    "macros": "".join(f".macro m{i} a\n movl $\\a, %ecx\n .endm\n m{i} {i}\n" for i in range(100)),
    "conditionals": "".join(f".if {i % 2}\n .long {i}\n.else\n .quad {i}\n.endif\n" for i in range(200)),
    "loops": "".join(f".rept {i % 4}\n .byte {i}\n .endr\n .irp r, ax, bx\n push %r\\r\n .endr\n" for i in range(100)),
    "line markers": "".join(f'# {i} "file{i % 3}.c"\n\tnop\n' for i in range(1, 300)),
    "frames": "".join(f"h{i}:\n\t.cfi_startproc\n\tpush %rbx\n\t.cfi_def_cfa_offset 16\n\tret\n\t.cfi_endproc\n" for i in range(100)),
    "one long line": "\t.byte " + ", ".join(str(i % 256) for i in range(40000)) + "\n",
    "no newline at the end": "\tnop\n" * 100 + "\tret",
    "the end before the end": "\tnop\n" * 10 + ".end\n" + "\tnothing at all\n" * 10,
    "NUL behind the text": "\tnop\n" * 10 + "\tret\n",
}
PARTS = (61, 1000, 4096, 65537)
OPTIONS = ([], ["-g"])


def write_slowly(command, text, part):
    """Hands over the text in parts, each of them when the one before is on its way."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        os.write(process.stdin.fileno(), text[: len(BEGINNING)])
        for at in range(len(BEGINNING), len(text), part):
            os.write(process.stdin.fileno(), text[at : at + part])
        process.stdin.close()
    except BrokenPipeError:
        pass  # it has read .end
    message = process.stderr.read().decode()
    return process.wait(), message


def check(xas, name, text, options, folder):
    expected, got = os.path.join(folder, "expected.o"), os.path.join(folder, "got.o")
    subprocess.run(["as", "-W", *options, "-o", expected, "-"], input=text, check=True)
    with open(expected, "rb") as file:
        expected_bytes = file.read()
    failed = 0
    for part in PARTS:
        status, message = write_slowly([xas, "--compat=gnu-2.40", *options, "-o", got, "-"], text, part)
        if status == 0:
            with open(got, "rb") as file:
                if file.read() == expected_bytes:
                    continue
        failed += 1
        print(f"{name} {' '.join(options)}, in parts of {part}: {message.strip() or 'another object'}")
    return failed


def check_errors(xas, folder):
    """What is not closed at the end is told, at its place; and no object is left."""
    failed = 0
    lines = BEGINNING.count("\n")
    for name, text, where, words in (
        ("a comment", "\tnop\n/* open\n\tnop\n" * 1, 2, "comment is not closed"),
        ("a string", '\t.ascii "open\n\tnop\n', 1, "string is not closed"),
        ("a macro", ".macro m\n\tnop\n", 1, "no .endm"),
        ("a mistake", "\tnop\n" * 5000 + "\tnothing %eax\n", 5001, "nothing"),
    ):
        got = os.path.join(folder, "bad.o")
        status, message = write_slowly([xas, "-o", got, "-"], (BEGINNING + text).encode(), 7)
        if status != 1 or f":{lines + where}:" not in message or words not in message or os.path.exists(got):
            failed += 1
            print(f"{name} that is wrong at line {lines + where}: status {status}, {message.strip()}")
    return 4, failed


def main():
    xas = sys.argv[1]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in CASES.items():
            for options in OPTIONS:
                if name == "the end before the end" and options:
                    continue
                bad = check(xas, name, (BEGINNING + text).encode(), options, folder)
                failed += bad
                passed += len(PARTS) - bad
        count, bad = check_errors(xas, folder)
        passed, failed = passed + count - bad, failed + bad
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
