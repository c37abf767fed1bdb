# SPDX-License-Identifier: Apache-2.0
# awk -v machine=x86_64|aarch64 -f stack_map_text.awk FILE.s FILE.s: llc's assembly of stack_map_ir.sh's functions with
# directives in place of the labels of records, their section and the no-ops. The file is read twice.
function register(number) {
  if (machine == "aarch64") return number == 31 ? "sp" : number < 31 ? "x" number : "q" (number - 64)
  if (number >= 17 && number < 33) return "%xmm" (number - 17)
  if (number >= 67) return "%xmm" (number - 67 + 16)
  split("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15", gpr, " ")
  return "%" gpr[number + 1]
}
# The next number of the section.
function take() { return field[at++] }
function location(   kind, size, number, value) {
  kind = take(); take(); size = take(); number = take(); take(); value = take()
  if (kind == 1) return "reg(" register(number) "):" size
  if (kind == 2) return "direct(" register(number) ", " value "):" size
  if (kind == 3) return "indirect(" register(number) ", " value "):" size
  if (kind == 4) return "const(" value "):" size
  return "constindex(" constants[value] "):" size
}
function constant_of(text) { sub(/^const\(/, "", text); sub(/\).*/, "", text); return text }
function parse(   functions, pool, records, i, k, n, id, label, text, all, lives, bytes, kind, pairs) {
  at = 3
  functions = take(); pool = take(); records = take()
  for (i = 0; i < functions; ++i) {
    name[i] = take(); size[i] = take(); take()
    stack_size[name[i]] = size[i] == "-1" || size[i] == "18446744073709551615" ? "dynamic" : size[i]
  }
  for (i = 0; i < pool; ++i) constants[i] = take()
  for (i = 0; i < records; ++i) {
    id = take(); label = take(); sub(/-.*/, "", label)
    take(); n = take()
    for (k = 0; k < n; ++k) all[k] = location()
    take(); lives = take()
    text = ""
    for (k = 0; k < lives; ++k) { text = text (k ? ", " : "") register(take()); take(); text = text ":" take() }
    lives = lives ? ", liveout(" text ")" : ""
    kind = int(id / 1000000000); bytes = int(id / 1000000) % 1000; pairs = int(id / 10000) % 100
    if (kind == 4) {
      text = ", cc(" constant_of(all[0]) "), flags(" constant_of(all[1]) ")"
      deopt = constant_of(all[2]) + 0
      if (deopt) { text = text ", deopt("; for (k = 0; k < deopt; ++k) text = text (k ? ", " : "") all[3 + k]; text = text ")" }
      for (k = 3 + deopt; k < n; k += 2) text = text ", gc(" all[k] ", " all[k + 1] ")"
      directive[label] = "\t.statepoint " id text
    } else {
      text = ""
      for (k = 0; k < n; ++k) text = text ", " all[k]
      directive[label] = (kind == 1 ? "\t.stackmap " : "\t.patchpoint ") id ", " bytes (kind == 3 ? ", TARGET" : "") text lives
    }
    calls[label] = kind == 3
  }
}
/^\t\.section\t\.llvm_stackmaps/ {
  in_maps = 1
  if (FNR != NR) print "\t.stackmap_section \".llvm_stackmaps\""
  next
}
in_maps && /^\t\.(section|text|addrsig|globl|ident)/ { in_maps = 0 }
FNR == NR {
  if (in_maps && $1 ~ /^\.(byte|short|hword|long|word|quad|xword)$/) field[fields++] = $2
  next
}
FNR == 1 && NR != 1 { parse() }
in_maps { next }
/^(# |\/\/ )%bb\.[1-9]/ { print ".Lblock" FNR ":"; next }   # the end of a block
/^\t(nop|nopw|nopl|xchgw|data16|nop\t)/ { next }
/^[a-z][a-z0-9]*:/ {
  function_name = $1; sub(/:.*/, "", function_name)
  if (function_name in stack_size) print "\t.stackmap_function " function_name ", " stack_size[function_name]
}
/^\.L[a-z]*tmp[0-9]+:/ {
  label = $1; sub(/:.*/, "", label)
  if (label in directive) {
    if (calls[label]) { waiting = directive[label]; parts = 0; value = 0; next }
    print directive[label]
    next
  }
}
# The call of a patch point: its address is an operand of the directive.
waiting != "" && machine == "x86_64" {
  if ($1 == "movabsq") { address = $2; sub(/^\$/, "", address); sub(/,.*/, "", address); next }
  sub(/TARGET/, "target(" address ")", waiting); print waiting; waiting = ""; next
}
waiting != "" {
  if ($1 ~ /^mov[zk]?$/) {
    part = $3; sub(/^#/, "", part); sub(/,.*/, "", part)
    shift = /lsl #32/ ? 4294967296 : /lsl #16/ ? 65536 : 1
    # movz may be printed as mov with the whole number
    value += $1 == "mov" ? part : part * shift
    next
  }
  sub(/TARGET/, "target(" sprintf("%d", value) ")", waiting); print waiting; waiting = ""; next
}
{ print }
