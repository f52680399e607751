"""The objects of the API, generated from the OpenAPI document.

Reference: docs/reference. Attributes are named in snake case. `raw` is the object as the service sent it, with all its fields.
Values that this version does not know pass unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, TypedDict

from platen_print._model import Model


@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownEvent(Model):
    """An event of a type that this version of the library does not know."""

    id: str
    type: str
    timestamp: datetime
    mode: str
    sequence: int
    data: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class IdentityOrganization(Model):
    """The organization whose data the credential can access."""

    id: str
    """The id of the organization."""
    name: str
    """The name of the organization."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IdentityApiKey(Model):
    """An API key."""

    id: str
    """The id of the key."""
    name: str
    """The name of the key."""
    prefix: str
    """The first characters of the key, which identify it for people."""
    scopes: tuple[Literal["read", "print", "admin"], ...]
    """The permitted operations. `admin` permits all."""
    created_at: datetime
    """The time of its creation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IdentityUser(Model):
    """A user of the dashboard."""

    id: str
    """The id of the user."""
    email: str
    """The e-mail address of the user."""
    role: Literal["owner", "admin", "member"]
    """The permissions of the user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IdentityInstallation(Model):
    """The optional parts that the operator of the service has switched on."""

    print_node: bool
    """Whether programs that speak to PrintNode can print (`PLATEN_PRINTNODE_API`)."""
    document_preview: bool
    """Whether documents can be read by `GET /v1/printjobs/{id}/document` (`PLATEN_DOCUMENT_PREVIEW`)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity(Model):
    """The identity of the caller. Exactly one of `apiKey` and `user` is set."""

    organization: IdentityOrganization
    """The organization whose data the credential can access."""
    mode: Literal["live", "test"]
    """The mode of the credential."""
    api_key: IdentityApiKey | None
    """The key of the request. Null for a user of the dashboard."""
    user: IdentityUser | None
    """The user of the dashboard. Null for a key."""
    installation: IdentityInstallation


@dataclass(frozen=True, kw_only=True, slots=True)
class UsagePeriod(Model):
    """The calendar month, in UTC."""

    start: datetime
    """The start of the period."""
    end: datetime
    """The start of the next period."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UsagePrints(Model):
    """The prints of the period. One print is one accepted live job, independent of its pages, `qty` and final
    state.
    """

    used: int
    """The number of live jobs that were accepted in this period."""
    limit: int | None
    """The limit of the plan. Null: unlimited."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageComputers(Model):
    """Enrolled computers."""

    used: int
    """The number of live computers."""
    limit: int | None
    """The limit of the plan. Null: unlimited."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageTestJobsToday(Model):
    """The test jobs of this UTC day. They are not prints and have a separate limit."""

    used: int
    """The number of test jobs that were accepted today."""
    limit: int
    """The largest number that is accepted in one UTC day."""
    resets_at: datetime
    """The start of the next UTC day."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage(Model):
    """The usage of the organization. A test key gets the live usage as well."""

    period: UsagePeriod
    """The calendar month, in UTC."""
    prints: UsagePrints
    """The prints of the period. One print is one accepted live job, independent of its pages, `qty` and final
    state.
    """
    computers: UsageComputers
    """Enrolled computers."""
    plan: str
    """The plan of the organization."""
    test_jobs_today: UsageTestJobsToday
    """The test jobs of this UTC day. They are not prints and have a separate limit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JobStatisticsReasons(Model):

    state: Literal["done", "error", "cancelled", "expired"]
    """The final state."""
    reason: str
    """The reason of the end: a keyword, or `other` for one that is not documented."""
    jobs: int
    """The number of jobs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JobStatisticsConfirmedBy(Model):
    """The jobs that ended as `done`, by what confirmed the print. Jobs that ended in an earlier release are not in
    it.
    """

    printer: int
    """The number of jobs that the printer itself said are on paper."""
    spooler: int
    """The number of jobs that the operating system, or the end of the connection, said are through."""
    nobody: int
    """The number of jobs that nothing confirmed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JobDurations(Model):
    """The times that jobs took, in seconds. The relative error is at most 10 %."""

    p50: float
    """Half of the jobs took at most so many seconds."""
    p95: float
    """95 % of the jobs took at most so many seconds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JobStatistics(Model):
    """Counts of jobs in an interval, and how long they took."""

    start: datetime
    """The start of the interval."""
    value: str | None
    """The id of the printer, computer or key, or the `source`, by `groupBy` or the filter. Null for all jobs, and
    with `groupBy=key` for jobs that were not created with a key.
    """
    accepted: int
    """The number of jobs that were created in the interval."""
    done: int
    """The number of jobs that ended as `done` in the interval."""
    error: int
    """The number of jobs that ended as `error` in the interval."""
    cancelled: int
    """The number of jobs that ended as `cancelled` in the interval."""
    expired: int
    """The number of jobs that ended as `expired` in the interval."""
    reasons: tuple[JobStatisticsReasons, ...]
    """The jobs that did not end as `done`, by their reason. Jobs without a reason are not in it."""
    confirmed_by: JobStatisticsConfirmedBy
    """The jobs that ended as `done`, by what confirmed the print. Jobs that ended in an earlier release are not in
    it.
    """
    seconds_to_printing: JobDurations | None
    """The time from the creation until the spooler had taken the job. Null without such a job."""
    seconds_to_done: JobDurations | None
    """The time from the creation until the job was `done`. Null without such a job."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintOptions(Model):
    """Print options. An omitted option has the value of the default options of the printer. An option or a value
    that the printer does not support is dropped and named in `stateMessage`. Raw jobs ignore options.
    """

    bin: str | None
    """The paper tray, one of `capabilities.bins`. Null: not set, also if the default options of the printer have a
    value.
    """
    copies: int | None
    """The number of copies that the printer makes, at most `capabilities.copies`. If not set, 1. Null: not set,
    also if the default options of the printer have a value.
    """
    duplex: Literal["long-edge", "short-edge", "one-sided"] | None
    """Printing on both sides, turned at the long or the short edge, or on one side. Null: not set, also if the
    default options of the printer have a value.
    """
    paper: str | None
    """The name of a paper in `capabilities.papers` or `customPapers`. Null: not set, also if the default options of
    the printer have a value.
    """
    pages: str | None
    """The pages to print, counted from 1: a comma list of `n`, `n-m`, `n-`, `-m`, or `-` for all. Null: not set,
    also if the default options of the printer have a value.
    """
    crop: str | None
    """The part of each page to print: `x,y,width,height` in tenths of a millimetre from its upper left corner, or
    `auto` for what is printed on it, with a margin of 3 mm. Null: not set, also if the default options of the
    printer have a value.
    """
    rotate: Literal[0, 90, 180, 270] | None
    """The rotation in degrees, clockwise for the reader of the sheet. On Windows only 90 and 270. Null: not set,
    also if the default options of the printer have a value.
    """
    fit_to_page: bool | None
    """True scales pages to the printable area, false prints them at 100 %. If not set, only larger pages are
    scaled. Null: not set, also if the default options of the printer have a value.
    """
    color: bool | None
    """True prints in colour, false in shades of grey. Null: not set, also if the default options of the printer
    have a value.
    """
    dpi: str | None
    """The resolution, one of `capabilities.dpis`; `300` is `300x300`. Not on Windows. Null: not set, also if the
    default options of the printer have a value.
    """
    media: str | None
    """The kind of paper, one of `capabilities.medias`. Not on Windows. Null: not set, also if the default options
    of the printer have a value.
    """
    collate: bool | None
    """True sorts copies into sets. Not on Windows. Null: not set, also if the default options of the printer have a
    value.
    """
    nup: int | None
    """The number of pages on one sheet, one of `capabilities.nup`. Not on Windows. Null: not set, also if the
    default options of the printer have a value.
    """


