#!/bin/sh
# The command `platen-agent`.
#
# Root runs the program as the owner of the data directory, because the service runs as that user and must be able to read all files there:
# `sudo platen-agent enroll …` writes a credential that only this user may read. Root writes the support bundle itself.
set -eu
lib=$(dirname "$(readlink -f "$0")")/../lib/platen-agent

data=${STATE_DIRECTORY:-/var/lib/platen-agent}
previous=
for word; do
  case $word in --data-dir=*) data=${word#*=} ;; esac
  [ "$previous" != --data-dir ] || data=$word
  previous=$word
done

owner=0
if [ "$(id -u)" = 0 ] && [ -d "$data" ] && [ "${1-}" != support-bundle ]; then
  owner=$(stat -c %u "$data")
  group=$(stat -c %g "$data")
fi

# The flags are separate words.
# shellcheck disable=SC2046
set -- "$lib/node" $(cat "$lib/v8-flags") "$lib/platen-agent.cjs" "$@"
[ "$owner" = 0 ] || exec env STATE_DIRECTORY="$data" setpriv --reuid "$owner" --regid "$group" --clear-groups -- "$@"
exec "$@"
