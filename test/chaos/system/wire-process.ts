/**
 * Leads a process's connections through the network of the harness. Which process talks to which is known to `deploy/services.ts` alone:
 * here the addresses in its environment are replaced. Called by `start-system.ts`.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NodeProcess } from '@platen/deploy/start-process.ts'
import type { Network } from './network.ts'
import type { Servers } from './plan.ts'

const VARIABLES: Record<string, keyof Servers> = {
  PLATEN_DATABASE_URL: 'postgres',
  PLATEN_NATS_URL: 'nats-server',
  PLATEN_ACCOUNTS_URL: 'accounts',
  PLATEN_JOBS_URL: 'jobs',
  PLATEN_DEVICES_URL: 'devices',
  PLATEN_USAGE_URL: 'usage',
  PLATEN_WEBHOOKS_URL: 'webhooks',
}

const NAME_LOOKUP = pathToFileURL(join(import.meta.dirname, 'name-lookup.ts')).href

export interface Wiring {
  network: Network
  servers: Servers
  /** For every process. */
  env: Record<string, string>
  /** Path of a module that every process loads first. */
  plant?: string
}

export async function wireProcess(process: NodeProcess, wiring: Wiring): Promise<NodeProcess> {
  const env: Record<string, string> = {}
  const hosts: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(process.env ?? {})) {
    const server = VARIABLES[name]
    env[name] = server ? await wireUrl(process.name, value, server, wiring, hosts) : value
  }
  return withModules({ ...process, env: { ...env, ...wiring.env } }, hosts, wiring.plant)
}

/**
 * @param url of the server as it is reached without a proxy.
 * @param hosts gets the addresses of the name that the returned URL holds: one that has several replicas is reached by name, as in a cluster.
 */
export async function wireUrl(
  client: string,
  url: string,
  server: keyof Servers,
  { network, servers }: Pick<Wiring, 'network' | 'servers'>,
  hosts: Record<string, string[]>,
): Promise<string> {
  const { addresses, port } = await network.connect(client, servers[server])
  const name = `${server}.platen.test`
  const [only = name, ...others] = addresses
  if (others.length > 0) hosts[name] = addresses
  const wired = new URL(url)
  wired.host = `${others.length > 0 ? name : only}:${port}`
  return wired.href.replace(/\/$/, '')
}

/** What a process loads before its own code. */
export function withModules(process: NodeProcess, hosts: Record<string, string[]>, plant?: string): NodeProcess {
  const modules = [NAME_LOOKUP, ...(plant ? [pathToFileURL(plant).href] : [])]
  const before = process.env?.NODE_OPTIONS ?? globalThis.process.env.NODE_OPTIONS ?? ''
  const options = [before, ...modules.map((url) => `--import=${url}`)].join(' ').trim()
  return { ...process, env: { ...process.env, NODE_OPTIONS: options, PLATEN_CHAOS_HOSTS: JSON.stringify(hosts) } }
}
