/** Reads all parts of the overview at once. Each request has a bounded answer, and a service that does not answer leaves its parts out. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { getRoles } from '../authentication/require-permission.ts'
import type { Role } from '../caller.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { listWebhooks } from '../operations/webhooks/list-webhooks.ts'
import { ENTRIES_MAX, listAttention } from './attention.ts'
import { readChecklist } from './checklist.ts'
import type { Devices } from './entry.ts'
import { getHour, HOUR_MS, HOURS, toFigures, WEEK_MS } from './figures.ts'
import { createSources, TIMEOUT_MS } from './sources.ts'
import { toStrip } from './strip.ts'
import { findLongQueues } from './waiting-jobs.ts'

const DAY_MS = 24 * HOUR_MS
/** Of the list beside the overview, which shows the names of their printers. */
const RECENT_JOBS = 20

export async function readOverview(gateway: Gateway, tenant: Tenant, role: Role) {
  const now = gateway.clock.now()
  const { read, missing } = createSources()
  const { organizationId } = tenant
  const [found, checklist] = await Promise.all([
    readServices(gateway, tenant, role, now, read),
    readChecklist(gateway, { read }, { organizationId, role }),
  ])
  const { queues, summary, hours, weekBefore, problems, endpoints, plan, summarized, changes } = found
  const devices: Devices = {
    printers: new Map([...(summarized?.shown ?? []), ...(summarized?.requested ?? [])].map((one) => [one.id, one])),
    computers: new Map(summarized?.theirComputers.map((one) => [one.id, one])),
  }
  return {
    now,
    missing: [...missing],
    waiting: queues && { jobs: queues.jobs, isMinimum: queues.jobs >= queues.jobsMax },
    summarized,
    figures:
      hours && weekBefore && summary
        ? toFigures({
            now,
            hours: hours.entries,
            weekBefore: weekBefore.entries,
            done: summary.done,
            waiting: queues?.jobs,
          })
        : null,
    strip:
      summarized && changes ? toStrip(summarized.shown, devices.computers, changes.changes, getStripStart(now)) : null,
    stripStart: getStripStart(now),
    checklist,
    attention: listAttention({
      now,
      // Without the devices, printers would seem removed.
      queues: summarized && queues?.queues,
      failures: summary?.failures,
      problems: problems?.problems,
      endpoints: endpoints?.endpoints,
      plan: plan && { used: plan.printsUsed, limit: plan.plan?.printsLimit },
      devices,
    }),
  }
}

const getStripStart = (now: Date) => new Date(now.getTime() - DAY_MS)

async function readServices(
  gateway: Gateway,
  tenant: Tenant,
  role: Role,
  now: Date,
  read: ReturnType<typeof createSources>['read'],
) {
  const { jobs, usage, devices, endpoints, optionalTimeoutMs: timeoutMs = TIMEOUT_MS } = gateway
  const { organizationId, mode } = tenant
  const call = { timeoutMs }
  const listHours = (start: number) =>
    usage.listStatistics(
      {
        ...tenant,
        interval: 'hour',
        dimension: 'all',
        from: timestampFromDate(new Date(start)),
        until: timestampFromDate(new Date(start + HOURS * HOUR_MS)),
        page: { limit: HOURS, ascending: true },
      },
      call,
    )
  const hour = getHour(now).getTime()
  const firstHour = hour - (HOURS - 1) * HOUR_MS
  const dayAgo = timestampFromDate(new Date(hour - DAY_MS + HOUR_MS))
  const readsEndpoints = getRoles(listWebhooks, mode).includes(role)
  const ofJobs = Promise.all([
    read('jobs', jobs.listPrinterQueues(tenant, call)),
    read('jobs', jobs.listJobs({ ...tenant, page: { limit: RECENT_JOBS } }, call)),
    read('statistics', usage.summarizeJobs({ ...tenant, from: dayAgo }, call)),
  ])
  const [[queues, recent, summary], hours, weekBefore, problems, found, plan] = await Promise.all([
    ofJobs,
    read('statistics', listHours(firstHour)),
    read('statistics', listHours(firstHour - WEEK_MS)),
    read('devices', devices.listProblems({ organizationIds: [organizationId], mode, limit: ENTRIES_MAX + 1 }, call)),
    readsEndpoints
      ? read('webhooks', endpoints.listEndpoints({ ...tenant, page: { limit: ENTRIES_MAX } }, call))
      : undefined,
    mode === 'live' ? read('plan', usage.getUsage({ organizationId }, call)) : undefined,
  ])
  const printerIds = new Set([
    ...findLongQueues(queues?.queues ?? [], now)
      .slice(0, ENTRIES_MAX + 1)
      .map(({ first }) => first?.printerId ?? ''),
    ...(summary?.failures ?? []).filter(({ printers }) => printers === 1).map(({ printerId }) => printerId),
    ...(recent?.jobs ?? []).map(({ printerId }) => printerId),
  ])
  const summarized = await read('devices', devices.summarizeDevices({ ...tenant, printerIds: [...printerIds] }, call))
  const changes = summarized && (await read('events', readChanges(gateway, tenant, summarized.shown, now, call)))
  return { queues, summary, hours, weekBefore, problems, endpoints: found, plan, summarized, changes }
}

const readChanges = (
  { events }: Gateway,
  tenant: Tenant,
  printers: { id: string; computerId: string }[],
  now: Date,
  call: { timeoutMs: number },
) =>
  events.listStateChanges(
    {
      ...tenant,
      resourceIds: [...new Set(printers.flatMap(({ id, computerId }) => [id, computerId]))],
      since: timestampFromDate(getStripStart(now)),
    },
    call,
  )
