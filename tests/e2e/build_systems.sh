#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_systems.sh XAS: a program in C, C++ and assembly (project/), built by CMake (make, Ninja), Meson, autoconf with
# libtool, Bazel in its sandbox, ccache and distcc, and a module by the Linux kernel's build: once with the system's
# assembler and once with xas in its place. The objects have to be the same bit for bit, the program has to run, and xas
# has to have been called. The kernel's probes of the assembler have to get the same answers.
#
# What is not there is installed (as root; 400 MB, most of it Bazel's Java). The last line is "N passed, N failed".
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
xas=$(realpath "${1:?the xas program}")
. "$here/../install.sh"
. "$here/../lib.sh"
work=$(mktemp -d /tmp/xas-build-systems-XXXXXX)
port=3699  # distccd's, on the loopback interface
daemon=
clean_up() {
  [ -z "$daemon" ] || kill "$daemon" 2> /dev/null
  chmod -R u+w "$work"  # Bazel's outputs are read-only
  rm -rf "$work"
}
trap clean_up EXIT

packages=(cmake ninja-build make meson autoconf automake libtool ccache distcc bazel-bootstrap bazel-platforms
  bazel-rules-cc bazel-rules-java bazel-rules-proto bazel-skylib default-jdk-headless linux-headers-amd64 gcc-12 g++-12
  gcc-12-aarch64-linux-gnu)

# The compilers find `as` here before anywhere else; it counts how often it is called, also by distccd's user.
chmod 755 "$work"
mkdir -p "$work/bin" "$work/gnu"
cat > "$work/bin/as" <<EOF
#!/bin/sh
echo x >> "$work/calls"
exec "$xas" "\$@"
EOF
chmod +x "$work/bin/as"
ln -s "$work/bin/as" "$work/bin/aarch64-linux-gnu-as"

