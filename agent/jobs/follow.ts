/** Watches a released job at the spooler until its outcome is journaled. Does not need the server. */
import type { Agent } from '../agent.ts'
import type { Outcome } from '../journal/entry.ts'
import type { Reports } from './reports.ts'
import { retry } from './retry.ts'
import { UNCONFIRMED } from './unconfirmed.ts'

/** @throws when the agent stops. */
export async function follow(agent: Agent, reports: Reports, jobId: string): Promise<void> {
  await retry(agent, jobId, 'watching the spooler failed', async () => {
    if (agent.journal.get(jobId)?.phase === 'released') await watchOnce(agent, reports, jobId)
  })
  reports.deliver(jobId)
}

async function watchOnce({ journal, spooler, stopping }: Agent, reports: Reports, jobId: string): Promise<void> {
  const { spoolerJobId } = journal.get(jobId) ?? {}
  for await (const { is, message, reasons } of spooler.watch(spoolerJobId ?? '', stopping)) {
    if (is === 'processing') {
      journal.printing(jobId, toObstacles(message, reasons))
      reports.deliver(jobId)
    }
    const outcome = { message: message ?? null, reasons }
    if (is === 'completed') return journal.finish(jobId, 'released', 'done', { ...outcome, reasons: [] })
    if (is === 'aborted') return journal.finish(jobId, 'released', 'error', outcome)
  }
  journal.finish(jobId, 'released', 'error', UNCONFIRMED)
}

const IGNORED_REASONS = ['job-printing', 'connecting-to-device']

/** The reasons why a job that is processing waits, for example missing paper. */
function toObstacles(message: string | undefined, all: string[]): Outcome {
  const reasons = all.filter((reason) => !IGNORED_REASONS.includes(reason))
  return { message: (reasons.length > 0 && message) || null, reasons }
}
