import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type JobsQuery, matches } from './job-filters.ts'
import { useLive } from './live.tsx'
import type { FeedEvent, Resources } from './resources.ts'

interface JobIds {
  ids: string[]
  /** Whether others match, too: counts are then minimums. */
  hasMore: boolean
}

interface JobsOptions {
  query: JobsQuery
  /** `asc`: the first to be printed comes first. */
  dir: 'asc' | 'desc'
  limit: number
}

/** A short list of jobs that has no pages. The feed adds and removes jobs. */
export function useJobs(options: JobsOptions) {
  const { key, send, feed, resources } = useLive()
  const { query, dir, limit } = options
  const list = useQuery({
    queryKey: [...key, 'short-list', query, dir, limit],
    queryFn: async ({ signal }): Promise<JobIds> => {
      await feed.opened
      const page = await send(
        (api) => api.GET('/v1/printjobs', { params: { query: { ...query, dir, limit } } }),
        signal,
      )
      for (const job of page.data) resources.put('printjob', job)
      return { ids: page.data.map(({ id }) => id), hasMore: page.hasMore }
    },
    meta: { applyEvents: (present: JobIds, events) => update(present, events, resources, options) },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
  const { data, isFetching, isError, refetch } = list
  // The feed reports nothing of the jobs behind the end.
  const isShort = data?.hasMore && data.ids.length < limit / 2
  useEffect(() => {
    if (isShort && !isFetching && !isError) void refetch()
  }, [isShort, isFetching, isError, refetch])
  return list
}

/** Ids of jobs grow with the time of their creation. */
function update(list: JobIds, events: FeedEvent[], resources: Resources, { query, dir, limit }: JobsOptions): JobIds {
  const changed = events.filter(({ type }) => type.startsWith('printjob.')).map(({ data }) => data.id)
  if (changed.length === 0) return list
  const all = [...new Set([...list.ids, ...changed])].toSorted()
  const ids = (dir === 'asc' ? all : all.toReversed()).filter((id) => {
    const job = resources.get('printjob', id)
    return job ? matches(job, query) : list.ids.includes(id)
  })
  // Jobs behind the end of the list are unknown, so the next one cannot take the place of one that has gone.
  const end = list.hasMore ? ids.indexOf(list.ids.findLast((id) => ids.includes(id)) ?? '') + 1 : ids.length
  return { ids: ids.slice(0, Math.min(end, limit)), hasMore: list.hasMore || ids.length > limit }
}
