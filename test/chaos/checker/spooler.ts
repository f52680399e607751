/**
 * What reached the spooler, which is what may have reached paper.
 *
 * - S4: a job is released at most once, and is the document and the quantity that were accepted.
 * - S5: of a job that was cancelled or has expired the spooler never heard.
 * - S6: a job that is done was released. The service calls no job `unconfirmed` whose agent has its journal, and no fault of these
 *   runs takes a journal away; only an agent may, whose spooler has forgotten the job.
 * - S7: the spooler hears of a job only after `received` was recorded. (Of `error`, also `unconfirmed`, nothing follows: a job
 *   may have been released or not.)
 */
import type { SpoolerCall } from '../history.ts'
import type { Facts, JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

/** Of one machine's clock, read by two processes. */
const CLOCK_TOLERANCE_MS = 20

const S4 = violationOf('S4')
const S5 = violationOf('S5')
const S6 = violationOf('S6')
const S7 = violationOf('S7')

export function checkSpooler({ jobs, history }: Facts): Violation[] {
  const unknown = history.spoolerCalls.filter(({ token }) => !jobs.has(token))
  return [
    ...unknown.map(({ call, token }) => S4('illegal', token, `A ${call} names a job that is not there.`)),
    ...[...jobs.values()].flatMap((job) => [...checkReleases(job), ...checkContents(job), ...checkPermission(job)]),
  ]
}

function checkReleases({ row, events, spoolerCalls }: JobFacts): Violation[] {
  const submitted = new Set(
    spoolerCalls.filter(({ call }) => call === 'submit').map(({ spoolerJobId }) => spoolerJobId),
  )
  const releases = spoolerCalls.filter(({ call }) => call === 'release')
  const unknown = releases.filter(({ spoolerJobId }) => !submitted.has(spoolerJobId))
  const found = unknown.map(({ spoolerJobId }) => S4('illegal', row.id, `${spoolerJobId} was released unsubmitted.`))
  if (releases.length > 1) found.push(S4('doubled', row.id, `The job was released ${releases.length} times.`))
  if (row.state === 'done' && releases.length === 0)
    found.push(S6('lost', row.id, 'The job is done, and was never released.'))
  if (row.stateReasons.includes('unconfirmed') && events.at(-1)?.actor === 'system')
    found.push(
      S6('illegal', row.id, 'The service gave the job up as unconfirmed, though its agent knows what became of it.'),
    )
  return found
}

function checkContents({ row, spoolerCalls }: JobFacts): Violation[] {
  const wrong = (is: (call: SpoolerCall) => boolean, what: string) =>
    spoolerCalls.some((call) => !is(call)) ? [S4('other', row.id, `The spooler got ${what} than was accepted.`)] : []
  return [
    ...wrong(({ sha256 }) => sha256 === row.fileSha256, 'another document'),
    ...wrong(({ qty }) => qty === row.qty, 'another quantity'),
  ]
}

function checkPermission({ row, events, spoolerCalls }: JobFacts): Violation[] {
  const first = spoolerCalls[0]
  if (!first) return []
  if (row.state === 'cancelled' || row.state === 'expired')
    return [S5('illegal', row.id, `The job is ${row.state}, and the spooler was given it.`)]
  const received = events.find(({ state }) => state === 'received')
  if (!received) return [S7('illegal', row.id, 'The spooler was given a job that was never received.')]
  const earlyMs = received.createdAtMs - first.atMs
  if (earlyMs <= CLOCK_TOLERANCE_MS) return []
  return [S7('illegal', row.id, `The spooler was given the job ${earlyMs} ms before it was received.`)]
}
