/**
 * All services of Platen in the process of the test, on a database and a nats-server. Calls between them use the local
 * transport; HTTP, the agents' streams, PostgreSQL and NATS are as shipped. Timers do not run by themselves: tests
 * advance the clock and run single sweeps.
 *
 * A worker has one world for all its tests, each with its own organization (`organization.ts`). A test that needs
 * replicas, other settings, an empty table or a failed server starts its own world.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import type { Accounts } from '@platen/accounts/accounts.ts'
import { startAccounts } from '@platen/accounts/service.ts'
import type { Config as DevicesConfig } from '@platen/devices/config.ts'
import type { Devices } from '@platen/devices/devices.ts'
import { startDevices } from '@platen/devices/service.ts'
import type { Config as GatewayConfig } from '@platen/gateway/config.ts'
import { type GatewayOptions, startGateway } from '@platen/gateway/service.ts'
import type { Config as JobsConfig } from '@platen/jobs/config.ts'
import type { Jobs } from '@platen/jobs/jobs.ts'
import { startJobs } from '@platen/jobs/service.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { CONNECTIONS_MAX } from '@platen/resources/limits.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { fromConnectError } from '@platen/runtime/errors.ts'
import { allowedNetworks } from '@platen/runtime/fetch/allowed-networks.ts'
import { createPublicNetwork, type PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { type Ports, UNRESERVED_PORTS, WEB_PORTS } from '@platen/runtime/fetch/public-url.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import type { Keyring } from '@platen/runtime/keyring.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { connectNats, type Nats } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { createLocalRpc } from '@platen/runtime/rpc/local.ts'
import { startTestComputers } from '@platen/test-computers/service.ts'
import { startUsage } from '@platen/usage/service.ts'
import type { Usage } from '@platen/usage/usage.ts'
import type { Config as WebhooksConfig } from '@platen/webhooks/config.ts'
import { startWebhooks } from '@platen/webhooks/service.ts'
import type { Webhooks } from '@platen/webhooks/webhooks.ts'
import { Pool, type QueryResultRow } from 'pg'
import { onTestFailed, onTestFinished } from 'vitest'
import { createDatabase, makeDatabaseOfWorker } from './database.ts'
import { ACCOUNTS_DURATIONS, DEVICES_DURATIONS, JOBS_DURATIONS, WEBHOOKS_DURATIONS } from './durations.ts'
import { freePort } from './free-port.ts'
import { startNatsOfWorker, startTestNats, type TestNats } from './nats.ts'
import { RPC_CALLERS, RPC_KEY } from './rpc-key.ts'
import { createTestClock, type TestClock } from './test-clock.ts'
import { createTestProcess, type TestProcess } from './test-process.ts'

const HOST = '127.0.0.1'
export const SIGNING_KEY = 'the signing key of the test installation'
/** The first keys of jobs and webhooks, for tests that replace them. */
export const FETCH_KEY = randomBytes(32)
export const WEBHOOK_KEY = randomBytes(32)
export const SIGN_IN_KEY = randomBytes(32)
const LOOPBACK = allowedNetworks.parse('127.0.0.0/8,::1/128')
/** Marks calls of the tests, which `intercept` ignores. */
const FROM_TEST = 'platen-test'

export type ServiceName = 'accounts' | 'devices' | 'gateway' | 'jobs' | 'test-computers' | 'usage' | 'webhooks'

type AnyRequest = Parameters<ReturnType<Interceptor>>[0]
type AnyResponse = Awaited<ReturnType<ReturnType<Interceptor>>>
export type Handler = (request: AnyRequest, next: (request: AnyRequest) => Promise<AnyResponse>) => Promise<AnyResponse>

