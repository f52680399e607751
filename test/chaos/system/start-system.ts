/**
 * Starts an installation for a chaos run: every part a process of its own under a supervisor, every connection through a proxy. Called by
 * the runner and by tests, one system at a time. Its processes end with the caller, however that ends.
 *
 * PostgreSQL takes 200 connections and each replica of accounts, jobs, devices and webhooks up to 13, of usage 8: more than three of each do
 * not fit.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_RATE_LIMIT } from '../../harness/no-rate-limit.ts'
import type { ChaosSystem } from './chaos-system.ts'
import { type Crew, createCrew, startable } from './crew.ts'
import type { Hooks } from './hooks.ts'
import { createNetwork, type Network } from './network.ts'
import { type Plan, planSystem } from './plan.ts'
import {
  agentDirectory,
  agentName,
  agentProcess,
  replicaProcesses,
  SPOOLER_CALLS,
  spoolerProcess,
} from './processes.ts'
import { readAgent } from './read-agents.ts'
import { nextSpoolerCall, readSpoolerCalls } from './spooler-calls.ts'
import { natsServer, type Postgres, startDatabase } from './stores.ts'
import { createTenants } from './tenants.ts'

export interface ChaosOptions {
  /** Of each service. */
  replicas?: number
  /** Organizations, each with one computer and its agent. */
  tenants?: number
  /** For services and agents, on top of what they are told. */
  env?: Record<string, string>
  /** Path of a module that services and agents load before their own code. */
  plant?: string
  /** From a job's release to its completion. */
  printMs?: number
  /** With them each tenant has webhook endpoints. */
  hooks?: Hooks
}

/** @returns once every process is ready. Leaves nothing behind when it fails. */
export async function startChaosSystem(options: ChaosOptions = {}): Promise<ChaosSystem> {
  const opened = new AsyncDisposableStack()
  let keepsDirectory = false
  try {
    const network = createNetwork()
    opened.defer(() => network.close())
    const directory = await mkdtemp(join(tmpdir(), 'platen-chaos-'))
    opened.defer(async () => {
      if (!keepsDirectory) await rm(directory, { recursive: true })
    })
    const plan = await planSystem(directory, options.replicas ?? 2)
    const postgres = await startDatabase(plan)
    opened.defer(() => postgres.stop())
    const crew = createCrew()
    opened.defer(() => crew.stop())
    const tenants = await startCrew(crew, plan, network, postgres, options)
    const close = async (keepDirectory: boolean) => {
      keepsDirectory = keepDirectory
      await opened.disposeAsync()
    }
    return createSystem({ plan, network, postgres, crew, tenants, close })
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function startCrew(crew: Crew, plan: Plan, network: Network, postgres: Postgres, options: ChaosOptions) {
  const { tenants: tenantCount = 1, env = {}, plant, printMs = 200, hooks } = options
  const wiring = { network, servers: plan.servers, env: { ...NO_RATE_LIMIT, ...env }, plant }
  await crew.add([natsServer(plan), startable(spoolerProcess(plan, printMs))])
  const processes = []
  for (const n of plan.servers.jobs.keys()) processes.push(...(await replicaProcesses(plan, wiring, postgres.url, n)))
  await crew.add(processes.map(startable))

  const ports = { accounts: plan.port('accounts'), devices: plan.port('devices'), webhooks: plan.port('webhooks') }
  const tenants = await createTenants(tenantCount, ports, plan.secrets.rpcSecret, { databaseUrl: postgres.url, hooks })
  const agents = await Promise.all(tenants.map((tenant, n) => agentProcess(plan, wiring, tenant, n)))
  await crew.add(agents.map(startable))
  return tenants
}

interface Parts extends Pick<ChaosSystem, 'tenants'> {
  plan: Plan
  network: Network
  postgres: Postgres
  crew: Crew
  close(keepDirectory: boolean): Promise<void>
}

function createSystem({ plan, network, postgres, crew, tenants, close }: Parts): ChaosSystem {
  const { path: directory, nats } = plan.data

  async function endFaults(): Promise<void> {
    for (const process of crew.members) process.resume()
    await Promise.all(network.links.map((link) => link.heal()))
  }

  return {
    ...crew.troubles,
    baseUrls: plan.servers.gateway.map(({ port }) => `http://127.0.0.1:${port}`),
    databaseUrl: postgres.url,
    natsUrl: plan.natsUrl,
    directory,
    tenants,
    victims: crew.members,
    links: network.links,
    wipeNats: () => crew.member('nats-server').kill(() => rm(nats, { recursive: true })),
    restartPostgres: () => postgres.restart(),
    async heal() {
      await endFaults()
      await Promise.all(crew.members.map((process) => process.ready()))
    },
    nextSpoolerCall: (of, signal) => nextSpoolerCall(join(directory, SPOOLER_CALLS), of, signal),
    readSpoolerCalls: async () => readSpoolerCalls(join(directory, SPOOLER_CALLS)),
    readAgents: () =>
      Promise.all(tenants.map((tenant, n) => readAgent(agentName(n), agentDirectory(directory, tenant), tenant))),
    async stop({ keepDirectory = false } = {}) {
      await endFaults()
      await close(keepDirectory)
    },
  }
}
