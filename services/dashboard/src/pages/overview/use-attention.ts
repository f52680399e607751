import { WAITING_LONG_MS } from '@platen/resources/job-states.ts'
import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { Usage, WebhookEndpoint } from '../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters } from '../../api/live.tsx'
import { usageQuery, webhooksQuery } from '../../api/queries.ts'
import type { Computer, Job, Printer } from '../../api/resources.ts'
import { findJobs, useJobs, WAITING } from '../../api/use-jobs.ts'
import { usePages } from '../../api/use-pages.ts'
import { useNow } from '../../ui/time.tsx'
import { describeHealth } from '../../webhooks/health.tsx'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FAILED: Parameters<typeof useJobs>[0] = { query: { state: ['error'] }, dir: 'desc', limit: 100 }
const PLAN_PART = 0.8

export interface Attention {
  id: string
  text: string
  action: string
  link: LinkProps
}

/** What needs attention, with one action for each. Each request can fail by itself. */
export function useAttention() {
  const live = useLive()
  const { printers, ...printersQuery } = usePrinters()
  const { computers, ...computersQuery } = useComputers()
  const now = useNow(MINUTE)
  const since = new Date(now - DAY).toISOString()
  const waiting = useJobs(WAITING)
  const failed = useJobs(FAILED)
  const webhooks = usePages(webhooksQuery(live))
  const usage = useQuery(usageQuery(live))
  const findSome = (
    { data = { ids: [], hasMore: false } }: typeof waiting,
    isFound: (createdAt: number) => boolean,
  ) => {
    const jobs = findJobs(live.resources, data.ids).filter(({ createdAt }) => isFound(Date.parse(createdAt)))
    return { jobs, hasMore: data.hasMore && jobs.length === data.ids.length }
  }
  const params = { mode: live.mode }
  const entries: Attention[] = [
    ...describeFailed(
      findSome(failed, (createdAt) => createdAt > now - DAY),
      params,
      since,
    ),
    ...describeWaiting(
      findSome(waiting, (createdAt) => createdAt < now - WAITING_LONG_MS),
      printers,
      computers,
      params,
    ),
    ...describePrinters(printers, params),
    ...describeComputers(computers, params),
    ...(webhooks.data ? describeWebhooks(webhooks.data, params) : []),
    ...(usage.data ? describeUsage(usage.data) : []),
  ]
  const queries = [printersQuery, computersQuery, waiting, failed, usage, ...(webhooks.isLoading ? [webhooks] : [])]
  return {
    entries,
    isPending: queries.some((query) => query.isPending),
    failed: [...queries, webhooks].find((query) => query.isError),
    printers,
    computers,
  }
}

const count = (n: number, hasMore: boolean, noun: string) => `${n}${hasMore ? '+' : ''} ${noun}${n === 1 ? '' : 's'}`

interface SomeJobs {
  jobs: Job[]
  hasMore: boolean
}

interface Params {
  mode: 'live' | 'test'
}

function describeFailed({ jobs, hasMore }: SomeJobs, params: Params, since: string): Attention[] {
  const groups = Map.groupBy(jobs, ({ stateReasons: [reason] }) => reason ?? 'without a reason')
  return [...groups].map(([reason, group]) => ({
    id: `failed ${reason}`,
    text: `${count(group.length, hasMore, 'job')} failed in the last 24 hours: ${reason}`,
    action: group.length === 1 ? 'Open the job' : 'Show failed jobs',
    link:
      group.length === 1
        ? { to: '/$mode/jobs/$jobId', params: { ...params, jobId: (group[0] as Job).id } }
        : { to: '/$mode/jobs', params, search: { state: 'error', from: since } },
  }))
}

/** By the cause that can be seen from outside. The page of a job has the explanation. */
function describeWaiting(
  { jobs, hasMore }: SomeJobs,
  printers: readonly Printer[],
  computers: readonly Computer[],
  params: Params,
): Attention[] {
  const groups = Map.groupBy(jobs, ({ printerId, computerId }) => {
    const computer = computers.find(({ id }) => id === computerId)
    return computer?.state === 'offline' ? computerId : printerId
  })
  return [...groups].map(([id, group]): Attention => {
    const computer = computers.find((one) => one.id === id)
    const printer = printers.find((one) => one.id === id)
    const subject = count(group.length, hasMore, 'job')
    const verb = group.length === 1 ? 'waits' : 'wait'
    if (computer)
      return {
        id: `waiting ${id}`,
        text: `${subject} ${verb} for computer ${computer.name}, which is offline`,
        action: 'Show the computer',
        link: { to: '/$mode/computers/$computerId', params: { ...params, computerId: id } },
      }
    if (!printer)
      return {
        id: `waiting ${id}`,
        text: `${subject} ${verb} for a removed printer`,
        action: 'Show the jobs',
        link: { to: '/$mode/jobs', params, search: { printer: id } },
      }
    return {
      id: `waiting ${id}`,
      text: `${subject} ${verb} for printer ${printer.displayName}${printer.enabled ? '' : ', which is disabled'}`,
      action: 'Show the printer',
      link: { to: '/$mode/printers/$printerId', params: { ...params, printerId: id } },
    }
  })
}

function describePrinters(printers: readonly Printer[], params: Params): Attention[] {
  return printers
    .filter(({ state, stateReasons }) => state === 'offline' || stateReasons.length > 0)
    .map(({ id, displayName, state, stateDetail, stateReasons }) => ({
      id: `printer ${id}`,
      text: `Printer ${displayName}: ${stateDetail || stateReasons.join(', ') || state}`,
      action: 'Show the printer',
      link: { to: '/$mode/printers/$printerId', params: { ...params, printerId: id } },
    }))
}

function describeComputers(computers: readonly Computer[], params: Params): Attention[] {
  return computers
    .filter(({ state }) => state === 'offline')
    .map(({ id, name, unauthorizedAt }) => ({
      id: `computer ${id}`,
      text: unauthorizedAt ? `The agent of computer ${name} is refused` : `Computer ${name} is offline`,
      action: 'Show the computer',
      link: { to: '/$mode/computers/$computerId', params: { ...params, computerId: id } },
    }))
}

function describeWebhooks(endpoints: WebhookEndpoint[], params: Params): Attention[] {
  return endpoints
    .filter(({ enabled, disabledReason, failingSince }) => (enabled ? failingSince : disabledReason === 'failures'))
    .map((endpoint) => ({
      id: `webhook ${endpoint.id}`,
      text: `Webhook endpoint ${endpoint.url}: ${describeHealth(endpoint).text}`,
      action: 'Show the endpoint',
      link: { to: '/$mode/webhooks/$webhookId', params: { ...params, webhookId: endpoint.id } },
    }))
}

function describeUsage({ prints: { used, limit } }: Usage): Attention[] {
  if (limit === null || used < limit * PLAN_PART) return []
  return [
    {
      id: 'usage',
      text: `${used.toLocaleString()} of ${limit.toLocaleString()} prints of this month are used`,
      action: 'Show the usage',
      link: { to: '/usage' },
    },
  ]
}
