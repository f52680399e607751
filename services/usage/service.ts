/** Metering and plans. Composes the service; `services/main.ts` runs it. */
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabase } from '@platen/runtime/database/database.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import type { Config } from './config.ts'
import { PeriodCountEntity, PlanEntity } from './entities.ts'
import { followJobs } from './follow-jobs.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { deleteOrganization } from './rpc/delete-organization.ts'
import { getPlan } from './rpc/get-plan.ts'
import { getUsage } from './rpc/get-usage.ts'
import { setPlan } from './rpc/set-plan.ts'
import type { Usage } from './usage.ts'

/** One batch of prints at a time, and infrequent reports. */
const CONNECTIONS = 6

export async function startUsage(service: ServiceProcess, config: Config, clock: Clock = systemClock): Promise<Usage> {
  const { orm, pool } = await openDatabase(service, {
    settings: config.database,
    schema: 'usage',
    entities: [PlanEntity, PeriodCountEntity],
    migrations: MIGRATIONS,
    connections: CONNECTIONS,
  })
  const usage: Usage = { orm, pool, clock }
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) =>
      router.service(UsageService, {
        getUsage: (request) => getUsage(usage, request),
        getPlan: (request) => getPlan(usage, request),
        setPlan: (request) => setPlan(usage, request),
        deleteOrganization: (request) => deleteOrganization(usage, request),
      }),
  })
  const jobs = connectRpc(service, JobsService, { url: config.jobsUrl, key: config.rpcKey })
  followJobs(service, usage, jobs)
  return usage
}