export interface WorldOptions {
  jobs?: Partial<JobsConfig>
  devices?: Partial<DevicesConfig>
  webhooks?: Partial<WebhooksConfig>
  gateway?: Partial<GatewayConfig>
  /** Options of gateways besides their settings. */
  gatewayOptions?: GatewayOptions
  /** Lets timers run by themselves. */
  timers?: 'running'
  clock?: TestClock
  /** Servers to use instead of new ones. */
  databaseUrl?: string
  nats?: TestNats
}

export interface World {
  /** The clock of all services. Moves only by `advance`, which also wakes waits for a time. */
  clock: TestClock
  advance(ms: number): void
  /** Runs one sweep of a timer, for example `sweep('jobs', 'expired')`. */
  sweep(service: ServiceName, timer: string): Promise<void>
  /** Lets the handler answer all calls of a method between services until the end of the test. */
  intercept(method: DescMethod, handler: Handler): void
  /** Addresses of host names. With a port, connections to the addresses go to that local port. */
  addHost(name: string, addresses: string[], port?: number): void
  /** Queries the whole database. Tests filter by their organization. */
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  pool: Pool
  databaseUrl: string
  natsServer: TestNats
  nats: Nats
  gatewayUrl: string
  gatewayConfig: GatewayConfig
  /** `host:port` of the first replica of devices. */
  agentAddress: string
  fileStoreUrl: string
  files: FileStore
  /** Directory of the e-mails. */
  mailbox: string
  /** Address of all RPC services for other processes. */
  rpc: { url: string; key: string }
  accounts: Client<typeof AccountsService>
  jobs: Client<typeof JobsService>
  devices: Client<typeof DevicesService>
  usage: Client<typeof UsageService>
  endpoints: Client<typeof EndpointsService>
  deliveries: Client<typeof DeliveriesService>
  events: Client<typeof EventsService>
  /** Contexts of the services' functions. */
  contexts: { accounts: Accounts; jobs: Jobs; devices: Devices; usage: Usage; webhooks: Webhooks }
  /** The processes of the first replicas. */
  processes: Record<ServiceName, TestProcess>
  /** Starts another replica, which shares all resources with the first and serves no RPCs. */
  addReplica: {
    devices(): Promise<{ process: TestProcess; agentAddress: string }>
    webhooks(): Promise<TestProcess>
    usage(): Promise<TestProcess>
    jobs(): Promise<TestProcess>
    gateway(config?: Partial<GatewayConfig>, options?: GatewayOptions): Promise<{ process: TestProcess; url: string }>
  }
  /** Logs of the services since the start of the world: JSON lines. */
  logs: readonly string[]
}

/**
 * Limits the clock, because PostgreSQL generates event ids by real time and the feed covers 30 days before the world's
 * clock.
 */
const AHEAD_MAX_MS = 14 * 24 * 60 * 60_000

let ofWorker: Promise<{ world: World; end(): Promise<void> }> | undefined
let ofTest: World | undefined

/**
 * The world of this worker. It lives until the worker ends or its clock is weeks ahead, after which the next test gets
 * a new one. If a test fails, the logs of the services during the test are printed.
 */
export async function getWorld(): Promise<World> {
  if (ofTest) return ofTest
  if (ofWorker) {
    const { world } = await ofWorker
    if (world.clock.now().getTime() - Date.now() > AHEAD_MAX_MS) await endWorldOfWorker()
  }
  ofWorker ??= startWorldOfWorker()
  const { world } = await ofWorker
  ofTest = world
  onTestFinished(() => {
    ofTest = undefined
  })
  watchLogs(world)
  return world
}

/** The next test gets a new world. */
export async function endWorldOfWorker(): Promise<void> {
  const ended = ofWorker
  ofWorker = undefined
  await (await ended)?.end()
}

async function startWorldOfWorker() {
  const [databaseUrl, nats] = await Promise.all([makeDatabaseOfWorker(), startNatsOfWorker()])
  const closers = [nats.stop]
  const world = await createWorld({ databaseUrl, nats }, (close) => closers.push(close))
  const end = async () => {
    for (const close of closers.toReversed()) await close()
  }
  return { world, end }
}

