/**
 * What one run left behind, told by every side on its own: the clients, the spoolers, the listener on the event stream, the
 * database, the agents' journals, the stores and logs. The checker reads only this. All times are milliseconds since 1970 on one machine's clock.
 */

export interface History {
  seed: number
  /** The settings of the run that invariants are measured by. */
  settings: {
    resendAfterMs: number
    resendsMax: number
    printingTimeoutMs: number
    agentLostMs: number
    /** From the end of each failed attempt of a webhook delivery to the next one. */
    webhookGapsMs: number[]
  }
  calls: ClientCall[]
  spoolerCalls: SpoolerCall[]
  /** What the listener heard, in its order; it also hears what is published again. */
  heardEvents: HeardEvent[]
  faults: InjectedFault[]
  agents: AgentFacts[]
  /** Made before the first call, and enabled throughout. */
  endpoints: EndpointFacts[]
  /** What came to them, in its order. */
  receivedWebhooks: ReceivedWebhook[]
  /** Read after the quiet period. */
  database: {
    jobs: JobRow[]
    events: JobEventRow[]
    outbox: OutboxRow[]
    fetches: FetchRow[]
    ledger: LedgerRow[]
    counts: CountRow[]
    feed: FeedRow[]
    deliveries: DeliveryRow[]
    attempts: AttemptRow[]
  }
  /** Storage keys of the documents in the file store after the quiet period. */
  storedDocuments: string[]
  /** Messages that each durable consumer has not confirmed after the quiet period. */
  consumerLag: Record<string, number>
  /** Ids of the events that the stream holds after the quiet period: all that the server ever had, but for what a wipe took away. */
  keptEventIds: string[]
  /** Ends of processes that nobody killed: "agent-1: exit code 1". Each was started again. */
  unexpectedEnds: string[]
  /** When the database was read. */
  collectedAtMs: number
  /** Where a credential, or the canary of an organization's contents, was found though it must not be: "jobs.log: key of organization A". */
  leaks: string[]
}

/** A request of a load client. A call without `status` had no answer: it may have happened or not. */
export interface ClientCall {
  kind: 'create' | 'get' | 'events' | 'list'
  organizationId: string
  /** Of creations: stands in the title, different for each body, so that a job without an answer is explained by its calls. */
  marker?: string
  /** Of creations: the `Idempotency-Key`, with which one body is sent several times. */
  key?: string
  /** Of creations: the answer had `Idempotent-Replayed: true`. */
  isReplay?: boolean
  /** Of creations: of the document that the job is to have, hex. */
  contentSha256?: string
  /** Of creations with a URL: what its server gives to who asks. Half a document is nothing. */
  serves?: 'document' | 'nothing'
  /** Of reprints: the job whose document is asked for. */
  reprintOf?: string
  qty?: number
  startedAtMs: number
  endedAtMs?: number
  status?: number
  jobId?: string
  /** Of a job that was read. */
  state?: string
  /** All ids of jobs, printers and computers that the answer named. */
  namedIds: string[]
}

/** Written by the spooler itself, which is a process of its own, before it obeys. */
export interface SpoolerCall {
  call: 'submit' | 'release' | 'remove'
  /** Which agent submitted the job, as faults name its process: "agent-0". */
  agent: string
  /** The job's id. */
  token: string
  spoolerJobId: string
  printer: string
  /** Of the bytes that arrived, hex. */
  sha256: string
  qty: number
  atMs: number
}

/** A message of the stream, as it arrived. */
export interface HeardEvent {
  eventId: string
  subject: string
  jobId: string
  organizationId: string
  state: string
  sequence: number
  atMs: number
}

export interface InjectedFault {
  /** "kill -9", "pause", "cut", "half-open", "delay", "reset", "wipe NATS", "restart PostgreSQL". */
  kind: string
  /** A process, or a link as "gateway-1 > jobs-0". */
  target: string
  startedAtMs: number
  endedAtMs: number
}

export interface AgentFacts {
  /** As faults name its process: "agent-0". */
  name: string
  computerId: string
  organizationId: string
  /** Jobs in its journal that it has not settled. */
  unsettledJobIds: string[]
  /** Each time that its stream was welcomed. */
  welcomedAtMs: number[]
}

export interface EndpointFacts {
  id: string
  organizationId: string
  mode: string
  /** Types of events. */
  events: string[]
}

/** A request, told by the receiver on its own. */
export interface ReceivedWebhook {
  /** The id; of a request to a path that is no endpoint's, the path. */
  endpoint: string
  /** The header. */
  webhookId: string
  /** The public library has verified it with the endpoint's secret, at its arrival. */
  isSigned: boolean
  /** Of the body. Null when it is not signed. */
  eventId: string | null
  bodySha256: string
  atMs: number
  /** What it was answered; null when the connection was closed instead. */
  status: number | null
}

export interface JobRow {
  id: string
  organizationId: string
  mode: string
  printerId: string
  computerId: string
  title: string
  qty: number
  /** Null while there is no document yet, and when its fetch failed. */
  storageKey: string | null
  fileSha256: string | null
  reprintOf: string | null
  state: string
  stateReasons: string[]
  version: number
  attempt: number
  createdAtMs: number
  expiresAtMs: number
  sentAtMs: number | null
  receivedAtMs: number | null
  printingAtMs: number | null
  finishedAtMs: number | null
}

export interface JobEventRow {
  id: string
  jobId: string
  sequence: number
  state: string
  actor: string
  message: string | null
  createdAtMs: number
}

export interface OutboxRow {
  eventId: string
  jobId: string
  subject: string
  awaiting: string[]
  publications: number
  publishedAtMs: number | null
}

/** What is held for a fetch until it ends. */
export interface FetchRow {
  jobId: string
  attempt: number
}

/** A print, as usage recorded it. */
export interface LedgerRow {
  eventId: string
  jobId: string
  organizationId: string
  jobCreatedAtMs: number
}

/** What usage reports of an organization's calendar month. */
export interface CountRow {
  organizationId: string
  periodStartMs: number
  prints: number
}

/** An event of the feed, whatever it is about. */
export interface FeedRow {
  id: string
  organizationId: string
  mode: string
  type: string
  /** From the body: of what it happened to, and the number of the event there. */
  resourceId: string
  sequence: number
  bodySha256: string
  /** When it was told of, from the body. */
  occurredAtMs: number
}

export interface DeliveryRow {
  id: string
  endpointId: string
  eventId: string
  status: string
  nextAttemptAtMs: number | null
  deliveredAtMs: number | null
}

export interface AttemptRow {
  deliveryId: string
  /** Counts from 1. */
  number: number
  atMs: number
  durationMs: number
  statusCode: number | null
  errorClass: string | null
}
