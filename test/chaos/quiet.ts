/** Waits until the system is idle. The checker reports unfinished work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { countUnread, type Stores } from '../checker/collect.ts'
import { type AgentFiles, readAgent } from './agents.ts'

const POLL_EVERY_MS = 250
/** A request whose client gave up may still create a job. */
const IDLE_FOR_MS = 1_000

const COUNTS = `SELECT count(*)::int AS jobs, count(*) FILTER (WHERE finished_at IS NULL)::int AS unfinished,
    (SELECT count(*) FROM webhooks.delivery WHERE status = 'pending')::int AS deliveries
  FROM jobs.job`

/** @returns what is still busy after `limitMs`; an empty text if the system is idle. */
export async function waitForQuiet(stores: Stores, agents: AgentFiles[], limitMs: number): Promise<string> {
  const deadlineMs = performance.now() + limitMs
  let idle: { sinceMs: number; jobs: number } | undefined
  for (;;) {
    const { jobs, busy } = await poll(stores, agents)
    const nowMs = performance.now()
    if (busy !== '') idle = undefined
    else if (idle?.jobs !== jobs) idle = { sinceMs: nowMs, jobs }
    else if (nowMs - idle.sinceMs >= IDLE_FOR_MS) return ''
    if (nowMs > deadlineMs) return busy || 'new jobs'
    await sleep(POLL_EVERY_MS)
  }
}

async function poll({ database }: Stores, agents: AgentFiles[]): Promise<{ jobs: number; busy: string }> {
  const { jobs, ...counts } = (await database.query<Record<string, number>>(COUNTS)).rows[0] ?? {}
  const busy = { ...counts }
  if (Object.values(counts).every((count) => count === 0)) {
    busy['unread events'] = await countUnread(database)
    for (const agent of agents) busy[agent.name] = (await readAgent(agent)).unsettledJobIds.length
  }
  const names = Object.entries(busy).filter(([, count]) => count > 0)
  return { jobs: jobs ?? 0, busy: names.map(([name, count]) => `${count} of ${name}`).join(', ') }
}
