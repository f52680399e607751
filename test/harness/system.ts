/**
 * The services as separate processes on servers of their own, with the shipped defaults of durability, and as many replicas of each as
 * asked. No agent, unless the test computers are asked for: who wants one brings it.
 */
import { separateServices } from '@platen/deploy/services.ts'
import { startProcess } from '@platen/deploy/start-process.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { beginInstallation } from './begin-installation.ts'
import { makeLive } from './make-live.ts'
import { NO_RATE_LIMIT } from './no-rate-limit.ts'
import { REPLICA_ADDRESSES, REPLICA_HOST } from './replica-addresses.ts'
import { createTestProcess } from './test-process.ts'

export interface System {
  /** Of the first replica; of each in `baseUrls`. */
  baseUrl: string
  baseUrls: string[]
  /** Of the first replica; of each in `agentAddresses`. */
  agentAddress: string
  agentAddresses: string[]
  databaseUrl: string
  /** By name, of the first replica; of PostgreSQL the parent of all its processes. */
  pids: Record<string, number>
  /** An organization with one computer, the test computer unless it is to be live, and a key for its mode. */
  addOrganization(options?: {
    mode?: 'test' | 'live'
  }): Promise<{ organizationId: string; key: string; credential: string }>
  /** With nothing in it: no key, no computer. @returns its id. */
  createOrganization(): Promise<string>
  /** One more key of the organization. */
  addKey(organizationId: string, mode: 'live' | 'test', scopes: string[]): Promise<string>
  /** Trades an enrolment token as an agent does. */
  enroll(token: string): Promise<{ computerId: string; credential: string }>
  /** Only the credential of a test computer. */
  addComputer(organizationId: string): Promise<string>
  stop(): Promise<void>
}

export interface SystemOptions {
  /** Two at most: one on each of `REPLICA_ADDRESSES`. */
  replicas?: 1 | 2
  /** With the process that plays the test computers, as `npm start` has it. */
  testComputers?: boolean
  env?: Record<string, string>
}

const RESOLVE_REPLICAS = new URL('resolve-replicas.ts', import.meta.url).href

export async function startSystem({
  replicas = 1,
  env = {},
  testComputers: withThem = false,
}: SystemOptions = {}): Promise<System> {
  const { installation, postgres, nats, started, stop } = await beginInstallation('system')
  const { settings, secrets, ports } = installation
  const edges = [
    { gateway: ports.gateway, agents: ports.agents },
    { gateway: ports.secondGateway, agents: ports.secondAgents },
  ].slice(0, replicas)
  const replica = (ofPorts: { gateway: number; agents: number }) =>
    separateServices(
      { ...installation, settings: { ...settings, port: ofPorts.gateway, agentPort: ofPorts.agents } },
      { databaseUrl: postgres.url, natsUrl: nats.url },
      ports,
    )
  const all = edges.flatMap((ofPorts, n) =>
    replica(ofPorts)
      .filter(({ name }) => name !== 'test-computers' || (withThem && n === 0))
      .map((process) => {
        const own = replicas === 1 ? process.env : replicaEnvironment(process.env, REPLICA_ADDRESSES[n])
        return {
          ...process,
          env: { ...own, ...NO_RATE_LIMIT, ...env, OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${n}` },
        }
      }),
  )
  const processes = await Promise.all(all.map((process) => started(startProcess(process))))

  const client = createTestProcess('bench')
  const secret = secrets.rpcSecret
  const accounts = connectRpc(client, AccountsService, { url: `http://127.0.0.1:${ports.accounts}`, secret })
  const devices = connectRpc(client, DevicesService, { url: `http://127.0.0.1:${ports.devices}`, secret })
  const addComputer = async (organizationId: string) =>
    (await devices.enrollTestComputer({ organizationId })).credential
  const createOrganization = async () => (await accounts.createOrganization({ name: 'Bench' })).organization?.id ?? ''
  const addKey = async (organizationId: string, mode: string, scopes: string[]) =>
    (await accounts.createApiKey({ organizationId, name: 'bench', mode, scopes })).key
  return {
    baseUrl: settings.baseUrl,
    baseUrls: edges.map(({ gateway }) => `http://127.0.0.1:${gateway}`),
    agentAddress: `127.0.0.1:${ports.agents}`,
    agentAddresses: edges.map(({ agents }) => `127.0.0.1:${agents}`),
    databaseUrl: postgres.url,
    // A name that is there again is a later replica's.
    pids: Object.fromEntries([postgres, nats, ...processes].toReversed().map(({ name, pid }) => [name, pid])),
    addComputer,
    createOrganization,
    addKey,
    enroll: (token) => devices.enroll({ token, name: 'Front desk' }),
    async addOrganization({ mode = 'test' } = {}) {
      const organizationId = await createOrganization()
      const key = await addKey(organizationId, mode, ['read', 'print'])
      const { computerId, credential } = await devices.enrollTestComputer({ organizationId })
      if (mode === 'live') await makeLive(postgres.url, computerId)
      return { organizationId, key, credential }
    },
    async stop() {
      await client.stop()
      await stop()
    },
  }
}

/** A replica listens on an address of its own, and finds the others by the name that has all of them. */
function replicaEnvironment(env: Record<string, string> = {}, address = '') {
  const changed = Object.entries(env).map(([name, value]) => {
    if (name === 'PLATEN_RPC_LISTEN')
      return [name, value.replace('127.0.0.1', address.includes(':') ? `[${address}]` : address)]
    return [
      name,
      /^PLATEN_(ACCOUNTS|JOBS|DEVICES|USAGE|WEBHOOKS)_URL$/.test(name)
        ? value.replace('127.0.0.1', REPLICA_HOST)
        : value,
    ]
  })
  const nodeOptions = `${env.NODE_OPTIONS ?? process.env.NODE_OPTIONS ?? ''} --import=${RESOLVE_REPLICAS}`.trim()
  return { ...(Object.fromEntries(changed) as Record<string, string>), NODE_OPTIONS: nodeOptions }
}
