"""Printers by id, number or name. Methods of `Printers` for both clients."""

from __future__ import annotations

from collections.abc import Sequence

from platen_print._resource import UUID, Resource
from platen_print.errors import PrinterNotFound
from platen_print.types import Printer


def find_printer(resource: Resource, printer: str | int) -> Printer:
    """Finds a printer by its id, its number or its name: the whole name, or else the beginning of only one name.

    Names and numbers need a list of all printers, so store the id to print often.

    :raises PrinterNotFound: no printer, or more than one, matches. The message lists the printers.
    """
    if isinstance(printer, str) and UUID.fullmatch(printer):
        return resource._send("GET", f"/v1/printers/{printer}", Printer.from_raw)
    printers = list(resource._list("/v1/printers", Printer.from_raw, {"limit": 100}))
    what = f"the number {printer}" if isinstance(printer, int) else f'the name "{printer}"'
    found = _matching(printer, printers)
    if len(found) == 1:
        return found[0]
    if found:
        raise PrinterNotFound(f"More than one printer has {what}: {_describe(found)}. Use an id.")
    raise PrinterNotFound(f"No printer has {what}. The printers are: {_describe(printers) or 'none'}.")


def to_printer_id(resource: Resource, printer: str | int | Printer) -> str:
    """The id of a printer that is given as object, id, number or name."""
    if isinstance(printer, Printer):
        return printer.id
    return printer if isinstance(printer, str) and UUID.fullmatch(printer) else find_printer(resource, printer).id


def _matching(printer: str | int, printers: Sequence[Printer]) -> Sequence[Printer]:
    if isinstance(printer, int):
        return [one for one in printers if one.raw.get("number") == printer]
    wanted = printer.casefold()
    names = [(one, {name.casefold() for name in (one.display_name, one.name, one.os_name) if name}) for one in printers]
    whole = [one for one, labels in names if wanted in labels]
    return whole or [one for one, labels in names if any(label.startswith(wanted) for label in labels)]


def _describe(printers: Sequence[Printer]) -> str:
    return ", ".join(f'"{one.display_name or one.name}" ({one.id})' for one in printers)
