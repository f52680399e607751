"""HTTP requests with retries that never print twice."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import urllib3

from platen_print._proxy import Proxy, find_proxy
from platen_print._version import __version__
from platen_print.errors import ApiError, ConnectionError, PlatenError, TimeoutError, to_api_error

RETRY_AFTER_MAX_S = 60.0
"""A longer `Retry-After`, as that of the daily limit of test jobs, is an error at once."""

BACKOFF_S = 0.5
BACKOFF_MAX_S = 15.0

POOL_SIZE = 32

CONNECT_S = 10.0
"""The longest time for a connection."""

PROXY_REFUSED = 407


@dataclass(frozen=True)
class Body:
    """A body that can be sent again."""

    content_type: str
    open: Callable[[], bytes | Iterator[bytes]]
    length: int | None
    """The number of bytes. None: unknown, sent in chunks."""


def json_body(value: Any) -> Body:
    data = json.dumps(value, default=_to_json).encode()
    return Body("application/json", lambda: data, len(data))


def _to_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"A value of the type {type(value).__name__} has no JSON.")


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    data: bytes

    def json(self) -> Any:
        """The parsed body. :raises ValueError: it is not JSON."""
        return json.loads(self.data)


class Transport:
    """Sends requests to one service. Can be used by several threads."""

    def __init__(self, *, api_key: str, base_url: str, max_retries: int, timeout: float) -> None:
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self._max_retries = max_retries
        self._headers = {"Authorization": f"Bearer {api_key}", "User-Agent": f"platen-python/{__version__}"}
        self._proxy = _find_proxy(self.base_url)
        self._pool = _open_pool(self._proxy)

    def __repr__(self) -> str:
        return f"Transport({self.base_url!r})"

    def close(self) -> None:
        self._pool.clear()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Body | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Response:
        """Sends a request, and repeats it if that is safe: reads, and requests with an `Idempotency-Key`.

        :param timeout: seconds of one attempt.
        :param max_retries: default: that of the client.
        :raises ApiError: the service refused the request.
        :raises ConnectionError: it did not respond.
        :raises TimeoutError: it did not respond in time.
        """
        url = f"{self.base_url}{path}{_to_query(query or {})}"
        sent = {**self._headers, **(headers or {})}
        is_repeatable = method == "GET" or "Idempotency-Key" in sent
        retries = self._max_retries if max_retries is None else max_retries
        for attempt in itertools.count():
            try:
                return self._send(method, url, sent, body, timeout or self.timeout)
            except (ApiError, ConnectionError, TimeoutError) as error:
                pause = retry_pause(error, attempt)
                if not is_repeatable or attempt >= retries or pause is None:
                    raise
            time.sleep(pause)
        raise AssertionError("not reached")

    def _send(
        self, method: str, url: str, headers: Mapping[str, str], body: Body | None, timeout: float
    ) -> Response:
        sent = dict(headers)
        what = f"{method} {_path(url)}"
        connect = min(timeout, CONNECT_S)
        if body:
            sent["Content-Type"] = body.content_type
            if body.length is not None:
                sent["Content-Length"] = str(body.length)
        try:
            answer = self._pool.request(
                method,
                url,
                body=body.open() if body else None,
                headers=sent,
                timeout=urllib3.Timeout(connect=connect, read=timeout),
                retries=False,
                redirect=False,
            )
        # urllib3 has a refused connection as a kind of timeout.
        except urllib3.exceptions.NewConnectionError as error:
            raise self._to_connection_error(what, error) from error
        except urllib3.exceptions.ConnectTimeoutError:
            raise TimeoutError(f"{what}: no connection to {self._peer} within {connect:g} s.{self._route}") from None
        except urllib3.exceptions.TimeoutError:
            raise TimeoutError(f"{what}: no response within {timeout:g} s.{self._route}") from None
        except urllib3.exceptions.HTTPError as error:
            raise self._to_connection_error(what, error) from error
        response = Response(answer.status, answer.headers, answer.data)
        if 200 <= response.status < 300:
            _check_complete(response, what)
            return response
        if response.status == PROXY_REFUSED and self._proxy:
            raise ConnectionError(f"{what}: the proxy {self._proxy} requires another user and password.")
        raise to_api_error(
            response.status,
            _parse_error(response),
            response.headers.get("X-Request-Id"),
            _retry_after(response.headers.get("Retry-After")),
        )


    @property
    def _peer(self) -> str:
        return f"the proxy {self._proxy}" if self._proxy else self.base_url

    @property
    def _route(self) -> str:
        """A sentence for errors, because a variable of the environment is easily forgotten."""
        return f" Requests to {self.base_url} go through the proxy {self._proxy}." if self._proxy else ""

    def _to_connection_error(self, what: str, error: BaseException) -> ConnectionError:
        return ConnectionError(f"{what}: no response from {self.base_url}: {_reason(error)}.{self._route}")


def _reason(error: BaseException) -> str:
    """The innermost cause: `Connection refused` instead of the object that failed."""
    inner = [*error.args, getattr(error, "original_error", None), error.__cause__, error.__context__]
    cause = next((one for one in inner if isinstance(one, BaseException)), None)
    if cause:
        return _reason(cause)
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).rstrip(".")


def retry_pause(error: PlatenError, attempt: int) -> float | None:
    """Seconds until the next attempt. None: a repetition is pointless."""
    if isinstance(error, ApiError):
        is_temporary = error.status in (408, 429) or error.status >= 500 or error.code == "idempotency_in_progress"
        if not is_temporary or (error.retry_after or 0) > RETRY_AFTER_MAX_S:
            return None
    backoff: float = min(BACKOFF_MAX_S, BACKOFF_S * 2**attempt) * random.uniform(0.5, 1)
    return max(backoff, getattr(error, "retry_after", None) or 0.0)


def _retry_after(value: str | None) -> float | None:
    """Seconds. :param value: seconds or a date. Source: RFC 9110, section 10.2.3."""
    if not value:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _check_complete(response: Response, what: str) -> None:
    """A proxy can answer with 200 and a page of its own."""
    if "json" not in response.headers.get("Content-Type", "json"):
        return
    try:
        if response.data:
            response.json()
    except ValueError:
        raise ConnectionError(f"{what}: the response is not JSON. Check the address of the REST API.") from None


def _parse_error(response: Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _to_query(fields: Mapping[str, Any]) -> str:
    given = {
        key: _to_text(one)
        for name, value in fields.items()
        if value is not None
        for key, one in _to_parameters(name, value)
    }
    return f"?{urlencode(given, doseq=True)}" if given else ""


def _to_parameters(name: str, value: Any) -> list[tuple[str, Any]]:
    """Each member of a mapping is a parameter `name[member]`."""
    if isinstance(value, Mapping):
        return [(f"{name}[{member}]", one) for member, one in value.items()]
    return [(name, value)]


def _to_text(value: Any) -> str | list[str]:
    if isinstance(value, (list, tuple)):
        return [str(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _path(url: str) -> str:
    return urlsplit(url).path


def _find_proxy(base_url: str) -> Proxy | None:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PlatenError("The address of the service must begin with http:// or https://.")
    return find_proxy(base_url)


def _open_pool(proxy: Proxy | None) -> urllib3.PoolManager:
    if proxy:
        return urllib3.ProxyManager(proxy.url, proxy_headers=dict(proxy.headers), maxsize=POOL_SIZE)
    return urllib3.PoolManager(maxsize=POOL_SIZE)
