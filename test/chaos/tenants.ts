/**
 * The organizations of a run: one prints on its test computer, the others on an agent of their own. Each has webhook
 * endpoints.
 */
import { join } from 'node:path'
import { RASTER_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import type { EndpointFacts } from '../checker/history.ts'
import { createCanary, createSecret, type Secret } from '../checker/secrets.ts'
import { REPLICA_HOST } from '../harness/replica-addresses.ts'
import type { Restartable } from '../harness/restartable.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type AgentFiles, type AgentOptions, startAgent } from './agents.ts'
import { createDestinations } from './destinations.ts'
import type { Links } from './links.ts'
import type { Receiver } from './receiver.ts'

/** An organization with one computer. */
export interface Tenant {
  organizationId: string
  mode: 'live' | 'test'
  key: string
  printerIds: string[]
  destinationIds: string[]
  files: AgentFiles
  endpoints: EndpointFacts[]
  secrets: Secret[]
}

export interface TenantsOptions {
  system: System
  receiver: Receiver
  links: Links
  seed: number
  /** See `ChaosOptions`. */
  together: boolean
  printMs: number
  /** Default: true. */
  hasDestinations?: boolean
  /** One organization for each. */
  agents: Pick<AgentOptions, 'name' | 'getDirectory'>[]
}

const CONNECT_TIMEOUT_MS = 60_000
const RESOLVE_REPLICAS = `--import=${new URL('../harness/resolve-replicas.ts', import.meta.url).href}`

/** @param started ends the agents. @returns the organization of test mode first. */
export async function addTenants(
  options: TenantsOptions,
  started: AsyncDisposableStack,
): Promise<{ tenants: Tenant[]; agents: Restartable[] }> {
  const { system, receiver, seed, hasDestinations = true } = options
  const live = []
  for (const facts of options.agents) {
    const added = await addLiveTenant(options, facts)
    started.defer(() => added.agent.stop())
    live.push(added)
  }
  const tenants: Tenant[] = []
  const testTenant = await addTestTenant(options)
  for (const { credential, ...tenant } of [testTenant, ...live.map(({ agent: _, ...added }) => added)]) {
    const { organizationId, key } = tenant
    const created = await createEndpoints(system, receiver, tenant)
    const secrets = { key, contents: createCanary(organizationId, seed), ...(credential && { credential }) }
    for (const { facts, secret } of created) Object.assign(secrets, { [`webhook secret ${facts.id}`]: secret })
    const printers = await getPrinters(system, key)
    const printerIds = printers.filter(({ osName }) => !RASTER_PRINTERS[osName]).map(({ id }) => id)
    tenants.push({
      ...tenant,
      printerIds,
      destinationIds: hasDestinations ? await createDestinations(system, { ...tenant, printerIds }) : [],
      endpoints: created.map(({ facts }) => facts),
      secrets: Object.entries(secrets).map(([name, text]) => createSecret(`${name} of ${organizationId}`, text)),
    })
  }
  return { tenants, agents: live.map(({ agent }) => agent) }
}

type AddedTenant = Omit<Tenant, 'printerIds' | 'destinationIds' | 'endpoints' | 'secrets'> & { credential?: string }

/** Prints on an agent of its own, which reaches all replicas by one address. */
async function addLiveTenant(
  { system, links, printMs }: TenantsOptions,
  { name, getDirectory }: TenantsOptions['agents'][number],
): Promise<AddedTenant & { agent: Restartable }> {
  const { key, credential, ...ids } = await system.addOrganization({ mode: 'live' })
  const directory = join(system.directory, 'agents', ids.computerId)
  const files = { ...ids, name, directory, logFile: join(system.directory, `logs/${name}.log`) }
  const replicas = system.agentAddresses.map((address) => ({ host: '127.0.0.1', port: Number(address.split(':')[1]) }))
  const { port } = await links.route(name, 'agents', replicas)
  const agent = await startAgent({
    ...files,
    config: { agentUrl: `http://${REPLICA_HOST}:${port}`, credential, spooler: 'virtual' },
    env: {
      PLATEN_VIRTUAL_PRINT_MS: String(printMs),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${RESOLVE_REPLICAS}`.trim(),
    },
    onEnd: (how) => system.unexpectedEnds.push(`${name}: ${how}`),
    getDirectory,
  })
  return { organizationId: ids.organizationId, mode: 'live', key, credential, agent, files }
}

/** Prints on its test computer, which the first list of printers creates. */
async function addTestTenant({ system, together }: TenantsOptions): Promise<AddedTenant> {
  const organizationId = await system.createOrganization()
  const key = await system.addKey(organizationId, 'test', ['read', 'print'])
  const computerId = (await getPrinters(system, key))[0]?.computerId ?? ''
  const logFile = join(system.directory, 'logs', together ? 'platen.log' : 'test-computers.log')
  const directory = join(system.directory, 'test-computers', computerId)
  const files = { organizationId, computerId, name: 'test-computers-0', directory, logFile }
  return { organizationId, mode: 'test', key, files }
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

/**
 * One endpoint for all events, one for some, and one of the other mode, which gets none. Each event from now on must
 * arrive.
 *
 * @param name distinguishes calls for the same organization.
 */
export async function createEndpoints(
  system: System,
  receiver: Receiver,
  { organizationId, mode }: Pick<Tenant, 'organizationId' | 'mode'>,
  name = 'first',
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
    const path = `${organizationId}/${name}/${kind}`
    const { endpoint, secret } = await webhooks.createEndpoint({ organizationId, ...asked, url: receiver.getUrl(path) })
    const id = endpoint?.id ?? ''
    receiver.register(path, { id, secret })
    created.push({ facts: { id, organizationId, sinceMs: Date.now(), ...asked }, secret })
  }
  return created
}
