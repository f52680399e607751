/**
 * Prints on a cluster of three nats-servers and a PostgreSQL that both require TLS. While jobs are created, each
 * nats-server is killed once, or the replicas of streams are raised from 1 to 3.
 *
 * These are two runs, because nats-server 2.9 can lose writes if the server with the only copy is killed soon after the
 * copies were raised: when it starts again, it acts alone until it has the metadata of the cluster.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EVENTS_STREAM, WEBHOOK_ATTEMPTS_STREAM } from '@platen/proto/subjects.ts'
import { readEnvironment } from '@platen/runtime/config.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { connectNats, ensureStream, type Nats } from '@platen/runtime/messaging/nats.ts'
import { NATS_VARIABLES, natsSettings } from '@platen/runtime/messaging/settings.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type Api, createApi } from '../harness/api.ts'
import { type NatsCluster, startNatsCluster } from '../harness/nats-cluster.ts'
import { makePdf } from '../harness/pdf.ts'
import { startSystem } from '../harness/system.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { startTlsPostgres } from '../harness/tls-postgres.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts'

export interface ClusterOptions {
  jobs: number
  /** Raises the replicas instead of killing servers. */
  raise: boolean
  onProgress: (line: string) => void
}

export interface ClusterResult {
  jobs: number
  /** Requests that were repeated after an error. */
  retries: number
  events: number
  webhooks: number
  /** While jobs were created. */
  longestPauseMs: number
  /** From the event to its webhook. */
  longestWebhookDelayMs: number
  /** Connections to PostgreSQL without TLS. */
  clearConnections: number
  tlsConnections: number
  unexpectedEnds: string[]
}

const CREATE_EVERY_MS = 40
const RETRY_MS = 200
/** Requests and webhooks continue without the server for this time. */
const AWAY_MS = 3_000
const END_TIMEOUT_MS = 90_000
const STREAMS = [EVENTS_STREAM.name, WEBHOOK_ATTEMPTS_STREAM.name, 'OBJ_documents']
const TYPES = ['queued', 'sent', 'received', 'printing', 'done'].map((state) => `printjob.${state}`)
/** Stored with the job, and every tenth in the document store. */
const SMALL = makePdf('Hello')
const LARGE = makePdf('Hello', 2 * SMALL.length)
const FILE_STORE_URL = 'nats:///documents'

const CERTIFICATE = join(import.meta.dirname, 'receiver-certificate.pem')
const KEY = join(import.meta.dirname, 'receiver-key.pem')

/** @throws Error if a job, event or webhook is missing at the end, or a stream lacks a replica. */
export async function runNatsCluster({ jobs, raise, onProgress }: ClusterOptions): Promise<ClusterResult> {
  await using started = new AsyncDisposableStack()
  onProgress('starting')
  const directory = await mkdtemp(join(tmpdir(), 'platen-nats-cluster-'))
  started.defer(() => rm(directory, { recursive: true }))
  const cluster = started.adopt(await startNatsCluster(directory), (one) => one.stop())
  const postgres = started.adopt(await startTlsPostgres(), (one) => one.stop())
  const tls = { cert: readFileSync(CERTIFICATE, 'utf8'), key: readFileSync(KEY, 'utf8') }
  const receiver = started.adopt(await startWebhookReceiver({ tls, keptMax: 100 * jobs }), (one) => one.stop())
  const streams = await connectOperator(cluster, started)
  const env = {
    ...cluster.env,
    PLATEN_NATS_REPLICAS: raise ? '1' : '3',
    PLATEN_DATABASE_URL: postgres.url,
    PLATEN_DATABASE_CA_FILE: postgres.caFile,
    PLATEN_FILE_STORE_URL: FILE_STORE_URL,
    PLATEN_INLINE_DOCUMENT_BYTES: String(SMALL.length),
    PLATEN_TEST_JOBS_PER_DAY: '1000000',
    PLATEN_VIRTUAL_PRINT_MS: '10',
    PLATEN_WEBHOOK_RETRY_GAPS: '1,1,1,1,1,1',
    PLATEN_ALLOWED_NETWORKS: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  }
  const system = started.adopt(await startSystem({ testComputers: true, env }), (one) => one.stop())
  const key = await system.addKey(await system.createOrganization(), 'test', ['read', 'print', 'admin'])
  const api = createApi(system.baseUrl, key)
  const { id: printerId } = await waitFor(() => api.printer('Test A4 Laser'))
  const { status } = await api.post('/v1/webhooks', { url: receiver.url, events: TYPES })
  if (status !== 201) throw new Error(`the endpoint was refused with ${status}`)

  onProgress(`creating ${jobs} jobs${raise ? ', and raising the replicas' : ''}`)
  const feed = followFeed(api)
  started.defer(feed.stop)
  const created = createJobs(api, printerId, jobs).then((ended) => ({
    ...ended,
    longestPauseMs: feed.longestPauseMs(),
  }))
  const disturb = () => (raise ? raiseReplicas(streams) : killEach(cluster, streams, onProgress))
  const [{ ids, retries, longestPauseMs }] = await Promise.all([created, disturb()])
  onProgress('waiting for the last events and webhooks')
  await waitFor(() => feed.checkDone(ids), END_TIMEOUT_MS)
  await waitFor(() => checkDelivered(receiver, feed.events), END_TIMEOUT_MS)
  const { clear, encrypted } = await countConnections(postgres)
  return {
    jobs: ids.length,
    retries,
    events: feed.events.size,
    webhooks: receiver.received.length,
    longestPauseMs: Math.round(longestPauseMs),
    longestWebhookDelayMs: Math.max(
      ...receiver.received.map(({ atMs, body }) => atMs - Date.parse(JSON.parse(body).timestamp)),
    ),
    clearConnections: clear,
    tlsConnections: encrypted,
    unexpectedEnds: system.unexpectedEnds,
  }
}

