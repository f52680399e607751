/**
 * Clients of each organization create jobs and read them at any gateway. The seed decides what they do, the system how
 * often.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import type { ClientCall } from '../checker/history.ts'
import { createCanary } from '../checker/secrets.ts'
import { makePdf } from '../harness/pdf.ts'
import { type Recorder, type Request, request } from './client.ts'
import { type Random, seededRandom } from './random.ts'
import type { Tenant } from './tenants.ts'

/** A fault may block most clients until their requests time out. */
const CLIENTS_PER_TENANT = 8
/** About 15 jobs a second without faults. */
const THINK_MS = { from: 50, to: 700 }
/** The API allows no less than 60 s, so `hastenExpiry` shortens the time of some jobs. */
const EXPIRING_PERCENT = 12
const EXPIRY_MAX_MS = 4_000
const REPRINT_PERCENT = 10
const FOREIGN_REPRINT_PERCENT = 10
const DESTINATION_PERCENT = 30
const BIG_PERCENT = 10
const BIG_BYTES = 200_000
/** Jobs that wait for a time, and then are earlier than others that were sent meanwhile. */
const SCHEDULED_PERCENT = 15
const SCHEDULED_MAX_MS = 4_000
/** More than are sent at once. */
const BATCH_MAX = 12
/** Creations with an `Idempotency-Key`: the client repeats them until an answer decides. */
const KEYED_PERCENT = 40
const TRIES_MAX = 6
const RETRY_AFTER_MS = 300
/** The share of the keyed creations: sent twice at once, repeated after the answer, and repeated with another body. */
const TWICE_PERCENT = 25
const REPLAYED_PERCENT = 25
const REUSED_PERCENT = 20

export interface LoadOptions {
  seed: number
  baseUrls: string[]
  tenants: Tenant[]
  recorder: Recorder
  /** For `hastenExpiry`; not a part of the system. */
  database: Pool
  /** At these times after the start, all idle clients create a job. */
  burstsAfterMs: number[]
  /** Only jobs that release 0.1 accepts, too: without batches and times. */
  isPlain?: boolean
}

interface MadeJob {
  id: string
  contentSha256?: string
}

interface Client extends Omit<LoadOptions, 'burstsAfterMs'> {
  name: string
  tenant: Tenant
  random: Random
  /** Jobs by organization. */
  jobs: Map<string, MadeJob[]>
}

type Creation = Omit<Request, 'baseUrl'>

/** Returns when `signal` has ended it and the last request has its answer or its timeout. */
export async function runLoad({ burstsAfterMs, ...options }: LoadOptions, signal: AbortSignal): Promise<void> {
  const random = seededRandom(options.seed).fork()
  const jobs = new Map(options.tenants.map(({ organizationId }) => [organizationId, [] as MadeJob[]]))
  const burstsAtMs = burstsAfterMs.map((ms) => performance.now() + ms).toSorted((a, b) => a - b)
  const clients = options.tenants.flatMap((tenant, nth) =>
    Array.from({ length: CLIENTS_PER_TENANT }, (_, n): Client => {
      return { ...options, jobs, tenant, random: random.fork(), name: `client ${nth}.${n}` }
    }),
  )
  await Promise.all(clients.map((client) => work(client, burstsAtMs, signal)))
}

async function work(client: Client, burstsAtMs: number[], signal: AbortSignal): Promise<void> {
  const { random, tenants, tenant } = client
  let isBurst = false
  for (let n = 0; !signal.aborted; n++) {
    const dice = random.integer(1, 100)
    if (isBurst || dice <= 50) await createJob(client, n, signal)
    else if (dice <= 55) await (client.isPlain ? createJob : createBatch)(client, n, signal)
    else if (dice <= 75) await readJob(client, 'get', tenant)
    else if (dice <= 83) await readJob(client, 'events', tenant)
    else if (dice <= 92) await readJob(client, random.pick(['get', 'events'] as const), random.pick(tenants))
    else await send(client, { path: random.pick(['/v1/printers', '/v1/computers']), call: { kind: 'list' } })
    const thinkMs = random.integer(THINK_MS.from, THINK_MS.to)
    const now = performance.now()
    const untilBurstMs = (burstsAtMs.find((atMs) => atMs > now) ?? Number.POSITIVE_INFINITY) - now
    isBurst = untilBurstMs <= thinkMs
    await sleep(Math.min(thinkMs, untilBurstMs))
  }
}

