import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type Live, useEvents, useLive } from '../../api/live.tsx'
import { serverNow } from '../../api/server-time.ts'
import { type JobFilters, toQueries } from './job-filters.ts'
import { addFresh, FRESH_MAX, type JobPage, type JobPages, mergeFresh, type PageStart } from './job-pages.ts'

const PAGE_SIZE = 100
/** Jobs begin to wait for long without an event. */
const WAITING_CHECK_MS = 30_000

/** Puts the jobs of a page into the cache. A query without jobs is followed by the next one. @throws ApiFailure */
export async function loadPage(
  { send, resources }: Pick<Live, 'send' | 'resources'>,
  filters: JobFilters,
  start: PageStart,
  signal?: AbortSignal,
): Promise<JobPage> {
  const loadedAt = start.loadedAt || serverNow()
  const queries = toQueries(filters, loadedAt)
  const query = { ...queries[start.query], limit: PAGE_SIZE, after: start.after }
  const page = await send((api) => api.GET('/v1/printjobs', { params: { query } }), signal)
  for (const job of page.data) resources.put('printjob', job)
  const ids = page.data.map(({ id }) => id)
  const next: PageStart | undefined = page.hasMore
    ? { query: start.query, after: page.nextCursor ?? undefined, loadedAt }
    : start.query + 1 < queries.length
      ? { query: start.query + 1, loadedAt }
      : undefined
  if (ids.length === 0 && next) return await loadPage({ send, resources }, filters, next, signal)
  return { ids, next, fresh: [] }
}

/** @param isAtTop new jobs appear at once; otherwise they are counted, so that the list does not move. */
export function useJobList(filters: JobFilters, isAtTop: boolean) {
  const live = useLive()
  const { feed, resources, key } = live
  const queryClient = useQueryClient()
  const queryKey = useMemo(() => [...key, 'jobs', filters], [key, filters])
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: { query: 0, loadedAt: 0 } as PageStart,
    queryFn: async ({ pageParam, signal }) => {
      await feed.opened
      return await loadPage(live, filters, pageParam, signal)
    },
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      filters.state === undefined && isAtTop && state.data?.pages.length === 1 ? WAITING_CHECK_MS : false,
  })

  const update = useCallback(
    (change: (pages: JobPages) => JobPages) =>
      queryClient.setQueryData<JobPages>(queryKey, (pages) => pages && change(pages)),
    [queryClient, queryKey],
  )
  useEvents(
    useCallback(
      (events) => update((pages) => addFresh(pages, filters, events, resources)),
      [update, filters, resources],
    ),
  )

  const { data } = query
  const fresh = data?.pages[0]?.fresh.length ?? 0
  const showFresh = useCallback(() => {
    if (fresh > FRESH_MAX) void queryClient.resetQueries({ queryKey })
    else update(mergeFresh)
  }, [fresh, queryClient, queryKey, update])
  useEffect(() => {
    if (isAtTop && fresh > 0) showFresh()
  }, [isAtTop, fresh, showFresh])

  const ids = useMemo(() => {
    // A job can move to another page while the pages are loaded.
    const all = new Set(data?.pages.flatMap((page) => page.ids))
    return [...all]
  }, [data])

  return { ...query, ids, fresh, showFresh, ensure: useEnsure(live, filters, data as JobPages | undefined) }
}

/** @returns a function that loads jobs again which the cache has dropped because the list is long. */
function useEnsure(live: Live, filters: JobFilters, data: JobPages | undefined) {
  const loading = useRef(new Set<number>())
  return useCallback(
    (visible: string[]) => {
      const missing = new Set(visible.filter((id) => !live.resources.has(id)))
      if (missing.size === 0) return
      data?.pages.forEach((page, index) => {
        const start = data.pageParams[index]
        if (!start || loading.current.has(index) || !page.ids.some((id) => missing.has(id))) return
        loading.current.add(index)
        // A failure leaves the rows empty, and the next scroll tries again.
        loadPage(live, filters, start)
          .catch(() => undefined)
          .finally(() => loading.current.delete(index))
      })
    },
    [live, filters, data],
  )
}
