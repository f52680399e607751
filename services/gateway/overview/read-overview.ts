/**
 * Reads all parts of the overview at once. Each request has a bounded answer, and a service that does not answer leaves
 * its parts out.
 */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
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
import { findLongQueues, findUnacknowledged } from './waiting-jobs.ts'

const DAY_MS = 24 * HOUR_MS
/** The jobs of the list beside the overview, which shows the names of their printers. */
const RECENT_JOBS = 20
/** Rarely more than one. */
const UNACKNOWLEDGED_MAX = 10

export async function readOverview(gateway: Gateway, tenant: Tenant, role: Role) {
  const now = gateway.clock.now()
  const { read, missing } = createSources()
  const { organizationId } = tenant
  const [found, checklist] = await Promise.all([
    readServices(gateway, tenant, role, now, read),
    readChecklist(gateway, { read }, { organizationId, role }),
  ])
  const { queues, summary, hours, weekBefore, problems, endpoints, plan, summarized, changes, jobEvents } = found
  const devices: Devices = {
    printers: new Map([...(summarized?.shown ?? []), ...(summarized?.requested ?? [])].map((one) => [one.id, one])),
    computers: new Map(summarized?.theirComputers.map((one) => [one.id, one])),
  }
  return {
    now,
    missing: [...missing],
    waiting: queues && { jobs: queues.jobs, isMinimum: queues.jobs >= queues.jobsMax },
    summarized,
    recentPrinters: summarized?.requested.filter(({ id }) => found.recentPrinterIds.includes(id)) ?? [],
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
      jobEvents,
      failures: summary?.failures,
      problems: problems?.problems,
      endpoints: endpoints?.endpoints,
      plan: plan && { used: plan.printsUsed, limit: plan.plan?.printsLimit },
      devices,
    }),
  }
}

const getStripStart = (now: Date) => new Date(now.getTime() - DAY_MS)

type Read = ReturnType<typeof createSources>['read']
type Call = { timeoutMs: number }

async function readServices(gateway: Gateway, tenant: Tenant, role: Role, now: Date, read: Read) {
  const { jobs, usage, devices, endpoints, optionalTimeoutMs: timeoutMs = TIMEOUT_MS } = gateway
  const { organizationId, mode } = tenant
  const call = { timeoutMs }
  const readsEndpoints = getRoles(listWebhooks, mode).includes(role)
  const [queues, recent, [hours, weekBefore, summary], problems, found, plan] = await Promise.all([
    read('jobs', jobs.listPrinterQueues(tenant, call)),
    read('jobs', jobs.listJobs({ ...tenant, page: { limit: RECENT_JOBS } }, call)),
    readStatistics(gateway, tenant, now, read, call),
    read(
      'devices',
      devices.listProblems(
        { organizationIds: [organizationId], mode, limit: ENTRIES_MAX + 1, withDestinations: true },
        call,
      ),
    ),
    readsEndpoints
      ? read('webhooks', endpoints.listEndpoints({ ...tenant, page: { limit: ENTRIES_MAX } }, call))
      : undefined,
    mode === 'live' ? read('plan', usage.getUsage({ organizationId }, call)) : undefined,
  ])
  const unacknowledged = findUnacknowledged(queues?.queues ?? [], now).slice(0, UNACKNOWLEDGED_MAX)
  const recentPrinterIds = (recent?.jobs ?? []).map(({ printerId }) => printerId)
  const printerIds = new Set([
    ...findLongQueues(queues?.queues ?? [], now).map(({ first }) => first?.printerId ?? ''),
    ...(summary?.failures ?? []).filter(({ printers }) => printers === 1).map(({ printerId }) => printerId),
    ...recentPrinterIds,
  ])
  const [summarized, details] = await Promise.all([
    read('devices', devices.summarizeDevices({ ...tenant, printerIds: [...printerIds] }, call)),
    Promise.all(
      unacknowledged.map(({ id: jobId }) => read('jobs', orMissing(jobs.getJobDetails({ ...tenant, jobId }, call)))),
    ),
  ])
  const changes = summarized && (await read('events', readChanges(gateway, tenant, summarized.shown, now, call)))
  const jobEvents = new Map(details.map((found) => [found?.details?.job?.id ?? '', found?.details?.events ?? []]))
  return {
    queues,
    summary,
    hours,
    weekBefore,
    problems,
    endpoints: found,
    plan,
    summarized,
    changes,
    jobEvents,
    recentPrinterIds,
  }
}

/** The last hours, the same hours of the week before, and what the last 24 hours have together. */
function readStatistics({ usage }: Gateway, tenant: Tenant, now: Date, read: Read, call: Call) {
  const end = getHour(now).getTime() + HOUR_MS
  const listHours = (until: number) =>
    usage.listStatistics(
      {
        ...tenant,
        interval: 'hour',
        dimension: 'all',
        from: timestampFromDate(new Date(until - HOURS * HOUR_MS)),
        until: timestampFromDate(new Date(until)),
        page: { limit: HOURS, ascending: true },
      },
      call,
    )
  return Promise.all([
    read('statistics', listHours(end)),
    read('statistics', listHours(end - WEEK_MS)),
    read('statistics', usage.summarizeJobs({ ...tenant, from: timestampFromDate(new Date(end - DAY_MS)) }, call)),
  ])
}

const readChanges = (
  { events }: Gateway,
  tenant: Tenant,
  printers: { id: string; computerId: string }[],
  now: Date,
  call: Call,
) =>
  events.listStateChanges(
    {
      ...tenant,
      resourceIds: [...new Set(printers.flatMap(({ id, computerId }) => [id, computerId]))],
      since: timestampFromDate(getStripStart(now)),
    },
    call,
  )