async function send({ recorder, tenant, baseUrls, random }: Client, what: Creation): Promise<ClientCall> {
  return (await request(recorder, tenant, { baseUrl: random.pick(baseUrls), ...what })).call
}

/** A young job, which still changes, of the own organization or of another one. */
async function readJob(client: Client, kind: 'get' | 'events', owner: Tenant): Promise<void> {
  const jobs = client.jobs.get(owner.organizationId) ?? []
  if (jobs.length === 0) return
  const { id: jobId } = client.random.pick(jobs.slice(-10))
  await send(client, { path: `/v1/printjobs/${jobId}${kind === 'events' ? '/events' : ''}`, call: { kind, jobId } })
}

async function createJob(client: Client, n: number, signal: AbortSignal): Promise<void> {
  const { random, tenant, name, database } = client
  const marker = `${name} job ${n}`
  const expiresInMs = random.chance(EXPIRING_PERCENT) ? random.integer(0, EXPIRY_MAX_MS) : undefined
  const key = random.chance(KEYED_PERCENT) ? marker : undefined
  const document = (random.chance(REPRINT_PERCENT) && drawOriginal(client)) || drawUpload(client, marker)
  const creation = drawCreation(client, { marker, key, ...document, ...(expiresInMs && { expireAfter: 60 }) })
  const jobId = key ? await createOnce(client, creation, signal) : (await send(client, creation)).jobId
  if (jobId === undefined) return
  client.jobs.get(tenant.organizationId)?.push({ id: jobId, contentSha256: creation.call.contentSha256 })
  if (expiresInMs) await hastenExpiry(database, jobId, expiresInMs)
}

type Draft = Partial<ClientCall> & { content?: Buffer; expireAfter?: number }

function drawCreation({ random, tenant, isPlain }: Client, { content, expireAfter, ...draft }: Draft): Creation {
  const qty = random.integer(1, 3)
  const upload = content && { contentType: 'pdf_base64', content: content.toString('base64') }
  const document = upload ?? { reprintOf: draft.reprintOf }
  const isScheduled = !isPlain && random.chance(SCHEDULED_PERCENT)
  const notBefore = isScheduled ? new Date(Date.now() + random.integer(0, SCHEDULED_MAX_MS)).toISOString() : undefined
  const body = { ...toTarget(tenant, random), title: draft.marker, ...document, qty, expireAfter, notBefore }
  return { path: '/v1/printjobs', body: JSON.stringify(body), call: { kind: 'create', qty, ...draft } }
}

function toTarget({ printerIds, destinationIds }: Tenant, random: Client['random']) {
  // Users switch the last one off.
  const printerId = random.pick(printerIds.slice(0, -1))
  if (destinationIds.length === 0) return { printerId }
  const destination = random.pick(destinationIds)
  return random.chance(DESTINATION_PERCENT) ? { destination } : { printerId }
}

/** The same body with the same key, until an answer decides. Each job has a call of its own in the record. */
async function createBatch(client: Client, n: number, signal: AbortSignal): Promise<void> {
  const { random, tenant, name, jobs } = client
  const batch = `${name} batch ${n}`
  const own = { ...client, random: random.fork() }
  const isReplayed = random.chance(REPLAYED_PERCENT)
  const drafts = Array.from({ length: random.integer(2, BATCH_MAX) }, (_, nth) => {
    const marker = `${batch} job ${nth}`
    return { marker, batch, key: marker, qty: 1, ...drawUpload(client, marker) }
  })
  const targets = [toTarget(tenant, random), toTarget(tenant, random)]
  const bodies = drafts.map(({ marker, content, qty }) => {
    const document = { contentType: 'pdf_base64', content: content.toString('base64') }
    return { ...random.pick(targets), title: marker, ...document, qty }
  })
  const body = JSON.stringify({ jobs: bodies })
  for (let tries = 0, repeats = isReplayed ? 2 : 1; tries < TRIES_MAX && repeats > 0 && !signal.aborted; tries++) {
    const created = await sendBatch(own, { batch, drafts, body })
    if (created === 'refused') return
    if (created && repeats-- === 1)
      jobs
        .get(tenant.organizationId)
        ?.push(...created.map((id, nth) => ({ id, contentSha256: drafts[nth]?.contentSha256 })))
    if (!created) await sleep(RETRY_AFTER_MS)
  }
}

