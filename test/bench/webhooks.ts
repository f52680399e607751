/**
 * `npm run bench -- webhooks`: how long an event takes from its commit to the receiver and what a delivery costs: at a
 * low rate, in a burst, to many endpoints, and beside an endpoint that needs 10 s for each answer. The same for test
 * jobs at a low rate, and the floor in the same run: the requests by a plain client, without the services. Takes two
 * minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { v7 as uuidv7 } from 'uuid'
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { waitFor } from '../harness/wait-for.ts'
import { cpuMicroseconds } from './cpu.ts'
import { cpuFigures, type Figures, percentiles, printTable, runSteadily } from './report.ts'
import { startWebhookInstallation, type WebhookInstallation } from './webhook-installation.ts'

const QUIET = { perSecond: 50, seconds: 10 }
/** The rate at which the API accepts jobs. */
const BURST = { perSecond: 1_000, seconds: 5 }
const ENDPOINTS = 20
const WARM_UP_EVENTS = 500
const SATURATING_EVENTS = 1_000
const EVENTS_AT_ONCE = 10
/** Published and not received: more would only wait. */
const AHEAD_MAX = 4_000
const JOBS = { perSecond: 50, seconds: 10 }
const BESIDE = { perSecond: 100, seconds: 30 }
/** Until the first attempts of the slow endpoint have ended and the service knows that it is slow. */
const BESIDE_WARM_UP_MS = 12_000
const ARRIVAL_LIMIT_MS = 60_000
const FLOOR_SECONDS = 5
const FLOOR_CONNECTIONS = 64
/** The length is that of an event of a job. */
const BODY = Buffer.from(JSON.stringify({ data: 'x'.repeat(900) }))

export async function benchWebhooks(): Promise<void> {
  console.log('starting …')
  const installation = await startWebhookInstallation()
  try {
    const phases = {
      'warming up': () => saturate(installation, WARM_UP_EVENTS),
      'the floor': () => measureFloor(installation.receiverUrl),
      'quiet events': () => deliverSteadily(installation, `at ${QUIET.perSecond}/s`, QUIET),
      'a burst': () => deliverSteadily(installation, `in a burst of ${BURST.perSecond * BURST.seconds}`, BURST),
      'many endpoints': () => saturate(installation, SATURATING_EVENTS),
      'test jobs': () => printSteadily(installation),
      'a slow endpoint': () => deliverBesideSlow(installation),
    }
    const figures: Figures = {}
    for (const [name, run] of Object.entries(phases)) {
      console.log(`${name} …`)
      Object.assign(figures, await run())
    }
    printTable(figures)
  } finally {
    await installation.stop()
  }
}

/** @returns what `work` cost all processes, for each of its units. */
async function measureCpu(
  { system: { pids } }: WebhookInstallation,
  unit: string,
  units: number,
  work: () => Promise<unknown>,
): Promise<Figures> {
  const read = async () => {
    const { platen = 0, postgres = 0, ...others } = await cpuMicroseconds(pids)
    const nats = Object.values(others).reduce((sum, us) => sum + us, 0)
    return { platen, postgres, nats, 'all processes': platen + postgres + nats }
  }
  const before = await read()
  await work()
  return cpuFigures(unit, before, await read(), units)
}

async function untilArrived({ arrivals }: WebhookInstallation, path: string, from: number, count: number) {
  await waitFor(() => {
    const arrived = arrivals.slice(from).filter((arrival) => arrival.path.startsWith(path)).length
    if (arrived < count) throw new Error(`only ${arrived} of ${count} deliveries arrived`)
  }, ARRIVAL_LIMIT_MS)
}

