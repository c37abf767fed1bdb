#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""crossed.py [BUILD [FILTER]]: LLVM's tests in GNU as, and GNU as's tests in llvm-mc: the whole objects.

Each .s file of either suite goes through the other assembler, with a few targets' options and none of its own. Where that
one takes it, xas has to make its object in that profile. crossed.txt says which come out otherwise, and why; a further one
is a failure, and so is one that is as it should be by now. With XAS_RECORD=1 what differs is printed as lines of
crossed.txt. FILTER is a part of SUITE/FILE. The suites come from tests/corpus/fetch.sh; XAS_LLVM_MC is llvm-mc (llvm-mc-22). The
last line is "N passed, N failed".
"""
import filecmp
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
CORPUS = os.environ.get("XAS_CORPUS", os.path.join(ROOT, "build/corpus"))
LLVM_TESTS = os.path.join(CORPUS, "src/llvm-tests/llvm/test/MC")
GNU_TESTS = os.path.join(CORPUS, "src/gas-tests/gas/testsuite/gas")

ARM = ["-march=armv7-a", "-mfpu=neon-vfpv4"]
THUMB = ["-mthumb", "-march=armv8.2-a", "-mfpu=crypto-neon-fp-armv8"]
A64 = ["-march=armv9-a+sve2+crypto+memtag+sme"]

# name: the assembler's command, options for both, what xas needs besides them
GNU = {
    "x64": ("as", ["--64"], ["--target=x86_64-linux-gnu"]),
    "i386": ("as", ["--32"], ["--target=i386-linux-gnu"]),
    "a64": ("aarch64-linux-gnu-as", A64, ["--target=aarch64-linux-gnu"]),
    "arm": ("arm-linux-gnueabihf-as", ARM, ["--target=arm-linux-gnueabihf"]),
    "thumb": ("arm-linux-gnueabihf-as", THUMB, ["--target=arm-linux-gnueabihf"]),
    "w64": ("x86_64-w64-mingw32-as", [], ["--target=x86_64-w64-mingw32"]),
    "w32": ("i686-w64-mingw32-as", [], ["--target=i686-w64-mingw32"]),
}


def llvm(triple, *options):
    return (f'{os.environ.get("XAS_LLVM_MC", "llvm-mc-22")} -filetype=obj', [f"-triple={triple}", *options],
            ["--compat=llvm"])


LLVM = {
    "x64": llvm("x86_64-linux-gnu"),
    "i386": llvm("i386-linux-gnu"),
    "a64": llvm("aarch64-linux-gnu", "-mattr=+v9a,+sve2,+crypto,+mte"),
    "arm": llvm("armv7a-linux-gnueabihf", "-mattr=+neon,+vfp4"),
    "thumb": llvm("thumbv7a-linux-gnueabihf", "-mattr=+neon,+vfp4"),
    "v4t": llvm("armv4t-none-eabi"),
    "w64": llvm("x86_64-windows-gnu"),
}

# the folder, the assembler that did not write it, targets
SUITES = [
    (f"{LLVM_TESTS}/ELF", GNU, "x64 a64 arm"),
    (f"{LLVM_TESTS}/AsmParser", GNU, "x64 i386 a64 arm"),
    (f"{LLVM_TESTS}/X86", GNU, "x64 i386"),
    (f"{LLVM_TESTS}/AArch64", GNU, "a64"),
    (f"{LLVM_TESTS}/ARM", GNU, "arm thumb"),
    (f"{LLVM_TESTS}/COFF", GNU, "w64 w32"),
    (f"{GNU_TESTS}/all", LLVM, "x64 i386 a64 arm w64"),
    (f"{GNU_TESTS}/elf", LLVM, "x64 i386 a64 arm"),
    (f"{GNU_TESTS}/macros", LLVM, "x64 a64 arm"),
    (f"{GNU_TESTS}/cfi", LLVM, "x64 i386 a64 arm"),
    (f"{GNU_TESTS}/symver", LLVM, "x64 arm"),
    (f"{GNU_TESTS}/i386", LLVM, "x64 i386"),
    (f"{GNU_TESTS}/aarch64", LLVM, "a64"),
    (f"{GNU_TESTS}/arm", LLVM, "arm thumb v4t"),
]
SECONDS = 60
LARGEST = 64 << 20  # bytes of an object that is compared


def run(command, folder):
    """Whether it exits with 0, in time. No more than LARGEST is written."""
    try:
        limit = ["prlimit", f"--fsize={LARGEST}", "--core=0"]
        return subprocess.run(limit + command, cwd=folder, timeout=SECONDS, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def outcome(xas, file, assembler, scratch):
    """What becomes of a file: "same", "other" or "refused"; None if the other assembler refuses it."""
    command, options, target = assembler
    folder = os.path.dirname(file)
    theirs, ours = os.path.join(scratch, "theirs.o"), os.path.join(scratch, "ours.o")
    if not run([*command.split(), *options, file, "-o", theirs], folder) or not os.path.exists(theirs):
        return None
    if not run([xas, *target, *options, file, "-o", ours], folder):
        return "refused"
    return "same" if filecmp.cmp(theirs, ours, shallow=False) else "other"


def known_rows():
    """{"suite/file target": "other" or "refused"}"""
    rows = {}
    with open(os.path.join(ROOT, "tests/suites/crossed.txt"), encoding="utf-8") as text:
        for line in text:
            if line.strip() and line[0] not in "#=":
                name, target, result = line.split()
                rows[f"{name} {target}"] = result
    return rows


def main():
    build = os.path.realpath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, "build/test")
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    xas = os.path.join(build, "xas")
    if subprocess.run([f"{ROOT}/tests/corpus/fetch.sh", "--mc-tests", "--gas-tests"], check=False).returncode:
        return 1

    def work(job):
        name, file, target, assembler = job
        with tempfile.TemporaryDirectory() as scratch:
            return f"{name} {target}", outcome(xas, file, assembler, scratch)

    jobs = []
    for folder, assemblers, targets in SUITES:
        for path, _, files in sorted(os.walk(folder)):
            for file in sorted(files):
                name = os.path.relpath(os.path.join(path, file), os.path.dirname(folder))
                if file.endswith(".s") and wanted in name:
                    jobs += [(name, os.path.join(path, file), t, assemblers[t]) for t in targets.split()]
    known, record = known_rows(), os.environ.get("XAS_RECORD")
    passed = failed = 0
    with ThreadPoolExecutor(int(os.environ.get("XAS_JOBS", os.cpu_count()))) as pool:
        for key, result in pool.map(work, jobs):
            if result is None:
                continue
            expected = known.get(key, "same")
            if result == expected:
                passed += 1
            else:
                failed += 1
                print(f"{key} {result}" if record else f"FAILED: {key}: {result}, and not {expected}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0


sys.exit(main())
