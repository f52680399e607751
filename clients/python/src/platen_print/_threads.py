"""Methods for asyncio. Each request runs in a thread: a key may send 20 requests a second, so that is sufficient."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from platen_print._jobs import FINAL_STATES, Job, job_fields, wait_for_job
from platen_print._operations import PrintJobs
from platen_print._pages import AsyncPages, Pages
from platen_print.types import PrintJob, PrintJobExplanation

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class Async(Generic[S_co]):
    """Base of the resources."""

    def __init__(self, resource: S_co) -> None:
        self._sync = resource


def threaded(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[Async[S], P], Coroutine[Any, Any, R]]:
    async def call(self: Async[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self._sync, *args, **kwargs)

    call.__doc__ = method.__doc__
    return call


def paged(method: Callable[Concatenate[S, P], Pages[R]]) -> Callable[Concatenate[Async[S], P], AsyncPages[R]]:
    def call(self: Async[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncPages[R]:
        return AsyncPages(method(self._sync, *args, **kwargs))

    call.__doc__ = method.__doc__
    return call


def returns_job(
    method: Callable[Concatenate[PrintJobs, P], Job],
) -> Callable[Concatenate[Async[PrintJobs], P], Coroutine[Any, Any, AsyncJob]]:
    async def call(self: Async[PrintJobs], /, *args: P.args, **kwargs: P.kwargs) -> AsyncJob:
        job = await asyncio.to_thread(method, self._sync, *args, **kwargs)
        return AsyncJob(_jobs=self, **job_fields(job))

    call.__doc__ = method.__doc__
    return call


_wait, _cancel = returns_job(wait_for_job), returns_job(PrintJobs.cancel)


@dataclass(frozen=True, kw_only=True, slots=True)
class AsyncJob(PrintJob):
    """A print job that can be waited for."""

    _jobs: Async[PrintJobs] = field(repr=False, compare=False)

    @property
    def is_final(self) -> bool:
        """The job has ended: it is `done`, `error`, `cancelled` or `expired`."""
        return self.state in FINAL_STATES

    async def wait(self, *, timeout: float | None = None) -> AsyncJob:
        """Waits until the job has ended. See `PrintJobs.wait`."""
        return await _wait(self._jobs, self.id, timeout=timeout)

    async def explanation(self) -> PrintJobExplanation:
        """Explains the state of the job: see `PrintJobs.explanation`."""
        return await asyncio.to_thread(self._jobs._sync.explanation, self.id)

    async def cancel(self) -> AsyncJob:
        """Cancels the job: see `PrintJobs.cancel`."""
        return await _cancel(self._jobs, self.id)
