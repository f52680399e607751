/**
 * The history of a run, recorded independently by clients, spoolers, webhook receivers, the database, the agents'
 * journals and the file store. The checker reads only this. All times are milliseconds since 1970 on the clock of one
 * machine.
 */
export interface History {
  settings: Numbers<'resendAfterMs' | 'resendsMax' | 'printingTimeoutMs' | 'agentLostMs'> & {
    /** Between a failed attempt of a webhook delivery and the next one. */
    webhookGapsMs: number[]
  }
  calls: ClientCall[]
  spoolerCalls: SpoolerCall[]
  faults: InjectedFault[]
  agents: AgentFacts[]
  endpoints: EndpointFacts[]
  /** Undefined if the run had no receiver. */
  receivedWebhooks?: ReceivedWebhook[]
  /** One snapshot. */
  database: DatabaseRows
  /** Storage keys of the documents in the file store. */
  storedDocuments: string[]
  /** Ends of processes that no fault caused: "agent-1: exit code 1". */
  unexpectedEnds: string[]
  collectedAtMs: number
  /** Places that hold a secret which they must not hold. */
  leaks: string[]
  /** Changes of the printers of destinations. Undefined if the run made none. */
  destinationChanges?: DestinationChange[]
  /** Undefined if the run switched no printer on or off. */
  printerSwitches?: PrinterSwitch[]
  /** The claims of jobs of destinations, each with its printer. Undefined if they are unknown. */
  claims?: DestinationClaim[]
  /** Jobs that were created with `hold`. Undefined if the run made none. */
  heldJobs?: HeldJob[]
  /** The clock moved only by the run, so a busy machine delayed nothing. */
  isTimeInjected?: true
}

export interface DestinationClaim {
  jobId: string
  printerId: string
  /** The time of the event `sent`. */
  takenAtMs: number
}

export interface HeldJob {
  jobId: string
  /** The first request that releases it, or another job of its batch. Null without one. */
  startedAtMs: number | null
  /** The answer to it. */
  releasedAtMs: number | null
}

export interface DestinationChange {
  destinationId: string
  policy: 'first' | 'any'
  /** All printers from then on, in their order. None if the destination is disabled or deleted. */
  printerIds: string[]
  /**
   * The time for which each earlier printer must be off before a later one has its turn. Without it only the first one
   * is expected to take jobs.
   */
  standbyAfterMs?: number
  startedAtMs: number
  /** Null without an answer. */
  answeredAtMs: number | null
}

/** A printer becomes, or stops being, one that takes jobs: by a user, its state, or the connection of its computer. */
export interface PrinterSwitch extends Pick<DestinationChange, 'startedAtMs' | 'answeredAtMs'> {
  printerId: string
  enabled: boolean
}

/** A request to the API. A call without `status` got no response, but may have taken effect. */
export interface ClientCall {
  kind: 'create' | 'get' | 'events' | 'list'
  organizationId: string
  /** The title of a created job, different for each request body. Without it `jobId` connects the call with its job. */
  marker?: string
  /** The `Idempotency-Key` of a creation. */
  key?: string
  /** The request that it has in common with the other jobs of a batch. Each job of it has a call. */
  batch?: string
  /** The answer had `Idempotent-Replayed: true`. */
  isReplay?: boolean
  /** The hash of the document that the job must have, hex. */
  contentSha256?: string
  reprintOf?: string
  qty?: number
  startedAtMs: number
  endedAtMs?: number
  status?: number
  jobId?: string
  /** The job's state in the answer. */
  state?: string
  /** Ids of jobs, printers and computers in the answer. */
  namedIds: string[]
}

export interface SpoolerCall {
  call: 'submit' | 'release' | 'remove'
  computerId: string
  /** The job's id. */
  token: string
  spoolerJobId: string
  /** The hash of the document, hex, and the copies; undefined if the spooler does not record them. */
  sha256?: string
  qty?: number
  atMs: number
  /** The spooler did not answer, so it may or may not have obeyed. */
  isUncertain?: boolean
}

