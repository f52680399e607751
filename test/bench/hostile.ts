/**
 * `npm run bench -- hostile [jobs]`: what one key that reads as fast as its rate permits costs other organizations. Honest load alone, then
 * beside each attack. The attacker is a thread of its own, because it also computes. Needs port 80 of 127.0.0.9 for fetches that wait.
 */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { Client } from 'pg'
import { request } from 'undici'
import { createApi } from '../harness/api.ts'
import { copyJob } from '../harness/copy-job.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { type System, startSystem } from '../harness/system.ts'
import { cpuMicroseconds } from './cpu.ts'
import { type Figures, percentile, printTable, runSteadily } from './report.ts'

const ORGANIZATIONS = 5
const CREATIONS_PER_SECOND = 50
const WHOAMI_PER_SECOND = 10
const ATTACKS_PER_SECOND = 20
const ROUNDS = 3
const SETTLE_MS = 3_000
const TIMEOUT_MS = 5_000
const PRINTERS = 100
const PAPERS = 700
const FETCHES = 100_000
const FETCH_HOST = '127.0.0.9'
/** Of a title that all jobs have, a part of a word, a number and nothing. */
const SEARCHES = ['Bench', 'enc', '4711', 'nothing'].map((text) => `/v1/printjobs?q=${text}`)
const CONTENT = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`).toString('base64')

interface Attack {
  baseUrl: string
  key: string
  paths: string[]
  /** A POST, else a GET. */
  body?: object
}

interface Tenant {
  key: string
  organizationId: string
  printerId: string
}

export async function benchHostile(jobs: number, seconds: number): Promise<void> {
  console.log('starting …')
  const system = await startSystem({
    together: true,
    env: {
      PLATEN_RATE_LIMIT_PER_SECOND: '20',
      PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: '200',
      PLATEN_UNFINISHED_JOBS_PER_ORGANIZATION: '1000000',
      PLATEN_LIVE_JOBS_PER_DAY: '1000000000',
      PLATEN_ALLOWED_NETWORKS: `${FETCH_HOST}/32`,
    },
  })
  const silent = createServer().listen(80, FETCH_HOST)
  const database = new Client({ connectionString: system.databaseUrl })
  await database.connect()
  try {
    const tenants: Tenant[] = []
    for (let n = 0; n < ORGANIZATIONS; n++) tenants.push(await addTenant(system))
    const attacker = await addTenant(system)
    console.log(`making ${jobs} jobs, ${PRINTERS} printers …`)
    const lists = await prepareLists(system, database, attacker, jobs)
    const attacks: Record<string, Prepared> = {
      'two filters': lists,
      searches: { key: attacker.key, paths: SEARCHES },
      'large printers': await preparePrinters(system, database, attacker),
      'waiting fetches': await prepareFetches(system, attacker),
    }
    await database.query('CHECKPOINT')
    await load(system, tenants, seconds)
    const figures: Figures = {}
    for (const [name, { prepare, ...attack }] of Object.entries(attacks)) {
      await prepare?.(database)
      const [quiet, disturbed]: [Load[], Load[]] = [[], []]
      for (let round = 1; round <= ROUNDS; round++) {
        console.log(`${name}, round ${round} of ${ROUNDS} …`)
        quiet.push(await load(system, tenants, seconds))
        const worker = new Worker(new URL(import.meta.url), { workerData: { ...attack, baseUrl: system.baseUrl } })
        await sleep(SETTLE_MS)
        disturbed.push(await load(system, tenants, seconds))
        await worker.terminate()
      }
      Object.assign(figures, compare(name, quiet, disturbed, seconds))
    }
    printTable(figures)
  } finally {
    silent.close()
    await database.end()
    await system.stop()
  }
}

async function addTenant(system: System): Promise<Tenant> {
  const { key, credential, organizationId } = await system.addOrganization({ mode: 'live' })
  await connectLightAgent(system.agentAddress, credential)
  return { key, organizationId, printerId: (await createApi(system.baseUrl, key).printer('Bench')).id }
}

interface Prepared extends Omit<Attack, 'baseUrl'> {
  prepare?: (database: Client) => Promise<void>
}

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
  return { key: tenant.key, paths: filters.map((filter) => `/v1/printjobs?printerId=${tenant.printerId}&${filter}`) }
}

async function preparePrinters(_system: System, database: Client, { key, printerId }: Tenant): Promise<Prepared> {
  const papers = Array.from({ length: PAPERS }, (_, n) => ({
    name: `A paper with a name that is not short ${n}`,
    size: { width: 2100, height: 2970 },
  }))
  const { rows } = await database.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'devices' AND table_name = 'printer'
       AND column_name NOT IN ('id', 'os_name', 'capabilities', 'commit_seq')`,
  )
  const columns = rows.map(({ name }) => name).join(', ')
  await database.query(
    `INSERT INTO devices.printer (id, os_name, capabilities, ${columns})
     SELECT uuidv7(), 'large ' || n, $2, ${columns} FROM devices.printer, generate_series(1, $3) AS n WHERE id = $1`,
    [printerId, JSON.stringify({ papers, copies: 1 }), PRINTERS],
  )
  return { key, paths: ['/v1/printers?limit=100'] }
}

