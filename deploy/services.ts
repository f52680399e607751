/** Platen's own processes and what each is told. The one place that knows which service talks to which. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DataDirectory } from './data-directory.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { NodeProcess } from './start-process.ts'

/** Everything that gets a port of its own choosing, on loopback. */
export const LOOPBACK_PORTS = ['postgres', 'nats', 'rpc'] as const

export type LoopbackPorts = Record<(typeof LOOPBACK_PORTS)[number], number>

export interface Installation {
  settings: Settings
  data: DataDirectory
  secrets: Secrets
  ports: LoopbackPorts
}

export interface Stores {
  databaseUrl: string
  natsUrl: string
}

/** The services that others call. */
export const RPC_SERVICES = ['accounts', 'jobs', 'devices', 'usage', 'webhooks'] as const

export type RpcPorts = Record<(typeof RPC_SERVICES)[number], number>

/** Young objects are what an upload is made of: without a bound V8 keeps some 120 MB more of them (measured, 16 uploads of 25 MB). */
const NODE_OPTIONS = '--max-semi-space-size=16'

/** One process that runs every service, the virtual test computers included. */
export function allServices(installation: Installation, stores: Stores): NodeProcess {
  const { rpc } = installation.ports
  const everyPort = Object.fromEntries(RPC_SERVICES.map((name) => [name, rpc])) as RpcPorts
  return roleProcess('all', 'platen', installation, stores, everyPort, rpc)
}

/** Each service as a process of its own, as on a cluster. The test computers are the last one. */
export function separateServices(installation: Installation, stores: Stores, ports: RpcPorts): NodeProcess[] {
  const own = RPC_SERVICES.map((name) => roleProcess(name, name, installation, stores, ports, ports[name]))
  const others = ['gateway', 'test-computers'].map((name) => roleProcess(name, name, installation, stores, ports))
  return [...own, ...others]
}

/** @param rpcPort where it serves RPCs, if it does. */
function roleProcess(
  role: string,
  name: string,
  { settings, data, secrets }: Installation,
  { databaseUrl, natsUrl }: Stores,
  ports: RpcPorts,
  rpcPort?: number,
): NodeProcess {
  return {
    name,
    script: 'services/main.ts',
    args: [role],
    env: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${NODE_OPTIONS}`.trim(),
      ...(rpcPort !== undefined && { PLATEN_RPC_LISTEN: `127.0.0.1:${rpcPort}` }),
      PLATEN_RPC_SECRET: secrets.rpcSecret,
      PLATEN_ACCOUNTS_URL: rpcUrl(ports.accounts),
      PLATEN_JOBS_URL: rpcUrl(ports.jobs),
      PLATEN_DEVICES_URL: rpcUrl(ports.devices),
      PLATEN_USAGE_URL: rpcUrl(ports.usage),
      PLATEN_WEBHOOKS_URL: rpcUrl(ports.webhooks),
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: natsUrl,
      PLATEN_FILE_STORE_URL: pathToFileURL(data.files).href,
      PLATEN_FETCH_KEY: secrets.fetchKey,
      PLATEN_WEBHOOK_KEY: secrets.webhookKey,
      PLATEN_MAILBOX_DIR: data.mailbox,
      ...(settings.host !== undefined && { PLATEN_HOST: settings.host }),
      PLATEN_PORT: String(settings.port),
      PLATEN_AGENT_PORT: String(settings.agentPort),
      PLATEN_AGENT_URL: settings.agentUrl,
      PLATEN_UPGRADE_URL: settings.upgradeUrl,
      PLATEN_TEST_COMPUTERS_DIR: data.testComputers,
    },
    logFile: join(data.logs, `${name}.log`),
  }
}

export function rpcUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}
