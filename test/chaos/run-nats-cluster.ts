/**
 * Prints on a cluster of three nats-servers and a PostgreSQL that both require TLS. While jobs are created, each
 * nats-server is killed once, or the replicas of streams are raised from 1 to 3.
 *
 * These are two runs, because nats-server 2.9 can lose writes if the server with the only copy is killed soon after the
 * copies were raised: when it starts again, it acts alone until it has the metadata of the cluster.
 */
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
import { runSteadily } from '../bench/report.ts'
import { type Api, createApi, type Exchange } from '../harness/api.ts'
import { type NatsCluster, startNatsCluster } from '../harness/nats-cluster.ts'
import { makePdf } from '../harness/pdf.ts'
import { startSystem } from '../harness/system.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { startTlsPostgres } from '../harness/tls-postgres.ts'
import { waitFor } from '../harness/wait-for.ts'
import { RECEIVER_ENVIRONMENT } from '../harness/webhook-receiver.ts'
import { createOnce } from '../load/create-once.ts'
import { startIntegrator } from '../load/integrator.ts'

export interface ClusterOptions {
  jobs: number
  /** Raises the replicas instead of killing servers. */
  raise: boolean
  onProgress: (line: string) => void
}

export interface ClusterResult {
  jobs: number
  /** Requests without an answer, or with an error. */
  failures: number
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

const CREATIONS_PER_SECOND = 25
/** Requests and webhooks continue without the server for this time. */
const AWAY_MS = 3_000
const END_TIMEOUT_MS = 90_000
const STREAMS = [EVENTS_STREAM.name, WEBHOOK_ATTEMPTS_STREAM.name, 'OBJ_documents']
/** Stored with the job, and every tenth in the document store. */
const SMALL = makePdf('Hello')
const LARGE = makePdf('Hello', 2 * SMALL.length)
const FILE_STORE_URL = 'nats:///documents'

/** @throws Error if a job, event or webhook is missing at the end, or a stream lacks a replica. */
export async function runNatsCluster({ jobs, raise, onProgress }: ClusterOptions): Promise<ClusterResult> {
  await using started = new AsyncDisposableStack()
  onProgress('starting')
  const directory = await mkdtemp(join(tmpdir(), 'platen-nats-cluster-'))
  started.defer(() => rm(directory, { recursive: true }))
  const cluster = started.adopt(await startNatsCluster(directory), (one) => one.stop())
  const postgres = started.adopt(await startTlsPostgres(), (one) => one.stop())
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
    ...RECEIVER_ENVIRONMENT,
  }
  const system = started.adopt(await startSystem({ testComputers: true, env }), (one) => one.stop())
  const key = await system.addKey(await system.createOrganization(), 'test', ['read', 'print', 'admin'])
  let failures = 0
  const record = ({ answer }: Exchange) => {
    if (!answer || answer.status >= 400) failures++
  }
  const api = createApi(system.baseUrl, key, { record })
  const { id: printerId } = await waitFor(() => api.printer('Test A4 Laser'))
  const integrator = await startIntegrator(api, started, { keptMax: 100 * jobs })

  onProgress(`creating ${jobs} jobs${raise ? ', and raising the replicas' : ''}`)
  const created = createJobs(api, printerId, jobs).then((ids) => ({
    ids,
    longestPauseMs: integrator.longestPauseMs(),
  }))
  const disturb = () => (raise ? raiseReplicas(streams) : killEach(cluster, streams, onProgress))
  const [{ ids, longestPauseMs }] = await Promise.all([created, disturb()])
  onProgress('waiting for the last events and webhooks')
  await integrator.untilPrinted(ids, END_TIMEOUT_MS)
  const { clear, encrypted } = await countConnections(postgres)
  return {
    jobs: ids.length,
    failures,
    events: integrator.events.size,
    webhooks: integrator.received.length,
    longestPauseMs: Math.round(longestPauseMs),
    longestWebhookDelayMs: Math.max(
      ...integrator.received.map(({ atMs, body }) => atMs - Date.parse(JSON.parse(body).timestamp)),
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

/** @returns the ids of the jobs. */
async function createJobs(api: Api, printerId: string, count: number): Promise<string[]> {
  const ids = await runSteadily(CREATIONS_PER_SECOND, count, async (_, n) => {
    const content = (n % 10 === 0 ? LARGE : SMALL).toString('base64')
    return await createOnce(api, `job-${n}`, { printerId, title: `Job ${n}`, contentType: 'pdf_base64', content })
  })
  return ids.filter((id) => id !== undefined)
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