/** A world for a single test, stopped at its end. */
export async function startOwnWorld(options: WorldOptions = {}): Promise<World> {
  const [databaseUrl, nats] = await Promise.all([
    options.databaseUrl ?? createDatabase(),
    options.nats ?? startTestNats(),
  ])
  const world = await createWorld({ ...options, databaseUrl, nats }, onTestFinished)
  watchLogs(world)
  return world
}

function watchLogs({ logs }: World): void {
  const before = logs.length
  onTestFailed(() => console.error(`The services logged:\n${logs.slice(before).join('')}`))
  onTestFinished(() => {
    const refused = logs.slice(before).filter((line) => line.includes('NATS does not permit'))
    if (refused.length > 0) throw new Error(`proto/nats-permissions.ts lacks a permission:\n${refused.join('')}`)
  })
}

type Needed = WorldOptions & Required<Pick<WorldOptions, 'databaseUrl' | 'nats'>>

/** @param onEnd registers close functions, called in reverse order. */
async function createWorld(options: Needed, onEnd: (close: () => Promise<void>) => void): Promise<World> {
  const { databaseUrl, nats, clock = createTestClock(new Date()) } = options
  const directory = await mkdtemp(join(tmpdir(), 'platen-world-'))
  onEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  const logs: string[] = []
  const sweeps = new Map<string, () => Promise<unknown>>()
  const handlers = new Map<DescMethod, Handler>()
  const intercept: Interceptor = (next) => async (request) => {
    const handler = request.header.has(FROM_TEST) ? undefined : handlers.get(request.method)
    return handler ? await handler(request, next) : await next(request)
  }
  const localRpc = createLocalRpc([intercept])
  const getProcess = (name: string, isFirst = true): TestProcess => {
    const process = createTestProcess(name, {
      log: createLogger(name, 'info', { write: (line: string) => void logs.push(line) }),
      rpc: isFirst ? localRpc : { ...localRpc, serve: async () => undefined },
      ...(options.timers !== 'running' && {
        runTimer: ({ name: timer, sweep }) => void (isFirst && sweeps.set(`${name} ${timer}`, sweep)),
      }),
    })
    onEnd(() => process.stop())
    return process
  }
  const hosts = createHosts()
  const rpc = { listen: { host: HOST, port: await freePort() }, callers: RPC_CALLERS }
  const rpcUrl = `http://${HOST}:${rpc.listen.port}`
  const natsSettings = parseNatsUrl(nats.servicesUrl)
  const database = { server: parseDatabaseUrl(databaseUrl) }
  const fileStoreUrl = pathToFileURL(join(directory, 'files')).href
  const mailbox = join(directory, 'mailbox')
  const mail = { from: 'Platen <platen@localhost>', to: { directory: mailbox } }
  const shared = { rpc, rpcKey: RPC_KEY, database, nats: natsSettings, fileStoreUrl, allowedNetworks: LOOPBACK }
  const configs = {
    accounts: {
      rpc,
      database,
      signInKey: [SIGN_IN_KEY] satisfies Keyring,
      mail,
      publicUrl: 'https://print.example.com',
      ...ACCOUNTS_DURATIONS,
    },
    usage: { rpc, rpcKey: RPC_KEY, database, jobsUrl: rpcUrl },
    jobs: {
      ...shared,
      fetchKey: [FETCH_KEY] satisfies Keyring,
      testJobsPerDay: 500,
      unfinishedJobsMax: 100_000,
      storedBytesMax: BUDGETS.storedBytes.max,
      jobsPerDayMax: BUDGETS.jobsPerDay.max,
      databaseMaxBytes: 0,
      allowedNetworksDetails: false,
      ...JOBS_DURATIONS,
      ...options.jobs,
    },
    webhooks: {
      ...shared,
      // The receivers of tests are in an allowed network.
      allowedNetworksDetails: true,
      accountsUrl: rpcUrl,
      jobsUrl: rpcUrl,
      devicesUrl: rpcUrl,
      webhookKey: [WEBHOOK_KEY] satisfies Keyring,
      mail,
      publicUrl: 'https://print.example.com',
      ...WEBHOOKS_DURATIONS,
      ...options.webhooks,
    },
    gateway: {
      listen: { host: HOST, port: 0 },
      tls: undefined,
      rpcKey: RPC_KEY,
      signingKeys: [Buffer.from(SIGNING_KEY)],
      accountsUrl: rpcUrl,
      jobsUrl: rpcUrl,
      devicesUrl: rpcUrl,
      usageUrl: rpcUrl,
      webhooksUrl: rpcUrl,
      fileStoreUrl,
      inlineDocumentBytes: 64 * 1024,
      documentPreview: true,
      nats: natsSettings,
      allowedNetworks: LOOPBACK,
      upgradeUrl: 'https://print.example/billing',
      agentPublicUrl: undefined,
      agentPort: 8090,
      olderKeyPrefixes: [],
      dashboardDirectory: undefined,
      docsDirectory: undefined,
      agentPackagesDirectory: undefined,
      clientPackagesDirectory: undefined,
      installation: undefined,
      printNode: undefined,
      ipp: false,
      hsts: undefined,
      publicUrl: undefined,
      isEncrypted: false,
      trustedProxies: [],
      connectionsPerAddress: CONNECTIONS_MAX,
      rateLimitPerSecond: 10_000,
      organizationRateLimitPerSecond: 10_000,
      ...options.gateway,
    } satisfies GatewayConfig,
  }
  async function startDevicesReplica(isFirst: boolean) {
    const process = getProcess('devices', isFirst)
    const listen = { host: HOST, port: await freePort() }
    const limits = { connectionsPerAddress: CONNECTIONS_MAX, trustedProxies: [] }
    const agents = { listen, tls: undefined, plainListen: undefined, ...limits }
    const computersMax = BUDGETS.computers.max
    const config = {
      ...shared,
      accountsUrl: rpcUrl,
      jobsUrl: rpcUrl,
      agents,
      computersMax,
      agentPackagesDirectory: undefined,
      ...DEVICES_DURATIONS,
      ...options.devices,
    }
    return { process, agentAddress: `${HOST}:${listen.port}`, context: await startDevices(process, config, clock) }
  }
  async function startGatewayReplica(isFirst: boolean, config: Partial<GatewayConfig> = {}, more: GatewayOptions = {}) {
    const process = getProcess('gateway', isFirst)
    const all = { publicNetwork: hosts.network(WEB_PORTS), ...options.gatewayOptions, ...more }
    const { port } = await startGateway(process, { ...configs.gateway, ...config }, clock, all)
    return { process, url: `http://${HOST}:${port}` }
  }
  const startJobsReplica = (process: TestProcess) =>
    startJobs(process, configs.jobs, clock, hosts.network(UNRESERVED_PORTS))
  const startWebhooksReplica = (process: TestProcess) =>
    startWebhooks(process, configs.webhooks, clock, hosts.network(UNRESERVED_PORTS))
  const startUsageReplica = (process: TestProcess) => startUsage(process, configs.usage, clock)

  const processes = {
    accounts: getProcess('accounts'),
    webhooks: getProcess('webhooks'),
    usage: getProcess('usage'),
    jobs: getProcess('jobs'),
  }
  const [accounts, webhooks, usage, jobs, devices, gateway] = await Promise.all([
    startAccounts(processes.accounts, configs.accounts, clock),
    startWebhooksReplica(processes.webhooks),
    startUsageReplica(processes.usage),
    startJobsReplica(processes.jobs),
    startDevicesReplica(true),
    startGatewayReplica(true),
  ])
  const testComputers = getProcess('test-computers')
  const client = getProcess('test', false)
  const started = startTestComputers(testComputers, {
    rpcKey: RPC_KEY,
    devicesUrl: rpcUrl,
    nats: natsSettings,
    agentUrl: `http://${devices.agentAddress}`,
    directory: join(directory, 'test-computers'),
    printMs: 60,
  })
  const sweep = async (service: ServiceName, timer: string) => {
    const registered = sweeps.get(`${service} ${timer}`)
    if (!registered)
      throw new Error(`Unknown timer ${service} ${timer}. Known timers: ${[...sweeps.keys()].join(', ')}.`)
    await registered()
  }
  if (options.timers !== 'running') {
    await connected(() => sweeps.has('test-computers lease'))
    await sweep('test-computers', 'lease')
  }
  await started
  await localRpc.listen(client, rpc)

  const pool = new Pool({ connectionString: databaseUrl, max: 4 })
  onEnd(() => pool.end())
  const toClient = <Service extends DescService>(service: Service): Client<Service> => {
    const { transport } = localRpc
    return createClient(service, {
      ...transport,
      unary: (method, signal, timeoutMs, header, ...call) => {
        const marked = new Headers(header)
        marked.set(FROM_TEST, '1')
        return transport
          .unary(method, signal, timeoutMs, marked, ...call)
          .catch((error: unknown) => Promise.reject(fromConnectError(error)))
      },
    })
  }
  const replica = async (name: string, start: (process: TestProcess) => Promise<unknown>) => {
    const process = getProcess(name, false)
    await start(process)
    return process
  }
  return {
    clock,
    advance(ms) {
      clock.advance(ms)
      jobs.fetchesAdded()
    },
    sweep,
    intercept(method, handler) {
      handlers.set(method, handler)
      onTestFinished(() => void handlers.delete(method))
    },
    addHost: hosts.add,
    query: async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    pool,
    databaseUrl,
    natsServer: nats,
    nats: await connectNats(client, parseNatsUrl(nats.url)),
    gatewayUrl: gateway.url,
    gatewayConfig: configs.gateway,
    agentAddress: devices.agentAddress,
    fileStoreUrl,
    files: await openFileStore(client, fileStoreUrl),
    mailbox,
    rpc: { url: rpcUrl, key: RPC_KEY },
    accounts: toClient(AccountsService),
    jobs: toClient(JobsService),
    devices: toClient(DevicesService),
    usage: toClient(UsageService),
    endpoints: toClient(EndpointsService),
    deliveries: toClient(DeliveriesService),
    events: toClient(EventsService),
    contexts: { accounts, jobs, devices: devices.context, usage, webhooks },
    processes: {
      ...processes,
      devices: devices.process,
      gateway: gateway.process,
      'test-computers': testComputers,
    },
    addReplica: {
      devices: () => startDevicesReplica(false),
      webhooks: () => replica('webhooks', startWebhooksReplica),
      usage: () => replica('usage', startUsageReplica),
      jobs: () => replica('jobs', startJobsReplica),
      gateway: (config, more) => startGatewayReplica(false, config, more),
    },
    logs,
  }
}

/** The DNS of a world. */
function createHosts() {
  const addresses = new Map<string, string[]>()
  const ports = new Map<string, number>()
  return {
    add(name: string, ofHost: string[], port?: number): void {
      addresses.set(name, ofHost)
      if (port !== undefined) for (const address of ofHost) ports.set(address, port)
    },
    network: (permitted: Ports): PublicNetwork =>
      createPublicNetwork({
        allowed: LOOPBACK,
        ports: permitted,
        resolve: async (host) => addresses.get(host) ?? [],
        dial(candidates, port, signal) {
          const redirected = candidates.map((address) => ports.get(address)).find((found) => found !== undefined)
          const host = redirected === undefined ? candidates[0] : HOST
          return connect({ host, port: redirected ?? port, signal })
        },
      }),
  }
}

async function connected(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve))
}
