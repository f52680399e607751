/**
 * `npm run bench -- start`: how long the first start in a new data directory takes until it is ready, the second and all later ones, and
 * what the processes of an installation hold in memory: idle, after jobs, and idle after them. Linux only. npm is not measured.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectServices } from '@platen/deploy/connect-services.ts'
import { findServices } from '@platen/deploy/find-services.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { createApi } from '../harness/api.ts'
import { makeDataDir, type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { findChildren, pssBytes } from './cpu.ts'
import { saturate, startLoad, stopLoad } from './load.ts'
import { type Figures, percentile, printTable } from './report.ts'

/** Long enough for everything that a start leaves to do. */
const IDLE_MS = 24_000
const JOBS = 6_000
const LATER_STARTS = 5

export async function benchStart(): Promise<void> {
  const dataDir = await makeDataDir()
  try {
    const first = await timed(() => startPlaten({ dataDir }))
    const platen = first.result
    console.log(`The first start took ${first.ms} ms; waiting ${IDLE_MS / 1000} s.`)
    await sleep(IDLE_MS)
    const idle = await readMemory(platen, 'idle')
    console.log(`Printing ${JOBS} jobs …`)
    const load = await startLoad({
      baseUrl: platen.credentials.baseUrl,
      agentAddress: new URL(platen.credentials.agentUrl).host,
      addOrganization: () => addOrganization(platen),
    })
    while (load.created < JOBS) await saturate(load, 1)
    const loaded = await readMemory(platen, `after ${JOBS} jobs`)
    await stopLoad(load)
    await sleep(IDLE_MS)
    const later = await readMemory(platen, `${IDLE_MS / 1000} s later`)
    await platen.stop()
    const starts: number[] = []
    for (let start = 1; start <= LATER_STARTS; start++) {
      const { result, ms } = await timed(() => startPlaten({ dataDir }))
      await result.stop()
      starts.push(ms)
    }
    printTable({
      'first start ms': first.ms,
      'second start ms': starts[0] ?? Number.NaN,
      [`later start ms (median of ${LATER_STARTS})`]: percentile(starts, 50),
      ...idle,
      ...loaded,
      ...later,
    })
  } finally {
    await removeDataDir(dataDir)
  }
}

async function timed<T>(start: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const from = performance.now()
  const result = await start()
  return { result, ms: Math.round(performance.now() - from) }
}

/** A live organization with an enrolled computer. */
async function addOrganization({ dataDir, credentials: { baseUrl } }: Platen) {
  const accounts = connectServices(await findServices({ PLATEN_DATA_DIR: dataDir }))(AccountsService)
  const { organization } = await accounts.createOrganization({ name: 'Bench' })
  const organizationId = organization?.id ?? ''
  const scopes = ['read', 'print', 'admin']
  const { key } = await accounts.createApiKey({ organizationId, name: 'bench', mode: 'live', scopes })
  const api = createApi(baseUrl, key)
  const { token } = (await api.post('/v1/enrollments', {})).body
  const computer = { hostname: 'till', os: 'linux', osVersion: '', arch: '', agentVersion: '0' }
  const { body } = await api.post('/v1/agents/enroll', computer, { authorization: `Bearer ${token}` })
  return { organizationId, key, computerId: body.computerId, credential: body.credential }
}

/** Megabytes of each process, of PostgreSQL with its backends. Shared pages are divided by the number of processes that have them. */
async function readMemory({ launcher, getPid }: Platen, when: string): Promise<Figures> {
  const postgres = await getPid('postgres')
  const processes = {
    launcher: [launcher.pid ?? 0],
    platen: [await getPid('platen')],
    'nats-server': [await getPid('nats-server')],
    postgres: [postgres, ...(await findChildren(postgres))],
  }
  const sums = await Promise.all(
    Object.entries(processes).map(async ([name, pids]) => {
      const bytes = await Promise.all(pids.map(pssBytes))
      return [name, bytes.reduce((sum, one) => sum + one, 0) / 1024 ** 2] as const
    }),
  )
  const total = sums.reduce((sum, [, megabytes]) => sum + megabytes, 0)
  return Object.fromEntries(
    [...sums, ['all', total] as const].map(([name, mb]) => [`MB of ${name}, ${when}`, Math.round(mb)]),
  )
}
