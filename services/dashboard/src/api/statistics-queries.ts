/** The queries of statistics, in a module of their own, so that the shell does not contain them. */
import { queryOptions } from '@tanstack/react-query'
import { type Scope, send } from './client.ts'
import { type Of, PAGE_SIZE } from './queries.ts'

export type StatisticsGroup = 'printer' | 'computer' | 'key' | 'source'

interface StatisticsFilters {
  interval: 'day' | 'month'
  since: string
  groupBy?: StatisticsGroup
}

/** Of one query. */
const PAGES_MAX = 10

/** Of live jobs, in all pages. */
export const liveStatisticsQuery = ({ scope, organization }: Of, filters: StatisticsFilters) =>
  queryOptions({
    queryKey: ['statistics', organization.id, filters],
    queryFn: ({ signal }) =>
      loadAll((after) =>
        send(
          { ...scope, mode: 'live' },
          (api) => api.GET('/v1/statistics', { params: { query: { ...filters, limit: PAGE_SIZE, after } } }),
          signal,
        ),
      ),
    refetchOnWindowFocus: true,
  })

/** The names of live printers, computers and keys by id. Those of deleted ones are missing. */
export const liveNamesQuery = ({ scope, organization, isPermitted }: Of, group: StatisticsGroup) =>
  queryOptions({
    queryKey: ['names', organization.id, group],
    queryFn: async ({ signal }) => new Map((await loadNames({ ...scope, mode: 'live' }, group, signal)).map(toName)),
    enabled: group !== 'source' && (group !== 'key' || isPermitted('listApiKeys')),
  })

const toName = ({ id, name, displayName = name ?? id }: { id: string; name?: string; displayName?: string }) =>
  [id, displayName] as const

async function loadNames(scope: Scope, group: StatisticsGroup, signal: AbortSignal) {
  if (group === 'key') return (await send(scope, (api) => api.GET('/account/keys'), signal)).data
  const path = group === 'printer' ? '/v1/printers' : '/v1/computers'
  const { entries } = await loadAll<{ id: string; name: string; displayName?: string }>((after) =>
    send(scope, (api) => api.GET(path, { params: { query: { limit: PAGE_SIZE, after } } }), signal),
  )
  return entries
}

async function loadAll<Item>(
  load: (after: string | undefined) => Promise<{ data: Item[]; hasMore: boolean; nextCursor: string | null }>,
): Promise<{ entries: Item[]; hasMore: boolean }> {
  const entries: Item[] = []
  let after: string | undefined
  for (let pages = 1; ; pages++) {
    const { data, hasMore, nextCursor } = await load(after)
    entries.push(...data)
    if (!hasMore || nextCursor === null || pages === PAGES_MAX) return { entries, hasMore }
    after = nextCursor
  }
}
