/**
 * Checks the history of a run. Called by `chaos`, `kills` and `test/history`. A correct run never violates
 * an invariant. The effect of a call without a response is neither required nor forbidden.
 */
import { checkBatches } from './batches.ts'
import { checkDestinations } from './destinations.ts'
import { toFacts } from './facts.ts'
import type { History } from './history.ts'
import { checkFeed, checkPublication } from './publication.ts'
import { checkAcceptance, checkDocuments, checkIdempotency, checkReads } from './requests.ts'
import { checkResends, checkTimeouts } from './resends.ts'
import { checkSpooler } from './spooler.ts'
import { checkIsolation, checkLiveness, checkUsage } from './system.ts'
import { checkTransitions } from './transitions.ts'
import { checkWaits } from './waits.ts'
import { checkDeliveries, checkWebhooks } from './webhooks.ts'

const GROUPS = {
  /** A 201 is one job, the requested one; every job has a request. */
  acceptance: checkAcceptance,
  /** An `Idempotency-Key` creates one job, and its answers agree. */
  idempotency: checkIdempotency,
  /** A batch is created whole, and sent to its printer in order, without other jobs between. */
  batches: checkBatches,
  /** The file store and the table of small documents hold the jobs' documents and nothing else. */
  documents: checkDocuments,
  /** Answers agree with each other and with the events. */
  reads: checkReads,
  /** Events have no gaps and follow the transition table; the job is in the state of its last event. */
  transitions: checkTransitions,
  /** Resends are counted and spaced; nothing expires too early, or is sent before its time or its release. */
  resends: checkResends,
  /** No job is ended too early, and none is released after its agent knows that it has ended. */
  timeouts: checkTimeouts,
  /** A job is released at most once, with the accepted document, and only after `received`. */
  spooler: checkSpooler,
  /** A job of a destination is at one of its printers, one at a time, in the order of acceptance. */
  destinations: checkDestinations,
  /** No job waits for a destination while one of its printers is free. */
  waits: checkWaits,
  /** Each change is in the event log once, in the order of its job, computer or printer. */
  publication: checkPublication,
  /** The feed equals the event logs, byte for byte. */
  feed: checkFeed,
  /** A webhook is signed and is, byte for byte, a subscribed event of the feed. */
  webhooks: checkWebhooks,
  /** Each subscribed event reaches its endpoint; attempts follow the schedule and end with a success. */
  deliveries: checkDeliveries,
  /** The ledger and the counts equal a recount of the live jobs. */
  usage: checkUsage,
  /** No organization gets an id, a job or a secret of another one. */
  isolation: checkIsolation,
  /** Jobs are final, consumers have read the logs, agents are connected, no process exited unexpectedly. */
  liveness: checkLiveness,
}

export type Group = keyof typeof GROUPS

export interface Violation {
  group: Group
  /** The id of a job, event, computer or consumer, or a marker. */
  subject: string
  message: string
}

export function checkHistory(history: History, groups = Object.keys(GROUPS) as Group[]): Violation[] {
  const facts = toFacts(history)
  return groups.flatMap((group) =>
    [...GROUPS[group](facts)].map(([subject, message]): Violation => ({ group, subject, message })),
  )
}
