"""The Python library of Platen: https://github.com/platen-print/platen

>>> platen = Platen()  # PLATEN_KEY and PLATEN_URL
>>> job = platen.print_jobs.create(printer="Label 2", title="Parcel 1042", file="label.zpl")
>>> job.wait(timeout=60).state
'done'
"""

from platen import errors, types
from platen._client import AsyncPlaten, Platen
from platen._feed import FollowedEvent
from platen._jobs import Job
from platen._pages import AsyncPages, Page, Pages
from platen._resource import UNSET
from platen._threads import AsyncJob
from platen._webhooks import verify
from platen.errors import ApiError, PlatenError

__all__ = [
    "UNSET",
    "ApiError",
    "AsyncJob",
    "AsyncPages",
    "AsyncPlaten",
    "FollowedEvent",
    "Job",
    "Page",
    "Pages",
    "Platen",
    "PlatenError",
    "errors",
    "types",
    "verify",
]
