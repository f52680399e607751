import { WAITING_STATES } from '@platen/resources/job-states.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLive } from './live.tsx'
import type { Job } from './resources.ts'
import { REFRESH_MS } from './use-pages.ts'

const LIMIT = 100

export interface WaitingJobs {
  /** The oldest 100, oldest first. */
  jobs: Job[]
  /** Whether others wait, too: counts are then minimums. */
  hasMore: boolean
}

/**
 * The jobs that wait, by one request for all printers, because the API has no totals.
 *
 * @param createdBefore ISO 8601: only jobs that have waited for longer.
 */
export function useWaitingJobs(createdBefore?: string) {
  const { key, send, feed, resources } = useLive()
  return useQuery({
    queryKey: [...key, 'waiting-jobs', createdBefore],
    queryFn: async ({ signal }): Promise<WaitingJobs> => {
      await feed.opened
      const query = { state: [...WAITING_STATES], dir: 'asc' as const, limit: LIMIT, createdBefore }
      const { data, hasMore } = await send((api) => api.GET('/v1/printjobs', { params: { query } }), signal)
      for (const job of data) resources.put('printjob', job)
      return { jobs: data, hasMore }
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
}
