/** Invariants of jobs at the spooler, which may have been printed. */
import { CLOCK_TOLERANCE_MS, type Facts, forJobs, type JobFacts, type Problems } from './facts.ts'

/** Why a job may end in `error` although only processes and connections failed, and a user deleted a destination. */
const EXCUSES = [
  ...['unconfirmed', 'expired-before-printing', 'spooler-timeout', 'agent-lost', 'document-missing'],
  'destination-deleted',
]

export function* checkSpooler(facts: Facts): Problems {
  const { jobs, history } = facts
  for (const { call, token } of history.spoolerCalls)
    if (!jobs.has(token)) yield [token, `A ${call} names a job that does not exist.`]
  yield* forJobs(facts, (job) => [...releaseProblems(job), ...contentProblems(job), ...permissionProblems(job)])
}

function* releaseProblems({ row, events, spoolerCalls }: JobFacts): Iterable<string> {
  // A kill between a submission and its line in the log leaves a release alone: the restarted agent finds the job and
  // releases it.
  const releases = spoolerCalls.filter(({ call }) => call === 'release')
  const certain = releases.filter(({ isUncertain }) => !isUncertain).length
  if (certain > 1) yield `The job was released ${certain} times.`
  if (row.state === 'done' && releases.length === 0) yield 'The job is done but was not released.'
  if (row.state === 'error' && !row.stateReasons.some((reason) => EXCUSES.includes(reason)))
    yield `The job ended in error with [${row.stateReasons}].`
  // No fault removes a journal, so the agent knows the outcome.
  if (row.stateReasons.includes('unconfirmed') && events.at(-1)?.actor === 'system')
    yield 'The service, not the agent, reported the job as unconfirmed.'
}

function* contentProblems({ row, spoolerCalls }: JobFacts): Iterable<string> {
  for (const { sha256 = row.fileSha256, qty = row.qty } of spoolerCalls) {
    if (sha256 !== row.fileSha256) yield 'The spooler got another document than was accepted.'
    if (qty !== row.qty) yield 'The spooler got another quantity than was accepted.'
  }
}

function* permissionProblems({ row, events, spoolerCalls: [first] }: JobFacts): Iterable<string> {
  if (!first) return
  if (row.state === 'cancelled' || row.state === 'expired') yield `The job is ${row.state}, but the spooler got it.`
  const received = events.find(({ state }) => state === 'received')
  if (!received) yield 'The spooler got a job that was never received.'
  else if (received.createdAtMs - first.atMs > CLOCK_TOLERANCE_MS)
    yield `The spooler got the job ${received.createdAtMs - first.atMs} ms before it was received.`
}
