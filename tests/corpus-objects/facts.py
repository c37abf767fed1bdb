#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The facts in the manifests of xas-corpus against what LLVM's and GNU's readers find.

    facts.py XAS-DUMP DIRECTORY...       of objects and manifests; those that are not malformed are looked at
"""
import json, re, shutil, subprocess, sys
from pathlib import Path


def output(*command):
    done = subprocess.run(command, capture_output=True)
    return done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")


def elf_facts(path):
    """Section and symbol fields as GNU readelf shows them, by "FIELD NAME"."""
    found = {}
    text = output("readelf", "-W", "-h", "-S", "-s", "-r", "-g", path)
    count = re.search(r"Number of section headers:\s+(\d+)(?: \((\d+)\))?", text)
    found["section_headers"] = int(count[2] or count[1])
    found["groups"] = 0
    names = {}
    for m in re.finditer(r"^  \[ *(\d+)\] (\S*) +(\S+) +([0-9a-f]{8,16}) ([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) "
                         r"([A-Zlopx ]*?) +(\d+) +(\d+) +(\d+)$", text, re.M):
        name = m[2]
        names.setdefault(name, []).append(int(m[1]))
        for field, value in (("sh_size", int(m[6], 16)), ("sh_entsize", int(m[7], 16)), ("sh_link", int(m[9])),
                             ("sh_addralign", int(m[11])), ("sh_offset", int(m[5], 16))):
            found.setdefault(f"{field} {name}", value)
        found["groups"] += m[3] == "GROUP"
    for name, numbers in names.items():
        found[f"sections {name}"] = len(numbers)
    found["symbols"] = sum(int(n) for n in re.findall(r"^Symbol table '.symtab' contains (\d+) entr", text, re.M))
    for m in re.finditer(r"^ +\d+: ([0-9a-f]+) +(0x[0-9a-f]+|\d+) (\S+) +(\S+) +(\S+) +(?:\[.*?\] )?(\S+)(?: (.*))?$",
                         text, re.M):
        name = m[7] or ""
        found[f"symbols {name}"] = found.get(f"symbols {name}", 0) + 1
        section = {"UND": 0, "ABS": 0xfff1, "COM": 0xfff2}.get(m[6])
        section = int(m[6]) if section is None and m[6].isdigit() else section
        kinds = {"NOTYPE": 0, "OBJECT": 1, "FUNC": 2, "SECTION": 3, "FILE": 4, "TLS": 6, "IFUNC": 10}
        bindings = {"LOCAL": 0, "GLOBAL": 1, "WEAK": 2, "UNIQUE": 10}
        found.update({f"st_value {name}": int(m[1], 16), f"st_size {name}": int(m[2], 0), f"section {name}": section,
                      f"st_shndx {name}": section,
                      f"st_info {name}": bindings.get(m[4], -1) << 4 | kinds.get(m[3], -1),
                      f"st_other {name}": {"DEFAULT": 0, "INTERNAL": 1, "HIDDEN": 2, "PROTECTED": 3}.get(m[5], -1)})
        found["name length"] = max(found.get("name length", 0), len(name))
        found["globals"] = found.get("globals", 0) + (m[4] == "GLOBAL")
    for m in re.finditer(r"group section \[ *\d+\] `.group' \[(.*)\] contains (\d+)", text):
        found.setdefault(f"members {m[1]}", int(m[2]))
    for m in re.finditer(r"^Relocation section '(?:\.rela?)(\S+)' at offset \S+ contains (\d+) entr", text, re.M):
        found[f"relocations {m[1]}"] = int(m[2])
    return found


def elf_llvm_facts(path, wanted):
    """What only LLVM's reader knows, or who reads it at all."""
    found = {}
    if any(w.startswith("relocations") for w in wanted):
        text = output("llvm-readelf-22", "-r", "-W", path)
        for m in re.finditer(r"^Relocation section '\.(?:rela?|crel)(\S+)' at offset \S+ contains (\d+) entr", text, re.M):
            found[f"relocations {m[1]}"] = int(m[2])
    if any(w.startswith("ch_") for w in wanted):
        text = output("readelf", "-t", "-W", path)
        m = re.search(r"\b(ZLIB|ZSTD), ([0-9a-f]+), ", text)
        if m:
            found["ch_type .debug_str"] = {"ZLIB": 1, "ZSTD": 2}[m[1]]
            found["ch_size .debug_str"] = int(m[2], 16)
    if "basic blocks" in wanted:
        text = output("llvm-readobj-22", "--bb-addr-map", path)
        found["basic blocks"] = text.count("Offset:")
    if "note owner" in wanted:
        m = re.search(r"^  (\S+) +0x", output("readelf", "-n", "-W", path), re.M)
        found["note owner"] = m and m[1]
    return found


