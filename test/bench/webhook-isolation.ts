/**
 * `npm run bench -- webhook-isolation [rounds]`: what one dead and one slow endpoint cost the other 98. Five organizations with 20
 * endpoints each get events at a steady rate: a run in which all endpoints are well, then one in which one never answers and one takes
 * 2 s, then the other way round, so that the noise of the machine can be seen beside the difference. Only the 98 are measured, in both.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { percentile, percentiles, printTable } from './report.ts'
import { startWebhookInstallation, type WebhookInstallation } from './webhook-installation.ts'

const ORGANIZATIONS = 5
const ENDPOINTS = 20
/** Of all organizations together: 20 deliveries each. */
const EVENTS_PER_SECOND = 20
const SECONDS = 30
/** In which the service finds out about the two. */
const SETTLE_SECONDS = 5
const WINDOW_MS = 2_500
/** Before each run alike. */
const PAUSE_MS = 20_000

interface Latency {
  /** Of the publication, from the begin of the measurement. */
  atMs: number
  ms: number
}

interface Tenant {
  organizationId: string
  /** By which the receiver tells endpoints apart. */
  paths: string[]
}

export async function benchWebhookIsolation(rounds: number): Promise<void> {
  console.log('starting …')
  const installation = await startWebhookInstallation()
  const database = new Client({ connectionString: installation.databaseUrl })
  await database.connect()
  try {
    const tenants: Tenant[] = []
    const ids: string[] = []
    for (let n = 0; n < ORGANIZATIONS; n++) {
      const organizationId = uuidv7()
      const paths = Array.from({ length: ENDPOINTS }, (_, m) => `/${n}-${m}`)
      for (const path of paths) ids.push(await installation.addEndpoint(organizationId, path))
      tenants.push({ organizationId, paths })
    }
    // The last two, of two organizations: changed between runs, and measured in none.
    const [slow = '', dead = ''] = [ids[ENDPOINTS - 1], ids[2 * ENDPOINTS - 1]]
    const turn = async (id: string, path: string) =>
      await database.query('UPDATE webhooks.endpoint SET url = $2 WHERE id = $1', [id, installation.receiverUrl + path])
    const measured = new Set(tenants.flatMap(({ paths }, n) => (n < 2 ? paths.slice(0, -1) : paths)))

    await run(installation, tenants, measured)
    const well: Latency[][] = []
    const ill: Latency[][] = []
    for (let round = 1; round <= rounds; round++) {
      // Whatever grows from run to run is as often on one side as on the other.
      const order = round % 2 === 1 ? [false, true] : [true, false]
      for (const areIll of order) {
        await turn(slow, areIll ? '/slow' : '/well-1')
        await turn(dead, areIll ? '/dead' : '/well-2')
        // What waits for the two is over, their places are free again, and the database has cleared up.
        await database.query(`DELETE FROM webhooks.delivery WHERE status = 'pending'`)
        await sleep(PAUSE_MS)
        console.log(`round ${round}: ${areIll ? 'one is dead and one is slow' : 'all are well'}, ${SECONDS} s …`)
        const latencies = await run(installation, tenants, measured)
        if (areIll) ill.push(latencies)
        else well.push(latencies)
      }
    }
    const p99Well = windowP99(well)
    const p99Ill = windowP99(ill)
    printTable({
      ...runFigures('all well', well),
      ...runFigures('one dead, one slow', ill),
      'p99 ms, median window, all well': p99Well,
      'p99 ms, median window, one dead, one slow': p99Ill,
      'growth of it in %': Number(((p99Ill / p99Well - 1) * 100).toFixed(1)),
    })
  } finally {
    await database.end()
    await installation.stop()
  }
}

const getLatencies = (run: Latency[]) => run.map(({ ms }) => ms)

const runFigures = (name: string, runs: Latency[][]) =>
  Object.assign({}, ...runs.map((run, n) => percentiles(`${name}, run ${n + 1},`, getLatencies(run))))

/**
 * The median of the windows' 99th percentiles. Something else that computes on the machine for some seconds decides about the percentile of
 * a whole run, and about that of a few windows only.
 */
function windowP99(runs: Latency[][]): number {
  const windows = runs.flatMap((run) => [...Map.groupBy(run, ({ atMs }) => Math.floor(atMs / WINDOW_MS)).values()])
  return percentile(
    windows.map((window) => percentile(getLatencies(window), 99)),
    50,
  )
}

/** @returns milliseconds from each event's publication to its receipt by each of the measured endpoints, without the first seconds. */
async function run(installation: WebhookInstallation, tenants: Tenant[], measured: Set<string>): Promise<Latency[]> {
  const arrivals: { eventId: string; at: number }[] = []
  installation.watch(({ path, eventId, at }) => {
    if (measured.has(path)) arrivals.push({ eventId, at })
  })
  const startedAt = performance.now()
  const total = EVENTS_PER_SECOND * SECONDS
  const expected = Math.round((total * measured.size) / tenants.length)
  const organizationIds = tenants.map(({ organizationId }) => organizationId)
  const publishedAt = await installation.publishSteadily(organizationIds, EVENTS_PER_SECOND, SECONDS)
  const until = performance.now() + 30_000
  while (arrivals.length < expected && performance.now() < until) await sleep(50)
  if (arrivals.length < expected) throw new Error(`only ${arrivals.length} of ${expected} deliveries arrived`)
  installation.watch()
  const measuredFrom = performance.timeOrigin + startedAt + SETTLE_SECONDS * 1000
  return arrivals.flatMap(({ eventId, at }) => {
    const published = publishedAt.get(eventId) ?? Number.NaN
    return published >= measuredFrom ? [{ atMs: published - measuredFrom, ms: at - published }] : []
  })
}
