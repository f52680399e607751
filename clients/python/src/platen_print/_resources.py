"""The resources with methods that are no operations of the API."""

from __future__ import annotations

from platen_print import _feed, _find_printer, _jobs, _operations, _webhooks


class PrintJobs(_operations.PrintJobs):
    wait = _jobs.wait_for_job


class Printers(_operations.Printers):
    find = _find_printer.find_printer
    resolve = _find_printer.to_printer_id


class Events(_operations.Events):
    follow = _feed.follow


class Webhooks(_operations.Webhooks):
    verify = staticmethod(_webhooks.verify_webhook)
