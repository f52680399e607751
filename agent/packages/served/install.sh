#!/bin/sh
# Installs or upgrades the Platen agent on Linux or macOS, enrols this computer and starts the agent:
#
#   curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com
#
#   --server URL        the address of Platen, from which the package is downloaded
#   --key KEY           the public key of the publisher of the packages, whose signature is verified by the program minisign
#   --token-file FILE   the enrolment token (- for standard input). Without it the script asks for the token
#   other options       are passed to `platen-agent enroll`: --name NAME, --ca-file FILE, --agent-host NAME, --insecure,
#                       --auto-update, --allow-network-printers
#
# The token is on no command line, because other users of the computer can read those.
set -eu

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

download() { # PATH FILE
  if command -v curl >/dev/null; then curl -fsSL "$server/agents/$1" -o "$2"; else wget -q "$server/agents/$1" -O "$2"; fi ||
    fail "$server/agents/$1 could not be downloaded. Check the address, and that this computer can reach it."
}

# Others on the network could replace the package, which root installs.
check_server() {
  case $server in https://*) return 0 ;; esac
  echo "$server" | grep -qE '^http://(localhost|127(\.[0-9]+){3}|\[::1])(:[0-9]+)?$' ||
    fail "$server has no TLS, so others could replace the agent on the network. Use the https:// address of the service, or add --insecure in a network that you trust."
}

# The list contains the checksums of all packages.
verify_signature() {
  command -v minisign >/dev/null || fail '--key needs the program minisign. Install it and run this again.'
  download SHA256SUMS.minisig "$dir/SHA256SUMS.minisig"
  minisign -Vqm "$dir/SHA256SUMS" -P "$key" || fail "the packages at $server are not signed with this key. Nothing was installed."
}

# Prints the name of the platform in the names of packages.
find_target() {
  case "$(uname -s) $(uname -m)" in
  'Linux x86_64') echo linux-x64 ;;
  'Linux aarch64') echo linux-arm64 ;;
  'Darwin arm64') echo macos-arm64 ;;
  'Darwin x86_64') echo macos-x64 ;;
  *) fail "the agent has no package for $(uname -s) on $(uname -m)." ;;
  esac
}

install_archive() {
  tar -xzf "$1" -C /
  if [ "$(uname -s)" = Darwin ]; then
    mkdir -p "$data"
    chmod 700 "$data"
    launchctl bootout system/com.platen.agent 2>/dev/null || true
    launchctl bootstrap system /Library/LaunchDaemons/com.platen.agent.plist
  else
    getent passwd platen-agent >/dev/null ||
      useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin platen-agent
    [ -d "$data" ] || install -d -o platen-agent -g platen-agent -m 0700 "$data"
    [ ! -d /run/systemd/system ] || { systemctl daemon-reload && systemctl enable --quiet platen-agent; }
  fi
}

# Without an answer the computer keeps its enrolment, if it has one.
ask_token() {
  [ -r /dev/tty ] && (: </dev/tty) 2>/dev/null || fail "there is no terminal to ask for the enrolment token. Pass --token-file FILE."
  trap 'stty echo </dev/tty; exit 130' INT TERM
  # Before the question, so that a quick answer is not shown.
  stty -echo </dev/tty
  [ -f "$data/agent.json" ] && printf 'Enrolment token (empty: stay enrolled as before): ' >/dev/tty ||
    printf 'Enrolment token: ' >/dev/tty
  read -r token </dev/tty
  stty echo </dev/tty
  trap - INT TERM
  echo >/dev/tty
}

start() {
  if [ -d /run/systemd/system ]; then systemctl restart platen-agent
  elif [ "$(uname -s)" = Darwin ]; then launchctl kickstart -k system/com.platen.agent
  else
    echo 'No service manager runs here. Start the agent with: platen-agent run'
    return
  fi
  seconds=0
  until platen-agent status >/dev/null 2>&1; do
    seconds=$((seconds + 1))
    [ "$seconds" -lt 60 ] || { platen-agent doctor; fail 'the agent runs, but it is not connected. The findings above name the cause.'; }
    sleep 1
  done
  echo 'The agent is connected. Printers of this computer:'
  platen-agent printers
}

main() {
  server= key= token_file= is_insecure=
  # The options of `platen-agent enroll` remain, in any order.
  unread=$#
  while [ "$unread" -gt 0 ]; do
    option=$1 && shift && unread=$((unread - 1))
    case $option in
    --server | --key | --token-file)
      [ "$unread" -gt 0 ] || fail "$option needs a value."
      value=$1 && shift && unread=$((unread - 1))
      ;;
    --server=* | --key=* | --token-file=*) value=${option#*=} && option=${option%%=*} ;;
    esac
    case $option in
    --server) server=${value%/} ;;
    --key) key=$value ;;
    --token-file) token_file=$value ;;
    --insecure) is_insecure=1 && set -- "$@" "$option" ;;
    *) set -- "$@" "$option" ;;
    esac
  done
  [ -n "$server" ] || fail 'pass --server URL, the address of Platen.'
  [ -n "$is_insecure" ] || check_server
  [ "$(id -u)" = 0 ] || fail 'run it as root, for example with sudo.'
  PATH=$PATH:/usr/local/bin
  data=/var/lib/platen-agent
  [ "$(uname -s)" != Darwin ] || data='/Library/Application Support/Platen'

  target=$(find_target)
  format=tar.gz
  [ "${target%-*}" = linux ] && command -v apt-get >/dev/null && format=deb
  dir=$(mktemp -d)
  # The user of apt reads the package there.
  chmod 755 "$dir"
  download SHA256SUMS "$dir/SHA256SUMS"
  [ -z "$key" ] || verify_signature
  sum=$(grep -E "  [^/]*-$target\.$format\$" "$dir/SHA256SUMS") || fail "$server offers no package for $target."
  package=${sum##* }
  echo "Downloading $package …"
  download "$package" "$dir/$package"
  echo "$sum" >"$dir/sum"
  (cd "$dir" && if command -v sha256sum >/dev/null; then sha256sum -c sum; else shasum -a 256 -c sum; fi) >/dev/null ||
    fail "$package is damaged: its checksum is not that of SHA256SUMS. Run this again."
  if [ "$format" = deb ]; then DEBIAN_FRONTEND=noninteractive apt-get install -qq -y -o Dpkg::Use-Pty=0 --allow-downgrades "$dir/$package"; else install_archive "$dir/$package"; fi
  rm -rf "$dir"

  case $token_file in
  '') ask_token ;;
  -) read -r token || [ -n "$token" ] ;;
  *) token=$(cat "$token_file") ;;
  esac
  if [ -n "$token" ]; then printf '%s' "$token" | platen-agent enroll --server "$server" --token-file - "$@"
  else [ -f "$data/agent.json" ] || fail 'without a token this computer is not enrolled. Create one on the page "Add a computer".'; fi
  start
  # Names what is missing on this computer, such as CUPS.
  platen-agent printers || true
}

# At the end, so that a script that arrived in part does nothing.
main "$@"
