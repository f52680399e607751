/** Watches a released job at the spooler until its outcome is journaled. Does not need the server. */
import type { Agent } from '../agent.ts'
import { getMsLeft, hasExpired } from '../expiry.ts'
import type { JournalEntry, Outcome } from '../journal/entry.ts'
import { COMPLETION_UNCONFIRMED } from '../spoolers/spooler.ts'
import { EXPIRED } from './hand-over.ts'
import type { Reports } from './reports.ts'
import { retry } from './retry.ts'
import { UNCONFIRMED } from './unconfirmed.ts'

/** Timers stop while the computer sleeps, so the expiry is checked at least this often. */
const CHECK_EXPIRY_MS = 30_000

/** @throws when the agent stops. */
export async function follow(agent: Agent, reports: Reports, jobId: string): Promise<void> {
  await retry(agent, jobId, 'watching the spooler failed', async () => {
    const job = agent.journal.get(jobId)
    if (job?.phase === 'released') await watchOnce(agent, reports, job)
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
  { journal, spooler, stopping }: Agent,
  reports: Reports,
  { id, spoolerJobId }: JournalEntry,
  expiry?: ReturnType<typeof startExpiry>,
): Promise<void> {
  const signal = expiry ? AbortSignal.any([stopping, expiry.signal]) : stopping
  for await (const { is, message, reasons } of spooler.watch(spoolerJobId ?? '', signal)) {
    if (is === 'processing') expiry?.stop()
    if (is === 'pending' || is === 'processing') {
      const state = is === 'pending' ? 'waiting' : 'printing'
      journal.progress(id, state, toObstacles(message, reasons, state))
      reports.deliver(id)
    }
    const outcome = { message: message ?? null, reasons }
    if (is === 'completed')
      return journal.finish(id, 'released', 'done', { ...outcome, reasons: reasons.filter(isAboutPaper) })
    if (is === 'aborted') return journal.finish(id, 'released', 'error', outcome)
  }
  journal.finish(id, 'released', 'error', UNCONFIRMED)
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
async function removeExpired({ journal, spooler }: Agent, { id, spoolerJobId }: JournalEntry): Promise<boolean> {
  const state = await spooler.state(spoolerJobId ?? '')
  if (state?.is !== 'pending') return false
  await spooler.remove(spoolerJobId ?? '')
  journal.finish(id, 'released', 'error', EXPIRED)
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
