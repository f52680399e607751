/**
 * `npm run bench -- hostile [jobs]`: what an organization that sends as many requests as its rate permits costs others:
 * their creations, their reads and their webhooks. Honest load alone, then beside each attack: some on many rows, then
 * each operation and route. The attacker is a thread of its own, because it also computes. Needs port 80 of 127.0.0.9
 * for fetches that wait.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { Client } from 'pg'
import { Agent, request } from 'undici'
import { createApi } from '../harness/api.ts'
import { copyJob } from '../harness/copy-job.ts'
import { type System, startSystem } from '../harness/system.ts'
import { addPrintingOrganization } from '../load/printing-computers.ts'
import { cpuMicroseconds } from './cpu.ts'
import { type AttackRequest, type OperationAttack, prepareOperations } from './hostile-operations.ts'
import { type Figures, percentile, runSteadily } from './report.ts'
import { startReceiver } from './webhook-installation.ts'

const ORGANIZATIONS = 5
const CREATIONS_PER_SECOND = 50
const READS_PER_SECOND = 20
const READS = ['/v1/whoami', '/v1/printjobs?limit=20', '/v1/printers']
/** What an attack may cost others. */
const GROWTH_MAX_PERCENT = 50
const ATTACKS_PER_SECOND = 20
const ROUNDS = 3
const SETTLE_MS = 3_000
const TIMEOUT_MS = 5_000
const PRINTERS = 100
const PAPERS = 700
const FETCHES = 100_000
/** The jobs of one printer, which one request ends. */
const PURGED = 30_000
/** For the deliveries of a load, after its end. */
const DELIVERED_MS = 10_000
const FETCH_HOST = '127.0.0.9'
/** Another one than that of the others, because wrong credentials are limited by address. */
const ATTACK_ADDRESS = '127.0.0.2'
/** Parts of a title that all jobs have, a part of a word, a number and nothing. */
const SEARCHES = ['Bench', 'enc', '4711', 'nothing'].map((text) => `/v1/printjobs?q=${text}`)
const CONTENT = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`).toString('base64')

interface Attack extends OperationAttack {
  baseUrl: string
}

interface Tenant {
  key: string
  organizationId: string
  printerId: string
}

/** @param only parts of the names of attacks, with commas. */
export async function benchHostile(jobs: number, seconds: number, only = ''): Promise<void> {
  console.log('starting …')
  const system = await startSystem({
    together: true,
    env: {
      PLATEN_RATE_LIMIT_PER_SECOND: '20',
      PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: '200',
      PLATEN_UNFINISHED_JOBS_PER_ORGANIZATION: '1000000',
      PLATEN_LIVE_JOBS_PER_DAY: '1000000000',
      PLATEN_TEST_JOBS_PER_DAY: '1000000000',
      PLATEN_ALLOWED_NETWORKS: `${FETCH_HOST}/32,127.0.0.1/32`,
      PLATEN_PRINTNODE_API: 'on',
    },
  })
  const silent = createServer().listen(80, FETCH_HOST)
  const receiver = await startReceiver()
  const database = new Client({ connectionString: system.databaseUrl })
  await database.connect()
  try {
    const tenants: Tenant[] = []
    for (let n = 0; n < ORGANIZATIONS; n++) tenants.push(await addTenant(system, `${receiver.url}/`))
    const attacker = await addTenant(system)
    console.log(`making ${jobs} jobs, ${PRINTERS} printers …`)
    const lists = await prepareLists(system, database, attacker, jobs)
    const attacks: Record<string, Prepared> = {
      // What so many requests cost on this machine, which also runs the attacker.
      'the floor': { perSecond: 200, requests: [{ method: 'GET', path: '/healthz', headers: {} }] },
      'two filters': lists,
      searches: byKey(attacker.key, SEARCHES),
      'large printers': await preparePrinters(system, database, attacker),
      'waiting fetches': await prepareFetches(system, attacker),
      ...(await prepareOperations(system, database, attacker, `https://${FETCH_HOST}/`)),
      // The last one, because its jobs end for a while afterwards.
      purges: await preparePurge(system, attacker),
    }
    await database.query('CHECKPOINT')
    await load({ system, tenants, receiver }, seconds)
    const rows: string[] = []
    for (const [name, { prepare, ...attack }] of Object.entries(attacks)) {
      if (!only.split(',').some((part) => name.includes(part))) continue
      const rounds: Round[] = []
      // One round decides, unless it shows a growth that can be chance.
      do {
        console.log(`${name}, round ${rounds.length + 1} …`)
        await prepare?.(database)
        rounds.push(await runRound({ system, tenants, receiver }, attack, seconds))
      } while (rounds.length < ROUNDS && LATENCIES.some((what) => growth(rounds, what) > GROWTH_MAX_PERCENT))
      rows.push(toRow(name, rounds))
      console.log(rows.at(-1))
    }
    console.log(['', HEAD, ...rows].join('\n'))
  } finally {
    silent.close()
    receiver.stop()
    await database.end()
    await system.stop()
  }
}

