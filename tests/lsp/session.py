#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""session.py XAS-LSP: a client's sessions with the language server. The bytes of inlay hints are compared with GNU as's
listing where there is a GNU as for the target. The last line printed is "N passed, N failed"."""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

server = sys.argv[1]
passed = failed = 0


def check(what, got, wanted):
    global passed, failed
    if got == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{what}: {json.dumps(got)}, not {json.dumps(wanted)}")


class Client:
    """One session. Positions are (line, character), both from 0."""

    def __init__(self, *options, settings=None):
        self.process = subprocess.Popen([server, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        self.diagnostics = {}
        self.capabilities = self.ask("initialize", initializationOptions=settings or {})["capabilities"]
        self.tell("initialized")

    def write(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def read(self):
        size = 0
        while line := self.process.stdout.readline().strip():
            size = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(size))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def tell(self, method, **parameters):
        self.write({"jsonrpc": "2.0", "method": method, "params": parameters})

    def request(self, method, **parameters):
        self.id += 1
        self.write({"jsonrpc": "2.0", "id": self.id, "method": method, "params": parameters})
        while (message := self.read()).get("id") != self.id:
            pass
        return message

    def ask(self, method, **parameters):
        return self.request(method, **parameters).get("result")

    def open(self, uri, text):
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "asm", "version": 1, "text": text})
        self.ask("textDocument/documentSymbol", textDocument={"uri": uri})  # behind the diagnostics

    def at(self, method, uri, line, character, **more):
        place = {"line": line, "character": character}
        return self.ask("textDocument/" + method, textDocument={"uri": uri}, position=place, **more)

    def hints(self, uri):
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}
        hints = self.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=everything)
        return {hint["position"]["line"]: hint["label"] for hint in hints}

    def close(self):
        self.ask("shutdown")
        self.tell("exit")
        self.process.stdin.close()
        return self.process.wait()


def ranges(places):
    starts = [(p["range"]["start"], p["range"]["end"]) for p in places]
    return [(start["line"], start["character"], end["character"]) for start, end in starts]


TEXT = """\t.text
\t.globl\tfirst
first:
1:\tmovl\t$1, %eax       # first, 1b
\tcall\tsecond@PLT
\tjne\t1b
\tjmp\t1f
second:\tret
1:\tnop
\t.set\tsize, 1b - first
\t.macro\ttwice a
\taddl\t\\a, %eax
\taddl\t\\a, %eax
\t.endm
\ttwice\t$3
\t.ascii\t"first: 1b" /* first
first */
\t.long\tsize
"""


def names():
    c, uri = Client(), "file:///tmp/names.s"
    c.open(uri, TEXT)
    check("no diagnostics", c.diagnostics[uri], [])
    check("definition of a label", ranges(c.at("definition", uri, 4, 7)), [(7, 0, 6)])
    check("definition behind the name", ranges(c.at("definition", uri, 4, 12)), [(7, 0, 6)])
    check("definition of 1b", ranges(c.at("definition", uri, 5, 5)), [(3, 0, 1)])
    check("definition of 1f", ranges(c.at("definition", uri, 6, 5)), [(8, 0, 1)])
    check("definition of a macro", ranges(c.at("definition", uri, 14, 3)), [(10, 8, 13)])
    check("definition of a value", ranges(c.at("definition", uri, 17, 7)), [(9, 6, 10)])
    check("definition of a register", c.at("definition", uri, 3, 12), [])
    context = {"includeDeclaration": True}
    check("references", ranges(c.at("references", uri, 2, 1, context=context)), [(1, 8, 13), (2, 0, 5), (9, 17, 22)])
    context = {"includeDeclaration": False}
    check("references alone", ranges(c.at("references", uri, 2, 1, context=context)), [(1, 8, 13), (9, 17, 22)])
    check("references of 1", ranges(c.at("references", uri, 8, 0, context=context)), [(6, 5, 7), (9, 12, 14)])
    check("highlights", [h["kind"] for h in c.at("documentHighlight", uri, 2, 1)], [2, 3, 2])
    edits = c.at("rename", uri, 2, 1, newName="start")["changes"][uri]
    check("rename", ranges(edits), [(1, 8, 13), (2, 0, 5), (9, 17, 22)])
    edits = c.at("rename", uri, 8, 0, newName="7")["changes"][uri]
    check("rename 1", ranges(edits), [(6, 5, 6), (8, 0, 1), (9, 12, 13)])
    check("prepareRename", c.at("prepareRename", uri, 4, 8)["end"], {"line": 4, "character": 12})
    check("no rename of a register", c.at("prepareRename", uri, 3, 12), None)
    for name in ["", "a b", "1x", "a@b"]:
        answer = c.request("textDocument/rename", textDocument={"uri": uri}, position={"line": 2, "character": 1},
                           newName=name)
        check(f"rename to '{name}'", answer.get("error", {}).get("code"), -32602)
    symbols = c.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    check("symbols", [s["name"] for s in symbols], ["first", "second", "size", "twice"])
    check("exit", c.close(), 0)


def words():
    """What counts as a use of a name."""
    uri = "file:///tmp/words.s"

    def uses(text, line, character, *options):
        c = Client(*options)
        c.open(uri, text)
        places = ranges(c.at("references", uri, line, character, context={"includeDeclaration": True}))
        defined = all(ranges(c.at("definition", uri, line, start)) for line, start, _ in places)
        c.close()
        return places if defined else "no definition"

    immediates = "K=5\n mov $K,%ebx\n mov K,%ebx\n push $-K\n push $(K)\n push $1-K\n .long $K\n"
    check("immediates", uses(immediates, 0, 0), [(0, 0, 1), (1, 6, 7), (2, 5, 6), (3, 8, 9), (4, 8, 9), (5, 9, 10)])
    check("'$' that is part of a name", uses("$a: ret\n jmp *$$a\n .long $a\n", 0, 0),
          [(0, 0, 2), (1, 7, 9), (2, 7, 9)])
    check("Intel's syntax has no '$'", uses(".intel_syntax noprefix\n$f: ret\n mov eax, $f\n", 1, 0),
          [(1, 0, 2), (2, 10, 12)])
    check("back to AT&T's", uses(".intel_syntax\n.att_syntax\nf: ret\n push $f\n", 2, 0), [(2, 0, 1), (3, 7, 8)])
    check("ARM", uses("K=5\n mov r0, $K\n mov r0, #K\n ldr r0, =K\n", 0, 0, "--target=arm-linux-gnueabihf"),
          [(0, 0, 1), (1, 10, 11), (2, 10, 11), (3, 10, 11)])
    check("behind a comment", uses("f: ret\n/* c */ jmp f\n/* c\n */ jmp f\n/ jmp f\n# jmp f\n", 0, 0),
          [(0, 0, 1), (1, 12, 13), (3, 8, 9)])
    check("characters", uses("f: ret\n .byte 'f','\\f',f\n .byte 'f;.byte f\n", 0, 0),
          [(0, 0, 1), (1, 16, 17), (2, 16, 17)])

    parameters = ".macro m x\n jmp \\x\n.endm\n m f\nx: m x\n"
    check("a label with a parameter's name", uses(parameters, 4, 0), [(4, 0, 1), (4, 5, 6)])
    check("a parameter", uses(parameters, 0, 9), [(0, 9, 10), (1, 6, 7)])
    check("a parameter from its use", uses(parameters, 1, 6), [(0, 9, 10), (1, 6, 7)])
    several = (".macro m(a:req, b=f, ab)\n.macro n a\n .byte \\a\n.endm\n .ascii \"\\a\\()f\\ab\"\n"
               "\\a\\()_\\b: .byte \\ab\n.endm\n m a=1, b=a\n"
               "f: .macro o a\n .byte \\a\n.endm\n .irp a, f, a\n .byte \\a\n.endr\n.purgem m\n")
    check("parameters of several", uses(several, 0, 9), [(0, 9, 10), (2, 8, 9), (4, 10, 11), (5, 1, 2), (7, 3, 4)])
    check("a parameter with a default", uses(several, 0, 16), [(0, 16, 17), (5, 7, 8), (7, 8, 9)])
    check("a macro in a macro", uses(several, 1, 9), [(1, 9, 10)])
    check("a loop's parameter", uses(several, 11, 6), [(11, 6, 7), (12, 8, 9)])
    check("a default is a use", uses(several, 8, 0), [(0, 18, 19), (8, 0, 1), (11, 9, 10)])
    check("a macro", uses(several, 0, 7), [(0, 7, 8), (7, 1, 2), (14, 8, 9)])
    check(".altmacro", uses(".altmacro\n.macro m x\n.byte x\n.endm\n.noaltmacro\n.byte x\n", 1, 9),
          [(1, 9, 10), (2, 6, 7)])

    quoted = ("\"n\u00e4me x\": ret\n jmp \"n\u00e4me x\"\n .globl \"n\u00e4me x\"\n .ascii \"n\u00e4me x\"\n"
              "\"v\" = 1\n .long v\n")
    check("quoted symbols", uses(quoted, 0, 3), [(0, 1, 7), (1, 6, 12), (2, 9, 15)])
    check("quoted or not", uses(quoted, 5, 7), [(4, 1, 2), (5, 7, 8)])
    c = Client()
    c.open(uri, quoted)
    symbols = c.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    check("symbols in quotes", [s["name"] for s in symbols], ["n\u00e4me x", "v"])
    check("rename in quotes", ranges(c.at("rename", uri, 1, 8, newName="a b")["changes"][uri]),
          [(0, 1, 7), (1, 6, 12), (2, 9, 15)])
    check("rename without quotes", c.at("rename", uri, 5, 7, newName="a b"), None)
    c.open(uri, immediates)
    check("hover on an immediate", "value `K`, line 1" in c.at("hover", uri, 1, 6)["contents"]["value"], True)
    c.open(uri, parameters)
    check("hover on a parameter", "parameter `x`, line 1" in c.at("hover", uri, 1, 6)["contents"]["value"], True)
    c.close()


def renames():
    """Names that a text would not be the same with are refused."""
    c, uri = Client(), "file:///tmp/rename.s"

    def refused(text, line, character, name):
        c.open(uri, text)
        answer = c.request("textDocument/rename", textDocument={"uri": uri},
                           position={"line": line, "character": character}, newName=name)
        return answer.get("error", {}).get("message", "")

    text = "f:\tcall puts\ng:\tjmp f\n1:\tjmp 2f\n2:\tjmp 1b\n.macro m x y\n\tmov \\x, \\y\n.endm\n\tm %eax, %ebx\n"
    for name in ["g", "puts"]:
        check(f"rename to {name}", f"has '{name}' already" in refused(text, 0, 0, name), True)
    check("rename to .", refused(text, 0, 0, "."), "'.' is no name")
    check("rename to itself", refused(text, 0, 0, "f"), "")
    check("rename to a macro's name", refused(text, 0, 0, "m"), "")
    check("rename to a number in use", refused(text, 2, 0, "2"), "line 3 has '2' already")
    check("rename to a parameter in use", refused(text, 4, 9, "y"), "line 5 has 'y' already")
    check("rename to a mnemonic in use", refused(text, 4, 7, "jmp"), "line 2 has 'jmp' already")
    check("rename to a directive", "there is an error" in refused(text, 4, 7, ".set"), True)
    text = "\t.intel_syntax noprefix\n\t.set K, 5\nf:\tmov eax, K\n\tjmp f\n"
    for line, character, name in [(1, 6, "ebx"), (2, 0, "EAX"), (2, 0, "[rax]")]:
        check(f"rename to {name}", f"'{name}'" in refused(text, line, character, name), True)
    text = "f:\tjmp f\n\tnonsense\n"
    check("rename beside an error", refused(text, 0, 0, "g"), "")
    c.close()


def hovers():
    c, uri = Client(), "file:///tmp/hover.s"
    c.open(uri, TEXT)
    value = lambda line, character: c.at("hover", uri, line, character)["contents"]["value"]
    check("bytes here", "`b8 01 00 00 00`" in value(3, 3), True)
    check("forms", "movl r32, i32" in value(3, 3), True)
    check("of a label", "label `second`, line 8" in value(4, 8), True)
    check("of a directive", "seen" not in value(1, 3) and "Other objects see" in value(1, 3), True)
    check("of a comment", c.at("hover", uri, 3, 26), None)
    c.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2},
           contentChanges=[{"text": "\tvaddps %zmm1, %zmm2, %zmm3\n\tmov %eax, %ebx\n"}])
    check("of a feature", "; avx512f" in value(0, 3), True)
    check("of a mnemonic with a suffix", "mov" in value(1, 2), True)
    c.close()
    for target, line, form in [("aarch64-linux-gnu", "\tadd x0, x1, x2", "add"),
                               ("arm-linux-gnueabihf", "\taddseq r0, r1, r2", "add"),
                               ("thumbv7-linux-gnueabihf", "\tadds.n r0, r1, r2", "add"),
                               ("aarch64-linux-gnu", "\tld1w z0.s, p0/z, [x0]", "sve")]:
        c = Client("--target=" + target)
        c.open(uri, line + "\n")
        check(target, form in value(0, 2), True)
        c.close()


def directives():
    """Something is said of every directive that docs/directives.md lists."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/directives.md")) as f:
        all_names = re.findall(r"`(\.[a-z0-9_.]+)`", f.read())
    c, uri = Client(), "file:///tmp/directives.s"
    c.open(uri, "".join(f"\t{name}\n" for name in all_names))
    silent = [name for line, name in enumerate(all_names) if not c.at("hover", uri, line, 2)]
    check("directives without a word", silent, [])
    c.close()