interface SentBatch {
  batch: string
  drafts: (Partial<ClientCall> & { content: Buffer })[]
  body: string
}

/** @returns the ids of the jobs; undefined if it must be repeated. */
async function sendBatch({ recorder, tenant, baseUrls, random }: Client, { batch, drafts, body }: SentBatch) {
  const { organizationId } = tenant
  const recorded = drafts.map(({ content: _, ...draft }): ClientCall => {
    return { ...draft, kind: 'create', organizationId, startedAtMs: Date.now(), namedIds: [] }
  })
  recorder.calls.push(...recorded)
  const headers = { 'idempotency-key': batch }
  const what = { path: '/v1/printjobs/batches', body, headers, call: { kind: 'list' as const } }
  const { call, json } = await request(recorder, tenant, { baseUrl: random.pick(baseUrls), ...what })
  const { endedAtMs, status = 500, isReplay } = call
  const ids = status === 201 ? (json?.jobs ?? []).map(({ id = '' }) => id) : undefined
  for (const [nth, one] of recorded.entries()) {
    if (endedAtMs !== undefined) Object.assign(one, { endedAtMs, status })
    if (isReplay) one.isReplay = true
    if (ids?.[nth] !== undefined) one.jobId = ids[nth]
  }
  return ids ?? (status < 500 && status !== 409 && status !== 429 ? ('refused' as const) : undefined)
}

function drawUpload({ random, tenant, seed }: Client, marker: string) {
  const sizeBytes = random.chance(BIG_PERCENT) ? BIG_BYTES : random.integer(1_000, 5_000)
  const content = makePdf(`${marker} ${createCanary(tenant.organizationId, seed)}`, sizeBytes)
  return { content, contentSha256: createHash('sha256').update(content).digest('hex') }
}

/**
 * Any job: also a reprint, a job that is not printed yet, and a job of another organization, whose reprint must fail.
 */
function drawOriginal({ random, tenant, tenants, jobs }: Client) {
  const owner = random.chance(FOREIGN_REPRINT_PERCENT) ? random.pick(tenants) : tenant
  const originals = jobs.get(owner.organizationId) ?? []
  if (originals.length === 0) return undefined
  const { id: reprintOf, contentSha256 } = random.pick(originals)
  return { reprintOf, contentSha256 }
}

/** The same body with the same key, at any gateway, until an answer decides. */
async function createOnce(client: Client, creation: Creation, signal: AbortSignal): Promise<string | undefined> {
  const { random } = client
  const { marker = '', key } = creation.call
  // Drawn first: the answers must not change what the seed draws later.
  const [isTwice, isReplayed, isReused] = [TWICE_PERCENT, REPLAYED_PERCENT, REUSED_PERCENT].map((p) => random.chance(p))
  const own = { ...client, random: random.fork() }
  const otherwise = `${marker} otherwise`
  const other = drawCreation(own, { marker: otherwise, key, ...drawUpload(own, otherwise) })
  const [twin, jobId] = await Promise.all([isTwice ? send(own, creation) : undefined, untilDecided()])
  return jobId ?? twin?.jobId

  async function untilDecided(): Promise<string | undefined> {
    for (let tries = 0; tries < TRIES_MAX && !signal.aborted; tries++) {
      const { jobId, status = 500 } = await send(own, creation)
      if (jobId !== undefined) {
        if (isReplayed) await send(own, creation)
        if (isReused) await send(own, other)
        return jobId
      }
      if (status < 500 && status !== 409 && status !== 429) return undefined
      await sleep(RETRY_AFTER_MS)
    }
    return undefined
  }
}

/** The job expires as an old one does. If PostgreSQL does not answer, the job keeps its time. */
async function hastenExpiry(database: Pool, jobId: string, inMs: number): Promise<void> {
  const sql = `UPDATE jobs.job SET expires_at = now() + $2 * interval '1 millisecond' WHERE id = $1`
  await database.query(sql, [jobId, inMs]).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code?.startsWith('42')) throw error // a wrong statement
  })
}
