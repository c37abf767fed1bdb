#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# corpus.sh BUILD: xas-corpus. Runs are equal to the byte; seven shards together are the whole; every line is as the
# published schema has it; xas makes of each line the bytes that stand beside it, and refuses each invalid line.
# The last line is "N passed, N failed".
set -u
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/lib.sh"
corpus=$build/xas-corpus
temporary_folder

targets() {
  cat << 'END'
--target=x86_64
--target=x86_64 --syntax=intel
--target=i386
--target=i386 --syntax=intel
--target=x86_16
--target=aarch64
--target=arm
--target=thumb
END
}

# options_of TARGET: what xas is told
options_of() {
  case $1 in
    *x86_64*) echo --target=x86_64-linux-gnu ;;
    *i386* | *x86_16*) echo --target=i386-linux-gnu ;;
    *aarch64*) echo --target=aarch64-linux-gnu ;;
    *) echo --target=arm-linux-gnueabihf -mcpu=all -mfpu=crypto-neon-fp-armv8 ;;
  esac
}

# The lines in a file of its own come to the printed bytes.
same_bytes() {
  # shellcheck disable=SC2086
  "$corpus" instructions $1 --values=$2 --format=s -o "$tmp/lines.s" && "$corpus" instructions $1 --values=$2 --format=hex -o "$tmp/hex" || return 1
  # shellcheck disable=SC2046
  "$build/xas" $(options_of "$1") -o "$tmp/lines.o" "$tmp/lines.s" || return 1
  readelf -x .text "$tmp/lines.o" 2> /dev/null | awk '/^  0x/ { print substr($0, 14, 35) }' | tr -d ' \n' > "$tmp/made"
  tr -d '\n' < "$tmp/hex" > "$tmp/printed"
  cmp "$tmp/made" "$tmp/printed"
}

# xas refuses each invalid line, and says where. Distances are only looked at in a text without other errors.
refused() {
  # shellcheck disable=SC2086
  "$corpus" instructions $1 --invalid --format=s -o "$tmp/invalid.s" || return 1
  [ "$(grep -c '  \(#\|@\|//\) error: ' "$tmp/invalid.s")" -gt 1000 ] || return 1
  for round in 1 2; do
    # shellcheck disable=SC2046
    "$build/xas" $(options_of "$1") -fmax-errors=0 -o "$tmp/invalid.o" "$tmp/invalid.s" > /dev/null 2> "$tmp/errors"
    [ $? = 1 ] && [ ! -e "$tmp/invalid.o" ] || return 1
    awk -F : -v errors="$tmp/errors" '
      BEGIN { while ((getline < errors) > 0) if ($4 == " error") refused[$2] = 1 }
      !(FNR in refused)' "$tmp/invalid.s" > "$tmp/rest" && mv "$tmp/rest" "$tmp/invalid.s"
    grep '  \(#\|@\|//\) error: ' "$tmp/invalid.s" || return 0
  done
  return 1
}

shards_are_whole() {
  # shellcheck disable=SC2086
  "$corpus" instructions $1 --format=jsonl | sort > "$tmp/whole" || return 1
  # shellcheck disable=SC2086
  for k in 0 1 2 3 4 5 6; do "$corpus" instructions $1 --format=jsonl --shard=$k/7; done | sort > "$tmp/parts"
  cmp "$tmp/whole" "$tmp/parts" && [ -s "$tmp/whole" ]
}

# Lines of one mnemonic are the same without the others.
filter_keeps_lines() {
  "$corpus" instructions --target=x86_64 --values=random --count=5 --mnemonic='vaddps' > "$tmp/filtered" &&
    "$corpus" instructions --target=x86_64 --values=random --count=5 | grep -F '"id":"x86_64:vaddps:' | cmp - "$tmp/filtered"
}

equal_runs() {
  # shellcheck disable=SC2086
  cmp <("$corpus" instructions $1) <("$corpus" instructions $1)
}

fits_schema() {
  # shellcheck disable=SC2086
  "$corpus" instructions $1 | python3 -c '
import json, sys, jsonschema
check = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
count = 0
for number, line in enumerate(sys.stdin, 1):
    check.validate(json.loads(line))
    count += 1
assert count > 0, "no lines"
' "$root/docs/corpus.schema.json"
}

# refuses WORD... : exit status 1, a message on one line, nothing on standard output
refuses() {
  "$corpus" "$@" > "$tmp/out" 2> "$tmp/err"
  [ $? = 1 ] && [ ! -s "$tmp/out" ] && [ "$(grep -c '^xas-corpus: error: ' "$tmp/err")" = 1 ]
}

# says TEXT WORD...: it refuses, within some seconds, with this text
says() {
  local text=$1
  shift
  timeout 60 "$corpus" "$@" > "$tmp/out" 2> "$tmp/err"
  [ $? = 1 ] && grep -qF "xas-corpus: error: $text" "$tmp/err"
}

