#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What readers and linkers do with the objects of xas-corpus: measured, and compared with what the manifests say.

    tools.py BUILD [--format F] [--shard K/N] [--record] [NAME...]

Without --record, each result that is not the manifest's is printed, and the exit status is 1; an object of which the
manifest says nothing is passed over. --record writes
asm/corpus/objects/tools.inc, which the program is then to be built with again. Results:

    reads, links     without a word; warns: with warnings or complaints, but to the end
    refuses          exit status other than 0
    crashes          ended by a signal, or by an internal error
    hangs            more than 20 s of a processor, or more than 1 GB written
"""
import argparse, concurrent.futures, json, os, resource, shutil, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "asm/corpus/objects/tools.inc"
FORMATS = ["elf64le", "elf64be", "elf32le", "elf32be", "coff", "bigobj"]
SECONDS = 20       # of a processor: the machine may be busy
WALL_SECONDS = 300
LIBRARIES = "-L/usr/lib/x86_64-linux-gnu"

PYELFTOOLS = """
import sys
from elftools.elf.elffile import ELFFile
f = ELFFile(open(sys.argv[1], 'rb'))
for s in f.iter_sections():
    s.name, s.data_size
    for kind in ('iter_symbols', 'iter_relocations', 'iter_notes'):
        if hasattr(s, kind):
            for x in getattr(s, kind)(): pass
"""

ELF_READERS = {
    "readelf": ["readelf", "-aW"],
    "llvm-readelf": ["llvm-readelf-22", "-a"],
    "objdump": ["objdump", "-x", "-r"],
    "eu-readelf": ["eu-readelf", "-a"],
    "eu-elflint": ["eu-elflint"],
    "pyelftools": ["/usr/bin/python3", "-c", PYELFTOOLS],
}
LINKERS = {
    "elf64le": {"ld.bfd": ["ld.bfd"], "gold": ["ld.gold"], "ld.lld": ["ld.lld-22", LIBRARIES], "mold": ["mold"]},
    "elf32le": {"ld.bfd": ["ld.bfd", "-m", "elf_i386"], "gold": ["ld.gold", "-m", "elf_i386"],
                "ld.lld": ["ld.lld-22", LIBRARIES], "mold": ["mold", "-m", "elf_i386"]},
    "elf64be": {"ld.bfd": ["aarch64-linux-gnu-ld.bfd", "-EB", "-m", "aarch64linuxb"],
                "ld.lld": ["ld.lld-22", LIBRARIES]},
    "elf32be": {"ld.bfd": ["arm-linux-gnueabihf-ld.bfd", "-EB", "-m", "armelfb_linux_eabi"],
                "ld.lld": ["ld.lld-22", LIBRARIES]},
}


def commands(form, path, out):
    """The commands for an object, by the tools' names."""
    if form.startswith("elf"):
        made = {name: command + [path] for name, command in ELF_READERS.items()}
        prefix = {"elf64be": "aarch64-linux-gnu-", "elf32be": "arm-linux-gnueabihf-"}.get(form, "")
        made["objdump"] = [prefix + made["objdump"][0]] + made["objdump"][1:]
        made.update({name: command + ["-o", out, path] for name, command in LINKERS[form].items()})
        return made
    return {
        "objdump": ["x86_64-w64-mingw32-objdump", "-x", "-r", path],
        "llvm-readobj": ["llvm-readobj-22", "--file-headers", "--sections", "--symbols", "--relocations", path],
        "ld.bfd": ["x86_64-w64-mingw32-ld", "-e", "_start", "-o", out, path],
        "lld-link": ["lld-link-22", "/entry:_start", "/subsystem:console", "/nodefaultlib", "/out:" + out, path],
    }


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(tool, command):
    """What a tool does, in one word, and what it says."""
    links = tool in ("ld.bfd", "gold", "ld.lld", "mold", "lld-link")
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as shown:
        try:
            done = subprocess.run(command, stdout=shown, stderr=said, timeout=WALL_SECONDS, preexec_fn=limits)
        except subprocess.TimeoutExpired:
            return "hangs", f"more than {WALL_SECONDS} s"
        said.seek(0)
        text = said.read(20000).decode(errors="replace")
        shown.seek(0)
        text += shown.read(2000).decode(errors="replace") if tool in ("eu-elflint", "lld-link") else ""
    status = done.returncode
    if status in (-24, -9, 152, 137):
        return "hangs", f"more than {SECONDS} s"
    if status in (-25, 153):
        return "hangs", "more than 1 GB written"
    words = ("internal error", "PLEASE submit a bug report", "Assertion `", "BFD internal", "Aborted")
    if status < 0 or status >= 128 or any(word in text for word in words):
        return "crashes", f"{status} {text}"
    if tool == "pyelftools" and status != 0:  # exceptions of its own are refusals; others are its faults
        return ("refuses" if "elftools.common.exceptions" in text else "crashes"), text
    if status != 0:
        return "refuses", text
    quiet = "No errors" in text if tool == "eu-elflint" else not text.strip()
    return ("links" if links else "reads") if quiet else "warns", text


