#!/usr/bin/env bash
# Makes a directory into the root of a smallest Debian, of this machine's release and from its mirror: `clean-root.sh DIR`, as root.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

release=$(. /etc/os-release && echo "$VERSION_CODENAME")

build() {
  bootstrap_debian "$release" "$1"
  # Whatever is built on this base trusts whom the machine trusts, such as a mirror behind a proxy of its own.
  [ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
  chmod 755 "$1"
}

unpack_root "clean-root-$release" "$1" \
  --exclude=./var/lib/apt/lists --exclude=./usr/share/doc --exclude=./usr/share/locale --exclude=./usr/share/man
