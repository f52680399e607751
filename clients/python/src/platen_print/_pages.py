"""Lists that are read page by page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    data: tuple[T, ...]
    has_more: bool
    """The list has further pages at the moment."""
    next_cursor: str | None
    """For `after` of the next page. Also set on the last page, to read later what was added."""


@dataclass(frozen=True)
class Pages(Generic[T]):
    """A list. Iterates over the items of all pages; `page` reads one page."""

    _fetch: Callable[[Mapping[str, Any]], Page[T]]
    _query: Mapping[str, Any]

    def page(self) -> Page[T]:
        """Reads the first page."""
        return self._fetch(self._query)

    def pages(self) -> Iterator[Page[T]]:
        """Reads page by page, until no further page exists."""
        page = self.page()
        yield page
        while page.has_more and page.next_cursor:
            page = self._fetch({**self._query, "after": page.next_cursor})
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data


@dataclass(frozen=True)
class AsyncPages(Generic[T]):
    """A list. Iterates over the items of all pages; `page` reads one page."""

    _pages: Pages[T]

    async def page(self) -> Page[T]:
        """Reads the first page."""
        return await asyncio.to_thread(self._pages.page)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Reads page by page, until no further page exists."""
        pages = self._pages
        while True:
            page = await asyncio.to_thread(pages.page)
            yield page
            if not page.has_more or not page.next_cursor:
                return
            pages = replace(pages, _query={**pages._query, "after": page.next_cursor})

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item
