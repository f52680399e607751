import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, createApi } from '../../harness/api.ts'
import { makePdf } from '../../harness/pdf.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { ChaosSystem, Link, Victim } from '../system/chaos-system.ts'
import { startChaosSystem } from '../system/start-system.ts'
import { portsReachedByOthers } from './connections.ts'

const START_LIMIT_MS = 240_000

/** A test that breaks one link of each kind waits for twenty times until all is whole again. */
vi.setConfig({ testTimeout: 900_000 })

/** A job that was on its way when something broke waits for a resend at most, and a creation for the services to find each other. */
const WHOLE_AGAIN_WITHIN_MS = 60_000

interface Client {
  api: Api
  printerId: string
}

let system: ChaosSystem
let clients: Client[]

beforeAll(async () => {
  system = await startChaosSystem({
    replicas: 2,
    tenants: 2,
    plant: join(import.meta.dirname, 'harmless-plant.ts'),
    env: { PLATEN_RESEND_AFTER_SECONDS: '5', PLATEN_REPUBLISH_AFTER_SECONDS: '3' },
  })
  const connect = async (key: string, n: number) => {
    const api = createApi(system.baseUrls[n % system.baseUrls.length] ?? '', key)
    return { api, printerId: (await api.printer('Test A4 Laser')).id }
  }
  clients = await Promise.all(system.tenants.map(({ key }, n) => connect(key, n)))
}, START_LIMIT_MS)

afterAll(() => system?.stop(), START_LIMIT_MS)

interface Job {
  id: string
  api: Api
}

function document(title: string) {
  return { title, contentType: 'pdf_base64', content: makePdf(title).toString('base64') }
}

/** One job for each tenant, accepted. */
async function createJobs(title: string): Promise<Job[]> {
  const create = async ({ api, printerId }: Client) => {
    const { id } = await api.createJob({ ...document(title), printerId })
    return { api, id }
  }
  return await Promise.all(clients.map((client) => waitFor(() => create(client), WHOLE_AGAIN_WITHIN_MS)))
}

async function expectPrintedOnce(jobs: Job[]): Promise<void> {
  for (const { id, api } of jobs)
    await waitFor(async () => {
      const { status, body } = await api.get(`/v1/printjobs/${id}`)
      expect({ status, state: body?.state }, id).toEqual({ status: 200, state: 'done' })
    }, WHOLE_AGAIN_WITHIN_MS)
  const released = await releasedTokens()
  for (const { id } of jobs) expect(released.filter((token) => token === id)).toEqual([id])
}

async function releasedTokens(): Promise<string[]> {
  return (await system.readSpoolerCalls()).filter(({ call }) => call === 'release').map(({ token }) => token)
}

const readLog = (name: string) => readFile(join(system.directory, 'logs', `${name}.log`), 'utf8')

/** "jobs", "nats-server"; "gateway > jobs", "agent > devices". */
const kindOf = ({ name }: { name: string }) => name.replace(/-\d\b/g, '')

function oneOfEachKind<T extends { name: string }>(all: T[]): T[] {
  return all.filter((one, n) => all.findIndex((other) => kindOf(other) === kindOf(one)) === n)
}

const names = (all: { name: string }[]) => all.map(({ name }) => name).toSorted()

test('a system with two replicas prints the jobs of two tenants, each once and on its own computer', async () => {
  const jobs = await createJobs('First')
  await expectPrintedOnce(jobs)
  const submitted = (await system.readSpoolerCalls()).filter(({ call }) => call === 'submit')
  const expected = jobs.map(({ id }) => expect.objectContaining({ token: id, printer: 'Test A4 Laser', qty: 1 }))
  expect(submitted).toHaveLength(expected.length)
  expect(submitted).toEqual(expect.arrayContaining(expected))
  await waitFor(async () => {
    const agents = await system.readAgents()
    expect(agents.map(({ computerId }) => computerId)).toEqual(system.tenants.map(({ computerId }) => computerId))
    for (const { unsettledJobIds, welcomedAtMs } of agents) {
      expect(unsettledJobIds).toEqual([])
      expect(welcomedAtMs).not.toEqual([])
    }
  })
})

test('every process is a victim and every connection a link', () => {
  const services = ['accounts', 'devices', 'gateway', 'jobs', 'usage', 'webhooks']
  const replicas = services.flatMap((name) => [`${name}-0`, `${name}-1`])
  expect(names(system.victims)).toEqual(['agent-0', 'agent-1', ...replicas, 'nats-server', 'spooler'].toSorted())
  expect(names(oneOfEachKind(system.links))).toEqual(
    [
      'accounts-0 > postgres',
      'agent-0 > devices-0',
      'agent-0 > spooler',
      'devices-0 > jobs-0',
      'devices-0 > nats-server',
      'devices-0 > postgres',
      'gateway-0 > accounts-0',
      'gateway-0 > devices-0',
      'gateway-0 > jobs-0',
      'gateway-0 > nats-server',
      'gateway-0 > usage-0',
      'gateway-0 > webhooks-0',
      'jobs-0 > nats-server',
      'jobs-0 > postgres',
      'usage-0 > nats-server',
      'usage-0 > postgres',
      'webhooks-0 > accounts-0',
      'webhooks-0 > nats-server',
      'webhooks-0 > postgres',
    ].toSorted(),
  )
  expect(system.links).toHaveLength(54)
})