/** @param id a UUID of version 7. @returns milliseconds since 1970. */
const toTime = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

/** @param receiverUrl of an event of each job. */
async function addTenant(system: System, receiverUrl?: string): Promise<Tenant> {
  // Live endpoints need HTTPS.
  const mode = receiverUrl ? 'test' : 'live'
  const { key, organizationId, printerId } = await addPrintingOrganization(system, { mode })
  if (receiverUrl)
    await system
      .connect(EndpointsService, 'webhooks')
      .createEndpoint({ organizationId, mode, url: receiverUrl, events: ['printjob.queued'] })
  return { key, organizationId, printerId }
}

interface Prepared extends OperationAttack {
  prepare?: (database: Client) => Promise<void>
}

const byKey = (key: string, paths: string[], body?: object): Prepared => ({
  perSecond: ATTACKS_PER_SECOND,
  requests: paths.map((path) => ({
    method: body ? 'POST' : 'GET',
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })),
})

/** Half of the jobs have one printer and source, the other half have others, and all are done. */
async function prepareLists(system: System, database: Client, tenant: Tenant, jobs: number): Promise<Prepared> {
  const api = createApi(system.baseUrl, tenant.key)
  for (const n of [1, 2]) {
    const { id } = await api.createJob({ ...newJob(tenant.printerId), source: `source-${n}` })
    await api.waitUntilFinal(id)
    if (n === 2) await database.query('UPDATE jobs.job SET printer_id = uuidv7() WHERE id = $1', [id])
    await copyJob(database, id, jobs / 2)
  }
  await database.query('VACUUM ANALYZE jobs.job')
  const filters = ['source=source-2', 'state=error', 'state=sent', 'state=error&source=source-2']
  return byKey(
    tenant.key,
    filters.map((filter) => `/v1/printjobs?printerId=${tenant.printerId}&${filter}`),
  )
}

async function preparePrinters(_system: System, database: Client, { key, printerId }: Tenant): Promise<Prepared> {
  const papers = Array.from({ length: PAPERS }, (_, n) => ({
    name: `A paper with a name that is not short ${n}`,
    size: { width: 2100, height: 2970 },
  }))
  const { rows } = await database.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'devices' AND table_name = 'printer'
       AND column_name NOT IN ('id', 'os_name', 'capabilities', 'commit_seq')`,
  )
  const columns = rows.map(({ name }) => name).join(', ')
  await database.query(
    `INSERT INTO devices.printer (id, os_name, capabilities, ${columns})
     SELECT uuidv7(), 'large ' || n, $2, ${columns} FROM devices.printer, generate_series(1, $3) AS n WHERE id = $1`,
    [printerId, JSON.stringify({ papers, copies: 1 }), PRINTERS],
  )
  return byKey(key, ['/v1/printers?limit=100'])
}

/** The first ones get no answer. Each creation wakes the service, which then selects the next fetch. */
async function prepareFetches(system: System, { key, printerId }: Tenant): Promise<Prepared> {
  const body = newFetch(printerId)
  let isPrepared = false
  return {
    ...byKey(key, ['/v1/printjobs'], body),
    async prepare(database) {
      if (isPrepared) return
      isPrepared = true
      const api = createApi(system.baseUrl, key)
      // The key has used up its rate.
      await sleep(SETTLE_MS)
      const { id } = await api.createJob(body)
      for (let n = 0; n < 15; n++) await api.createJob(body)
      await copyJob(database, id, FETCHES)
      await database.query(
        `INSERT INTO jobs.document_fetch (job_id, organization_id, host_digest, encrypted_source, created_at)
         SELECT job.id, job.organization_id, host_digest, encrypted_source, now()
         FROM jobs.job JOIN jobs.document_fetch ON document_fetch.job_id = $1
         WHERE job.fetching AND NOT EXISTS (SELECT FROM jobs.document_fetch AS other WHERE other.job_id = job.id)`,
        [id],
      )
      await database.query('VACUUM ANALYZE jobs.job, jobs.document_fetch')
    },
  }
}

async function preparePurge(system: System, { key, organizationId, printerId }: Tenant): Promise<Prepared> {
  const admin = await system.addKey(organizationId, 'live', ['read', 'print', 'admin'])
  return {
    ...byKey(admin, [`/v1/printers/${printerId}/purge`], {}),
    async prepare(database) {
      await sleep(SETTLE_MS)
      const { id } = await createApi(system.baseUrl, key).createJob(newFetch(printerId))
      await copyJob(database, id, PURGED)
      await database.query('VACUUM ANALYZE jobs.job')
    },
  }
}

const newFetch = (printerId: string) => ({
  ...newJob(printerId),
  contentType: 'pdf_uri',
  content: `http://${FETCH_HOST}/invoice.pdf`,
})

const newJob = (printerId: string) => ({ printerId, title: 'Bench', contentType: 'pdf_base64', content: CONTENT })

interface Load {
  createMs: number[]
  readMs: number[]
  /** From the creation of an event to its arrival. */
  deliverMs: number[]
  failed: number
  /** The CPU of each process. */
  cpuUs: Figures
}

