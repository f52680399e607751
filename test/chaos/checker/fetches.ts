/**
 * Jobs whose document a server is asked for.
 *
 * - S16: one whose server has no document, or breaks off in the middle, never goes out and ends with `fetch-failed`, unless it expires
 *   before; and one whose server has it does not fail for that. (That what is printed are the bytes which the server sent is S1 and S4.)
 * - L8: nothing is held for a fetch when all is over: not its URL, not its credentials.
 */
import type { InjectedFault } from '../history.ts'
import type { Facts, JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const REASONS = ['fetch-failed', 'fetch-timeout']

const S16 = violationOf('S16')
const L8 = violationOf('L8')

export function checkFetches({ jobs, history }: Facts): Violation[] {
  return [
    ...[...jobs.values()].flatMap((job) => {
      const serves = job.creations[0]?.serves
      if (serves === undefined) return []
      return serves === 'nothing' ? checkFailing(job) : checkServed(job, history.faults)
    }),
    ...history.database.fetches.map(({ jobId, attempt }) =>
      L8('stuck', jobId, `What is needed for a fetch is still held after ${attempt} attempts.`),
    ),
  ]
}

function checkFailing({ row, events, spoolerCalls }: JobFacts): Violation[] {
  const found: Violation[] = []
  if (row.fileSha256 !== null) found.push(S16('illegal', row.id, 'The job has a document that its server never sent.'))
  if (spoolerCalls.length > 0 || events.some(({ state }) => state === 'sent'))
    found.push(S16('illegal', row.id, 'The job went out, though its server had no document.'))
  else if (row.state === 'error' && !row.stateReasons.includes('fetch-failed'))
    found.push(S16('other', row.id, `The fetch failed, and the job says [${row.stateReasons}].`))
  return found
}

/** Its time runs on while the replica that fetches stands still. A killed one leaves the fetch to another, and no fault is between it and the server. */
function checkServed({ row }: JobFacts, faults: InjectedFault[]): Violation[] {
  if (row.state !== 'error' || !row.stateReasons.some((reason) => REASONS.includes(reason))) return []
  const endedAtMs = row.finishedAtMs ?? Number.POSITIVE_INFINITY
  const stoodStill = faults.some(
    (fault) =>
      fault.kind === 'pause' &&
      fault.target.startsWith('jobs') &&
      fault.startedAtMs <= endedAtMs &&
      fault.endedAtMs >= row.createdAtMs,
  )
  return stoodStill ? [] : [S16('lost', row.id, `The job says [${row.stateReasons}], and its server had the document.`)]
}
