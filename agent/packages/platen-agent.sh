#!/bin/sh
# The command `platen-agent`.
#
# Root works as the owner of the data directory, so that the service, which runs as that user, can read whatever root makes there:
# `sudo platen-agent enroll …` writes a credential that this user alone may read. The support bundle is for root to keep, and is
# written by root.
set -eu
lib=/usr/lib/platen-agent

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

# The flags are words of their own.
# shellcheck disable=SC2046
set -- "$lib/node" $(cat "$lib/v8-flags") "$lib/platen-agent.cjs" "$@"
[ "$owner" = 0 ] || exec env STATE_DIRECTORY="$data" setpriv --reuid "$owner" --regid "$group" --clear-groups -- "$@"
exec "$@"
