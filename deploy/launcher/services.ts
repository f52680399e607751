/** The process of the services and its settings. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TlsFiles } from '@platen/runtime/tls.ts'
import { agentPackages } from '../install/paths.mjs'
import type { DataDirectory } from './data-directory.ts'
import { memorySettings } from './memory-settings.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { NodeProcess } from './start-process.ts'

/** Servers on loopback, whose ports the launcher chooses. */
export const LOOPBACK_PORTS = ['postgres', 'nats', 'rpc', 'ops', 'testAgents'] as const

export type LoopbackPorts = Record<(typeof LOOPBACK_PORTS)[number], number>

export interface Installation {
  settings: Settings
  data: DataDirectory
  secrets: Secrets
  ports: LoopbackPorts
}

export interface Stores {
  /** With `*` for the name of the service. */
  databaseUrl: string
  natsUrl: string
}

const NODE_OPTIONS = `--max-semi-space-size=${memorySettings.semiSpace}`

/** Builds that the gateway serves, if there are any. */
export interface WebDirectories {
  dashboard?: string
  /** May be built later. */
  docs?: string
  /** May be built later. */
  clients?: string
}

/** One process that runs all services, including the virtual test computers. */
export function allServices(
  { settings, data, secrets, ports }: Installation,
  { databaseUrl, natsUrl }: Stores,
  { dashboard, docs, clients }: WebDirectories = {},
): NodeProcess {
  const url = loopbackUrl(ports.rpc)
  return {
    name: 'platen',
    script: 'services/main.ts',
    args: ['all'],
    env: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${NODE_OPTIONS}`.trim(),
      PLATEN_RPC_LISTEN: new URL(url).host,
      PLATEN_RPC_CALLERS: toRpcCallers(secrets.rpcKeys),
      // Required, but not sent, because the services of one process call each other in memory.
      PLATEN_RPC_KEY: secrets.rpcKeys.gateway,
      PLATEN_SIGNING_KEY: secrets.signingKey,
      // Without a port of the operator's choice, nothing reads metrics.
      ...(settings.opsUrl === undefined && {
        PLATEN_OPS_LISTEN: new URL(loopbackUrl(ports.ops)).host,
        PLATEN_METRICS: 'off',
      }),
      PLATEN_OPERATOR_SECRET_SHA256: toSha256(secrets.operatorSecret),
      // The environment of the launcher may have it.
      PLATEN_OPERATOR_SECRET: '',
      PLATEN_ACCOUNTS_URL: url,
      PLATEN_JOBS_URL: url,
      PLATEN_DEVICES_URL: url,
      PLATEN_USAGE_URL: url,
      PLATEN_WEBHOOKS_URL: url,
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: natsUrl,
      PLATEN_FILE_STORE_URL: pathToFileURL(data.files).href,
      PLATEN_FETCH_KEY: secrets.fetchKey,
      PLATEN_WEBHOOK_KEY: secrets.webhookKey,
      PLATEN_SIGN_IN_KEY: secrets.signInKey,
      PLATEN_MAILBOX_DIR: data.mailbox,
      ...(settings.host !== undefined && { PLATEN_HOST: settings.host }),
      PLATEN_PORT: String(settings.port),
      PLATEN_AGENT_PORT: String(settings.agentPort),
      PLATEN_AGENT_URL: settings.agentUrl,
      ...(settings.tls && toTlsEnvironment(settings.tls, ports.testAgents)),
      PLATEN_UPGRADE_URL: settings.upgradeUrl,
      ...(dashboard !== undefined && { PLATEN_DASHBOARD_DIR: dashboard }),
      ...(docs !== undefined && { PLATEN_DOCS_DIR: docs }),
      PLATEN_AGENT_PACKAGES_DIR: process.env.PLATEN_AGENT_PACKAGES_DIR ?? agentPackages,
      ...(clients !== undefined && { PLATEN_CLIENT_PACKAGES_DIR: process.env.PLATEN_CLIENT_PACKAGES_DIR ?? clients }),
      PLATEN_INSTALLATION: 'npm-start',
      PLATEN_TEST_COMPUTERS_DIR: data.testComputers,
    },
    logFile: join(data.logs, 'platen.log'),
  }
}

export const toSha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** @returns the `PLATEN_RPC_CALLERS` for the keys of services. */
export function toRpcCallers(keys: Record<string, string>): string {
  return Object.entries(keys)
    .map(([name, key]) => `${name}=${toSha256(key)}`)
    .join()
}

/** The virtual test computers connect without TLS, because the certificate is usually not valid for loopback. */
function toTlsEnvironment({ certFile, keyFile }: TlsFiles, testAgents: number): Record<string, string> {
  const url = loopbackUrl(testAgents)
  return {
    PLATEN_TLS_CERT_FILE: certFile,
    PLATEN_TLS_KEY_FILE: keyFile,
    PLATEN_AGENT_PLAIN_LISTEN: new URL(url).host,
    PLATEN_AGENT_URL: url,
  }
}

/** The URL of the operations port. */
export const toOpsUrl = ({ settings, ports }: Pick<Installation, 'settings' | 'ports'>): string =>
  settings.opsUrl ?? loopbackUrl(ports.ops)

export function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}
