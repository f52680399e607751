/**
 * Starts the services as separate processes on servers of their own, with the shipped defaults of durability and the
 * requested replicas. Starts no agent. Tests that need one start it, or set `testComputers`.
 */
import { readFileSync } from 'node:fs'
import type { DescService } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { allServices, loopbackUrl } from '@platen/deploy/launcher/services.ts'
import { startProcess } from '@platen/deploy/launcher/start-process.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { beginInstallation } from './begin-installation.ts'
import { freePort } from './free-port.ts'
import { NO_RATE_LIMIT } from './no-rate-limit.ts'
import { REPLICA_ADDRESSES, REPLICA_HOST } from './replica-addresses.ts'
import type { Restartable } from './restartable.ts'
import { RPC_CALLERS_SETTING, RPC_KEY } from './rpc-key.ts'
import { type AnyService, RPC_SERVICES, type RpcPorts, separateServices } from './separate-services.ts'
import type { Address } from './tcp-proxy.ts'
import { createTestProcess } from './test-process.ts'

export interface System {
  /** The URL of the first replica; of each in `baseUrls`. */
  baseUrl: string
  baseUrls: string[]
  /** The address of the first replica; of each in `agentAddresses`. */
  agentAddress: string
  agentAddresses: string[]
  databaseUrl: string
  /** The URL of the roles of the services, with `*` for the name of the service. */
  servicesDatabaseUrl: string
  /** The URL of the user of NATS for operators. */
  natsUrl: string
  /** Holds `files`, `nats`, `logs` and `test-computers`. */
  directory: string
  /** PostgreSQL, nats-server and each service: "jobs-0", "jobs-1". */
  processes: Restartable[]
  /** Processes that ended by themselves; they were started again. */
  unexpectedEnds: string[]
  /** The processes by name, of the first replica; of PostgreSQL the parent of all its processes. */
  pids: Record<string, number>
  /** The URL of the operations port of the first replica. Not with `together`. */
  getOpsUrl(name: AnyService): string
  /** @returns a client of a service, without a route in between. */
  connect<S extends DescService>(service: S, name: keyof RpcPorts): Client<S>
  /** An organization with one computer, the test computer unless it is to be live, and a key for its mode. */
  addOrganization(options?: {
    mode?: 'test' | 'live'
  }): Promise<{ organizationId: string; computerId: string; key: string; credential: string }>
  /** With nothing in it: no key, no computer. @returns its id. */
  createOrganization(): Promise<string>
  /** One more key of the organization. */
  addKey(organizationId: string, mode: 'live' | 'test', scopes: string[]): Promise<string>
  /** Trades an enrolment token as an agent does. */
  enroll(token: string): Promise<{ computerId: string; credential: string }>
  /** One more computer of the organization, live. */
  addLiveComputer(organizationId: string): Promise<{ computerId: string; credential: string }>
  /** Only the credential of a test computer. */
  addComputer(organizationId: string): Promise<string>
  stop(): Promise<void>
}

export interface SystemOptions {
  /** Two at most: one on each of `REPLICA_ADDRESSES`. */
  replicas?: 1 | 2
  /** With the process that plays the test computers, as `npm start` has it. */
  testComputers?: boolean
  /** Without `replicas`: so many devices processes serve agents. The other services call the first one. */
  devices?: number
  /** Read at each start of a service, so that a restart can change settings. */
  env?: Record<string, string>
  /** All services have the same token of NATS, which the previous release requires. */
  hasNatsToken?: boolean
  /** Each replica is one process with all services, as `npm start` has it. */
  together?: boolean
  /**
   * @returns where `client` connects instead of to the replicas of `server`, for example "jobs-0" to a proxy before
   *   "postgres".
   */
  route?: (client: string, server: string, replicas: Address[]) => Promise<Address>
  /**
   * @returns the clone whose code a process runs, by its name, for example "jobs-0". Called at each start. Default:
   *   this one.
   */
  getDirectory?: (instance: string) => string
}