def measure(form, directory, name):
    with tempfile.TemporaryDirectory() as out:
        path = str(directory / f"{name}.o")
        made = {}
        for tool, command in commands(form, path, out + "/out").items():
            if shutil.which(command[0]):
                made[tool] = run(tool, command)
        return name, made


def objects(build, form, shard, names, directory):
    subprocess.run([f"{build}/xas-corpus", "objects", *names, f"--format={form}", f"--shard={shard}", "-o", directory],
                   check=True)
    return {p.stem: json.loads(p.read_text()) for p in sorted(directory.glob("*.json"))}


def recorded():
    """What DATA says, as `measure` would."""
    results = {}
    for line in DATA.read_text().splitlines():
        words = line.strip('",').split()
        if line.startswith('"') and words:
            for form in words[1].split(","):
                results[words[0], form] = {t: (w, "") for t, w in (word.split("=") for word in words[2:])}
    return results


def record(measured):
    """One line for the formats of a name in which the same happens. What was not measured stays."""
    results = recorded() | measured
    versions = []
    for command in (["readelf", "-v"], ["llvm-readelf-22", "--version"], ["mold", "--version"],
                    ["eu-readelf", "--version"]):
        if shutil.which(command[0]):
            text = subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()
            versions += [line.strip() for line in text if any(c.isdigit() for c in line)][:1]
    lines = ["// Made by tests/corpus-objects/tools.py --record, with " + "; ".join(versions)]
    for name in sorted({name for name, _ in results}):
        grouped = {}
        for form in FORMATS:
            if (name, form) in results:
                text = " ".join(f"{tool}={what}" for tool, (what, _) in results[name, form].items())
                grouped.setdefault(text, []).append(form)
        lines += [f'"{name} {",".join(forms)} {text}",' for text, forms in grouped.items()]
    DATA.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("names", nargs="*", default=["all"], help="objects or topics")
    parser.add_argument("--format", choices=FORMATS, action="append")
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--report", help="a file for what the tools that crash or hang say")
    arguments = parser.parse_args()
    results, wrong, report = {}, 0, []
    for form in arguments.format or FORMATS:
        with tempfile.TemporaryDirectory() as place:
            directory = Path(place)
            manifests = objects(arguments.build, form, arguments.shard, arguments.names, directory)
            with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
                for name, made in pool.map(lambda n: measure(form, directory, n), manifests):
                    results[name, form] = made
                    expected = manifests[name]["tools"]
                    for tool, (what, text) in made.items():
                        if what in ("crashes", "hangs"):
                            report.append(f"{name} {form} {tool} {what}: {' '.join(text.split())[-600:]}")
                        if not arguments.record and expected and expected.get(tool) != what:
                            wrong += 1
                            print(f"{name} {form}: {tool} {what}, not {expected.get(tool)}: {text.strip()[:200]}")
    if arguments.report:
        Path(arguments.report).write_text("\n".join(report) + "\n")
    if arguments.record:
        record(results)
    print(f"{len(results)} objects, {sum(map(len, results.values()))} results, {wrong} differ")
    return 1 if wrong else 0


sys.exit(main())