def completions():
    c, uri = Client(), "file:///tmp/completion.s"
    c.open(uri, TEXT + "\tvaddp\n\t.cfi_def\n\tmovl %eb\n\tcall se\n\ttw\n")
    labels = lambda line, character: [i["label"] for i in c.at("completion", uri, line, character)["items"]]
    check("mnemonics", labels(18, 6), ["vaddpd", "vaddph", "vaddps"])
    check("directives", labels(19, 9), [".cfi_def_cfa", ".cfi_def_cfa_register", ".cfi_def_cfa_offset"])
    check("registers", labels(20, 9), ["%ebx", "%ebp"])
    check("labels", labels(21, 8), ["second"])
    check("macros", "twice" in labels(22, 3), True)
    check("the edit's range", c.at("completion", uri, 21, 8)["items"][0]["textEdit"]["range"]["start"],
          {"line": 21, "character": 6})
    c.close()


def diagnostics():
    c, uri = Client(), "file:///tmp/wrong.s"
    c.open(uri, "\tmovl $1\n\t.ascii \"\U0001F600\u00e9\", bad\n\t.macro m\n\tnonsense\n\t.endm\n\tm\n")
    found = c.diagnostics[uri]
    check("severity", [d["severity"] for d in found], [1, 1, 1])
    check("lines", sorted(d["range"]["start"]["line"] for d in found), [0, 1, 3])
    in_utf16 = next(d for d in found if d["range"]["start"]["line"] == 1)
    check("UTF-16 units", in_utf16["range"]["start"]["character"], 15)
    in_macro = next(d for d in found if "nonsense" in d["message"])
    check("a macro's call", [r["location"]["range"]["start"]["line"] for r in in_macro["relatedInformation"]], [5])
    change = {"range": {"start": {"line": 0, "character": 1}, "end": {"line": 5, "character": 2}}, "text": "nop"}
    c.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[change])
    check("bytes after a change", c.hints(uri), {0: "90"})
    check("no diagnostics after a change", c.diagnostics[uri], [])
    c.tell("textDocument/didClose", textDocument={"uri": uri})
    c.close()

    c = Client("--target=aarch64-linux-gnu", "--nonsense")
    c.open(uri, "\tadd x0, x1, x2\n")
    check("an unknown option", ["nonsense" in d["message"] for d in c.diagnostics[uri]], [True])
    c.close()
    c = Client(settings={"options": ["--target=aarch64-linux-gnu"]})
    c.open(uri, "\tadd x0, x1, x2\n")
    check("options of the client", (c.diagnostics[uri], c.hints(uri)), ([], {0: "20 00 02 8b"}))
    c.tell("workspace/didChangeConfiguration", settings={"xas": {"options": ["--target=i386-linux-gnu"]}})
    c.hints(uri)
    check("other options", len(c.diagnostics[uri]), 1)
    c.open(uri, "@ xas-options: --target=arm-linux-gnueabihf\n\tadd r0, r1, r2\n")
    check("options in the file", (c.diagnostics[uri], c.hints(uri)), ([], {1: "02 00 81 e0"}))
    c.close()

    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/in c.inc", "w") as f:
            f.write("\tnop\n\tbad\n")
        c, uri = Client(), f"file://{folder}/a%20b.s"
        c.open(uri, "\tnop\n\t.include \"in c.inc\"\n\tret\n")
        check("an included file", [(d["range"]["start"]["line"], d["message"].startswith(folder + "/in c.inc:2: "))
                                   for d in c.diagnostics[uri]], [(1, True)])
        c.close()


