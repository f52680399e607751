# Runs a server that must not outlive its launcher. Standard input is a pipe from the launcher. When the pipe closes, also after a
# `kill -9` of the launcher, the server gets the signal and SIGCONT, because a stopped process handles no other signal. Writes the pid of
# the server to descriptor 3 and exits with its exit code.
# Called by start-server.ts. Usage: sh -c "$(cat die-with-parent.sh)" sh INT|TERM command…

signal=$1
shift
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
server=$!
echo "$server" >&3
exec 3>&-

# `read` instead of `cat`, which would be a process to clean up when the server ends first.
{ read -r _ <&4; kill -"$signal" "$server"; kill -CONT "$server"; } 2>/dev/null &
watcher=$!
exec 4<&-

wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
