# What scripts here need of the machine's package sources. Sourced.
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