def limits():
    """What would take long, much memory or another's input is refused, and the server goes on."""
    c, uri = Client(), "file:///tmp/limits.s"
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(folder + "/fifo")
        for name in ["/dev/stdin", "/dev/zero", "/proc/self/fd/0", folder + "/fifo"]:
            for directive in [".include", ".incbin"]:
                c.open(uri, f"\tnop\n\t{directive} \"{name}\"\n\tret\n")
                check(f"{directive} {name}", [d["message"] for d in c.diagnostics[uri]],
                      [f"cannot read '{name}': it is no regular file"])
                check(f"lines around {directive} {name}", c.hints(uri), {0: "90", 2: "c3"})
        with open(folder + "/sparse", "wb") as f:
            f.truncate(1 << 40)
        c.open(uri, f"\t.incbin \"{folder}/sparse\"\n")
        check("a large file", "the limit is 134217728" in c.diagnostics[uri][0]["message"], True)
    zeros = "00 " * 16 + "..."
    c.open(uri, "\tnop\n\t.space 3000000000\n\t.fill 1000000000,1,0\n1:\tret\n\t.bss\n\t.space 4000000000\n")
    check("fills", (c.diagnostics[uri], c.hints(uri)),
          ([], {0: "90", 1: zeros, 2: zeros, 3: "c3", 5: zeros}))
    for text in ["\t.rept 100000000\n\tnop\n\t.endr\n", "\t.rept 100000000\n\n\t.endr\n",
                 ".macro m\n\tm2\n\tm2\n.endm\n.macro m2\n\tm\n\tm\n.endm\n\tm\n"]:
        c.open(uri, text)
        check(f"a limit for {text}", any("limit of" in d["message"] for d in c.diagnostics[uri]), True)
    with open(server, "rb") as f:
        is_sanitized = b"__asan_" in f.read()
    if not is_sanitized:
        c.open(uri, "\t.dcb.d 10000000,1.5\n" * 1000)
        check("memory", "more memory" in c.diagnostics[uri][0]["message"], True)
    c.open(uri, "\tnop\n")
    check("after all that", c.hints(uri), {0: "90"})
    c.close()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check(f"peak memory {peak} KiB", is_sanitized or peak < 4 << 20, True)


