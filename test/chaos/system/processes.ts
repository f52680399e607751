/** Each process of a system and what it is told, its connections led through the network. Called by `start-system.ts`. */
import { join } from 'node:path'
import { rpcUrl, separateServices } from '@platen/deploy/services.ts'
import { readSettings } from '@platen/deploy/settings.ts'
import type { NodeProcess } from '@platen/deploy/start-process.ts'
import type { Tenant } from './chaos-system.ts'
import type { Plan } from './plan.ts'
import { configureAgent } from './tenants.ts'
import { type Wiring, wireProcess, wireUrl, withModules } from './wire-process.ts'

/** In the system's directory. */
export const SPOOLER_CALLS = 'spooler-calls.jsonl'

export function spoolerProcess({ data, port }: Plan, printMs: number): NodeProcess {
  return {
    name: 'spooler',
    script: 'test/chaos/system/spooler-server.ts',
    args: [String(port('spooler')), join(data.path, SPOOLER_CALLS), String(printMs)],
    logFile: join(data.logs, 'spooler.log'),
  }
}

/** One of each service: "accounts-0", "jobs-0", "devices-0", "usage-0", "webhooks-0", "gateway-0". */
export async function replicaProcesses(plan: Plan, wiring: Wiring, databaseUrl: string, n: number) {
  const { data, secrets, port } = plan
  const settings = readSettings({
    PLATEN_DATA_DIR: data.path,
    PLATEN_HOST: '127.0.0.1',
    PLATEN_PORT: String(port('gateway', n)),
    PLATEN_AGENT_PORT: String(port('agents', n)),
  })
  const ports = {
    postgres: port('postgres'),
    nats: port('nats-server'),
    rpc: 0,
    accounts: port('accounts', n),
    jobs: port('jobs', n),
    devices: port('devices', n),
    usage: port('usage', n),
    webhooks: port('webhooks', n),
  }
  const processes: NodeProcess[] = []
  const installation = { settings, data, secrets, ports }
  for (const service of separateServices(installation, { databaseUrl, natsUrl: plan.natsUrl }, ports)) {
    if (service.name === 'test-computers') continue
    const name = `${service.name}-${n}`
    processes.push(await wireProcess({ ...service, name, logFile: join(data.logs, `${name}.log`) }, wiring))
  }
  return processes
}

/** Reaches all replicas of devices by one name, and after each loss tries them in another order. */
export async function agentProcess(plan: Plan, wiring: Wiring, tenant: Tenant, n: number): Promise<NodeProcess> {
  const { data, port } = plan
  const name = agentName(n)
  const hosts: Record<string, string[]> = {}
  const agentUrl = await wireUrl(name, rpcUrl(port('agents')), 'agents', wiring, hosts)
  const spoolerUrl = await wireUrl(name, rpcUrl(port('spooler')), 'spooler', wiring, hosts)
  const directory = agentDirectory(data.path, tenant)
  await configureAgent(directory, tenant, agentUrl)
  const process: NodeProcess = {
    name,
    script: 'test/chaos/system/agent-main.ts',
    args: [name, directory, spoolerUrl],
    env: wiring.env,
    logFile: join(data.logs, `${name}.log`),
  }
  return withModules(process, hosts, wiring.plant)
}

export function agentName(n: number): string {
  return `agent-${n}`
}

export function agentDirectory(root: string, { computerId }: Tenant): string {
  return join(root, 'agents', computerId)
}