test('a plant is loaded by each service and agent', async () => {
  for (const { name } of system.victims.filter(({ name }) => !['spooler', 'nats-server'].includes(name)))
    expect(await readLog(name), name).toContain('planted')
})

test('nothing reaches PostgreSQL and nats-server beside the proxies', async () => {
  const reached = await portsReachedByOthers()
  for (const url of [system.databaseUrl, system.natsUrl]) expect(reached).not.toContain(Number(new URL(url).port))
})

/** Not those to accounts: the gateway knows a key for a while. */
test.each(['gateway > jobs', 'jobs > postgres'])('without all links %s no job is accepted', async (kind) => {
  for (const link of system.links) if (kindOf(link) === kind) link.cut()
  for (const { api, printerId } of clients) {
    const answer = await api.post('/v1/printjobs', { ...document('Refused'), printerId })
    expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(500)
  }
  await system.heal()
  await expectPrintedOnce(await createJobs(`After ${kind}`))
})

test('without its link to the spooler an agent keeps its jobs, and prints them when it is healed', async () => {
  const link = system.links.find(({ name }) => name === 'agent-0 > spooler')
  link?.cut()
  const jobs = await createJobs('Without a spooler')
  await waitFor(async () => expect(await readLog('agent-0')).toContain('the spooler failed, trying again'))
  await link?.heal()
  await expectPrintedOnce(jobs)
})

test('an end that nobody asked for is remembered, and the process is started again', async () => {
  const [line = ''] = (await readLog('accounts-1'))
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .slice(-1)
  process.kill(JSON.parse(line).pid, 'SIGKILL')
  await waitFor(() => expect(system.unexpectedEnds).toEqual(['accounts-1: SIGKILL']))
  await system.heal()
  system.unexpectedEnds.length = 0
  await expectPrintedOnce(await createJobs('After an unexpected end'))
})

test('a process that is killed while its database is out of reach is ready once the link is healed', async () => {
  const jobs = system.victims.find(({ name }) => name === 'jobs-0')
  await system.links.find(({ name }) => name === 'jobs-0 > postgres')?.halfOpen()
  const isBack = jobs?.kill()
  await system.heal()
  await isBack
  await expectPrintedOnce(await createJobs('After a start without a database'))
})

test('killing one of each kind is survived, and none counts as an unexpected end', async () => {
  for (const victim of oneOfEachKind<Victim>(system.victims)) {
    await victim.kill()
    await expectPrintedOnce(await createJobs(`After the death of ${victim.name}`))
  }
  expect(system.unexpectedEnds).toEqual([])
})

test('a process that is paused does nothing until the system is healed', async () => {
  system.victims.find(({ name }) => name === 'agent-0')?.pause()
  const jobs = await createJobs('While an agent rests')
  await expectPrintedOnce(jobs.slice(1))
  expect(await releasedTokens()).not.toContain(jobs[0]?.id)
  await system.heal()
  await expectPrintedOnce(jobs)
})

const FAULTS: [name: string, fault: (link: Link) => unknown][] = [
  ['cut', (link) => link.cut()],
  ['half-open', (link) => link.halfOpen()],
  ['reset', (link) => link.reset()],
  ['delayed', (link) => link.delay(100)],
]

test.each(FAULTS)('one link of each kind is %s, and after it is healed jobs are printed again', async (name, fault) => {
  for (const link of oneOfEachKind(system.links)) {
    await fault(link)
    const jobs = await createJobs(`While ${link.name} is ${name}`)
    await link.heal()
    await expectPrintedOnce(jobs)
  }
  expect(system.unexpectedEnds).toEqual([])
})

test('an agent whose connection is cut comes back through the other replica', async () => {
  const links = system.links.filter(({ name }) => name.startsWith('agent-0 > devices'))
  let held = false
  const welcomes = async () => (await system.readAgents())[0]?.welcomedAtMs.length ?? 0
  for (const link of links) {
    const before = await welcomes()
    for (const other of links) await other.heal()
    link.cut()
    await expectPrintedOnce(await createJobs(`Without ${link.name}`))
    held ||= (await welcomes()) > before
  }
  expect(held, 'one of the two links was the one in use').toBe(true)
  await system.heal()
})

test('NATS may lose all it holds, and PostgreSQL may be restarted', async () => {
  const jobs = await createJobs('Before')
  await system.wipeNats()
  await expectPrintedOnce(jobs)
  await system.restartPostgres()
  await system.heal()
  await expectPrintedOnce(await createJobs('After'))
  expect(system.unexpectedEnds).toEqual([])
})
