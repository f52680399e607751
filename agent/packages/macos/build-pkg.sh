#!/bin/sh
# Builds an installer for macOS, on macOS: build-pkg.sh ARCHIVE.tar.gz OUT.pkg
# ARCHIVE is a result of `npm run package:agent`. Node in it has the signature of the Node.js project. Sign the installer with
# `productsign`. NOT VERIFIED on macOS yet: see docs/agent-packages.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=$1
out=$2
version=$(sed -n 's/.*"version": "\(.*\)".*/\1/p' "$here/../../package.json")

tree=$(mktemp -d)
scripts=$(mktemp -d)
trap 'rm -rf "$tree" "$scripts"' EXIT
tar -xzf "$archive" -C "$tree"
install -m 755 "$here/postinstall" "$scripts/postinstall"
pkgbuild --root "$tree" --scripts "$scripts" --identifier com.platen.agent --version "$version" --ownership recommended "$out"
