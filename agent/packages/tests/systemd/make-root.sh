#!/usr/bin/env bash
# Makes a directory into the root of a fresh Debian with systemd, CUPS and what a desktop has: `make-root.sh DIR amd64|arm64`, as root.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../../../test/containers/packages.sh"

architecture=$2
release=bookworm
packages=systemd,systemd-sysv,dbus,sudo,curl,ca-certificates,bsdutils,cups,cups-client,cups-filters

install_missing() {
  command -v systemd-nspawn >/dev/null || install_packages systemd-container
  [ "$architecture" = "$(dpkg --print-architecture)" ] && return
  [ "$architecture" = arm64 ] || fail "only arm64 can be emulated, not $architecture."
  [ -x /usr/bin/qemu-aarch64-static ] || install_packages qemu-user-static
  mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  # F: the kernel keeps the emulator open, so that it works in other roots.
  [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' >/proc/sys/fs/binfmt_misc/register
}

build() {
  bootstrap_debian "$release" "$1" --arch="$architecture" --include="$packages"
}

install_missing
unpack_root "systemd-root-$release-$architecture" "$1"
