/**
 * `npm run bench -- webhooks [deliveries]`: how many signed deliveries a second get from an event of the jobs service to a local receiver,
 * what each process computes for one, how long an event takes to its receiver at a paced rate, what the service weighs before and after,
 * and the floor in the same run: the same requests by a plain client, without the service.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { v7 as uuidv7 } from 'uuid'
import { cpuMicroseconds, rssBytes } from './cpu.ts'
import { cpuFigures, percentiles, printTable } from './report.ts'
import { startWebhookInstallation, type WebhookInstallation } from './webhook-installation.ts'

const ORGANIZATIONS = 20
const WARM_UP = 10_000
/** Published and not received: more would only wait. */
const AHEAD_MAX = 4_000
const PACED_PER_SECOND = 200
const PACED_SECONDS = 20
/** After each of which the service is weighed. */
const PARTS = 8
const FLOOR_SECONDS = 10
const FLOOR_CONNECTIONS = 64
const MB = 1024 * 1024
/** As long as an event of a job is. */
const BODY = Buffer.from(JSON.stringify({ data: 'x'.repeat(900) }))

export async function benchWebhooks(deliveries: number): Promise<void> {
  console.log('starting …')
  const installation = await startWebhookInstallation()
  try {
    const organizations = Array.from({ length: ORGANIZATIONS }, () => uuidv7())
    for (const [n, id] of organizations.entries()) await installation.addEndpoint(id, `/${n}`)
    console.log(`warming up, ${WARM_UP} deliveries …`)
    await saturate(installation, organizations, WARM_UP)
    const rssBefore = await rssBytes(installation.pids.webhooks)

    console.log(`paced at ${PACED_PER_SECOND}/s, ${PACED_SECONDS} s …`)
    const latencies = await measureLatencies(installation, organizations)

    console.log(`${deliveries} deliveries …`)
    const cpuBefore = await cpuMicroseconds(installation.pids)
    const rss: Record<string, number> = {}
    const rates: number[] = []
    for (let part = 1; part <= PARTS; part++) {
      rates.push(await saturate(installation, organizations, Math.round(deliveries / PARTS)))
      const megabytes = Math.round((await rssBytes(installation.pids.webhooks)) / MB)
      rss[`RSS MB after ${Math.round((deliveries * part) / PARTS)}`] = megabytes
    }
    const perSecond = PARTS / rates.reduce((sum, rate) => sum + 1 / rate, 0)
    const cpuAfter = await cpuMicroseconds(installation.pids)

    console.log(`the floor, ${FLOOR_SECONDS} s …`)
    const floor = await measureFloor(installation.receiverUrl)
    printTable({
      'deliveries/s': Math.round(perSecond),
      'floor deliveries/s': Math.round(floor),
      'floor / deliveries': Number((floor / perSecond).toFixed(2)),
      ...percentiles(`event to receipt at ${PACED_PER_SECOND}/s`, latencies),
      'RSS MB at the start': Math.round(rssBefore / MB),
      ...rss,
      ...cpuFigures('delivery', cpuBefore, cpuAfter, deliveries),
    })
  } finally {
    await installation.stop()
  }
}

/** One delivery for each event. @returns deliveries a second. */
async function saturate(installation: WebhookInstallation, organizations: string[], deliveries: number) {
  const before = installation.received()
  const startedAt = performance.now()
  const came = () => installation.received() - before
  for (let published = 0; published < deliveries; published++) {
    while (published - came() > AHEAD_MAX) await sleep(5)
    installation.publish(organizations[published % organizations.length] ?? '')
  }
  while (came() < deliveries) await sleep(5)
  return deliveries / ((performance.now() - startedAt) / 1000)
}

/** @returns milliseconds of each event from its publication to its receipt. */
async function measureLatencies(installation: WebhookInstallation, organizations: string[]): Promise<number[]> {
  const arrivedAt = new Map<string, number>()
  installation.watch(({ eventId, at }) => void arrivedAt.set(eventId, at))
  const publishedAt = await installation.publishSteadily(organizations, PACED_PER_SECOND, PACED_SECONDS)
  while (arrivedAt.size < publishedAt.size) await sleep(20)
  installation.watch()
  return [...publishedAt].map(([id, at]) => (arrivedAt.get(id) ?? Number.NaN) - at)
}

async function measureFloor(url: string): Promise<number> {
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
      const { body } = await pool.request({ path: '/0', method: 'POST', headers, body: BODY })
      await body.dump()
      requests++
    }
  }
  await Promise.all(Array.from({ length: FLOOR_CONNECTIONS }, work))
  await pool.close()
  return requests / FLOOR_SECONDS
}
