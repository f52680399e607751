import { useQuery } from '@tanstack/react-query'
import { type JobFilters, matches, toQuery } from '../pages/jobs/job-filters.ts'
import { useLive } from './live.tsx'
import type { FeedEvent, Resources } from './resources.ts'

interface JobIds {
  ids: string[]
  hasMore: boolean
}

interface JobsOptions {
  filters: JobFilters
  /** `asc`: the first to be printed comes first. */
  dir: 'asc' | 'desc'
  limit: number
}

/** A short list of jobs that has no pages. The feed adds and removes jobs. */
export function useJobs({ filters, dir, limit }: JobsOptions) {
  const { key, send, feed, resources } = useLive()
  return useQuery({
    queryKey: [...key, 'short-list', JSON.stringify(filters), dir, limit],
    queryFn: async ({ signal }): Promise<JobIds> => {
      await feed.opened
      const query = { ...toQuery(filters), dir, limit }
      const page = await send((api) => api.GET('/v1/printjobs', { params: { query } }), signal)
      for (const job of page.data) resources.put('printjob', job)
      return { ids: page.data.map(({ id }) => id), hasMore: page.hasMore }
    },
    meta: { applyEvents: (list: JobIds, events) => update(list, events, resources, { filters, dir, limit }) },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
}

/** Ids of jobs grow with the time of their creation. */
function update(list: JobIds, events: FeedEvent[], resources: Resources, options: JobsOptions): JobIds {
  const changed = events.filter(({ type }) => type.startsWith('printjob.')).map(({ data }) => data.id)
  if (changed.length === 0) return list
  const all = [...new Set([...list.ids, ...changed])].toSorted()
  const ids = (options.dir === 'asc' ? all : all.toReversed()).filter((id) => {
    const job = resources.get('printjob', id)
    return job ? matches(job, options.filters) : list.ids.includes(id)
  })
  // Jobs behind the end of the list are unknown, so the next one cannot take the place of one that has gone.
  const end = list.hasMore ? ids.indexOf(list.ids.findLast((id) => ids.includes(id)) ?? '') + 1 : ids.length
  return { ids: ids.slice(0, Math.min(end, options.limit)), hasMore: list.hasMore || ids.length > options.limit }
}