while read -r target; do
  case $target in
    *thumb) ;;  # the A and M profiles do not go in one text
    *)
      check "bytes: $target" same_bytes "$target" edges
      check "invalid: $target" refused "$target"
      ;;
  esac
  check "shards: $target" shards_are_whole "$target --values=edges"
  check "shards of random lines: $target" shards_are_whole "$target --values=random --count=3 --seed=7"
  check "equal runs: $target" equal_runs "$target --values=random --count=2"
  check "schema: $target" fits_schema "$target --mnemonic=[bv].*"
  check "schema, invalid: $target" fits_schema "$target --invalid --mnemonic=b.*"
done < <(targets)
# GNU as and llvm-mc make the same of lines that all assemblers have.
agreed() {
  "$corpus" instructions --target=$1 --mnemonic="$2" --check=as --check="${XAS_LLVM_MC:-llvm-mc-22}" > "$tmp/agreed" &&
    [ "$(wc -l < "$tmp/agreed")" -ge 3 ] && ! grep -v '"agree":\["gnu","llvm"\]' "$tmp/agreed"
}

# Written as tests for llvm-mc, the lines pass LLVM's own runner of tests.
lit_passes() {
  local count=0 options
  mkdir "$tmp/lit"
  cat > "$tmp/lit/lit.cfg.py" << 'END'
import lit.formats
config.name = "xas-corpus"
config.test_format = lit.formats.ShTest()
config.suffixes = [".s"]
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + config.environment["PATH"]
END
  while read -r options; do
    "$corpus" instructions $options --values=one --format=mc -o "$tmp/lit/$((count++)).s" || return 1
  done < <(targets)
  /usr/lib/llvm-22/bin/lit "$tmp/lit"
}

check "tests for llvm-mc" lit_passes
check "agreement: x86_64" agreed x86_64 'vaddps|vpermt2d|pshufb'
check "agreement: aarch64" agreed aarch64 'madd|smulh|umaddl'
check "agreement: arm" agreed arm 'uxtb|uxth|smlal'
check "a test for llvm-mc at random without llvm-mc" refuses instructions --target=arm --values=random --format=mc
check "the table needs both assemblers" refuses instructions --target=arm --record --check=as
check "shards, all encodings" shards_are_whole "--target=x86_64 --all-encodings"
check "a filter changes no line" filter_keeps_lines
check "no target" refuses instructions
texts_fit_schema() {
  "$corpus" texts --count=2 -o "$tmp/texts" || return 1
  cat "$tmp"/texts/{gnu,llvm,llvm-23/llvm}/*/expected.jsonl | python3 -c '
import json, sys, jsonschema
check = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
lines = [json.loads(line) for line in sys.stdin]
assert len(lines) > 100
for line in lines:
    check.validate(line)
' "$root/docs/corpus-texts.schema.json"
}
# A text is there once for a form.
lines_differ() {
  [ -z "$("$corpus" instructions --target=thumb --values=edges | jq -r '[.text, .form] | @tsv' | sort | uniq -d)" ]
}
check "each line once" lines_differ
check "schema, texts" texts_fit_schema
check "unknown target" refuses instructions --target=z80
check "unknown option" refuses instructions --target=arm --colour
check "syntax of ARM" refuses instructions --target=arm --syntax=intel
check "shard beyond" refuses instructions --target=arm --shard=7/7
check "bad regular expression" refuses instructions --target=arm '--mnemonic=['
check "invalid lines have no bytes" refuses instructions --target=arm --invalid --format=hex
check "folder that is not there" refuses instructions --target=arm -o "$tmp/none/x"
check "--count without random lines" refuses instructions --target=arm --count=3
check "--seed without random lines" refuses instructions --target=arm --values=edges --seed=3
check "--values of invalid lines" refuses instructions --target=arm --invalid --values=edges
check "a format for counts" refuses instructions --target=arm --coverage --format=s
check "unknown feature" says "arm has no feature 'neonn'; did you mean 'neon'?" instructions --target=arm --feature=neonn
check "a program that is no assembler" says "'cat' is neither GNU as nor llvm-mc" instructions --target=arm --check=cat
check "an assembler for another target" says "'/usr/bin/as' assembles nothing for the target" \
  instructions --target=aarch64 --check=/usr/bin/as
check "nothing more after an error" says "cannot write '/dev/full': No space left on device" \
  instructions --target=x86_64 --values=random --count=1099511627776 --format=hex -o /dev/full
check "texts, none" refuses texts --count=0 -o "$tmp/none"
check "texts, no folder" says "/dev/null/x/gnu/random: Not a directory" texts -o /dev/null/x
finish
