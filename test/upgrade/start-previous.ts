/** The previous release, with agents and clients that follow lists: what a run upgrades. */
import { root } from '@platen/deploy/install/paths.mjs'
import { createRecorder } from '../chaos/client.ts'
import { createLinks } from '../chaos/links.ts'
import { startReceiver } from '../chaos/receiver.ts'
import { addTenants, type Tenant } from '../chaos/tenants.ts'
import { openStores } from '../chaos/verdict.ts'
import type { Stores } from '../checker/collect.ts'
import { REPLICA_HOST } from '../harness/replica-addresses.ts'
import { RPC_KEY } from '../harness/rpc-key.ts'
import { startSystem } from '../harness/system.ts'
import { RECEIVER_ENVIRONMENT } from '../harness/webhook-receiver.ts'
import type { followList } from '../load/follow-list.ts'

/** A list that an integrator follows. */
export interface Followed extends Pick<ReturnType<typeof followList>, 'finish'> {
  /** The ids of its rows, in the order of their arrival. */
  ids: string[]
}

/** A time in which all services have the release. */
export interface Phase {
  name: string
  startedAtMs: number
  endedAtMs: number
}

export const ENVIRONMENT = {
  // The chart sets it. The previous release may not know it.
  PLATEN_MIGRATIONS: 'wait',
  PLATEN_TEST_JOBS_PER_DAY: '1000000',
  PLATEN_WEBHOOK_RETRY_GAPS: '1,1,2,2,2,2,2',
  // The previous release has one secret for all services, with which this one goes on, as the procedure of an upgrade
  // says.
  PLATEN_RPC_SECRET: RPC_KEY,
  PLATEN_RPC_KEY: RPC_KEY,
  PLATEN_SIGNING_KEY: RPC_KEY,
}

export const SEED = 1
const PRINT_MS = 200

export type Upgrade = Awaited<ReturnType<typeof startPrevious>>

/** @param started ends what runs. */
export async function startPrevious(previous: string, started: AsyncDisposableStack) {
  /** The release by process; all others run the previous release. */
  const upgraded = new Set<string>()
  const getDirectory = (name: string) => (upgraded.has(name) ? root : previous)
  const links = createLinks()
  started.defer(() => links.close())
  const receiver = await startReceiver(SEED)
  started.defer(() => receiver.stop())
  const system = await startSystem({
    replicas: 2,
    testComputers: true,
    hasNatsToken: true,
    env: { ...RECEIVER_ENVIRONMENT, ...ENVIRONMENT },
    getDirectory,
    // Agents and test computers reach all replicas by one address, and services each other without a proxy.
    route: async (client, server, replicas) => {
      const [first] = replicas
      if (server === 'agents' || !first) return await links.route(client, server, replicas)
      return replicas.length === 1 ? first : { ...first, host: REPLICA_HOST }
    },
  })
  started.defer(() => system.stop())
  const agents = ['agent-old', 'agent-new'].map((name) => ({ name, getDirectory: () => getDirectory(name) }))
  const load = { seed: SEED, together: false, printMs: PRINT_MS, hasDestinations: false }
  const options = { system, receiver, links, ...load, agents }
  const { tenants, agents: processes } = await addTenants(options, started)
  const stores: Stores = openStores(system, started)
  return {
    system,
    receiver,
    tenants,
    agents: processes,
    stores,
    recorder: createRecorder(tenants),
    upgraded,
    /** Gateways to which a load balancer sends requests. */
    gateways: [...system.baseUrls],
    phases: [] as Phase[],
    /** Times by the name of the agent. */
    expectedOffline: [] as { agent: string; startedAtMs: number; endedAtMs: number }[],
    followed: new Map<Tenant, { jobs: Followed; events: Followed }>(),
  }
}
