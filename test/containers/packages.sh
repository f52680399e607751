# Functions for scripts that need packages of the machine, or the root of a fresh Debian. Sourced.
say() { echo "containers: $*" >&2; }
fail() { say "$*"; exit 1; }

packages_renewed=
renew_packages() {
  [ -z "$packages_renewed" ] || return 0
  command -v apt-get >/dev/null || fail 'there is no apt-get: start a Docker engine that can pull images, then try again.'
  [ "$(id -u)" = 0 ] || fail 'apt-get needs root: start a Docker engine that can pull images, then try again.'
  # A source that fails is no matter as long as the packages can be had.
  apt-get update -qq >&2 || say 'not every source of packages answered'
  packages_renewed=yes
}

install_packages() {
  renew_packages
  say "installing $*"
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@" >/dev/null
}

# bootstrap_debian RELEASE DIR OPTION…: makes a smallest Debian from the machine's mirror of the release.
bootstrap_debian() {
  local release=$1 dir=$2 site codename component
  shift 2
  command -v debootstrap >/dev/null || install_packages debootstrap
  renew_packages
  while IFS='|' read -r codename component site; do
    [ "$codename $component" = "$release main" ] && break
  done < <(apt-get indextargets --format '$(CODENAME)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages')
  [ "$codename $component" = "$release main" ] || fail "apt knows no mirror of $release."
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  export http_proxy=${http_proxy-} https_proxy=${https_proxy-}
  say "building the root of a fresh Debian from the machine's mirror of $release"
  debootstrap --variant=minbase "$@" "$release" "$dir" "$site" >"$dir.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 1 "$dir.log") (its log: $dir.log)"
  rm -f "$dir.log"
}

# unpack_root NAME DIR OPTION…: unpacks a kept archive of what `build` makes in a directory. The first call builds it, with the options of
# tar. To begin anew, remove the archive.
unpack_root() {
  local kept=/var/lib/platen-containers/$1.tar root=$2 fresh
  shift 2
  mkdir -p "$root" "$(dirname "$kept")"
  (
    flock 9
    [ ! -f "$kept" ] || exit 0
    fresh=$(mktemp -d)
    build "$fresh"
    tar -C "$fresh" -cf "$kept.part" --exclude=./var/cache/apt/archives/*.deb "$@" .
    rm -rf --one-file-system "$fresh"
    mv "$kept.part" "$kept"
  ) 9>"$kept.lock"
  tar -C "$root" -xf "$kept"
}
