/**
 * Limits of the reference (docs/reference/limits.md), for code, the OpenAPI document and tests. Durations that an
 * operator can set are in the `config.ts` of their service and in docs/settings.md.
 */

import { BUDGETS } from './budgets.ts'

export { DOCUMENT_MAX_BYTES } from '@platen/proto/agent-bounds.ts'

/** The size of all bodies except that of a new print job. */
export const BODY_MAX_BYTES = 64 * 1024

/** The length of documents and webhook endpoints, in characters. */
export const URL_LENGTH_MAX = 2048

export const PAGE_SIZE = { min: 1, max: 100, default: 25 } as const

/** The number of jobs, printers and computers: a positive 32-bit integer, which every client can hold. */
export const NUMBER = { min: 1, max: 2_147_483_647 } as const

export const PRINT_JOB_LIMITS = {
  titleLengthMax: 255,
  sourceLengthMax: 255,
  qty: { min: 1, max: 100, default: 1 },
  expireAfterSeconds: { min: 60, max: 604_800, default: 86_400 },
  notBeforeDays: 7,
} as const

/** A batch of jobs, and its body without the documents. */
export const BATCH_LIMITS = { jobsMax: 100, fieldsMaxBytes: 256 * 1024 } as const
export const PRINT_ACCESS_LIMITS = {
  /** Valid accesses of a member. */
  perMember: 50,
  /** Printers of an access that is not for all shared ones. */
  printersMax: 100,
  requestsPerSecond: 30,
  documentsAtOnce: 3,
  /** Jobs of Create-Job that wait for their document. A computer has one at a time. */
  openJobs: 20,
  /** Computers render a document while they send it. */
  documentPauseMs: 60_000,
  documentTotalMs: 15 * 60_000,
} as const

/** Pairs of a job's metadata, and their lengths in characters. */
export const METADATA = { pairsMax: 20, keyLengthMax: 40, key: /^[A-Za-z0-9_.-]+$/, valueLengthMax: 500 } as const

/** The lengths of `q`, in characters, and of its results. */
export const SEARCH = { lengthMax: 100, resultsMax: 20 } as const

export const PRINTER_LIMITS = {
  displayNameLengthMax: 255,
  remarksLengthMax: 2000,
  customPapersMax: 50,
  customPaperNameLengthMax: 64,
  /** Tenths of a millimetre: what the contract between the services can hold. */
  customPaperSide: { min: 1, max: 2_147_483_647 },
} as const

export const DESTINATION_LIMITS = {
  nameLengthMax: 100,
  printersMax: 20,
  standbyAfterSeconds: { min: 0, max: 3_600, default: 30 },
} as const

export const ENROLLMENT_LIMITS = {
  uses: { min: 1, max: 1000, default: 1 },
  expiresInSeconds: { min: 60, max: 604_800, default: 900 },
  /** For which an enrolment can be repeated with its `Idempotency-Key`. */
  repeatSeconds: 60,
} as const

export const WEBHOOK_LIMITS = {
  /** Endpoints of an organization, per mode. */
  endpointsMax: 20,
  /** Earlier secrets that still sign. Each adds a signature to the header of every delivery. */
  earlierSecretsMax: 4,
  descriptionLengthMax: 256,
  /** Events of an endpoint that a user has disabled become `missed` deliveries for this time. 5 days. */
  pauseKeptHours: 120,
  graceSeconds: { min: 0, max: 604_800, default: 86_400 },
} as const

/** Resends of an unacknowledged job before it returns to `queued`. */
export const RESENDS_MAX = 3
/**
 * Jobs of a computer, in `sent`: enough to keep an agent busy, few enough to be resent cheaply if the agent is lost.
 */
export const UNACKNOWLEDGED_JOBS_MAX = 8
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const EVENT_WAIT_SECONDS = { min: 1, max: 30 } as const
export const TEST_JOBS_PER_DAY = 500
/** How long statistics have hours and days, in days before the present day in UTC. */
export const STATISTICS_DAYS = { hours: 9, days: 400 } as const
/** Requests of one key. */
export const REQUESTS_PER_SECOND = 20