/** One delivery for each event. */
async function deliverSteadily(
  installation: WebhookInstallation,
  name: string,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Figures> {
  const organizationId = uuidv7()
  await installation.addEndpoint(organizationId, '/steady')
  const from = installation.arrivals.length
  const count = perSecond * seconds
  let published = new Map<string, number>()
  const startedAt = performance.timeOrigin + performance.now()
  const cpu = await measureCpu(installation, `delivery ${name}`, count, async () => {
    published = await installation.publishSteadily(organizationId, perSecond, seconds)
    await untilArrived(installation, '/steady', from, count)
  })
  // A delivery of an earlier phase can arrive twice.
  const arrived = installation.arrivals.slice(from).filter(({ eventId }) => published.has(eventId))
  const elapsedMs = (arrived.at(-1)?.at ?? Number.NaN) - startedAt
  return {
    ...percentiles(`event to receipt ${name}`, toLatencies(arrived, published)),
    [`deliveries/s ${name}`]: Math.round((count * 1000) / elapsedMs),
    ...cpu,
  }
}

const toLatencies = (arrived: WebhookInstallation['arrivals'], published: Map<string, number>) =>
  arrived.map(({ eventId, at }) => at - (published.get(eventId) ?? Number.NaN))

/** Each event has a delivery to each of the endpoints. */
async function saturate(installation: WebhookInstallation, events: number): Promise<Figures> {
  const organizationId = uuidv7()
  for (let n = 0; n < ENDPOINTS; n++) await installation.addEndpoint(organizationId, `/${n}`)
  const from = installation.arrivals.length
  const count = events * ENDPOINTS
  const startedAt = performance.now()
  const cpu = await measureCpu(installation, `delivery to ${ENDPOINTS} endpoints`, count, async () => {
    for (let published = 0; published < events; published += EVENTS_AT_ONCE) {
      while (published * ENDPOINTS - (installation.arrivals.length - from) > AHEAD_MAX) await sleep(5)
      await installation.publish(organizationId, EVENTS_AT_ONCE)
    }
    await untilArrived(installation, '/', from, count)
  })
  const elapsedMs = performance.now() - startedAt
  return { [`deliveries/s to ${ENDPOINTS} endpoints`]: Math.round((count * 1000) / elapsedMs), ...cpu }
}

/** Jobs of an organization whose endpoint receives all events of each. */
async function printSteadily(installation: WebhookInstallation): Promise<Figures> {
  const { system, arrivals } = installation
  const organizationId = await system.createOrganization()
  const api = createApi(system.baseUrl, await system.addKey(organizationId, 'test', ['read', 'print']))
  const { id: printerId } = await api.printer('Test A4 Laser')
  const job = { printerId, title: 'Bench', contentType: 'pdf_base64', content: makePdf('Bench').toString('base64') }
  const types = ['printjob.queued', 'printjob.sent', 'printjob.received', 'printjob.printing', 'printjob.done']
  await installation.addEndpoint(organizationId, '/jobs', types)
  const from = arrivals.length
  const jobs = JOBS.perSecond * JOBS.seconds
  return await measureCpu(installation, `test job at ${JOBS.perSecond}/s`, jobs, async () => {
    await runSteadily(JOBS.perSecond, jobs, () => api.createJob(job))
    await untilArrived(installation, '/jobs', from, jobs * types.length)
  })
}

/** Each event has a delivery to an endpoint that answers at once and to one that needs 10 s. */
async function deliverBesideSlow(installation: WebhookInstallation): Promise<Figures> {
  const organizationId = uuidv7()
  for (const path of ['/beside', '/slow']) await installation.addEndpoint(organizationId, path)
  const { perSecond, seconds } = BESIDE
  const from = installation.arrivals.length
  const startedAt = performance.timeOrigin + performance.now()
  const published = await installation.publishSteadily(organizationId, perSecond, seconds)
  await untilArrived(installation, '/beside', from, perSecond * seconds)
  const arrived = installation.arrivals.slice(from)
  const measuredFrom = startedAt + BESIDE_WARM_UP_MS
  const slow = arrived.filter(({ path, at }) => path === '/slow' && at >= measuredFrom)
  const beside = arrived.filter(({ path }) => path === '/beside')
  return {
    ...percentiles(`event to receipt at ${perSecond}/s beside a slow endpoint`, toLatencies(beside, published)),
    'deliveries/s to the slow endpoint': Number((slow.length / (seconds - BESIDE_WARM_UP_MS / 1000)).toFixed(1)),
  }
}

async function measureFloor(url: string): Promise<Figures> {
  const pool = new Pool(url, { connections: FLOOR_CONNECTIONS })
  const until = performance.now() + FLOOR_SECONDS * 1000
  let requests = 0
  const headers = {
    'content-type': 'application/json',
    'webhook-id': uuidv7(),
    'webhook-timestamp': '1700000000',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const work = async () => {
    while (performance.now() < until) {
      const { body } = await pool.request({ path: '/floor', method: 'POST', headers, body: BODY })
      await body.dump()
      requests++
    }
  }
  await Promise.all(Array.from({ length: FLOOR_CONNECTIONS }, work))
  await pool.close()
  return { 'floor deliveries/s': Math.round(requests / FLOOR_SECONDS) }
}
