/** Watches a released job at the spooler until its outcome is journaled. Does not need the server. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { getMsLeft, hasExpired } from '../expiry.ts'
import type { JournalEntry, Outcome } from '../journal/entry.ts'
import { record, retry } from '../retry.ts'
import { COMPLETION_UNCONFIRMED, type SpoolerState } from '../spoolers/spooler.ts'
import { EXPIRED } from './hand-over.ts'
import { reportFailure } from './report-failure.ts'
import type { Reports } from './reports.ts'
import { UNCONFIRMED } from './unconfirmed.ts'

/** Timers stop while the computer sleeps, so the expiry is checked at least this often. */
const CHECK_EXPIRY_MS = 30_000

const PRINTER_REMOVED: Outcome = {
  message: 'The printer was removed from the computer while the job waited for it. Nothing was printed.',
  reasons: ['printer-removed'],
}

const EXPIRED_UNCONFIRMED: Outcome = {
  message:
    'The job expired while its printer was stopped. Part of it may have been printed before; the rest is not printed.',
  reasons: ['unconfirmed'],
}

/** @throws when the agent stops. */
export async function follow(agent: Agent, reports: Reports, jobId: string): Promise<void> {
  await retry(agent, jobId, 'watching the spooler failed', async () => {
    const job = agent.journal.get(jobId)
    if (job?.phase !== 'released') return
    try {
      await watchOnce(agent, reports, job)
    } catch (error) {
      if (!agent.stopping.aborted) reportFailure(agent, reports, jobId, error)
      throw error
    }
  })
  reports.deliver(jobId)
}

async function watchOnce(agent: Agent, reports: Reports, job: JournalEntry): Promise<void> {
  const expiry = startExpiry(agent, job)
  try {
    await watch(agent, reports, job, expiry)
  } catch (error) {
    if (agent.stopping.aborted || !expiry.signal.aborted) throw error
    if (!(await removeExpired(agent, job))) await watch(agent, reports, job)
  } finally {
    expiry.stop()
  }
}

/** @throws AbortError when the job expires before it begins to print. */
async function watch(
  agent: Agent,
  reports: Reports,
  job: JournalEntry,
  expiry?: ReturnType<typeof startExpiry>,
): Promise<void> {
  const { journal, spooler, stopping } = agent
  const { id, spoolerJobId } = job
  const signal = expiry ? AbortSignal.any([stopping, expiry.signal]) : stopping
  let last: SpoolerState | undefined
  for await (const state of spooler.watch(spoolerJobId ?? '', signal)) {
    last = state
    const { is, message, reasons, confirmedBy = 'spooler', printed } = state
    if (is === 'processing') expiry?.stop()
    if (is === 'pending' || is === 'processing') {
      const progress = is === 'pending' ? 'waiting' : 'printing'
      await record(agent, id, () =>
        journal.progress(id, progress, { ...toObstacles(message, reasons, progress), printed }),
      )
      reports.deliver(id)
    }
    const outcome = { message: message ?? null, reasons }
    if (is === 'completed')
      return await record(agent, id, () =>
        journal.finish(id, 'released', 'done', { ...outcome, reasons: reasons.filter(isAboutPaper), confirmedBy }),
      )
    if (is === 'aborted') return await record(agent, id, () => journal.finish(id, 'released', 'error', outcome))
  }
  const outcome = (await wasOnlyWaiting(agent, job, last)) ? PRINTER_REMOVED : UNCONFIRMED
  await record(agent, id, () => journal.finish(id, 'released', 'error', outcome))
}

/**
 * Whether the job vanished with its printer, and never began. Jobs of which the agent has not seen that they waited may
 * have been printed while it did not run.
 */
async function wasOnlyWaiting(
  { journal, spooler }: Agent,
  { id, printerOsName }: JournalEntry,
  last: SpoolerState | undefined,
): Promise<boolean> {
  if (last?.is !== 'pending' || last.hasBegun || journal.get(id)?.printingAt) return false
  return !(await spooler.printers()).some(({ osName }) => osName === printerOsName)
}

/** Aborts when the job expires, unless it has begun to print. */
function startExpiry({ clock }: Agent, job: JournalEntry) {
  const expiry = new AbortController()
  let timer: NodeJS.Timeout | undefined
  function check(): void {
    if (hasExpired(clock, job)) expiry.abort()
    else timer = setTimeout(check, Math.min(CHECK_EXPIRY_MS, getMsLeft(clock, job)))
  }
  if (job.printingAt === null) check()
  return { signal: expiry.signal, stop: () => clearTimeout(timer) }
}

/** @returns false if the spooler has begun the job, which then continues. */
async function removeExpired(agent: Agent, job: JournalEntry): Promise<boolean> {
  const { journal, spooler, stopping, timings } = agent
  const { id } = job
  const spoolerJobId = job.spoolerJobId ?? ''
  let state = await spooler.state(spoolerJobId)
  if (state?.hasBegun) {
    await sleep(timings.beginningMs, undefined, { signal: stopping })
    state = await spooler.state(spoolerJobId)
  }
  if (state?.is !== 'pending') return false
  await spooler.remove(spoolerJobId)
  if ((await spooler.state(spoolerJobId))?.is === 'completed') return false
  const outcome = state.hasBegun ? EXPIRED_UNCONFIRMED : EXPIRED
  await record(agent, id, () => journal.finish(id, 'released', 'error', outcome))
  return true
}

/** Other reasons of a completed job repeat that it is completed. */
const isAboutPaper = (reason: string) => reason === COMPLETION_UNCONFIRMED

/** Reasons that do not delay a job. */
const IGNORED_REASONS = { waiting: [] as string[], printing: ['job-printing', 'connecting-to-device'] }

/** The reasons why a job waits or its printing is interrupted, for example missing paper. */
function toObstacles(message: string | undefined, all: string[], state: keyof typeof IGNORED_REASONS): Outcome {
  const reasons = all.filter((reason) => !IGNORED_REASONS[state].includes(reason))
  return { message: (reasons.length > 0 && message) || null, reasons }
}
