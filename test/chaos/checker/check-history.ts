/**
 * Judges what a chaos run left behind. Called by the runs of `test:chaos` and by the one that plants bugs; reads nothing but the
 * history. Never blames a correct run: what nobody can know (a call without an answer) is neither demanded nor forbidden.
 *
 * | invariant | in short | file |
 * | - | - | - |
 * | S1 | a 201 is one job, the one asked for; no job comes from nowhere | `acceptance.ts` |
 * | S2 | events are gapless and walk along the specification's table; the job is where they end | `transitions.ts` |
 * | S3 | what is told is recorded, told whole, and told in order | `publication.ts` |
 * | S4 | released at most once; the document and quantity that were accepted | `spooler.ts` |
 * | S5 | cancelled or expired: never at the spooler; given up: not released any more | `spooler.ts`, `given-up.ts` |
 * | S6 | done: released | `spooler.ts` |
 * | S7 | nothing at the spooler before `received`; answers to clients never contradict | `spooler.ts`, `reads.ts` |
 * | S8 | an `Idempotency-Key` makes one job, and its answers say so | `idempotency.ts` |
 * | S9 | resends counted, spaced and not left out; no expiry, and nothing given up, before its time | `resends.ts`, `given-up.ts` |
 * | S10 | a webhook is signed, meant for its endpoint, and to the byte the event of the feed | `webhooks.ts` |
 * | S11 | each event came to each endpoint that wanted it; a success is the end; attempts keep the schedule | `deliveries.ts` |
 * | S12 | each accepted live job is one print, and the counts are those of its month | `usage.ts` |
 * | S13 | no id of another organization; each job on its own computer | `isolation.ts` |
 * | S14 | no credential or contents where they must not be | `isolation.ts` |
 * | S16 | a job whose fetch fails ends so and never goes out; no other fails for that | `fetches.ts` |
 * | L8 | nothing is held for a fetch that is over | `fetches.ts` |
 * | L1, L2, L5, L6, L7 | all jobs final and settled, outbox empty, consumers done, agents back, no process ended by itself | `liveness.ts` |
 * | L3 | the feed has each change of a job once; no delivery is overdue | `feed.ts`, `deliveries.ts` |
 * | L4 | the file store holds the jobs' documents and no others | `documents.ts` |
 *
 * Wait for the parts that they are about: S15 (rate limit), and of S7 the answers to a cancel.
 */
import type { History } from '../history.ts'
import { checkAcceptance } from './acceptance.ts'
import { checkDeliveries } from './deliveries.ts'
import { checkDocuments } from './documents.ts'
import { factsOf } from './facts.ts'
import { checkFeed } from './feed.ts'
import { checkFetches } from './fetches.ts'
import { checkGivenUp } from './given-up.ts'
import { checkIdempotency } from './idempotency.ts'
import { checkIsolation } from './isolation.ts'
import { checkLiveness } from './liveness.ts'
import { checkPublication } from './publication.ts'
import { checkReads } from './reads.ts'
import { checkResends } from './resends.ts'
import { checkSpooler } from './spooler.ts'
import { checkTransitions } from './transitions.ts'
import { checkUsage } from './usage.ts'
import type { Violation } from './violation.ts'
import { checkWebhooks } from './webhooks.ts'

const GROUPS = [
  checkAcceptance,
  checkTransitions,
  checkPublication,
  checkSpooler,
  checkReads,
  checkIdempotency,
  checkResends,
  checkGivenUp,
  checkIsolation,
  checkDocuments,
  checkFetches,
  checkUsage,
  checkFeed,
  checkWebhooks,
  checkDeliveries,
  checkLiveness,
]

export function checkHistory(history: History): Violation[] {
  const facts = factsOf(history)
  return GROUPS.flatMap((check) => check(facts))
}
