#!/bin/sh
# Writes `.env` with the secrets of a new installation: `./create-env.sh print.example.com`. Keep the file: without PLATEN_WEBHOOK_KEY the
# secrets of webhook endpoints cannot be read.
set -eu
host=${1:?'Usage: ./create-env.sh HOST, the name of this server in its certificate.'}
cd "$(dirname "$0")"
[ ! -e .env ] || { echo 'The file .env exists already. It contains the secrets of this installation.' >&2; exit 1; }
key() { openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n'; }
sha256() { printf %s "$1" | openssl dgst -sha256 -r | cut -c1-64; }
operator=$(key)
rpc=$(key)
umask 077
cat >.env <<END
PLATEN_HOST_NAME=$host
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
echo 'Wrote .env. Put the certificate into tls/cert.pem and its key into tls/key.pem, readable for user 65532.'
