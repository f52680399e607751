"""What all resources of a client share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from platen_print._pages import Page, Pages
from platen_print._transport import Body, Transport

T = TypeVar("T")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Unset:
    """The type of `UNSET`."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()
"""The value of a field that a change leaves as it is. None removes the value, where the type has it."""


def given(**fields: Any) -> dict[str, Any]:
    """The fields of a change."""
    return {name: value for name, value in fields.items() if not isinstance(value, Unset)}


def present(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


class Resource:
    """Base of the resources."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _send(
        self,
        method: str,
        path: str,
        parse: Callable[[Any], T],
        body: Body | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        return parse(self._transport.request(method, path, body=body, headers=headers or {}).json())

    def _read_all(self, path: str, parse: Callable[[Any], T]) -> tuple[T, ...]:
        """Reads a list that has no pages."""
        return tuple(map(parse, self._transport.request("GET", path).json()["data"]))

    def _list(self, path: str, parse: Callable[[Any], T], query: Mapping[str, Any]) -> Pages[T]:
        def fetch(fields: Mapping[str, Any]) -> Page[T]:
            raw = self._transport.request("GET", path, query=fields).json()
            return Page(tuple(map(parse, raw["data"])), raw["hasMore"], raw["nextCursor"])

        return Pages(fetch, query)


def path_id(id: str | int) -> str:
    """A part of a path, of an id or of a number such as `31` and `"#31"`. Prevents that an id addresses another path."""
    text = str(id)
    if not re.fullmatch(r"#?[\w-]{1,64}", text):
        raise ValueError(f"This is not an id: {id!r}.")
    return text.replace("#", "%23")
