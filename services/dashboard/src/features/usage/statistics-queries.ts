import { queryOptions } from '@tanstack/react-query'
import { type Scope, send } from '../../api/client.ts'
import type { Of } from '../../api/queries.ts'
import { type LoadPage, loadAll } from '../../api/use-pages.ts'

export type StatisticsGroup = 'printer' | 'computer' | 'key' | 'source'

interface StatisticsFilters {
  interval: 'day' | 'month'
  since: string
  groupBy?: StatisticsGroup
}

/** The pages of one query. */
const PAGES_MAX = 10

/** Statistics of live jobs, in all pages. */
export const liveStatisticsQuery = ({ scope, organization }: Of, filters: StatisticsFilters) =>
  queryOptions({
    queryKey: ['statistics', organization.id, filters],
    queryFn: ({ signal }) =>
      loadPages(
        { ...scope, mode: 'live' },
        (page) => (api) => api.GET('/v1/statistics', { params: { query: { ...filters, ...page } } }),
        signal,
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
  const { items } = await loadPages<{ id: string; name: string; displayName?: string }>(
    scope,
    (page) => (api) => api.GET(path, { params: { query: page } }),
    signal,
  )
  return items
}

const loadPages = <Item>(scope: Scope, load: LoadPage<Item>, signal: AbortSignal) =>
  loadAll({ send: (call, signal) => send(scope, call, signal) }, load, signal, undefined, PAGES_MAX)
