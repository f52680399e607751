/** What is settled before anything is started: directories, passwords, and where each part listens. Called by `start-system.ts`. */
import { type DataDirectory, openDataDirectory } from '@platen/deploy/data-directory.ts'
import { openSecrets, type Secrets } from '@platen/deploy/secrets.ts'
import { freePorts } from '../../harness/free-port.ts'
import type { Server } from './network.ts'

/** `agents`: the port of devices that agents connect to. */
const REPLICATED = ['accounts', 'jobs', 'devices', 'usage', 'webhooks', 'gateway', 'agents'] as const
const SINGLE = ['postgres', 'nats-server', 'spooler'] as const

type Part = (typeof REPLICATED)[number] | (typeof SINGLE)[number]

/** All replicas of each part. */
export type Servers = Record<Part, Server[]>

export interface Plan {
  data: DataDirectory
  secrets: Secrets
  servers: Servers
  /** As they are reached without a proxy. */
  natsUrl: string
  port(part: Part, replica?: number): number
}

/** @param root an empty directory. */
export async function planSystem(root: string, replicas: number): Promise<Plan> {
  const data = await openDataDirectory(root)
  const secrets = await openSecrets(data.secretsFile)
  const names: [part: Part, name: string][] = SINGLE.map((part) => [part, part])
  for (const part of REPLICATED)
    for (let n = 0; n < replicas; n++) names.push([part, `${part === 'agents' ? 'devices' : part}-${n}`])
  const keys = names.map(([part, name]) => `${part} ${name}`)
  const ports: Record<string, number> = await freePorts(keys)

  const servers = Object.fromEntries([...SINGLE, ...REPLICATED].map((part): [Part, Server[]] => [part, []])) as Servers
  for (const [part, name] of names) servers[part].push({ name, port: ports[`${part} ${name}`] ?? 0 })
  const port = (part: Part, replica = 0) => servers[part][replica]?.port ?? 0
  return { data, secrets, servers, port, natsUrl: `nats://${secrets.natsToken}@127.0.0.1:${port('nats-server')}` }
}
