#!/usr/bin/env bash
# Makes a directory into the root of a smallest Debian, of this machine's release and from its mirror: `clean-root.sh DIR`, as root.
# Keeps it as an archive, so that all but the first take seconds; to begin anew, remove that.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

root=$1
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
kept=/var/lib/platen-containers/clean-root-$release.tar

build() {
  local site codename component
  command -v debootstrap >/dev/null || install_packages debootstrap
  renew_packages
  while IFS='|' read -r codename component site; do
    [ "$codename $component" = "$release main" ] && break
  done < <(apt-get indextargets --format '$(CODENAME)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages')
  [ "$codename $component" = "$release main" ] || fail "apt knows no mirror of $release."
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  export http_proxy=${http_proxy-} https_proxy=${https_proxy-}

  say "building a clean root from the machine's mirror of $release"
  debootstrap --variant=minbase "$release" "$1" "$site" >"$1.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 1 "$1.log") (its log: $1.log)"
  # Whatever is built on this base trusts whom the machine trusts, such as a mirror behind a proxy of its own.
  [ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
  rm -f "$1.log"
  chmod 755 "$1"
}

mkdir -p "$root" "$(dirname "$kept")"
(
  flock 9
  [ ! -f "$kept" ] || exit 0
  fresh=$(mktemp -d)
  build "$fresh"
  tar -C "$fresh" -cf "$kept.part" --exclude=./var/cache/apt/archives/*.deb --exclude=./var/lib/apt/lists \
    --exclude=./usr/share/doc --exclude=./usr/share/locale --exclude=./usr/share/man .
  rm -rf --one-file-system "$fresh"
  mv "$kept.part" "$kept"
) 9>"$kept.lock"
tar -C "$root" -xf "$kept"
