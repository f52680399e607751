"""The Python library of Platen: https://github.com/platen-print/platen

>>> platen = Platen()  # PLATEN_KEY and PLATEN_URL
>>> job = platen.print_jobs.create(printer="Label 2", title="Parcel 1042", file="label.zpl")
>>> job.wait(timeout=60).state
'done'
"""

from platen_print import errors, types
from platen_print._client import AsyncPlaten, Platen
from platen_print._feed import FollowedEvent
from platen_print._jobs import Job
from platen_print._pages import AsyncPages, Page, Pages
from platen_print._resource import UNSET
from platen_print._threads import AsyncJob
from platen_print._version import __version__
from platen_print._webhooks import verify_webhook
from platen_print.errors import ApiError, PlatenError

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
    "__version__",
    "errors",
    "types",
    "verify_webhook",
]
