"""Bodies of `POST /v1/printjobs`. A document is read in chunks, and again for each attempt."""

from __future__ import annotations

import io
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from platen_print._transport import Body
from platen_print.errors import PlatenError

File = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
"""A path, the bytes, or an open binary file, which is sent from its current position."""

_RULE = "`file` is the bytes of the document, an open binary file, or the path of a file."

CHUNK_BYTES = 64 * 1024
SHOWN_CHARACTERS = 60


def form_body(fields: Mapping[str, Any], file: File) -> Body:
    """A form with the document as its last part."""
    boundary = secrets.token_hex(16)
    name, length, read = _open(file)
    parts = [_part(boundary, field, _to_text(value)) for field, value in fields.items() if value is not None]
    parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n')
    head = "".join(parts).encode()
    tail = f"\r\n--{boundary}--\r\n".encode()

    def chunks() -> Iterator[bytes]:
        yield head
        yield from read()
        yield tail

    total = None if length is None else len(head) + length + len(tail)
    return Body(f"multipart/form-data; boundary={boundary}", chunks, total)


def _part(boundary: str, name: str, value: str) -> str:
    return f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _open(file: File) -> tuple[str, int | None, Callable[[], Iterator[bytes]]]:
    """The name, the number of bytes and the content of a file."""
    if isinstance(file, (bytes, bytearray, memoryview)):
        # A copy, because the caller can change it before a repetition.
        data = bytes(file)
        return "document", len(data), lambda: iter([data])
    if isinstance(file, (str, os.PathLike)):
        path = Path(file)
        length = _file_length(path)

        def read_path() -> Iterator[bytes]:
            with path.open("rb") as opened:
                yield from _chunks(opened)

        return _to_name(path.name), length, read_path
    if isinstance(file, io.TextIOBase) or not hasattr(file, "read"):
        raise PlatenError(f"{_RULE} Open the file with the mode `rb`.")
    return _open_stream(file)


def _file_length(path: Path) -> int:
    try:
        if not path.is_file():
            raise PlatenError(f"{_RULE} There is no file {str(path)[:SHOWN_CHARACTERS]!r}.")
        return path.stat().st_size
    except (OSError, ValueError) as error:
        # A text that is no path at all, such as the document itself.
        raise PlatenError(f"{_RULE} {str(path)[:SHOWN_CHARACTERS]!r} is no path of a file.") from error


def _open_stream(stream: IO[bytes]) -> tuple[str, int | None, Callable[[], Iterator[bytes]]]:
    name = getattr(stream, "name", None)
    name = _to_name(Path(name).name) if isinstance(name, str) else "document"
    if not stream.seekable():
        # It cannot be read twice, so a repetition would send another document.
        data = stream.read()
        return name, len(data), lambda: iter([data])
    start = stream.tell()
    length = stream.seek(0, os.SEEK_END) - start

    def read_stream() -> Iterator[bytes]:
        stream.seek(start)
        yield from _chunks(stream)

    return name, length, read_stream


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: stream.read(CHUNK_BYTES), b"")


def _to_name(name: str) -> str:
    return "".join("_" if char in '"\\' or ord(char) < 32 else char for char in name)
