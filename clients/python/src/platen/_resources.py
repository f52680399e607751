"""The operations of the API by resource. Reference: docs/reference."""

from __future__ import annotations

import itertools
import math
import re
import time
import uuid
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVar

from platen import _webhooks
from platen._model import Model, parse_event
from platen._pages import Page, Pages
from platen._transport import Body, Transport, json_body, retry_pause
from platen._upload import File, form_body
from platen.errors import PlatenError, PrinterNotFound, TimeoutError
from platen.types import (
    Computer,
    CustomPaperParam,
    DeliveryStatus,
    DocumentAuthenticationParam,
    Enrollment,
    EnrolledAgent,
    Event,
    EventType,
    EventTypeDescription,
    JobState,
    JobStatistics,
    ListedEnrollment,
    Preview,
    Printer,
    PrintJob,
    PrintJobEvent,
    PrintJobExplanation,
    PrintJobValidation,
    PrintOptionsParam,
    PurgedPrinter,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
    WebhookReplay,
)

M = TypeVar("M", bound=Model)
T = TypeVar("T")

FINAL_STATES = ("done", "error", "cancelled", "expired")

WAIT_S = 30
"""The longest time that the service waits for an event."""

ANSWER_S = 15
"""The time for the answer after that."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

Direction = Literal["asc", "desc"]


class Unset:
    """The type of `UNSET`."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()
"""Of a field that a change leaves as it is. None removes the value, where the type has it."""


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not isinstance(value, Unset)}


def _present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


