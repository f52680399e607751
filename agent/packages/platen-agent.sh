#!/bin/sh
# The command `platen-agent` on Linux and macOS. Starts the program of the package, or the newer one of an update.
#
# Root runs the program as the owner of the data directory, because the service runs as that user and must be able to read all files there:
# `sudo platen-agent enroll …` writes a credential that only this user may read. Root writes the support bundle itself.
set -eu
self=$(readlink -f "$0")
lib=${self%/bin/*}/lib/platen-agent

if [ "$(uname -s)" = Darwin ]; then
  data="${HOME-}/Library/Application Support/Platen"
  [ "$(id -u)" != 0 ] || data='/Library/Application Support/Platen'
else
  data=${STATE_DIRECTORY-} data=${data%%:*}
  case ${XDG_STATE_HOME-} in /*) ;; *) XDG_STATE_HOME=${HOME-}/.local/state ;; esac
  [ -n "$data" ] || data=$XDG_STATE_HOME/platen-agent
  [ -n "${STATE_DIRECTORY-}" ] || [ "$(id -u)" != 0 ] || data=/var/lib/platen-agent
fi
previous=
for word; do
  case $word in --data-dir=*) data=${word#*=} ;; esac
  [ "$previous" != --data-dir ] || data=$word
  previous=$word
done

if [ "$(uname -s)" != Darwin ] && [ "$(id -u)" = 0 ] && [ -d "$data" ] && [ "${1-}" != support-bundle ]; then
  owner=$(stat -c %u "$data")
  group=$(stat -c %g "$data")
  [ "$owner" = 0 ] ||
    exec env STATE_DIRECTORY="$data" setpriv --reuid "$owner" --regid "$group" --clear-groups -- "$self" "$@"
fi

# Whether the program that the link names was installed over this package. Another package replaces it.
fits() {
  [ -L "$updates/$1" ] && [ "$(cat "$updates/$1/base" 2>/dev/null)" = "$PLATEN_AGENT_BASE" ]
}

# Ends this process, whatever its program does, unless it connects within 2 minutes. At the next start the former program runs.
watch() {
  seconds=0
  while [ -L "$updates/trying" ] && kill -0 $$; do
    [ "$seconds" -lt 120 ] || kill -KILL $$
    seconds=$((seconds + 1))
    sleep 1
  done
}

# agent/update/programs.ts describes the links. Only their owner can have made them.
program=$lib
updates=$data/program
if [ -f "$lib/version" ]; then
  PLATEN_AGENT_BASE=$(cat "$lib/version")
  export PLATEN_AGENT_BASE
fi
if [ -n "${PLATEN_AGENT_BASE-}" ] && [ -O "$data" ] && [ -d "$updates" ]; then
  if fits current; then program=$updates/$(readlink "$updates/current"); fi
  if [ "${1-}" = run ] && [ -L "$updates/trying" ]; then
    rm -f "$updates/failed"
    mv "$updates/trying" "$updates/failed"
  elif [ "${1-}" = run ] && fits next; then
    mv "$updates/next" "$updates/trying"
    program=$updates/$(readlink "$updates/trying")
    watch >/dev/null 2>&1 </dev/null &
  fi
fi

# The flags are separate words.
# shellcheck disable=SC2046
exec "$program/node" $(cat "$program/v8-flags") "$program/platen-agent.cjs" "$@"
