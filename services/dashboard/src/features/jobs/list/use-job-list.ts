import { WAITING_LONG_MS } from '@platen/resources/job-states.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { isShown, type JobFilters, toQueries } from '../../../api/job-filters.ts'
import { type Live, useLive } from '../../../api/live.tsx'
import { serverNow } from '../../../api/server-time.ts'
import { useNow } from '../../../ui/time.tsx'
import {
  addFresh,
  addWaiting,
  type Cursor,
  FRESH_MAX,
  type JobPage,
  type JobPages,
  mergeFresh,
  type PageStart,
} from './job-pages.ts'

const PAGE_SIZE = 100
/** A screen of rows. */
const ROWS_MIN = 40
/** Jobs begin to wait for long without an event. One request each time. */
const WAITING_STEP_MS = 30_000

/** Puts the jobs of a page into the cache. @throws ApiFailure */
export async function loadPage(
  { send, resources }: Pick<Live, 'send' | 'resources'>,
  filters: JobFilters,
  after: PageStart,
  signal?: AbortSignal,
): Promise<JobPage> {
  const now = after?.now ?? serverNow()
  const parts = await Promise.all(
    toQueries(filters, now).map(async (part, index): Promise<{ ids: string[]; cursor: Cursor }> => {
      const cursor = after?.cursors[index]
      if (cursor === null) return { ids: [], cursor }
      const query = { ...part, limit: PAGE_SIZE, after: cursor }
      const page = await send((api) => api.GET('/v1/printjobs', { params: { query } }), signal)
      for (const job of page.data) resources.put('printjob', job)
      return { ids: page.data.map(({ id }) => id), cursor: page.hasMore ? page.nextCursor : null }
    }),
  )
  const isComplete = parts.every(({ cursor }) => cursor === null)
  const ends = parts.map(({ ids, cursor }) => (cursor === null ? '' : (ids.at(-1) ?? '')))
  return {
    ids: parts.flatMap(({ ids }) => ids),
    next: isComplete ? undefined : { cursors: parts.map(({ cursor }) => cursor), now },
    completeFrom: ends.toSorted().at(-1) ?? '',
    waitingUntil: now,
    fresh: [],
  }
}

/** Ids are ordered by the time of the creation. */
const newestFirst = (ids: string[]) => ids.toSorted().toReversed()

/** @param isAtTop new jobs appear at once; otherwise they are counted, so that the list does not move. */
export function useJobList(filters: JobFilters, isAtTop: boolean) {
  const live = useLive()
  const { feed, resources, key } = live
  const queryClient = useQueryClient()
  const queryKey = useMemo(() => [...key, 'jobs', filters], [key, filters])
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as PageStart,
    queryFn: async ({ pageParam, signal }) => {
      await feed.opened
      return await loadPage(live, filters, pageParam, signal)
    },
    getNextPageParam: ({ next }) => next,
    meta: {
      applyEvents: (pages: JobPages, events) => addFresh(pages, filters, events, resources, serverNow()),
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })

  const update = useCallback(
    (change: (pages: JobPages) => JobPages) =>
      queryClient.setQueryData<JobPages>(queryKey, (pages) => pages && change(pages)),
    [queryClient, queryKey],
  )
  const data = query.data as JobPages | undefined
  const fresh = data?.pages[0]?.fresh.length ?? 0
  const showFresh = useCallback(() => {
    if (fresh > FRESH_MAX) void queryClient.resetQueries({ queryKey })
    else update(mergeFresh)
  }, [fresh, queryClient, queryKey, update])
  useEffect(() => {
    if (isAtTop && fresh > 0) showFresh()
  }, [isAtTop, fresh, showFresh])

  const now = useNow(WAITING_STEP_MS)
  const ids = useMemo(() => {
    // A job can move to another page while the pages are loaded.
    const all = new Set(data?.pages.flatMap((page) => page.ids))
    const shown = [...all].filter((id) => {
      const job = resources.get('printjob', id)
      return !job || isShown(job, filters, now)
    })
    if (filters.state !== undefined) return shown
    // Two lists: rows of the longer one wait for the next page of the other one, so that rows appear at the end only.
    const completeFrom = data?.pages.at(-1)?.completeFrom ?? ''
    return newestFirst(shown.filter((id) => id >= completeFrom))
  }, [data, resources, filters, now])
  const onLongWaiting = useCallback(
    (found: string[], until: number, hasMore: boolean) => {
      if (hasMore) void queryClient.resetQueries({ queryKey })
      else update((pages) => addWaiting(pages, found, until))
    },
    [queryClient, queryKey, update],
  )
  useLongWaiting(live, filters, data?.pages[0]?.waitingUntil, onLongWaiting)

  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const isShort = ids.length < ROWS_MIN && hasNextPage
  useEffect(() => {
    if (isShort && !isFetching && !isError) void fetchNextPage()
  }, [isShort, isFetching, isError, fetchNextPage])

  return { ...query, ids, fresh, showFresh, ensure: useEnsure(live, filters, data) }
}

/**
 * Adds the jobs that wait for long since the list was loaded, because that begins without an event.
 *
 * @param since milliseconds by the clock of the service; undefined until the list is loaded.
 */
function useLongWaiting(
  { send, resources }: Live,
  filters: JobFilters,
  since: number | undefined,
  onFound: (ids: string[], until: number, hasMore: boolean) => void,
): void {
  const until = useNow(WAITING_STEP_MS)
  useEffect(() => {
    if (filters.state !== undefined || since === undefined || since >= until) return
    const leaving = new AbortController()
    const load = async () => {
      const [, waiting] = toQueries(filters, until)
      const query = { ...waiting, createdAfter: new Date(since - WAITING_LONG_MS).toISOString(), limit: PAGE_SIZE }
      const page = await send((api) => api.GET('/v1/printjobs', { params: { query } }), leaving.signal)
      for (const job of page.data) resources.put('printjob', job)
      const ids = page.data.map(({ id }) => id)
      onFound(ids, until, page.hasMore)
    }
    // After a failure the next step covers this one.
    load().catch(() => undefined)
    return () => leaving.abort()
  }, [send, resources, filters, since, until, onFound])
}

/** @returns a function that loads jobs again which the cache has dropped because the list is long. */
function useEnsure(live: Live, filters: JobFilters, data: JobPages | undefined) {
  const loading = useRef(new Set<number>())
  return useCallback(
    (visible: string[]) => {
      const missing = new Set(visible.filter((id) => !live.resources.has(id)))
      if (missing.size === 0) return
      data?.pages.forEach((page, index) => {
        if (loading.current.has(index) || !page.ids.some((id) => missing.has(id))) return
        loading.current.add(index)
        // A failure leaves the rows empty, and the next scroll tries again.
        loadPage(live, filters, data.pageParams[index])
          .catch(() => undefined)
          .finally(() => loading.current.delete(index))
      })
    },
    [live, filters, data],
  )
}