/** The variables that name a server. */
const SERVERS: Record<string, string> = {
  PLATEN_DATABASE_URL: 'postgres',
  PLATEN_NATS_URL: 'nats-server',
  PLATEN_AGENT_URL: 'agents',
  ...Object.fromEntries(RPC_SERVICES.map((name) => [`PLATEN_${name.toUpperCase()}_URL`, name])),
}

const RESOLVE_REPLICAS = new URL('resolve-replicas.ts', import.meta.url).href

export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { replicas = 1, together = false, testComputers: withThem = false, devices: devicesCount = 1 } = options
  const begun = await beginInstallation('system', options)
  const { installation, stores, natsOperatorUrl, postgres, nats, restartable, unexpectedEnds, stop } = begun
  const { settings, ports } = installation
  const edges = [
    { gateway: ports.gateway, agents: ports.agents },
    { gateway: ports.secondGateway, agents: ports.secondAgents },
  ].slice(0, replicas)
  const all = edges.flatMap((edge, n) => {
    const own = { ...installation, settings: { ...settings, port: edge.gateway, agentPort: edge.agents } }
    const processes = together ? [allServices(own, stores)] : separateServices(own, stores, ports)
    return processes
      .filter(({ name }) => name !== 'test-computers' || (withThem && n === 0))
      .map((process) => ({
        ...process,
        env: replicaEnvironment(process.env, n, options),
        instance: `${process.name}-${n}`,
      }))
  })
  const agentPorts = edges.map(({ agents }) => agents)
  const firstDevices = all.find(({ name }) => name === 'devices')
  while (firstDevices && agentPorts.length < devicesCount) {
    const port = await freePort()
    const own = {
      PLATEN_AGENT_PORT: String(port),
      PLATEN_RPC_LISTEN: `127.0.0.1:${await freePort()}`,
      PLATEN_OPS_LISTEN: `127.0.0.1:${await freePort()}`,
    }
    const instance = `devices-${agentPorts.push(port) - 1}`
    all.push({ ...firstDevices, env: { ...firstDevices.env, ...own }, instance })
  }
  const services = await Promise.all(
    all.map(async ({ instance, env, ...process }) => {
      const routed = await routeUrls(instance, env, agentPorts, options)
      const getEnvironment = () => {
        const env: Record<string, string> = { ...routed, ...NO_RATE_LIMIT, ...options.env }
        return { ...env, PLATEN_RPC_CALLERS: `${env.PLATEN_RPC_CALLERS},${RPC_CALLERS_SETTING}` }
      }
      return await restartable(instance, (start) => {
        const directory = options.getDirectory?.(instance)
        return startProcess({ ...process, env: getEnvironment(), directory }, start)
      })
    }),
  )

  const client = createTestProcess('bench')
  const getRpcUrl = (name: keyof RpcPorts) => loopbackUrl(together ? ports.rpc : ports[name])
  const connect = <S extends DescService>(service: S, name: keyof RpcPorts) =>
    connectRpc(client, service, { url: getRpcUrl(name), key: RPC_KEY })
  const accounts = connect(AccountsService, 'accounts')
  const { PLATEN_DATABASE_URL: connectionString = postgres.url, PLATEN_DATABASE_CA_FILE: caFile } = options.env ?? {}
  const ssl = caFile !== undefined && { ca: readFileSync(caFile, 'utf8') }
  const database = new Pool({ connectionString, ssl, max: 1 })
  // A server that is killed meanwhile.
  database.on('error', () => undefined)
  const devices = connect(DevicesService, 'devices')
  const addComputer = async (organizationId: string) =>
    (await devices.enrollTestComputer({ organizationId })).credential
  const addLiveComputer = async (organizationId: string) => {
    const { token } = await devices.createEnrollment({ organizationId, maxUses: 1, expiresInSeconds: 900 })
    return await devices.enroll({ token, name: 'Front desk' })
  }
  // It is no call, because the previous release has no operations port for it.
  const createOrganization = async () => {
    const id = uuidv7()
    await database.query(`INSERT INTO accounts.organization (id, name, created_at) VALUES ($1, 'Bench', now())`, [id])
    return id
  }
  const addKey = async (organizationId: string, mode: string, scopes: string[]) =>
    (await accounts.createApiKey({ organizationId, name: 'bench', mode, scopes })).key
  return {
    baseUrl: settings.baseUrl,
    baseUrls: edges.map(({ gateway }) => `http://127.0.0.1:${gateway}`),
    agentAddress: `127.0.0.1:${ports.agents}`,
    agentAddresses: agentPorts.map((port) => `127.0.0.1:${port}`),
    databaseUrl: postgres.url,
    servicesDatabaseUrl: stores.databaseUrl,
    natsUrl: natsOperatorUrl,
    directory: installation.data.path,
    processes: [postgres, nats, ...services],
    unexpectedEnds,
    pids: Object.fromEntries([postgres, nats, ...services].map(({ name, pid }) => [name.replace(/-0$/, ''), pid])),
    getOpsUrl: (name) => loopbackUrl(ports[`${name} ops`]),
    connect,
    addComputer,
    addLiveComputer,
    createOrganization,
    addKey,
    enroll: (token) => devices.enroll({ token, name: 'Front desk' }),
    async addOrganization({ mode = 'test' } = {}) {
      const organizationId = await createOrganization()
      const key = await addKey(organizationId, mode, ['read', 'print'])
      if (mode === 'test') return { organizationId, key, ...(await devices.enrollTestComputer({ organizationId })) }
      return { organizationId, key, ...(await addLiveComputer(organizationId)) }
    },
    async stop() {
      await client.stop()
      await database.end()
      await stop()
    },
  }
}