class Resource:
    """Base of the resources."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _get(self, path: str, cls: type[M], query: Mapping[str, Any] | None = None) -> M:
        return cls.from_raw(self._transport.request("GET", path, query=query).json())

    def _send(self, method: str, path: str, cls: type[M], body: Mapping[str, Any] | None = None) -> M:
        sent = None if body is None else json_body(body)
        return cls.from_raw(self._transport.request(method, path, body=sent).json())

    def _list(self, path: str, parse: Any, **query: Any) -> Pages[Any]:
        def fetch(fields: Mapping[str, Any]) -> Page[Any]:
            raw = self._transport.request("GET", path, query=fields).json()
            return Page(tuple(map(parse, raw["data"])), raw["hasMore"], raw["nextCursor"])

        return Pages(fetch, query)


@dataclass(frozen=True, kw_only=True, slots=True)
class Job(PrintJob):
    """A print job that can be waited for."""

    _jobs: PrintJobs = field(repr=False, compare=False)

    @property
    def is_final(self) -> bool:
        """The job has ended: it is `done`, `error`, `cancelled` or `expired`."""
        return self.state in FINAL_STATES

    def wait(self, *, timeout: float | None = None) -> Job:
        """Waits until the job has ended. See `PrintJobs.wait`."""
        return self._jobs.wait(self.id, timeout=timeout)

    def explanation(self) -> PrintJobExplanation:
        """Explains the state of the job: whether it was printed, the cause, and the actions to take."""
        return self._jobs.explanation(self.id)

    def cancel(self) -> Job:
        """Cancels the job if its agent has not received it."""
        return self._jobs.cancel(self.id)


class DeadlinePassed(Exception):
    """Of `poll`."""


def poll(transport: Transport, query: Mapping[str, Any], deadline: float = math.inf) -> Any:
    """Reads a page of the event feed, and repeats it after temporary failures.

    :param deadline: by `time.monotonic()`.
    :raises DeadlinePassed: the page did not come by then.
    """
    for attempt in itertools.count():
        left = deadline - time.monotonic()
        wait = max(1, min(WAIT_S, math.ceil(min(left, WAIT_S))))
        fields = {"dir": "asc", "limit": 100, **query, **({"wait": wait} if "wait" in query else {})}
        try:
            if left <= 0:
                raise DeadlinePassed
            timeout = min(WAIT_S + ANSWER_S, left)
            return transport.request("GET", "/v1/events", query=fields, timeout=timeout, max_retries=0).json()
        except PlatenError as error:
            pause = retry_pause(error, attempt)
            if pause is None:
                raise
        time.sleep(max(0.0, min(pause, deadline - time.monotonic())))


class PrintJobs(Resource):
    """Print jobs. Reference: docs/reference/print-jobs.md"""

    def __init__(self, transport: Transport, printers: Printers) -> None:
        super().__init__(transport)
        self._printers = printers

    def create(
        self,
        *,
        printer: str | int | Printer,
        title: str,
        file: File | None = None,
        content: str | None = None,
        content_type: str | None = None,
        reprint_of: str | None = None,
        authentication: DocumentAuthenticationParam | None = None,
        source: str | None = None,
        qty: int | None = None,
        expire_after: int | None = None,
        retain: bool | None = None,
        options: PrintOptionsParam | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Creates a print job from one of `file`, `content` and `reprint_of`.

        A creation that got no answer is repeated with the same `Idempotency-Key`, so it never prints twice.

        :param printer: an id, a number, a name or an object of `printers`. Names and numbers cost a request; see
            `Printers.find`.
        :param file: a path, bytes, or an open binary file. Files are streamed.
        :param content: the address of the document, which the service fetches, or base64.
        :param content_type: of `content`: `pdf_uri`, `image_uri`, `raw_uri`, `pdf_base64`, `image_base64`, `raw_base64`. Of a
            `file`: `pdf`, `image`, or `raw`, which sends any file to the printer unchanged. Default for a file: what the
            service recognizes by its first bytes.
        :param reprint_of: the id of an earlier job.
        :param expire_after: seconds that the job can wait for its agent. Default: a day.
        :param retain: False deletes the document as soon as the job has ended.
        :param idempotency_key: the same for each creation of the same job, also after a restart of the program. Default:
            a new one for each call.
        :raises PrinterNotFound: no printer has this name.
        :raises PlatenError: `file` is not readable.
        :raises ApiError: the service refused the job; its subclass names the reason.
        """
        fields = _present(
            printerId=self._printers.resolve(printer),
            title=title,
            contentType=content_type,
            content=content,
            reprintOf=reprint_of,
            authentication=authentication,
            source=source,
            qty=qty,
            expireAfter=expire_after,
            retain=retain,
            options=options,
        )
        body = json_body(fields) if file is None else form_body(fields, file)
        return self._create(body, idempotency_key or str(uuid.uuid4()))

    def validate(
        self,
        *,
        printer: str | int | Printer,
        title: str,
        content: str | None = None,
        content_type: str | None = None,
        reprint_of: str | None = None,
        authentication: DocumentAuthenticationParam | None = None,
        source: str | None = None,
        qty: int | None = None,
        expire_after: int | None = None,
        retain: bool | None = None,
        options: PrintOptionsParam | None = None,
    ) -> PrintJobValidation:
        """Answers what a creation with the same fields would do, without the document. No job is created.

        :param content: the address of the document. Leave base64 out.
        :raises PrinterNotFound: no printer has this name.
        """
        body = _present(
            printerId=self._printers.resolve(printer),
            title=title,
            contentType=content_type,
            content=content,
            reprintOf=reprint_of,
            authentication=authentication,
            source=source,
            qty=qty,
            expireAfter=expire_after,
            retain=retain,
            options=options,
        )
        return self._send("POST", "/v1/printjobs/validate", PrintJobValidation, body)

    def _create(self, body: Body, key: str) -> Job:
        headers = {"Idempotency-Key": key}
        return self._job(self._transport.request("POST", "/v1/printjobs", body=body, headers=headers).json())

    def _job(self, raw: Mapping[str, Any]) -> Job:
        values = {name: getattr(parsed, name) for parsed in (PrintJob.from_raw(raw),) for name in _names(PrintJob)}
        return Job(_jobs=self, **values)

    def list(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        dir: Direction | None = None,
        state: JobState | Sequence[JobState] | None = None,
        printer_id: str | None = None,
        computer_id: str | None = None,
        source: str | None = None,
        number: int | None = None,
        q: str | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
    ) -> Pages[Job]:
        """Lists print jobs, the newest first. A job must match all filters.

        :param q: searches words of the title, a number, an id, a source, or the name of the printer.
        """
        return self._list(
            "/v1/printjobs",
            self._job,
            limit=limit,
            after=after,
            dir=dir,
            state=state,
            printerId=printer_id,
            computerId=computer_id,
            source=source,
            number=number,
            q=q,
            createdAfter=created_after,
            createdBefore=created_before,
        )

    def get(self, id: str) -> Job:
        """Reads a print job."""
        return self._job(self._transport.request("GET", f"/v1/printjobs/{_id(id)}").json())

    def cancel(self, id: str) -> Job:
        """Cancels a job that its agent has not received. :raises NotCancellable: it has, or the job has ended."""
        return self._job(self._transport.request("POST", f"/v1/printjobs/{_id(id)}/cancel").json())

    def explanation(self, id: str) -> PrintJobExplanation:
        """Explains the state of a job: whether it was printed, the cause, and the actions to take."""
        return self._get(f"/v1/printjobs/{_id(id)}/explanation", PrintJobExplanation)

    def events(self, id: str) -> tuple[PrintJobEvent, ...]:
        """Lists the events of a job, the oldest first."""
        raw = self._transport.request("GET", f"/v1/printjobs/{_id(id)}/events").json()
        return tuple(map(PrintJobEvent.from_raw, raw["data"]))

    def document(self, id: str) -> bytes:
        """Reads the stored document of a job. :raises FileExpired: it is no longer stored."""
        return self._transport.request("GET", f"/v1/printjobs/{_id(id)}/document").data

    def deliveries(
        self, id: str, *, limit: int | None = None, after: str | None = None, dir: Direction | None = None
    ) -> Pages[WebhookDelivery]:
        """Lists the webhook deliveries of the events of a job."""
        path = f"/v1/printjobs/{_id(id)}/deliveries"
        return self._list(path, WebhookDelivery.from_raw, limit=limit, after=after, dir=dir)

    def wait(self, id: str, *, timeout: float | None = None) -> Job:
        """Waits until a job has ended, by the event feed.

        :param timeout: seconds. None: as long as the job can last.
        :raises TimeoutError: it has not ended by then. The job continues.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        query = {"resourceId": id, "type": [f"printjob.{state}" for state in FINAL_STATES]}
        try:
            cursor = poll(self._transport, {**query, "after": "now"}, deadline)["nextCursor"]
            job = self.get(id)
            while not job.is_final:
                page = poll(self._transport, {**query, "after": cursor, "wait": WAIT_S}, deadline)
                cursor = page["nextCursor"]
                job = self._job(page["data"][-1]["data"]) if page["data"] else job
        except DeadlinePassed:
            raise TimeoutError(f"The job {id} has not ended within {timeout:g} s. It continues.") from None
        return job


class Printers(Resource):
    """Printers. Reference: docs/reference/printers.md"""

    def list(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        dir: Direction | None = None,
        number: int | None = None,
    ) -> Pages[Printer]:
        """Lists the printers of all computers."""
        return self._list("/v1/printers", Printer.from_raw, limit=limit, after=after, dir=dir, number=number)

    def get(self, id: str) -> Printer:
        """Reads a printer."""
        return self._get(f"/v1/printers/{_id(id)}", Printer)

    def find(self, printer: str | int) -> Printer:
        """Finds a printer by its id, its number or its name: the whole name, or else the beginning of only one name.

        Names and numbers need a list of all printers, so store the id to print often.

        :raises PrinterNotFound: no printer, or more than one, matches. The message lists the printers.
        """
        if isinstance(printer, str) and _UUID.fullmatch(printer):
            return self.get(printer)
        printers = list(self.list(limit=100))
        what = f"the number {printer}" if isinstance(printer, int) else f'the name "{printer}"'
        found = _matching(printer, printers)
        if len(found) == 1:
            return found[0]
        if found:
            raise PrinterNotFound(f"More than one printer has {what}: {_describe(found)}. Use an id.")
        raise PrinterNotFound(f"No printer has {what}. The printers are: {_describe(printers) or 'none'}.")

    def resolve(self, printer: str | int | Printer) -> str:
        """The id of a printer that is given as object, id, number or name."""
        if isinstance(printer, Printer):
            return printer.id
        return printer if isinstance(printer, str) and _UUID.fullmatch(printer) else self.find(printer).id

    def update(
        self,
        id: str,
        *,
        display_name: str | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        remarks: str | None | Unset = UNSET,
        default_options: PrintOptionsParam | Unset = UNSET,
        custom_papers: Sequence[CustomPaperParam] | Unset = UNSET,
    ) -> Printer:
        """Changes a printer. Fields that are not given stay as they are."""
        changes = _given(
            displayName=display_name,
            enabled=enabled,
            remarks=remarks,
            defaultOptions=default_options,
            customPapers=custom_papers,
        )
        return self._send("PATCH", f"/v1/printers/{_id(id)}", Printer, changes)

    def print_jobs(
        self, id: str, *, limit: int | None = None, after: str | None = None, dir: Direction | None = None
    ) -> Pages[PrintJob]:
        """Lists the print jobs of a printer, the newest first."""
        return self._list(f"/v1/printers/{_id(id)}/printjobs", PrintJob.from_raw, limit=limit, after=after, dir=dir)

    def purge(self, id: str, *, include_printing: bool | None = None) -> PurgedPrinter:
        """Ends the waiting jobs of a printer, and those that print with `include_printing`."""
        body = _present(includePrinting=include_printing)
        return self._send("POST", f"/v1/printers/{_id(id)}/purge", PurgedPrinter, body)


class Computers(Resource):
    """Computers. Reference: docs/reference/computers.md"""

    def list(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        dir: Direction | None = None,
        number: int | None = None,
    ) -> Pages[Computer]:
        """Lists the computers."""
        return self._list("/v1/computers", Computer.from_raw, limit=limit, after=after, dir=dir, number=number)

    def get(self, id: str) -> Computer:
        """Reads a computer."""
        return self._get(f"/v1/computers/{_id(id)}", Computer)

    def delete(self, id: str) -> None:
        """Deletes a computer with its printers. Its agent is refused from then on."""
        self._transport.request("DELETE", f"/v1/computers/{_id(id)}")

    def printers(
        self, id: str, *, limit: int | None = None, after: str | None = None, dir: Direction | None = None
    ) -> Pages[Printer]:
        """Lists the printers of a computer."""
        return self._list(f"/v1/computers/{_id(id)}/printers", Printer.from_raw, limit=limit, after=after, dir=dir)


class Events(Resource):
    """The event feed. Reference: docs/reference/events.md"""

    def list(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        dir: Direction | None = None,
        type: str | Sequence[str] | None = None,
        resource_id: str | None = None,
        wait: int | None = None,
    ) -> Pages[Event]:
        """Lists events.

        :param after: a cursor, or `now` for the current end of the feed.
        :param type: for example `printjob.done`, or `printjob.*` for all types of a kind.
        :param wait: seconds to wait for an event, 1 to 30.
        """
        query = {"limit": limit, "after": after, "dir": dir, "type": type, "resourceId": resource_id, "wait": wait}
        return self._list("/v1/events", parse_event, **query)

    def get(self, id: str) -> Event:
        """Reads an event."""
        event: Event = parse_event(self._transport.request("GET", f"/v1/events/{_id(id)}").json())
        return event

    def types(self) -> tuple[EventTypeDescription, ...]:
        """Lists all event types with JSON Schema and example."""
        raw = self._transport.request("GET", "/v1/event-types").json()
        return tuple(map(EventTypeDescription.from_raw, raw["data"]))

    def follow(
        self,
        *,
        after: str | None = "now",
        type: str | Sequence[str] | None = None,
        resource_id: str | None = None,
    ) -> Iterator[FollowedEvent]:
        """Follows the feed without end, also through failures of the service.

        Each event has the cursor from which to continue after it.

        :param after: the stored cursor of the last handled event. None: from the oldest event. Default: only new events.
        :raises CursorExpired: the events after it are no longer stored. Read the present state, and follow from now.
        """
        cursor = after
        query = {"type": type, "resourceId": resource_id}
        if after == "now":
            cursor = poll(self._transport, {**query, "after": after})["nextCursor"]
        while True:
            page = poll(self._transport, {**query, "after": cursor, "wait": WAIT_S})
            last = len(page["data"]) - 1
            # A crash within a page repeats the page.
            for at, raw in enumerate(page["data"]):
                yield FollowedEvent(parse_event(raw), page["nextCursor"] if at == last else cursor)
            cursor = page["nextCursor"] or cursor


@dataclass(frozen=True)
class FollowedEvent:
    """An event of `Events.follow`."""

    event: Event
    cursor: str | None
    """For `after` when the event is handled."""


class Enrollments(Resource):
    """Enrolment tokens. Reference: docs/reference/agents.md"""

    def create(self, *, max_uses: int | None = None, expires_in_seconds: int | None = None) -> Enrollment:
        """Creates a token by which computers are enrolled. Default: one use within 15 minutes."""
        body = _present(maxUses=max_uses, expiresInSeconds=expires_in_seconds)
        return self._send("POST", "/v1/enrollments", Enrollment, body)

    def list(
        self, *, limit: int | None = None, after: str | None = None, dir: Direction | None = None
    ) -> Pages[ListedEnrollment]:
        """Lists the tokens, without their text."""
        return self._list("/v1/enrollments", ListedEnrollment.from_raw, limit=limit, after=after, dir=dir)

    def delete(self, id: str) -> None:
        """Deletes a token. Enrolled computers stay."""
        self._transport.request("DELETE", f"/v1/enrollments/{_id(id)}")

    def enroll_agent(
        self,
        *,
        hostname: str,
        os: str,
        os_version: str,
        arch: str,
        agent_version: str,
        name: str | None = None,
        previous_credential: str | None = None,
    ) -> EnrolledAgent:
        """Enrols a computer. The key of the client must be an enrolment token. Only agents need this.

        An enrolment that got no answer is repeated with the same `Idempotency-Key`, so it uses the token once.
        """
        body = _present(
            name=name,
            hostname=hostname,
            os=os,
            osVersion=os_version,
            arch=arch,
            agentVersion=agent_version,
            previousCredential=previous_credential,
        )
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        sent = self._transport.request("POST", "/v1/agents/enroll", body=json_body(body), headers=headers)
        return EnrolledAgent.from_raw(sent.json())


class Previews(Resource):
    """Pictures of labels and receipts. Reference: docs/reference/previews.md"""

    def create(
        self,
        document: bytes,
        *,
        language: Literal["zpl", "escpos"] | None = None,
        dpi: float | None = None,
        width_mm: float | None = None,
        height_mm: float | None = None,
    ) -> Preview:
        """Draws what a printer would print of a document in ZPL II or ESC/POS, at most 1 MB. Nothing is printed."""
        content = b64encode(document).decode("ascii")
        paper = _present(language=language, dpi=dpi, widthMm=width_mm, heightMm=height_mm)
        return self._send("POST", "/v1/previews", Preview, {"contentType": "raw_base64", "content": content, **paper})


class Statistics(Resource):
    """Counts of print jobs. Reference: docs/reference/statistics.md"""

    def list(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        dir: Direction | None = None,
        interval: Literal["hour", "day", "month"] | None = None,
        group_by: Literal["printer", "computer", "key", "source"] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        printer_id: str | None = None,
        computer_id: str | None = None,
        key_id: str | None = None,
        source: str | None = None,
    ) -> Pages[JobStatistics]:
        """Lists intervals with the numbers of jobs that were created and ended in them.

        :param interval: in UTC. Default: `day`.
        :param group_by: an entry for each value and interval.
        """
        query = {
            "limit": limit,
            "after": after,
            "dir": dir,
            "interval": interval,
            "groupBy": group_by,
            "since": since,
            "until": until,
            "printerId": printer_id,
            "computerId": computer_id,
            "keyId": key_id,
            "source": source,
        }
        return self._list("/v1/statistics", JobStatistics.from_raw, **query)


class Webhooks(Resource):
    """Webhook endpoints and their deliveries. Reference: docs/reference/webhooks.md"""

    verify = staticmethod(_webhooks.verify)

    def create(
        self, *, url: str, events: Sequence[EventType], description: str | None = None
    ) -> WebhookEndpointWithSecret:
        """Creates an endpoint. Only this answer contains its secret."""
        body = _present(url=url, events=list(events), description=description)
        return self._send("POST", "/v1/webhooks", WebhookEndpointWithSecret, body)

    def list(
        self, *, limit: int | None = None, after: str | None = None, dir: Direction | None = None
    ) -> Pages[WebhookEndpoint]:
        """Lists the endpoints of the mode of the key."""
        return self._list("/v1/webhooks", WebhookEndpoint.from_raw, limit=limit, after=after, dir=dir)

    def get(self, id: str) -> WebhookEndpoint:
        """Reads an endpoint."""
        return self._get(f"/v1/webhooks/{_id(id)}", WebhookEndpoint)

    def update(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[EventType] | Unset = UNSET,
        description: str | None | Unset = UNSET,
        enabled: bool | Unset = UNSET,
    ) -> WebhookEndpoint:
        """Changes an endpoint. Fields that are not given stay as they are."""
        changes = _given(url=url, events=events, description=description, enabled=enabled)
        return self._send("PATCH", f"/v1/webhooks/{_id(id)}", WebhookEndpoint, changes)

    def delete(self, id: str) -> None:
        """Deletes an endpoint. Its pending deliveries are not made."""
        self._transport.request("DELETE", f"/v1/webhooks/{_id(id)}")

    def rotate_secret(self, id: str, *, grace_seconds: int | None = None) -> WebhookEndpointWithSecret:
        """Replaces the secret. Until the grace period ends, both secrets sign."""
        body = _present(graceSeconds=grace_seconds)
        return self._send("POST", f"/v1/webhooks/{_id(id)}/rotate-secret", WebhookEndpointWithSecret, body)

    def test(self, id: str, *, type: EventType | None = None) -> WebhookDelivery:
        """Delivers an example to the endpoint."""
        return self._send("POST", f"/v1/webhooks/{_id(id)}/test", WebhookDelivery, _present(type=type))

    def deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        dir: Direction | None = None,
        status: DeliveryStatus | None = None,
        type: EventType | None = None,
    ) -> Pages[WebhookDelivery]:
        """Lists the deliveries to an endpoint, the newest first."""
        query = {"limit": limit, "after": after, "dir": dir, "status": status, "type": type}
        return self._list(f"/v1/webhooks/{_id(id)}/deliveries", WebhookDelivery.from_raw, **query)

    def delivery(self, id: str, delivery_id: str) -> WebhookDeliveryDetail:
        """Reads a delivery with its payload and its attempts."""
        return self._get(f"/v1/webhooks/{_id(id)}/deliveries/{_id(delivery_id)}", WebhookDeliveryDetail)

    def replay_delivery(self, id: str, delivery_id: str) -> WebhookDelivery:
        """Delivers an event again."""
        return self._send("POST", f"/v1/webhooks/{_id(id)}/deliveries/{_id(delivery_id)}/replay", WebhookDelivery)

    def replay(
        self,
        id: str,
        *,
        since: datetime,
        until: datetime | None = None,
        status: Sequence[DeliveryStatus] | None = None,
    ) -> WebhookReplay:
        """Delivers the events of a period again."""
        times = {"since": since.isoformat(), "until": until.isoformat() if until else None}
        return self._send("POST", f"/v1/webhooks/{_id(id)}/replay", WebhookReplay, _present(**times, status=status))


def _names(cls: type[Model]) -> tuple[str, ...]:
    return tuple(cls.__dataclass_fields__)


def _id(id: str) -> str:
    """A part of a path. Prevents that an id addresses another path."""
    if not re.fullmatch(r"[\w-]{1,64}", id):
        raise ValueError(f"This is not an id: {id!r}.")
    return id


def _matching(printer: str | int, printers: Sequence[Printer]) -> Sequence[Printer]:
    if isinstance(printer, int):
        return [one for one in printers if one.raw.get("number") == printer]
    wanted = printer.casefold()
    names = [(one, {name.casefold() for name in (one.display_name, one.name, one.os_name) if name}) for one in printers]
    whole = [one for one, labels in names if wanted in labels]
    return whole or [one for one, labels in names if any(label.startswith(wanted) for label in labels)]


def _describe(printers: Sequence[Printer]) -> str:
    return ", ".join(f'"{one.display_name or one.name}" ({one.id})' for one in printers)