# The ways to build. Each stands in a copy of the project, has the flags in $flags, and leaves ./program and its objects.
with_cmake() { cmake -S . -B out -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_ASM_FLAGS="$flags" "$@" && cmake --build out && cp out/program .; }
with_cmake_and_make() { with_cmake -G 'Unix Makefiles'; }
with_cmake_and_ninja() { with_cmake -G Ninja; }
with_meson() { CFLAGS=$flags CXXFLAGS=$flags meson setup out && meson compile -C out && cp out/program .; }
with_autoconf() {
  autoreconf -i && ./configure --enable-static --disable-shared CFLAGS="$flags" CXXFLAGS="$flags" CCASFLAGS="$flags" && make
}
by_hand() {  # COMPILER-PREFIX...
  "$@" gcc $flags -O2 -g -c sum.c && "$@" gcc $flags -c twice.S && "$@" g++ $flags -O2 -g -c main.cpp && g++ -o program sum.o twice.o main.o
}
with_ccache() {
  export CCACHE_DIR=$PWD/cache
  by_hand ccache && mkdir first && mv ./*.o first && by_hand ccache && cmp sum.o first/sum.o && cmp main.o first/main.o &&
    ccache --print-stats | grep -qE '^(direct|preprocessed)_cache_hit[[:space:]]+[1-9]'
}
with_distcc() {
  mkdir state
  DISTCC_HOSTS=127.0.0.1:$port DISTCC_FALLBACK=0 DISTCC_DIR=$PWD/state by_hand distcc
}
# Bazel finds its own rules on this machine, not in the network. Debian's rules for C++ are for a newer Bazel than its Bazel.
with_bazel() {
  local rules=/usr/share/bazel/rules options=() flag
  for flag in $flags; do options+=("--copt=$flag"); done
  if [ ! -e "$work/rules_cc" ]; then
    cp -r $rules/cc "$work/rules_cc"
    sed -i 's/, "use_cpp_toolchain"//; s|use_cpp_toolchain([^)]*)|["@bazel_tools//tools/cpp:toolchain_type"]|' \
      "$work"/rules_cc/cc/private/rules_impl/*.bzl
  fi
  bazel --batch --output_user_root="$work/bazel-$assembler" build --spawn_strategy=linux-sandbox "${options[@]}" \
    --override_repository={"rules_cc=$work/rules_cc",rules_java=$rules/java,rules_proto=$rules/proto} \
    --override_repository={platforms=/usr/share/bazel/platforms,bazel_skylib=/usr/share/bazel/skylib} //:program &&
    cp -L bazel-bin/program . && cp -rL bazel-bin/_objs objects && chmod -R u+w program objects && rm bazel-*
}
with_kernel() {
  local headers
  headers=$(ls -d /usr/src/linux-headers-*-amd64 | tail -n 1)
  printf 'obj-m := hello.o\nhello-y := module.o fill.o\n' > Kbuild
  make -C "$headers" M="$PWD" CC="gcc-12 $flags" modules
}

# build NAME WAY: with both assemblers. Both stand in a folder of the same name, which debugging information has.
build() {
  local name=$1 way=$2 assembler flags object count=0 before
  for assembler in gnu bin; do
    flags=-B$work/$assembler/
    [ "$assembler" = bin ] || flags=-B/usr/bin/
    rm -rf "$work/project"
    cp -r "$here/project" "$work/project"
    before=$(wc -l < "$work/calls")
    (cd "$work/project" && "$way") > "$work/log" 2>&1 || { tail -n 20 "$work/log"; fail "$name cannot be built"; return; }
    mv "$work/project" "$work/$assembler.built"
  done
  if [ "$(wc -l < "$work/calls")" = "$before" ]; then
    fail "$name: xas was not called"
  fi
  while read -r object; do
    count=$((count + 1))
    cmp "$work/gnu.built/$object" "$work/bin.built/$object" || fail "$name: $object"
  done < <(cd "$work/gnu.built" && find . -name '*.o' -o -name '*.ko')
  if [ "$way" != with_kernel ] && [ "$("$work/bin.built/program")" != "2 * 5050 = 10100" ]; then
    fail "$name: what it says"
  fi
  [ "$count" -ge 3 ] || fail "$name: $count objects"
  pass "$count"
  echo "$name: $count objects"
  chmod -R u+w "$work"/*.built
  rm -rf "$work"/*.built
}

# What the kernel asks of an assembler, by its own functions (scripts/Makefile.compiler): instructions and options that
# some releases have, and some that none has.
kernel_probes() {
  local compiler=$1 flags=$2 scripts
  scripts=$(ls -d /usr/src/linux-kbuild-*/scripts | tail -n 1)
  {
    printf 'CC := %s %s\ncomma := ,\nhash := \\#\ninclude %s/Makefile.compiler\nall:\n' "$compiler" "$flags" "$scripts"
    local n=0 probe
    while IFS= read -r probe; do
      n=$((n + 1))
      case $probe in
        -*) printf '\t@echo "%s: $(call as-option,%s,no)"\n' "$n" "${probe//,/\$(comma)}" ;;
        *) printf '\t@echo "%s: $(call as-instr,%s,yes,no)"\n' "$n" "$(sed 's/\$/$$/g; s/,/$(comma)/g; s/#/$(hash)/g' <<< "$probe")" ;;
      esac
    done
  } > "$work/Makefile"
  make -s -C "$work" all
}
same_probes() {  # COMPILER FILE
  local name=$1 probes=$2 gnu ours
  gnu=$(kernel_probes "$name" "-B/usr/bin/" < "$probes")
  ours=$(kernel_probes "$name" "-B$work/bin/" < "$probes")
  if [ "$gnu" = "$ours" ] && grep -q yes <<< "$gnu" && grep -q no <<< "$gnu"; then
    pass "$(wc -l < "$probes")"
  else
    fail "$name: probes of the kernel"
    diff <(echo "$gnu") <(echo "$ours") | head
  fi
  echo "$name: $(wc -l < "$probes") probes of the kernel, yes to $(grep -cv ': no$' <<< "$gnu")"
}

install_packages "${packages[@]}" || { echo "build_systems.sh: packages could not be installed" >&2; exit 1; }
touch "$work/calls"
chmod 666 "$work/calls"
distccd --no-detach --daemon --allow 127.0.0.1 --listen 127.0.0.1 --port "$port" --jobs 2 --log-stderr 2> /dev/null &
daemon=$!
build "CMake, make" with_cmake_and_make
build "CMake, Ninja" with_cmake_and_ninja
build "Meson" with_meson
build "autoconf, automake, libtool" with_autoconf
build "ccache" with_ccache
build "distcc" with_distcc
build "Bazel, in its sandbox" with_bazel
build "a module of the Linux kernel" with_kernel
same_probes gcc-12 "$here/project/probes-x86.txt"
same_probes aarch64-linux-gnu-gcc-12 "$here/project/probes-aarch64.txt"
finish
