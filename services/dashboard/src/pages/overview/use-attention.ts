import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { Usage, WebhookEndpoint } from '../../api/gen/schema.ts'
import { useComputers, useLive, usePrinters } from '../../api/live.tsx'
import type { Computer, Job, Printer } from '../../api/resources.ts'
import { serverNow } from '../../api/server-time.ts'
import { useWaitingJobs } from '../../api/use-waiting-jobs.ts'
import { useNow } from '../../ui/time.tsx'
import { describeHealth } from '../webhooks/health.tsx'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Same threshold as in the jobs list. */
const WAITING_MS = 5 * MINUTE
/** The period of failures moves in these steps, so that queries are not new at each second. */
const STEP_MS = MINUTE
const REFRESH_MS = 15_000
const FAILED_LIMIT = 100
const PLAN_PART = 0.8

export interface Attention {
  id: string
  text: string
  action: string
  link: LinkProps
}

/** What needs attention, with one action for each. Each request can fail by itself. */
export function useAttention() {
  const { mode, isPermitted, key, organization, send } = useLive()
  const { printers, ...printersQuery } = usePrinters()
  const { computers, ...computersQuery } = useComputers()
  const step = useNow(STEP_MS)
  const since = new Date(step - DAY).toISOString()
  const waiting = useWaitingJobs(new Date(step - WAITING_MS).toISOString())
  const failed = useQuery({
    queryKey: [...key, 'failed-jobs'],
    queryFn: async ({ signal }) => {
      const createdAfter = new Date(serverNow() - DAY).toISOString()
      const query = { state: ['error' as const], limit: FAILED_LIMIT, createdAfter }
      return await send((api) => api.GET('/v1/printjobs', { params: { query } }), signal)
    },
    refetchInterval: REFRESH_MS,
  })
  const webhooks = useQuery({
    queryKey: [...key, 'all-webhooks'],
    queryFn: ({ signal }) => send((api) => api.GET('/v1/webhooks', { params: { query: { limit: 100 } } }), signal),
    refetchInterval: REFRESH_MS,
    enabled: isPermitted('listWebhooks'),
  })
  const usage = useQuery({
    queryKey: ['usage', organization.id],
    queryFn: ({ signal }) => send((api) => api.GET('/v1/usage'), signal),
    refetchInterval: REFRESH_MS,
  })
  const params = { mode }
  const entries: Attention[] = [
    ...(failed.data ? describeFailed(failed.data.data, failed.data.hasMore, params, since) : []),
    ...(waiting.data ? describeWaiting(waiting.data.jobs, waiting.data.hasMore, printers, computers, params) : []),
    ...describePrinters(printers, params),
    ...describeComputers(computers, params),
    ...(webhooks.data ? describeWebhooks(webhooks.data.data, params) : []),
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

interface Params {
  mode: 'live' | 'test'
}

function describeFailed(jobs: Job[], hasMore: boolean, params: Params, since: string): Attention[] {
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
  jobs: Job[],
  hasMore: boolean,
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
    .map(({ id, name }) => ({
      id: `computer ${id}`,
      text: `Computer ${name} is offline`,
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
