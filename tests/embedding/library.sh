#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# library.sh BUILD-DIR: the library as it ships. The shared one shows the names of symbols.txt, and nothing else; structures
# have the layout of sizes.txt; a project in C links either kind without naming C++; the static one goes into programs
# that are not optimized, and into somebody's shared library, beside another fmt; Python finds its way.
#
# library.sh BUILD-DIR --record writes symbols.txt and sizes.txt.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../..")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
fail() { echo "FAIL: $*"; failed=1; }
library=$build/libxas.so

nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | c++filt | sort -u > symbols.txt
cc -I"$root/include" "$here/sizes.c" -o sizes && ./sizes > sizes.txt
if [ "${2:-}" = --record ]; then
  cp symbols.txt sizes.txt "$here"
  exit
fi
diff "$here/symbols.txt" symbols.txt || fail "the shared library shows other names (library.sh BUILD --record)"
if [ "$(getconf LONG_BIT)" = 64 ]; then
  diff "$here/sizes.txt" sizes.txt || fail "structures of the C interface have changed"
fi
readelf -d "$library" | grep -q 'SONAME.*\[libxas.so.0\]' || fail "SONAME"
readelf -d "$library" | grep -q TEXTREL && fail "relocations in the text"

# Projects in C, by CMake and by pkg-config.
cmake --install "$build" --prefix "$tmp/installed" > /dev/null || fail "cmake --install"
documents=$(dirname "$(find "$tmp/installed" -path '*doc/xas/README.md')")
"$root/tests/links.py" "$documents" || fail "links of the installed pages"
cat > CMakeLists.txt << 'X'
cmake_minimum_required(VERSION 3.21)
project(user C)
find_package(xas 0.1 REQUIRED)
foreach(kind xas xas_shared)
  add_executable(with_${kind} ${EXAMPLE})
  target_link_libraries(with_${kind} xas::${kind})
endforeach()
X
cmake -S . -B user -DEXAMPLE="$root/examples/assemble.c" -DCMAKE_PREFIX_PATH="$tmp/installed" > log 2>&1 &&
  cmake --build user >> log 2>&1 || { fail "a project in C"; tail -n 20 log; }
"$build/xas" -o expected.o "$root/examples/hello.s"
for kind in xas xas_shared; do
  "user/with_$kind" "$root/examples/hello.s" made.o && cmp expected.o made.o || fail "a project in C with $kind"
done
if command -v pkg-config > /dev/null; then
  export PKG_CONFIG_PATH=$tmp/installed/lib/pkgconfig
  # shellcheck disable=SC2046
  cc "$root/examples/assemble.c" $(pkg-config --cflags --libs xas) -Wl,-rpath,"$tmp/installed/lib" -o by-pkg-config &&
    ./by-pkg-config "$root/examples/hello.s" made.o && cmp expected.o made.o || fail "pkg-config"
  readelf -d by-pkg-config | grep -q 'NEEDED.*libzstd' && fail "pkg-config names what the shared library consists of"
  case $(pkg-config --static --libs xas) in *-lxas_fmt*) ;; *) fail "pkg-config --static" ;; esac
fi

# What the documentation shows draws no warning.
cat > idioms.cpp << 'X'
#include <xas/aarch64.h>
#include <xas/x86.h>
#include <xas/xas.hpp>
bool say(xas::Stream& s, xas_section group) {
  using namespace xas::x86;
  using namespace xas::operands;
  s.open_section(".note.GNU-stack", {.flags = ""});
  s.open_section(".rodata.str1.1", {.flags = "aMS", .entry_size = 1});
  s.switch_section(group);
  return s.emit(incl, {mem(rax)}, XAS_LOCK) && s.cfi(XAS_CFI_OFFSET, rbp, -16) && s.tag_pc({xas::PcTag("t")});
}
X
cat > idioms.c << 'X'
#include <xas/x86.h>
#include <xas/xas.h>
int say(xas_context* xas, xas_symbol f) {
  xas_encoding e = {.struct_size = sizeof e};
  xas_instruction(xas, "mov", (xas_arg[]){{.kind = XAS_ARG_VALUE, .value = {.constant = 1}},
                                          {.kind = XAS_ARG_REGISTER, .reg = XAS_X86_EAX}}, 2);
  xas_directive(xas, ".globl", &(xas_operand){.kind = XAS_OPERAND_VALUE, .value = {.add = f}}, 1);
  return xas_encode(xas, "nop", 3, 0, NULL, &e);
}
X
c++ -std=c++20 -Wall -Wextra -Werror -I"$tmp/installed/include" -fsyntax-only idioms.cpp &&
  cc -Wall -Wextra -Werror -I"$tmp/installed/include" -fsyntax-only idioms.c || fail "warnings of documented code"

# Programs without optimization, whose copies of the headers' functions are not inlined: the library has no others of these
# names.
cat > unoptimized.cpp << 'X'
#include <xas/bitstream.hpp>
#include <xas/object.hpp>
#include <xas/x86.h>
#include <xas/xas.hpp>
#include <cstring>
int main() {
  using namespace xas::x86;
  xas::Context context;
  context.option("--target=x86_64-linux-gnu");
  const auto code = context.encode(addl, {xas::operands::imm(1), eax});
  if (code.bytes().size() != 3 || !context.encode("1: jmp 1b") || !context.load("f: ret").function<void()>("f")) return 1;
  xas::Stream s(context);
  const xas::SymbolHandle f = s.symbol("f");
  s.place("a.toy", 7);
  s.label(f);
  s.cfi_begin();
  s.emit(movl, {xas::operands::mem(rdi, rcx, 4), eax});
  s.instruction("ret");
  s.cfi_end();
  s.directive(".globl", {f});
  s.data(f + 4, 8);
  if (!s.finish() || std::memcmp(context.object().data(), "\177ELF", 4) != 0) return 2;
  xas::object::Builder o(xas::object::Machine::x86_64);
  o.append(o.section(".text", {}), "code");
  if (o.write().empty() || context.assemble(" nop %zmm99") || context.error_count() != 1) return 3;
  return 0;
}
X
c++ -std=c++20 -O0 -Wall -Wextra -I"$tmp/installed/include" unoptimized.cpp -L"$tmp/installed/lib" -l:libxas.a -l:libxas_fmt.a \
  -lz -lzstd -o unoptimized 2> log && [ ! -s log ] && ./unoptimized || { fail "without optimization ($?)"; cat log; }

# In somebody's shared library, which has an fmt of its own.
cat > plugin.cpp << 'X'
#define FMT_HEADER_ONLY
#include <fmt/format.h>
#include <xas/xas.hpp>
extern "C" int plugin() {
  xas::Context context;
  const bool fine = context.assemble(" nop") && !context.assemble(" nop %zmm99");
  return fmt::format("{}", context.error_count()) == "1" && fine ? 0 : 1;
}
X
echo 'int plugin(void); int main(void) { return plugin(); }' > host.c
c++ -std=c++20 -fPIC -shared -I"$root/include" plugin.cpp "$build/libxas.a" "$build/libxas_fmt.a" -lz -lzstd \
  -Wl,-z,defs -o libplugin.so && cc host.c -L. -lplugin -Wl,-rpath,. -o host && ./host || fail "in a shared library"
nm -C "$build/libxas.a" "$build/libxas_fmt.a" 2> /dev/null | grep -q ' [TW] fmt::v[0-9]' && fail "names of another fmt"

XAS_LIBRARY=$library python3 "$here/python_test.py" 2> log || { fail "Python"; cat log; }
exit $failed