/** A replica listens on an address of its own, and finds the others by the name that has all of them. */
function replicaEnvironment(env: Record<string, string> = {}, n: number, { replicas = 1 }: SystemOptions) {
  const address = REPLICA_ADDRESSES[n] ?? ''
  const host = address.includes(':') ? `[${address}]` : address
  const own = { ...env, OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${n}` }
  if (replicas === 1) return own
  const changed = Object.entries(own).map(([name, value]) => {
    if (name === 'PLATEN_RPC_LISTEN' || name === 'PLATEN_OPS_LISTEN') return [name, value.replace('127.0.0.1', host)]
    return [name, isReplicated(SERVERS[name]) ? value.replace('127.0.0.1', REPLICA_HOST) : value]
  })
  const nodeOptions = `${env.NODE_OPTIONS ?? process.env.NODE_OPTIONS ?? ''} --import=${RESOLVE_REPLICAS}`.trim()
  return { ...(Object.fromEntries(changed) as Record<string, string>), NODE_OPTIONS: nodeOptions }
}

const isReplicated = (server: string | undefined) => RPC_SERVICES.some((name) => name === server)

async function routeUrls(
  client: string,
  env: Record<string, string>,
  agentPorts: number[],
  { route, replicas = 1 }: SystemOptions,
): Promise<Record<string, string>> {
  if (!route) return env
  const routed = { ...env }
  for (const [name, server] of Object.entries(SERVERS)) {
    const url = new URL(env[name] ?? '')
    const hosts = isReplicated(server) ? REPLICA_ADDRESSES.slice(0, replicas) : ['127.0.0.1']
    const to = hosts.map((host) => ({ host, port: Number(url.port) }))
    const { host, port } = await route(client, server, server === 'agents' ? agentPorts.map(toLoopback) : to)
    url.host = `${host}:${port}`
    routed[name] = url.href.replace(/\/$/, '')
  }
  return routed
}

const toLoopback = (port: number): Address => ({ host: '127.0.0.1', port })
