# SPDX-License-Identifier: Apache-2.0
# What tests need of Debian, for scripts that source this.

# install_packages PACKAGE...: those that are not there, as root or by sudo; says which.
install_packages() {
  local missing=() package sudo=
  for package; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} != 0 ] || return 0
  printf '\n=== %s (%s)\n' "installing ${missing[*]}" "$(date +%H:%M:%S)"
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
}
