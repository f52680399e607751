/** The subjects and streams that services share. Everything else that travels through NATS is named by the runtime. */

/** State changes of jobs: `platen.jobs.<mode>.<state>`, payload `platen.events.v1.JobChanged` as JSON. Published by the jobs service's outbox alone. */
export const JOBS_STREAM = { name: 'PLATEN_JOBS', subjects: ['platen.jobs.>'] }

/** @param mode `live`, `test`, or `*` for a consumer of both. */
export const jobSubject = (mode: string, state: string) => `platen.jobs.${mode}.${state}`

/** The consumer that starts dispatch; a `queued` event stays in the outbox until it has confirmed it. */
export const DISPATCH_CONSUMER = 'devices-dispatch'

/** The consumer that counts prints: only the first event of a live job waits for it. */
export const USAGE_CONSUMER = 'usage-ledger'

/**
 * "There are jobs to claim for this computer"; the payload is the id of the one that was queued, or empty. Core NATS, heard by the
 * devices replica that holds the computer's stream; allowed to get lost, since the jobs service says it again for as long as jobs wait.
 */
export const computerWakeSubject = (computerId: string) => `platen.computers.${computerId}.wake`

/** "This gateway is alive", or about to stop: `{ id, leaving }` as JSON. Core NATS, heard by all gateways. */
export const GATEWAYS_SUBJECT = 'platen.gateways'

/** "May this key make one more request?": a request with the key's id, answered by the gateway that decides for it. Core NATS. */
export const gatewayRateSubject = (gatewayId: string) => `platen.gateways.${gatewayId}.rate`

/**
 * "Somebody uses test mode": a request with the organization's id, answered by the process that plays the test computers once this one is
 * online. Core NATS; allowed to get lost, since that process is told of computers that are offline every few seconds.
 */
export const TEST_COMPUTER_SUBJECT = 'platen.test-computers'
