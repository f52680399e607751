/**
 * Integrators at work: several clients for each organization create jobs and read them back, at any gateway, for as long as they are
 * let. What they do follows from the seed; when it happens, and so how often, from the system. Called by `run-seed.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import { waitFor } from '../harness/wait-for.ts'
import { type Recorder, request } from './client.ts'
import { type Author, type Creation, drawCreation, drawUpload, type MadeJob } from './creations.ts'
import type { ClientCall } from './history.ts'
import { type Random, seededRandom } from './random.ts'
import { secretsOf } from './secrets.ts'
import type { ChaosSystem, Tenant } from './system/chaos-system.ts'

/** Many, since a fault may hold up most of them until their requests time out. */
const CLIENTS_PER_TENANT = 8
/** About 15 jobs a second without faults: two cores keep up beside all the processes, and 20 s give some hundred jobs. */
const THINK_MS = { from: 50, to: 700 }
/** The API allows no less than 60 s, longer than a run. So time is made to pass faster for some jobs: see `hastenExpiry`. */
const EXPIRING_PERCENT = 12
/** Of the creations, those with an `Idempotency-Key`: their client asks again until it knows. */
const KEYED_PERCENT = 40
const TRIES_MAX = 6
const RETRY_AFTER_MS = 300
/** Of those: sent twice at once, sent again though answered, and the key used once more with another body. */
const AT_ONCE_PERCENT = 25
const REPLAYED_PERCENT = 25
const REUSED_PERCENT = 20
const EXPIRES_WITHIN_MS = { from: 0, to: 4_000 }
/** All processes begin at once on what may be two cores. */
const CONNECTED_WITHIN_MS = 60_000

export interface Load {
  calls: ClientCall[]
  /** What answers told of another organization. */
  leaks: string[]
}

export interface PreparedLoad {
  /**
   * Comes back once `signal` has ended it and the last request has its answer or has waited for it in vain.
   *
   * @param burstsAfterMs when all clients that are not at something else create a job at once.
   */
  run(burstsAfterMs: readonly number[], signal: AbortSignal): Promise<Load>
}

interface Client extends Author {
  system: ChaosSystem
  name: string
  recorder: Recorder
  database: Pool
}

/**
 * @param database of the one who hastens: not part of the system, and reached without a proxy.
 * @returns once every agent has told of its printers; the load itself begins with `run`.
 */
export async function prepareLoad(
  system: ChaosSystem,
  database: Pool,
  { seed, documents }: Pick<Author, 'seed' | 'documents'>,
): Promise<PreparedLoad> {
  const secrets = system.tenants.flatMap((tenant) => secretsOf(tenant, seed))
  const recorder: Recorder = {
    calls: [],
    leaks: new Set(),
    foreignSecrets: (own) => secrets.filter(({ organizationId }) => organizationId !== own),
  }
  const random = seededRandom(seed).fork()
  const jobs = Object.fromEntries(system.tenants.map(({ organizationId }) => [organizationId, [] as MadeJob[]]))
  const clients: Client[] = []
  for (const [nth, tenant] of system.tenants.entries()) {
    const printerIds = await waitFor(() => printersOf(system, tenant, recorder), CONNECTED_WITHIN_MS)
    for (let n = 0; n < CLIENTS_PER_TENANT; n++) {
      const name = `client ${nth}.${n}`
      const author = { seed, documents, tenant, tenants: system.tenants, random: random.fork(), printerIds, jobs }
      clients.push({ ...author, system, name, recorder, database })
    }
  }
  return {
    async run(burstsAfterMs, signal) {
      const startedAt = performance.now()
      const burstsAt = burstsAfterMs.map((afterMs) => startedAt + afterMs).toSorted((a, b) => a - b)
      await Promise.all(clients.map((client) => work(client, burstsAt, signal)))
      return { calls: recorder.calls, leaks: [...recorder.leaks] }
    },
  }
}

async function printersOf(system: ChaosSystem, tenant: Tenant, recorder: Recorder): Promise<string[]> {
  const path = '/v1/printers?limit=100'
  const { json } = await request(recorder, tenant, { baseUrl: system.baseUrls[0] ?? '', path, call: { kind: 'list' } })
  const ids = (json?.data ?? []).map(({ id }) => id).filter((id) => id !== undefined)
  if (ids.length === 0)
    throw new Error(`organization ${tenant.organizationId} has no printers to print on: ${JSON.stringify(json)}`)
  return ids
}

async function work(client: Client, burstsAt: readonly number[], signal: AbortSignal): Promise<void> {
  const { random } = client
  let isBurst = false
  for (let n = 0; !signal.aborted; n++) {
    const baseUrl = random.pick(client.system.baseUrls)
    const dice = random.integer(1, 100)
    if (isBurst || dice <= 55) await createJob(client, baseUrl, n, signal)
    else if (dice <= 75) await readJob(client, baseUrl, client.tenant)
    else if (dice <= 85) await readEvents(client, baseUrl)
    else if (dice <= 92) await readJob(client, baseUrl, random.pick(client.system.tenants))
    else await readList(client, baseUrl)
    isBurst = await think(random.integer(THINK_MS.from, THINK_MS.to), burstsAt)
  }
}