def bytes_beside_errors():
    uri = "file:///tmp/wrong.s"
    text = ("f:\tmov $f, %eax\n\tnonsense\n\tjmp g\n.macro m\n\tnop\n\tbad\n.endm\n\tm\n\t.data\n"
            "\t.long g - f, 1; .text; nop\n"
            "\t.text\ng:\tret\n\t.rept 3\n\tnop\n\t.endr\n\t.org 1\n\t.fill undefined\n\tcall g\n\t.if 1\n\tret\n")
    wanted = {0: "b8 00 00 00 00", 2: "eb 02", 9: "09 00 00 00 01 00 00 00 90", 11: "c3", 12: "90 90 90",
              17: "e8 f7 ff ff ff", 19: "c3"}
    for options in [[], ["--compat=llvm"]]:
        c = Client("--target=x86_64-linux-gnu", *options)
        c.open(uri, text)
        check(f"errors {options}", len(c.diagnostics[uri]) >= 3, True)
        check(f"bytes beside errors {options}", c.hints(uri), wanted)
        check("hover beside errors", "`eb 02`" in c.at("hover", uri, 2, 2)["contents"]["value"], True)
        c.close()


def protocol():
    c = Client()
    check("a second initialize", c.request("initialize")["error"]["code"], -32600)
    p_uri = "file:///tmp/p.s"
    c.open(p_uri, "f:\tjmp f\n")
    for line in [1.5, -1, "1", None, 1e300]:
        answer = c.request("textDocument/hover", textDocument={"uri": p_uri}, position={"line": line, "character": 0})
        check(f"line {line}", answer["error"], {"code": -32602,
                                                "message": "parameter 'line' is no whole number from 0 to 4294967295"})
    check("line 0.0", "label" in c.at("hover", p_uri, 0.0, 0)["contents"]["value"], True)
    for method in ["hover", "rename", "references", "completion", "inlayHint", "documentSymbol", "didOpen"]:
        for parameters in [{}, None, [], {"textDocument": None}, {"textDocument": {"uri": 3}},
                           {"textDocument": {"uri": p_uri}, "position": None, "range": []}]:
            c.id += 1
            c.write({"jsonrpc": "2.0", "id": c.id, "method": "textDocument/" + method, "params": parameters})
            while (message := c.read()).get("id") != c.id:
                pass
            if method == "documentSymbol" and "result" in message:
                continue
            error = message["error"]
            check(f"{method} of {parameters}", (error["code"], "parameter '" in error["message"]), (-32602, True))
    check("an unknown method", c.request("textDocument/nonsense")["error"]["code"], -32601)
    check("a document that is not open", c.request("textDocument/hover", textDocument={"uri": "file:///x"},
                                                   position={"line": 0, "character": 0})["error"]["code"], -32602)
    check("missing parameters", c.request("textDocument/hover")["error"]["code"], -32602)
    c.write(b"{nonsense")
    check("no JSON", c.read()["error"]["code"], -32700)
    for message in [b"[]", b"3", b'{"id": 1}', b'{"method": 3, "id": 1}']:
        c.write(message)
        check(f"no request: {message}", c.read()["error"]["code"], -32600)
    c.tell("textDocument/didChange", textDocument={"uri": "file:///x"}, contentChanges=[{"nonsense": 1}])
    c.open("file:///tmp/p.s", "\tnop\r\n\tret")
    check("lines that end with CR LF", c.hints("file:///tmp/p.s"), {0: "90", 1: "c3"})
    for line, character in [(9, 0), (10**9, 0), (4294967295, 4294967295)]:
        check("a place beyond the end", c.at("hover", "file:///tmp/p.s", line, character), None)
    check("shutdown", c.ask("shutdown"), None)
    check("after shutdown", c.request("textDocument/hover")["error"]["code"], -32600)
    c.tell("exit")
    check("exit status", c.process.wait(), 0)

    c = Client()
    c.tell("exit")
    check("exit without shutdown", c.process.wait(), 1)
    for garbage in [b"Content-Length: x\r\n\r\n", b"\r\n", b"Content-Length: 99999999999\r\n\r\n",
                    b"Content-Length: 9\r\n\r\n{", b""]:
        done = subprocess.run([server], input=garbage, capture_output=True, timeout=60)
        check(f"garbage {garbage}", done.returncode, 1)
    early = subprocess.run([server], input=b'Content-Length: 40\r\n\r\n{"id":1,"method":"textDocument/hover"}  ',
                           capture_output=True, timeout=60)
    check("before initialize", b"-32002" in early.stdout, True)


