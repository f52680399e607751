/** An installation whose processes and connections can fail: two replicas of the services, proxies, two organizations, their agents. Linux only. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RAW_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import type { EndpointFacts } from '../checker/history.ts'
import { createCanary, createSecret, type Secret } from '../checker/secrets.ts'
import { REPLICA_HOST } from '../harness/replica-addresses.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type AgentFiles, startAgent } from './agents.ts'
import type { Victims } from './faults.ts'
import { createLinks } from './links.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** An organization with one computer. */
export interface Tenant {
  organizationId: string
  key: string
  printerIds: string[]
  files: AgentFiles
  endpoints: EndpointFacts[]
  secrets: Secret[]
}

export interface ChaosOptions {
  seed: number
  /** Each replica is one process with all services instead of one process for each service. */
  together: boolean
  env: Record<string, string>
  /** From the release of a live job to its completion. */
  printMs: number
}

export interface ChaosSystem {
  system: System
  tenants: Tenant[]
  receiver: Receiver
  victims: Victims
  /** Ends all faults and returns when every process is ready. */
  heal(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 60_000
const RESOLVE_REPLICAS = `--import=${new URL('../harness/resolve-replicas.ts', import.meta.url).href}`

/** @param started ends what runs. */
export async function startChaosSystem(options: ChaosOptions, started: AsyncDisposableStack): Promise<ChaosSystem> {
  if (process.platform !== 'linux') throw new Error('Chaos runs need Linux: each address of 127.0.0.0/8 is loopback.')
  const links = createLinks()
  started.defer(() => links.close())
  const receiver = await startReceiver(options.seed)
  started.defer(() => receiver.stop())
  const { route } = links
  const env = { ...receiver.env, ...options.env }
  const system = await startSystem({ replicas: 2, testComputers: true, together: options.together, route, env })
  started.defer(() => system.stop())
  const { agent, ...live } = await addLiveTenant({ system, route, options })
  started.defer(() => agent.stop())
  const tenants: Tenant[] = []
  for (const { credential, ...tenant } of [await addTestTenant(system, options), live]) {
    const { organizationId, key } = tenant
    const created = await createEndpoints(system, receiver, tenant)
    const secrets = { key, contents: createCanary(organizationId, options.seed), ...(credential && { credential }) }
    for (const { facts, secret } of created) Object.assign(secrets, { [`webhook secret ${facts.id}`]: secret })
    const printers = await getPrinters(system, key)
    tenants.push({
      ...tenant,
      printerIds: printers.filter(({ osName }) => !RAW_PRINTERS.includes(osName)).map(({ id }) => id),
      endpoints: created.map(({ facts }) => facts),
      secrets: Object.entries(secrets).map(([name, text]) => createSecret(`${name} of ${organizationId}`, text)),
    })
  }
  const processes = [...system.processes, agent]
  const wipeNats = () => rm(join(system.directory, 'nats'), { recursive: true })
  return {
    system,
    tenants,
    receiver,
    victims: { processes, links: links.all, wipeNats },
    async heal() {
      for (const process of processes) process.resume()
      await Promise.all(links.all.map((link) => link.heal()))
      await Promise.all(processes.map((process) => process.ready()))
    },
  }
}

interface Parts {
  system: System
  route: ReturnType<typeof createLinks>['route']
  options: ChaosOptions
}

/** Prints on an agent of its own, which reaches all replicas by one address. */
async function addLiveTenant({ system, route, options }: Parts) {
  const { key, credential, ...ids } = await system.addOrganization({ mode: 'live' })
  const directory = join(system.directory, 'agents', ids.computerId)
  const files = { ...ids, name: 'agent', directory, logFile: join(system.directory, 'logs/agent.log') }
  const replicas = system.agentAddresses.map((address) => ({ host: '127.0.0.1', port: Number(address.split(':')[1]) }))
  const { port } = await route('agent', 'agents', replicas)
  const agent = await startAgent({
    ...files,
    config: { agentUrl: `http://${REPLICA_HOST}:${port}`, credential, spooler: 'virtual' },
    env: { PLATEN_VIRTUAL_PRINT_MS: String(options.printMs), NODE_OPTIONS: RESOLVE_REPLICAS },
    onEnd: (how) => system.unexpectedEnds.push(`agent: ${how}`),
  })
  return { organizationId: ids.organizationId, mode: 'live', key, credential, agent, files }
}

/** Prints on its test computer, which the first list of printers creates. */
async function addTestTenant(system: System, { together }: ChaosOptions) {
  const organizationId = await system.createOrganization()
  const key = await system.addKey(organizationId, 'test', ['read', 'print'])
  const computerId = (await getPrinters(system, key))[0]?.computerId ?? ''
  const logFile = join(system.directory, 'logs', together ? 'platen.log' : 'test-computers.log')
  const directory = join(system.directory, 'test-computers', computerId)
  const files = { organizationId, computerId, name: 'test-computers-0', directory, logFile }
  return { organizationId, mode: 'test', key, credential: undefined, files }
}

interface Printer {
  id: string
  computerId: string
  osName: string
}

async function getPrinters({ baseUrl }: System, key: string): Promise<Printer[]> {
  return await waitFor(async () => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${baseUrl}/v1/printers?limit=100`, { headers })
    const { data } = (await response.json()) as { data: Printer[] }
    if (data.length === 0) throw new Error('the organization has no printers')
    return data
  }, CONNECT_TIMEOUT_MS)
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
    const { endpoint, secret } = await webhooks.createEndpoint({ organizationId, ...asked, url: receiver.getUrl(name) })
    const id = endpoint?.id ?? ''
    receiver.register(name, { id, secret })
    created.push({ facts: { id, organizationId, sinceMs: Date.now(), ...asked }, secret })
  }
  return created
}