def coff_facts(path):
    found = {}
    text = output("llvm-readobj-22", "--file-headers", "--sections", "--symbols", path)
    found["NumberOfSections"] = int(re.search(r"SectionCount: (\d+)", text)[1])
    found["NumberOfSymbols"] = int(re.search(r"SymbolCount: (\d+)", text)[1])
    found["comdats"] = len(re.findall(r"Selection: Any", text))
    numbers = {}
    for block in text.split("  Section {")[1:]:
        name = re.search(r"Name: (\S+)", block)[1]
        numbers.setdefault(name, int(re.search(r"Number: (\d+)", block)[1]))
        found.setdefault(f"SizeOfRawData {name}", int(re.search(r"RawDataSize: (\d+)", block)[1]))
        found.setdefault(f"relocations {name}", int(re.search(r"RelocationCount: (\d+)", block)[1]))
    for block in text.split("  Symbol {")[1:]:
        name = re.search(r"Name: (.*)", block)[1]
        found["name length"] = max(found.get("name length", 0), len(name))
        found.setdefault(f"Value {name}", int(re.search(r"Value: (\d+)", block)[1]))
        number = re.search(r"Section: \S+ \((-?\d+)\)", block)
        found.setdefault(f"SectionNumber {name}", number and int(number[1]))
        for field, pattern in (("Selection", r"Selection: \S+ \(0x([0-9A-F]+)\)"),
                               ("Number", r"AssocSection: \S+ \((\d+)\)")):
            m = re.search(pattern, block)
            if m:
                found.setdefault(f"{field} {name}", int(m[1], 16 if field == "Selection" else 10))
    return found


def dump_facts(dump, path, wanted):
    found = {}
    if any(w.startswith("stack map") for w in wanted):
        text = output(dump, "--stackmaps", path)
        for kind in ("function", "constant", "record"):
            m = re.search(rf"(\d+) {kind}", text)
            found[f"stack map {kind}s"] = m and int(m[1])
    if "triple" in wanted:
        m = re.search(r"triple:? +(\S+)", output(dump, "--bitcode", path))
        found["triple"] = m and m[1]
    return found


# What no program shows, or where the reader leaves something out; the other facts of the same object are compared.
UNSEEN = {"format", "machine", "version"}


def main():
    dump, directories = sys.argv[1], sys.argv[2:]
    checked = wrong = 0
    for directory in directories:
        for manifest in sorted(Path(directory).glob("*.json")):
            made = json.loads(manifest.read_text())
            if made["verdict"] == "malformed":
                continue
            path = str(manifest.with_suffix(".o"))
            facts = {k: v for k, v in made["facts"].items() if k not in UNSEEN}
            if made["facts"]["machine"] in ("i386", "x32", "arm"):
                facts.pop("basic blocks", None)  # LLVM 22 reads none from objects with SHT_REL
            elf = made["facts"]["format"].startswith("elf")
            found = elf_facts(path) if elf else coff_facts(path)
            if elf:
                found.update(elf_llvm_facts(path, facts))
            found.update(dump_facts(dump, path, facts))
            for name, value in facts.items():
                checked += 1
                if found.get(name) != value:
                    wrong += 1
                    print(f"{manifest}: {name} is {value} by the manifest, {found.get(name)} by the reader")
    print(f"{checked} facts, {wrong} are wrong")
    return 1 if wrong else 0


sys.exit(main())
