"""Base of the objects of the API."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from platen_print.types import Event


@dataclass(frozen=True, kw_only=True, slots=True)
class Model:
    """An object of the API."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The object as the service sent it."""

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Self:
        """Creates the object from JSON. Missing fields, for example of an older service, are None."""
        values = {name: parse(raw[key] if key in raw else raw.get(name)) for name, key, parse in _fields(cast(Hashable, cls))}
        return cls(raw=raw, **values)


def to_camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def to_snake_case(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


_Parser = Callable[[Any], Any]


@cache
def _fields(cls: Any) -> list[tuple[str, str, _Parser]]:
    """Name, key in JSON and parser of each field. Some keys are in snake case, too."""
    hints = get_type_hints(cls)
    names = (one.name for one in fields(cls) if one.name != "raw" and one.init and not one.name.startswith("_"))
    return [(name, to_camel_case(name), _optional(_parser(hints[name]))) for name in names]


def _optional(parse: _Parser) -> _Parser:
    return lambda value: None if value is None else parse(value)


def _parser(hint: Any) -> _Parser:
    origin = get_origin(hint)
    if hint is datetime:
        return datetime.fromisoformat
    if isinstance(hint, type) and issubclass(hint, Model):
        return hint.from_raw
    if origin is tuple:
        parse = _parser(get_args(hint)[0])
        return lambda values: tuple(map(parse, values))
    if origin in (Union, types.UnionType):
        members = [one for one in get_args(hint) if one is not type(None)]
        return _parser(members[0]) if len(members) == 1 else _union(members)
    return lambda value: value


def _union(members: list[Any]) -> _Parser:
    """Of the events, which differ by their `type`. The last one is for all other types."""
    by_type = {name: one for one in members for name in _type_names(one)}
    return lambda raw: by_type.get(raw["type"], members[-1]).from_raw(raw)


def _type_names(cls: type[Model]) -> tuple[str, ...]:
    hint = get_type_hints(cls)["type"]
    return get_args(hint) if get_origin(hint) is Literal else ()


def parse_event(raw: Mapping[str, Any]) -> Event:
    from platen_print.types import Event as AnyEvent

    event: Event = _parser(AnyEvent)(raw)
    return event
