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

/** "The feed of this organization and mode has something new." Core NATS, allowed to get lost: who waits looks now and then. */
export const feedWakeSubject = (organizationId: string, mode: string) => `platen.feed.${mode}.${organizationId}`

/**
 * "There are jobs to claim for this computer"; the payload is the id of the one that was queued, or empty. Core NATS, heard by the
 * devices replica that holds the computer's stream; allowed to get lost, since the jobs service says it again for as long as jobs wait.
 */
export const computerWakeSubject = (computerId: string) => `platen.computers.${computerId}.wake`

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
