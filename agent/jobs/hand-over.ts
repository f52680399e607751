/**
 * Hands a granted job over to the spooler, or resumes after a kill or a failed call. The next step depends only on the
 * journaled phase. A step that may lead to paper is journaled before it, any other step after it.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'
import { isTooLarge } from '../documents.ts'
import { hasExpired } from '../expiry.ts'
import type { JournalEntry, Outcome } from '../journal/entry.ts'
import type { Phase } from '../journal/phases.ts'
import { record } from '../retry.ts'
import { requireAllowed } from '../spoolers/raw-documents.ts'
import { SpoolerRefusal } from '../spoolers/spooler.ts'
import { REMOVED, type Removals } from './removals.ts'
import { reportFailure } from './report-failure.ts'
import type { Reports } from './reports.ts'
import { UNCONFIRMED } from './unconfirmed.ts'

const DOCUMENT_LOST: Outcome = {
  message: 'The document was lost on the computer before it was printed.',
  reasons: ['document-lost'],
}

const TOO_LARGE: Outcome = {
  message: 'The document is larger than 25 MB. Nothing was printed.',
  reasons: ['content-too-large'],
}

/** The outcome of a job that waited too long on the computer. */
export const EXPIRED: Outcome = {
  message: 'The job expired before it was printed. Nothing was printed.',
  reasons: ['expired-before-printing'],
}

const SUPERSEDED: Outcome = {
  message: 'Another agent has connected with the same credential, so this computer did not print the job.',
  reasons: ['agent-superseded'],
}

type Step = (agent: Agent, job: JournalEntry) => Promise<void>

const STEPS: Partial<Record<Phase, Step>> = {
  /** Nothing was sent to the spooler yet. */
  async granted(agent, job) {
    agent.journal.move(job.id, 'granted', 'handing')
    await submit(agent, job)
  },

  /**
   * Interrupted around the submission. Jobs are submitted held, so a job that is missing at the spooler was not
   * printed.
   */
  async handing(agent, job) {
    if (!(await findSubmitted(agent, job))) await submit(agent, job)
  },

  async held(agent, job) {
    agent.journal.move(job.id, 'held', 'releasing')
    await release(agent, job)
  },

  /**
   * Interrupted around the release. A job that the spooler no longer knows may have been printed and is never submitted
   * again.
   */
  async releasing(agent, job) {
    const state = await agent.spooler.state(job.spoolerJobId ?? '')
    if (!state) agent.journal.finish(job.id, 'releasing', 'error', UNCONFIRMED)
    else if (state.is === 'held') await release(agent, job)
    else agent.journal.move(job.id, 'releasing', 'released')
  },
}

/**
 * Steps for a job that must not be released: it ends with this outcome, or is watched until its end if it was released
 * before.
 */
const withdraw = (outcome: Outcome): Partial<Record<Phase, Step>> => ({
  async granted(agent, job) {
    agent.journal.finish(job.id, 'granted', 'error', outcome)
  },

  async handing(agent, job) {
    if (!(await findSubmitted(agent, job))) agent.journal.finish(job.id, 'handing', 'error', outcome)
  },

  async held(agent, job) {
    await agent.spooler.remove(job.spoolerJobId ?? '')
    agent.journal.finish(job.id, 'held', 'error', outcome)
  },

  async releasing(agent, job) {
    const state = await agent.spooler.state(job.spoolerJobId ?? '')
    if (state?.is !== 'held') return await STEPS.releasing?.(agent, job)
    await agent.spooler.remove(job.spoolerJobId ?? '')
    await record(agent, job.id, () => agent.journal.finish(job.id, 'releasing', 'error', outcome))
  },
})

/** For a job that the server removes during the hand-over. */
const REMOVE_STEPS: typeof STEPS = {
  ...withdraw(REMOVED),

  async releasing(agent, job) {
    await agent.spooler.remove(job.spoolerJobId ?? '')
    agent.journal.move(job.id, 'releasing', 'released')
  },
}

/** For a job that expires during the hand-over. */
const EXPIRE_STEPS = withdraw(EXPIRED)

const SUPERSEDED_STEPS = withdraw(SUPERSEDED)

function chooseSteps({ clock, isSuperseded }: Agent, removals: Removals, job: JournalEntry): typeof STEPS {
  if (removals.isRequested(job.id)) return REMOVE_STEPS
  if (isSuperseded) return SUPERSEDED_STEPS
  return hasExpired(clock, job) ? EXPIRE_STEPS : STEPS
}

/**
 * Resolves when the spooler has accepted the job or its end is journaled. Failed spooler calls are reported and
 * retried.
 *
 * @throws when the agent stops; never between a call of the spooler and its record.
 */
export async function handOver(agent: Agent, removals: Removals, reports: Reports, jobId: string): Promise<void> {
  for (let failures = 0; ; ) {
    agent.stopping.throwIfAborted()
    const job = agent.journal.get(jobId)
    const step = job && chooseSteps(agent, removals, job)[job.phase]
    if (!job || !step) return
    try {
      await step(agent, job)
    } catch (error) {
      if (error instanceof SpoolerRefusal) {
        const { message, reasons } = error
        agent.journal.finish(jobId, 'handing', 'error', { message, reasons })
        return
      }
      agent.log.warn({ err: error, job_id: jobId, phase: job.phase }, 'spooler call failed, retrying')
      reportFailure(agent, reports, jobId, error)
      await sleep(pauseMs(failures++, agent.timings.backoff), undefined, { signal: agent.stopping })
    }
  }
}

/** @returns whether the spooler has the job. If so, its phase is journaled. */
async function findSubmitted({ spooler, journal }: Agent, { id, printerOsName }: JournalEntry): Promise<boolean> {
  const found = await spooler.find(id, printerOsName)
  if (found) {
    const to = found.state.is === 'held' ? 'held' : 'released'
    journal.move(id, 'handing', to, { spoolerJobId: found.spoolerJobId })
  }
  return found !== undefined
}

async function submit({ config, spooler, documents, journal }: Agent, job: JournalEntry): Promise<void> {
  const { id, title, printerOsName, contentType, qty, options } = job
  if (isTooLarge(job)) return journal.finish(id, 'handing', 'error', TOO_LARGE)
  const file = documents.getPath(id)
  if (!existsSync(file)) return journal.finish(id, 'handing', 'error', DOCUMENT_LOST)
  const submission = { token: id, title, printerOsName, file, contentType, qty, options }
  await requireAllowed(config.raw, submission)
  await journal.durable()
  const submitted = await spooler.submitHeld(submission)
  journal.move(id, 'handing', 'held', submitted)
}

async function release({ spooler, journal }: Agent, { id, spoolerJobId }: JournalEntry): Promise<void> {
  await journal.durable()
  await spooler.release(spoolerJobId ?? '')
  journal.move(id, 'releasing', 'released')
}