interface Round {
  quiet: Load
  disturbed: Load
  /** Responses to the attacker, by status. */
  statuses: Record<string, number>
}

interface Honest {
  system: System
  tenants: Tenant[]
  receiver: Awaited<ReturnType<typeof startReceiver>>
}

async function runRound(honest: Honest, attack: OperationAttack, seconds: number): Promise<Round> {
  const { system } = honest
  const quiet = await load(honest, seconds)
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...attack, baseUrl: system.baseUrl } })
  await sleep(SETTLE_MS)
  const disturbed = await load(honest, seconds)
  worker.postMessage('end')
  const [statuses] = await once(worker, 'message')
  await worker.terminate()
  return { quiet, disturbed, statuses }
}

async function load({ system, tenants, receiver }: Honest, seconds: number): Promise<Load> {
  let failed = 0
  const arrivedBefore = receiver.arrivals.length
  const send = async (dueAt: number, key: string, path: string, body?: object) => {
    const status = await call(system.baseUrl, key, path, body).catch(() => 0)
    if (status !== 200 && status !== 201) failed++
    return performance.now() - dueAt
  }
  const before = await cpuMicroseconds(system.pids)
  const [createMs, readMs] = await Promise.all([
    runSteadily(CREATIONS_PER_SECOND, seconds * CREATIONS_PER_SECOND, (dueAt, n) => {
      const { key = '', printerId = '' } = tenants[n % tenants.length] ?? {}
      return send(dueAt, key, '/v1/printjobs', newJob(printerId))
    }),
    runSteadily(READS_PER_SECOND, seconds * READS_PER_SECOND, (dueAt, n) =>
      send(dueAt, tenants[n % tenants.length]?.key ?? '', READS[n % READS.length] ?? ''),
    ),
  ])
  const after = Object.entries(await cpuMicroseconds(system.pids))
  const arrived = () => receiver.arrivals.slice(arrivedBefore)
  const until = performance.now() + DELIVERED_MS
  while (arrived().length < createMs.length && performance.now() < until) await sleep(50)
  failed += Math.max(0, createMs.length - arrived().length)
  return {
    createMs,
    readMs,
    deliverMs: arrived().map(({ eventId, at }) => at - toTime(eventId)),
    failed,
    cpuUs: Object.fromEntries(after.map(([name, us]) => [name, us - (before[name] ?? 0)])),
  }
}

async function call(baseUrl: string, key: string, path: string, body?: object): Promise<number> {
  const { statusCode, body: answer } = await request(baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await answer.dump({ limit: Number.POSITIVE_INFINITY })
  return statusCode
}

/** The latencies of creations, reads and webhooks. */
const LATENCIES = ['createMs', 'readMs', 'deliverMs'] as const

const HEAD =
  '| attack | creation p50 / p99 ms | beside | read | beside | webhook | beside | growth of p99 | failed | responses |\n| - | - | - | - | - | - | - | - | - | - |'

/**
 * The medians of the rounds, because something else that computes on the machine decides about the percentile of one
 * round.
 */
function toRow(name: string, rounds: Round[]): string {
  const figures = LATENCIES.flatMap((what) =>
    (['quiet', 'disturbed'] as const).map((when) =>
      [50, 99].map((percent) => median(rounds, when, what, percent)).join(' / '),
    ),
  )
  const failed = rounds.reduce((sum, { disturbed }) => sum + disturbed.failed, 0)
  const grown = LATENCIES.map((what) => `${growth(rounds, what)} %`).join(', ')
  const statuses = Object.entries(rounds.at(-1)?.statuses ?? {}).map(([status, count]) => `${count} × ${status}`)
  return `| ${[name, ...figures, grown, failed, statuses.join(', ')].join(' | ')} |`
}

const median = (rounds: Round[], when: 'quiet' | 'disturbed', what: (typeof LATENCIES)[number], percent: number) =>
  percentile(
    rounds.map((round) => percentile(round[when][what], percent)),
    50,
  )

/** The growth of the 99th percentile, in percent. */
const growth = (rounds: Round[], what: (typeof LATENCIES)[number]) =>
  Math.round((median(rounds, 'disturbed', what, 99) / median(rounds, 'quiet', what, 99) - 1) * 100)

if (!isMainThread) {
  const { baseUrl, requests, perSecond }: Attack = workerData
  const statuses: Record<string, number> = {}
  const ended = new AbortController()
  const dispatcher = new Agent({ connect: { localAddress: ATTACK_ADDRESS } })
  parentPort?.once('message', () => ended.abort())
  await runSteadily(perSecond, ended.signal, async (_, n) => {
    const { method, path, headers, body } = requests[n % requests.length] as AttackRequest
    const status = await request(baseUrl + path, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .then(async ({ statusCode, body: answer }) => {
        await answer.dump({ limit: Number.POSITIVE_INFINITY })
        return String(statusCode)
      })
      .catch(() => 'none')
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  parentPort?.postMessage(statuses)
}