def listing(command, text):
    """The bytes of each line, from 0, as GNU as lists them."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/a.s", "w") as f:
            f.write(text)
        options = ["-aln", "--listing-lhs-width=4", "--listing-cont-lines=64", "-o", folder + "/a.o", folder + "/a.s"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    bytes_of = {}
    for line in done.stdout.split("\n"):
        if found := re.match(r" *(\d+) (?:[0-9a-f]{4}|    ) ((?:[0-9A-F]{2,8} )+)", line + " "):
            digits = found[2].replace(" ", "").lower()
            bytes_of[int(found[1]) - 1] = bytes_of.get(int(found[1]) - 1, "") + digits
    return {line: " ".join(re.findall("..", digits)) for line, digits in bytes_of.items()}


def bytes_of_lines():
    data = "\t.data\n\t.long first, 1, 2, 3\n\t.string \"a text of more than sixteen bytes\"\n\t.p2align 4\n"
    compiler_text = TEXT + data
    aarch64 = "f:\tstp x29, x30, [sp, -16]!\n\tbl g\n\tldr x0, =f\n\tret\n\t.ltorg\n"
    thumb = "\t.syntax unified\n\t.thumb\nf:\tpush {r4, lr}\n\tbeq f\n\tpop {r4, pc}\n"
    texts = [("as", [], compiler_text), ("as", ["--32"], compiler_text), ("aarch64-linux-gnu-as", [], aarch64),
             ("arm-linux-gnueabihf-as", [], thumb)]
    for program, options, text in texts:
        if not shutil.which(program):
            continue
        target = {"as": "x86_64-linux-gnu"}.get(program, program[:-3])
        c, uri = Client("--target=" + target, *options), "file:///tmp/bytes.s"
        c.open(uri, text)
        cut = lambda bytes_: bytes_ if len(bytes_) <= 47 else bytes_[:47] + " ..."
        wanted = {line: cut(value) for line, value in listing([program, *options], text).items()}
        got = c.hints(uri)
        # What a macro makes is shown at its call, where a listing without macros shows nothing.
        check(f"the bytes of {program}", {line: got.get(line) for line in wanted}, wanted)
        c.close()


for test in [names, words, renames, hovers, directives, completions, diagnostics, limits, bytes_beside_errors, protocol,
             bytes_of_lines]:
    test()
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
