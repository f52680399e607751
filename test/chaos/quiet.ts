/** Waits until nothing moves any more. Called by `run-seed.ts` after `heal`; what is not quiet in time is for the checker to name. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Pool } from 'pg'
import { readConsumerLag } from './collect-nats.ts'
import type { ChaosSystem } from './system/chaos-system.ts'

const LOOK_EVERY_MS = 250
/** A request whose client has given up may still make a job: it must be quiet for so long. */
const QUIET_FOR_MS = 1_500

export interface Quiet {
  reached: boolean
  waitedMs: number
  /** What still moves, in words; empty when quiet. */
  moving: string
}

export async function waitForQuiet(
  system: ChaosSystem,
  database: Pool,
  nats: NatsConnection,
  limitMs: number,
): Promise<Quiet> {
  const startedAt = performance.now()
  let quietSince: { at: number; jobs: number } | undefined
  for (;;) {
    const { jobs, moving } = await look(system, database, nats)
    const now = performance.now()
    if (moving !== '') quietSince = undefined
    else if (quietSince?.jobs !== jobs) quietSince = { at: now, jobs }
    else if (now - quietSince.at >= QUIET_FOR_MS) return { reached: true, waitedMs: now - startedAt, moving: '' }
    if (now - startedAt > limitMs) return { reached: false, waitedMs: now - startedAt, moving }
    await sleep(LOOK_EVERY_MS)
  }
}

interface Counts {
  jobs: number
  unfinished: number
  outbox: number
  fetches: number
  deliveries: number
}

async function look(
  system: ChaosSystem,
  database: Pool,
  nats: NatsConnection,
): Promise<{ jobs: number; moving: string }> {
  const { rows } = await database.query<Counts>(
    `SELECT count(*) AS jobs, count(*) FILTER (WHERE finished_at IS NULL) AS unfinished,
       (SELECT count(*) FROM jobs.outbox) AS outbox, (SELECT count(*) FROM jobs.document_fetch) AS fetches,
       (SELECT count(*) FROM webhooks.delivery WHERE status = 'pending') AS deliveries FROM jobs.job`,
  )
  const { jobs = 0, unfinished = 0, outbox = 0, fetches = 0, deliveries = 0 } = rows[0] ?? {}
  const moving: string[] = []
  if (unfinished > 0) moving.push(`${unfinished} jobs`)
  if (outbox > 0) moving.push(`${outbox} outbox rows`)
  if (fetches > 0) moving.push(`${fetches} fetches`)
  if (deliveries > 0) moving.push(`${deliveries} deliveries`)
  if (moving.length === 0) {
    const lags = await readConsumerLag(nats).catch((error: unknown) => ({ [`NATS, which says "${error}"`]: 1 }))
    for (const [consumer, lag] of Object.entries(lags)) if (lag > 0) moving.push(`${lag} events of ${consumer}`)
    const unsettled = (await system.readAgents()).flatMap(({ unsettledJobIds }) => unsettledJobIds).length
    if (unsettled > 0) moving.push(`${unsettled} jobs in agents' journals`)
  }
  return { jobs, moving: moving.join(', ') }
}
