#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tiny.sh BUILD-DIR: the tutorial's compiler. Its programs run on Linux x86-64, on AArch64 (qemu) and on Windows (wine);
# debuggers show source lines and callers; mistakes have their places.
set -u
build=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
fail() { echo "FAIL: $*"; failed=1; }
cat > program.tiny << 'X'
fn fact(n)
  if n < 2 return 1
  return n * fact(n - 1)
end

fn mix(a, b, c, d)
  return a + 10 * (b + 10 * (c + 10 * d)) / 1
end

fn main()
  let i = 1
  while i < 6 {
    print fact(i)
    let i = i + 1
  }
  print mix(1, 2, 3, 4) - 5000000000
  return 0
end
X
printf '%s\n' 1 2 6 24 120 -4999995679 > expected
run() {  # NAME COMMAND...
  local name=$1
  shift
  "$@" > output 2> errors
  local status=$?
  tr -d '\r' < output | cmp - expected && [ $status = 0 ] || fail "$name: $(cat output errors)"
}
"$build/examples/tiny" program.tiny linux.o && cc linux.o -o linux && run "x86-64 Linux" ./linux || fail "x86-64 Linux"
cross=$(command -v aarch64-linux-gnu-gcc || command -v aarch64-linux-gnu-gcc-12)
if [ -n "$cross" ] && command -v qemu-aarch64 > /dev/null; then
  "$build/examples/tiny" program.tiny arm.o aarch64-linux && "$cross" -static arm.o -o arm &&
    run "AArch64 Linux" qemu-aarch64 ./arm || fail "AArch64 Linux"
  readelf --debug-dump=decodedline arm.o 2> /dev/null | grep -q 'program.tiny  *3 ' || fail "AArch64: no line table"
fi
if command -v x86_64-w64-mingw32-gcc > /dev/null; then
  "$build/examples/tiny" program.tiny windows.o x86_64-windows &&
    x86_64-w64-mingw32-gcc windows.o -o windows.exe || fail "Windows"
  x86_64-w64-mingw32-objdump --dwarf=decodedline windows.o 2> /dev/null | grep -q 'program.tiny  *3 ' ||
    fail "Windows: no line table"
  x86_64-w64-mingw32-objdump -p windows.exe | grep -q 'pushreg\|push rbp\|PUSH_NONVOL\|pc+' || fail "Windows: no unwind codes"
  wine=$(command -v wine64 || ls /usr/lib/wine/wine64 2> /dev/null)
  if [ -n "$wine" ]; then
    export WINEDEBUG=-all WINEPREFIX=$build/wine
    "$wine" wineboot > /dev/null 2>&1  # what it says of a new prefix
    run Windows "$wine" windows.exe
  fi
fi
if command -v gdb > /dev/null; then
  gdb -q -batch -ex 'break program.tiny:2 if $rdi == 1' -ex run -ex 'break program.tiny:2' -ex continue -ex continue \
    -ex continue -ex backtrace ./linux > trace 2>&1
  grep -q '^#0 .*fact ().* at program.tiny:2$' trace && grep -q '^#[1-9] .*main ().* at program.tiny:13$' trace ||
    fail "gdb: $(cat trace)"
fi
printf 'fn main()\n  let a = 1\n  return b\nend\n' > bad.tiny
[ "$("$build/examples/tiny" bad.tiny bad.o 2>&1)" = "bad.tiny:4: 'b' has no value, found 'end'" ] || fail "a mistake"
printf 'fn f()\nend\n\nfn f()\nend\n' > twice.tiny
"$build/examples/tiny" twice.tiny bad.o > message 2>&1 && fail "a name twice is taken"
grep -q "^twice.tiny:4:1: error: symbol 'f' is already defined" message || fail "a name twice: $(cat message)"
[ ! -e bad.o ] || fail "an object in spite of mistakes"
exit $failed
