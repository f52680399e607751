# Runs a server that must not outlive its launcher, from which standard input is a pipe. When that breaks, also by a `kill -9` of
# the launcher, the server is told to end, and to go on if it was stopped: a stopped process hears of no other signal. Writes the server's pid to descriptor 3 and exits as the server does.
# Called by start-leashed.ts. Usage: sh leash.sh INT|TERM command…

signal=$1
shift
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
server=$!
echo "$server" >&3
exec 3>&-

# `read`, not `cat`: when the server ends first there is no other process to clean up.
{ read -r _ <&4; kill -"$signal" "$server"; kill -CONT "$server"; } 2>/dev/null &
watcher=$!
exec 4<&-

wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
