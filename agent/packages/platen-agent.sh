#!/bin/sh
# The command `platen-agent`.
#
# Root works as the owner of the data directory, so that the service, which runs as that user, can read whatever root makes there:
# `sudo platen-agent enroll …` writes a credential that this user alone may read. The support bundle is written into the directory
# where root stands, and so by root.
#
# Where no data directory is named it is the service manager's (STATE_DIRECTORY), for root the service's; other users have their own.
set -eu
lib=/usr/lib/platen-agent
uid=$(id -u)

data=
previous=
for word; do
  case $word in --data-dir=*) data=${word#*=} ;; esac
  [ "$previous" != --data-dir ] || data=$word
  previous=$word
done

case ${1-} in
'' | -*) ;; # --help, --version
*)
  if [ -z "$data" ] && { [ "$uid" = 0 ] || [ -n "${STATE_DIRECTORY-}" ]; }; then
    data=${STATE_DIRECTORY:-/var/lib/platen-agent}
    set -- "$@" --data-dir "$data"
  fi
  ;;
esac

# The flags are words of their own.
# shellcheck disable=SC2046
set -- "$lib/node" $(cat "$lib/v8-flags") "$lib/platen-agent.cjs" "$@"

if [ "$uid" = 0 ] && [ -d "$data" ]; then
  owner=$(stat -c %u "$data")
  case " $* " in *' support-bundle '*) owner=0 ;; esac
  if [ "$owner" != 0 ]; then
    exec setpriv --reuid "$owner" --regid "$(stat -c %g "$data")" --clear-groups -- "$@"
  fi
fi
exec "$@"
