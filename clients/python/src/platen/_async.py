"""The client for asyncio. Each request runs in a thread: a key may send 20 requests a second, so that is sufficient."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from platen import _resources as sync
from platen._client import Platen
from platen._pages import AsyncPages, Pages
from platen._resources import FINAL_STATES, FollowedEvent
from platen._webhooks import verify
from platen.types import Identity, PrintJob, PrintJobExplanation, Usage

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class _Async(Generic[S]):
    def __init__(self, resource: S) -> None:
        self._sync = resource


def _threaded(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[_Async[S], P], Awaitable[R]]:
    async def call(self: _Async[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self._sync, *args, **kwargs)

    call.__doc__ = method.__doc__
    return call


def _paged(method: Callable[Concatenate[S, P], Pages[R]]) -> Callable[Concatenate[_Async[S], P], AsyncPages[R]]:
    def call(self: _Async[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncPages[R]:
        return AsyncPages(method(self._sync, *args, **kwargs))

    call.__doc__ = method.__doc__
    return call


def _job(
    method: Callable[Concatenate[sync.PrintJobs, P], sync.Job],
) -> Callable[Concatenate[AsyncPrintJobs, P], Awaitable[AsyncJob]]:
    async def call(self: AsyncPrintJobs, /, *args: P.args, **kwargs: P.kwargs) -> AsyncJob:
        job = await asyncio.to_thread(method, self._sync, *args, **kwargs)
        values = {name: getattr(job, name) for name in PrintJob.__dataclass_fields__}
        return AsyncJob(_jobs=self, **values)

    call.__doc__ = method.__doc__
    return call


@dataclass(frozen=True, kw_only=True, slots=True)
class AsyncJob(PrintJob):
    """A print job that can be waited for."""

    _jobs: AsyncPrintJobs = field(repr=False, compare=False)

    @property
    def is_final(self) -> bool:
        """The job has ended: it is `done`, `error`, `cancelled` or `expired`."""
        return self.state in FINAL_STATES

    async def wait(self, *, timeout: float | None = None) -> AsyncJob:
        """Waits until the job has ended. See `PrintJobs.wait`."""
        return await self._jobs.wait(self.id, timeout=timeout)

    async def explanation(self) -> PrintJobExplanation:
        """Explains the state of the job: whether it was printed, the cause, and the actions to take."""
        return await self._jobs.explanation(self.id)

    async def cancel(self) -> AsyncJob:
        """Cancels the job if its agent has not received it."""
        return await self._jobs.cancel(self.id)


class AsyncPrintJobs(_Async[sync.PrintJobs]):
    """Print jobs. Reference: docs/reference/print-jobs.md"""

    create = _job(sync.PrintJobs.create)
    validate = _threaded(sync.PrintJobs.validate)
    get = _job(sync.PrintJobs.get)
    cancel = _job(sync.PrintJobs.cancel)
    wait = _job(sync.PrintJobs.wait)
    list = _paged(sync.PrintJobs.list)
    explanation = _threaded(sync.PrintJobs.explanation)
    events = _threaded(sync.PrintJobs.events)
    document = _threaded(sync.PrintJobs.document)
    deliveries = _paged(sync.PrintJobs.deliveries)


class AsyncPrinters(_Async[sync.Printers]):
    """Printers. Reference: docs/reference/printers.md"""

    list = _paged(sync.Printers.list)
    get = _threaded(sync.Printers.get)
    find = _threaded(sync.Printers.find)
    update = _threaded(sync.Printers.update)
    print_jobs = _paged(sync.Printers.print_jobs)
    purge = _threaded(sync.Printers.purge)


class AsyncComputers(_Async[sync.Computers]):
    """Computers. Reference: docs/reference/computers.md"""

    list = _paged(sync.Computers.list)
    get = _threaded(sync.Computers.get)
    delete = _threaded(sync.Computers.delete)
    printers = _paged(sync.Computers.printers)


class AsyncEvents(_Async[sync.Events]):
    """The event feed. Reference: docs/reference/events.md"""

    list = _paged(sync.Events.list)
    get = _threaded(sync.Events.get)
    types = _threaded(sync.Events.types)

    async def follow(
        self,
        *,
        after: str | None = "now",
        type: str | Sequence[str] | None = None,
        resource_id: str | None = None,
    ) -> AsyncIterator[FollowedEvent]:
        """Follows the feed without end. Each event has the cursor from which to continue after it."""
        events = self._sync.follow(after=after, type=type, resource_id=resource_id)
        while True:
            yield await asyncio.to_thread(next, events)


class AsyncPreviews(_Async[sync.Previews]):
    """Pictures of labels and receipts. Reference: docs/reference/previews.md"""

    create = _threaded(sync.Previews.create)


class AsyncStatistics(_Async[sync.Statistics]):
    """Counts of print jobs. Reference: docs/reference/statistics.md"""

    list = _paged(sync.Statistics.list)


class AsyncEnrollments(_Async[sync.Enrollments]):
    """Enrolment tokens. Reference: docs/reference/agents.md"""

    create = _threaded(sync.Enrollments.create)
    list = _paged(sync.Enrollments.list)
    delete = _threaded(sync.Enrollments.delete)
    enroll_agent = _threaded(sync.Enrollments.enroll_agent)


class AsyncWebhooks(_Async[sync.Webhooks]):
    """Webhook endpoints and their deliveries. Reference: docs/reference/webhooks.md"""

    verify = staticmethod(verify)
    create = _threaded(sync.Webhooks.create)
    list = _paged(sync.Webhooks.list)
    get = _threaded(sync.Webhooks.get)
    update = _threaded(sync.Webhooks.update)
    delete = _threaded(sync.Webhooks.delete)
    rotate_secret = _threaded(sync.Webhooks.rotate_secret)
    test = _threaded(sync.Webhooks.test)
    deliveries = _paged(sync.Webhooks.deliveries)
    delivery = _threaded(sync.Webhooks.delivery)
    replay_delivery = _threaded(sync.Webhooks.replay_delivery)
    replay = _threaded(sync.Webhooks.replay)


class AsyncPlaten:
    """A client of a Platen service for asyncio. Takes the parameters of `Platen`."""

    def __init__(self, **options: Any) -> None:
        self._sync = Platen(**options)
        self.print_jobs = AsyncPrintJobs(self._sync.print_jobs)
        self.printers = AsyncPrinters(self._sync.printers)
        self.computers = AsyncComputers(self._sync.computers)
        self.events = AsyncEvents(self._sync.events)
        self.previews = AsyncPreviews(self._sync.previews)
        self.statistics = AsyncStatistics(self._sync.statistics)
        self.enrollments = AsyncEnrollments(self._sync.enrollments)
        self.webhooks = AsyncWebhooks(self._sync.webhooks)

    async def whoami(self) -> Identity:
        """The organization, mode and key of the requests."""
        return await asyncio.to_thread(self._sync.whoami)

    async def usage(self) -> Usage:
        """The usage of the current month."""
        return await asyncio.to_thread(self._sync.usage)

    async def close(self) -> None:
        """Closes the connections."""
        await asyncio.to_thread(self._sync.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Async{self._sync!r}"
