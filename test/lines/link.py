"""A line between two network interfaces of this namespace: delays, loses and slows down their packets, in both directions alike.

    python3 link.py NAME NAME KBIT_PER_SECOND ROUND_TRIP_MS LOSS_PERCENT

It does what `tc qdisc add dev NAME root netem` does, which not every kernel has. Prints "ready" when both interfaces exist.
"""

import fcntl
import heapq
import itertools
import os
import random
import selectors
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN_WITHOUT_HEADER = 0x1001
PACKET_MAX_BYTES = 2048
# As netem.
QUEUE_MAX_PACKETS = 1000


def open_interface(name: str) -> int:
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TUN_WITHOUT_HEADER))
    return fd


def main(names: list[str], kbit_per_second: float, round_trip_ms: float, loss_percent: float) -> None:
    first, second = (open_interface(name) for name in names)
    peers = {first: second, second: first}
    idle_at = {first: 0.0, second: 0.0}
    queued = {first: 0, second: 0}
    on_way: list[tuple[float, int, int, bytes]] = []
    numbers = itertools.count()
    selector = selectors.DefaultSelector()
    for fd in peers:
        selector.register(fd, selectors.EVENT_READ)
    print("ready", flush=True)
    while True:
        now = time.monotonic()
        while on_way and on_way[0][0] <= now:
            _, _, fd, packet = heapq.heappop(on_way)
            queued[fd] -= 1
            try:
                os.write(peers[fd], packet)
            except OSError:
                pass  # The interface is down.
        timeout = on_way[0][0] - now if on_way else None
        for key, _ in selector.select(timeout):
            fd = key.fd
            packet = os.read(fd, PACKET_MAX_BYTES)
            if queued[fd] >= QUEUE_MAX_PACKETS or random.uniform(0, 100) < loss_percent:
                continue
            idle_at[fd] = max(idle_at[fd], time.monotonic()) + len(packet) * 8 / (kbit_per_second * 1000)
            queued[fd] += 1
            heapq.heappush(on_way, (idle_at[fd] + round_trip_ms / 2000, next(numbers), fd, packet))


main(sys.argv[1:3], *map(float, sys.argv[3:6]))
