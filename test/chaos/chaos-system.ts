/**
 * An installation whose processes and connections can fail: two replicas of the services, proxies, two organizations,
 * their agents. Linux only.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENTS_STREAM, WEBHOOK_ATTEMPTS_STREAM } from '@platen/proto/subjects.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { type System, startSystem } from '../harness/system.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { RECEIVER_ENVIRONMENT } from '../harness/webhook-receiver.ts'
import type { Victims } from './faults.ts'
import { createLinks } from './links.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { addTenants, type Tenant } from './tenants.ts'

export interface ChaosOptions {
  seed: number
  /** Each replica is one process with all services instead of one process for each service. */
  together: boolean
  env: Record<string, string>
  /** From the release of a live job to its completion. */
  printMs: number
}

export interface ChaosSystem {
  system: System
  tenants: Tenant[]
  receiver: Receiver
  victims: Victims
  /** Ends all faults and returns when every process is ready. */
  heal(): Promise<void>
}

/** @param started ends what runs. */
export async function startChaosSystem(options: ChaosOptions, started: AsyncDisposableStack): Promise<ChaosSystem> {
  const links = createLinks()
  started.defer(() => links.close())
  const receiver = await startReceiver(options.seed)
  started.defer(() => receiver.stop())
  const { route } = links
  const env = { ...RECEIVER_ENVIRONMENT, ...options.env }
  const system = await startSystem({ replicas: 2, testComputers: true, together: options.together, route, env })
  started.defer(() => system.stop())
  const { tenants, agents } = await addTenants(
    { ...options, system, receiver, links, agents: [{ name: 'agent' }] },
    started,
  )
  const processes = [...system.processes, ...agents]
  const operator = started.adopt(createTestProcess('operator'), (process) => process.stop())
  const { manager } = await connectNats(operator, parseNatsUrl(system.natsUrl))
  const wipeNats = () => rm(join(system.directory, 'nats'), { recursive: true })
  /** Fails while nats-server does not run. */
  const deleteStreams = async () => {
    for (const { name } of [EVENTS_STREAM, WEBHOOK_ATTEMPTS_STREAM])
      await manager.streams.delete(name).catch(() => undefined)
  }
  return {
    system,
    tenants,
    receiver,
    victims: { processes, links: links.all, wipeNats, deleteStreams },
    async heal() {
      for (const process of processes) process.resume()
      await Promise.all(links.all.map((link) => link.heal()))
      await Promise.all(processes.map((process) => process.ready()))
    },
  }
}
