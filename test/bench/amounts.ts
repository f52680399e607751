/** What an installation of `bench jobs` has beside its load, to show what its amount costs each job. */
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import type { System } from '../harness/system.ts'
import { connectIdleAgents } from './idle-agents.ts'
import type { Load } from './load.ts'
import { addOldJobs } from './old-jobs.ts'

export interface Amounts {
  /** Ended jobs of the last year, of all organizations together. */
  oldJobs: number
  /** More computers of the organizations, of all together. */
  idleAgents: number
  /** Endpoints of each organization. */
  endpoints: number
}

/**
 * Where operators want to be alerted. None of them occurs in the load, because a delivery costs the same whatever the
 * number of endpoints.
 */
const ENDPOINT_EVENTS = ['printjob.error', 'printjob.expired', 'computer.offline', 'printer.offline']
/** The network of endpoints, which get no event. */
export const ENDPOINT_NETWORK = '127.0.0.0/8'

/** @param load has created jobs, which are the models of the old ones. */
export async function addAmounts(system: System, load: Load, { oldJobs, idleAgents, endpoints }: Amounts) {
  const { organizationIds } = load
  const client = system.connect(EndpointsService, 'webhooks')
  for (const organizationId of organizationIds)
    for (let n = 0; n < endpoints; n++)
      await client.createEndpoint({
        organizationId,
        mode: 'live',
        url: `https://127.0.0.1/${n}`,
        events: ENDPOINT_EVENTS,
      })
  const addCredential = async (n: number) =>
    (await system.addLiveComputer(organizationIds[n % organizationIds.length] ?? '')).credential
  load.agents.push(...(await connectIdleAgents(system, idleAgents, addCredential)))
  if (oldJobs > 0) await addOldJobs(system, oldJobs)
}
