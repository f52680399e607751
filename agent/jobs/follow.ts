/** Watches a released job at the spooler until its outcome is journaled. Needs nothing from the server. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../uplink/backoff.ts'
import type { Reports } from './reports.ts'
import { UNCONFIRMED } from './unconfirmed.ts'

/** @throws when the agent stops. */
export async function follow(agent: Agent, reports: Reports, jobId: string): Promise<void> {
  for (let failures = 0; agent.journal.get(jobId)?.phase === 'released'; ) {
    try {
      await watchOnce(agent, reports, jobId)
    } catch (error) {
      agent.stopping.throwIfAborted()
      agent.log.warn({ err: error, job_id: jobId }, 'the spooler could not be watched, trying again')
      await sleep(pauseMs(failures++, agent.timings.backoff), undefined, { signal: agent.stopping })
    }
  }
  reports.deliver(jobId)
}

async function watchOnce({ journal, spooler, stopping }: Agent, reports: Reports, jobId: string): Promise<void> {
  const { spoolerJobId } = journal.get(jobId) ?? {}
  for await (const { is, message, reasons } of spooler.watch(spoolerJobId ?? '', stopping)) {
    if (is === 'processing') {
      journal.printing(jobId)
      reports.deliver(jobId)
    }
    const outcome = { message: message ?? null, reasons }
    if (is === 'completed') return journal.finish(jobId, 'released', 'done', { ...outcome, reasons: [] })
    if (is === 'aborted') return journal.finish(jobId, 'released', 'error', outcome)
  }
  journal.finish(jobId, 'released', 'error', UNCONFIRMED)
}
