/**
 * Takes a granted job to the spooler, or goes on where an earlier process was killed or a call failed: what to do follows from
 * the journaled phase alone. Every step is journaled before it is taken where it may lead to paper, and after it where it
 * cannot.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'
import type { JournalEntry, Outcome } from '../journal/entry.ts'
import type { Phase } from '../journal/phases.ts'
import { SpoolerRefusal } from '../spoolers/spooler.ts'
import { REMOVED, type Removals } from './removals.ts'
import { UNCONFIRMED } from './unconfirmed.ts'

const DOCUMENT_LOST: Outcome = {
  message: 'The document was lost on the computer before it was printed.',
  reasons: ['document-lost'],
}

type Step = (agent: Agent, job: JournalEntry) => Promise<void>

const STEPS: Partial<Record<Phase, Step>> = {
  /** The spooler has heard nothing yet. */
  async granted(agent, job) {
    agent.journal.move(job.id, 'granted', 'handing')
    await agent.journal.durable()
    await submit(agent, job)
  },

  /** Cut off around the submission. It asked for a held job, so if the spooler has none, nothing was printed. */
  async handing(agent, job) {
    if (!(await findSubmitted(agent, job))) await submit(agent, job)
  },

  async held(agent, job) {
    agent.journal.move(job.id, 'held', 'releasing')
    await agent.journal.durable()
    await release(agent, job)
  },

  /** Cut off around the release. A job that the spooler forgot may have been printed: never submitted again. */
  async releasing(agent, job) {
    const state = await agent.spooler.state(job.spoolerJobId ?? '')
    if (!state) agent.journal.finish(job.id, 'releasing', 'error', UNCONFIRMED)
    else if (state.is === 'held') await release(agent, job)
    else agent.journal.move(job.id, 'releasing', 'released')
  },
}

/** Of a job that the server has given up on its way to the spooler: it ends without a release, or is watched to whatever end it takes. */
const WITHDRAWALS: Partial<Record<Phase, Step>> = {
  async handing(agent, job) {
    if (!(await findSubmitted(agent, job))) agent.journal.finish(job.id, 'handing', 'error', REMOVED)
  },

  async held(agent, job) {
    await agent.spooler.remove(job.spoolerJobId ?? '')
    agent.journal.finish(job.id, 'held', 'error', REMOVED)
  },

  async releasing(agent, job) {
    await agent.spooler.remove(job.spoolerJobId ?? '')
    agent.journal.move(job.id, 'releasing', 'released')
  },
}

/**
 * Comes back when the spooler has taken the job, or its end is journaled. A spooler that fails is asked again until it answers.
 *
 * @throws when the agent stops; never between a call of the spooler and its record.
 */
export async function handOver(agent: Agent, removals: Removals, jobId: string): Promise<void> {
  for (let failures = 0; ; ) {
    agent.stopping.throwIfAborted()
    const job = agent.journal.get(jobId)
    const steps = removals.isRequested(jobId) ? WITHDRAWALS : STEPS
    const step = job && steps[job.phase]
    if (!job || !step) return
    try {
      await step(agent, job)
    } catch (error) {
      if (error instanceof SpoolerRefusal) {
        const { message, reasons } = error
        agent.journal.finish(jobId, 'handing', 'error', { message, reasons })
        return
      }
      agent.log.warn({ err: error, job_id: jobId, phase: job.phase }, 'the spooler failed, trying again')
      await sleep(pauseMs(failures++, agent.timings.backoff), undefined, { signal: agent.stopping })
    }
  }
}

/** @returns whether the spooler has the job; then the journal knows where it stands there. */
async function findSubmitted({ spooler, journal }: Agent, { id, printerOsName }: JournalEntry): Promise<boolean> {
  const found = await spooler.find(id, printerOsName)
  if (found) {
    const to = found.state.is === 'held' ? 'held' : 'released'
    journal.move(id, 'handing', to, { spoolerJobId: found.spoolerJobId })
  }
  return found !== undefined
}

async function submit({ spooler, documents, journal }: Agent, job: JournalEntry): Promise<void> {
  const { id, title, printerOsName, contentType, qty, options } = job
  const file = documents.getPath(id)
  if (!existsSync(file)) return journal.finish(id, 'handing', 'error', DOCUMENT_LOST)
  const submitted = await spooler.submitHeld({ token: id, title, printerOsName, file, contentType, qty, options })
  journal.move(id, 'handing', 'held', submitted)
}

async function release({ spooler, journal }: Agent, { id, spoolerJobId }: JournalEntry): Promise<void> {
  await spooler.release(spoolerJobId ?? '')
  journal.move(id, 'releasing', 'released')
}