/** The kind of a fault that no run injects: a process did not run. */
export const STALL = 'stall'

export interface InjectedFault {
  /** "kill -9", "pause", "cut", "half-open", "reset", "delay", "wipe NATS", "restart PostgreSQL", or `STALL`. */
  kind: string
  /** A process or a link: "jobs-0", "gateway-1 > jobs-0". */
  target: string
  startedAtMs: number
  endedAtMs: number
}

export interface AgentFacts {
  /** The process that runs it. */
  name: string
  computerId: string
  organizationId: string
  /** Jobs in the agent's journal that are not settled. */
  unsettledJobIds: string[]
  /** Each time the service welcomed a stream of the agent. */
  welcomedAtMs: number[]
}

export interface EndpointFacts {
  id: string
  organizationId: string
  mode: string
  /** Subscribed event types. */
  events: string[]
  /** Events from this time on must be delivered; without it all events. */
  sinceMs?: number
}

export interface ReceivedWebhook {
  /** The endpoint's id; the path of a request that belongs to no endpoint. */
  endpoint: string
  /** The `webhook-id` header. */
  webhookId: string
  isSigned: boolean
  /** From the body of a signed request. */
  eventId: string | null
  bodySha256: string
  atMs: number
  /** The status of the answer; null if the receiver closed the connection. */
  status: number | null
}

export interface DatabaseRows {
  /** In the order of their acceptance. */
  jobs: JobRow[]
  /** All printers, also removed ones. */
  printers: Strings<'id' | 'organizationId' | 'mode' | 'computerId'>[]
  /** The documents that lie beside their jobs. */
  documents: Strings<'jobId' | 'sha256'>[]
  events: JobEventRow[]
  /** The event logs of jobs and devices, each in the order in which consumers read it. */
  log: LoggedEvent[]
  /** Consumers that have not read all events of a log that concern them. */
  unread: UnreadLog[]
  ledger: { eventId: string; jobId: string; organizationId: string; jobCreatedAtMs: number }[]
  counts: { organizationId: string; periodStartMs: number; prints: number }[]
  feed: EventRow[]
  deliveries: DeliveryRow[]
  attempts: AttemptRow[]
}

type Strings<Name extends string> = Record<Name, string>
type Numbers<Name extends string> = Record<Name, number>

export interface JobRow
  extends Strings<'id' | 'organizationId' | 'mode' | 'printerId' | 'computerId' | 'title' | 'state'>,
    Numbers<'qty' | 'version' | 'attempt' | 'createdAtMs' | 'expiresAtMs'>,
    Record<'notBeforeMs' | 'sentAtMs' | 'receivedAtMs' | 'printingAtMs' | 'finishedAtMs', number | null>,
    // The document is null if it is not fetched yet, or its fetch failed.
    Record<'storageKey' | 'fileSha256' | 'reprintOf' | 'batchId' | 'destinationId', string | null> {
  stateReasons: string[]
  hasInlineDocument: boolean
}

export type JobEventRow = Strings<'id' | 'jobId' | 'state' | 'actor'> & Numbers<'sequence' | 'createdAtMs'>

/** An event as a log or the feed has it. The resource and its sequence are from the body. */
export type EventRow = Strings<'id' | 'organizationId' | 'mode' | 'type' | 'resourceId' | 'bodySha256'> &
  Numbers<'sequence' | 'occurredAtMs'>

/** `log` is the service whose log it is. */
export type LoggedEvent = EventRow & { log: string }

export type UnreadLog = Strings<'consumer' | 'log'> & Numbers<'events'>

export type DeliveryRow = Strings<'id' | 'endpointId' | 'eventId' | 'status'> &
  Record<'nextAttemptAtMs' | 'deliveredAtMs', number | null>

/** `number` counts from 1. */
export type AttemptRow = { deliveryId: string; statusCode: number | null } & Numbers<'number' | 'atMs' | 'durationMs'>
