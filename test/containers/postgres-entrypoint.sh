#!/bin/sh
# As the official image's: makes the cluster at the first start from POSTGRES_USER, _PASSWORD, _DB and _INITDB_ARGS; arguments are
# PostgreSQL's.
set -eu
bin=/usr/lib/postgresql/bin
data=/var/lib/postgresql/data
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

if [ ! -s "$data/PG_VERSION" ]; then
  (umask 077 && printf '%s' "$POSTGRES_PASSWORD" >/tmp/password)
  # The arguments are words of their own.
  # shellcheck disable=SC2086
  "$bin/initdb" -D "$data" -U "$user" --pwfile=/tmp/password --auth=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  [ "$database" = postgres ] || echo "CREATE DATABASE \"$database\"" | "$bin/postgres" --single -D "$data" postgres
fi
exec "$bin/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories= "$@"
