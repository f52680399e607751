"""The clients."""

from __future__ import annotations

import asyncio
import os
import re
from typing import Any, Self

from platen_print._client_operations import AsyncClientOperations, ClientOperations
from platen_print._transport import Transport
from platen_print.errors import PlatenError


class Platen(ClientOperations):
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
        super().__init__(Transport(api_key=key, base_url=url, max_retries=max_retries, timeout=timeout))

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Platen(base_url={self._transport.base_url!r})"


class AsyncPlaten(AsyncClientOperations):
    """A client of a Platen service for asyncio. Takes the parameters of `Platen`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Platen(**options))

    async def close(self) -> None:
        """Closes the connections."""
        await asyncio.to_thread(self._sync._transport.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Async{self._sync!r}"
