/** Platen's own processes and what each is told. The one place that knows which service talks to which. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DataDirectory } from './data-directory.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { NodeProcess } from './start-process.ts'

/** Everything that gets a port of its own choosing, on loopback. */
export const LOOPBACK_PORTS = ['postgres', 'nats', 'accounts', 'jobs', 'devices', 'usage', 'webhooks'] as const

export type LoopbackPorts = Record<(typeof LOOPBACK_PORTS)[number], number>

export interface Installation {
  settings: Settings
  data: DataDirectory
  secrets: Secrets
  ports: LoopbackPorts
}

export type ServiceName = 'accounts' | 'jobs' | 'devices' | 'usage' | 'webhooks' | 'gateway'

/** Young objects are what an upload is made of: without a bound V8 keeps some 120 MB more of them (measured, 16 uploads of 25 MB). */
const GATEWAY_NODE_OPTIONS = '--max-semi-space-size=16'

export function services(installation: Installation, databaseUrl: string, natsUrl: string): NodeProcess[] {
  const { settings, data, secrets, ports } = installation
  const secret = { PLATEN_RPC_SECRET: secrets.rpcSecret }
  const host: Record<string, string> = settings.host === undefined ? {} : { PLATEN_HOST: settings.host }
  const fileStore = { PLATEN_FILE_STORE_URL: pathToFileURL(data.files).href }
  const environments: Record<ServiceName, Record<string, string>> = {
    accounts: {
      ...secret,
      PLATEN_RPC_LISTEN: `127.0.0.1:${ports.accounts}`,
      PLATEN_DATABASE_URL: databaseUrl,
    },
    jobs: {
      ...secret,
      ...fileStore,
      PLATEN_RPC_LISTEN: `127.0.0.1:${ports.jobs}`,
      PLATEN_FETCH_KEY: secrets.fetchKey,
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: natsUrl,
    },
    devices: {
      ...secret,
      ...fileStore,
      ...host,
      PLATEN_RPC_LISTEN: `127.0.0.1:${ports.devices}`,
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: natsUrl,
      PLATEN_JOBS_URL: rpcUrl(ports.jobs),
      PLATEN_AGENT_PORT: String(settings.agentPort),
    },
    usage: {
      ...secret,
      PLATEN_RPC_LISTEN: `127.0.0.1:${ports.usage}`,
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: natsUrl,
    },
    webhooks: {
      ...secret,
      PLATEN_RPC_LISTEN: `127.0.0.1:${ports.webhooks}`,
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: natsUrl,
      PLATEN_ACCOUNTS_URL: rpcUrl(ports.accounts),
      PLATEN_WEBHOOK_KEY: secrets.webhookKey,
      PLATEN_MAILBOX_DIR: data.mailbox,
    },
    gateway: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${GATEWAY_NODE_OPTIONS}`.trim(),
      ...secret,
      ...fileStore,
      ...host,
      PLATEN_ACCOUNTS_URL: rpcUrl(ports.accounts),
      PLATEN_JOBS_URL: rpcUrl(ports.jobs),
      PLATEN_DEVICES_URL: rpcUrl(ports.devices),
      PLATEN_NATS_URL: natsUrl,
      PLATEN_USAGE_URL: rpcUrl(ports.usage),
      PLATEN_WEBHOOKS_URL: rpcUrl(ports.webhooks),
      PLATEN_UPGRADE_URL: settings.upgradeUrl,
      PLATEN_AGENT_PORT: String(settings.agentPort),
      PLATEN_PORT: String(settings.port),
    },
  }
  return Object.entries(environments).map(([name, env]) => ({
    name,
    script: `services/${name}/main.ts`,
    env,
    logFile: join(data.logs, `${name}.log`),
  }))
}

/** The virtual test computers of all organizations: the real agent, with a virtual spooler. */
export function testComputers({ settings, data, secrets, ports }: Installation, natsUrl: string): NodeProcess {
  return {
    name: 'test-computers',
    script: 'services/test-computers/main.ts',
    env: {
      PLATEN_RPC_SECRET: secrets.rpcSecret,
      PLATEN_DEVICES_URL: rpcUrl(ports.devices),
      PLATEN_NATS_URL: natsUrl,
      PLATEN_AGENT_URL: settings.agentUrl,
      PLATEN_TEST_COMPUTERS_DIR: data.testComputers,
    },
    logFile: join(data.logs, 'test-computers.log'),
  }
}

export function rpcUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}