/** Messages of one agent stream. Further messages are not read, so that TCP slows the agent down. */
export const STREAM_LIMITS = {
  /** One message, or 4 KiB of a larger one, costs a token. A job has three messages. */
  tokensPerSecond: 100,
  tokensMax: 400,
  bytesPerToken: 4 * 1024,
  /** Messages in progress. */
  inProgressMax: 32,
  /** Answers that the agent does not read. */
  unreadBytesMax: 1024 * 1024,
} as const

/** Commands of users to one agent. */
export const COMMAND_LIMITS = {
  /** For the answer of the agent. A user waits for it. */
  timeoutMs: 15_000,
  /** Without an answer, of one stream. */
  pendingMax: 8,
} as const

/** Diagnostics of one computer. */
export const DIAGNOSTICS_LIMITS = { max: 3, keptDays: 14 } as const

/** Messages of all streams of an organization at one replica, in tokens of `STREAM_LIMITS`. */
export const ORGANIZATION_MESSAGES = { perSecond: BUDGETS.agentMessages.max, burst: 10_000 } as const

/** Hellos of one credential and replica. An agent on a bad network connects several times in a row. */
export const HELLO_LIMITS = { perSecond: 1, burst: 10 } as const

/** Messages of agents that wait for a batch, of one replica. */
export const WAITING_MESSAGES_MAX = { owner: 1_000, all: 10_000 } as const

/** Documents that agents download at once, of one replica. */
export const DOWNLOAD_LIMITS = {
  /** An agent has 4. The others may belong to a connection that has just failed. */
  perComputer: 8,
  perOrganization: 32,
  /** The largest document at 350 kbit/s. */
  timeoutMs: 10 * 60_000,
  /** Without a chunk that the agent has read. */
  stalledMs: 60_000,
  /** Calls of one computer. */
  calls: { perSecond: 50, burst: 200 },
} as const

/** Connections to the agents' port. */
export const AGENT_PORT_LIMITS = {
  /** Connections of one replica. */
  connectionsMax: 20_000,
  /** Calls of one connection: a stream and downloads. */
  callsMax: 100,
  /** A connection without a call, a TLS handshake that is not complete, or a stream without a hello, ends. */
  idleMs: 10_000,
} as const

export const PRINTER_REPORT_LIMITS = {
  /** Removed printers of a computer that keep their ids. */
  removed: 500,
  /** Events of the printers of one computer, and of an organization. The next report is stored when they are paid. */
  events: { perSecond: 10, burst: 2_000 },
  organizationEvents: { perSecond: BUDGETS.printerEvents.max, burst: 10_000 },
} as const
/** Bodies of new print jobs that arrive at once: those of more than `BODY_MAX_BYTES` and those of unknown length. */
export const UPLOADS_AT_ONCE = { perKey: 10, perOrganization: 50 } as const
/** Connections to the REST API, of one replica. */
export const CONNECTIONS_MAX = 10_000
/**
 * Connections from one IPv4 address or IPv6 /64 to one port of a replica. Those of agents after their hello do not
 * count.
 */
export const CONNECTIONS_PER_ADDRESS = 200
/** Requests that wait for events at once. */
export const POLLS_AT_ONCE = { perKey: 10, perOrganization: 50 } as const
/**
 * Units of work: a small request is 1, a page of a list, from which on requests are long, 4, a large request 10 or
 * more.
 */
export const WORK_AT_ONCE = { perOrganization: 40, waitMs: 3_000, longFrom: 4, turnWaitMs: 10_000 } as const
/** The size of a document whose picture is drawn by `POST /v1/previews`. */
export const PREVIEW_MAX_BYTES = 1_000_000
/** Documents of print jobs that are read at once. */
export const DOWNLOADS_AT_ONCE = { perKey: 10, perOrganization: 50 } as const