/** @returns whether a burst cut it short. */
async function think(ms: number, burstsAt: readonly number[]): Promise<boolean> {
  const now = performance.now()
  const untilBurstMs = (burstsAt.find((at) => at > now) ?? Number.POSITIVE_INFINITY) - now
  await sleep(Math.min(ms, untilBurstMs))
  return untilBurstMs <= ms
}

async function createJob(client: Client, baseUrl: string, n: number, signal: AbortSignal): Promise<void> {
  const { random, recorder, tenant, database } = client
  const marker = `${client.name} job ${n}`
  const expires = random.chance(EXPIRING_PERCENT)
  const expiresInMs = random.integer(EXPIRES_WITHIN_MS.from, EXPIRES_WITHIN_MS.to)
  const isKeyed = random.chance(KEYED_PERCENT)
  const creation = drawCreation(client, { marker, expires, key: isKeyed ? marker : undefined })
  const jobId = isKeyed
    ? await createOnce(client, creation, signal)
    : (await request(recorder, tenant, { baseUrl, ...creation })).call.jobId
  if (jobId === undefined) return
  client.jobs[tenant.organizationId]?.push({ id: jobId, contentSha256: creation.call.contentSha256 })
  if (expires) await hastenExpiry(database, jobId, expiresInMs)
}

/** As an integrator who keeps the specification's advice: the same body with the same key, at any gateway, until an answer decides. */
async function createOnce(client: Client, creation: Creation, signal: AbortSignal): Promise<string | undefined> {
  const { random, recorder, tenant, system } = client
  // Drawn beforehand: what follows from the seed is not to hang on what the system answers.
  const gateways = Array.from({ length: TRIES_MAX + 3 }, () => random.pick(system.baseUrls))
  const [atOnce, replayed, reused] = [AT_ONCE_PERCENT, REPLAYED_PERCENT, REUSED_PERCENT].map((percent) =>
    random.chance(percent),
  )
  const { marker, key } = creation.call
  const other = drawUpload(client, { marker: `${marker} otherwise`, key })
  const send = async (what: Creation) =>
    (await request(recorder, tenant, { baseUrl: gateways.pop() ?? '', ...what })).call
  const [twin, jobId] = await Promise.all([atOnce ? send(creation) : undefined, untilDecided()])
  return jobId ?? twin?.jobId

  async function untilDecided(): Promise<string | undefined> {
    for (let tries = 0; tries < TRIES_MAX && !signal.aborted; tries++) {
      const { jobId, status } = await send(creation)
      if (jobId !== undefined) {
        if (replayed) await send(creation)
        if (reused) await send(other)
        return jobId
      }
      if (status !== undefined && status < 500 && status !== 409 && status !== 429) return undefined
      await sleep(RETRY_AFTER_MS)
    }
    return undefined
  }
}

/** Of one's own organization or, which must find nothing, of another one. Mostly a young job, which still moves. */
async function readJob({ random, ...client }: Client, baseUrl: string, owner: Tenant): Promise<void> {
  const jobId = someJob(client.jobs[owner.organizationId] ?? [], random)
  if (jobId === undefined) return
  const path = `/v1/printjobs/${jobId}`
  await request(client.recorder, client.tenant, { baseUrl, path, call: { kind: 'get', jobId } })
}

async function readEvents({ random, ...client }: Client, baseUrl: string): Promise<void> {
  const jobId = someJob(client.jobs[random.pick(client.system.tenants).organizationId] ?? [], random)
  if (jobId === undefined) return
  const path = `/v1/printjobs/${jobId}/events`
  await request(client.recorder, client.tenant, { baseUrl, path, call: { kind: 'events', jobId } })
}

async function readList({ random, ...client }: Client, baseUrl: string): Promise<void> {
  const path = random.pick(['/v1/printers', '/v1/computers'])
  await request(client.recorder, client.tenant, { baseUrl, path, call: { kind: 'list' } })
}

function someJob(jobs: readonly MadeJob[], random: Random): string | undefined {
  if (jobs.length === 0) return undefined
  return random.pick(jobs.slice(-10)).id
}

/**
 * As if the job had been made long ago. Whether it then expires or is printed is the system's affair. Where PostgreSQL does not answer
 * the job keeps its time.
 */
async function hastenExpiry(database: Pool, jobId: string, inMs: number): Promise<void> {
  const sql = `UPDATE jobs.job SET expires_at = now() + $2 * interval '1 millisecond' WHERE id = $1`
  await database.query(sql, [jobId, inMs]).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error
    if (error instanceof DatabaseError && error.code?.startsWith('42')) throw error // our statement is wrong
  })
}