interface Streams {
  /** It does what services of a release with 3 replicas do at their start. */
  raise(): Promise<unknown>
  /** @throws Error unless each stream and consumer has 3 current replicas. */
  check(): Promise<void>
}

async function connectOperator(cluster: NatsCluster, started: AsyncDisposableStack): Promise<Streams> {
  const operator = started.adopt(createTestProcess('operator'), (one) => one.stop())
  const settings = natsSettings(
    readEnvironment(z.object(NATS_VARIABLES), { ...cluster.env, PLATEN_NATS_REPLICAS: '3' }),
  )
  const nats = await connectNats(operator, settings)
  await waitFor(() => nats.manager.getAccountInfo(), END_TIMEOUT_MS)
  const files = await openFileStore(operator, FILE_STORE_URL, settings)
  return {
    raise: () =>
      Promise.all([
        ...[EVENTS_STREAM, WEBHOOK_ATTEMPTS_STREAM].map((stream) => ensureStream(nats, stream)),
        files.delete(uuidv7()),
      ]),
    check: () => checkReplicas(nats),
  }
}

async function checkReplicas({ manager }: Nats): Promise<void> {
  for (const stream of STREAMS) {
    const consumers = await manager.consumers.list(stream).next()
    for (const { cluster } of [await manager.streams.info(stream), ...consumers]) {
      const current = (cluster?.replicas ?? []).filter((replica) => replica.current && !replica.offline)
      if (!cluster?.leader || current.length !== 2) throw new Error(`${stream} has ${current.length} current followers`)
    }
  }
}

async function raiseReplicas(streams: Streams): Promise<void> {
  await sleep(AWAY_MS)
  await waitFor(streams.raise, END_TIMEOUT_MS)
  await waitFor(streams.check, END_TIMEOUT_MS)
}

async function killEach({ servers }: NatsCluster, streams: Streams, onProgress: (line: string) => void): Promise<void> {
  for (const server of servers) {
    await waitFor(streams.check, END_TIMEOUT_MS)
    onProgress(`killing ${server.name}`)
    await server.kill(() => sleep(AWAY_MS))
  }
  await waitFor(streams.check, END_TIMEOUT_MS)
}

async function createJobs(api: Api, printerId: string, count: number) {
  let retries = 0
  const create = async (n: number): Promise<string> => {
    const content = (n % 10 === 0 ? LARGE : SMALL).toString('base64')
    for (;;) {
      const job = { printerId, title: `Job ${n}`, contentType: 'pdf_base64', content }
      const answer = await api.post('/v1/printjobs', job, { 'idempotency-key': `job-${n}` }).catch(() => undefined)
      if (answer?.status === 201) return answer.body.id
      if (answer && answer.status !== 503) throw new Error(`the creation was answered with ${answer.status}`)
      retries++
      await sleep(RETRY_MS)
    }
  }
  const creations: Promise<string>[] = []
  for (let n = 0; n < count; n++) {
    creations.push(create(n))
    await sleep(CREATE_EVERY_MS)
  }
  return { ids: await Promise.all(creations), retries }
}

interface Event {
  id: string
  type: string
  data: { id: string }
}

/** Polls the feed as an integrator does. */
function followFeed(api: Api) {
  const events = new Map<string, Event>()
  let longestMs = 0
  let lastAtMs: number | undefined
  let isEnded = false
  const follow = async () => {
    let after = ''
    while (!isEnded) {
      const { status, body } = await api.get(`/v1/events?wait=1&limit=100${after}`)
      if (status !== 200) continue
      if (body.nextCursor) after = `&after=${body.nextCursor}`
      for (const event of body.data) events.set(event.id, event)
      if (body.data.length === 0) continue
      longestMs = Math.max(longestMs, performance.now() - (lastAtMs ?? performance.now()))
      lastAtMs = performance.now()
    }
  }
  const ended = follow()
  return {
    events,
    longestPauseMs: () => longestMs,
    checkDone(ids: string[]): void {
      const seen = new Set([...events.values()].map(({ type, data }) => `${type} ${data.id}`))
      for (const type of TYPES) {
        const missing = ids.filter((id) => !seen.has(`${type} ${id}`))
        if (missing.length > 0) throw new Error(`${missing.length} jobs have no event ${type}`)
      }
    },
    async stop() {
      isEnded = true
      await ended
    },
  }
}

function checkDelivered({ received }: WebhookReceiver, events: Map<string, Event>): void {
  const delivered = new Set(received.map(({ body }) => JSON.parse(body).id))
  const missing = [...events.values()].filter(({ id, type }) => TYPES.includes(type) && !delivered.has(id))
  if (missing.length > 0) throw new Error(`${missing.length} webhooks are missing`)
}

async function countConnections({ url, caFile }: { url: string; caFile: string }) {
  const client = new Client({ connectionString: `${url}?sslmode=verify-full&sslrootcert=${caFile}` })
  await client.connect()
  const { rows } = await client
    .query<{ ssl: boolean; count: number }>(
      `SELECT ssl, count(*)::int FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE application_name LIKE 'platen-%' GROUP BY ssl`,
    )
    .finally(() => client.end())
  const count = (ssl: boolean) => rows.find((row) => row.ssl === ssl)?.count ?? 0
  return { clear: count(false), encrypted: count(true) }
}
