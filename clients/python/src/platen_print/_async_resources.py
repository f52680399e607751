"""The resources for asyncio with methods that are no operations of the API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from platen_print import _async_operations, _feed, _find_printer, _jobs, _webhooks
from platen_print._feed import FollowedEvent
from platen_print._threads import returns_job, threaded


class AsyncPrintJobs(_async_operations.AsyncPrintJobs):
    wait = returns_job(_jobs.wait_for_job)


class AsyncPrinters(_async_operations.AsyncPrinters):
    find = threaded(_find_printer.find_printer)


class AsyncEvents(_async_operations.AsyncEvents):
    async def follow(
        self,
        *,
        after: str | None = "now",
        type: str | Sequence[str] | None = None,
        resource_id: str | None = None,
    ) -> AsyncIterator[FollowedEvent]:
        """Follows the feed without end. Each event has the cursor from which to continue after it."""
        events = _feed.follow(self._sync, after=after, type=type, resource_id=resource_id)
        while True:
            yield await asyncio.to_thread(next, events)


class AsyncWebhooks(_async_operations.AsyncWebhooks):
    verify = staticmethod(_webhooks.verify_webhook)
