/**
 * `npm run bench -- test-mode [organizations]`: how soon test mode shows its printers to an organization that has never
 * used it, how long jobs of all organizations at once take to `done`, and what the process that plays the test
 * computers weighs.
 */
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { rssBytes } from './cpu.ts'
import { percentile, percentiles, printTable } from './report.ts'

const AT_ONCE = 16
/** So many come one after the other, before the rest comes at once. */
const ALONE = 10

interface Tenant {
  api: ReturnType<typeof createApi>
  printerId: string
}

export async function benchTestMode(organizations: number): Promise<void> {
  console.log('starting …')
  const system = await startSystem({ testComputers: true })
  try {
    const pid = system.pids['test-computers'] ?? 0
    const firstListMs: number[] = []
    const tenants = [await firstUse(system, firstListMs)]
    const alone = await printOnAll(tenants)
    const withOne = await rssBytes(pid)
    console.log(`${organizations} organizations …`)
    while (tenants.length < Math.min(ALONE, organizations)) tenants.push(await firstUse(system, firstListMs))
    const startedAt = performance.now()
    const client = async () => {
      for (let n = tenants.length; n < organizations; n = tenants.length) {
        const tenant = tenants.push({ api: createApi(system.baseUrl, ''), printerId: '' }) - 1
        tenants[tenant] = await firstUse(system)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    const seconds = (performance.now() - startedAt) / 1000
    const withAllIdle = await rssBytes(pid)
    console.log('a job of each, at once …')
    const { sentMs, receivedMs, doneMs } = await printOnAll(tenants)
    printTable({
      organizations: tenants.length,
      ...percentiles('first list', firstListMs, [50, 100]),
      'organizations set up a second': Math.round((tenants.length - ALONE) / seconds),
      'create to done ms, one alone': percentile(alone.doneMs, 50),
      ...percentiles('all at once, create to sent', sentMs, [50]),
      ...percentiles('all at once, create to received', receivedMs, [50]),
      ...percentiles('all at once, create to done', doneMs),
      'RSS with 1 computer MB': Math.round(withOne / 1024 / 1024),
      [`RSS with ${tenants.length} computers MB`]: Math.round(withAllIdle / 1024 / 1024),
      'RSS after the jobs MB': Math.round((await rssBytes(pid)) / 1024 / 1024),
      'KB a computer': Math.round((withAllIdle - withOne) / (tenants.length - 1) / 1024),
    })
  } finally {
    await system.stop()
  }
}

async function firstUse(system: System, firstListMs: number[] = []): Promise<Tenant> {
  const key = await system.addKey(await system.createOrganization(), 'test', ['read', 'print'])
  const api = createApi(system.baseUrl, key)
  const startedAt = performance.now()
  const { body } = await api.get('/v1/printers')
  firstListMs.push(performance.now() - startedAt)
  return { api, printerId: body.data.find(({ osName }: { osName: string }) => osName === 'Test A4 Laser').id }
}

/** @returns of each job how long it took from `createdAt` on. */
async function printOnAll(tenants: Tenant[]) {
  const content = makePdf('Bench').toString('base64')
  const created = await Promise.all(
    tenants.map(({ api, printerId }) =>
      api.createJob({ printerId, title: 'Bench', contentType: 'pdf_base64', content }),
    ),
  )
  const times = { sentMs: [] as number[], receivedMs: [] as number[], doneMs: [] as number[] }
  for (const [n, { id }] of created.entries()) {
    const job = await tenants[n]?.api.waitUntilFinal(id, 120_000)
    if (job.state !== 'done') throw new Error(`job ${id} ended in ${job.state}: ${job.stateMessage}`)
    const since = (time: string) => Date.parse(time) - Date.parse(job.createdAt)
    times.sentMs.push(since(job.sentAt))
    times.receivedMs.push(since(job.receivedAt))
    times.doneMs.push(since(job.finishedAt))
  }
  return times
}
