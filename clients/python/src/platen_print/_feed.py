"""The event feed, which is read without end."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from platen_print._model import parse_event
from platen_print._resource import Resource
from platen_print._transport import Transport, retry_pause
from platen_print.errors import PlatenError
from platen_print.types import Event

WAIT_S = 30
"""The longest time that the service waits for an event."""

ANSWER_S = 15
"""The time for the answer after that."""


class DeadlinePassed(Exception):
    """The deadline of `poll` has passed."""


def poll(transport: Transport, query: Mapping[str, Any], deadline: float = math.inf) -> Any:
    """Reads a page of the event feed, and repeats it after temporary failures.

    :param deadline: by `time.monotonic()`.
    :raises DeadlinePassed: the page did not come by then.
    """
    for attempt in itertools.count():
        left = deadline - time.monotonic()
        wait = max(1, min(WAIT_S, math.ceil(min(left, WAIT_S))))
        fields = {"dir": "asc", "limit": 100, **query, **({"wait": wait} if "wait" in query else {})}
        try:
            if left <= 0:
                raise DeadlinePassed
            timeout = min(WAIT_S + ANSWER_S, left)
            return transport.request("GET", "/v1/events", query=fields, timeout=timeout, max_retries=0).json()
        except PlatenError as error:
            pause = retry_pause(error, attempt)
            if pause is None:
                raise
        time.sleep(max(0.0, min(pause, deadline - time.monotonic())))


@dataclass(frozen=True)
class FollowedEvent:
    """An event of `Events.follow`."""

    event: Event
    cursor: str | None
    """For `after` when the event is handled."""


def follow(
    resource: Resource,
    *,
    after: str | None = "now",
    type: str | Sequence[str] | None = None,
    resource_id: str | None = None,
) -> Iterator[FollowedEvent]:
    """Follows the feed without end, also through failures of the service.

    Each event has the cursor from which to continue after it.

    :param after: the stored cursor of the last handled event. None: from the oldest event. Default: only new events.
    :raises CursorExpired: the events after it are no longer stored. Read the present state, and follow from now.
    """
    cursor, transport = after, resource._transport
    query = {"type": type, "resourceId": resource_id}
    if after == "now":
        cursor = poll(transport, {**query, "after": after})["nextCursor"]
    while True:
        page = poll(transport, {**query, "after": cursor, "wait": WAIT_S})
        last = len(page["data"]) - 1
        # A crash within a page repeats the page.
        for at, raw in enumerate(page["data"]):
            yield FollowedEvent(parse_event(raw), page["nextCursor"] if at == last else cursor)
        cursor = page["nextCursor"] or cursor
