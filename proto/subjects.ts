/** NATS subjects and streams. `nats-permissions.ts` has who may use them. */

/**
 * The prefix of the answers to a service. Below `_INBOX`, where each user without permissions of Platen has those of
 * all.
 */
export const toInboxPrefix = (service: string) => `_INBOX.${service}`

/**
 * The event log of this service has new entries to publish. Core NATS: messages may be lost, because publishers also
 * poll.
 */
export const eventLogSubject = (log: string) => `platen.event-log.${log}`

/**
 * State transitions: the entries of the event logs, one `EventBatch` per message. Published by the service of the log;
 * a consumer reads what the stream has lost from the log. Reference: docs/operations/event-stream.md.
 */
export const EVENTS_STREAM = {
  name: 'PLATEN_EVENTS',
  subjects: ['platen.events.*'],
  retention: 'limits',
  maxAgeMs: 60 * 60 * 1000,
  maxBytes: 1024 ** 3,
} as const

export const eventsSubject = (log: string) => `platen.events.${log}`

/**
 * Webhook delivery attempts that are due now, published and consumed by the webhooks service. A lost message is
 * published again from the table of deliveries.
 */
export const WEBHOOK_ATTEMPTS_STREAM = {
  name: 'PLATEN_WEBHOOK_ATTEMPTS',
  subjects: ['platen.webhook-attempts.>'],
  retention: 'workqueue',
  maxAgeMs: 24 * 60 * 60 * 1000,
} as const

export const WEBHOOK_ATTEMPTS_SUBJECT = 'platen.webhook-attempts.due'

/**
 * Feeds with new events, `Feed[]` as JSON. Core NATS: a lost message delays a long poll by its waiting time at most.
 */
export const FEEDS_SUBJECT = 'platen.feeds'

export interface Feed {
  organizationId: string
  mode: string
  /** The types of the new events. */
  types: string[]
}

/**
 * Computers with jobs to claim, `WaitingJobs` as JSON. Core NATS, received by all devices replicas. The replica that
 * holds the computer's stream claims the jobs. The jobs service repeats the message while jobs wait, so a lost message
 * delays them by that interval.
 */
export const WAITING_JOBS_SUBJECT = 'platen.waiting-jobs'

/**
 * The computer and its queued job. Without a job id: any number of queued jobs or resends. With a destination: jobs
 * wait for one of its printers, and computer and job are empty, so that replicas of earlier releases ignore it.
 */
export type WaitingJobs = [computerId: string, jobId?: string, destinationId?: string][]

/**
 * Printers whose result of `ResolvePrinter` or claim changed, `PrintersChanged` as JSON. Core NATS: published by the
 * devices service after the commit, received by all processes that cache printers. After a lost message an entry stays
 * stale until it expires.
 */
export const PRINTERS_CHANGED_SUBJECT = 'platen.printers'

export interface PrintersChanged {
  organizationId: string
  computerId: string
  printerIds: string[]
}

/**
 * Heartbeat of a gateway, `{ id, leaving }` as JSON; `leaving` before it stops. Core NATS, received by all gateways.
 */
export const GATEWAYS_SUBJECT = 'platen.gateways'

/**
 * Request for one token of the rate limits: ids of key and organization. Answered by the gateway that owns the
 * organization. Core NATS.
 */
export const gatewayRateSubject = (gatewayId: string) => `platen.gateways.${gatewayId}.rate`

/**
 * Request to start the test computer of an organization, with its id. Answered by the process that runs the virtual
 * agents once the computer is online. Core NATS: a message may be lost, because that process polls for offline test
 * computers every few seconds.
 */
export const TEST_COMPUTER_SUBJECT = 'platen.test-computers'

/** Between the replicas of devices, which alone know what is below it. Core NATS. */
export const DEVICES_SUBJECTS = 'platen.devices.>'
