#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rebuild.sh XAS RELEASE DIR PACKAGE...: Debian's source packages, built with GNU as and with xas in its place; the .debs, those
# of debugging symbols too, must be the same bit for bit. RELEASE is bookworm (GNU as 2.40) or trixie (2.44). Runs as root and
# keeps all in DIR: a root of its own for the release (mmdebstrap), sources, and results-RELEASE.tsv, to which each package
# adds a line:
#
#   package, version, outcome, number of .debs, calls of the assembler, seconds for both builds, what differs
#
# What GNU as was asked in the first build stays in DIR/calls-RELEASE/PACKAGE; replay.sh asks another xas the same. XAS may
# be `-`: then there is no other build, and the outcome is `kept`.
#
# An outcome is `same`; `differs`; `varies`: two builds with GNU as differ, so that nothing can be said; `fails`: with xas, but
# not with GNU as; `unbuilt`: with GNU as neither. What differs stays in DIR/differs/PACKAGE. Packages that are listed already
# are skipped. The last line is "N passed, N failed", of the packages that do not vary.
#
# $XAS_MIRROR is where packages come from (default: the mirror of the machine); tests/packages/list.txt has a selection.
set -uo pipefail
[ $# -ge 4 ] || { sed -n '3,/^set/s/^# \?//p' "$0"; exit 2; }
xas=$1 release=$2
[ "$xas" = - ] || xas=$(realpath "$xas")
mkdir -p "$3"
dir=$(realpath "$3")
shift 3
. "$(dirname "$0")/root.sh"
results=$dir/results-$release.tsv
mirror=${XAS_MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | head -n 1)}
assembler=/usr/bin/x86_64-linux-gnu-as

make_root() {
  command -v mmdebstrap > /dev/null || apt-get install -y -qq mmdebstrap
  mmdebstrap --variant=buildd --include=build-essential,debhelper,fakeroot "$release" "$root" \
    "deb $mirror $release main" "deb-src $mirror $release main" || return 1
  in_root mv $assembler $assembler.gnu
}

# use gnu|xas|kept: which assembler the root has: `kept` is GNU as, and each call is kept in /tmp/kept. Calls are counted in
# /tmp/calls.
use() {
  local command="$assembler.gnu"
  case $1 in
    kept) command=/usr/bin/kept-as ;;
    xas) command="/usr/bin/xas --compat=$compat" ;;
  esac
  printf '#!/bin/sh\necho >> /tmp/calls\nexec %s "$@"\n' "$command" > "$root$assembler"
  chmod 755 "$root$assembler"
}

# build PACKAGE gnu|xas|kept INTO: the .debs of one build
build() {
  use "$2"
  rm -rf "$root/build/tree"
  : > "$root/tmp/calls"
  chmod 666 "$root/tmp/calls"
  in_root sh -c 'cd /build && dpkg-source -x source/*.dsc tree && cd tree && dpkg-buildpackage -b -us -uc' > "$dir/log-$1-$2" 2>&1 || return 1
  rm -rf "$3"
  mkdir -p "$3"
  mv "$root"/build/*.deb "$3"
}

sums() { (cd "$1" && sha256sum -- *.deb | sort -k 2); }

# rebuild PACKAGE: sets outcome, debs, calls, differing
rebuild() {
  outcome=unbuilt debs=0 calls=0 differing= version=
  rm -rf "$root/build"
  mkdir -p "$root/build/source"
  in_root sh -c "apt-get build-dep -y -q $1 && cd /build/source && apt-get source -q --download-only $1" > "$dir/log-$1" 2>&1 || return
  version=$(sed -n 's/^Version: //p' "$root"/build/source/*.dsc | head -n 1)
  rm -rf "$root/tmp/kept"
  mkdir -m 777 "$root/tmp/kept"
  build "$1" kept "$dir/gnu" || return
  rm -rf "$calls_kept/$1"
  mv "$root/tmp/kept" "$calls_kept/$1"
  debs=$(ls "$dir/gnu" | wc -l)
  calls=$(wc -l < "$root/tmp/calls")
  outcome=kept
  [ "$xas" != - ] || return
  outcome=fails
  build "$1" xas "$dir/xas" || return
  outcome=same
  differing=$(diff <(sums "$dir/gnu") <(sums "$dir/xas") | sed -n 's/^[<>] [0-9a-f]*  //p' | sort -u | tr '\n' ' ')
  [ -n "$differing" ] || return
  outcome=varies
  build "$1" gnu "$dir/again" && [ "$(sums "$dir/gnu")" != "$(sums "$dir/again")" ] && return
  outcome=differs
  rm -rf "$dir/differs/$1"
  mkdir -p "$dir/differs/$1"
  mv "$dir/gnu" "$dir/xas" "$dir/differs/$1"
}

[ -x "$root$assembler.gnu" ] || make_root > "$dir/log-root" 2>&1 || { tail -n 5 "$dir/log-root"; exit 1; }
mkdir -p "$calls_kept"
[ "$xas" = - ] || cp "$xas" "$root/usr/bin/xas"
install -m 755 "$(dirname "$0")/kept-as.sh" "$root/usr/bin/kept-as"
trap 'umount "$root/proc" 2> /dev/null' EXIT
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" 2> /dev/null
in_root apt-get update -q > "$dir/log-update" 2>&1
touch "$results"
for package; do
  ! cut -f 1 "$results" | grep -qx "$package" || continue
  SECONDS=0
  rebuild "$package"
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$package" "$version" $outcome "$debs" "$calls" $SECONDS "$differing" >> "$results"
  tail -n 1 "$results"
done
use gnu
awk -F '\t' '$3 == "same" { ++same } $3 == "differs" || $3 == "fails" { ++bad } END { printf "%d passed, %d failed\n", same, bad; exit bad != 0 }' "$results"
