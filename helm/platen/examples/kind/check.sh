#!/usr/bin/env bash
# Installs, tests, upgrades and rolls back Platen on a new kind cluster. The project's own tests do not run this script: no cluster is available
# to them. Needs docker, kind, kubectl and helm. Ends with `The installation works.` and keeps the cluster `platen`.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

image=platen:$(sed -n "s/^appVersion: //p" helm/platen/Chart.yaml)
docker build --file deploy/image/Dockerfile --tag "$image" .
kind create cluster --name platen
kind load docker-image "$image" --name platen
kubectl config use-context kind-platen
kubectl create namespace platen
kubectl label namespace platen pod-security.kubernetes.io/enforce=restricted

docker run --rm "$image" create-secrets | kubectl create -n platen -f -
kubectl apply -n platen -f helm/platen/examples/kind
kubectl rollout status -n platen deployment/postgres --timeout 5m
kubectl rollout status -n platen deployment/nats --timeout 5m

values=(--namespace platen --values helm/platen/examples/kind.values.yaml --wait --timeout 10m)
helm install platen helm/platen "${values[@]}"
helm test platen -n platen
helm upgrade platen helm/platen "${values[@]}" --set jobs.replicas=2
helm test platen -n platen
kubectl exec -n platen deploy/platen-operator -- platen-server doctor
helm rollback platen 1 -n platen --wait --timeout 10m
helm test platen -n platen
echo 'The installation works. Delete it with: kind delete cluster --name platen'
