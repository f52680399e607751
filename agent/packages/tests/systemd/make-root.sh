#!/usr/bin/env bash
# Makes a directory into the root of a fresh Debian with systemd, CUPS and what a desktop has: `make-root.sh DIR amd64|arm64`, as root.
# Keeps it as an archive, so that all but the first take seconds; to begin anew, remove that.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../../../test/containers/packages.sh"

root=$1 architecture=$2
release=bookworm
kept=/var/lib/platen-containers/systemd-root-$release-$architecture.tar
packages=systemd,systemd-sysv,dbus,sudo,curl,ca-certificates,bsdutils,cups,cups-client,cups-filters

install_missing() {
  command -v debootstrap >/dev/null || install_packages debootstrap
  command -v systemd-nspawn >/dev/null || install_packages systemd-container
  [ "$architecture" = "$(dpkg --print-architecture)" ] && return
  [ "$architecture" = arm64 ] || fail "only arm64 can be emulated, not $architecture."
  [ -x /usr/bin/qemu-aarch64-static ] || install_packages qemu-user-static
  mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  # F: the kernel keeps the emulator open, so that it works in other roots.
  [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' >/proc/sys/fs/binfmt_misc/register
}

build() {
  local site codename component
  renew_packages
  while IFS='|' read -r codename component site; do
    [ "$codename $component" = "$release main" ] && break
  done < <(apt-get indextargets --format '$(CODENAME)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages')
  [ "$codename $component" = "$release main" ] || fail "apt knows no mirror of $release."
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  export http_proxy=${http_proxy-} https_proxy=${https_proxy-}
  say "building a root with systemd for $architecture"
  debootstrap --variant=minbase --arch="$architecture" --include="$packages" "$release" "$1" "$site" >"$1.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 1 "$1.log") (its log: $1.log)"
  rm -f "$1.log" "$1"/var/cache/apt/archives/*.deb
}

install_missing
mkdir -p "$root" "$(dirname "$kept")"
(
  flock 9
  [ ! -f "$kept" ] || exit 0
  fresh=$(mktemp -d)
  build "$fresh"
  tar -C "$fresh" -cf "$kept.part" .
  rm -rf --one-file-system "$fresh"
  mv "$kept.part" "$kept"
) 9>"$kept.lock"
tar -C "$root" -xf "$kept"
