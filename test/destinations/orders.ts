/** Jobs and batches that users create, release and cancel, through the API. */
import { createHash } from 'node:crypto'
import type { Random } from '../chaos/random.ts'
import type { ClientCall } from '../checker/history.ts'
import type { Answer } from '../harness/api.ts'
import type { Destination, Shop } from './shop.ts'

const DESTINATION_PERCENT = 75
const BATCH_MAX = 4
const TRIES_MAX = 8
/** The part of jobs and batches. */
const HOLD_PERCENT = 8
const SCHEDULED_PERCENT = 8
const SCHEDULED_MAX_MS = 6_000
const EXPIRING_PERCENT = 6
const EXPIRY_MAX_MS = 10_000

interface Timing {
  hold?: true
  notBefore?: string
}

function drawTiming(random: Random, nowMs: number): Timing {
  const dice = random.integer(1, 100)
  if (dice <= HOLD_PERCENT) return { hold: true }
  if (dice > HOLD_PERCENT + SCHEDULED_PERCENT) return {}
  return { notBefore: new Date(nowMs + random.integer(500, SCHEDULED_MAX_MS)).toISOString() }
}

function drawTarget(random: Random, { destinations, printers }: Shop, isDestination: boolean) {
  const open = destinations.filter(({ deleted }: Destination) => !deleted)
  if (isDestination && open.length > 0) return { destination: random.pick(open).id }
  return { printerId: random.pick(printers).id }
}

interface Draft {
  marker: string
  body: Record<string, unknown>
  sha256: string
}

function drawDraft(random: Random, shop: Shop, marker: string, timing: Timing, isDestination?: boolean): Draft {
  const content = Buffer.from(`label ${marker}`)
  const target = drawTarget(random, shop, isDestination ?? random.chance(DESTINATION_PERCENT))
  const document = { contentType: 'raw_base64', content: content.toString('base64') }
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { marker, sha256, body: { ...target, title: marker, ...document, qty: 1, ...timing } }
}

/** All choices are drawn before the first call. */
export function drawOrder(random: Random, shop: Shop, name: string, isBatch: boolean): () => Promise<void> {
  const timing = drawTiming(random, shop.now())
  const isTwice = random.chance(15)
  if (!isBatch) {
    const draft = drawDraft(random, shop, name, timing)
    const expiresInMs = random.chance(EXPIRING_PERCENT) ? random.integer(0, EXPIRY_MAX_MS) : undefined
    return () => order(shop, [draft], { path: '/v1/printjobs', body: draft.body, key: name }, isTwice, expiresInMs)
  }
  const kind = random.pick(['destination', 'printer', 'mixed', 'mixed'] as const)
  const isDestination = kind === 'mixed' ? undefined : kind === 'destination'
  const drafts = Array.from({ length: random.integer(2, BATCH_MAX) }, (_, n) =>
    drawDraft(random, shop, `${name} job ${n}`, timing, isDestination),
  )
  const body = { jobs: drafts.map((draft) => draft.body) }
  return () => order(shop, drafts, { path: '/v1/printjobs/batches', body, key: name }, isTwice)
}

interface Request {
  path: string
  body: unknown
  key: string
}

/** The same body with the same key, until an answer decides, perhaps twice at once. */
async function order(shop: Shop, drafts: Draft[], request: Request, isTwice: boolean, expiresInMs?: number) {
  const send = () => sendOrder(shop, drafts, request)
  const [jobs, twin] = await Promise.all([untilDecided(send), isTwice ? send() : undefined])
  for (const job of jobs ?? twin ?? []) {
    shop.jobs.push({ id: job.id, batchId: job.batchId })
    const isHeld = job.stateReasons.includes('held')
    if (isHeld) shop.heldJobs.push({ jobId: job.id, startedAtMs: null, releasedAtMs: null })
    // The API takes no shorter time than a minute.
    if (expiresInMs === undefined) continue
    const expiresAt = new Date(shop.now() + expiresInMs)
    await shop.world.query('UPDATE jobs.job SET expires_at = $2 WHERE id = $1', [job.id, expiresAt])
  }
}

async function untilDecided<T>(send: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await send()
    if (answer !== undefined) return answer
  }
  return undefined
}

interface JobJson {
  id: string
  batchId: string | null
  stateReasons: string[]
}

/** @returns the jobs, none if it is refused; undefined if it must be repeated. */
async function sendOrder(shop: Shop, drafts: Draft[], { path, body, key }: Request): Promise<JobJson[] | undefined> {
  const isBatch = drafts.length > 1
  const recorded = drafts.map(({ marker, sha256 }): ClientCall => {
    const common = { organizationId: shop.organization.id, marker, key: marker, qty: 1, contentSha256: sha256 }
    return { ...common, kind: 'create', startedAtMs: shop.now(), namedIds: [], ...(isBatch && { batch: key }) }
  })
  shop.calls.push(...recorded)
  const answer = await shop.api.post(path, body, { 'idempotency-key': key })
  const { status, headers } = answer
  const jobs = status === 201 ? readJobs(answer) : []
  for (const [n, call] of recorded.entries()) {
    Object.assign(call, { endedAtMs: shop.now(), status, jobId: jobs[n]?.id, namedIds: jobs[n] ? [jobs[n].id] : [] })
    if (headers.get('idempotent-replayed') === 'true') call.isReplay = true
  }
  return status === 201 || (status < 500 && status !== 409 && status !== 429) ? jobs : undefined
}

const readJobs = ({ body }: Answer): JobJson[] => body.jobs ?? [body]

/** Releases a held job, and so its batch. */
export async function release(shop: Shop, jobId: string): Promise<void> {
  const { batchId } = shop.jobs.find(({ id }) => id === jobId) ?? {}
  const ids = shop.jobs.filter((job) => job.id === jobId || (batchId && job.batchId === batchId)).map(({ id }) => id)
  const released = shop.heldJobs.filter((held) => ids.includes(held.jobId))
  for (const held of released) held.startedAtMs ??= shop.now()
  const isDone = await untilDecided(() => shop.api.post(`/v1/printjobs/${jobId}/release`, {}).then(isAnswered))
  if (isDone) for (const held of released) held.releasedAtMs ??= shop.now()
}

export async function cancel(shop: Shop, path: string): Promise<void> {
  await untilDecided(() => shop.api.post(`${path}/cancel`, {}).then(isAnswered))
}

const isAnswered = ({ status }: Answer) => (status < 500 ? true : undefined)
