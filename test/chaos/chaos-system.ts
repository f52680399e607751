/** An installation whose processes and connections can fail: two replicas of the services, proxies, two organizations, their agents. Linux only. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import type { EndpointFacts } from '../checker/history.ts'
import { canaryOf, createSecret, type Secret } from '../checker/secrets.ts'
import { REPLICA_HOST } from '../harness/replica-addresses.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type AgentPlace, startAgent } from './agents.ts'
import type { Victims } from './faults.ts'
import { createLinks } from './links.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** An organization with one computer. */
export interface Tenant {
  organizationId: string
  key: string
  printerIds: string[]
  endpoints: EndpointFacts[]
  secrets: Secret[]
  agent: AgentPlace
}

export interface ChaosSystem extends AsyncDisposable {
  system: System
  tenants: Tenant[]
  receiver: Receiver
  victims: Victims
  /** Processes that ended without a fault. */
  unexpectedEnds: string[]
  /** Ends all faults and returns when every process is ready. */
  heal(): Promise<void>
}

export interface ChaosOptions {
  seed: number
  /** Each replica is one process with all services instead of one process for each service. */
  together: boolean
  env: Record<string, string>
  /** From the release of a live job to its completion. */
  printMs: number
}

const CONNECTED_WITHIN_MS = 60_000
const RESOLVE_REPLICAS = `--import=${new URL('../harness/resolve-replicas.ts', import.meta.url).href}`

export async function startChaosSystem({ seed, together, env, printMs }: ChaosOptions): Promise<ChaosSystem> {
  if (process.platform !== 'linux') throw new Error('Chaos runs need Linux: each address of 127.0.0.0/8 is loopback.')
  await using started = new AsyncDisposableStack()
  const links = createLinks()
  started.defer(() => links.close())
  const receiver = await startReceiver(seed)
  started.defer(() => receiver.stop())
  const options = { replicas: 2, testComputers: true, together, route: links.route } as const
  const system = await startSystem({ ...options, env: { ...receiver.env, ...env } })
  started.defer(() => system.stop())
  const { directory, processes } = system
  const logFile = (name: string) => join(directory, 'logs', `${name}.log`)

  // The test organization prints on its test computer, the live one on an agent of its own.
  const test = await addTestOrganization(system)
  const testAgent = { name: 'test-computers-0', organizationId: test.organizationId, computerId: test.computerId }
  const live = await system.addOrganization({ mode: 'live' })
  const liveAgent = { name: 'agent', organizationId: live.organizationId, computerId: live.computerId }
  const agentDirectory = join(directory, 'agents', live.computerId)
  await mkdir(join(directory, 'agents'))
  const agentUrl = await routeAgent(system, links.route)
  const unexpectedEnds: string[] = []
  const agent = await startAgent({
    name: liveAgent.name,
    directory: agentDirectory,
    logFile: logFile('agent'),
    config: { agentUrl, credential: live.credential, spooler: 'virtual' },
    env: { PLATEN_VIRTUAL_PRINT_MS: String(printMs), NODE_OPTIONS: RESOLVE_REPLICAS },
    onEnd: (how) => unexpectedEnds.push(`agent: ${how}`),
  })
  started.defer(() => agent.stop())

  const places: [{ key: string }, AgentPlace][] = [
    [
      test,
      {
        ...testAgent,
        directory: join(directory, 'test-computers', test.computerId),
        logFile: logFile(together ? 'platen' : 'test-computers'),
      },
    ],
    [live, { ...liveAgent, directory: agentDirectory, logFile: logFile('agent') }],
  ]
  const tenants: Tenant[] = []
  for (const [{ key }, place] of places) {
    const { organizationId } = place
    const mode = place.name === 'agent' ? 'live' : 'test'
    const endpoints = await createEndpoints(system, receiver, { organizationId, mode })
    const of = (what: string, text: string) => createSecret(`${what} of organization ${organizationId}`, text)
    const secrets = [of('key', key), of('contents', canaryOf(organizationId, seed))]
    if (mode === 'live') secrets.push(of('credential', live.credential))
    for (const { secret } of endpoints) secrets.push(of('webhook secret', secret))
    const printerIds = (await getPrinters(system, key)).map(({ id }) => id)
    tenants.push({
      organizationId,
      key,
      agent: place,
      printerIds,
      endpoints: endpoints.map(({ facts }) => facts),
      secrets,
    })
  }

  const victims: Victims = {
    processes: [...processes, agent],
    links: links.all,
    wipeNats: () => rm(join(directory, 'nats'), { recursive: true }),
  }
  const running = started.move()
  return {
    system,
    tenants,
    receiver,
    victims,
    unexpectedEnds,
    async heal() {
      for (const process of victims.processes) process.resume()
      await Promise.all(links.all.map((link) => link.heal()))
      await Promise.all(victims.processes.map((process) => process.ready()))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** One address for all replicas; each connection may reach another one. */
async function routeAgent(system: System, route: ReturnType<typeof createLinks>['route']): Promise<string> {
  const replicas = system.agentAddresses.map((address) => ({ host: '127.0.0.1', port: Number(address.split(':')[1]) }))
  const { port } = await route('agent', 'agents', replicas)
  return `http://${REPLICA_HOST}:${port}`
}

/** Its first list of printers creates the test computer. */
async function addTestOrganization(system: System) {
  const organizationId = await system.createOrganization()
  const key = await system.addKey(organizationId, 'test', ['read', 'print'])
  const [printer] = await getPrinters(system, key)
  return { organizationId, key, computerId: printer?.computerId ?? '' }
}

interface Printer {
  id: string
  computerId: string
}

async function getPrinters(system: System, key: string): Promise<Printer[]> {
  return await waitFor(async () => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${system.baseUrl}/v1/printers?limit=100`, { headers })
    const { data } = (await response.json()) as { data: Printer[] }
    if (data.length === 0) throw new Error('the organization has no printers')
    return data
  }, CONNECTED_WITHIN_MS)
}

/** One endpoint for all events, one for some, and one of the other mode, which gets none. They exist before the load, so each event must arrive. */
async function createEndpoints(
  system: System,
  receiver: Receiver,
  { organizationId, mode }: { organizationId: string; mode: string },
): Promise<{ facts: EndpointFacts; secret: string }[]> {
  const webhooks = system.connect(EndpointsService, 'webhooks')
  const other = mode === 'test' ? 'live' : 'test'
  const wanted = [
    { kind: 'all', mode, events: [...EVENT_TYPES] },
    { kind: 'some', mode, events: ['printjob.done', 'printjob.error', 'computer.offline'] },
    { kind: 'other', mode: other, events: [...EVENT_TYPES] },
  ]
  const created: { facts: EndpointFacts; secret: string }[] = []
  for (const { kind, ...asked } of wanted) {
    const name = `${organizationId}/${kind}`
    const { endpoint, secret } = await webhooks.createEndpoint({ organizationId, ...asked, url: receiver.urlOf(name) })
    const id = endpoint?.id ?? ''
    receiver.register(name, { id, secret })
    created.push({ facts: { id, organizationId, sinceMs: Date.now(), ...asked }, secret })
  }
  return created
}
