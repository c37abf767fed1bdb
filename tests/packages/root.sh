# SPDX-License-Identifier: Apache-2.0
# What rebuild.sh and replay.sh share, with $release and $dir set: the root of the release, where the calls of GNU as are
# kept, the release's profile, and a command in that root.
root=$dir/$release calls_kept=$dir/calls-$release
case $release in
  bookworm) compat=gnu-2.40 ;;
  trixie) compat=gnu-2.44 ;;
  *) echo "$0: no such release: $release" >&2; exit 2 ;;
esac

in_root() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    DEB_BUILD_OPTIONS="nocheck parallel=${XAS_JOBS:-$(nproc)}" chroot "$root" "$@"
}
