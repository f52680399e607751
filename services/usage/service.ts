/** Metering and plans. Composes the service; `services/main.ts` runs it. */
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabaseWithLists } from '@platen/runtime/database/database.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import type { Config } from './config.ts'
import { PeriodCountEntity, PlanEntity } from './entities.ts'
import { followJobs } from './follow-jobs.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { deleteOrganization } from './rpc/delete-organization.ts'
import { getPlan } from './rpc/get-plan.ts'
import { getUsage } from './rpc/get-usage.ts'
import { listStatistics } from './rpc/list-statistics.ts'
import { setPlan } from './rpc/set-plan.ts'
import { summarizeJobs } from './rpc/summarize-jobs.ts'
import { addRecentCounts } from './timers/add-recent-counts.ts'
import { sweepStatistics } from './timers/sweep-statistics.ts'
import type { Usage } from './usage.ts'

/** One batch of events at a time, and infrequent reports. */
const CONNECTIONS = 4
const SWEEP_EVERY_MS = 10 * 60_000
const ADD_EVERY_MS = 1_000

export async function startUsage(service: ServiceProcess, config: Config, clock: Clock = systemClock): Promise<Usage> {
  const { orm, pool, lists } = await openDatabaseWithLists(service, {
    settings: config.database,
    schema: 'usage',
    entities: [PlanEntity, PeriodCountEntity],
    migrations: MIGRATIONS,
    connections: CONNECTIONS,
  })
  const usage: Usage = { orm, pool, lists, clock }
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) =>
      router.service(UsageService, {
        getUsage: (request) => getUsage(usage, request),
        listStatistics: (request) => listStatistics(usage, request),
        summarizeJobs: (request) => summarizeJobs(usage, request),
        getPlan: (request) => getPlan(usage, request),
        setPlan: (request) => setPlan(usage, request),
        deleteOrganization: (request) => deleteOrganization(usage, request),
      }),
  })
  const jobs = connectRpc(service, JobsService, { url: config.jobsUrl, key: config.rpcKey })
  followJobs(service, usage, jobs)
  startTimer(service, 'recent counts', ADD_EVERY_MS, () => addRecentCounts(usage.pool))
  startTimer(service, 'statistics', SWEEP_EVERY_MS, () => sweepStatistics(usage, service.stopping))
  return usage
}
