#!/bin/sh
# Builds an installer for macOS, on macOS: build-pkg.sh EXECUTABLE OUT.pkg [SIGNING-IDENTITY]
# EXECUTABLE is the result of `npm run package:agent`, with `node_modules` beside it. Without an identity the signature is "ad hoc": it runs on the Mac that signed it, and
# on other Macs after the consent of the user. NOT VERIFIED on macOS yet: see docs/agent-packages.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
executable=$1
out=$2
identity=${3:--}
version=$(sed -n 's/.*"version": "\(.*\)".*/\1/p' "$here/../../package.json")

tree=$(mktemp -d)
scripts=$(mktemp -d)
trap 'rm -rf "$tree" "$scripts"' EXIT
install -d "$tree/usr/local/bin" "$tree/usr/local/lib/platen-agent" "$tree/Library/LaunchDaemons"
install -m 755 "$executable" "$tree/usr/local/lib/platen-agent/platen-agent"
cp -R "$(dirname "$executable")/node_modules" "$tree/usr/local/lib/platen-agent/node_modules"
ln -s ../lib/platen-agent/platen-agent "$tree/usr/local/bin/platen-agent"
install -m 755 "$here/run-agent" "$tree/usr/local/lib/platen-agent/run-agent"
install -m 644 "$here/com.platen.agent.plist" "$tree/Library/LaunchDaemons/"
install -m 755 "$here/postinstall" "$scripts/postinstall"

# V8 generates code at run time, which the hardened runtime allows only with these entitlements.
cat >"$scripts/entitlements.plist" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>com.apple.security.cs.allow-jit</key><true/>
<key>com.apple.security.cs.allow-unsigned-executable-memory</key><true/></dict></plist>
END
codesign --remove-signature "$tree/usr/local/lib/platen-agent/platen-agent" 2>/dev/null || true
codesign --force --sign "$identity" --options runtime --entitlements "$scripts/entitlements.plist" \
  "$tree/usr/local/lib/platen-agent/platen-agent"
rm "$scripts/entitlements.plist"
pkgbuild --root "$tree" --scripts "$scripts" --identifier com.platen.agent --version "$version" --ownership recommended "$out"
