"""Print jobs that can be waited for."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from platen_print._feed import WAIT_S, DeadlinePassed, poll
from platen_print._resource import UUID
from platen_print.errors import TimeoutError
from platen_print.types import PrintJob, PrintJobExplanation

if TYPE_CHECKING:
    from platen_print._operations import PrintJobs

FINAL_STATES = ("done", "error", "cancelled", "expired")


@dataclass(frozen=True, kw_only=True, slots=True)
class Job(PrintJob):
    """A print job that can be waited for."""

    _jobs: PrintJobs = field(repr=False, compare=False)

    @property
    def is_final(self) -> bool:
        """The job has ended: it is `done`, `error`, `cancelled` or `expired`."""
        return self.state in FINAL_STATES

    def wait(self, *, timeout: float | None = None) -> Job:
        """Waits until the job has ended. See `PrintJobs.wait`."""
        return wait_for_job(self._jobs, self.id, timeout=timeout)

    def explanation(self) -> PrintJobExplanation:
        """Explains the state of the job: see `PrintJobs.explanation`."""
        return self._jobs.explanation(self.id)

    def cancel(self) -> Job:
        """Cancels the job: see `PrintJobs.cancel`."""
        return self._jobs.cancel(self.id)


def to_job(jobs: PrintJobs, raw: Mapping[str, Any]) -> Job:
    return Job(_jobs=jobs, **job_fields(PrintJob.from_raw(raw)))


def job_fields(job: PrintJob) -> dict[str, Any]:
    return {name: getattr(job, name) for name in PrintJob.__dataclass_fields__}


def wait_for_job(jobs: PrintJobs, id: str | int, *, timeout: float | None = None) -> Job:
    """Waits until a job has ended, by the event feed.

    :param id: the id or the number of the job. A number costs a request.
    :param timeout: seconds. None: as long as the job can last.
    :raises TimeoutError: it has not ended by then. The job continues.
    """
    deadline = math.inf if timeout is None else time.monotonic() + timeout
    job_id = id if isinstance(id, str) and UUID.fullmatch(id) else jobs.get(id).id
    query = {"resourceId": job_id, "type": [f"printjob.{state}" for state in FINAL_STATES]}
    try:
        cursor = poll(jobs._transport, {**query, "after": "now"}, deadline)["nextCursor"]
        job = jobs.get(job_id)
        while not job.is_final:
            page = poll(jobs._transport, {**query, "after": cursor, "wait": WAIT_S}, deadline)
            cursor = page["nextCursor"]
            job = to_job(jobs, page["data"][-1]["data"]) if page["data"] else job
    except DeadlinePassed:
        raise TimeoutError(f"The job {id} has not ended within {timeout:g} s. It continues.") from None
    return job
