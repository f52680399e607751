"""The clients."""

from __future__ import annotations

import os
import re
from typing import Self

from platen._resources import Computers, Enrollments, Events, Previews, Printers, PrintJobs, Statistics, Webhooks
from platen._transport import Transport
from platen.errors import PlatenError
from platen.types import Identity, Usage


class Platen:
    """A client of a Platen service. Can be used by several threads. Reference: docs/reference

    :param api_key: default: the environment variable `PLATEN_KEY`.
    :param base_url: the address of the service. Default: the environment variable `PLATEN_URL`.
    :param max_retries: how often a request that is safe to repeat is repeated after a temporary failure.
    :param timeout: seconds of one attempt.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        max_retries: int = 2,
        timeout: float = 30.0,
    ) -> None:
        key = (api_key or os.environ.get("PLATEN_KEY", "")).strip()
        url = (base_url or os.environ.get("PLATEN_URL", "")).strip()
        if not key:
            raise PlatenError("The API key is missing. Set the environment variable `PLATEN_KEY`, or give `api_key`.")
        # Never part of the message: the value can be another secret.
        if not re.fullmatch(r"[!-~]+", key):
            raise PlatenError("The API key must be printable ASCII without white space.")
        if not url:
            raise PlatenError("The address is missing. Set the environment variable `PLATEN_URL`, or give `base_url`.")
        self._transport = Transport(api_key=key, base_url=url, max_retries=max_retries, timeout=timeout)
        self.printers = Printers(self._transport)
        self.print_jobs = PrintJobs(self._transport, self.printers)
        self.computers = Computers(self._transport)
        self.events = Events(self._transport)
        self.previews = Previews(self._transport)
        self.statistics = Statistics(self._transport)
        self.enrollments = Enrollments(self._transport)
        self.webhooks = Webhooks(self._transport)

    def whoami(self) -> Identity:
        """The organization, mode and key of the requests."""
        return Identity.from_raw(self._transport.request("GET", "/v1/whoami").json())

    def usage(self) -> Usage:
        """The usage of the current month."""
        return Usage.from_raw(self._transport.request("GET", "/v1/usage").json())

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Platen(base_url={self._transport.base_url!r})"