JobState: TypeAlias = Literal["queued", "sent", "received", "printing", "done", "error", "cancelled", "expired"]
"""The state of the job. `queued`: waits for its computer. `sent`: on its way to the agent. `received`: the agent
has the document. `printing`: the spooler has the document. `done` (the spooler has finished), `error`,
`cancelled` and `expired` are final.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJob(Model):
    """A print job. Never contains the document, its URL or credentials."""

    id: str
    """The id of the job."""
    number: int | None
    """A number for people, counted per organization and mode, never used again. Null for jobs of release 0.1.0."""
    printer_id: str
    """The id of the target printer."""
    computer_id: str
    """The id of the computer of the printer."""
    destination_id: str | None
    """The id of the destination to which the job was sent. Until `sent`, `printerId` and `computerId` are the
    planned ones. Null if it was sent to a printer.
    """
    title: str
    """The title, as sent in the request."""
    content_type: Literal["pdf_uri", "pdf_base64", "image_uri", "image_base64", "raw_uri", "raw_base64"]
    """The format of the document and how it was sent. A reprint has the content type of its original."""
    source: str
    """The name of the client system, as sent in the request."""
    reported_user: str | None
    """The user that the computer of a print access has named, which proves nothing. Null for jobs of other senders.
    """
    qty: int
    """The number of times that the whole job is printed. The number of printed sets is `qty` times the option
    `copies`.
    """
    options: PrintOptions
    """The requested options, completed by the defaults of the printer. `stateMessage` names those that the printer
    does not support.
    """
    metadata: Mapping[str, str]
    """The pairs of names and values, as sent in the request."""
    batch_id: str | None
    """The id of the batch that the job was created with. Null without one."""
    reprint_of: str | None
    """The id of the job whose document this job prints again. Null if it has a document of its own."""
    retain: bool
    """False if the document is deleted as soon as the job has ended."""
    expire_after: int
    """The number of seconds that the job can wait for its agent."""
    expires_at: datetime
    """The time at which the job expires unless its agent has received it."""
    not_before: datetime | None
    """The time before which the job is not printed, as sent. Null without one."""
    file_size: int | None
    """The size of the stored document in bytes. Null until a document at a URL is fetched, or an image is converted
    to PDF.
    """
    file_sha256: str | None
    """The SHA-256 of the stored document in hex. Null until a document at a URL is fetched, or an image is
    converted to PDF.
    """
    mode: Literal["live", "test"]
    """The mode of the key that created the job."""
    state: JobState
    state_message: str | None
    """The cause of an `error` or the options that were dropped, for people. Otherwise null."""
    state_reasons: tuple[str, ...]
    """The same for programs: keywords such as `unconfirmed` or `option-ignored`. New keywords can be added."""
    confirmed_by: Literal["printer", "spooler", "nobody"] | None
    """The source that confirmed that a `done` job is on paper. `printer`: the printer itself. `spooler`: the
    operating system, or the end of the connection. `nobody`: nothing; then `stateReasons` has
    `completion-unconfirmed`. Null in other states, and for jobs of earlier releases.
    """
    created_at: datetime
    """The time of the acceptance."""
    sent_at: datetime | None
    """The time at which the job was sent to its agent. Null before."""
    received_at: datetime | None
    """The time at which the agent had received the document. Null before."""
    printing_at: datetime | None
    """The time at which the spooler accepted the job. Null before."""
    finished_at: datetime | None
    """The time at which the job reached a final state. Null before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobRefusal(Model):
    """The error of a creation."""

    code: str
    """The code of the error."""
    message: str
    """The message of the error."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobWarning(Model):
    """A reason why the job would wait, fail or look different."""

    code: Literal["document-format-not-supported", "option-ignored", "computer-disk-full", "computer-offline", "computer-paused", "computer-unauthorized", "destination-unavailable", "printer-offline", "printer-waits", "queue-paused"]
    """The warning for programs. New ones can be added."""
    message: str
    """The warning for people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CustomPaper(Model):
    """A custom paper size."""

    name: str
    """The name, a value of the option `paper`. Unique in the list. It has precedence over a paper of the driver
    with the same name.
    """
    width: int
    """The length of this side in tenths of a millimetre."""
    height: int
    """The length of this side in tenths of a millimetre."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EventPrinter(Model):
    """A printer right after an event, without its capabilities. `GET /v1/printers/{id}` returns them."""

    id: str
    """The id of the printer. It does not change while the computer and `osName` are the same."""
    number: int
    """A number for people, counted per organization and mode, never used again."""
    computer_id: str
    """The id of the computer of the printer."""
    name: str
    """The name that the agent reports."""
    os_name: str
    """The name of the printer in the operating system."""
    description: str
    """The description that the driver reports."""
    display_name: str
    """The name for people. Editable."""
    remarks: str | None
    """Your notes. Editable."""
    enabled: bool
    """True if the printer accepts jobs. Jobs that were accepted before it was disabled wait in `queued`. Editable.
    """
    shared: bool
    """True if computers can print on it with a print access. Editable."""
    is_default: bool
    """True for the default printer of the computer."""
    state: Literal["online", "offline", "unknown"]
    """The state of the printer, `unknown` while its computer is offline. A printer that is not online accepts jobs,
    which wait.
    """
    state_detail: str
    """Details of the state for people, such as out of paper or cover open. Can be empty."""
    state_reasons: tuple[str, ...]
    """Details of the state for programs: IPP keywords such as `media-empty` or `cover-open`."""
    default_options: PrintOptions
    """Options for jobs that do not set them. Editable."""
    custom_papers: tuple[CustomPaper, ...]
    """Your custom paper sizes, at most 50. Editable."""
    default_expire_after: int | None
    """The number of seconds that a job can wait for its agent if it has no `expireAfter`. Null: 86,400, a day.
    Editable.
    """
    created_at: datetime
    """The time of the first report."""
    updated_at: datetime
    """The time of the last change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentUpdate(Model):
    """The updates of an agent by itself."""

    automatic: bool
    """True if the agent installs offered versions without a command."""
    failed_version: str | None
    """The version that could not be installed. Null without a failure."""
    failure: str | None
    """The reason why the newest update has failed, a sentence. Null after a success."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SpoolerProblem(Model):
    """The reason why an agent cannot list the printers of the operating system."""

    code: str
    """The kind of problem: `not-installed`, `not-running`, `no-permission` or `not-responding`. Later versions can
    have others.
    """
    message: str
    """The problem and what to do, a sentence for people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Computer(Model):
    """A computer that runs the agent and has printers."""

    id: str
    """The id of the computer."""
    number: int
    """A number for people, counted per organization and mode, never used again."""
    name: str
    """The name of the computer."""
    hostname: str
    """The host name of the computer."""
    os: str
    """The operating system: `linux`, `macos` or `windows`."""
    os_version: str
    """The version of the operating system."""
    arch: str
    """The processor architecture, such as `x64` or `arm64`."""
    agent_version: str
    """The version of the agent."""
    agent_update: AgentUpdate | None
    """The updates of the agent. Null if it does not update itself."""
    spooler_problem: SpoolerProblem | None
    """The reason why the agent cannot list the printers of the operating system. Null if it can."""
    state: Literal["online", "offline"]
    """`online` while the agent is connected. A connection that is lost for less than 30 seconds does not change it.
    """
    paused_at: datetime | None
    """The time since which new jobs wait, because a user has paused the computer. Null if it is not paused."""
    unauthorized_at: datetime | None
    """The time since which the service refuses the agent of the `offline` computer, because its credential was
    replaced. Enrol the computer again. Null if it is not refused.
    """
    mode: Literal["live", "test"]
    """The mode of the computer. Test mode has one virtual computer only."""
    last_seen_at: datetime | None
    """The time of the last message or heartbeat of the agent. Null before its first connection."""
    created_at: datetime
    """The time of the enrolment."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobValidation(Model):
    """The result of a creation, as far as it is known before."""

    refusal: PrintJobRefusal | None
    """The error that a creation would get. Null if it would be accepted."""
    warnings: tuple[PrintJobWarning, ...]
    """The causes that would keep the job from being printed as requested."""
    options: PrintOptions | None
    """The options with the defaults of the printer, without those that it ignores. Null after a refusal, and empty
    for raw data.
    """
    jobs_before: int | None
    """The number of jobs that would be printed before, up to 100. Null without the printer."""
    destination_id: str | None
    """The id of the destination. `printer` is the one that would get the job now. Null without one."""
    printer: EventPrinter | None
    """The printer, without its capabilities. Null if the key has no such printer."""
    computer: Computer | None
    """The computer of the printer. Null without the printer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobBatch(Model):
    """Jobs that were created together."""

    id: str
    """The id of the batch, which each of its jobs has as `batchId`."""
    jobs: tuple[PrintJob, ...]
    """The jobs, in the order in which they are printed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CancelledBatch(Model):
    """The numbers of jobs that a cancellation ended and did not end."""

    cancelled: int
    """The number of jobs that are now `cancelled`."""
    not_cancelled: int
    """The number of the other jobs: their agents had received them, or they had ended."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobEvent(Model):
    """A change of the state of a job."""

    id: str
    """The id of the event."""
    state: JobState
    message: str | None
    """An explanation for people, such as `resend 1/3` or the cause of a failure."""
    actor: Literal["api", "agent", "system", "user"]
    """The cause of the change: an API key (`api`), the agent, the service itself (`system`), or a user of the
    dashboard.
    """
    created_at: datetime
    """The time of the change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExplanationAction(Model):
    """A next step."""

    kind: Literal["wait", "release", "start_computer", "enrol_again", "resume_computer", "change_destination", "enable_destination", "run_doctor", "check_agent", "enable_printer", "check_printer", "resume_queue", "check_queue", "check_paper", "check_trays", "free_space", "open_job", "print_elsewhere", "print_again", "send_again", "check_document", "check_url", "set_language", "check_options", "ask_operator"]
    """The kind of the action, for programs. New kinds can be added."""
    text: str
    """The action, for people."""
    printer_id: str
    """The id of the printer of the action."""
    computer_id: str
    """The id of the computer of the action."""
    job_id: str
    """The id of the job of the action."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExplanationFact(Model):
    """A fact on which the explanation is based."""

    name: str
    """The subject of the fact."""
    value: str
    """The fact, for people."""
    ref: str | None
    """The path of the resource. Null without one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExplanationActor(Model):
    """The sender of a request."""

    kind: Literal["key", "user", "print_access"]
    """An API key, a user of the dashboard, or a print access."""
    id: str
    """The id of the key, user or print access."""
    name: str | None
    """The name of the key, user or print access. Null if it is not shown to API keys."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobQueuedEvent(Model):
    """A print job was accepted, or is waiting again because its agent did not take it."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.queued"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobSentEvent(Model):
    """A print job is on its way to its agent."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.sent"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobReceivedEvent(Model):
    """The agent has a print job and its document."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.received"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobPrintingEvent(Model):
    """The spooler has taken a print job."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.printing"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobDoneEvent(Model):
    """The spooler has finished a print job."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.done"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobErrorEvent(Model):
    """A print job has failed: `stateMessage` and `stateReasons` contain the cause."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.error"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobCancelledEvent(Model):
    """A print job was cancelled before its agent had it."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.cancelled"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobExpiredEvent(Model):
    """A print job was not received by its agent in time."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printjob.expired"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: PrintJob
    """The print job right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ComputerOnlineEvent(Model):
    """The agent of a computer has connected."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["computer.online"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: Computer
    """The computer right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ComputerOfflineEvent(Model):
    """The agent of a computer has gone: at once when it was shut down, 30 seconds after its connection broke, or
    after 60 seconds without a message.
    """

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["computer.offline"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: Computer
    """The computer right after the event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrinterAddedEvent(Model):
    """A printer was reported for the first time, or is back after it was removed."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printer.added"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: EventPrinter
    """The printer right after the event, without its capabilities."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrinterRemovedEvent(Model):
    """A printer is no longer on its computer, or its computer was deleted."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printer.removed"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: EventPrinter
    """The printer right after the event, without its capabilities."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrinterOnlineEvent(Model):
    """A printer is online, and has been for 10 seconds."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printer.online"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: EventPrinter
    """The printer right after the event, without its capabilities."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrinterOfflineEvent(Model):
    """A printer is offline, and has been for 10 seconds. While its whole computer is offline there are no events of
    its printers.
    """

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printer.offline"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: EventPrinter
    """The printer right after the event, without its capabilities."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrinterUpdatedEvent(Model):
    """A printer was changed: by `PATCH`, or something other than its state on its computer."""

    id: str
    """The id of the event, the same in each delivery, and sent as `webhook-id`. `GET /v1/printjobs/{id}/events` has
    the events of a print job with the same ids.
    """
    type: Literal["printer.updated"]
    """The type of the event."""
    timestamp: datetime
    """The time of the event."""
    mode: Literal["live", "test"]
    """The mode of the print job, computer or printer."""
    sequence: int
    """A number that grows with each event of the same print job, computer or printer, because deliveries can arrive
    in another order.
    """
    data: EventPrinter
    """The printer right after the event, without its capabilities."""


Event: TypeAlias = (
    PrintJobQueuedEvent
    | PrintJobSentEvent
    | PrintJobReceivedEvent
    | PrintJobPrintingEvent
    | PrintJobDoneEvent
    | PrintJobErrorEvent
    | PrintJobCancelledEvent
    | PrintJobExpiredEvent
    | ComputerOnlineEvent
    | ComputerOfflineEvent
    | PrinterAddedEvent
    | PrinterRemovedEvent
    | PrinterOnlineEvent
    | PrinterOfflineEvent
    | PrinterUpdatedEvent
    | UnknownEvent
)
"""A change of a print job, a computer or a printer, as webhooks deliver it. New types can be added."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrinterQueue(Model):
    """The unfinished jobs of the printer."""

    position: int | None
    """The position of the job among the unfinished jobs of its printer. Null after the first 1,000 jobs of the
    computer.
    """
    length: int
    """The number of unfinished jobs of the printer, up to 1,000."""
    head_job_id: str | None
    """The id of the first of these jobs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintJobExplanation(Model):
    """An explanation of the state of a job."""

    job_id: str
    """The id of the job."""
    code: str
    """The cause, for programs. A code never changes its meaning; new ones can be added."""
    paper: Literal["none", "not_yet", "printing", "printed", "maybe"]
    """The result on paper. `none`: nothing was printed, and nothing will be. `not_yet`: nothing was printed, but
    the job continues. `printing`, `printed`. `maybe`: unknown; look for the paper before you print again.
    """
    headline: str
    """The result on paper, for people."""
    cause: str
    """The cause, for people, with the names of printer and computer."""
    since: datetime | None
    """The time since which the cause exists. Null if it is not known."""
    until: datetime | None
    """The time at which the job ends at the latest if the cause remains. Null if it has ended."""
    actions: tuple[ExplanationAction, ...]
    """The actions to take, the most important first."""
    facts: tuple[ExplanationFact, ...]
    """The facts on which the explanation is based."""
    job: PrintJob
    """The job."""
    created_by: ExplanationActor | None
    """The creator of the job. Null if it is not known."""
    cancelled_by: ExplanationActor | None
    """The sender of the cancellation. Null without one, or if it is not known."""
    events: tuple[PrintJobEvent, ...]
    """The newest 200 events of the job, the oldest first."""
    around: tuple[Event, ...]
    """Events of the printer and the computer from the creation of the job to its end, at most 100, the oldest
    first.
    """
    printer: EventPrinter | None
    """The present printer, without its capabilities. Null if it was removed."""
    computer: Computer | None
    """The present computer. Null if it was deleted."""
    queue: PrinterQueue | None
    """The queue of the printer. Null for a job that has ended."""


EventType: TypeAlias = Literal["printjob.queued", "printjob.sent", "printjob.received", "printjob.printing", "printjob.done", "printjob.error", "printjob.cancelled", "printjob.expired", "computer.online", "computer.offline", "printer.added", "printer.removed", "printer.online", "printer.offline", "printer.updated"]
"""The type of an event."""


DeliveryStatus: TypeAlias = Literal["pending", "succeeded", "failed", "missed"]
"""The status of a delivery: `pending` while further attempts follow, `succeeded`, `failed` after the last attempt,
`missed` if the endpoint was disabled.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeliveredJob(Model):
    """The job of a delivered event."""

    id: str
    """The id of the job."""
    title: str
    """The title of the job."""
    printer_id: str
    """The id of the printer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookDelivery(Model):
    """The delivery of an event to a webhook endpoint."""

    id: str
    """The id of the delivery."""
    webhook_id: str
    """The id of the webhook endpoint."""
    event_id: str
    """The id of the delivered event, sent as `webhook-id`. The event of a test is in no feed."""
    event_type: EventType
    """The type of the event."""
    status: DeliveryStatus
    attempts: int
    """The number of attempts so far."""
    next_attempt_at: datetime | None
    """The time of the next attempt. Null unless the delivery is `pending`."""
    last_status_code: int | None
    """The HTTP status of the last response. Null without a response."""
    last_error: Literal["timeout", "dns", "connect", "tls", "blocked_address", "redirect", "status", "secret"] | None
    """The class of the error of the last attempt. Null if it succeeded."""
    created_at: datetime
    """The time of the creation."""
    delivered_at: datetime | None
    """The time of the first 2xx response. Null before."""
    job: DeliveredJob | None
    """The job of the event. Null for events of printers and computers, for tests, and if the event is no longer
    stored.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewWarning(Model):
    """A part of the document that the picture does not show."""

    offset: int
    """The position of the command in the document, in bytes."""
    message: str
    """A sentence about the part that the picture does not show."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewEvent(Model):
    """An action of a receipt printer beside printing."""

    kind: Literal["cut", "drawer", "buzzer"]
    """The action."""
    at_mm: float
    """The length of paper that was fed before the action."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewPage(Model):
    """One label, or a receipt."""

    svg: str
    """The picture as an SVG document, without scripts and links. Its units are dots of the printer."""
    width_mm: float
    """The width of the page."""
    height_mm: float
    """The length of the page."""
    warnings: tuple[PreviewWarning, ...]
    """The parts of the document that the picture does not show. The first label has those of all labels."""
    events: tuple[PreviewEvent, ...]
    """The actions of a receipt printer beside printing; empty for labels."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview(Model):
    """The pictures of a document."""

    language: Literal["zpl", "escpos"]
    """The language that the document was drawn as."""
    pages: tuple[PreviewPage, ...]
    """The labels in their order, or one receipt."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintRate(Model):
    """The rated speed of a printer."""

    rate: float
    """The rated speed in `unit`."""
    unit: str
    """The unit of `rate`: `ppm` is pages a minute."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Raster(Model):
    """The way in which an agent draws PDFs and images for a printer."""

    raw_language: str
    """The language of the printer: `zpl` or `escpos`."""
    dpi: int
    """The dots per inch."""
    width: int
    """The width of the printed area in dots."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities(Model):
    """The capabilities of a printer, as the operating system and the installed driver report them. Read only."""

    papers: Mapping[str, tuple[int | None, ...]]
    """The papers by name, as `[width, height]` in tenths of a millimetre. A side is null if the driver reports
    none, for example for a roll. The names are values of the option `paper`.
    """
    bins: tuple[str, ...]
    """The values of the option `bin`."""
    dpis: tuple[str, ...]
    """The values of the option `dpi`, written `600x600`."""
    medias: tuple[str, ...]
    """The values of the option `media`."""
    extent: tuple[tuple[int | None, ...], ...] | None
    """The smallest and the largest custom paper, `[[minWidth, minHeight], [maxWidth, maxHeight]]` in tenths of a
    millimetre. Null if the driver reports none.
    """
    printrate: PrintRate | None
    """The rated speed of the printer. Null if the driver reports none."""
    duplex: bool
    """True if the printer prints on both sides."""
    color: bool
    """True if the printer prints in colour."""
    collate: bool
    """True if the printer sorts copies into sets."""
    copies: int
    """The largest value of the option `copies`."""
    nup: tuple[int, ...]
    """The values of the option `nup`, numbers of pages on one sheet."""
    supports_custom_paper_size: bool
    """True if the printer accepts papers that are not in `papers`."""
    rasterizes: bool
    """True if the printer accepts raw data only, and its agent draws PDFs and images in its language."""
    formats: tuple[str, ...] | None
    """The documents that the printer takes: `pdf`, which includes images, and `raw`. Null if its agent does not
    report them. New ones can be added.
    """
    raster: Raster | None
    """The way in which the agent draws PDFs and images for the printer. Null if it draws nothing, or does not
    report it.
    """
    language: str | None
    """The language in which the agent asks a raw printer for its state and what it has printed: `zpl`, `escpos`,
    `star`, `sbpl` or `pjl`. Null if it does not ask it, or does not report it. New ones can be added.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class Printer(Model):
    """A printer that an agent has reported."""

    id: str
    """The id of the printer. It does not change while the computer and `osName` are the same."""
    number: int
    """A number for people, counted per organization and mode, never used again."""
    computer_id: str
    """The id of the computer of the printer."""
    name: str
    """The name that the agent reports."""
    os_name: str
    """The name of the printer in the operating system."""
    description: str
    """The description that the driver reports."""
    display_name: str
    """The name for people. Editable."""
    remarks: str | None
    """Your notes. Editable."""
    enabled: bool
    """True if the printer accepts jobs. Jobs that were accepted before it was disabled wait in `queued`. Editable.
    """
    shared: bool
    """True if computers can print on it with a print access. Editable."""
    is_default: bool
    """True for the default printer of the computer."""
    state: Literal["online", "offline", "unknown"]
    """The state of the printer, `unknown` while its computer is offline. A printer that is not online accepts jobs,
    which wait.
    """
    state_detail: str
    """Details of the state for people, such as out of paper or cover open. Can be empty."""
    state_reasons: tuple[str, ...]
    """Details of the state for programs: IPP keywords such as `media-empty` or `cover-open`."""
    capabilities: Capabilities
    default_options: PrintOptions
    """Options for jobs that do not set them. Editable."""
    custom_papers: tuple[CustomPaper, ...]
    """Your custom paper sizes, at most 50. Editable."""
    default_expire_after: int | None
    """The number of seconds that a job can wait for its agent if it has no `expireAfter`. Null: 86,400, a day.
    Editable.
    """
    created_at: datetime
    """The time of the first report."""
    updated_at: datetime
    """The time of the last change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PurgedPrinter(Model):
    """The numbers of jobs that the purge ended."""

    cancelled: int
    """The number of jobs that were in `queued` or `sent` and are `cancelled`."""
    ended: int
    """The number of jobs that were in `received` or `printing` and are in `error`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DestinationPrinter(Model):
    """A printer of a destination, and what it does now."""

    printer_id: str
    """The id of the printer."""
    name: str
    """The name of the printer for people. Empty for a printer that was removed long ago."""
    computer_id: str | None
    """The id of its computer. Null for a printer that was removed long ago."""
    reason: Literal["printer-removed", "computer-paused", "printer-disabled", "computer-unauthorized", "computer-offline", "printer-offline", "computer-disk-full", "queue-paused", "printer-waits"] | None
    """The cause why the printer takes no job, as a code of explanations. Null if it is available. New codes can be
    added.
    """
    detail: str | None
    """The state of the printer for people, such as out of paper. Null if there is nothing to say."""
    since: datetime | None
    """The time since which the printer is not available. Null if it is available."""
    job_id: str | None
    """The job of a destination that the printer has taken and not finished. It takes no other one before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Destination(Model):
    """A role, such as `kitchen`, whose jobs are printed by one of several printers."""

    id: str
    """The id of the destination."""
    number: int
    """A number for people, counted per organization and mode, never used again."""
    name: str
    """The name, unique in the organization and mode."""
    printers: tuple[DestinationPrinter, ...]
    """The printers in their order."""
    policy: Literal["first", "any"]
    """The choice of the printer that takes the next job. `first`: the first available one of the list, and a later
    one only when each earlier one has been unavailable for `standbyAfter` seconds. `any`: every available one,
    so that the jobs spread.
    """
    standby_after: int
    """The number of seconds for which each earlier printer must be unavailable before a later one takes a job, of
    the policy `first`.
    """
    enabled: bool
    """True if the destination accepts jobs. Jobs that were accepted before it was disabled wait."""
    expire_after: int | None
    """The `expireAfter` of its jobs that do not have one. Null: that of all jobs."""
    waiting_jobs: int
    """The number of jobs that wait for a printer."""
    next_printer_id: str | None
    """The id of the printer that would get the next job. Null if none may take one now."""
    created_at: datetime
    """The time of its creation."""
    updated_at: datetime
    """The time of its last change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EventTypeDescription(Model):
    """A type of events."""

    type: EventType
    description: str
    """The cause of such an event."""
    schema: Mapping[str, Any]
    """The JSON Schema (draft 2020-12) of such an event, without references."""
    example: Mapping[str, Any]
    """An example of such an event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintAccessUser(Model):
    """The member who prints with a print access."""

    id: str
    """The id of the member."""
    email: str | None
    """The e-mail address. Null if a key asks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CreatedPrintAccessKey(Model):
    """A print access with its secret."""

    id: str
    """The id of the print access."""
    name: str
    """The name for people."""
    mode: Literal["live", "test"]
    """The mode of the printers and jobs."""
    printer_ids: tuple[str, ...] | None
    """The printers on which it prints, while they are shared. Null: all shared printers."""
    user: PrintAccessUser | None
    """The member who prints with it, and with whose membership it ends. Null: none."""
    last_four: str | None
    """The last four characters of the secret."""
    created_at: datetime
    """The time of its creation."""
    last_used_at: datetime | None
    """The time of its last use, accurate to one minute. Null before the first."""
    revoked_at: datetime | None
    """The time of its revocation. Null while it is valid."""
    secret: str = field(repr=False)
    """The secret, which is shown only once. It is a password, or the last part of the address of a printer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintAccessKey(Model):
    """A secret with which a computer prints."""

    id: str
    """The id of the print access."""
    name: str
    """The name for people."""
    mode: Literal["live", "test"]
    """The mode of the printers and jobs."""
    printer_ids: tuple[str, ...] | None
    """The printers on which it prints, while they are shared. Null: all shared printers."""
    user: PrintAccessUser | None
    """The member who prints with it, and with whose membership it ends. Null: none."""
    last_four: str | None
    """The last four characters of the secret."""
    created_at: datetime
    """The time of its creation."""
    last_used_at: datetime | None
    """The time of its last use, accurate to one minute. Null before the first."""
    revoked_at: datetime | None
    """The time of its revocation. Null while it is valid."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EnrollmentCommands(Model):
    """The command that installs and enrols an agent, by system, as the dashboard shows it. Null: the installation
    offers no package for it, see `GET /agents/`.
    """

    linux: str | None
    """The command for a terminal of Linux. It downloads and installs the agent, and asks for the token."""
    macos: str | None
    """The command for a terminal of macOS. It asks for the token."""
    windows: str | None
    """The command for PowerShell, started as administrator. It asks for the token."""
    docker: str | None
    """The command for a server with Docker. It contains the token. Replace the address of CUPS."""
    this_computer: str | None
    """The command for the computer of the service, in the clone of Platen, while `npm start` runs. It contains the
    token. Null for other installations.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class Enrollment(Model):
    """A token for the enrolment of computers by their agents."""

    id: str
    """The id of the token."""
    token: str = field(repr=False)
    """The token for the agent. It is shown only once."""
    expires_at: datetime
    """The time at which the token expires."""
    max_uses: int
    """The number of computers that can be enrolled with the token."""
    commands: EnrollmentCommands


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedEnrollment(Model):
    """An enrolment token, without the token itself."""

    id: str
    """The id of the token."""
    expires_at: datetime
    """The time at which the token expires."""
    max_uses: int
    """The number of computers that can be enrolled with the token."""
    uses: int
    """The number of computers that were enrolled with the token."""
    created_at: datetime
    """The time of its creation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EnrolledAgent(Model):
    """An enrolled computer."""

    computer_id: str
    """The id of the computer, unchanged if `previousCredential` was valid."""
    credential: str = field(repr=False)
    """The credential of the agent. It is shown only once."""
    agent_url: str
    """The address to which the agent connects."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookEndpointWithSecret(Model):
    """An endpoint with its new secret."""

    id: str
    """The id of the endpoint."""
    url: str
    """The URL to which events are sent."""
    events: tuple[EventType, ...]
    """The types of the events that are sent."""
    description: str | None
    """Your notes."""
    enabled: bool
    """True if events are sent. While it is false, deliveries are stored as `missed` and can be replayed later."""
    disabled_reason: Literal["user", "failures"] | None
    """The reason for which the endpoint is disabled: `user` (by a PATCH) or `failures` (after five days without a
    success). Null while it is enabled.
    """
    failing_since: datetime | None
    """The time of the first failed attempt since the last success. Null without one."""
    last_status_code: int | None
    """The HTTP status of the last failed attempt. Null without a response, and while the endpoint works."""
    last_error: Literal["timeout", "dns", "connect", "tls", "blocked_address", "redirect", "status", "secret"] | None
    """The class of the error of the last failed attempt. Null while the endpoint works."""
    next_attempt_at: datetime | None
    """The time of the next attempt of any delivery while the endpoint fails. A time in the past is due. Null if no
    attempt follows, and while the endpoint works.
    """
    mode: Literal["live", "test"]
    """The mode whose events are sent."""
    created_at: datetime
    """The time of the creation."""
    secret: str = field(repr=False)
    """The secret that signs deliveries, in the form of Standard Webhooks. It is shown only once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookEndpoint(Model):
    """A URL to which events are sent."""

    id: str
    """The id of the endpoint."""
    url: str
    """The URL to which events are sent."""
    events: tuple[EventType, ...]
    """The types of the events that are sent."""
    description: str | None
    """Your notes."""
    enabled: bool
    """True if events are sent. While it is false, deliveries are stored as `missed` and can be replayed later."""
    disabled_reason: Literal["user", "failures"] | None
    """The reason for which the endpoint is disabled: `user` (by a PATCH) or `failures` (after five days without a
    success). Null while it is enabled.
    """
    failing_since: datetime | None
    """The time of the first failed attempt since the last success. Null without one."""
    last_status_code: int | None
    """The HTTP status of the last failed attempt. Null without a response, and while the endpoint works."""
    last_error: Literal["timeout", "dns", "connect", "tls", "blocked_address", "redirect", "status", "secret"] | None
    """The class of the error of the last failed attempt. Null while the endpoint works."""
    next_attempt_at: datetime | None
    """The time of the next attempt of any delivery while the endpoint fails. A time in the past is due. Null if no
    attempt follows, and while the endpoint works.
    """
    mode: Literal["live", "test"]
    """The mode whose events are sent."""
    created_at: datetime
    """The time of the creation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeliveryAttempt(Model):
    """An attempt to deliver an event."""

    number: int
    """The number of the attempt, counted from 1."""
    trigger: Literal["scheduled", "replay", "test"]
    """The cause of the attempt: `scheduled` (first attempt or retry), `replay` or `test`."""
    at: datetime
    """The time of the start."""
    duration_ms: int
    """The duration in milliseconds."""
    status_code: int | None
    """The HTTP status of the response. Null without a response."""
    error_class: Literal["timeout", "dns", "connect", "tls", "blocked_address", "redirect", "status", "secret"] | None
    """The class of the error. Null if the attempt succeeded."""
    response: str | None
    """The first kilobyte of the response. Null without a response, and for a receiver in a private network."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookDeliveryDetail(Model):
    """A delivery with its payload and attempts."""

    id: str
    """The id of the delivery."""
    webhook_id: str
    """The id of the webhook endpoint."""
    event_id: str
    """The id of the delivered event, sent as `webhook-id`. The event of a test is in no feed."""
    event_type: EventType
    """The type of the event."""
    status: DeliveryStatus
    attempts: int
    """The number of attempts so far."""
    next_attempt_at: datetime | None
    """The time of the next attempt. Null unless the delivery is `pending`."""
    last_status_code: int | None
    """The HTTP status of the last response. Null without a response."""
    last_error: Literal["timeout", "dns", "connect", "tls", "blocked_address", "redirect", "status", "secret"] | None
    """The class of the error of the last attempt. Null if it succeeded."""
    created_at: datetime
    """The time of the creation."""
    delivered_at: datetime | None
    """The time of the first 2xx response. Null before."""
    job: DeliveredJob | None
    """The job of the event. Null for events of printers and computers, for tests, and if the event is no longer
    stored.
    """
    payload: Event | None
    """The event, sent with the same bytes by each attempt. Null if the event is no longer stored."""
    attempt_log: tuple[DeliveryAttempt, ...]
    """The latest 100 attempts, the oldest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookGap(Model):
    """A time without deliveries."""

    since: datetime
    """The begin."""
    until: datetime
    """The end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookReplay(Model):
    """The result of the replay of a range."""

    replayed: int
    """The number of deliveries that are pending again."""
    gaps: tuple[WebhookGap, ...]
    """The times of the range without deliveries, because a user had disabled the endpoint for more than 5 days.
    Oldest first. `GET /v1/events` lists their events.
    """


DocumentCredentialsParam = TypedDict("DocumentCredentialsParam", {"user": str, "pass": str}, total=False)
"""User name and password for the URL of a document."""


class DocumentAuthenticationParam(TypedDict, total=False):
    """The authentication at the URL of a document."""

    type: Literal["BasicAuth"]
    """The authentication scheme."""
    credentials: DocumentCredentialsParam


class PrintOptionsParam(TypedDict, total=False):
    """Print options. An omitted option has the value of the default options of the printer. An option or a value
    that the printer does not support is dropped and named in `stateMessage`. Raw jobs ignore options.
    """

    bin: str | None
    """The paper tray, one of `capabilities.bins`. Null: not set, also if the default options of the printer have a
    value.
    """
    copies: int | None
    """The number of copies that the printer makes, at most `capabilities.copies`. If not set, 1. Null: not set,
    also if the default options of the printer have a value.
    """
    duplex: Literal["long-edge", "short-edge", "one-sided"] | None
    """Printing on both sides, turned at the long or the short edge, or on one side. Null: not set, also if the
    default options of the printer have a value.
    """
    paper: str | None
    """The name of a paper in `capabilities.papers` or `customPapers`. Null: not set, also if the default options of
    the printer have a value.
    """
    pages: str | None
    """The pages to print, counted from 1: a comma list of `n`, `n-m`, `n-`, `-m`, or `-` for all. Null: not set,
    also if the default options of the printer have a value.
    """
    crop: str | None
    """The part of each page to print: `x,y,width,height` in tenths of a millimetre from its upper left corner, or
    `auto` for what is printed on it, with a margin of 3 mm. Null: not set, also if the default options of the
    printer have a value.
    """
    rotate: Literal[0, 90, 180, 270] | None
    """The rotation in degrees, clockwise for the reader of the sheet. On Windows only 90 and 270. Null: not set,
    also if the default options of the printer have a value.
    """
    fit_to_page: bool | None
    """True scales pages to the printable area, false prints them at 100 %. If not set, only larger pages are
    scaled. Null: not set, also if the default options of the printer have a value.
    """
    color: bool | None
    """True prints in colour, false in shades of grey. Null: not set, also if the default options of the printer
    have a value.
    """
    dpi: str | None
    """The resolution, one of `capabilities.dpis`; `300` is `300x300`. Not on Windows. Null: not set, also if the
    default options of the printer have a value.
    """
    media: str | None
    """The kind of paper, one of `capabilities.medias`. Not on Windows. Null: not set, also if the default options
    of the printer have a value.
    """
    collate: bool | None
    """True sorts copies into sets. Not on Windows. Null: not set, also if the default options of the printer have a
    value.
    """
    nup: int | None
    """The number of pages on one sheet, one of `capabilities.nup`. Not on Windows. Null: not set, also if the
    default options of the printer have a value.
    """


class PrintJobRequestParam(TypedDict, total=False):
    """A document for one printer. Send one of `printerId`, `printer` and `destination`, and either `contentType`
    and `content`, or `reprintOf`.
    """

    printerId: str | None
    """The id of the printer, which must be enabled and have the mode of the key. Send it, `printer` or
    `destination`.
    """
    printer: str | None
    """The name or the `number` of the printer, in place of `printerId`. A name that several printers have is
    refused.
    """
    destination: str | None
    """The id, the name or the `number` of a destination, one of whose printers takes the job, in place of
    `printerId`.
    """
    title: str
    """The name of the job. In test mode `[fail]`, `[not-printed]`, `[out-of-paper]`, `[offline]`, `[slow]` or
    `[expire]` in it chooses the outcome.
    """
    contentType: Literal["pdf_uri", "pdf_base64", "image_uri", "image_base64", "raw_uri", "raw_base64"] | None
    """The form of `content`: a PDF, an image (PNG, JPEG, GIF, TIFF or WebP) or raw data for the printer, at a URL
    or as base64.
    """
    content: str | None
    """The document: standard base64 of at most 25 MB decoded, or an `http` or `https` URL of at most 2048
    characters that leads to a public address, at port 80 or 443, without redirects. It is fetched once, within
    30 seconds.
    """
    reprintOf: str | None
    """The earlier job whose stored document is printed again. Documents are stored for 7 days. Its id or its
    `number`.
    """
    authentication: DocumentAuthenticationParam | None
    """The credentials for a URL that requires a password. They are stored until the document is fetched, for an
    hour at most, and are never part of the job.
    """
    source: str | None
    """The system that creates the job, for your own reports."""
    qty: int | None
    """The number of times that the whole job is printed. The number of printed sets is `qty` times the option
    `copies`.
    """
    expireAfter: int | None
    """The number of seconds that the job can wait for its agent before it becomes `expired`. The default is that of
    the destination, or `defaultExpireAfter` of the printer, or 86400.
    """
    hold: bool | None
    """True holds the job until `POST /v1/printjobs/{id}/release`. It expires as others do."""
    notBefore: datetime | None
    """The time before which the job is not printed, at most 7 days ahead. `expireAfter` counts from it."""
    retain: bool | None
    """False deletes the document as soon as the job has ended, so that the job cannot be reprinted. The default is
    true, unless the organization has changed it.
    """
    options: PrintOptionsParam | None
    """The print options."""
    metadata: Mapping[str, str] | None
    """Up to 20 pairs of a name (letters, digits, `_`, `.` and `-`) and a text, for example the number of an order.
    Lists and searches find jobs by them. They cannot be changed. Do not store secrets in them.
    """


class CustomPaperParam(TypedDict, total=False):
    """A custom paper size."""

    name: str
    """The name, a value of the option `paper`. Unique in the list. It has precedence over a paper of the driver
    with the same name.
    """
    width: int
    """The length of this side in tenths of a millimetre."""
    height: int
    """The length of this side in tenths of a millimetre."""
