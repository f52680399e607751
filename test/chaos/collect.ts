/** Puts together what a run left behind. Called by `run-seed.ts` once the system is quiet, or was given up on; changes nothing. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Pool } from 'pg'
import { readDatabase } from './collect-database.ts'
import { readConsumerLag, readKeptEventIds } from './collect-nats.ts'
import type { History, InjectedFault } from './history.ts'
import { findLeaks } from './leaks.ts'
import type { Listener } from './listen.ts'
import type { Load } from './load.ts'
import type { ChaosSystem } from './system/chaos-system.ts'
import type { Hooks } from './system/hooks.ts'

export interface Observed {
  seed: number
  settings: History['settings']
  load: Load
  faults: InjectedFault[]
  listener: Listener
  hooks: Hooks
}

export async function collectHistory(
  system: ChaosSystem,
  database: Pool,
  nats: NatsConnection,
  { seed, settings, load, faults, listener, hooks }: Observed,
): Promise<History> {
  return {
    seed,
    settings,
    calls: load.calls,
    spoolerCalls: await system.readSpoolerCalls(),
    heardEvents: listener.heardEvents,
    faults,
    agents: await system.readAgents(),
    endpoints: system.tenants.flatMap(({ endpoints }) => endpoints.map(({ facts }) => facts)),
    database: await readDatabase(database),
    // After the deliveries, each of which was asked for before it was recorded.
    receivedWebhooks: [...hooks.received],
    storedDocuments: await readStoredDocuments(system),
    consumerLag: await readConsumerLag(nats),
    keptEventIds: await readKeptEventIds(nats),
    unexpectedEnds: [...system.unexpectedEnds],
    collectedAtMs: Date.now(),
    leaks: [...load.leaks, ...(await findLeaks(system, database, listener.messages, seed))],
  }
}

/** Documents lie under their keys; one that never became complete has a name of its own, and is told of as well. */
async function readStoredDocuments({ directory }: ChaosSystem): Promise<string[]> {
  const entries = await readdir(join(directory, 'files'), { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