/** The first ones get no answer. Each creation wakes the service, which then selects the next fetch. */
async function prepareFetches(system: System, { key, printerId }: Tenant): Promise<Prepared> {
  const body = { ...newJob(printerId), contentType: 'pdf_uri', content: `http://${FETCH_HOST}/invoice.pdf` }
  return {
    key,
    paths: ['/v1/printjobs'],
    body,
    async prepare(database) {
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

const newJob = (printerId: string) => ({ printerId, title: 'Bench', contentType: 'pdf_base64', content: CONTENT })

interface Load {
  createMs: number[]
  whoamiMs: number[]
  failed: number
  /** Of each process. */
  cpuUs: Figures
}

async function load(system: System, tenants: Tenant[], seconds: number): Promise<Load> {
  let failed = 0
  const send = async (dueAt: number, key: string, path: string, body?: object) => {
    const status = await call(system.baseUrl, key, path, body).catch(() => 0)
    if (status !== 200 && status !== 201) failed++
    return performance.now() - dueAt
  }
  const before = await cpuMicroseconds(system.pids)
  const [createMs, whoamiMs] = await Promise.all([
    runSteadily(CREATIONS_PER_SECOND, seconds * CREATIONS_PER_SECOND, (dueAt, n) => {
      const { key = '', printerId = '' } = tenants[n % tenants.length] ?? {}
      return send(dueAt, key, '/v1/printjobs', newJob(printerId))
    }),
    runSteadily(WHOAMI_PER_SECOND, seconds * WHOAMI_PER_SECOND, (dueAt, n) =>
      send(dueAt, tenants[n % tenants.length]?.key ?? '', '/v1/whoami'),
    ),
  ])
  const after = Object.entries(await cpuMicroseconds(system.pids))
  return {
    createMs,
    whoamiMs,
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

/** The median of the rounds, because something else that computes on the machine decides about the percentile of one round. */
function compare(attack: string, quiet: Load[], disturbed: Load[], seconds: number): Figures {
  const median = (loads: Load[], get: (one: Load) => number) => percentile(loads.map(get), 50)
  const figures: Figures = {}
  for (const [name, what] of [
    ['creation', 'createMs'],
    ['whoami', 'whoamiMs'],
  ] as const) {
    for (const percent of [50, 95, 99])
      for (const [when, loads] of [
        ['without', quiet],
        ['beside', disturbed],
      ] as const)
        figures[`${attack}: ${name} p${percent} ms, ${when}`] = median(loads, (one) => percentile(one[what], percent))
    const [before = Number.NaN, during = Number.NaN] = [quiet, disturbed].map((loads) =>
      median(loads, (one) => percentile(one[what], 99)),
    )
    figures[`${attack}: ${name} p99 growth %`] = Math.round((during / before - 1) * 100)
  }
  figures[`${attack}: failed requests of others`] = disturbed.reduce((sum, { failed }) => sum + failed, 0)
  for (const name of Object.keys(quiet[0]?.cpuUs ?? {})) {
    const [before = 0, during = 0] = [quiet, disturbed].map((loads) => median(loads, ({ cpuUs }) => cpuUs[name] ?? 0))
    figures[`${attack}: CPU ms a second, ${name}`] = Math.round((during - before) / 1000 / seconds)
  }
  return figures
}

if (!isMainThread) {
  const { baseUrl, key, paths, body }: Attack = workerData
  await runSteadily(ATTACKS_PER_SECOND, new AbortController().signal, (_, n) =>
    call(baseUrl, key, paths[n % paths.length] ?? '', body).catch(() => 0),
  )
}
