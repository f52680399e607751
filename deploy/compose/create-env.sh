#!/bin/sh
# Writes `.env` with the secrets of a new installation. Keep the file: without PLATEN_WEBHOOK_KEY the secrets of webhook endpoints cannot be read.
#
#   ./create-env.sh print.example.com         a certificate by Caddy, which requests it from Let's Encrypt and renews it
#   ./create-env.sh print.example.com files   your own certificate, in tls/cert.pem and tls/key.pem
#   ./create-env.sh localhost plain           a trial without TLS, for this computer only
set -eu
usage='Usage: ./create-env.sh HOST [caddy | files | plain]. HOST is the name by which clients reach this server.'
host=${1:?"$usage"}
tls=${2:-caddy}
case $tls in
caddy)
  # Other containers of this server reach Platen through Caddy only. Docker gives networks these addresses.
  settings='COMPOSE_PROFILES=caddy
PLATEN_API_PORT=127.0.0.1:8080
PLATEN_AGENT_PORT=127.0.0.1:8090
PLATEN_AGENT_URL_PORT=
PLATEN_TLS_CERT_FILE=
PLATEN_TLS_KEY_FILE=
PLATEN_TRUSTED_PROXIES=172.16.0.0/12,192.168.0.0/16,10.0.0.0/8'
  next="Ports 80 and 443 of this server must be reachable as $host, because Let's Encrypt connects to them."
  ;;
files)
  settings=''
  next='Put the certificate into tls/cert.pem and its key into tls/key.pem, readable for user 65532.'
  ;;
plain)
  settings='PLATEN_SCHEME=http
PLATEN_API_PORT=127.0.0.1:8080
PLATEN_API_URL_PORT=:8080
PLATEN_AGENT_PORT=127.0.0.1:8090
PLATEN_TLS_CERT_FILE=
PLATEN_TLS_KEY_FILE='
  next="Without TLS only this computer can connect: http://$host:8080/app."
  ;;
*)
  echo "$usage" >&2
  exit 2
  ;;
esac
cd "$(dirname "$0")"
[ ! -e .env ] || { echo 'The file .env exists already. It contains the secrets of this installation.' >&2; exit 1; }
key() { openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n'; }
sha256() { printf %s "$1" | openssl dgst -sha256 -r | cut -c1-64; }
operator=$(key)
rpc=$(key)
umask 077
cat >.env <<END
PLATEN_HOST_NAME=$host
$settings
POSTGRES_PASSWORD=$(key)
SERVICES_PASSWORD=$(key)
NATS_TOKEN=$(key)
PLATEN_RPC_KEY=$rpc
PLATEN_RPC_CALLERS=gateway=$(sha256 "$rpc")
PLATEN_SIGNING_KEY=$(key)
PLATEN_FETCH_KEY=$(key)
PLATEN_WEBHOOK_KEY=$(key)
PLATEN_SIGN_IN_KEY=$(key)
PLATEN_OPERATOR_SECRET=$operator
PLATEN_OPERATOR_SECRET_SHA256=$(sha256 "$operator")
END
echo "Wrote .env. $next"
