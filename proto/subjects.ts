/** The subjects and streams that services share. Everything else that travels through NATS is named by the runtime. */

/** "There is more in the event log of this service." Core NATS, allowed to get lost: who follows a log looks now and then. */
export const eventLogSubject = (log: string) => `platen.event-log.${log}`

/**
 * Attempts of webhook deliveries that are due now, published by the webhooks service and made by it. The table of deliveries is the truth:
 * whatever is lost here is published again.
 */
export const WEBHOOK_ATTEMPTS_STREAM = {
  name: 'PLATEN_WEBHOOK_ATTEMPTS',
  subjects: ['platen.webhook-attempts.>'],
}

export const WEBHOOK_ATTEMPTS_SUBJECT = 'platen.webhook-attempts.due'

/** These feeds have new events, `Feed[]` as JSON. Core NATS: a lost message costs a long poll at most its waiting time. */
export const FEEDS_SUBJECT = 'platen.feeds'

export interface Feed {
  organizationId: string
  mode: string
  /** Of the new events. */
  types: string[]
}

/**
 * Computers have jobs to claim, `WaitingJobs` as JSON. Core NATS, received by all devices replicas; the one that holds a computer's
 * stream claims. The jobs service repeats it while jobs wait, so a lost message costs its interval.
 */
export const WAITING_JOBS_SUBJECT = 'platen.waiting-jobs'

/** The computer, and the job that was queued; without a job there may be any number of any kind. */
export type WaitingJobs = [computerId: string, jobId?: string][]

/**
 * Printers changed in a way that `ResolvePrinter` or a claim shows, `PrintersChanged` as JSON. Core NATS: published by the devices service
 * after the commit, received by all processes that cache printers. A lost message costs them at most the lifetime of a cache entry.
 */
export const PRINTERS_CHANGED_SUBJECT = 'platen.printers'

export interface PrintersChanged {
  organizationId: string
  computerId: string
  printerIds: string[]
}

/** "This gateway is alive", or about to stop: `{ id, leaving }` as JSON. Core NATS, heard by all gateways. */
export const GATEWAYS_SUBJECT = 'platen.gateways'

/** "May this key make one more request?": a request with the key's id, answered by the gateway that decides for it. Core NATS. */
export const gatewayRateSubject = (gatewayId: string) => `platen.gateways.${gatewayId}.rate`

/**
 * "Somebody uses test mode": a request with the organization's id, answered by the process that plays the test computers once this one is
 * online. Core NATS; allowed to get lost, since that process is told of computers that are offline every few seconds.
 */
export const TEST_COMPUTER_SUBJECT = 'platen.test-computers'
